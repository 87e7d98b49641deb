"""Shared terms and the rules' words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gen.tandemfog.types.v1 import types_pb2
from libs.rules.outcome import Outcome
from libs.wire.terms import (
    QUICK_MESSAGES,
    QUICK_NAMES,
    outcome_message,
    outcome_of,
    profile_number,
    profile_of,
    seat_count,
    variant_number,
    variant_of,
)

PROTOCOL = Path(__file__).parents[3] / "docs" / "protocol.md"


@pytest.mark.parametrize("outcome", [Outcome(None, "agreement"), Outcome(1, "mate"), Outcome(2, "time")])
def test_an_outcome_comes_back_equal(outcome: Outcome) -> None:
    assert outcome_of(outcome_message(outcome)) == outcome


def test_names_and_numbers_of_variants_and_profiles_match() -> None:
    assert variant_of(variant_number("tandem")) == "tandem"
    assert variant_of(variant_number("fog")) == "fog"
    assert variant_of(types_pb2.VARIANT_UNSPECIFIED) is None
    assert profile_of(profile_number("tandem", "club")) == "club"
    assert profile_of(types_pb2.PROFILE_UNSPECIFIED) == "online"
    assert profile_number("fog", "online") == types_pb2.PROFILE_UNSPECIFIED
    assert (seat_count("tandem"), seat_count("fog")) == (4, 2)


def test_the_quick_messages_are_those_of_the_browser_protocol() -> None:
    section = PROTOCOL.read_text().split("### say")[1].split("```")[0]
    named = set(re.findall(r"`([a-z_]+)`", section)) - {"quick", "text"}
    assert set(QUICK_MESSAGES) == named
    assert all(QUICK_NAMES[number] == name for name, number in QUICK_MESSAGES.items())
