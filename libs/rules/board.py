"""The mailbox core: one board, changed in place by make and unmake. Small ints only, so mypyc can compile it.

Referee, fog's sight and the bots' search all stand on this class and on ``libs.rules.generate``; nothing else
in the project knows how a piece moves.

A *cell* is the place of a square in the mailbox: 16 * rank + file, a1=0, b1=1, a2=16 ... h8=119. Whatever is
not on the board, negative indexes included, holds OUTSIDE. A *piece* is a kind (PAWN..KING) plus WHITE_BIT or
BLACK_BIT, plus PROMOTED; an empty cell is 0. A *move* is one int:

    bits 0-6 to-cell, 7-13 from-cell (0 for a drop), 14-16 kind promoted to or dropped (else 0), then flags
    DROP, EN_PASSANT, CASTLE (the king's two steps), DOUBLE_STEP.

Hands are counts at ``hands[side * 8 + kind]``. ``castling`` holds the four rights (bits 0-3: K Q k q) and
"king unmoved" of White and Black (bits 4 and 5, T-club-castle). ``key`` is a hash below 2**62 of all that
decides which moves there are, hands included; en passant counts only where a pawn stands ready to use it.
"""

from typing import Final

from mypy_extensions import i64

PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
KIND: Final = 7  # mask
WHITE_BIT: Final = 8
BLACK_BIT: Final = 16
PROMOTED: Final = 32
OUTSIDE: Final = 64

TO: Final = 127  # mask
FROM_SHIFT: Final = 7
KIND_SHIFT: Final = 14
DROP: Final = 1 << 17
EN_PASSANT: Final = 1 << 18
CASTLE: Final = 1 << 19
DOUBLE_STEP: Final = 1 << 20
NAMED: Final = (1 << 18) - 1  # mask: what tells the moves of one board apart, and all that UCI writes

ORTHOGONAL: Final[list[int]] = [1, -1, 16, -16]
DIAGONAL: Final[list[int]] = [15, -15, 17, -17]
ALL_STEPS: Final[list[int]] = ORTHOGONAL + DIAGONAL
KNIGHT_STEPS: Final[list[int]] = [14, -14, 18, -18, 31, -31, 33, -33]
CELLS: Final[list[int]] = [row + file for row in range(0, 128, 16) for file in range(8)]
"""The cells on the board, from a1 to h8."""

# Eight rows of eight empty cells, and enough outside that no step from a cell leaves the list.
_NO_PIECES: Final[list[int]] = ([0] * 8 + [OUTSIDE] * 8) * 8 + [OUTSIDE] * 48

# A move from or to one of these cells ends the rights that need its piece unmoved.
_KEEP: Final[list[int]] = [63] * 128
for _cell, _lost in ((4, 1 | 2 | 16), (7, 1), (0, 2), (116, 4 | 8 | 32), (119, 4), (112, 8)):
    _KEEP[_cell] = 63 - _lost
# The right that a rook on this cell carries (T-club-castle), by cell: h1, a1, h8, a8.
_CORNER_RIGHT: Final[list[int]] = [0] * 128
for _cell, _right in ((7, 1), (0, 2), (119, 4), (112, 8)):
    _CORNER_RIGHT[_cell] = _right


def _numbers(count: int, seed: int) -> list[int]:
    """Fixed, well mixed numbers below 2**62: the same in every process and in both builds."""
    mask = (1 << 64) - 1
    numbers = []
    state = seed
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) & mask
        mixed = (state ^ (state >> 29)) * 0x9FB21C651E98DF25 & mask
        numbers.append((mixed ^ (mixed >> 32)) >> 2)
    return numbers


_PIECE_KEYS: Final[list[int]] = _numbers(64 * 128, 1)  # piece << 7 | cell
_HAND_KEYS: Final[list[int]] = _numbers(16 * 128, 2)  # (side * 8 + kind) << 7 | count
_CASTLING_KEYS: Final[list[int]] = _numbers(64, 3)
_EN_PASSANT_KEYS: Final[list[int]] = _numbers(128, 4)
_TURN_KEY: Final = _numbers(1, 5)[0]
HAND_LIMIT: Final = 64  # of one kind in one hand: more pieces than two sets have


def cell_of(square: int) -> int:
    """The cell of a square 0..63."""
    return square + (square & 56)


def square_of(cell: int) -> int:
    """The square 0..63 of a cell."""
    return (cell + (cell & 7)) >> 1


class Board:
    """One board of either variant. ``fog`` drops check, pins and drops; ``club`` applies T-club-castle."""

    def __init__(
        self,
        pieces: bytes,
        hands: tuple[int, ...],
        turn: int,
        castling: int,
        en_passant: int,
        halfmove: int,
        fullmove: int,
        fog: bool,
        club: bool = False,
    ) -> None:
        """``pieces``: 64 piece codes, a1 to h8; ``hands``: 16 counts; ``en_passant``: a square or -1."""
        self.cells: list[int] = _NO_PIECES.copy()
        self.hands: list[int] = list(hands)
        self.kings: list[int] = [-1, -1]  # cells, -1 for none
        self.pins: list[int] = [0] * 128  # scratch of the generator: step of the line a piece is pinned on
        self.history: list[int] = []
        self.turn: i64 = turn
        self.castling: i64 = castling
        self.en_passant: i64 = -1 if en_passant < 0 else cell_of(en_passant)
        self.halfmove: i64 = halfmove
        self.fullmove: i64 = fullmove
        self.fog: bool = fog
        self.club: bool = club
        # Only the club's castling asks whether a king is unmoved.
        self.castling_mask: i64 = 63 if club else 15
        key: i64 = _CASTLING_KEYS[castling & self.castling_mask]
        square: i64
        for square in range(64):
            piece: i64 = pieces[square]
            if piece:
                cell: i64 = square + (square & 56)
                self.cells[cell] = piece
                key ^= _PIECE_KEYS[piece << 7 | cell]
                if piece & KIND == KING:
                    self.kings[piece >> 4] = cell
        for slot in range(16):
            if self.hands[slot]:
                key ^= _HAND_KEYS[slot << 7 | self.hands[slot]]
        if turn:
            key ^= _TURN_KEY
        self.key: i64 = key
        if self.en_passant_usable():
            self.key ^= _EN_PASSANT_KEYS[self.en_passant]

    def pieces(self) -> bytes:
        """The 64 piece codes from a1 to h8, as the constructor takes them."""
        cells = self.cells
        return bytes([cells[row + file] for row in range(0, 128, 16) for file in range(8)])

    def en_passant_usable(self) -> bool:
        """Whether a pawn of the side to move stands beside the pawn that just made a double step."""
        if self.en_passant < 0:
            return False
        pawn: i64 = PAWN + (BLACK_BIT if self.turn else WHITE_BIT)
        behind: i64 = self.en_passant + (16 if self.turn else -16)
        return self.cells[behind - 1] == pawn or self.cells[behind + 1] == pawn

    def attacked(self, cell: i64, by_side: i64) -> bool:
        """Whether a piece of ``by_side`` attacks the cell, whatever stands on it."""
        cells = self.cells
        colour: i64 = BLACK_BIT if by_side else WHITE_BIT
        back: i64 = 16 if by_side else -16
        piece: i64
        step: i64
        target: i64
        pawn: i64 = PAWN + colour
        if cells[cell + back - 1] == pawn or cells[cell + back + 1] == pawn:
            return True
        for step in KNIGHT_STEPS:
            piece = cells[cell + step]
            if piece & colour and piece & KIND == KNIGHT:
                return True
        straight: i64 = ROOK
        for step in ALL_STEPS:
            if step == 15:
                straight = BISHOP
            target = cell + step
            piece = cells[target]
            if piece & colour and piece & KIND == KING:
                return True
            while piece == 0:
                target += step
                piece = cells[target]
            if piece & colour and (piece & KIND == straight or piece & KIND == QUEEN):
                return True
        return False

    def in_check(self) -> bool:
        """Whether the king of the side to move is attacked; in fog there is no check (F-nocheck)."""
        king: i64 = self.kings[self.turn]
        return king >= 0 and not self.fog and self.attacked(king, 1 - self.turn)

    def make(self, move: i64) -> None:
        """Play a move that the generator gave for this board. A captured piece enters no hand here."""
        cells = self.cells
        side: i64 = self.turn
        to: i64 = move & TO
        kind: i64 = (move >> KIND_SHIFT) & KIND
        captured: i64 = 0
        key: i64 = self.key ^ _TURN_KEY
        castling: i64 = self.castling
        self.history.append(self.key)
        if self.en_passant_usable():
            key ^= _EN_PASSANT_KEYS[self.en_passant]
        halfmove: i64 = self.halfmove + 1
        en_passant: i64 = -1
        piece: i64
        if move & DROP:
            slot: i64 = side * 8 + kind
            count: i64 = self.hands[slot]
            self.hands[slot] = count - 1
            # A count of zero has no key.
            key ^= _HAND_KEYS[slot << 7 | count]
            if count > 1:
                key ^= _HAND_KEYS[slot << 7 | (count - 1)]
            piece = kind + (BLACK_BIT if side else WHITE_BIT)
            if kind == PAWN:
                halfmove = 0
            elif kind == ROOK and self.club and castling & (16 << side):
                castling |= _CORNER_RIGHT[to] & (12 if side else 3)
        else:
            start: i64 = (move >> FROM_SHIFT) & TO
            piece = cells[start]
            captured = cells[to]
            cells[start] = 0
            key ^= _PIECE_KEYS[piece << 7 | start]
            castling &= _KEEP[start] & _KEEP[to]
            if piece & KIND == PAWN:
                halfmove = 0
                if move & DOUBLE_STEP:
                    en_passant = (start + to) >> 1
                elif move & EN_PASSANT:
                    behind: i64 = to + (16 if side else -16)
                    captured = cells[behind]
                    cells[behind] = 0
                    key ^= _PIECE_KEYS[captured << 7 | behind]
                elif kind:
                    piece += kind - PAWN
                    if not self.fog:
                        piece += PROMOTED
            elif piece & KIND == KING:
                self.kings[side] = to
                if move & CASTLE:
                    rook_from: i64 = to + 1 if to > start else to - 2
                    rook_to: i64 = (start + to) >> 1
                    rook: i64 = cells[rook_from]
                    cells[rook_from] = 0
                    cells[rook_to] = rook
                    key ^= _PIECE_KEYS[rook << 7 | rook_from] ^ _PIECE_KEYS[rook << 7 | rook_to]
            if captured:
                halfmove = 0
                if not move & EN_PASSANT:
                    key ^= _PIECE_KEYS[captured << 7 | to]
                if captured & KIND == KING:
                    self.kings[1 - side] = -1
        cells[to] = piece
        key ^= _PIECE_KEYS[piece << 7 | to]
        if castling != self.castling:
            mask: i64 = self.castling_mask
            key ^= _CASTLING_KEYS[self.castling & mask] ^ _CASTLING_KEYS[castling & mask]
        self.history.append(captured | self.castling << 6 | (self.en_passant + 1) << 12 | self.halfmove << 20)
        self.castling = castling
        self.halfmove = halfmove
        self.en_passant = en_passant
        self.fullmove += side
        self.turn = 1 - side
        if self.en_passant_usable():
            key ^= _EN_PASSANT_KEYS[en_passant]
        self.key = key

    def unmake(self, move: i64) -> None:
        """Take back the move made last."""
        cells = self.cells
        side: i64 = 1 - self.turn
        to: i64 = move & TO
        kind: i64 = (move >> KIND_SHIFT) & KIND
        saved: i64 = self.history.pop()
        self.key = self.history.pop()
        captured: i64 = saved & 63
        self.castling = (saved >> 6) & 63
        self.en_passant = ((saved >> 12) & 255) - 1
        self.halfmove = saved >> 20
        self.fullmove -= side
        self.turn = side
        piece: i64 = cells[to]
        if move & DROP:
            cells[to] = 0
            slot: i64 = side * 8 + kind
            self.hands[slot] += 1
            return
        start: i64 = (move >> FROM_SHIFT) & TO
        if kind:
            piece = PAWN + (BLACK_BIT if side else WHITE_BIT)
        cells[start] = piece
        cells[to] = captured
        if move & EN_PASSANT:
            cells[to] = 0
            cells[to + (16 if side else -16)] = captured
        elif piece & KIND == KING:
            self.kings[side] = start
            if move & CASTLE:
                rook_from: i64 = to + 1 if to > start else to - 2
                rook_to: i64 = (start + to) >> 1
                cells[rook_from] = cells[rook_to]
                cells[rook_to] = 0
        if captured & KIND == KING:
            self.kings[1 - side] = to
