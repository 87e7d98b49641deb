"""What the launcher can be told."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pydantic import Field

from libs.runtime.settings import ServiceSettings, shared

ROOT = Path(__file__).resolve().parents[2]


class LauncherSettings(ServiceSettings, env_prefix="TANDEMFOG_ALLINONE_"):
    """`TANDEMFOG_PORT=8081 TANDEMFOG_VAR=/srv/tandemfog make play`.

    A service's own variables are handed on to it; it is the one to judge them.
    """

    service: ClassVar[str] = "allinone"

    http_port: int = shared("PORT", 8080, "The port of the page; 0 takes any free one.")
    var: Path = shared("VAR", ROOT / "var", "The folder of the data, secrets and logs.")
    store_url: str | None = shared("STORE_URL", None, "A store to use instead of an embedded one.")
    start_timeout_ms: int = Field(30_000, ge=1, description="How long a service may take to become healthy.")
