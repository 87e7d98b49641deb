"""Fog games over websockets: each frame to each viewer is what the rules say that this viewer may see."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from libs.rules.fog import FogGame
from libs.rules.observe import observed
from libs.rules.position import Position
from libs.rules.squares import square_name
from tests.kit.browser import Browser, Frame
from tests.kit.table import full_table
from tests.kit.whole import Whole

pytestmark = pytest.mark.asyncio(loop_scope="session")

ALL_FOG = "?" * 64
SIDES = ("white", "black")


def letters(position: Position, side: int | None) -> str:
    """The 64 characters of a board as a side sees it, a8 first; None sees everything."""
    squares = [file + 8 * rank for rank in reversed(range(8)) for file in range(8)]
    if side is None:
        return "".join(position.piece_at(square) or "." for square in squares)
    seen = observed(position, side)
    return "".join(seen.pieces.get(s, ".") if s in seen.squares else "?" for s in squares)


def entry(ply: int, uci: str | None, san: str | None, mark: int | None) -> dict[str, Any]:
    """A move-list entry without its times."""
    name = None if mark is None else square_name(mark)
    return {"board": "A", "ply": ply, "san": san, "uci": uci, "mark": name}


def without_times(moves: list[Frame]) -> list[Frame]:
    return [{k: v for k, v in move.items() if k not in ("at_ms", "remaining_ms")} for move in moves]


def legal_now(position: Position) -> dict[str, list[str]]:
    found = position.destinations("online")
    return {square_name(start): sorted(map(square_name, to)) for start, to in found.items()}


def choose(game: FogGame, dice: random.Random) -> str:
    """A king's capture when there is one, else a capture now and then, else anything."""
    moves = game.position.legal_moves()
    pieces = {square_name(square): letter for square, letter in game.position.pieces().items()}
    kings = [uci for uci in moves if pieces.get(uci[2:4], "").upper() == "K"]
    captures = [uci for uci in moves if uci[2:4] in pieces]
    if kings:
        return kings[0]
    return dice.choice(captures if captures and dice.random() < 0.6 else list(moves))


def short_game(seed: int) -> list[str]:
    """A game of at most 80 moves that ends by capturing a king, played by the rules alone."""
    for attempt in range(1000):
        dice = random.Random(seed * 1000 + attempt)
        game, moves = FogGame.start(), list[str]()
        while game.outcome is None and len(moves) < 80:
            moves.append(choose(game, dice))
            game = game.play(moves[-1]).game
        if game.outcome is not None and game.outcome.reason == "king_captured" and len(moves) > 20:
            return moves
    raise AssertionError("no short game found")


def reached(ply: int) -> Callable[[Browser], bool]:
    return lambda browser: browser.match is not None and browser.match["boards"]["A"]["ply"] == ply


def lifted(browser: Browser) -> bool:
    """Whether the game is over for this viewer and the fog is gone."""
    match = browser.match
    return match is not None and match["result"] is not None and "?" not in match["boards"]["A"]["pieces"]


def check_view(browser: Browser, game: FogGame, side: int | None, entries: list[Any]) -> None:
    """Board, moves, legal moves and everything else that this viewer has, against the rules."""
    match = browser.match
    assert match is not None
    board = match["boards"]["A"]
    assert board["pieces"] == (ALL_FOG if side is None else letters(game.position, side))
    assert board["turn"] == SIDES[game.position.turn]
    assert board["ply"] == game.plies
    assert (board["fen"], board["hands"], board["state"], board["promoted"]) == (None, None, None, [])
    assert without_times(match["moves"]) == entries
    if side is None:
        assert match["legal"] is None
        assert board["last"] == []
    else:
        origins = legal_now(game.position) if side == game.position.turn else {}
        assert {start: sorted(to) for start, to in match["legal"]["from"].items() if to} == origins
        assert match["legal"]["drops"] == {"pieces": [], "pawns": []}


@pytest.mark.scenario("F14")
@pytest.mark.scenario("F15")
@pytest.mark.scenario("F19")
@pytest.mark.scenario("F06")
@pytest.mark.parametrize(("seed", "time"), [(1, None), (2, {"initial_ms": 180_000, "increment_ms": 2_000})])
async def test_two_players_and_a_spectator_see_what_they_may_until_a_king_falls(
    whole: Whole, seed: int, time: dict[str, int] | None
) -> None:
    settings = {"variant": "fog", "time": time} if time else {"variant": "fog"}
    async with full_table(whole.url, **settings) as players, Browser(whole.url) as spectator:
        assert players[0].match is not None
        await spectator.join(players[0].match["table"])
        await spectator.wait_for(lambda b: b.match)
        game = FogGame.start()
        entries: tuple[list[Any], list[Any]] = ([], [])
        in_full: list[Any] = []
        for uci in short_game(seed):
            mover = game.position.turn
            step = game.play(uci)
            await players[mover].command("move", board="A", ply=game.plies, uci=uci)
            game = step.game
            entries[mover].append(entry(game.plies, uci, step.san, None))
            entries[1 - mover].append(entry(game.plies, None, None, step.mark))
            in_full.append(entry(game.plies, uci, step.san, None))
            if game.outcome is not None:
                break
            for viewer in (*players, spectator):
                await viewer.wait_for(reached(game.plies))
            check_view(players[0], game, 0, entries[0])
            check_view(players[1], game, 1, entries[1])
            check_view(spectator, game, None, [])
        assert game.outcome is not None
        for viewer in (*players, spectator):
            await viewer.wait_for(
                lambda b: b.match and b.match["result"] and "?" not in b.match["boards"]["A"]["pieces"]
            )
            assert viewer.match is not None
            assert viewer.match["result"] == {"winner": game.outcome.winner, "reason": "king_captured"}
            assert viewer.match["boards"]["A"]["pieces"] == letters(game.position, None)
            shown = without_times(viewer.match["moves"])
            assert [(m["ply"], m["uci"], m["san"]) for m in shown] == [
                (m["ply"], m["uci"], m["san"]) for m in in_full
            ]
            assert viewer.gaps == 0
        for text in players[0].texts + players[1].texts:
            assert "check" not in text  # F-nocheck: no such word to anybody
