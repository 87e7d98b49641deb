"""Makes the virtual environment from the lock files: `python3 scripts/make_env.py run dev`.

Standard library only, since it runs before anything is installed. Each named group is a lock file
requirements/NAME.txt with a hash for every package; a group whose lock file has not changed since it
was installed costs nothing.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"


def lock_digest(group: str) -> str:
    """The stamp of one group: the lock file's content and the Python it was installed for."""
    version = ".".join(str(part) for part in sys.version_info[:2])
    lock = (ROOT / "requirements" / f"{group}.txt").read_bytes()
    return hashlib.sha256(version.encode() + lock).hexdigest()


def create() -> None:
    """Makes an empty environment, or says what the system lacks for it."""
    try:
        import ensurepip  # noqa: F401, PLC0415 - Debian ships Python without it
    except ImportError:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        sys.exit(
            f"This Python ({sys.executable}) cannot make virtual environments: it lacks ensurepip.\n"
            f"On Debian or Ubuntu install it with: apt-get install python{version}-venv"
        )
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)


def usable() -> bool:
    """Whether the environment exists, runs, and is of the Python version that asks."""
    if not PYTHON.exists():
        return False
    question = "import sys, pip; print('%d.%d' % sys.version_info[:2])"
    answer = subprocess.run([str(PYTHON), "-c", question], capture_output=True, text=True, check=False)
    return answer.stdout.strip() == f"{sys.version_info[0]}.{sys.version_info[1]}"


def install(groups: list[str]) -> None:
    """Installs the groups whose stamp is missing or old."""
    stamps = {group: ENVIRONMENT / f"stamp-{group}" for group in groups}
    stale = [
        group
        for group in groups
        if not stamps[group].exists() or stamps[group].read_text() != lock_digest(group)
    ]
    if not stale and PYTHON.exists():
        return
    if not usable():
        create()
        stale = groups
    print(f"Installing packages into .venv ({', '.join(stale)}) ...", file=sys.stderr, flush=True)
    command = [str(PYTHON), "-m", "pip", "install", "--require-hashes", "--progress-bar", "off"]
    for group in stale:
        command += ["-r", str(ROOT / "requirements" / f"{group}.txt")]
    said = ENVIRONMENT / "pip.log"
    with said.open("w") as log:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode:
        last = "\n".join(said.read_text().splitlines()[-15:])
        sys.exit(f"{last}\nThe packages could not be installed. All that pip said is in {said}.")
    for group in stale:
        stamps[group].write_text(lock_digest(group))


def main() -> None:
    os.environ.pop("PYTHONHOME", None)
    install(sys.argv[1:])


if __name__ == "__main__":
    main()
