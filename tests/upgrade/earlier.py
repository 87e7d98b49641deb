"""An earlier commit's code in a folder of its own, ready to run with this environment's packages."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kit.service import ROOT

FROM = "TANDEMFOG_UPGRADE_FROM"


def git(*arguments: str) -> str:
    """What git says; CalledProcessError when it refuses."""
    done = subprocess.run(("git", *arguments), cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def earlier_commit() -> str:
    """What is asked for, else the last tag before this commit, else the commit before it.

    Skips the test, and says why, in a tree that knows none of them.
    """
    asked = os.environ.get(FROM)
    for words in (
        ("rev-parse", "--verify", f"{asked}^{{commit}}") if asked else (),
        ("describe", "--tags", "--abbrev=0", "HEAD^"),
        ("rev-parse", "--verify", "HEAD^"),
    ):
        if words:
            try:
                return git("rev-parse", f"{git(*words)}^{{commit}}")
            except (subprocess.CalledProcessError, FileNotFoundError):
                if asked:
                    raise
    pytest.skip(f"no earlier commit here to upgrade from ({FROM}=<commit> names one)")


@contextmanager
def checked_out(commit: str, folder: Path) -> Iterator[Path]:
    """The commit's files with their stubs made, and nothing compiled: the same rules, only slower."""
    git("worktree", "add", "--detach", "--force", str(folder), commit)
    try:
        subprocess.run((sys.executable, "scripts/gen_proto.py"), cwd=folder, check=True, capture_output=True)
        yield folder
    finally:
        git("worktree", "remove", "--force", str(folder))
