"""`python -m services.game`: one game service."""

from libs.runtime.service import run_service
from services.game.app import build
from services.game.settings import GameSettings

if __name__ == "__main__":
    run_service(GameSettings, build)
