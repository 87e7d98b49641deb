"""Which build runs: its version, its commit, and whether the rules are compiled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import libs

VERSION = "0.1.0"
"""The same as in pyproject.toml, which an image does not carry."""
UNKNOWN = "unknown"
_ROOT = Path(__file__).resolve().parents[2]
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Build:
    """`rules`: "compiled" or "pure"."""

    version: str
    commit: str
    rules: str


def this_build(told: str, root: Path = _ROOT) -> Build:
    """The build of this process. `told` is the commit that an image has been told; empty: the checkout's."""
    commit = told if _COMMIT.fullmatch(told) else _checked_out(root)
    return Build(VERSION, commit[:_SHOWN], "compiled" if libs.COMPILED else "pure")


def _checked_out(root: Path) -> str:
    """The commit that the checkout is at, read from its files; "unknown" outside of one."""
    git = root / ".git"
    try:
        head = (git / "HEAD").read_text().strip()
        if head.startswith("ref: "):
            name = head.removeprefix("ref: ")
            loose = git / name
            if loose.exists():
                head = loose.read_text().strip()
            else:
                lines = (git / "packed-refs").read_text().splitlines()
                head = next(line.split()[0] for line in lines if line.endswith(f" {name}"))
    except (OSError, StopIteration):
        return UNKNOWN
    return head if _COMMIT.fullmatch(head) else UNKNOWN
