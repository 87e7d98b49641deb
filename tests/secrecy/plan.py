"""What happens in a pair of games beside the moves: the same in both, or hidden from the viewer. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from libs.rules.observe import observed
from libs.rules.squares import square_name
from tests.kit.twins import Twins, find_twins, start_at

SHORTEST, LONGEST = 3, 7
VIEWERS = (0, 1, 0, 1, None, 0, 1, 0, 1, 0, 1, None)
PAGES = ("table", "export", "replay", "list", "list_tables")
NO_MOVES = ("e9e4", "zz", "0000", "e2e4qq", "N@f3", "P@e4")
Command = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """A pair of games with all that is done in them.

    By ply, before its move: `asked` are commands of the viewer, whose answers count; `attempts` are commands
    of the other side, which only the second game has, and of which the viewer may notice nothing; `pages` are
    asked for by HTTP; at the plies of `returns` the viewer connects anew. `offline` is the ply at which, in
    the second game of a spectator's pair, a seat is left and taken again. `by_token`: the viewer's second tab
    is another device with the seat's token, else another tab with the same cookie. `spectated`, `worked`: a
    spectator looks on, and a bot's worker at the viewer's seat. `leak` names a fault that a test has planted.
    """

    twins: Twins
    clocked: bool
    by_token: bool
    spectated: bool
    worked: bool
    asked: dict[int, list[Command]]
    attempts: dict[int, list[Command]]
    pages: dict[int, list[str]]
    returns: frozenset[int]
    offline: int | None
    resigns: int
    leak: str = ""

    @property
    def hidden(self) -> frozenset[str]:
        """All that differs behind the fog."""
        more = {"refused attempts": bool(self.attempts), "presence": self.offline is not None}
        offers = any({"t": "offer_draw"} in commands for commands in self.attempts.values())
        return self.twins.hidden | {kind for kind, there in {**more, "offers": offers}.items() if there}


@lru_cache(maxsize=1000)
def make_plan(seed: int) -> Plan:
    """The pair that a seed names."""
    dice = Random(f"plan {seed}")
    viewer = VIEWERS[seed % len(VIEWERS)]
    twins = find_twins(seed, viewer, dice.randint(SHORTEST, LONGEST))
    plies = range(len(twins.moves))
    return Plan(
        twins=twins,
        clocked=dice.random() < 0.5,
        by_token=dice.random() < 0.5,
        spectated=viewer is None or dice.random() < 0.3,
        worked=viewer is not None and dice.random() < 0.5,
        asked=_asked(twins, dice) if viewer is not None else {},
        attempts=_attempts(twins, dice),
        pages={dice.choice(plies): dice.sample(PAGES, k=2)} if plies else {},
        returns=frozenset(ply for ply in plies if dice.random() < 0.08),
        offline=dice.choice(plies) if viewer is None and plies and dice.random() < 0.5 else None,
        resigns=dice.randrange(2),
    )


def _asked(twins: Twins, dice: Random) -> dict[int, list[Command]]:
    """Moves into the fog, of foreign pieces, too early, too late, of no sense; and words about draws."""
    assert twins.viewer is not None
    game = start_at(twins.fen)
    asked: dict[int, list[Command]] = {}
    for ply, uci in enumerate(twins.uci(0)):
        if dice.random() < 0.6:
            sight = observed(game.position, twins.viewer)
            fogged = [square for square in range(64) if square not in sight.squares]
            own = [
                square for square, letter in sight.pieces.items() if letter.isupper() == (twins.viewer == 0)
            ]
            seen = sorted(sight.squares - set(own))
            asked[ply] = [_question(ply, fogged, own, seen, game.position.turn == twins.viewer, dice)]
        game = game.play(uci).game
    return asked


def _question(
    ply: int, fogged: list[int], own: list[int], seen: list[int], on_turn: bool, dice: Random
) -> Command:
    def move(start: int, end: int, at_ply: int, board: str = "A") -> Command:
        return {"t": "move", "board": board, "ply": at_ply, "uci": square_name(start) + square_name(end)}

    foreign, elsewhere, piece = dice.choice(fogged), dice.choice(range(64)), dice.choice(own)
    questions = [
        move(foreign, elsewhere, ply),
        move(dice.choice(seen), elsewhere, ply),
        move(piece, foreign, ply + 1),
        move(piece, foreign, max(0, ply - 1) if ply else 7),
        move(piece, foreign, ply, "B"),
        {"t": "move", "board": "A", "ply": ply, "uci": dice.choice(NO_MOVES)},
        {"t": "offer_draw"},
        {"t": "accept_draw"},
        {"t": "say", "quick": "sit"},
        {"t": "rematch", "agree": True},
    ]
    if not on_turn:  # premoves: whether they would be legal is nobody's to say before the turn
        questions += [move(piece, square, ply) for square in dice.sample(fogged, k=min(4, len(fogged)))]
    else:  # whatever a piece may do, it goes to no square that its own side does not see
        questions += [move(piece, dice.choice(fogged), ply) for _ in range(4)]
    return dice.choice(questions)


def _attempts(twins: Twins, dice: Random) -> dict[int, list[Command]]:
    """What the other side tries in the second game alone."""
    attempts: dict[int, list[Command]] = {}
    for ply in range(len(twins.moves)):
        if dice.random() < 0.15:
            start, end = dice.choices(range(64), k=2)
            uci = square_name(start) + square_name(start) if dice.random() < 0.5 else "a1z9"
            attempts[ply] = [
                {"t": "move", "board": "A", "ply": ply + dice.randint(0, 1), "uci": uci},
                {"t": "move", "board": "B", "ply": end, "uci": uci},
            ][: dice.randint(1, 2)]
    if twins.viewer is None and twins.moves and dice.random() < 0.5:
        attempts.setdefault(dice.randrange(len(twins.moves)), []).append({"t": "offer_draw"})
    return attempts
