"""What runs once before a stack of containers: secrets are made, kept, and readable by their user alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from libs.runtime.secrets import derived_key
from scripts.prepare_volumes import give, make_secret
from services.gateway.ops_access import read_tokens

USER = os.getuid()


def test_a_secret_is_made_once_and_a_service_takes_it(tmp_path: Path) -> None:
    make_secret(tmp_path / "key", USER)
    first = derived_key(tmp_path / "key", "seat-token")
    make_secret(tmp_path / "key", USER)
    assert derived_key(tmp_path / "key", "seat-token") == first
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o400


def test_the_operator_s_token_is_one_that_the_gateway_takes(tmp_path: Path) -> None:
    make_secret(tmp_path / "key", USER, before="operator ")
    tokens = read_tokens(tmp_path / "key")
    assert list(tokens) == ["operator"]
    assert len(tokens["operator"]) == 64


def test_a_secret_that_was_begun_and_not_finished_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / ".key.new").write_text("short")
    make_secret(tmp_path / "key", USER)
    assert len((tmp_path / "key").read_text().strip()) == 64
    assert [file.name for file in tmp_path.iterdir()] == ["key"]


def test_a_folder_is_made_and_given(tmp_path: Path) -> None:
    give(tmp_path / "data", USER)
    give(tmp_path / "data", USER)
    assert (tmp_path / "data").stat().st_uid == USER
