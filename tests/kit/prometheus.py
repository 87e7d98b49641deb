"""Prometheus' own programs, for what only they can judge: rules, and the queries of dashboards."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import aiohttp
import pytest

from services.allinone.store import unused_port
from tests.kit.service import ROOT

MONITORING = ROOT / "deploy" / "monitoring"
RULES = sorted((MONITORING / "prometheus" / "rules").glob("*.yml"))
READY_WITHIN_S = 20.0


def program(name: str) -> str:
    """The path of `prometheus` or `promtool`; skips the test, with the reason, where there is none."""
    folders = [os.environ.get("TANDEMFOG_PROMETHEUS", ""), str(ROOT / "build" / "prometheus" / "usr" / "bin")]
    path = shutil.which(name, path=os.pathsep.join([*filter(None, folders), os.environ.get("PATH", "")]))
    if path is None:
        pytest.skip(f"no {name}: scripts/ensure_prometheus.py fetches it where Debian's package is to be had")
    return path


class Prometheus:
    """Prometheus as a process of its own; `targets` are addresses by job, scraped every second."""

    def __init__(self, folder: Path, targets: Mapping[str, list[str]], rules: str) -> None:
        self._folder = folder
        self._targets = targets
        self._rules = rules
        self._process: asyncio.subprocess.Process | None = None
        self._session: aiohttp.ClientSession | None = None
        self.url = ""

    async def __aenter__(self) -> Self:
        binary = program("prometheus")
        (self._folder / "rules.yml").write_text(self._rules)
        jobs = [
            {"job_name": job, "static_configs": [{"targets": targets}]}
            for job, targets in self._targets.items()
        ]
        config = {
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": ["rules.yml"],
            "scrape_configs": jobs,
        }
        (self._folder / "prometheus.yml").write_text(json.dumps(config))  # JSON is YAML, too
        address = f"127.0.0.1:{unused_port()}"
        self.url = f"http://{address}"
        with (self._folder / "prometheus.log").open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                binary,
                f"--config.file={self._folder / 'prometheus.yml'}",
                f"--storage.tsdb.path={self._folder / 'data'}",
                f"--web.listen-address={address}",
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._session = aiohttp.ClientSession()
        try:
            async with asyncio.timeout(READY_WITHIN_S):
                while not await self._ready():
                    await asyncio.sleep(0.1)
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
            await self._process.wait()

    async def _ready(self) -> bool:
        assert self._session is not None
        try:
            async with self._session.get(f"{self.url}/-/ready") as answer:
                return answer.status == 200
        except aiohttp.ClientError:
            return False

    async def ask(self, path: str, **parameters: str) -> Any:
        """The data of an answer of its HTTP interface; AssertionError for an error."""
        assert self._session is not None
        async with self._session.get(f"{self.url}/api/v1/{path}", params=parameters) as answer:
            told = await answer.json()
        assert told["status"] == "success", (parameters, told)
        return told["data"]

    async def query(self, expression: str) -> list[Any]:
        """The instant vector of an expression."""
        found: list[Any] = (await self.ask("query", query=expression))["result"]
        return found

    async def firing(self) -> set[str]:
        """The names of the alerts that fire now."""
        alerts = (await self.ask("alerts"))["alerts"]
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}
