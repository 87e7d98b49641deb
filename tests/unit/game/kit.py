"""Matches for tests of decisions."""

from __future__ import annotations

from libs.rules.fog import FogGame
from libs.rules.tandem import TandemMatch
from libs.runtime.refusals import Refusal
from services.game.commands import Command, GestureCommand, GestureName, MoveCommand
from services.game.decide import Decision, Limits, decide
from services.game.match import Match, Player, start_match

LIMITS = Limits()
MATCH_ID = "07" + "a" * 24


def tandem(bots: frozenset[int] = frozenset(), profile: str = "online") -> Match:
    """A tandem match at its start; seats in ``bots`` are played by computers."""
    players = tuple(Player(seat not in bots, f"P{seat}", 3 if seat in bots else 0, True) for seat in range(4))
    game = TandemMatch.start("club" if profile == "club" else "online")
    return start_match(MATCH_ID, game, players, 180_000, 0)


def fog(clocked: bool = True, bots: frozenset[int] = frozenset()) -> Match:
    """A fog game at its start."""
    players = tuple(Player(seat not in bots, f"P{seat}", 3 if seat in bots else 0, True) for seat in range(2))
    return start_match(MATCH_ID, FogGame.start(), players, 180_000 if clocked else None, 0)


def one_device(clocked: bool = True) -> Match:
    """A fog game of two people on one device at its start, the curtain down."""
    players = tuple(Player(True, f"P{seat}", 0, True) for seat in range(2))
    initial_ms = 180_000 if clocked else None
    return start_match(MATCH_ID, FogGame.start(), players, initial_ms, 0, has_curtain=True)


def after(match: Match, *commands: Command) -> Match:
    """The match after commands."""
    for command in commands:
        match = decide(match, command, LIMITS).match
    return match


def move(match: Match, board: int, uci: str) -> MoveCommand:
    """A move by whoever is to move on a board."""
    seat = 2 * board + match.turn(board)
    return MoveCommand(seat, not match.players[seat].human, board, match.plies[board], uci)


def played(match: Match, line: str) -> Match:
    """The match after moves written like "A:e2e4 B:d2d4"."""
    for word in line.split():
        match = after(match, move(match, "AB".index(word[0]), word[2:]))
    return match


def gesture(match: Match, seat: int, name: GestureName) -> Decision:
    """What a gesture of a seat does."""
    return decide(match, GestureCommand(seat, not match.players[seat].human, name), LIMITS)


def refusal(match: Match, command: Command) -> str:
    """The reason for which a command is refused."""
    try:
        decide(match, command, LIMITS)
    except Refusal as refused:
        return refused.reason
    return "accepted"


def gesture_refusal(match: Match, seat: int, name: GestureName) -> str:
    """The reason for which a gesture is refused."""
    return refusal(match, GestureCommand(seat, not match.players[seat].human, name))
