"""Checks that the protos break nothing that the last release, else the last commit, had: `buf breaking`.

While a service is rolled both versions run, and what is in the store was written by the earlier one.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def earlier() -> str | None:
    """The last tag before this commit, else the commit before it; None in a tree that knows neither."""
    for words in (("describe", "--tags", "--abbrev=0", "HEAD^"), ("rev-parse", "--verify", "HEAD^")):
        said = subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=False)
        if said.returncode == 0:
            return said.stdout.strip()
    return None


def main() -> None:
    """Ends with buf's exit code."""
    reference = earlier()
    if reference is None:
        sys.stdout.write("The protos are compared with nothing: there is no earlier commit in this tree.\n")
        return
    buf = Path(sys.executable).with_name("buf")
    against = f"{ROOT / '.git'}#ref={reference},subdir=proto"
    done = subprocess.run((str(buf), "breaking", "proto", "--against", against), cwd=ROOT, check=False)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
