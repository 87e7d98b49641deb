"""From the services' messages to frames: what is absent, what is null, what is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import UNSET

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as matchmaking
from gen.tandemfog.types.v1 import types_pb2 as types
from gen.tandemfog.view.v1 import view_pb2 as view
from libs.runtime.refusals import Refusal
from services.gateway.frames import TimeControl, encode
from services.gateway.translate import (
    QUICK,
    replay,
    settings_of,
    small_number,
    table_entry,
    table_frame,
    table_state,
    talk_frame,
    view_frame,
)

TABLE_ID = "07abcdefghijklmnopqrstuvwx"


def shown(message: view.View) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(encode(view_frame(message)))
    return frame


def test_a_delta_says_only_what_changed() -> None:
    delta = view.View(match_id=TABLE_ID, version=57, outcome=types.Outcome(winner=1, reason="mate"))
    assert shown(delta) == {
        "t": "delta",
        "table": TABLE_ID,
        "version": 57,
        "epoch": 0,
        "result": {"winner": 1, "reason": "mate"},
    }


def test_a_result_without_a_winner_says_null() -> None:
    delta = view.View(match_id=TABLE_ID, outcome=types.Outcome(reason="aborted"))
    assert shown(delta)["result"] == {"winner": None, "reason": "aborted"}


def test_a_board_in_fog_has_neither_hands_nor_fen_nor_state() -> None:
    board = view.BoardView(pieces="?" * 64, white_to_move=True, ply=2)
    frame = shown(view.View(boards=[board]))
    assert frame["boards"] == {
        "A": {
            "pieces": "?" * 64,
            "promoted": [],
            "hands": None,
            "fen": None,
            "turn": "white",
            "ply": 2,
            "state": None,
            "last": [],
        }
    }


def test_empty_hands_of_a_tandem_board_are_not_null() -> None:
    board = view.BoardView(board=1, pieces="." * 64, hands=["", ""], fen="8/8 w", state="waiting")
    frame = shown(view.View(boards=[board]))["boards"]["B"]
    assert (frame["hands"], frame["fen"], frame["state"]) == (["", ""], "8/8 w", "waiting")
    assert frame["turn"] == "black"


def test_a_drop_has_one_last_square() -> None:
    board = view.BoardView(last_move=["", "f3"])
    assert shown(view.View(boards=[board]))["boards"]["A"]["last"] == ["f3"]


def test_a_hidden_move_has_nulls_and_a_move_without_a_clock_too() -> None:
    moves = [view.MoveEntry(ply=2, at_ms=3100, remaining_ms=-1, mark="e5")]
    assert shown(view.View(moves=moves))["moves"] == [
        {
            "board": "A",
            "ply": 2,
            "san": None,
            "uci": None,
            "mark": "e5",
            "at_ms": 3100,
            "remaining_ms": None,
        }
    ]


def test_a_clock_at_zero_is_not_null() -> None:
    assert shown(view.View(moves=[view.MoveEntry(remaining_ms=0)]))["moves"][0]["remaining_ms"] == 0


def full(**setup: Any) -> dict[str, Any]:
    return shown(view.View(match_id=TABLE_ID, full=True, setup=view.Setup(**setup)))


def test_a_full_view_of_fog_without_a_clock_has_its_nulls() -> None:
    frame = full(variant=types.VARIANT_FOG, seated=True, seat=1)
    assert (frame["variant"], frame["profile"], frame["time"], frame["clocks"]) == ("fog", None, None, None)
    assert (frame["you"], frame["result"]) == (1, None)
    assert frame["legal"] == {"ply": 0, "from": {}, "drops": {"pieces": [], "pawns": []}}


def test_a_spectator_is_nobody_and_has_no_legal_moves() -> None:
    frame = full(variant=types.VARIANT_TANDEM, profile=types.PROFILE_CLUB)
    assert (frame["you"], frame["legal"], frame["profile"]) == (None, None, "club")


def test_seat_zero_is_a_seat() -> None:
    assert full(variant=types.VARIANT_TANDEM, seated=True)["you"] == 0


def test_outages_are_pairs_of_when_and_how_long() -> None:
    frame = shown(view.View(outages_ms=[1000, 50, 9000, 70]))
    assert frame["outages"] == [{"at_ms": 1000, "length_ms": 50}, {"at_ms": 9000, "length_ms": 70}]


def test_talk_is_a_quick_message_or_a_text() -> None:
    quick = types.TalkLine(number=1, seat=3, quick=types.QUICK_MESSAGE_NEED_KNIGHT, at_ms=5)
    free = types.TalkLine(number=2, seat=0, text="coming", at_ms=6)
    lines = [json.loads(encode(talk_frame(TABLE_ID, line))) for line in (quick, free)]
    assert [(line["quick"], line["text"]) for line in lines] == [("need_knight", None), (None, "coming")]


def test_the_quick_messages_are_those_of_the_rule_book() -> None:
    assert set(QUICK) == {
        *(
            f"{word}_{piece}"
            for word in ("need", "no")
            for piece in ("pawn", "knight", "bishop", "rook", "queen")
        ),
        *("trades_good", "trades_bad", "sit", "go", "i_mate", "they_mate", "yes", "no", "thanks", "sorry"),
    }


def a_table(**fields: Any) -> matchmaking.Table:
    settings = matchmaking.TableSettings(variant=types.VARIANT_FOG)
    return matchmaking.Table(
        table_id=TABLE_ID,
        state=matchmaking.TABLE_STATE_OPEN,
        settings=settings,
        seats=[types.Seat()] * 2,
        **fields,
    )


def test_a_free_seat_is_called_free_and_a_table_without_a_clock_has_null() -> None:
    frame = table_frame(a_table())
    assert frame.seats[0].kind == "free"
    assert (frame.time, frame.profile, frame.state) == (None, None, "open")


def test_http_gives_the_table_frame_without_its_type() -> None:
    table = a_table(version=3)
    frame = json.loads(encode(table_frame(table)))
    assert frame.pop("t") == "table"
    assert json.loads(encode(table_state(table))) == frame


def test_a_listed_table_says_nothing_of_its_rematch() -> None:
    assert set(json.loads(encode(table_entry(a_table())))) == {
        *("table", "state", "variant", "profile", "time", "public", "seats")
    }


def test_a_replay_has_the_sides_of_fog_and_the_result() -> None:
    position = view.ReplayPosition(boards=[view.BoardView(pieces="." * 64)])
    answer = view.ReplayMatchResponse(
        variant=types.VARIANT_FOG,
        full=[position],
        white=[position],
        outcome=types.Outcome(winner=2, reason="time"),
    )
    body = json.loads(encode(replay(answer)))
    assert (len(body["full"]), len(body["white"]), body["black"]) == (1, 1, [])
    assert body["result"] == {"winner": 2, "reason": "time"}


def test_settings_left_out_stay_unsaid() -> None:
    settings = settings_of("fog", profile=UNSET, time=UNSET, public=True)
    assert (settings.variant, settings.profile, settings.public) == (types.VARIANT_FOG, 0, True)
    assert not settings.HasField("time")


@pytest.mark.parametrize(
    ("variant", "profile", "initial_ms", "reason"),
    [
        ("chess", "online", 180_000, "bad_variant"),
        ("tandem", "", 180_000, "bad_profile"),
        ("tandem", "online", -1, "bad_time"),
        ("tandem", "online", 2**40, "bad_time"),
    ],
)
def test_absurd_settings_are_refused_by_name(
    variant: str, profile: str, initial_ms: int, reason: str
) -> None:
    with pytest.raises(Refusal) as caught:
        settings_of(variant, profile, TimeControl(initial_ms, 0), public=False)
    assert caught.value.reason == reason


@pytest.mark.parametrize("value", [-1, 2**32])
def test_a_number_that_no_service_could_read_is_refused(value: int) -> None:
    with pytest.raises(Refusal) as caught:
        small_number(value, "unknown_seat")
    assert caught.value.reason == "unknown_seat"
