"""docker-compose.yml as it stands, its anchors resolved."""

from __future__ import annotations

import re
from typing import Any

import yaml

from tests.deploy.calls import ROOT

VARIABLE = re.compile(r"\$\{\w+:-([^}]*)\}")


def compose() -> dict[str, Any]:
    """The file, each variable with its default."""
    text = VARIABLE.sub(r"\1", (ROOT / "docker-compose.yml").read_text())
    read: dict[str, Any] = yaml.safe_load(text)
    return read


def services() -> dict[str, dict[str, Any]]:
    """What runs, without what runs once."""
    found: dict[str, dict[str, Any]] = compose()["services"]
    return {name: made for name, made in found.items() if name != "prepare"}


def variables(made: dict[str, Any]) -> dict[str, str]:
    """What a container is told."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value or "")
        for name, value in made.get("environment", {}).items()
    }
