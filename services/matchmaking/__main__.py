"""The matchmaking service as a process."""

from __future__ import annotations

from libs.runtime.service import run_service
from services.matchmaking.app import build
from services.matchmaking.settings import MatchmakingSettings

if __name__ == "__main__":
    run_service(MatchmakingSettings, build)
