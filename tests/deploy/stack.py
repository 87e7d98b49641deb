"""The stack of docker-compose.yml, started for real under a name of its own and taken away again by id."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
from typing import Any, Self

import aiohttp

from tests.deploy.calls import ROOT

BUILT_WITHIN_S = 900.0
UP_WITHIN_S = 120.0
NEEDED_IMAGES = ("python:3.11-slim-bookworm", "redis:7")
LABEL = "com.docker.compose.project"


class DockerFailed(Exception):
    """A docker command failed; the message is what it said."""


async def docker(*arguments: str, timeout_s: float = 120.0, **variables: str) -> str:
    """What a docker command answers; raises DockerFailed."""
    process = await asyncio.create_subprocess_exec(
        *("docker", *arguments),
        cwd=ROOT,
        env={**os.environ, **variables},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(timeout_s):
            answer, said = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    if process.returncode:
        raise DockerFailed(f"docker {' '.join(arguments)}: {said.decode()[-3000:]}")
    return answer.decode().strip()


async def why_not() -> str | None:
    """Why no stack can be started on this machine; None when one can."""
    if shutil.which("docker") is None:
        return "docker is not on this machine"
    try:
        await docker("version", "--format", "{{.Server.Version}}", timeout_s=10)
    except (DockerFailed, TimeoutError):
        return "no Docker engine answers"
    try:
        await docker("compose", "version", timeout_s=10)
    except (DockerFailed, TimeoutError):
        return "the Docker engine answers, but docker compose is not on this machine"
    for name in NEEDED_IMAGES:
        if not await have_image(name):
            return f"the Docker engine answers, but the image {name} is neither here nor to be fetched"
    return None


async def have_image(name: str) -> bool:
    """Whether an image is here or can be fetched."""
    try:
        await docker("image", "inspect", "--format", "{{.Id}}", name)
    except DockerFailed:
        try:
            await docker("pull", "--quiet", name, timeout_s=300)
        except (DockerFailed, TimeoutError):
            return False
    return True


class Stack:
    """`async with Stack() as stack:` is everything, built and up; `stack.url` is the published gateway.

    `absent` are the services whose images cannot be had here: they are not started. Ports are any free ones.
    """

    def __init__(self) -> None:
        self.project = f"tandemfog-smoke-{secrets.token_hex(4)}"
        self.url = ""
        self.absent: list[str] = []
        self.built_in_s = 0.0
        self.up_in_s = 0.0
        self._variables = {
            "TANDEMFOG_IMAGE": f"{self.project}:built",
            "TANDEMFOG_PORT": "0",
            "TANDEMFOG_GRAFANA_PORT": "0",
        }

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except BaseException:
            await self.remove()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.remove()

    async def _start(self) -> None:
        loop = asyncio.get_running_loop()
        services = (await self.configuration())["services"]
        for name in ("prometheus", "grafana"):
            if not await have_image(services[name]["image"]):
                self.absent.append(name)
        began_at = loop.time()
        await self.compose("build", "game", timeout_s=BUILT_WITHIN_S)
        self.built_in_s = loop.time() - began_at
        began_at = loop.time()
        await self.up()
        self.url = f"http://{await self.compose('port', 'gateway', '8080')}"
        await self.answers(f"{self.url}/healthz")
        self.up_in_s = loop.time() - began_at

    async def compose(self, *arguments: str, timeout_s: float = 120.0) -> str:
        """A command of docker compose for this stack."""
        return await docker("compose", "-p", self.project, *arguments, timeout_s=timeout_s, **self._variables)

    async def configuration(self) -> dict[str, Any]:
        """The file as compose reads it."""
        read: dict[str, Any] = json.loads(await self.compose("config", "--format", "json"))
        return read

    async def up(self, *scales: str) -> None:
        """Starts what is not running, with so many replicas of some: `up("bots=4")`."""
        services = set((await self.configuration())["services"]) - set(self.absent)
        await self.compose(
            "up",
            "--detach",
            "--no-build",
            "--no-recreate",
            *(word for scale in scales for word in ("--scale", scale)),
            *sorted(services),
            timeout_s=UP_WITHIN_S,
        )

    async def ids(self, service: str | None = None, *flags: str) -> list[str]:
        """The ids of the running containers, of one service or of all; `-a` also of those that have ended."""
        filters = ["--filter", f"label={LABEL}={self.project}"]
        if service is not None:
            filters += ["--filter", f"label=com.docker.compose.service={service}"]
        return (await docker("ps", "--quiet", "--no-trunc", *filters, *flags)).split()

    async def inspect(self, identity: str) -> dict[str, Any]:
        """All that the engine knows of a container."""
        found: list[dict[str, Any]] = json.loads(await docker("inspect", identity))
        return found[0]

    async def answers(self, url: str, within_s: float = UP_WITHIN_S) -> str:
        """The body of the first answer 200."""
        async with asyncio.timeout(within_s), aiohttp.ClientSession() as session:
            while True:
                try:
                    async with session.get(url) as response:
                        if response.status == 200:
                            return await response.text()
                except aiohttp.ClientError:
                    pass  # not listening yet
                await asyncio.sleep(0.2)

    async def remove(self) -> None:
        """Takes away all that is this stack's, each thing by its id."""
        for identity in await self.ids(None, "--all"):
            await docker("rm", "--force", identity)
        mine = ("--quiet", "--filter", f"label={LABEL}={self.project}")
        for kind in ("network", "volume"):
            for identity in (await docker(kind, "ls", *mine)).split():
                await docker(kind, "rm", identity)
        for identity in (await docker("image", "ls", "--quiet", self._variables["TANDEMFOG_IMAGE"])).split():
            await docker("image", "rm", "--force", identity)

    async def left(self) -> list[str]:
        """Ids of what is still there of this stack."""
        mine = ("--quiet", "--filter", f"label={LABEL}={self.project}")
        found = await self.ids(None, "--all")
        for kind in ("network", "volume"):
            found += (await docker(kind, "ls", *mine)).split()
        return found
