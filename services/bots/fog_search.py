"""A move of fog of war: all are tried in many of the positions believed in, and the mean decides. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any

from libs.rules.generate import find_move
from libs.rules.position import Position
from libs.rules.uci import parse_move
from services.bots import fog_brain
from services.bots.belief import Belief, Sighting
from services.bots.levels import Level
from services.bots.search.engine import MATED, Search
from services.bots.search.evaluate import Outlook
from services.bots.situation import Situation
from services.bots.tandem_brain import Thought

_KING = 2_500.0
"""More than that no position is worth: a king that may fall counts by how likely it is."""
_CHOSEN = 8
"""So many moves are looked at more deeply."""
_MOST_NODES = 20_000


@dataclass(frozen=True, slots=True)
class FogPlan:
    """All that a choice in fog needs, in plain values: it may be made in another process.

    ``key`` names the seat, so that a process knows its belief again; ``history`` is all that the seat has
    seen since ``first_ply``, as (own move, pieces); ``captures`` it had made before that.
    """

    key: str
    side: int
    moves: tuple[str, ...]
    first_ply: int
    captures: int
    history: tuple[tuple[str, str], ...]
    belief: int
    samples: int
    depth: int
    noise: int
    seed: int

    def values(self) -> dict[str, Any]:
        """As JSON can carry it."""
        return {"game": "fog", **asdict(self)}

    def shrunk(self, share: float) -> FogPlan:
        """The plan with a part of its effort."""
        return replace(self, samples=max(2, int(self.samples * share)))


def plan(situation: Situation, level: Level, dice: Random) -> FogPlan:
    """Return what to look at in a situation of fog."""
    return FogPlan(
        situation.key,
        situation.side,
        situation.moves,
        situation.first_ply,
        situation.captures,
        tuple((sighting.uci, sighting.pieces) for sighting in situation.history),
        level.belief,
        level.samples,
        level.fog_depth,
        level.fog_noise,
        dice.randrange(1 << 20),
    )


def think(plan: FogPlan, beliefs: dict[str, Belief], stop: Callable[[], bool]) -> Thought:
    """Return the move with the best mean over sampled positions; ``beliefs`` keeps what was believed."""
    dice = Random(plan.seed)  # noqa: S311 - a game's dice
    king = _king_to_take(plan)
    if king is not None:
        return Thought(king, MATED + 1, 1, 0)
    positions = _believed(plan, beliefs, dice, stop)
    if not positions:  # nothing that we can make up looks like it: what is in view must do
        seen = Situation("fog", "online", plan.side, "", plan.history[-1][1], tuple(plan.moves))
        return Thought(fog_brain.choose(seen, plan.noise, dice), 0, 0, 0)
    samples = dice.sample(positions, min(len(positions), plan.samples))
    search = Search(Position.start("fog").board(), Outlook(), stop)
    means, nodes = _means(plan.moves, samples, 1, search)
    reached = 1
    for depth in range(2, plan.depth + 1):
        best = tuple(sorted(means, key=lambda uci: -means[uci])[:_CHOSEN])
        deeper, more = _means(best, samples, depth, search)
        if stop():
            break
        means, nodes, reached = deeper, nodes + more, depth
    noisy = {uci: mean + dice.gauss(0.0, plan.noise) for uci, mean in means.items()}
    chosen = max(noisy, key=lambda uci: noisy[uci])
    return Thought(chosen, int(means[chosen]), reached, nodes)


def _believed(
    plan: FogPlan, beliefs: dict[str, Belief], dice: Random, stop: Callable[[], bool]
) -> list[Position]:
    """The positions that fit what the seat has seen, from what was believed before where that is known."""
    history = tuple(Sighting(uci, pieces) for uci, pieces in plan.history)
    belief = beliefs.pop(plan.key, None)
    if belief is None or not belief.follow(plan.first_ply, history, dice, stop):
        belief = Belief(plan.side, plan.first_ply, history[0], plan.captures, plan.belief)
        belief.follow(plan.first_ply, history, dice, stop)
    beliefs[plan.key] = belief  # as the newest
    return belief.positions


def _means(
    moves: tuple[str, ...], samples: list[Position], depth: int, search: Search
) -> tuple[dict[str, float], int]:
    """The mean worth of each move over the samples in which it is legal, and the nodes that it took."""
    sums = dict.fromkeys(moves, 0.0)
    counts = dict.fromkeys(moves, 0)
    nodes = 0
    for position in samples:
        search.board = board = position.board()
        for uci in moves:
            move = find_move(board, parse_move(uci))
            if move < 0:
                continue  # believed a little wrong: a made up position knows no en passant
            worth = search.worth(move, depth, _MOST_NODES)
            nodes += search.nodes
            sums[uci] += max(-_KING, min(_KING, worth))
            counts[uci] += 1
        if search.stop():
            break
    return {uci: sums[uci] / counts[uci] if counts[uci] else -_KING for uci in moves}, nodes


def _king_to_take(plan: FogPlan) -> str | None:
    """A move that takes the king in view (F-win)."""
    pieces = plan.history[-1][1]
    king = "K" if plan.side else "k"
    for uci in plan.moves:
        if pieces[(8 - int(uci[3])) * 8 + ord(uci[2]) - ord("a")] == king:
            return uci
    return None
