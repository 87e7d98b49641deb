"""Who may call whom: one table, derived from what the services can be told and from what they import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from libs.runtime.settings import SERVICES, ServiceSettings
from services.bots.settings import BotsSettings
from services.game.settings import GameSettings
from services.gateway.settings import GatewaySettings
from services.matchmaking.settings import MatchmakingSettings
from services.visibility.settings import VisibilitySettings

ROOT = Path(__file__).resolve().parents[2]
STORE = "redis"
SETTINGS: dict[str, type[ServiceSettings]] = {
    settings.service: settings
    for settings in (GameSettings, MatchmakingSettings, VisibilitySettings, BotsSettings, GatewaySettings)
}
# Whose stubs a package of protos holds, where it is not called as its service.
SERVED_BY = {"view": "visibility", "feed": "game", "operations": "game"}


def calls_by_settings() -> set[tuple[str, str]]:
    """(caller, callee) for each service that a service can be told of; the store is the callee "redis"."""
    found = set()
    for name, settings in SETTINGS.items():
        for field in settings.model_fields:
            if field.startswith("peers_"):
                found.add((name, field.removeprefix("peers_")))
            elif field == "store_url":
                found.add((name, STORE))
    return found


def secrets_by_settings() -> dict[tuple[str, str], str]:
    """For each secret file that a service reads: (service, "token", "session" or "ops") and its variable."""
    found = {}
    for name, settings in SETTINGS.items():
        for field, told in settings.model_fields.items():
            if field.endswith(("_secret_file", "_token_file")):
                alias = told.validation_alias
                variable = alias if isinstance(alias, str) else f"{settings.prefix()}{field.upper()}"
                found[name, field.partition("_")[0]] = variable
    return found


def calls_by_imports() -> set[tuple[str, str]]:
    """The same, by the stubs that a service's modules import, and by who imports the store's client."""
    found = set()
    for name in SERVICES:
        for module, imported in _imports(ROOT / "services" / name):
            if module.startswith("gen.tandemfog.") and any(word.endswith("Stub") for word in imported):
                package = module.split(".")[2]
                found.add((name, SERVED_BY.get(package, package)))
            elif module == "redis" or module.startswith(("redis.", "libs.store")):
                found.add((name, STORE))
    return found


def _imports(folder: Path) -> Iterator[tuple[str, set[str]]]:
    """(module, names taken from it) for every import of a folder's modules."""
    for file in folder.rglob("*.py"):
        tree = ast.parse(file.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from ((alias.name, set()) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module, {alias.name for alias in node.names}
                # `from gen.tandemfog.game.v1 import game_pb2_grpc`: what is taken stands behind a dot.
                for alias in node.names:
                    yield f"{node.module}.{alias.name}", _attributes(tree, alias.asname or alias.name)


def _attributes(tree: ast.Module, name: str) -> set[str]:
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    }


def image_environment() -> dict[str, str]:
    """The variables that the Dockerfile's last stage gives every container."""
    stage = (ROOT / "Dockerfile").read_text().rpartition("\nFROM ")[2].replace("\\\n", " ")
    told: dict[str, str] = {}
    for line in stage.splitlines():
        if line.startswith("ENV "):
            told |= dict(word.split("=", 1) for word in line.split()[1:])
    return {name: value for name, value in told.items() if "$" not in value}


def settings_from(service: str, environment: dict[str, str], monkeypatch: Any) -> ServiceSettings:
    """What the service makes of a container's variables; raises SettingsError as it would itself."""
    monkeypatch.setattr("os.environ", {**image_environment(), **environment})
    return SETTINGS[service].from_environment()
