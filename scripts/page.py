"""The page's tools: `python scripts/page.py build` makes web/dist, `... check` checks the sources in web/.

Uses the Node on PATH when it is new enough, else installs one into .venv (requirements/node.txt). Packages
are installed again only when the lock file has changed, and the page is built again only when something in
web/ has.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
BIN = ROOT / ".venv" / "bin"
PACKAGES_STAMP = WEB / "node_modules" / ".digest"
PAGE_STAMP = ROOT / "build" / "page.digest"
NOT_SOURCES = {"node_modules", "dist"}


def digest(paths: list[Path]) -> str:
    """One hash of the names and contents of files."""
    summary = hashlib.sha256()
    for path in sorted(paths):
        summary.update(f"{path.relative_to(WEB)}\n".encode())
        summary.update(path.read_bytes())
    return summary.hexdigest()


def sources() -> list[Path]:
    """Every file of web/ that is not made from others."""
    found: list[Path] = []
    for path in WEB.iterdir():
        if path.name not in NOT_SOURCES:
            found += [path] if path.is_file() else [inner for inner in path.rglob("*") if inner.is_file()]
    return found


def new_enough(node: str) -> bool:
    """Whether this Node runs the page's tools (20.19, 22.13, or from 24 on)."""
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    try:
        major, minor, *_ = (int(part) for part in answer.stdout.strip().removeprefix("v").split("."))
    except ValueError:
        return False
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 13) or major >= 24


def environment() -> dict[str, str]:
    """The environment in which `npm` and `node` are to be found; installs them where they are not."""
    own = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}
    node = shutil.which("node")
    if node and shutil.which("npm") and new_enough(node):
        return dict(os.environ)
    subprocess.run([sys.executable, str(ROOT / "scripts" / "make_env.py"), "node"], check=True)
    return own


def npm(*arguments: str) -> None:
    """Runs npm in web/, talking to stderr: stdout is for what the caller has to say."""
    command = ["npm", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", *arguments]
    subprocess.run(
        command, cwd=WEB, env=environment(), stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True
    )


def install_packages() -> None:
    """Installs what package-lock.json names, when it has changed."""
    wanted = digest([WEB / "package.json", WEB / "package-lock.json"])
    if PACKAGES_STAMP.exists() and PACKAGES_STAMP.read_text() == wanted:
        return
    npm("ci")
    PACKAGES_STAMP.write_text(wanted)


def build() -> None:
    """Makes web/dist, when its sources have changed."""
    wanted = digest(sources())
    made = WEB / "dist" / "index.html"
    if made.exists() and PAGE_STAMP.exists() and PAGE_STAMP.read_text() == wanted:
        return
    print("Building the page ...", file=sys.stderr, flush=True)
    install_packages()
    npm("run", "build")
    PAGE_STAMP.parent.mkdir(exist_ok=True)
    PAGE_STAMP.write_text(wanted)


def check() -> None:
    """Types, style and unit tests of the page."""
    install_packages()
    for script in ("check", "lint", "test"):
        npm("run", script)


def main() -> None:
    work = {"build": build, "check": check}.get(sys.argv[1] if len(sys.argv) == 2 else "")
    if work is None:
        sys.exit(__doc__)
    try:
        work()
    except subprocess.CalledProcessError as error:
        sys.exit(f"The page could not be made: {' '.join(map(str, error.cmd))} failed; its output is above.")


if __name__ == "__main__":
    main()
