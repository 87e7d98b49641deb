"""Requests that come twice, late, wrong, or from two sides at once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gen.tandemfog.game.v1.game_pb2 import ActRequest, CreateMatchRequest, Move
from gen.tandemfog.types.v1 import types_pb2
from libs.identity.tokens import SeatToken, mint_seat_token
from libs.rules.tandem import TandemMatch, units
from libs.runtime.refusals import Refusal, call
from libs.wire.raw import game_of
from tests.integration.game.kit import (
    BOT,
    HUMAN,
    Caller,
    StoreClock,
    game_service,
    game_settings,
    seat,
    start_match,
)

OPENING = "A:e2e4 A:d7d5 B:e2e4 B:e7e5"


@pytest.mark.scenario("T14")
async def test_one_move_sent_three_times_over_two_replicas_is_made_once(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await arena.play(OPENING)
    capture = Move(board=0, ply=2, uci="e4d5")
    async with game_service(game_settings(valkey_url, tmp_path)) as other:
        answers = await asyncio.gather(
            arena.act(0, request_id="same", move=capture),
            arena.act(0, request_id="same", move=capture, caller=other),
            arena.move(2, 2, "g1f3"),
            arena.act(0, request_id="same", move=capture),
        )
    assert sorted(answer.duplicate for answer in (answers[0], answers[1], answers[3])) == [False, True, True]
    assert len({answers[0].version, answers[1].version, answers[3].version}) == 1
    game = game_of(await arena.state())
    assert isinstance(game, TandemMatch)
    assert game.plies == (3, 3)
    assert game.positions[1].hand(1)["P"] == 1
    assert sum(units(game).values()) == 64


async def test_a_refusal_is_remembered_too(caller: Caller, clock: StoreClock, tmp_path: Path) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    assert await arena.move_refusal(1, 0, "e7e5", request_id="early") == "not_your_turn"
    await arena.move(0, 0, "e2e4")
    assert await arena.move_refusal(1, 0, "e7e5", request_id="early") == "not_your_turn"
    assert await arena.move_refusal(1, 1, "e7e5", request_id="early") == "not_your_turn"
    assert await arena.move_refusal(1, 1, "e7e5", request_id="later") == "accepted"


async def test_an_answer_is_given_again_after_the_end(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    version = await arena.move(0, 0, "e2e4", request_id="first")
    await arena.play("A:e7e5")
    await arena.gesture(3, "resign", request_id="end")
    assert await arena.move(0, 0, "e2e4", request_id="first") == version
    again = await arena.act(3, request_id="end", gesture=1)
    assert again.duplicate
    assert await arena.move_refusal(0, 2, "g1f3") == "over"


async def test_the_same_id_from_two_seats_are_two_requests(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await arena.move(0, 0, "e2e4", request_id="r")
    await arena.move(1, 1, "e7e5", request_id="r")
    assert (await arena.state()).boards[0].ply == 2


async def test_the_last_64_answers_of_a_seat_are_remembered(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await arena.move(0, 0, "e2e4", request_id="made")
    for number in range(63):
        assert await arena.move_refusal(0, 0, "e2e4", request_id=f"stale{number}") == "stale"
    assert (await arena.act(0, request_id="made", move=Move(uci="e2e4"))).duplicate
    assert await arena.move_refusal(0, 0, "e2e4", request_id="one-more") == "stale"
    assert await arena.move_refusal(0, 0, "e2e4", request_id="made") == "stale"


@pytest.mark.scenario("T13")
@pytest.mark.rule("B-refuse")
@pytest.mark.parametrize("uci", ["e4e6", "e1e3", "Q@e6", "P@e4", "nonsense", "", "♞f3", "e2e4" * 100])
async def test_an_illegal_move_changes_nothing_and_ends_nothing(
    caller: Caller, clock: StoreClock, tmp_path: Path, uci: str
) -> None:
    arena = await start_match(caller, tmp_path)
    await arena.play(OPENING)
    clock.advance(3_000_000)
    before = await arena.whole()
    assert await arena.move_refusal(0, 2, uci) not in ("accepted", "unavailable", "stale")
    assert await arena.whole() == before


@pytest.mark.rule("B-stale")
async def test_a_move_for_another_position_is_stale(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await arena.play(OPENING)
    assert await arena.move_refusal(0, 0, "d2d4") == "stale"
    assert await arena.move_refusal(0, 4, "d2d4") == "stale"


@pytest.mark.scenario("T15")
async def test_after_mate_on_a_a_move_in_flight_for_b_is_refused(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await arena.play("B:d2d4 A:e2e4 A:e7e5 A:f1c4 A:b8c6 A:d1h5 A:g8f6")
    answers = await asyncio.gather(arena.move(0, 6, "h5f7"), arena.move(3, 1, "d7d5"), return_exceptions=True)
    whole = await arena.whole()
    assert (whole.state.outcome.winner, whole.state.outcome.reason) == (1, "mate")
    assert not isinstance(answers[0], BaseException)
    if isinstance(answers[1], Refusal):
        assert answers[1].reason == "over"
        assert whole.state.boards[1].ply == 1
    assert await arena.move_refusal(3, whole.state.boards[1].ply, "g8f6") == "over"
    assert await arena.outcome() == (1, "mate")
    assert whole.log[-1].moved.san == "Qxf7#"
    assert (await arena.whole()).log == whole.log


async def test_of_two_conflicting_moves_through_two_replicas_exactly_one_is_made(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    async with game_service(game_settings(valkey_url, tmp_path)) as other:
        for ply, (first, second) in enumerate(
            [("e2e4", "d2d4"), ("e7e5", "d7d5"), ("g1f3", "b1c3"), ("g8f6", "b8c6")]
        ):
            answers = await asyncio.gather(
                arena.move(ply % 2, ply, first),
                arena.move(ply % 2, ply, second, caller=other),
                return_exceptions=True,
            )
            refusals = [answer.reason for answer in answers if isinstance(answer, Refusal)]
            assert refusals == ["stale"]
    whole = await arena.whole()
    assert whole.state.boards[0].ply == 4
    assert [event.version for event in whole.log] == [1, 2, 3, 4, 5]


async def test_moves_on_both_boards_at_once_are_all_made(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    shuffle = [("g1f3", "g8f6"), ("f3g1", "f6g8")] * 5
    async with game_service(game_settings(valkey_url, tmp_path)) as other:
        for number, pair in enumerate(shuffle):
            for side in (0, 1):
                ply = 2 * number + side
                await asyncio.gather(
                    arena.move(side, ply, pair[side]),
                    arena.move(2 + side, ply, pair[side], caller=other),
                )
    assert [board.ply for board in (await arena.state()).boards] == [20, 20]


@pytest.mark.parametrize("change", ["signature", "expired", "empty", "other secret", "garbage"])
async def test_a_token_that_is_not_ours_is_refused(
    caller: Caller, clock: StoreClock, tmp_path: Path, change: str
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    tokens = {
        "signature": arena.token(0)[:-2] + "zz",
        "expired": mint_seat_token(arena.key, SeatToken(arena.match_id, 0, 0, 1)),
        "empty": "",
        "other secret": mint_seat_token(b"x" * 32, SeatToken(arena.match_id, 0, 0, 2_000_000_000)),
        "garbage": "t1.é.0" * 50,
    }
    request = ActRequest(request_id="r", token=tokens[change], move=Move(uci="e2e4"))
    with pytest.raises(Refusal, match="bad_token"):
        await call(caller.game.Act, request)


async def test_a_bot_seat_obeys_its_newest_lease_only(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    seats = [seat(BOT, "Bot"), *(seat(HUMAN, f"P{number}") for number in (1, 2, 3))]
    arena = await start_match(caller, tmp_path, seats=seats)
    assert await arena.move_refusal(0, 0, "e2e4") == "not_your_seat"
    assert await arena.move_refusal(1, 0, "e7e5", lease=1) == "not_your_seat"
    assert await arena.move_refusal(0, 0, "e2e5", lease=3) == "illegal_move"
    assert await arena.move_refusal(0, 0, "e2e4", lease=2) == "stale_lease"
    await arena.move(0, 0, "e2e4", lease=3)


@pytest.mark.parametrize("request_id", ["", "a b", "x" * 65, "é", "a\n"])
async def test_an_absurd_request_id_is_refused(
    caller: Caller, clock: StoreClock, tmp_path: Path, request_id: str
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    request = ActRequest(request_id=request_id, token=arena.token(0), move=Move(uci="e2e4"))
    with pytest.raises(Refusal, match="bad_request_id"):
        await call(caller.game.Act, request)


async def test_creating_a_match_again_answers_the_same(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await arena.play("A:e2e4")
    request = CreateMatchRequest(
        match_id=arena.match_id,
        variant=types_pb2.VARIANT_TANDEM,
        time=types_pb2.TimeControl(initial_ms=180_000),
        seats=[seat(HUMAN, f"P{number}") for number in range(4)],
    )
    assert (await call(caller.game.CreateMatch, request)).version == 2
    assert (await arena.state()).boards[0].ply == 1


async def test_a_match_that_there_is_not_is_unknown(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    arena.match_id = "07" + "b" * 24
    assert await arena.move_refusal(0, 0, "e2e4") == "unknown_match"
    with pytest.raises(Refusal, match="unknown_match"):
        await arena.whole()
