"""One board as somebody may see it: a position of the rules in, parts of a view out. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from gen.tandemfog.view.v1.view_pb2 import BoardView, Legal
from libs.rules.observe import observed
from libs.rules.position import Position, Profile
from libs.rules.squares import BLACK, SQUARE_NAMES, WHITE, parse_square

_SHOWN_ORDER = tuple(rank * 8 + file for rank in range(7, -1, -1) for file in range(8))
_HAND_ORDER = "QRBNP"
_SPACES = re.compile(" +")
_ALL_SQUARES = frozenset(range(64))
NOBODY_KNOWS = "?"
EMPTY = "."


@lru_cache(maxsize=256)  # each viewer of an event is shown the same one
def tandem_board(position: Position, board: int, ply: int, verdict: str, last_uci: str) -> BoardView:
    """A tandem board, which everybody sees in full (`last_uci` "" at first). Not to be changed."""
    pieces = position.pieces()
    return BoardView(
        board=board,
        pieces=_placement(pieces, _ALL_SQUARES),
        promoted=_names(square for square, letter in pieces.items() if letter.endswith("~")),
        hands=[_hand(position, WHITE), _hand(position, BLACK).lower()],
        fen=position.fen(),
        white_to_move=position.turn == WHITE,
        ply=ply,
        state=verdict,
        last_move=move_squares(last_uci),
    )


def fog_board(position: Position, side: int, ply: int, own_last_uci: str) -> BoardView:
    """The fog board as `side` sees it (F-see); `own_last_uci` is "" unless that side made the last move."""
    sight = observed(position, side)
    return BoardView(
        pieces=_placement(sight.pieces, sight.squares),
        white_to_move=position.turn == WHITE,
        ply=ply,
        last_move=move_squares(own_last_uci),
    )


def seen_fen(position: Position, side: int) -> str:
    """What `side` sees of a fog position as a FEN; fog is written as empty squares, which any program reads.

    It has the side's own castling rights only, an en-passant square only where the side sees the passed pawn,
    and no count towards fifty moves.
    """
    sight = observed(position, side)
    ranks = []
    for rank in range(7, -1, -1):
        squares = range(rank * 8, rank * 8 + 8)
        row = "".join(sight.pieces.get(square, " ") for square in squares)
        ranks.append(_SPACES.sub(lambda run: str(len(run[0])), row))
    _, turn, castling, en_passant, _, fullmove = position.fen().split()
    own = "".join(right for right in castling if right in ("KQ", "kq")[side]) or "-"
    if en_passant != "-":
        passed = parse_square(en_passant) + (8 if en_passant[1] == "3" else -8)
        en_passant = en_passant if passed in sight.squares else "-"
    return " ".join(("/".join(ranks), turn, own, en_passant, "0", fullmove))


def hidden_board(white_to_move: bool, ply: int) -> BoardView:
    """The fog board as a spectator of a running game sees it: nothing of it (F-spectators)."""
    return BoardView(pieces=NOBODY_KNOWS * 64, white_to_move=white_to_move, ply=ply)


def lifted_board(position: Position, ply: int, last_uci: str) -> BoardView:
    """The board of a fog game that is over, as everybody sees it (F-after)."""
    return BoardView(
        pieces=_placement(position.pieces(), _ALL_SQUARES),
        white_to_move=position.turn == WHITE,
        ply=ply,
        last_move=move_squares(last_uci),
    )


def legal_moves(position: Position, profile: Profile, ply: int) -> Legal:
    """Where the side to move may go, by origin, and in tandem where it may drop, whatever it has in hand.

    In fog this tells no more than the board: a destination is a square that the side sees, and castling and
    en passant follow from what it has seen (F-see).
    """
    pieces, pawns = position.drop_squares() if position.variant == "tandem" else ((), ())
    return Legal(
        ply=ply,
        # As dictionaries, which take a third of the time that messages do.
        origins=[
            {"from": SQUARE_NAMES[start], "to": [SQUARE_NAMES[square] for square in squares]}  # type: ignore[misc]
            for start, squares in position.destinations(profile).items()
        ],
        piece_drops=_names(pieces),
        pawn_drops=_names(pawns),
    )


def no_moves(ply: int) -> Legal:
    """What a seat is told that may not move now."""
    return Legal(ply=ply)


def move_squares(uci: str) -> list[str]:
    """From and to of a move, "" as the origin of a drop; nothing for ""."""
    if not uci:
        return []
    return ["", uci[2:4]] if "@" in uci else [uci[:2], uci[2:4]]


def _placement(pieces: Mapping[int, str], squares: frozenset[int]) -> str:
    return "".join(
        pieces.get(square, EMPTY)[0] if square in squares else NOBODY_KNOWS for square in _SHOWN_ORDER
    )


def _hand(position: Position, side: int) -> str:
    counts = position.hand(side)
    return "".join(letter * counts[letter] for letter in _HAND_ORDER)


def _names(squares: Iterable[int]) -> list[str]:
    return [SQUARE_NAMES[square] for square in sorted(squares)]
