"""The positions of the rules pages are those that the rules give."""

from __future__ import annotations

import json

import pytest

from scripts.rules_positions import POSITIONS, positions


def test_the_positions_of_the_rules_pages_are_made_from_the_rules_as_they_are() -> None:
    assert POSITIONS.read_text() == positions(), "run: python scripts/rules_positions.py"


@pytest.mark.rule("T-mate")
def test_they_show_what_their_texts_say() -> None:
    """T-wait, T-mate, T-capture of a promoted piece, F-moves' mark."""
    shown = json.loads(POSITIONS.read_text())
    assert shown["block"]["start"]["state"] == "waiting"
    assert [uci for uci, made in shown["mate"]["answers"].items() if made["view"]["state"] == "mate"] == [
        "N@f7"
    ]
    assert shown["promoted"]["answers"]["a7a8q"]["view"]["promoted"] == ["a8"]
    assert shown["promoted"]["answers"]["a7a8q"]["reply"]["sent"] == "P"
    assert shown["fallen"]["answers"]["d4b5"]["reply"]["view"]["mark"] == "b5"
