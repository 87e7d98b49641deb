"""Finds a Chromium for the browser tests, or installs one; prints its path on stdout.

In this order: TANDEMFOG_CHROMIUM; a Chromium or Chrome of the system; the one that playwright has installed;
apt on Debian as root; playwright's own download. Where all fail it says what to do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
PLAYWRIGHTS_OWN = (
    "from playwright.sync_api import sync_playwright as p; print(p().start().chromium.executable_path)"
)


def runs(path: str) -> bool:
    """Whether the program at `path` starts as a browser (on some systems the name only points elsewhere)."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and "Chrom" in answer.stdout


def playwrights_own() -> str | None:
    """Where playwright keeps its own Chromium, whether it is there or not."""
    answer = subprocess.run(
        [sys.executable, "-c", PLAYWRIGHTS_OWN], capture_output=True, text=True, check=False
    )
    return answer.stdout.strip() or None


def find() -> str | None:
    """The path of a Chromium that is there; None when there is none."""
    candidates = [shutil.which(name) for name in NAMES] + [*APPLICATIONS]
    for path in candidates:
        if path and runs(path):
            return path
    own = playwrights_own()
    return own if own and Path(own).exists() and runs(own) else None


def install_with_apt() -> None:
    """Installs Debian's Chromium, when this is Debian and we may."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-q"],
        ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"],
    ):
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False
        )
        if done.returncode:
            return


def install_with_playwright() -> None:
    """Has playwright download its own Chromium."""
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)


def main() -> None:
    told = os.environ.get("TANDEMFOG_CHROMIUM")
    if told:
        if not runs(told):
            sys.exit(f"TANDEMFOG_CHROMIUM names {told}, which does not start as a Chromium.")
        print(told)
        return
    for install in (None, install_with_apt, install_with_playwright):
        if install is not None:
            print(f"No Chromium found: {install.__name__.replace('_', ' ')} ...", file=sys.stderr)
            install()
        path = find()
        if path:
            print(path)
            return
    sys.exit(
        "The browser tests need a Chromium and none could be found or installed.\n"
        "Install Chromium or Chrome (Debian: apt-get install chromium; macOS: brew install chromium),\n"
        "or name one that is elsewhere: TANDEMFOG_CHROMIUM=/path/to/chromium make test"
    )


if __name__ == "__main__":
    main()
