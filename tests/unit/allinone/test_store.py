"""Which server may open which data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from services.allinone import store
from services.allinone.store import StoreError, StoreProgram, can_read, find_program, write_note

VALKEY_9 = StoreProgram(Path("/usr/bin/valkey-server"), "valkey", (9, 1, 2))
REDIS_7 = StoreProgram(Path("/usr/bin/redis-server"), "redis", (7, 0, 15))


@pytest.mark.parametrize(
    ("name", "version", "may"),
    [
        ("valkey", (9, 1, 2), True),
        ("valkey", (9, 0, 10), True),
        ("valkey", (9, 1, 10), False),
        ("valkey", (10, 0, 0), False),
        ("redis", (7, 0, 15), False),
    ],
)
def test_data_is_opened_by_the_same_server_and_never_by_an_older_one(name, version, may):
    assert can_read(VALKEY_9, name, version) is may


def test_the_first_usable_program_is_taken_for_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "programs", lambda: [REDIS_7, VALKEY_9])
    assert find_program(tmp_path) == REDIS_7


def test_the_program_that_wrote_the_data_is_taken_again(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "programs", lambda: [REDIS_7, VALKEY_9])
    write_note(VALKEY_9, tmp_path)
    assert find_program(tmp_path) == VALKEY_9


def test_data_of_a_server_that_is_not_here_is_refused_with_both_names(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "programs", lambda: [REDIS_7])
    write_note(VALKEY_9, tmp_path)
    with pytest.raises(StoreError, match=r"valkey 9\.1\.2.*redis 7\.0\.15"):
        find_program(tmp_path)


def test_a_machine_without_any_server_is_told_what_to_do(monkeypatch):
    monkeypatch.setattr(store, "programs", list)
    with pytest.raises(StoreError, match="Install Valkey"):
        find_program()


def test_the_note_is_replaced_by_a_newer_server_s(tmp_path):
    write_note(StoreProgram(Path("/bin/valkey-server"), "valkey", (9, 0, 0)), tmp_path)
    write_note(VALKEY_9, tmp_path)
    assert json.loads((tmp_path / store.NOTE).read_text()) == {"name": "valkey", "version": [9, 1, 2]}
