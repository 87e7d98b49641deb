"""Whole matches through game, store and visibility: every frame is what the rules say its viewer sees."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from gen.tandemfog.game.v1.game_pb2 import TalkRequest
from gen.tandemfog.types.v1.types_pb2 import QUICK_MESSAGE_SIT, VARIANT_FOG
from gen.tandemfog.view.v1.view_pb2 import ExportMatchRequest, ReplayMatchRequest, View
from libs.rules.bpgn import read_bpgn
from libs.rules.fog import FogGame
from libs.rules.observe import observed
from libs.rules.pgn import read_pgn
from libs.rules.position import Position
from libs.rules.squares import square_name
from libs.rules.tandem import TandemMatch, board_of, side_of
from libs.runtime.refusals import Refusal, call
from tests.integration.game.kit import Caller, start_match
from tests.integration.visibility.kit import House

PLIES = 60
SPECTATOR = 9


def letters(position: Position, squares: frozenset[int] | None = None) -> str:
    """The board as frames write it."""
    order = [rank * 8 + file for rank in range(7, -1, -1) for file in range(8)]
    return "".join(
        "?" if squares is not None and square not in squares else (position.piece_at(square) or ".")[0]
        for square in order
    )


def board_moves(position: Position) -> dict[str, set[str]]:
    return {
        square_name(start): set(map(square_name, squares))
        for start, squares in position.destinations("online").items()
    }


def told_moves(view: View) -> dict[str, set[str]]:
    return {getattr(origin, "from"): set(origin.to) for origin in view.legal.origins}


async def reason(method: object, request: object) -> str:
    """Why a call is refused."""
    with pytest.raises(Refusal) as refused:
        await call(method, request)  # type: ignore[arg-type]
    return refused.value.reason


@pytest.mark.scenario("C04")
@pytest.mark.rule("T-capture")
async def test_a_tandem_match_is_shown_to_all_as_the_rules_say_move_by_move(
    game: Caller, house: House, tmp_path: Path
) -> None:
    arena = await start_match(game, tmp_path)
    client, second = house.client(), house.client()
    for seat in range(4):
        client.join(seat, arena.match_id, arena.token(seat))
    client.join(SPECTATOR, arena.match_id)
    second.join(0, arena.match_id, arena.token(0))
    for viewer in (*range(4), SPECTATOR):
        assert (await client.version(viewer, 1)).full
    await second.version(0, 1)
    rules = TandemMatch.start("online")
    dice = Random(3)
    version = 1
    while sum(rules.plies) < PLIES and rules.outcome is None:
        board = dice.randrange(2)
        moves = rules.legal_moves(board)
        if not moves:
            continue
        drops = [uci for uci in moves if "@" in uci]
        uci = dice.choice(drops if drops and dice.random() < 0.5 else moves)
        await arena.move(2 * board + rules.positions[board].turn, rules.plies[board], uci)
        rules = rules.play(board, uci).match
        version += 1
        for viewer in (*range(4), SPECTATOR):
            view = await client.version(viewer, version)
            for shown, position in zip(view.boards, rules.positions, strict=True):
                assert (shown.fen, shown.pieces) == (position.fen(), letters(position))
                assert shown.state == rules.verdict(shown.board)
            assert len(view.moves) == sum(rules.plies)
            if viewer != SPECTATOR:
                position = rules.positions[board_of(viewer)]
                on_turn = position.turn == side_of(viewer) and rules.outcome is None
                assert told_moves(view) == (board_moves(position) if on_turn else {})
                pieces, pawns = position.drop_squares() if on_turn else (set(), set())
                assert set(view.legal.piece_drops) == set(map(square_name, pieces))
                assert set(view.legal.pawn_drops) == set(map(square_name, pawns))
        twins = [await second.version(0, version), client.screens[0].shown]
        for view in twins:
            view.clocks.age_ms = 0
        assert twins[0] == twins[1]
    assert all(screen.fulls == 1 for screen in client.screens.values())
    export, replays = ExportMatchRequest(match_id=arena.match_id), ReplayMatchRequest(match_id=arena.match_id)
    assert await reason(house.stub.ExportMatch, export) == "still_running"
    assert await reason(house.stub.ReplayMatch, replays) == "still_running"
    await arena.gesture(2, "resign")
    for viewer in (*range(4), SPECTATOR):
        view = await client.version(viewer, version + 1)
        assert (view.outcome.winner, view.outcome.reason) == (1, "resignation")
    exported = await house.stub.ExportMatch(export)
    record, problems = read_bpgn(exported.text)
    assert (problems, record.result) == ([], "1-0")
    assert record.positions_after(len(record.moves)) == rules.positions
    replay = await house.stub.ReplayMatch(replays)
    assert [entry.uci for entry in replay.moves] == [move.uci for move in record.moves]
    assert [board.fen for board in replay.full[-1].boards] == [position.fen() for position in rules.positions]


@pytest.mark.scenario("C01")
@pytest.mark.scenario("C02")
async def test_talk_reaches_the_own_team_only_and_is_kept_for_who_comes_back(
    game: Caller, house: House, tmp_path: Path
) -> None:
    arena = await start_match(game, tmp_path)
    client = house.client()
    for seat in range(4):
        client.join(seat, arena.match_id, arena.token(seat))
    client.join(SPECTATOR, arena.match_id)
    for viewer in (*range(4), SPECTATOR):
        await client.version(viewer, 1)
    for number, text in enumerate(("knight please", "now")):
        request = TalkRequest(request_id=f"t{number}", token=arena.token(3), text=text)
        await call(game.game.Talk, request)
    for seat in (0, 3):
        await client.until(seat, lambda screen: screen.talk == ["knight please", "now"])
    await call(game.game.Talk, TalkRequest(request_id="t9", token=arena.token(1), quick=QUICK_MESSAGE_SIT))
    await client.until(2, lambda screen: len(screen.talk) == 1)
    await arena.play("A:e2e4")
    for viewer in (*range(4), SPECTATOR):
        assert (await client.version(viewer, 2)).version == 2
    told = {viewer: len(client.screens[viewer].talk) for viewer in (*range(4), SPECTATOR)}
    assert told == {0: 2, 1: 1, 2: 1, 3: 2, SPECTATOR: 0}
    client.join(0, arena.match_id, arena.token(0))
    await client.until(0, lambda screen: screen.fulls == 2)
    assert client.screens[0].talk == ["knight please", "now"]


@pytest.mark.scenario("F06")
@pytest.mark.scenario("F14")
@pytest.mark.scenario("F19")
async def test_a_fog_game_is_shown_to_each_as_the_rules_let_them_see_until_the_king_falls(
    game: Caller, house: House, tmp_path: Path
) -> None:
    arena = await start_match(game, tmp_path, variant=VARIANT_FOG, initial_ms=None)
    client = house.client()
    for seat in (0, 1):
        client.join(seat, arena.match_id, arena.token(seat))
    client.join(SPECTATOR, arena.match_id)
    for viewer in (0, 1, SPECTATOR):
        assert not (await client.version(viewer, 1)).HasField("clocks")
    await arena.gesture(1, "offer_draw")
    rules = FogGame.start()
    dice = Random(5)
    version = 2
    while rules.outcome is None:
        position = rules.position
        kings = [uci for uci in position.legal_moves() if (position.play(uci).captured or "").upper() == "K"]
        captures = [uci for uci in position.legal_moves() if position.play(uci).captured]
        uci = dice.choice(kings or (captures if captures and dice.random() < 0.5 else position.legal_moves()))
        await arena.move(position.turn, rules.plies, uci)
        step = rules.play(uci)
        rules, version = step.game, version + 1
        watching = await client.version(SPECTATOR, version - 1)  # the offer is nothing for spectators
        if rules.outcome is not None:
            break
        assert watching.boards[0].pieces == "?" * 64
        assert not watching.moves
        assert not watching.standing.draw_agreed
        for side in (0, 1):
            view = await client.version(side, version)
            sight = observed(rules.position, side)
            assert view.boards[0].pieces == letters(rules.position, sight.squares)
            entry = view.moves[-1]
            own = side == step.side
            assert (entry.uci, entry.san) == ((uci, step.san) if own else ("", ""))
            mark = "" if own or step.mark is None else square_name(step.mark)
            assert entry.mark == mark
            assert told_moves(view) == (board_moves(rules.position) if rules.position.turn == side else {})
        if rules.plies == 3:
            assert (
                await reason(house.stub.ExportMatch, ExportMatchRequest(match_id=arena.match_id))
                == "still_running"
            )
    assert rules.outcome is not None
    for viewer, last in ((0, version), (1, version), (SPECTATOR, version - 1)):
        view = await client.version(viewer, last)
        assert client.screens[viewer].fulls == 2
        assert view.boards[0].pieces == letters(rules.position)
        assert view.outcome.reason == rules.outcome.reason
        assert all(entry.uci and entry.san for entry in view.moves)
        assert len(view.moves) == rules.plies
    exported = await house.stub.ExportMatch(ExportMatchRequest(match_id=arena.match_id))
    record, problems = read_pgn(exported.text)
    assert problems == []
    assert record.positions_after(rules.plies) == (rules.position,)
    replay = await house.stub.ReplayMatch(ReplayMatchRequest(match_id=arena.match_id))
    assert replay.full[-1].boards[0].pieces == letters(rules.position)
    assert "?" in replay.white[1].boards[0].pieces
