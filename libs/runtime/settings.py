"""Settings: one typed object for each service, from TANDEMFOG_... variables; unknown names are refused."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "TANDEMFOG_"
SERVICES = ("game", "matchmaking", "visibility", "bots", "gateway")
# Variables that several services read, so that they carry no service's name.
SHARED_NAMES = frozenset(
    {
        "STORE_URL",
        "TOKEN_SECRET_FILE",
        "SESSION_SECRET_FILE",
        *(f"PEERS_{service.upper()}" for service in SERVICES),
        "TLS_CERT",
        "TLS_KEY",
        "TLS_CA",
        "TLS_MUTUAL",
        "LOG_LEVEL",
        "COMMIT",
        "PARENT_FD",
        # Read by the launcher and by the tests only.
        "PORT",
        "VAR",
        "CHROMIUM",
        "PROMETHEUS",
    }
)


class SettingsError(Exception):
    """The environment says something that no setting understands; the message names every such variable."""


def shared(name: str, default: Any = ..., description: str | None = None) -> Any:
    """A field read from TANDEMFOG_<name>, for the names in SHARED_NAMES; required without a default."""
    if name not in SHARED_NAMES:
        raise ValueError(f"{name} is not a shared setting.")
    return Field(default, validation_alias=PREFIX + name, description=description)


def unknown_variables(settings: type[ServiceSettings], environment: Mapping[str, str]) -> list[str]:
    """The names in `environment` that look like ours and that nobody reads, sorted.

    A name with another service's prefix is that service's to judge.
    """
    known = {PREFIX + name for name in SHARED_NAMES}
    for name, field in settings.model_fields.items():
        alias = field.validation_alias
        known.add(alias if isinstance(alias, str) else f"{settings.prefix()}{name.upper()}")
    others = tuple(f"{PREFIX}{service.upper()}_" for service in SERVICES if service != settings.service)
    return sorted(
        name
        for name in environment
        if name.startswith(PREFIX) and name not in known and not name.startswith(others)
    )


class ServiceSettings(BaseSettings):
    """What every service can be told. A service derives its own class and adds its own fields.

    `class GameSettings(ServiceSettings, env_prefix="TANDEMFOG_GAME_")` reads TANDEMFOG_GAME_PORT and so on.
    """

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", case_sensitive=False, populate_by_name=True, env_ignore_empty=False
    )
    service: ClassVar[str]

    host: str = Field("127.0.0.1", description="The address that gRPC and the metrics listen on.")
    port: int = Field(0, ge=0, le=65535, description="The gRPC port; 0 takes any free one.")
    metrics_port: int = Field(0, ge=0, le=65535, description="The port of /metrics and /healthz; 0 is any.")
    drain_grace_ms: int = Field(5000, ge=0, description="How long a stop waits for what is in progress.")
    log_level: Literal["debug", "info", "warning", "error"] = shared("LOG_LEVEL", "info")
    commit: str = shared("COMMIT", "", "The commit that this was built from; empty: the checkout's own.")
    tls_cert: Path | None = shared("TLS_CERT", None, "This process' certificate (PEM): turns TLS on.")
    tls_key: Path | None = shared("TLS_KEY", None, "The key of the certificate (PEM).")
    tls_ca: Path | None = shared("TLS_CA", None, "The authority (PEM) that signs our services' certificates.")
    tls_mutual: bool = shared("TLS_MUTUAL", True, "Whoever calls must show a certificate, too.")
    parent_fd: int | None = shared("PARENT_FD", None, "A pipe's end: when it closes, the parent is gone.")

    @model_validator(mode="after")
    def _tls_is_whole(self) -> Self:
        files = (self.tls_cert, self.tls_key, self.tls_ca)
        if any(files) and not all(files):
            raise ValueError(f"{PREFIX}TLS_CERT, {PREFIX}TLS_KEY and {PREFIX}TLS_CA belong together")
        return self

    @classmethod
    def prefix(cls) -> str:
        """The prefix of this service's own variables, e.g. TANDEMFOG_GAME_."""
        return str(cls.model_config.get("env_prefix", ""))

    @classmethod
    def from_environment(cls) -> Self:
        """Reads the process' environment; raises SettingsError that names each variable at fault."""
        problems = [f"{name}: no setting has this name." for name in unknown_variables(cls, os.environ)]
        settings = None
        try:
            settings = cls()
        except ValidationError as error:
            problems += [f"{cls._variable(problem['loc'])}: {problem['msg']}." for problem in error.errors()]
        if settings is None or problems:
            raise SettingsError("\n".join(problems))
        return settings

    @classmethod
    def _variable(cls, location: tuple[int | str, ...]) -> str:
        """The variable that pydantic's error speaks of, by a field's name or its alias."""
        name = str(location[0]) if location else ""
        return name if name.startswith(PREFIX) else f"{cls.prefix()}{name.upper()}"
