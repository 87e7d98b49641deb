"""Ends that are no mate, over the wire."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis

from gen.tandemfog.game.v1.game_pb2 import Move
from gen.tandemfog.types.v1 import types_pb2
from libs.identity.ids import is_table_id
from libs.runtime.refusals import Refusal
from services.game.keys import match_keys
from tests.integration.game.kit import BOT, HUMAN, Caller, StoreClock, seat, start_match
from tests.integration.game.test_feed import following

SECOND = 1_000_000
OPENING = "A:e2e4 A:e7e5 B:e2e4 B:e7e5"
WINNERS = {0: 2, 1: 1, 2: 1, 3: 2}


@pytest.mark.scenario("T11")
@pytest.mark.rule("T-end")
@pytest.mark.parametrize("loser", range(4))
@pytest.mark.parametrize("how", ["mate", "time", "resignation", "leaving"])
async def test_the_right_team_wins_and_everybody_is_told_the_same(
    caller: Caller, clock: StoreClock, tmp_path: Path, how: str, loser: int
) -> None:
    arena = await start_match(caller, tmp_path)
    async with following(caller, 7) as stream:
        if how == "mate":
            # Contact mate: the smothering queen stands next to the king, so nothing could block.
            board = "AB"[loser // 2]
            line = (
                f"{board}:e2e4 {board}:e7e5 {board}:f1c4 {board}:b8c6 {board}:d1h5 {board}:g8f6 {board}:h5f7"
                if loser % 2
                else f"{board}:e2e4 {board}:e7e5 {board}:a2a3 {board}:f8c5 {board}:a3a4 {board}:d8f6 "
                f"{board}:a4a5 {board}:f6f2"
            )
            await arena.play(line)
        else:
            await arena.play(OPENING)
            if loser % 2:  # so that the loser's clock runs, and it alone shortest
                await arena.play(f"{'AB'[loser // 2]}:g1f3")
            if how == "resignation":
                await arena.gesture(loser, "resign")
            elif how == "leaving":
                await arena.gesture(loser, "leave")
            else:
                other = 1 - loser // 2
                clock.advance(10 * SECOND)
                await arena.play(f"{'AB'[other]}:d2d4")
                clock.advance(170 * SECOND)
        expected = (WINNERS[loser], how)
        assert await arena.outcome() == expected
        while True:
            item = (await stream.next()).event
            if item.state.HasField("outcome"):
                break
        assert (item.state.outcome.winner, item.state.outcome.reason) == expected
        assert item.state == await arena.state()


@pytest.mark.rule("T-abort")
async def test_an_aborted_match_has_no_result(caller: Caller, clock: StoreClock, tmp_path: Path) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await arena.play("A:e2e4 B:d2d4")
    await arena.gesture(3, "abort")
    assert await arena.outcome() == (0, "aborted")
    second = await start_match(caller, tmp_path)
    await second.play("B:e2e4 B:e7e5")
    assert await second.refusal(0, gesture=5) == "abort_gone"


@pytest.mark.rule("T-draw")
async def test_a_draw_is_agreed_by_all_humans(caller: Caller, clock: StoreClock, tmp_path: Path) -> None:
    assert clock.now_us
    seats = [seat(HUMAN, "Ada"), seat(BOT, "Bot"), seat(HUMAN, "Bo"), seat(HUMAN, "Cy")]
    arena = await start_match(caller, tmp_path, seats=seats)
    await arena.play("B:e2e4")
    await arena.gesture(0, "offer_draw")
    await arena.gesture(2, "decline_draw")
    await arena.gesture(2, "offer_draw")
    await arena.gesture(3, "accept_draw")
    assert list((await arena.state()).draw_agreed) == [2, 3]
    await arena.gesture(0, "accept_draw")
    assert await arena.outcome() == (0, "agreement")
    log = (await arena.whole()).log
    talk = [(event.draw.seat, event.draw.what) for event in log if event.HasField("draw")]
    assert talk == [(0, "offer"), (2, "decline"), (2, "offer"), (3, "accept"), (0, "accept")]


@pytest.mark.rule("F-win")
@pytest.mark.rule("B-refuse")
async def test_a_fog_game_goes_to_the_kings_capture_with_one_refusal_text(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    fog = types_pb2.VARIANT_FOG
    arena = await start_match(caller, tmp_path, variant=fog, initial_ms=None)
    texts = set()
    for ply, uci in enumerate(["e2e4", "f7f6", "d1h5", "a7a6"]):
        for wrong in ("h5h9", "a1a8", "e1g1", "Q@e5", "e8e7", "", "h7h4"):
            with pytest.raises(Refusal) as refused:
                await arena.act(ply % 2, move=Move(ply=ply, uci=wrong))
            texts.add((refused.value.reason, refused.value.detail))
        await arena.move(ply % 2, ply, uci)
    assert texts == {("illegal_move", "That move is not possible.")}
    assert not (await arena.state()).clocks
    await arena.move(0, 4, "h5e8")
    assert await arena.outcome() == (1, "king_captured")
    whole = await arena.whole()
    assert [event.moved.remaining_us for event in whole.log[1:]] == [-1] * 5
    assert whole.state.version == whole.state.public_version == 6


@pytest.mark.rule("F-spectators")
async def test_what_spectators_of_fog_may_not_know_does_not_count_for_them(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path, variant=types_pb2.VARIANT_FOG)
    await arena.move(0, 0, "e2e4")
    await arena.gesture(0, "offer_draw")
    await arena.gesture(1, "decline_draw")
    whole = await arena.whole()
    assert (whole.state.version, whole.state.public_version) == (4, 2)
    assert [event.public for event in whole.log] == [True, True, False, False]
    await arena.gesture(1, "resign")
    assert ((await arena.state()).version, (await arena.state()).public_version) == (5, 3)


async def test_a_finished_match_is_kept_for_a_while_and_has_no_deadline(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await arena.play(OPENING)
    keys = match_keys(arena.match_id)
    assert is_table_id(arena.match_id)
    with redis.Redis.from_url(valkey_url) as store:
        assert store.zscore(keys.shard.deadlines, arena.match_id) is not None
        assert store.pttl(keys.state) == -1
        await arena.gesture(0, "resign")
        assert store.zscore(keys.shard.deadlines, arena.match_id) is None
        for key in (keys.state, keys.clock, keys.log, keys.answers):
            assert 0 < int(str(store.pttl(key))) <= 7 * 24 * 3_600_000
