"""The visibility service as a process: `python -m services.visibility`."""

from libs.runtime.service import run_service
from services.visibility.app import build
from services.visibility.settings import VisibilitySettings

if __name__ == "__main__":
    run_service(VisibilitySettings, build)
