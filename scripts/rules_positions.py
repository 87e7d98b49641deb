"""Makes web/src/rules/positions.json: the positions of the rules pages, with every move that the rules allow.

`python scripts/rules_positions.py` writes the file. The page knows no rules: it shows what is written there.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from libs.rules.fog import FogGame  # noqa: E402
from libs.rules.observe import observed  # noqa: E402
from libs.rules.position import Played, Position, Variant  # noqa: E402
from libs.rules.squares import parse_square, square_name  # noqa: E402

POSITIONS = ROOT / "web" / "src" / "rules" / "positions.json"
WHITE = 0
KINDS = "QRBNP"


@dataclass(frozen=True)
class Exercise:
    """A position in which White is to make one of the `goals`.

    `arrives` is the piece that the partner sends before anything can be done; `replies` are Black's
    answers to White's moves.
    """

    variant: Variant
    fen: str
    goals: tuple[str, ...]
    arrives: str = ""
    replies: dict[str, str] = field(default_factory=dict)


PROMOTIONS = tuple(f"a7a8{letter}" for letter in "qrbn")
EXERCISES = {
    "capture": Exercise("tandem", "4k3/8/2p5/3n4/4P3/8/5PPP/6K1[] w - - 0 1", ("e4d5",)),
    "block": Exercise("tandem", "6k1/5ppp/8/8/8/8/5PPP/4r1K1[P] w - - 0 1", ("N@f1",), arrives="N"),
    "promoted": Exercise(
        "tandem",
        "3r2k1/P4ppp/8/8/8/8/5PPP/6K1[] w - - 0 1",
        PROMOTIONS,
        replies=dict.fromkeys(PROMOTIONS, "d8a8"),
    ),
    "mate": Exercise("tandem", "6rk/6pp/8/8/8/8/5PPP/6K1[QN] w - - 0 1", ("N@f7",)),
    "pawn_sight": Exercise("fog", "6k1/8/2p5/3np3/4P3/8/5PPP/6K1 w - - 0 1", ("e4d5",)),
    "en_passant": Exercise("fog", "6k1/5ppp/8/3pP3/8/8/5PPP/6K1 w - d6 0 1", ("e5d6",)),
    "fallen": Exercise(
        "fog", "6k1/1p3ppp/p7/8/3N4/8/5PPP/6K1 w - - 0 1", ("d4b5",), replies={"d4b5": "a6b5"}
    ),
    "king": Exercise("fog", "4k3/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", ("e1e8",)),
}


def placement(pieces: dict[int, str], seen: frozenset[int]) -> str:
    """64 characters from a8 to h1, as on the wire: letters, `.` for an empty square, `?` for fog."""
    order = [8 * rank + file for rank in range(7, -1, -1) for file in range(8)]
    return "".join(pieces.get(square, ".")[0] if square in seen else "?" for square in order)


def view(position: Position, last: tuple[str, ...] = (), mark: int | None = None) -> dict[str, Any]:
    """What White sees of a position."""
    everything = placement(position.pieces(), frozenset(range(64)))
    shown: dict[str, Any] = {"pieces": everything, "last": list(last)}
    if position.variant == "tandem":
        shown["promoted"] = [square_name(s) for s, piece in position.pieces().items() if piece.endswith("~")]
        hand = position.hand(WHITE)
        shown["hand"] = "".join(kind * hand[kind] for kind in KINDS)
        shown["state"] = position.verdict()
        return shown
    seen = observed(position, WHITE)
    shown["pieces"] = placement(seen.pieces, seen.squares)
    shown["last"] = [name for name in last if parse_square(name) in seen.squares]
    shown["truth"] = everything
    shown["mark"] = None if mark is None else square_name(mark)
    return shown


def squares_of(uci: str) -> tuple[str, ...]:
    return (uci[2:4],) if uci[1] == "@" else (uci[:2], uci[2:4])


def sent(played: Played) -> str:
    """The piece that a capture sends to the mover's partner, "" for none; in fog there is no partner."""
    return (played.captured or "") if played.position.variant == "tandem" else ""


def answer(position: Position, uci: str, exercise: Exercise) -> dict[str, Any]:
    """What a move of White's leads to."""
    played = position.play(uci)
    made: dict[str, Any] = {"view": view(played.position, squares_of(uci)), "sent": sent(played)}
    reply = exercise.replies.get(uci)
    if reply is not None:
        mark = None
        if exercise.variant == "fog":
            mark = FogGame.at(played.position).play(reply).mark
        back = played.position.play(reply)
        made["reply"] = {"view": view(back.position, squares_of(reply), mark), "sent": sent(back)}
    return made


def written(exercise: Exercise) -> dict[str, Any]:
    position = Position.from_fen(exercise.fen, exercise.variant)
    data: dict[str, Any] = {"variant": exercise.variant, "start": view(position)}
    if exercise.arrives:
        position = position.with_in_hand(exercise.arrives)
        data["arrives"] = {"piece": exercise.arrives, "view": view(position)}
    data["goals"] = list(exercise.goals)
    data["answers"] = {uci: answer(position, uci, exercise) for uci in position.legal_moves()}
    return data


def positions() -> str:
    """The whole file."""
    data = {name: written(exercise) for name, exercise in EXERCISES.items()}
    return json.dumps(data, separators=(",", ":")).replace('},"', '},\n"') + "\n"


if __name__ == "__main__":
    POSITIONS.write_text(positions())
