"""SAN, the short move text of chess, for both variants: "Nf3", "exd5", "O-O", "N@f3", "e8=Q+".

In tandem "+" marks a check and "#" only a mate by the rules of the profile (`T-mate`, `T-club-mate`): a
check that some piece could still block online is "+". In fog there is neither mark (`F-nocheck`), and a
captured king is written like any other capture ("Qxe8").
"""

import re

from libs.rules.board import PROMOTED
from libs.rules.errors import BadText, IllegalMove
from libs.rules.position import Position, Profile
from libs.rules.squares import WHITE, parse_square, square_name

_BOARD_MOVE = re.compile(
    r"(?P<kind>[KQRBN])?(?P<file>[a-h])?(?P<rank>[1-8])?[x:-]?(?P<target>[a-h][1-8])(?:=?(?P<promotion>[QRBN]))?"
)
_DROP = re.compile(r"(?P<kind>[PNBRQ])?@(?P<target>[a-h][1-8])")
_CASTLING = re.compile(r"[O0o]-[O0o](?P<long>-[O0o])?")
MARKS = "+#!?"
"""What may follow a move in SAN: check, mate, and a reader's praise or blame."""


def san(position: Position, uci: str, profile: Profile = "online") -> str:
    """The SAN of a legal move of the side to move.

    Raises IllegalMove when the move is not legal there and BadText when it is no UCI text.
    """
    played = position.play(uci, profile)
    return san_stem(position, played.move, profile) + check_mark(played.position, profile)


def san_stem(position: Position, uci: str, profile: Profile = "online") -> str:
    """The SAN of a move known to be legal in `position`, without "+" or "#"."""
    if "@" in uci:
        return uci
    origin, target = parse_square(uci[:2]), parse_square(uci[2:4])
    piece = position.piece_at(origin)
    if piece is None:
        raise IllegalMove("no_piece", f"There is no piece on {uci[:2]}.")
    kind = piece[0].upper()
    steps = target % 8 - origin % 8
    if kind == "K" and abs(steps) == 2:
        return "O-O" if steps > 0 else "O-O-O"
    if kind == "P":
        start = f"{uci[0]}x" if steps else ""
        return start + uci[2:4] + (f"={uci[4].upper()}" if len(uci) == 5 else "")
    takes = "x" if position.piece_at(target) is not None else ""
    return kind + _origin_hint(position, kind, origin, target, profile) + takes + uci[2:4]


def check_mark(after: Position, profile: Profile = "online") -> str:
    """What SAN appends for the position after the move: "#", "+" or nothing; in fog always nothing."""
    if not after.in_check():
        return ""
    return "#" if after.verdict(profile) == "mate" else "+"


def parse_san(position: Position, text: str, profile: Profile = "online") -> str:
    """The UCI text of the move that `text` names in `position`.

    Lenient where files found in the wild are: more of the origin than needed, "0-0" for "O-O", missing or
    needless "+", "#", "!", "?", "@h7" for "P@h7", no "=" before a promotion. Raises BadText("bad_san") when
    the text is no SAN or fits several moves, IllegalMove when no legal move fits.
    """
    stem = text.strip().rstrip(MARKS)
    hint_file: str | None
    hint_rank: str | None
    promotion: str | None
    if drop := _DROP.fullmatch(stem):
        return position.play(f"{drop['kind'] or 'P'}@{drop['target']}", profile).move
    if castling := _CASTLING.fullmatch(stem):
        kind, target = "K", (2 if castling["long"] else 6) + (0 if position.turn == WHITE else 56)
        hint_file, hint_rank, promotion = "e", None, None
    elif move := _BOARD_MOVE.fullmatch(stem):
        kind, target = move["kind"] or "P", parse_square(move["target"])
        hint_file, hint_rank, promotion = move["file"], move["rank"], move["promotion"]
    else:
        raise BadText("bad_san", f"{text[:40]!r} is not a move in SAN.")
    origins = [
        origin
        for origin in position.origins(kind, target, profile)
        if hint_file in (None, square_name(origin)[0])
        and hint_rank in (None, square_name(origin)[1])
        and (kind == "K" and abs(target % 8 - origin % 8) == 2) == (castling is not None)
    ]
    if not origins:
        if position.variant == "fog":
            # No piece moves to where it stands, so this is refused, in fog's constant words.
            position.play(square_name(target) * 2)
        raise IllegalMove("illegal_move", f"No legal move fits {text[:40]!r}.")
    if len(origins) > 1:
        names = " or ".join(square_name(origin) for origin in origins)
        raise BadText("bad_san", f"{text[:40]!r} may start from {names}.")
    if (promotion is not None) != (kind == "P" and target // 8 in (0, 7)):
        raise BadText("bad_san", f"{text[:40]!r} must name what the pawn becomes, and only on the last rank.")
    return square_name(origins[0]) + square_name(target) + (promotion or "").lower()


def _origin_hint(position: Position, kind: str, origin: int, target: int, profile: Profile) -> str:
    """The file, rank or square that tells the mover from others of its kind that could move there too."""
    piece = position.placement[origin]
    if position.placement.count(piece) + position.placement.count(piece ^ PROMOTED) == 1:
        return ""  # without rivals nobody need look where they could go
    rivals = [square for square in position.origins(kind, target, profile) if square != origin]
    name = square_name(origin)
    if not rivals:
        return ""
    if all(square % 8 != origin % 8 for square in rivals):
        return name[0]
    if all(square // 8 != origin // 8 for square in rivals):
        return name[1]
    return name
