"""A bot worker as a process."""

from __future__ import annotations

from libs.runtime.service import run_service
from services.bots.app import build
from services.bots.settings import BotsSettings

if __name__ == "__main__":
    run_service(BotsSettings, build)
