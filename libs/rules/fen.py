"""Positions as text: FEN in the crazyhouse form, ``placement[hand]`` with ``~`` after a promoted piece.

Read also: the hand after a ninth slash (BPGN set-ups) and the last fields left out. Written always in full,
the en-passant field after every double step.
"""

import re
from typing import Final, NamedTuple

from libs.rules.board import (
    BLACK_BIT,
    HAND_LIMIT,
    KIND,
    KING,
    OUTSIDE,
    PAWN,
    PROMOTED,
    ROOK,
    WHITE_BIT,
)
from libs.rules.errors import BadText
from libs.rules.squares import BLACK, SQUARE_NAMES, WHITE, parse_square, side_name
from libs.rules.uci import KIND_LETTERS

_FULL: Final = 6
_DEFAULTS: Final = ("", "", "-", "-", "0", "1")
_NUMBER: Final = re.compile(r"[0-9]{1,5}")
_LONGEST: Final = 1000  # characters; the fullest possible position is shorter


class Fields(NamedTuple):
    """The fields of a FEN as the core takes them: see ``Board``; ``castling`` has the four rights only."""

    pieces: bytes
    hands: tuple[int, ...]
    turn: int
    castling: int
    en_passant: int
    halfmove: int
    fullmove: int


def letter_of(piece: int) -> str:
    """The letter of a piece of the core, upper case for White, "~" after a promoted one; "" for none."""
    if not piece:
        return ""
    letter = KIND_LETTERS[piece & KIND]
    return (letter if piece & WHITE_BIT else letter.lower()) + ("~" if piece & PROMOTED else "")


_PIECES: Final = tuple(
    kind + colour + mark
    for colour in (WHITE_BIT, BLACK_BIT)
    for mark in (0, PROMOTED)
    for kind in range(PAWN, KING + 1)
)
LETTERS: Final = tuple(letter_of(piece) if piece in _PIECES else "" for piece in range(OUTSIDE))

_PIECE_OF: Final = {letter: piece for piece, letter in enumerate(LETTERS) if len(letter) == 1}
_COUNTS: Final = frozenset("12345678")


def _bad(detail: str, where: str) -> BadText:
    return BadText("bad_fen", detail, where)


def read_fen(text: str, fog: bool) -> Fields:
    """The fields of a position of the variant; raises BadText("bad_fen") naming what is wrong and where.

    A king in check whose side is not on move is let in: set-ups hold such boards, and capturing it is a move.
    """
    if len(text) > _LONGEST:
        raise _bad(f"A FEN has at most {_LONGEST} characters, this text has {len(text)}.", "text")
    words = text.split()
    if not 2 <= len(words) <= _FULL:
        raise _bad(f"A FEN has six fields (at least placement and side to move), found {len(words)}.", "text")
    placement, turn, castling, en_passant, halfmove, fullmove = (*words, *_DEFAULTS[len(words) :])
    placement, hand = _split_hand(placement)
    pieces = _read_placement(placement, fog)
    hands = _read_hand(hand, fog)
    if turn not in ("w", "b"):
        raise _bad(f"The side to move is w or b, not {turn[:10]!r}.", "side to move")
    side = BLACK if turn == "b" else WHITE
    fields = Fields(
        pieces,
        hands,
        side,
        _read_castling(castling, pieces),
        _read_en_passant(en_passant, side, pieces),
        _read_number(halfmove, "halfmove clock", 0),
        _read_number(fullmove, "fullmove number", 1),
    )
    _check_kings(fields, fog)
    return fields


def _split_hand(placement: str) -> tuple[str, str]:
    if "[" in placement:
        ranks, _, hand = placement.partition("[")
        if not hand.endswith("]"):
            raise _bad("The hand's bracket is not closed.", "hand")
        return ranks, hand[:-1]
    parts = placement.split("/", 8)
    return "/".join(parts[:8]), parts[8] if len(parts) > 8 else ""


def _read_placement(text: str, fog: bool) -> bytes:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise _bad(f"A board has eight ranks, found {len(ranks)}.", "placement")
    pieces = bytearray(64)
    for index, content in enumerate(ranks):
        _read_rank(content, 7 - index, pieces, fog)
    return bytes(pieces)


def _read_rank(content: str, rank: int, pieces: bytearray, fog: bool) -> None:
    file = 0
    last = ""
    for symbol in content:
        piece = _PIECE_OF.get(symbol, 0)
        if piece:
            if file > 7:
                raise _bad("More than eight squares in the rank.", _column(rank, file))
            if piece & KIND == PAWN and rank in (0, 7):
                raise _bad("A pawn cannot stand on rank 1 or 8.", _column(rank, file))
            pieces[rank * 8 + file] = piece
            file += 1
        elif symbol in _COUNTS and last not in _COUNTS:
            file += int(symbol)
        elif symbol == "~":
            square = rank * 8 + file - 1
            if fog or last not in _PIECE_OF or pieces[square] & KIND in (PAWN, KING):
                detail = "A promoted mark follows a knight, bishop, rook or queen, in tandem only."
                raise _bad(detail, _column(rank, file))
            pieces[square] |= PROMOTED
        else:
            raise _bad(f"{symbol!r} is no piece and no number of empty squares.", _column(rank, file))
        last = symbol
    if file != 8:
        raise _bad(f"The rank has {file} squares, not eight.", f"rank {rank + 1}")


def _column(rank: int, file: int) -> str:
    return f"rank {rank + 1}, column {file + 1}"


def _read_hand(text: str, fog: bool) -> tuple[int, ...]:
    hands = [0] * 16
    for column, symbol in enumerate("" if text == "-" else text, start=1):
        where = f"hand, column {column}"
        kind = KIND_LETTERS.find(symbol.upper()) if symbol.isascii() else -1
        if fog:
            raise _bad("Fog of War has no hands.", where)
        if not PAWN <= kind < KING:
            raise _bad(f"{symbol!r} cannot be in a hand.", where)
        slot = kind if symbol.isupper() else 8 + kind
        hands[slot] += 1
        if hands[slot] > HAND_LIMIT:
            raise _bad(f"A hand has at most {HAND_LIMIT} pieces of a kind.", where)
    return tuple(hands)


def _read_castling(text: str, pieces: bytes) -> int:
    rights = 0
    for symbol in "" if text == "-" else text:
        index = "KQkq".find(symbol)
        if index < 0 or rights & 1 << index:
            raise _bad(f"Castling rights are - or letters of KQkq, each once, not {text[:10]!r}.", "castling")
        rank, colour = (0, WHITE_BIT) if index < 2 else (56, BLACK_BIT)
        if pieces[rank + 4] != KING + colour or pieces[rank + (0 if index & 1 else 7)] != ROOK + colour:
            raise _bad(f"The right {symbol} needs king and rook on their first squares.", "castling")
        rights |= 1 << index
    return rights


def _read_en_passant(text: str, turn: int, pieces: bytes) -> int:
    if text == "-":
        return -1
    try:
        target = parse_square(text)
    except BadText as error:
        raise _bad(error.detail, "en passant") from None
    rank, forward, colour = (5, -8, BLACK_BIT) if turn == WHITE else (2, 8, WHITE_BIT)
    if target >> 3 != rank:
        raise _bad(
            f"{side_name(turn).title()} to move takes en passant on rank {rank + 1} only.", "en passant"
        )
    if pieces[target + forward] != PAWN + colour or pieces[target] or pieces[target - forward]:
        raise _bad(f"No pawn has just made a double step over {text}.", "en passant")
    return target


def _read_number(text: str, name: str, least: int) -> int:
    if not _NUMBER.fullmatch(text) or int(text) < least:
        raise _bad(f"The {name} is a number from {least} to 99999, not {text[:10]!r}.", name)
    return int(text)


def _check_kings(fields: Fields, fog: bool) -> None:
    counts = [fields.pieces.count(KING + WHITE_BIT), fields.pieces.count(KING + BLACK_BIT)]
    for side, count in enumerate(counts):
        if count > 1 or (count == 0 and not fog):
            raise _bad(f"{side_name(side).title()} has {count} kings.", "placement")
    if sum(counts) == 0:
        raise _bad("There is no king on the board.", "placement")


def write_fen(fields: Fields, fog: bool) -> str:
    """The FEN of the fields; without a hand's bracket in fog."""
    pieces = fields.pieces
    ranks = [_rank_text(pieces[row : row + 8]) for row in range(56, -1, -8)]
    hand = ""
    if not fog:
        white, black = (
            "".join(KIND_LETTERS[kind] * fields.hands[offset + kind] for kind in range(KING - 1, 0, -1))
            for offset in (0, 8)
        )
        hand = f"[{white}{black.lower()}]"
    castling = "".join(letter for index, letter in enumerate("KQkq") if fields.castling & 1 << index) or "-"
    en_passant = "-" if fields.en_passant < 0 else SQUARE_NAMES[fields.en_passant]
    turn = "b" if fields.turn else "w"
    return f"{'/'.join(ranks)}{hand} {turn} {castling} {en_passant} {fields.halfmove} {fields.fullmove}"


def _rank_text(row: bytes) -> str:
    text = ""
    empty = 0
    for piece in row:
        if not piece:
            empty += 1
            continue
        text += f"{empty}{LETTERS[piece]}" if empty else LETTERS[piece]
        empty = 0
    return f"{text}{empty}" if empty else text
