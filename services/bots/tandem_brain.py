"""A move of tandem chess: a search of the own board, told what the other board is likely to want. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any

from libs.rules.board import DROP, Board
from libs.rules.generate import legal_moves
from libs.rules.position import Position, Profile
from libs.rules.uci import KIND_LETTERS, move_text
from services.bots.levels import Level
from services.bots.search.engine import MATE, Memory, Search
from services.bots.search.evaluate import Outlook
from services.bots.search.sight import is_mate, mate_in_one
from services.bots.situation import Situation

DEEPEST = 30
_WAITING = -1_500
"""The score of who can only wait for a piece (T-wait)."""
MOST_MEMORIES = 40
"""The seats whose memories are kept, a megabyte each."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a search needs, in plain values: it may be done in another process.

    ``gives`` is added to what captured pieces are worth, by ``side * 8 + kind``. ``moves`` are the legal
    moves as UCI, empty for all of them; ``missed`` is the share of drops left out. ``seed`` decides which,
    and the noise. ``strong``: an engine of the operator's may be asked instead, when there is one.
    ``key`` names the seat whose earlier searches may help, "" for none.
    """

    fen: str
    profile: Profile
    moves: tuple[str, ...]
    gives: tuple[int, ...]
    nodes: int
    noise: int
    missed: float
    seed: int
    strong: bool = False
    key: str = ""

    def values(self) -> dict[str, Any]:
        """As JSON can carry it."""
        return {"game": "tandem", **asdict(self)}

    def shrunk(self, share: float) -> Plan:
        """The plan with a part of its effort."""
        return replace(self, nodes=max(1, int(self.nodes * share)))


class Memories:
    """What the searches of some seats have found out, those that moved last."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[tuple[int, ...], Memory]] = {}

    def of(self, plan: Plan) -> Memory:
        """The memory of a plan's seat; an empty one when what pieces are worth has changed."""
        gives, memory = self._kept.pop(plan.key, ((), Memory()))
        if gives != plan.gives:
            memory = Memory()
        if plan.key:
            self._kept[plan.key] = plan.gives, memory  # as the newest
        while len(self._kept) > MOST_MEMORIES:
            del self._kept[next(iter(self._kept))]
        return memory


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search found: the move, its score in hundredths of a pawn, and the effort."""

    uci: str
    score: int
    depth: int
    nodes: int


def plan(situation: Situation, level: Level, dice: Random) -> Plan:
    """Return what to search in a situation."""
    gives = [0] * 16
    for letter, wish in situation.wishes.items():
        kind = KIND_LETTERS.index(letter)
        # What the partner wants is worth more; what it fears is dear to lose.
        taker = situation.side if wish > 0 else 1 - situation.side
        gives[taker * 8 + kind] = abs(wish)
    return Plan(
        situation.fen,
        situation.profile,
        situation.moves,
        tuple(gives),
        level.nodes,
        level.noise,
        level.missed,
        dice.randrange(1 << 20),
        strong=level.strong,
        # Who misjudges does so anew at every move: what it thought before is no use to it.
        key=situation.key if level.noise == 0 else "",
    )


def think(plan: Plan, stop: Callable[[], bool], memories: Memories | None = None) -> Thought:
    """Search; whatever happens, the answer is one of the plan's moves, "" when it has none.

    ``memories`` keeps what is found out for the next plan with the same key.
    """
    board = Position.from_fen(plan.fen, "tandem").board(plan.profile)
    named = {move_text(move): move for move in legal_moves(board)}
    moves = [named[uci] for uci in plan.moves if uci in named] if plan.moves else list(named.values())
    if not moves:
        # What we make of the FEN is not what the server does, and any legal move will do; or there is none.
        return Thought(plan.moves[0] if plan.moves else "", -MATE if is_mate(board) else _WAITING, 0, 0)
    mate = mate_in_one(board, moves)
    if mate >= 0:
        return Thought(move_text(mate), MATE - 1, 1, 0)
    dice = Random(plan.seed)  # noqa: S311 - a game's dice
    kept = [move for move in moves if not move & DROP or dice.random() >= plan.missed] or moves
    memory = memories.of(plan) if memories is not None else Memory()
    search = _search(plan, board, stop, memory)
    best = search.run(kept, plan.nodes, DEEPEST)
    if search.score <= 2 - MATE and len(kept) < len(moves):
        # Not even the weakest walks into a mate in one when some drop helps.
        search = _search(plan, board, stop, memory)
        best = search.run(moves, plan.nodes, DEEPEST)
    return Thought(move_text(best), search.score, search.depth, search.nodes)


def _search(plan: Plan, board: Board, stop: Callable[[], bool], memory: Memory) -> Search:
    outlook = Outlook()
    outlook.gives = [usual + more for usual, more in zip(outlook.gives, plan.gives, strict=True)]
    return Search(board, outlook, stop, plan.noise, plan.seed, memory)
