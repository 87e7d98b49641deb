"""Which build runs, as metrics and the operator's page tell it."""

from __future__ import annotations

import tomllib
from pathlib import Path

from libs.runtime.build import UNKNOWN, VERSION, this_build

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def test_the_version_is_the_projects() -> None:
    project = tomllib.loads((Path(__file__).resolve().parents[3] / "pyproject.toml").read_text())
    assert project["project"]["version"] == VERSION


def test_an_image_is_told_its_commit_and_a_checkout_reads_its_own(tmp_path: Path) -> None:
    assert this_build(COMMIT, tmp_path).commit == COMMIT[:12]
    assert this_build("", tmp_path).commit == UNKNOWN
    git = tmp_path / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    assert this_build("", tmp_path).commit == UNKNOWN
    (git / "packed-refs").write_text(f"# pack-refs\n{COMMIT} refs/heads/main\n")
    assert this_build("", tmp_path).commit == COMMIT[:12]
    (git / "refs" / "heads" / "main").write_text("f" * 40 + "\n")
    assert this_build("", tmp_path).commit == "f" * 12
    (git / "HEAD").write_text(COMMIT + "\n")
    assert this_build("", tmp_path).commit == COMMIT[:12]


def test_what_is_no_commit_is_not_shown(tmp_path: Path) -> None:
    assert this_build("anything at all", tmp_path).commit == UNKNOWN
