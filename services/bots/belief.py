"""What a fog seat believes: positions that fit everything it has seen. Pure; the dice are an argument.

Nothing but the seat's own view comes in: its moves, and what each of its views showed. Since all own pieces
are always in view, a loss shows by itself, on whatever square (F-moves).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from libs.rules.board import BLACK_BIT, KIND, KING, KNIGHT, PAWN, ROOK, WHITE_BIT, Board, square_of
from libs.rules.generate import find_move, legal_moves
from libs.rules.position import Position
from libs.rules.uci import KIND_LETTERS, parse_move
from services.bots.search.sight import UNSEEN, looks_like

SUCCESSORS = 8
"""At least so many answers are believed of one position; not all, or one line crowds out the others."""
SPARE = 3
"""So many times more positions are found than are kept, by lot."""
_INVENTED = 300
_TRIES = 10
_SET = (PAWN,) * 8 + (2, 2, 3, 3, 4, 4, 5)
_NO_HANDS = (0,) * 16


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the seat saw after a ply: its own move that led there ("" for the other's, and at the start), and
    the 64 characters of its view from a8 to h1, "?" for fog."""

    uci: str
    pieces: str


def read_pieces(pieces: str) -> list[int]:
    """By cell: the piece seen there, 0 for an empty square, UNSEEN."""
    shown = [UNSEEN] * 128
    for index, letter in enumerate(pieces):
        cell = (7 - index // 8) * 16 + index % 8
        if letter.isalpha():
            colour = WHITE_BIT if letter.isupper() else BLACK_BIT
            shown[cell] = KIND_LETTERS.index(letter.upper()) + colour
        elif letter != "?":
            shown[cell] = 0
    return shown


class Belief:
    """The positions, at most ``size``, that fit the sightings taken in so far, for a side."""

    def __init__(self, side: int, first_ply: int, first: Sighting, captures: int, size: int) -> None:
        """``captures`` is how many pieces the seat has taken before the first sighting."""
        self._side = side
        self._size = size
        self._ply = first_ply
        self._first = first_ply
        self._captures = captures
        self.history = [first]
        start = Position.start("fog")
        self.positions = [start] if first_ply == 0 and _fits(start, side, first.pieces) else []
        self.rebuilt = 0
        """How often it ran dry and was made up anew."""

    def follow(
        self, first_ply: int, history: tuple[Sighting, ...], dice: Random, stop: Callable[[], bool]
    ) -> bool:
        """Take in what is new in a history; False when it is not a continuation of what was seen before.

        When time runs out (``stop``), fewer positions are kept, and at least one.
        """
        known = len(self.history)
        if first_ply != self._first or list(history[:known]) != self.history:
            return False
        for sighting in history[known:]:
            self._advance(sighting, dice, stop)
        if not self.positions:
            self._invent(dice, stop)
        return True

    def _advance(self, sighting: Sighting, dice: Random, stop: Callable[[], bool]) -> None:
        before = self.history[-1]
        self.history.append(sighting)
        self._ply += 1
        if sighting.uci and _captures(before.pieces, sighting.uci):
            self._captures += 1
        found: dict[int, Position] = {}
        shown = read_pieces(sighting.pieces)
        most = SPARE * self._size
        per_position = max(SUCCESSORS, most // max(1, len(self.positions)))
        for position in dice.sample(self.positions, len(self.positions)):
            if len(found) >= most or (found and stop()):
                break
            for board in _answers(position, sighting.uci, self._side, shown, per_position, dice):
                if board.key not in found:
                    found[board.key] = _position(board)
        self.positions = dice.sample(list(found.values()), min(self._size, len(found)))
        if not self.positions:
            self._invent(dice, stop)

    def _invent(self, dice: Random, stop: Callable[[], bool]) -> None:
        """Make up positions from the last sighting alone, with the pieces that the other side has left."""
        self.rebuilt += 1
        shown = read_pieces(self.history[-1].pieces)
        for _ in range(_TRIES * _INVENTED):
            board = _made_up(shown, self._side, self._ply, self._captures, dice)
            if board is not None and looks_like(board, self._side, shown):
                self.positions.append(_position(board))
            if len(self.positions) >= min(self._size, _INVENTED) or (self.positions and stop()):
                break


def _answers(
    position: Position, uci: str, side: int, shown: list[int], most: int, dice: Random
) -> Iterator[Board]:
    """The board after each move that fits, the own one or some of the other's: look at it at once."""
    board = position.board()
    if board.turn == side:
        if not uci:
            return
        own = find_move(board, parse_move(uci))
        moves = [own] if own >= 0 else []
    else:
        moves = legal_moves(board)
        dice.shuffle(moves)
    count = 0
    for move in moves:
        board.make(move)
        if board.kings[side] >= 0 and looks_like(board, side, shown):
            count += 1
            yield board
        board.unmake(move)
        if count >= most:
            return


def _made_up(shown: list[int], side: int, ply: int, captures: int, dice: Random) -> Board | None:
    """A board with the seen pieces where they are and the rest of the other side's somewhere in the fog."""
    enemy = WHITE_BIT if side else BLACK_BIT
    own_pawn = PAWN + (BLACK_BIT if side else WHITE_BIT)
    forward = -16 if side else 16
    cells = [0] * 128
    left = [KING, *_SET]
    for _ in range(min(captures, 14)):
        left.pop(dice.randrange(1, len(left)))
    blocked: set[int] = set()
    closed: set[int] = set()
    for cell, piece in enumerate(shown):
        if piece <= 0 or cell & 136:
            continue
        cells[cell] = piece
        if piece & enemy and piece & KIND in left:
            left.remove(piece & KIND)
        elif piece & enemy and len(left) > 1:
            left.pop()
        if piece == own_pawn:
            # A pawn does not see what stands ahead of it, and sees whatever it could capture.
            if shown[cell + forward] == UNSEEN:
                blocked.add(cell + forward)
            closed |= {cell + forward - 1, cell + forward + 1}
    fog = [cell for cell in range(128) if not cell & 136 and shown[cell] == UNSEEN and cell not in closed]
    places = [cell for cell in fog if cell in blocked] + dice.sample(
        rest := [cell for cell in fog if cell not in blocked], len(rest)
    )
    dice.shuffle(left)
    if KING in left[len(places) :] or len(blocked) > len(left):
        return None
    for kind, cell in zip(left, places, strict=False):
        on_last_rank = cell < 16 or cell >= 112
        cells[cell] = (KNIGHT if kind == PAWN and on_last_rank else kind) + enemy
    placement = bytes(cells[row + file] for row in range(0, 128, 16) for file in range(8))
    passing = dice.choice([-1, *_passing(cells, shown, side)]) if ply % 2 == side else -1
    board = Board(placement, _NO_HANDS, ply % 2, _rights(cells, side), passing, 0, 1 + ply // 2, True)
    return board if min(board.kings) >= 0 else None


def _passing(cells: list[int], shown: list[int], side: int) -> list[int]:
    """The squares behind enemy pawns in view that may just have made a double step past an own pawn."""
    own, enemy, back, rank = (BLACK_BIT, WHITE_BIT, -16, 3) if side else (WHITE_BIT, BLACK_BIT, 16, 4)
    return [
        square_of(cell + back)
        for cell in range(rank << 4, (rank << 4) + 8)
        if shown[cell] == PAWN + enemy
        and shown[cell + back] == 0
        and PAWN + own in (cells[cell - 1], cells[cell + 1])
    ]


def _rights(cells: list[int], side: int) -> int:
    """The castling rights that a side may still have, by where its king and rooks stand."""
    own, home = (BLACK_BIT, 112) if side else (WHITE_BIT, 0)
    if cells[home + 4] != KING + own:
        return 0
    short, long = cells[home + 7] == ROOK + own, cells[home] == ROOK + own
    return ((1 if short else 0) | (2 if long else 0)) << 2 * side


def _position(board: Board) -> Position:
    en_passant = -1 if board.en_passant < 0 else square_of(board.en_passant)
    return Position(
        "fog",
        board.pieces(),
        _NO_HANDS,
        board.turn,
        board.castling,
        en_passant,
        board.halfmove,
        board.fullmove,
    )


def _fits(position: Position, side: int, pieces: str) -> bool:
    return looks_like(position.board(), side, read_pieces(pieces))


def _captures(pieces: str, uci: str) -> bool:
    """Whether an own move took a piece that was in view, as all that is taken is but en passant."""
    rank, file = int(uci[3]), ord(uci[2]) - ord("a")
    return pieces[(8 - rank) * 8 + file].isalpha()
