"""A Fog of War game as an immutable value: the true position, what may repeat, and the end."""

from dataclasses import dataclass
from typing import Final

from libs.rules.errors import MatchOver
from libs.rules.observe import visible
from libs.rules.outcome import FIFTY_MOVES, KING_CAPTURED, NO_MOVES, THREEFOLD, Outcome
from libs.rules.position import Position
from libs.rules.san import san_stem

_REPETITIONS: Final = 3
_QUIET_PLIES: Final = 100

Repetition = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class FogGame:
    """A game at one instant. ``plies``: single moves made; ``outcome`` None while it runs.

    ``seen`` counts the positions that could still come again, those since the last capture or pawn move, by
    their text (placement, turn, castling rights, en passant only where a pawn can use it), sorted.
    """

    position: Position
    plies: int
    seen: Repetition
    outcome: Outcome | None

    # As for Position.
    def __reduce__(self) -> tuple[type["FogGame"], tuple[object, ...]]:
        return FogGame, (self.position, self.plies, self.seen, self.outcome)

    @staticmethod
    def start() -> "FogGame":
        """A game before its first move (F-board)."""
        return FogGame.at(Position.start("fog"))

    @staticmethod
    def at(position: Position, plies: int = 0, repetition: Repetition | None = None) -> "FogGame":
        """A game with this position on the board; over at once when the rules say so.

        ``repetition`` is what ``repetition()`` gave when the game was kept, this position included; without
        it the position counts as the start.
        """
        text = _same_position_text(position)
        seen = ((text, 1),) if repetition is None else tuple(sorted(repetition))
        return FogGame(position, plies, seen, _outcome(position, dict(seen).get(text, 0)))

    def repetition(self) -> Repetition:
        """The counts to keep with the game, for ``at``."""
        return self.seen

    def play(self, uci: str) -> "FogStep":
        """The game after a move. Decides in order king captured, no move, threefold, fifty (F-win, F-draw).

        Raises MatchOver, BadText("bad_uci") or IllegalMove, the latter always in the same words (B-refuse);
        this value never changes.
        """
        if self.outcome is not None:
            raise MatchOver()
        played = self.position.play(uci)
        after = played.position
        # A capture or pawn move cannot be undone: nothing before it can come again.
        counts = dict(self.seen) if after.halfmove else {}
        text = _same_position_text(after)
        counts[text] = counts.get(text, 0) + 1
        seen = tuple(sorted(counts.items()))
        game = FogGame(after, self.plies + 1, seen, _outcome(after, counts[text]))
        mark = played.capture_square
        if mark is not None and mark in visible(after, after.turn):
            mark = None
        side = self.position.turn
        written = san_stem(self.position, uci)
        return FogStep(game, side, uci, written, played.captured, played.capture_square, mark)


@dataclass(frozen=True, slots=True)
class FogStep:
    """One move made: the game after it and how the mover sees it written.

    ``captured`` and ``capture_square`` as in ``Played``. ``mark`` is for the other player: the square 0..63
    where their piece fell if they do not see it afterwards, else None (F-moves).
    """

    game: FogGame
    side: int
    uci: str
    san: str
    captured: str | None
    capture_square: int | None
    mark: int | None

    def __reduce__(self) -> tuple[type["FogStep"], tuple[object, ...]]:
        seen = (self.captured, self.capture_square, self.mark)
        return FogStep, (self.game, self.side, self.uci, self.san, *seen)


def _same_position_text(position: Position) -> str:
    """Equal for what F-draw calls the same position."""
    placement, turn, castling, en_passant, _, _ = position.fen().split(" ")
    if en_passant != "-" and not position.board().en_passant_usable():
        en_passant = "-"
    return f"{placement} {turn} {castling} {en_passant}"


def _outcome(position: Position, times: int) -> Outcome | None:
    """The end that the rules make of a position that is on the board for so many times."""
    verdict = position.verdict()
    if verdict == "king_captured":
        return Outcome(1 if "K" in position.pieces().values() else 2, KING_CAPTURED)
    if verdict == "no_moves":
        return Outcome(None, NO_MOVES)
    if times >= _REPETITIONS:
        return Outcome(None, THREEFOLD)
    if position.halfmove >= _QUIET_PLIES:
        return Outcome(None, FIFTY_MOVES)
    return None
