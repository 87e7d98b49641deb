"""Makes ready the volumes that containers share: `python scripts/prepare_volumes.py KIND:PATH:UID ...`.

"secret" makes a secret at PATH once, which the user UID alone may read; "operator" does so with a token for
the page /ops in the name of `operator`; "folder" gives the folder PATH to the user UID. Standard library
only. It runs once before everything else, as root with no more than the right to give files away, so that
all others need no root.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path


def make_secret(path: Path, user: int, before: str = "") -> None:
    """A secret of 32 bytes in hexadecimal digits, after the words `before`, unless there is one."""
    if path.exists():
        return
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400)
    with os.fdopen(descriptor, "w") as file:
        file.write(f"{before}{secrets.token_hex(32)}\n")
    os.chown(draft, user, user)
    draft.rename(path)


def give(folder: Path, user: int) -> None:
    """The folder, as yet empty or not, is the user's."""
    folder.mkdir(exist_ok=True)
    os.chown(folder, user, user)


def main() -> None:
    work: dict[str, Callable[[Path, int], None]] = {
        "secret": make_secret,
        "operator": partial(make_secret, before="operator "),
        "folder": give,
    }
    for task in sys.argv[1:]:
        kind, path, user = task.split(":")
        work[kind](Path(path), int(user))


if __name__ == "__main__":
    main()
