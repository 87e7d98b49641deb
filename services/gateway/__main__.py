"""The gateway as a process."""

from __future__ import annotations

from libs.runtime.service import run_service
from services.gateway.app import build
from services.gateway.settings import GatewaySettings

if __name__ == "__main__":
    run_service(GatewaySettings, build)
