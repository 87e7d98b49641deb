"""Names that may be shown, and what a table may play."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.runtime.refusals import Refusal
from services.matchmaking.names import LONGEST, clean_name
from services.matchmaking.terms import Clock, Profile, agree_terms
from tests.unit.matchmaking.builders import refused


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("Kari", "Kari"), ("  Kari   Nordmann ", "Kari Nordmann"), ("علی‌رضا", "علی‌رضا"), ("🐴", "🐴")],
)
def test_a_name_is_shown_trimmed(typed: str, shown: str) -> None:
    assert clean_name(typed, 0) == shown


@pytest.mark.parametrize("typed", ["", "   ", "\n\t"])
def test_an_empty_name_is_made_up(typed: str) -> None:
    assert clean_name(typed, 317) == "Guest 417"


@pytest.mark.parametrize(
    "typed", ["x" * 21, "\u202eevil", "a\x00b", "\u200b", "\u2066x\u2069", "\u0301", "\ue000"]
)
def test_control_override_and_invisible_characters_are_refused(typed: str) -> None:
    with refused("bad_name"):
        clean_name(typed, 0)


@given(st.text(max_size=40), st.integers(0, 2**32))
def test_whatever_is_typed_the_name_is_short_or_refused(typed: str, dice: int) -> None:
    try:
        name = clean_name(typed, dice)
    except Refusal:
        return
    assert 1 <= len(name) <= LONGEST
    assert name == name.strip()
    assert name.isprintable() or "\u200c" in name or "\u200d" in name


@pytest.mark.rule("T-clock")
@pytest.mark.parametrize(("profile", "initial_ms"), [(None, 180_000), ("online", 180_000), ("club", 420_000)])
def test_tandem_always_has_a_clock(profile: Profile | None, initial_ms: int) -> None:
    assert agree_terms("tandem", profile, None, public=False).clock == Clock(initial_ms, 0)


def test_fog_has_a_clock_or_none() -> None:
    assert agree_terms("fog", None, None, public=False).clock is None
    assert agree_terms("fog", None, Clock(60_000, 1_000), public=False).clock == Clock(60_000, 1_000)


@pytest.mark.rule("T-clock")
@pytest.mark.parametrize(
    ("initial_ms", "increment_ms", "allowed"),
    [
        (15_000, 0, True),
        (14_999, 0, False),
        (3_600_000, 60_000, True),
        (3_600_001, 0, False),
        (180_000, 60_001, False),
    ],
)
def test_time_controls_have_limits(initial_ms: int, increment_ms: int, allowed: bool) -> None:
    clock = Clock(initial_ms, increment_ms)
    if allowed:
        assert agree_terms("tandem", None, clock, public=False).clock == clock
        return
    with refused("bad_time"):
        agree_terms("tandem", None, clock, public=False)


@pytest.mark.rule("F-board")
def test_fog_cannot_be_combined() -> None:
    with refused("fog_not_combinable"):
        agree_terms("fog", "online", None, public=False)
    with refused("bad_variant"):
        agree_terms(None, None, None, public=False)
