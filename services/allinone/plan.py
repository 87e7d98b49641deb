"""Which processes make up the whole, in which order, and what each is told. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# A service may call only those before it at its start; it stops before them.
START_ORDER = ("game", "visibility", "matchmaking", "bots", "gateway")
# The fence: who may reach the store. A bot knows no more than its own token.
KEEPS_STATE = ("game", "matchmaking")
READS_SEAT_TOKENS = ("game", "matchmaking", "visibility")
HOST = "127.0.0.1"
# Variables that are decided here, so that the launcher's own values must not leak into a service.
ARCHIVE_SETTING = "TANDEMFOG_GAME_ARCHIVE_URL"
DECIDED = ("STORE_URL", "TOKEN_SECRET_FILE", "SESSION_SECRET_FILE", "PARENT_FD", "PORT", "VAR")


@dataclass(frozen=True)
class Ports:
    """The ports of one service on this machine."""

    grpc: int
    metrics: int


@dataclass(frozen=True)
class Whole:
    """Everything that the services have to be told, decided once for a run of the launcher."""

    ports: Mapping[str, Ports]
    http_port: int
    store_url: str
    token_secret_file: Path
    session_secret_file: Path
    page: Path
    archive_url: str

    @property
    def url(self) -> str:
        """What a person opens."""
        return f"http://{HOST}:{self.http_port}/"


def environment(whole: Whole, service: str, inherited: Mapping[str, str]) -> dict[str, str]:
    """The environment of one service: the launcher's, and what it must know of the others."""
    decided = {f"TANDEMFOG_{name}" for name in DECIDED}
    own = f"TANDEMFOG_{service.upper()}_"
    told = {
        name: value
        for name, value in inherited.items()
        if name not in decided and not name.startswith("TANDEMFOG_ALLINONE_")
    }
    for name, ports in whole.ports.items():
        told[f"TANDEMFOG_PEERS_{name.upper()}"] = f"{HOST}:{ports.grpc}"
    told[f"{own}HOST"] = HOST
    told[f"{own}PORT"] = str(whole.ports[service].grpc)
    told[f"{own}METRICS_PORT"] = str(whole.ports[service].metrics)
    if service in KEEPS_STATE:
        told["TANDEMFOG_STORE_URL"] = whole.store_url
    archive_url = told.pop(ARCHIVE_SETTING, whole.archive_url)  # it may have a password
    if service == "game":
        told[ARCHIVE_SETTING] = archive_url
    if service in READS_SEAT_TOKENS:
        told["TANDEMFOG_TOKEN_SECRET_FILE"] = str(whole.token_secret_file)
    if service == "gateway":
        told["TANDEMFOG_SESSION_SECRET_FILE"] = str(whole.session_secret_file)
        told[f"{own}HTTP_HOST"] = HOST
        told[f"{own}HTTP_PORT"] = str(whole.http_port)
        told[f"{own}PAGE_DIR"] = str(whole.page)
    return told
