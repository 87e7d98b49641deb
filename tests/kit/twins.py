"""Pairs of fog histories that look the same to somebody and differ only in what is hidden from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from libs.rules.fog import FogGame, FogStep
from libs.rules.observe import observed
from libs.rules.position import Position
from libs.rules.squares import WHITE

STARTS = (  # the start, and positions where castling, promotions and captures are near
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/1P4p1/8/2p2P2/2P2p2/8/1p4P1/R3K2R w KQkq - 0 1",
    "4k3/pp4Pp/2n5/8/8/2N5/PP4pP/4K3 w - - 0 1",
    "r3k2r/p2n1pPp/2p5/3b4/3B4/2P5/P2N1PpP/R3K2R w KQkq - 6 1",
)
KINDS = ("moves", "promotions", "captures", "counters", "castling rights", "en passant rights", "castling")
TRIES = 4  # ordinary moves tried for each game and turn; beside them, as many out of the ordinary


@dataclass(frozen=True)
class Twins:
    """Two games from `fen` that look the same to `viewer`: a side, or None for a spectator.

    `moves` has a move of each game for every ply; `hidden` names the KINDS of differences that there are.
    """

    seed: int
    viewer: int | None
    fen: str
    moves: tuple[tuple[str, str], ...]
    hidden: frozenset[str]

    def uci(self, game: int) -> list[str]:
        """The moves of the first or the second game."""
        return [pair[game] for pair in self.moves]


def start_at(fen: str) -> FogGame:
    """A fog game set up."""
    return FogGame.at(Position.from_fen(fen, "fog"))


def looks(step: FogStep, side: int) -> tuple[object, ...]:
    """What a side may learn from a move, by the rules alone."""
    sight = observed(step.game.position, side)
    mark = None if step.side == side else step.mark
    return sight.squares, tuple(sorted(sight.pieces.items())), mark


class Facts(NamedTuple):
    """What may differ between two moves and the positions after them."""

    uci: str
    captured: str | None
    mark: int | None
    castles: bool
    rights: str
    en_passant: str
    counter: str


def facts(step: FogStep) -> Facts:
    """The facts of one move."""
    _, _, rights, en_passant, counter, _ = step.game.position.fen().split()
    return Facts(step.uci, step.captured, step.mark, step.san.startswith("O-O"), rights, en_passant, counter)


def differences(one: Facts, other: Facts, viewer: int | None) -> frozenset[str]:
    """The KINDS of what differs."""
    moved_apart = one.uci != other.uci
    # To a seat it is known that something of its own fell, but neither by what nor from where.
    captures = one.captured != other.captured if viewer is None else moved_apart and one.mark is not None
    found = {
        "moves": moved_apart,
        "promotions": one.uci[4:] != other.uci[4:],
        "captures": captures,
        "counters": one.counter != other.counter,
        "castling rights": one.rights != other.rights,
        "en passant rights": one.en_passant != other.en_passant,
        "castling": one.castles != other.castles,
    }
    return frozenset(kind for kind, is_there in found.items() if is_there)


def find_twins(seed: int, viewer: int | None, plies: int) -> Twins:
    """Two games of at most so many plies; shorter when all continuations tell them apart or end one."""
    dice = Random(seed)
    fen = STARTS[0] if dice.random() < 0.2 else dice.choice(STARTS[1:])
    games = [start_at(fen), start_at(fen)]
    wish = dice.choice(KINDS)
    moves: list[tuple[str, str]] = []
    hidden: set[str] = set()
    for _ in range(plies):
        steps = _next_steps(games, viewer, wish, dice)
        if steps is None:
            break
        games = [step.game for step in steps]
        moves.append((steps[0].uci, steps[1].uci))
        hidden |= differences(facts(steps[0]), facts(steps[1]), viewer)
    return Twins(seed, viewer, fen, tuple(moves), frozenset(hidden))


def _next_steps(
    games: Sequence[FogGame], viewer: int | None, wish: str, dice: Random
) -> tuple[FogStep, FogStep] | None:
    """A move for each game after which both look the same; the viewer's own one and the same."""
    legal = [list(game.position.legal_moves()) for game in games]
    own = games[0].position.turn == viewer
    if own:
        assert sorted(legal[0]) == sorted(legal[1]), "what a seat may play depends on what it cannot see"
        dice.shuffle(legal[0])
        legal[1] = legal[0] = legal[0][:TRIES]
    one, other = (
        [(step, facts(step), None if viewer is None else looks(step, viewer)) for step in steps]
        for steps in (_played(game, moves, dice) for game, moves in zip(games, legal, strict=True))
    )
    alike = [
        (first, second, differences(told, told_too, viewer))
        for first, told, seen in one
        for second, told_too, seen_too in other
        if seen == seen_too and (not own or first.uci == second.uci)
    ]
    dice.shuffle(alike)
    best = max(alike, key=lambda pair: (wish in pair[2], "moves" in pair[2]), default=None)
    return None if best is None else best[:2]


def _played(game: FogGame, moves: list[str], dice: Random) -> list[FogStep]:
    """Some moves played that do not end the game, those out of the ordinary rather than others."""
    moves = sorted(moves)
    dice.shuffle(moves)
    pieces = game.position.pieces()
    special = [uci for uci in moves if _is_special(uci, game.position.turn, pieces)][:TRIES]
    plain = [uci for uci in moves if uci not in special][:TRIES]
    steps = (game.play(uci) for uci in (*special, *plain))
    return [step for step in steps if step.game.outcome is None]


def _is_special(uci: str, side: int, pieces: dict[int, str]) -> bool:
    """Captures, promotions, castling and double steps."""
    start, end = (8 * (int(uci[i + 1]) - 1) + ord(uci[i]) - ord("a") for i in (0, 2))
    kind = pieces[start].upper()
    home = 1 if side == WHITE else 6
    return (
        end in pieces
        or len(uci) == 5
        or (kind == "K" and abs(start - end) == 2)
        or (kind == "P" and start // 8 == home and abs(start - end) == 16)
    )
