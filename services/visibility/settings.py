"""What the visibility service can be told."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from pydantic import Field

from libs.runtime.settings import ServiceSettings, shared


class VisibilitySettings(ServiceSettings, env_prefix="TANDEMFOG_VISIBILITY_"):
    """Read from TANDEMFOG_VISIBILITY_... and the shared names."""

    service: ClassVar[str] = "visibility"
    peers_game: str = shared("PEERS_GAME")
    token_secret_file: Path = shared("TOKEN_SECRET_FILE")
    batch_bytes: int = Field(256 * 1024, ge=1024, description="The most that one write to a stream carries.")
    viewer_frames: int = Field(
        32, ge=1, description="Frames that may wait for one viewer; past them it is owed a full view instead."
    )
    stuck_after_ms: int = Field(
        10_000, ge=100, description="A stream whose reader takes nothing for so long is closed."
    )
    matches_asked_at_once: int = Field(32, ge=1, description="Whole matches asked of game at the same time.")
