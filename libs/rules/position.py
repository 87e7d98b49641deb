"""One board as an immutable value: what is legal, what a move makes of it, what it means for the mover."""

from dataclasses import dataclass
from typing import Final, Literal

from libs.rules.board import (
    BLACK_BIT,
    CASTLE,
    DROP,
    EN_PASSANT,
    FROM_SHIFT,
    HAND_LIMIT,
    KIND,
    KIND_SHIFT,
    KING,
    NAMED,
    PAWN,
    PROMOTED,
    TO,
    WHITE_BIT,
    Board,
    cell_of,
    square_of,
)
from libs.rules.errors import BadText, IllegalMove
from libs.rules.fen import LETTERS, Fields, read_fen, write_fen
from libs.rules.generate import (
    board_moves,
    can_move,
    drop_targets,
    find_checks,
    find_move,
    legal_moves,
    origins,
)
from libs.rules.squares import SQUARE_NAMES, side_name
from libs.rules.uci import KIND_LETTERS, TEXTS, parse_move

Variant = Literal["tandem", "fog"]
Profile = Literal["online", "club"]
Verdict = Literal["normal", "check", "waiting", "mate", "king_captured", "no_moves"]

_UNMOVED_SHIFT: Final = 4
_START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_FOG_REFUSAL: Final = "That move is not possible."


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """One board of either variant, hands included. Equal when everything a FEN says and ``kings_unmoved`` is.

    Make one with ``start`` or ``from_fen``; the fields are the core's form (see ``Board``): ``placement`` 64
    piece codes from a1 to h8, ``hands`` 16 counts, ``turn`` 0 or 1, ``castling`` rights and unmoved kings,
    ``en_passant`` a square 0..63 or -1, ``halfmove`` single moves since the last capture or pawn move.
    """

    variant: Variant
    placement: bytes
    hands: tuple[int, ...]
    turn: int
    castling: int
    en_passant: int
    halfmove: int
    fullmove: int

    @staticmethod
    def start(variant: Variant) -> "Position":
        """The standard start (T-seats, F-board)."""
        return Position.from_fen(_START, variant)

    @staticmethod
    def from_fen(fen: str, variant: Variant, kings_unmoved: tuple[bool, bool] | None = None) -> "Position":
        """The position of a FEN; raises BadText("bad_fen").

        ``kings_unmoved`` (White, Black) is what a FEN cannot say (T-club-castle); without it a king counts as
        unmoved when its side has a castling right left. Fog never needs it.
        """
        fields = read_fen(fen, variant == "fog")
        castling = _with_unmoved(fields.castling)
        if kings_unmoved is not None and variant == "tandem":
            for side, unmoved in enumerate(kings_unmoved):
                home = fields.pieces[60 if side else 4]
                at_home = home == KING + (BLACK_BIT if side else WHITE_BIT)
                bit = 1 << _UNMOVED_SHIFT + side
                if (unmoved and not at_home) or (castling & bit and not unmoved):
                    name = side_name(side).title()
                    detail = f"{name}'s king cannot be {'unmoved' if unmoved else 'moved'} here."
                    raise BadText("bad_fen", detail, "kings_unmoved")
                castling |= bit if unmoved else 0
        return Position(variant, *fields._replace(castling=castling))

    def fen(self) -> str:
        """The FEN: with ``[hands]`` in tandem, without in fog."""
        return write_fen(self._fields(), self.variant == "fog")

    def _fields(self) -> Fields:
        return Fields(
            self.placement,
            self.hands,
            self.turn,
            self.castling,
            self.en_passant,
            self.halfmove,
            self.fullmove,
        )

    def board(self, profile: Profile = "online") -> Board:
        """A fresh board of the core with this position, for searches and sight, to change at will."""
        return Board(
            self.placement,
            self.hands,
            self.turn,
            self.castling,
            self.en_passant,
            self.halfmove,
            self.fullmove,
            self.variant == "fog",
            profile == "club",
        )

    # The compiled class has no other way to be pickled or copied while it is frozen.
    def __reduce__(self) -> tuple[type["Position"], tuple[object, ...]]:
        return Position, (self.variant, *self._fields())

    def __repr__(self) -> str:
        return f"Position({self.variant!r}, {self.fen()!r}, kings_unmoved={self.kings_unmoved})"

    @property
    def kings_unmoved(self) -> tuple[bool, bool]:
        """Whether the (White, Black) king has never moved: kept beside the FEN (T-club-castle)."""
        return bool(self.castling & 1 << _UNMOVED_SHIFT), bool(self.castling & 2 << _UNMOVED_SHIFT)

    def piece_at(self, square: int) -> str | None:
        """The letter of the piece on a square 0..63, "P" White, "p" Black, "Q~" promoted; or None."""
        return LETTERS[self.placement[square]] or None

    def pieces(self) -> dict[int, str]:
        """All pieces by square 0..63, as ``piece_at`` names them."""
        return {square: LETTERS[piece] for square, piece in enumerate(self.placement) if piece}

    def hand(self, side: int) -> dict[str, int]:
        """The hand of a side: counts by the letters P N B R Q, zeros included."""
        return {KIND_LETTERS[kind]: self.hands[side * 8 + kind] for kind in range(PAWN, KING)}

    def with_in_hand(self, piece_letter: str) -> "Position":
        """The position with one piece more in the hand of the letter's colour (T-capture).

        Raises BadText("bad_piece") for anything but one of PNBRQpnbrq, in fog, and past the hand's limit.
        """
        kind = KIND_LETTERS.find(piece_letter.upper()) if len(piece_letter) == 1 else -1
        slot = kind if piece_letter.isupper() else 8 + kind
        if self.variant == "fog" or not PAWN <= kind < KING or self.hands[slot] >= HAND_LIMIT:
            raise BadText("bad_piece", f"{piece_letter[:10]!r} cannot go to a hand here.")
        hands = (*self.hands[:slot], self.hands[slot] + 1, *self.hands[slot + 1 :])
        return Position(
            self.variant,
            self.placement,
            hands,
            self.turn,
            self.castling,
            self.en_passant,
            self.halfmove,
            self.fullmove,
        )

    def legal_moves(self, profile: Profile = "online") -> tuple[str, ...]:
        """Every legal move and drop of the side to move as UCI, sorted."""
        return tuple(sorted([TEXTS[move & NAMED] for move in legal_moves(self.board(profile))]))

    def is_legal(self, uci: str, profile: Profile = "online") -> bool:
        """Whether the UCI text is a legal move; False for a text that is no move at all."""
        try:
            return find_move(self.board(profile), parse_move(uci)) >= 0
        except BadText:
            return False

    def play(self, uci: str, profile: Profile = "online") -> "Played":
        """The position after a move; raises BadText("bad_uci") or IllegalMove (in fog always the same)."""
        wanted = parse_move(uci)
        board = self.board(profile)
        move = find_move(board, wanted)
        if move < 0:
            raise self._refusal(board, wanted)
        square: int | None = None
        captured = 0
        if not move & DROP:
            square = square_of(move & TO)
            if move & EN_PASSANT:
                square += 8 if self.turn else -8
            captured = self.placement[square]
        board.make(move)
        castling = board.castling
        if self.variant == "fog":
            castling = _with_unmoved(castling & 15)
        after = Position(
            self.variant,
            board.pieces(),
            tuple(board.hands),
            board.turn,
            castling,
            -1 if board.en_passant < 0 else square_of(board.en_passant),
            board.halfmove,
            board.fullmove,
        )
        if not captured:
            return Played(after, None, uci, None)
        if captured & PROMOTED:
            captured = PAWN + (captured & (WHITE_BIT | BLACK_BIT))
        return Played(after, LETTERS[captured], uci, square)

    def _refusal(self, board: Board, wanted: int) -> IllegalMove:
        """Why the core has no such move."""
        if self.variant == "fog":
            return IllegalMove("illegal_move", _FOG_REFUSAL)
        to = square_of(wanted & TO)
        if wanted & DROP:
            return self._drop_refusal((wanted >> KIND_SHIFT) & KIND, to)
        start = square_of((wanted >> FROM_SHIFT) & TO)
        piece = self.placement[start]
        if not piece:
            return IllegalMove("no_piece", f"There is no piece on {SQUARE_NAMES[start]}.")
        if not piece & (BLACK_BIT if self.turn else WHITE_BIT):
            return IllegalMove("wrong_side", f"The piece on {SQUARE_NAMES[start]} is not yours to move.")
        # Without check there are exactly the moves that the pieces could make, the king's safety aside.
        board.fog = True
        move = find_move(board, wanted)
        if move >= 0 and not move & CASTLE:
            return IllegalMove("leaves_king_in_check", "That move leaves the own king in check.")
        return IllegalMove("illegal_move", f"The piece on {SQUARE_NAMES[start]} cannot make that move.")

    def _drop_refusal(self, kind: int, to: int) -> IllegalMove:
        letter, square = KIND_LETTERS[kind], SQUARE_NAMES[to]
        if not self.hands[self.turn * 8 + kind]:
            return IllegalMove("not_in_hand", f"There is no {letter} in the hand.")
        if self.placement[to]:
            return IllegalMove("square_occupied", f"A drop needs an empty square, {square} is occupied.")
        if kind == PAWN and to >> 3 in (0, 7):
            return IllegalMove("pawn_on_last_rank", "A pawn cannot be dropped on rank 1 or 8.")
        return IllegalMove("leaves_king_in_check", f"A drop on {square} leaves the own king in check.")

    def in_check(self) -> bool:
        """Whether the side to move is in check; in fog never (F-nocheck)."""
        return self.board().in_check()

    def verdict(self, profile: Profile = "online") -> Verdict:
        """What the position means for the side to move (T-mate, T-club-mate, T-wait, F-win, F-draw).

        Tandem: normal, check, waiting (no move or drop now and not mated, in check or not) or mate. Fog:
        normal, king_captured, no_moves.
        """
        board = self.board(profile)
        if min(board.kings) < 0:
            return "king_captured"
        if self.variant == "fog":
            return "normal" if can_move(board) else "no_moves"
        if can_move(board):
            return "check" if board.in_check() else "normal"
        checks = find_checks(board, [])
        if checks.count and (profile == "club" or not checks.between):
            return "mate"
        return "waiting"

    def drop_squares(self) -> tuple[frozenset[int], frozenset[int]]:
        """The squares 0..63 where the mover could now drop (pieces, pawns), whatever is in hand."""
        squares = [square_of(cell) for cell in drop_targets(self.board())]
        return frozenset(squares), frozenset(square for square in squares if 8 <= square < 56)

    def destinations(self, profile: Profile = "online") -> dict[int, tuple[int, ...]]:
        """The legal moves on the board, drops apart: sorted destinations by origin, squares 0..63."""
        targets: dict[int, set[int]] = {}
        for move in board_moves(self.board(profile)):
            targets.setdefault(square_of((move >> FROM_SHIFT) & TO), set()).add(square_of(move & TO))
        return {start: tuple(sorted(targets[start])) for start in sorted(targets)}

    def origins(self, letter: str, target: int, profile: Profile = "online") -> tuple[int, ...]:
        """The squares from which the mover's pieces of a kind (P N B R Q K) may legally go to ``target``."""
        cells = origins(self.board(profile), KIND_LETTERS.index(letter), cell_of(target))
        return tuple(sorted(map(square_of, cells)))


@dataclass(frozen=True, slots=True)
class Played:
    """A move made: the position after it and what it captured.

    ``captured`` is the letter as it arrives in the partner's hand (T-capture): its own colour by case, a
    promoted piece as a pawn; None for none. ``capture_square`` is where it stood, en passant included.
    """

    position: Position
    captured: str | None
    move: str
    capture_square: int | None

    def __reduce__(self) -> tuple[type["Played"], tuple[object, ...]]:
        return Played, (self.position, self.captured, self.move, self.capture_square)


def _with_unmoved(rights: int) -> int:
    """Rights plus "unmoved" for each king that has one left: all that a bare FEN tells."""
    return rights | (16 if rights & 3 else 0) | (32 if rights & 12 else 0)
