"""Several replicas of every service on one store. Nobody supervises them: who ends one starts it again."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from services.allinone.plan import START_ORDER
from services.allinone.store import unused_port
from tests.kit.service import ServiceProcess

HOST = "127.0.0.1"
START_WITHIN_S = 90.0  # ten interpreters at once, on however few cores


class Replicas:
    """`async with Replicas(tmp_path, store_url) as stack:` is two of each service, ready.

    `processes` is by name: "game-0", "game-1" and so on. `settings` are variables that all are given.
    """

    def __init__(
        self, folder: Path, store_url: str, settings: Mapping[str, str] | None = None, count: int = 2
    ) -> None:
        self._ports = {name: [unused_port() for _ in range(count)] for name in START_ORDER}
        self._http_ports = [unused_port() for _ in range(count)]
        self.urls = [f"http://{HOST}:{port}" for port in self._http_ports]
        self.processes = {
            f"{name}-{number}": ServiceProcess(
                name, self._environment(name, number, folder, store_url) | dict(settings or {})
            )
            for name in START_ORDER
            for number in range(count)
        }

    def _environment(self, name: str, number: int, folder: Path, store_url: str) -> dict[str, str]:
        own = f"TANDEMFOG_{name.upper()}_"
        told = {
            f"TANDEMFOG_PEERS_{peer.upper()}": ",".join(f"{HOST}:{port}" for port in ports)
            for peer, ports in self._ports.items()
        }
        told |= {f"{own}HOST": HOST, f"{own}PORT": str(self._ports[name][number]), f"{own}METRICS_PORT": "0"}
        if name in ("game", "matchmaking"):
            told["TANDEMFOG_STORE_URL"] = store_url
        if name in ("game", "matchmaking", "visibility"):
            told["TANDEMFOG_TOKEN_SECRET_FILE"] = str(_secret(folder / "token-secret"))
        if name == "gateway":
            told["TANDEMFOG_SESSION_SECRET_FILE"] = str(_secret(folder / "session-secret"))
            told[f"{own}HTTP_PORT"] = str(self._http_ports[number])
            told[f"{own}PAGE_DIR"] = str(folder)
        return told

    async def __aenter__(self) -> Self:
        try:
            await asyncio.gather(*(process.start(START_WITHIN_S) for process in self.processes.values()))
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(process.kill() for process in self.processes.values() if process.is_running))

    def of(self, service: str) -> list[ServiceProcess]:
        """The replicas of one service."""
        return [process for name, process in self.processes.items() if name.startswith(f"{service}-")]


def _secret(path: Path) -> Path:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(os.urandom(32).hex())
        path.chmod(0o600)
    return path
