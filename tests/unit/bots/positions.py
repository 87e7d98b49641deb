"""Situations for the tests, made of the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from libs.rules.fog import FogGame
from libs.rules.observe import observed
from libs.rules.position import Position, Profile
from libs.rules.tandem import TandemMatch
from services.bots.belief import Sighting
from services.bots.situation import Situation


def tandem_situation(
    position: Position, profile: Profile = "online", wishes: dict[str, int] | None = None
) -> Situation:
    """What a tandem bot on turn knows."""
    moves = position.legal_moves(profile)
    return Situation("tandem", profile, position.turn, position.fen(), "", moves, wishes or {})


def fog_situation(position: Position) -> Situation:
    """What a fog bot on turn knows: its seat's view."""
    return Situation(
        "fog", "online", position.turn, "", shown(position, position.turn), position.legal_moves()
    )


@dataclass
class FogSeat:
    """What the seat of one side of a fog game sees, ply by ply."""

    side: int
    history: list[Sighting]

    @staticmethod
    def at_start(side: int) -> FogSeat:
        return FogSeat(side, [Sighting("", shown(Position.start("fog"), side))])

    def see(self, position: Position, uci: str) -> None:
        """Take in what a move has led to; only the own one is known."""
        own = uci if position.turn != self.side else ""
        self.history.append(Sighting(own, shown(position, self.side)))

    def situation(self, position: Position, key: str = "m/0") -> Situation:
        """What a bot in this seat decides on."""
        return replace(fog_situation(position), key=key, history=tuple(self.history))


def shown(position: Position, side: int) -> str:
    """The 64 characters of the view of a side."""
    sight = observed(position, side)
    squares = [rank * 8 + file for rank in range(7, -1, -1) for file in range(8)]
    return "".join(sight.pieces.get(square, ".") if square in sight.squares else "?" for square in squares)


def random_tandem(dice: Random, plies: int, profile: Profile) -> Position | None:
    """A board of a match of random moves, its side on turn able to move; None when the match has ended."""
    match = TandemMatch.start(profile)
    for _ in range(plies):
        board = dice.randrange(2)
        moves = match.legal_moves(board)
        if moves:
            match = match.play(board, dice.choice(moves)).match
        if match.outcome is not None:
            return None
    return match.positions[dice.randrange(2)]


def random_fog(dice: Random, plies: int) -> Position | None:
    """A fog position after random moves; None when the game has ended."""
    game = FogGame.start()
    for _ in range(plies):
        game = game.play(dice.choice(game.position.legal_moves())).game
        if game.outcome is not None:
            return None
    return game.position
