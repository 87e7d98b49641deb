"""A real PostgreSQL on a socket of its own, from the system's programs; whoever has none is told so."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from services.allinone.store import unused_port

FOLDERS = ("/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin")
WITHIN_S = 60.0


def programs() -> Path | None:
    """The folder with `initdb` and `postgres`, the newest version's."""
    on_path = shutil.which("initdb")
    found = [Path(on_path).parent] if on_path else []
    for pattern in FOLDERS:
        found += sorted(Path("/").glob(pattern[1:]), reverse=True)
    return next((folder for folder in found if (folder / "initdb").exists()), None)


@contextmanager
def running_postgres() -> Iterator[str]:
    """A server for as long as the block lasts; its URL. Skips the test, and says why, where there is none."""
    folder = programs()
    if folder is None:
        pytest.skip("no PostgreSQL on this machine (Debian: apt install postgresql)")
    # The server refuses to run as root.
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    with tempfile.TemporaryDirectory(prefix="postgres-") as data:
        Path(data).chmod(0o700)
        if os.geteuid() == 0:
            shutil.chown(data, user)
        as_user = {"user": user} if os.geteuid() == 0 else {}
        cluster, port = f"{data}/cluster", unused_port()

        def run(*arguments: str) -> None:
            subprocess.run(arguments, check=True, cwd=data, capture_output=True, timeout=WITHIN_S, **as_user)  # type: ignore[call-overload]

        run(str(folder / "initdb"), "-D", cluster, "-U", "archive", "-A", "trust", "--no-sync")
        options = f"-h 127.0.0.1 -p {port} -k {data}"
        control = str(folder / "pg_ctl")
        run(control, "-D", cluster, "-w", "-l", f"{data}/log", "-o", options, "start")
        try:
            yield f"postgresql://archive@127.0.0.1:{port}/postgres"
        finally:
            run(control, "-D", cluster, "-w", "-m", "fast", "stop")
