"""Copies what a running `make play` keeps into a folder that another one can be started on.

`python scripts/backup.py FOLDER`: the store's append-only file, the secrets, the archive unless it is
somewhere of your own choice (TANDEMFOG_GAME_ARCHIVE_URL). To go back to it or to move to another machine:
`TANDEMFOG_VAR=FOLDER make play`. Everything that was acknowledged before the copy began is in it, and nothing
that had been forgotten by then.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

import redis

ROOT = Path(__file__).resolve().parent.parent
REWRITE_KEY, REWRITE_PERCENTAGE = "auto-aof-rewrite-percentage", 100
SETTLED_WITHIN_S = 300.0
SECRETS = ("secret", "session-secret")


def main() -> None:
    """Ends the program with a word for a person when there is nothing to copy or nowhere to copy it to."""
    if len(sys.argv) != 2:
        sys.exit("Where to? For example: make backup TO=/somewhere/tandemfog-copy")
    var, target = Path(os.environ.get("TANDEMFOG_VAR", ROOT / "var")), Path(sys.argv[1])
    if target.exists():
        sys.exit(f"{target} is there already: a backup takes a folder of its own.")
    nothing_runs = f"Nothing runs on {var}: what lies there can be copied as it is."
    try:
        note = json.loads((var / "ports.json").read_text())
        store, has_own_archive = note["store"], note["own_archive"]
    except (OSError, ValueError, TypeError, KeyError):
        sys.exit(nothing_runs)
    if store is None:
        sys.exit(f"What runs on {var} keeps its matches in a store of its own: back that one up.")
    lock = (var / "backup.lock").open("w")  # given back when this process ends, however it does
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"Another backup of {var} is being made.")
    draft = target.with_name(target.name + ".part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700, parents=True)
    for name in SECRETS:
        shutil.copy2(var / name, draft / name)
    try:
        copy_store(store["url"], var / "store", draft / "store")
    except redis.ConnectionError:  # a note that a crash has left
        shutil.rmtree(draft)
        sys.exit(nothing_runs)
    if not has_own_archive:
        sys.stderr.write("The archive is where TANDEMFOG_GAME_ARCHIVE_URL says, and not in this copy.\n")
    elif (var / "archive.db").exists():
        copy_archive(var / "archive.db", draft / "archive.db")
    draft.rename(target)
    sys.stdout.write(f"{target}\n")


def copy_store(url: str, source: Path, target: Path) -> None:
    """The append-only file, written anew without what has expired; and nothing rewritten in between."""
    with redis.Redis.from_url(url, decode_responses=True) as client:
        store: Any = client
        settle(store)
        store.config_set(REWRITE_KEY, 0)
        try:
            settle(store)
            store.bgrewriteaof()
            settle(store)
            if store.info("persistence")["aof_last_bgrewrite_status"] != "ok":
                sys.exit("The store could not write its file anew: is its disk full? Its log says more.")
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("temp-*", "*.log", "store.conf"))
        finally:
            # Not what it was before: that is 0 when a backup was killed half-way.
            store.config_set(REWRITE_KEY, REWRITE_PERCENTAGE)


def settle(store: Any) -> None:
    """Waits until nothing is being rewritten."""
    until = time.monotonic() + SETTLED_WITHIN_S
    while store.info("persistence")["aof_rewrite_in_progress"]:
        if time.monotonic() > until:
            sys.exit("The store has been rewriting its file for too long; try again later.")
        time.sleep(0.1)


def copy_archive(source: Path, target: Path) -> None:
    """The archive by its own way of copying a file that is written to."""
    reading, writing = sqlite3.connect(source), sqlite3.connect(target)
    try:
        reading.backup(writing)
    finally:
        reading.close()
        writing.close()


if __name__ == "__main__":
    main()
