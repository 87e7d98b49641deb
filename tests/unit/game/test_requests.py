"""Requests: the rules' words come out, or a named refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gen.tandemfog.game.v1.game_pb2 import (
    GESTURE_RESIGN,
    GESTURE_UNSPECIFIED,
    ActRequest,
    CreateMatchRequest,
    Gesture,
    Move,
)
from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.types.v1.types_pb2 import SEAT_KIND_BOT, SEAT_KIND_HUMAN, Seat, TimeControl
from libs.identity.tokens import SeatToken
from libs.runtime.refusals import Refusal
from services.game.commands import GestureCommand, MoveCommand
from services.game.match import match_of, raw_state
from services.game.requests import checked_request_id, command_of, new_match
from services.matchmaking.names import clean_name
from tests.unit.game.kit import MATCH_ID

PERSON = SeatToken(MATCH_ID, 1, 0, 9)
BOT = SeatToken(MATCH_ID, 1, 4, 9, is_bot=True)


def tandem_request() -> CreateMatchRequest:
    return CreateMatchRequest(
        match_id=MATCH_ID,
        variant=types_pb2.VARIANT_TANDEM,
        time=TimeControl(initial_ms=180_000, increment_ms=2_000),
        seats=[
            Seat(kind=SEAT_KIND_HUMAN, name="Kari"),
            *(Seat(kind=SEAT_KIND_BOT, name=f"Bot {number}", level=number) for number in (1, 3, 5)),
        ],
    )


def fog_request() -> CreateMatchRequest:
    request = tandem_request()
    request.variant = types_pb2.VARIANT_FOG
    del request.seats[2:]
    return request


def test_a_full_table_becomes_a_match() -> None:
    match = new_match(tandem_request())
    assert (match.initial_ms, match.increment_ms, match.version) == (180_000, 2_000, 1)
    assert [player.human for player in match.players] == [True, False, False, False]
    assert not match.is_fog


def test_fog_may_have_no_clock() -> None:
    request = fog_request()
    request.ClearField("time")
    match = new_match(request)
    assert match.is_fog
    assert match.initial_ms is None


def set_time(initial_ms: int, increment_ms: int = 0) -> Callable[[CreateMatchRequest], None]:
    def change(request: CreateMatchRequest) -> None:
        request.time.CopyFrom(TimeControl(initial_ms=initial_ms, increment_ms=increment_ms))

    return change


def set_seat(**fields: object) -> Callable[[CreateMatchRequest], None]:
    def change(request: CreateMatchRequest) -> None:
        for name, value in fields.items():
            setattr(request.seats[1], name, value)

    return change


def set_field(name: str, value: object) -> Callable[[CreateMatchRequest], None]:
    return lambda request: setattr(request, name, value)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (set_field("match_id", "nonsense"), "unknown_table"),
        (set_field("variant", types_pb2.VARIANT_UNSPECIFIED), "bad_variant"),
        (set_field("variant", 9), "bad_variant"),
        (set_field("profile", 9), "bad_profile"),
        (lambda request: request.ClearField("time"), "clock_required"),
        (set_time(14_999), "bad_time"),
        (set_time(3_600_001), "bad_time"),
        (set_time(180_000, 60_001), "bad_time"),
        (lambda request: request.seats.pop(), "unknown_seat"),
        (lambda request: request.seats.append(request.seats[0]), "unknown_seat"),
        (set_seat(kind=0), "bad_request"),
        (set_seat(name=""), "bad_name"),
        (set_seat(name="x" * 21), "bad_name"),
        (set_seat(name="a\nb"), "bad_name"),
        (set_seat(level=0), "bad_level"),
        (set_seat(level=6), "bad_level"),
        (set_seat(kind=SEAT_KIND_HUMAN), "bad_level"),
    ],
)
def test_an_absurd_table_is_refused_by_name(
    change: Callable[[CreateMatchRequest], None], reason: str
) -> None:
    request = tandem_request()
    change(request)
    with pytest.raises(Refusal) as refused:
        new_match(request)
    assert refused.value.reason == reason


@pytest.mark.rule("F-board")
@pytest.mark.parametrize("profile", [types_pb2.PROFILE_ONLINE, types_pb2.PROFILE_CLUB])
def test_fog_is_not_combinable(profile: types_pb2.Profile.ValueType) -> None:
    request = fog_request()
    request.profile = profile
    with pytest.raises(Refusal, match="fog_not_combinable"):
        new_match(request)


@pytest.mark.parametrize("make", [tandem_request, fog_request])
def test_a_match_comes_back_equal_from_its_raw_state(make: Callable[[], CreateMatchRequest]) -> None:
    match = new_match(make())
    state = raw_state(match)
    state.version = match.version
    assert match_of(state) == match


def test_actions_become_commands() -> None:
    move = command_of(ActRequest(move=Move(board=1, ply=4, uci="N@f3")), BOT)
    assert move == MoveCommand(1, True, 1, 4, "N@f3")
    assert command_of(ActRequest(gesture=GESTURE_RESIGN), PERSON) == GestureCommand(1, False, "resign")


@pytest.mark.scenario("K01")
@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (ActRequest(), "bad_request"),
        (ActRequest(gesture=GESTURE_UNSPECIFIED), "bad_gesture"),
        (ActRequest(gesture=cast(Gesture.ValueType, 77)), "bad_gesture"),
    ],
)
def test_there_is_no_other_action(request_: ActRequest, reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        command_of(request_, PERSON)
    assert refused.value.reason == reason


@pytest.mark.parametrize("text", ["a", "A-b_9", "x" * 64])
def test_a_request_id_is_taken_as_it_is(text: str) -> None:
    assert checked_request_id(text) == text


@given(
    st.text(max_size=24) | st.sampled_from(["می\u200cنا", "👩\u200d👩\u200d👧", "Ola\u3164", "\U0001fae9"])
)
def test_every_name_that_a_table_takes_is_taken_by_its_match(typed: str) -> None:
    """Else the table would be full for ever and never start."""
    try:
        name = clean_name(typed, 7)
    except Refusal:
        return
    request = tandem_request()
    request.seats[0].name = name
    assert new_match(request).players[0].name == name
