"""States of several versions of the service, which run side by side while it is rolled."""

from __future__ import annotations

import pytest

from libs.rules.tandem import TandemMatch
from libs.runtime.refusals import Refusal
from libs.wire.raw import SCHEMA
from services.game.commands import MoveCommand
from services.game.decide import Limits, decide
from services.game.match import Match, Player, match_of, raw_state, start_match


def started() -> Match:
    players = tuple(Player(True, f"Player {seat}", 0, True) for seat in range(4))
    return start_match("07aaaaaaaaaaaaaaaaaaaaaaaa", TandemMatch.start("online"), players, 180_000, 0)


def test_states_and_events_say_which_form_they_have() -> None:
    decision = decide(started(), MoveCommand(0, False, 0, 0, "e2e4"), Limits())
    assert raw_state(decision.match).schema == SCHEMA
    assert decision.event.schema == SCHEMA


def test_a_state_from_before_forms_were_numbered_is_read() -> None:
    state = raw_state(started())
    state.schema = 0
    assert match_of(state).players == started().players


def test_a_state_of_a_newer_form_is_left_to_newer_replicas() -> None:
    state = raw_state(started())
    state.schema = SCHEMA + 1
    with pytest.raises(Refusal, match="newer") as refused:
        match_of(state)
    assert refused.value.reason == "unavailable", "so that it is asked again elsewhere"
