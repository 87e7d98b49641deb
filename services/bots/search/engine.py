"""Alpha-beta over one board: iterative deepening, quiescence, hash table, killers, history, extensions.

One file for both builds: mypyc compiles it, and without a compiler it runs as it is, node for node the same.
It knows neither clocks nor dice: when to stop is asked of ``stop``, and noise comes from ``seed``.

Scores are hundredths of a pawn for the side to move. MATE minus the ply is a mate, or in fog a king taken.
A check that a drop could block is no mate (T-mate): see ``evaluate.stuck``.
"""

from collections.abc import Callable
from typing import Final

from mypy_extensions import i64

from libs.rules.board import DROP, Board
from libs.rules.generate import captures
from services.bots.search.evaluate import KING_TAKEN, Outlook, danger, gain, material, stuck
from services.bots.search.hash_table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NOTHING,
    HashTable,
    bound_in,
    depth_in,
    move_in,
    score_in,
)
from services.bots.search.ordering import (
    CHECKS,
    EITHER,
    LOUD,
    MOVE,
    ORDER_SHIFT,
    PERHAPS_CHECKS,
    Ordering,
)
from services.bots.search.picking import ANY_ORDER, all_items, hangs, loses, loud_items
from services.bots.search.sight import allows_mate, can_block, check_marks
from services.bots.search.tables import FOG_CELLS, LESS, TANDEM_CELLS

MATE: Final = 30_000
MATED: Final = 29_000  # a score beyond it is a mate in some number of moves
INFINITE: Final = 32_000
MAX_PLY: Final = 60
_NULL_KEY: Final = 0x0545F4914F6CDD1D
_LAZY: Final = 280
_TEMPO: Final = 12
_MOST_TAKEN: Final = 1_300
_DELTA: Final = 100
_ANY_DEPTH: Final = 99
# How near the last plies the search trusts its eyes instead of looking, in plies, and by how much a ply.
_AHEAD_PLIES: Final = 6
_AHEAD_MARGIN: Final = 75
_BEHIND_PLIES: Final = 3
_BEHIND_MARGIN: Final = 50
_BEHIND_MARGIN_IN_FOG: Final = 100
_FEW_MOVES_PLIES: Final = 6
_CHECKS_THAT_HANG_PLIES: Final = 2
_MOST_BY_PLACE: Final = 70


class Memory:
    """What the searches of one seat have found out, for its next one: positions, and which moves are good."""

    def __init__(self) -> None:
        self.hash: HashTable = HashTable()
        self.ordering: Ordering = Ordering(MAX_PLY)


class Search:
    """One search of a board, which is as before afterwards.

    ``noise`` is how far leaves are misjudged, in hundredths of a pawn, and ``seed`` says in which way.
    ``stop`` is asked now and then whether to break off. ``memory`` is what earlier searches have left.
    """

    def __init__(
        self,
        board: Board,
        outlook: Outlook,
        stop: Callable[[], bool],
        noise: int = 0,
        seed: int = 0,
        memory: Memory | None = None,
    ) -> None:
        self.board: Board = board
        self.supply: list[int] = outlook.supply
        self.gives: list[int] = [0] * 16 if board.fog else outlook.gives
        self.table: list[int] = FOG_CELLS if board.fog else TANDEM_CELLS
        self.stop: Callable[[], bool] = stop
        self.noise: i64 = noise
        self.seed: i64 = seed & 0xFFFFF
        known: Memory = memory if memory is not None else Memory()
        self.hash: HashTable = known.hash
        self.ordering: Ordering = known.ordering
        self.ordering.begin()
        self.node_limit: i64 = 0
        self.deepest: i64 = 0
        self.stopped: bool = False
        self.nodes: i64 = 0
        """Moves made in the search."""
        self.depth: i64 = 0
        """The last depth that was searched to its end."""
        self.score: i64 = 0
        """The score of the best move."""

    def run(self, moves: list[int], node_limit: i64, depth_limit: i64) -> int:
        """The best of the board's legal ``moves``, -1 when there are none.

        At most ``node_limit`` moves are made, and ``depth_limit`` is the last depth tried; a mate ends it.
        """
        board = self.board
        self.nodes = 0
        self.node_limit = node_limit
        self.stopped = False
        self.depth = 0
        if not moves:
            return -1
        total: i64 = material(board, self.table)
        score: i64 = -total if board.turn else total
        items = self.ordering.ordered(board, moves, check_marks(board), -1, 0, ANY_ORDER)
        best: i64 = items[0] & MOVE
        depth: i64
        for depth in range(1, depth_limit + 1):
            self.deepest = depth + 8 if depth < MAX_PLY - 8 else MAX_PLY
            found: i64 = self._root(items, depth, score)
            if found >= 0:
                best = found
            if self.stopped:
                break
            self.depth = depth
            place: int = [item & MOVE for item in items].index(best)
            items.insert(0, items.pop(place))
            if self.score > MATED or self.score < -MATED or len(items) == 1:
                break
        return best

    def worth(self, move: i64, depth: i64, node_limit: i64) -> int:
        """What one legal move is worth at a depth, 1 for captures only; less deep when nodes run out."""
        board = self.board
        self.nodes = 0
        self.node_limit = node_limit
        self.stopped = False
        total: i64 = material(board, self.table)
        score: i64 = -total if board.turn else total
        added: i64 = gain(board, move, self.table, self.gives)
        if added == KING_TAKEN:
            return MATE - 1
        value: i64 = score + added
        board.make(move)
        reached: i64
        for reached in range(1, depth + 1):
            self.deepest = reached
            king: i64 = board.kings[board.turn]
            checks: bool = king >= 0 and board.attacked(king, 1 - board.turn)
            found: i64 = -self._visit(reached - 1, -INFINITE, INFINITE, 1, -score - added, checks)
            if self.stopped:
                break
            value = found
        board.unmake(move)
        return value

    def _root(self, items: list[int], depth: i64, score: i64) -> i64:
        """One iteration; the best move found, -1 when it was stopped before one was known."""
        board = self.board
        best: i64 = -1
        alpha: i64 = -INFINITE
        value: i64 = 0
        less: i64
        item: i64
        number: i64
        for number, item in enumerate(items):
            move: i64 = item & MOVE
            added: i64 = gain(board, move, self.table, self.gives)
            if added == KING_TAKEN:
                self.score = MATE - 1
                return move
            board.make(move)
            checks: bool = self._checks(item)
            less = 0
            if number >= 4 and depth >= 3 and item & EITHER == 0 and item >> ORDER_SHIFT < LOUD:
                less = LESS[depth << 6 | (number if number < 63 else 63)] - 1
                less = 0 if less < 0 else less if less < depth else depth - 1
            value = 0
            if best >= 0:
                value = -self._visit(depth - 1 - less, -alpha - 1, -alpha, 1, -score - added, checks)
                if less and value > alpha and not self.stopped:
                    value = -self._visit(depth - 1, -alpha - 1, -alpha, 1, -score - added, checks)
            if best < 0 or (value > alpha and not self.stopped):
                value = -self._visit(depth - 1, -INFINITE, -alpha, 1, -score - added, checks)
            # However little was searched: a move that allows a mate in one is worth no more than that.
            if value > alpha and value > 2 - MATE and not self.stopped and allows_mate(board):
                value = 2 - MATE
            board.unmake(move)
            if self.stopped:
                break
            if value > alpha:
                alpha = value
                best = move
                self.score = value
        return best

    def _checks(self, item: i64) -> bool:
        """Whether the move just made gives check; in fog whether it attacks the king."""
        if item & PERHAPS_CHECKS == 0:
            return item & CHECKS != 0
        board = self.board
        king: i64 = board.kings[board.turn]
        return king >= 0 and board.attacked(king, 1 - board.turn)

    def _visit(self, depth: i64, alpha: i64, beta: i64, ply: i64, score: i64, checked: bool) -> i64:
        """The score of the position that a move has just led to, for its side to move."""
        if self.nodes >= self.node_limit or (self.nodes & 127 == 0 and self.stop()):
            self.stopped = True
        if self.stopped:
            return 0
        self.nodes += 1
        if checked and ply < self.deepest:
            depth += 1
        if depth <= 0 or ply >= MAX_PLY:
            return self._quiet(alpha, beta, ply, score)
        return self._search(depth, alpha, beta, ply, score, checked)

    def _search(  # noqa: C901 - one node of alpha-beta, told in one piece
        self, depth: i64, alpha: i64, beta: i64, ply: i64, score: i64, checked: bool
    ) -> i64:
        board = self.board
        key: i64 = board.key
        entry: i64 = self.hash.entry(key)
        hash_move: i64 = -1
        value: i64
        if entry != NOTHING:
            hash_move = move_in(entry)
            if depth_in(entry) >= depth:
                value = score_in(entry)
                value = value - ply if value > MATED else value + ply if value < -MATED else value
                bound: i64 = bound_in(entry)
                if (
                    bound == EXACT
                    or (bound == AT_LEAST and value >= beta)
                    or (bound == AT_MOST and value <= alpha)
                ):
                    return value
        stand: i64 = score
        if not checked:
            stand = self._evaluate(score, alpha, beta)
            if (
                depth <= _AHEAD_PLIES
                and stand - _AHEAD_MARGIN * depth >= beta
                and beta - alpha == 1
                and -MATED < beta < MATED
                and not board.fog
            ):
                return stand
            if depth >= 2 and stand >= beta and beta < MATED and board.en_passant < 0:
                value = self._sit(depth, beta, ply, score)
                if self.stopped:
                    return 0
                if value >= beta:
                    return value if value < MATED else beta
        margin: i64 = (_BEHIND_MARGIN_IN_FOG if board.fog else _BEHIND_MARGIN) * depth
        hopeless: bool = not checked and depth <= _BEHIND_PLIES and stand + _MOST_BY_PLACE + margin <= alpha
        marks = check_marks(board)
        best: i64 = -INFINITE
        best_move: i64 = -1
        first_alpha: i64 = alpha
        tried: i64 = 0
        first_less: i64 = 3 if board.fog else 2
        less: i64
        item: i64
        loud: i64 = 0
        items: list[int] = []
        for everything in (False, True):
            if everything:
                items = all_items(
                    self.ordering, board, marks, hash_move, ply, hopeless, _ANY_DEPTH if checked else depth
                )
                if not items:
                    return self._no_move(ply, score, checked)
                items = items[loud:]
            elif not hopeless:  # what is loud is often enough, and soon listed
                items = loud_items(self.ordering, board, marks, hash_move, ply)
                loud = len(items)
            for item in items:
                move: i64 = item & MOVE
                plain: bool = not checked and item & EITHER == 0 and item >> ORDER_SHIFT < LOUD
                # While all loses to a mate, every move is looked at.
                sparing: bool = plain and best > -MATED
                if sparing and (hopeless or (depth <= _FEW_MOVES_PLIES and tried >= 6 + 4 * depth * depth)):
                    break  # what is left is quiet as well
                added: i64 = gain(board, move, self.table, self.gives)
                if added == KING_TAKEN:
                    return MATE - ply - 1
                if sparing and depth <= _BEHIND_PLIES:
                    if stand + added + margin <= alpha:
                        continue
                    if move & DROP and hangs(board, move):
                        continue
                elif (
                    depth <= _CHECKS_THAT_HANG_PLIES
                    and move & DROP
                    and item & CHECKS
                    and best > -MATED
                    and not checked
                    and move != hash_move
                    and hangs(board, move)
                ):
                    continue
                board.make(move)
                checks: bool = self._checks(item)
                less = 0
                if plain and depth >= first_less and tried >= 2:
                    less = LESS[depth << 6 | (tried if tried < 63 else 63)]
                    if less and beta - alpha > 1:
                        less -= 1
                    if less >= depth:
                        less = depth - 1
                tried += 1
                value = alpha + 1
                if tried > 1:
                    value = -self._visit(
                        depth - 1 - less, -alpha - 1, -alpha, ply + 1, -score - added, checks
                    )
                    if less and value > alpha and not self.stopped:
                        value = -self._visit(depth - 1, -alpha - 1, -alpha, ply + 1, -score - added, checks)
                if tried == 1 or (alpha < value < beta and not self.stopped):
                    value = -self._visit(depth - 1, -beta, -alpha, ply + 1, -score - added, checks)
                board.unmake(move)
                if self.stopped:
                    return 0
                if value > best:
                    best = value
                    best_move = move
                    if value > alpha:
                        alpha = value
                        if value >= beta:
                            if item >> ORDER_SHIFT < LOUD:
                                self.ordering.remember(board, items, move, depth, ply)
                            break
            if best >= beta:
                break
        value = best + ply if best > MATED else best - ply if best < -MATED else best
        bound = AT_LEAST if best >= beta else EXACT if best > first_alpha else AT_MOST
        self.hash.store(key, best_move, depth, bound, value)
        return best

    def _sit(self, depth: i64, beta: i64, ply: i64, score: i64) -> i64:
        """The score when the side to move lets the other one move twice: possible, and never best."""
        board = self.board
        board.turn = 1 - board.turn
        board.key ^= _NULL_KEY
        value: i64 = -self._visit(depth - 3, -beta, 1 - beta, ply + 1, -score, False)
        board.turn = 1 - board.turn
        board.key ^= _NULL_KEY
        return value

    def _no_move(self, ply: i64, score: i64, checked: bool) -> i64:
        """Mated, drawn in fog, or waiting (T-mate, T-club-mate, T-wait, F-draw)."""
        board = self.board
        if board.fog:
            return 0
        if checked and (board.club or not can_block(board)):
            return ply - MATE
        return score - stuck(board, self.supply, checked)

    def _quiet(self, alpha: i64, beta: i64, ply: i64, score: i64) -> i64:
        """Captures until it is quiet; to take nothing is always a choice."""
        board = self.board
        best: i64 = self._evaluate(score, alpha, beta)
        if best >= beta or ply >= MAX_PLY or (best + _MOST_TAKEN <= alpha and not board.fog):
            return best
        stand: i64 = best
        alpha = max(alpha, best)
        item: i64
        for item in self.ordering.loud(board, captures(board)):
            move: i64 = item & MOVE
            added: i64 = gain(board, move, self.table, self.gives)
            if added == KING_TAKEN:
                return MATE - ply - 1
            if stand + added + _DELTA <= alpha:
                continue
            if not board.fog and loses(board, move, added, alpha - stand, self.gives):
                continue
            board.make(move)
            value: i64 = -self._visit(0, -beta, -alpha, ply + 1, -score - added, False)
            board.unmake(move)
            if self.stopped:
                return 0
            if value > best:
                best = value
                alpha = max(alpha, value)
                if value >= beta:
                    break
        return best

    def _evaluate(self, score: i64, alpha: i64, beta: i64) -> i64:
        """The score with the kings' safety, which is left out where it decides nothing."""
        if score - _LAZY >= beta:
            return score - _LAZY
        if score + _LAZY <= alpha:
            return score + _LAZY
        board = self.board
        side: i64 = board.turn
        value: i64 = score + _TEMPO + danger(board, 1 - side) - danger(board, side)
        if self.noise:
            mixed: i64 = ((board.key >> 9) ^ self.seed) & 0xFFFFF
            mixed = (mixed * 40_503 >> 5) & 0xFFFF
            value += (mixed * (2 * self.noise + 1) >> 16) - self.noise
        return value
