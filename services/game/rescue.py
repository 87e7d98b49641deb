"""A bot that no worker plays is moved for shortly before its flag: better any move than a lost match."""

from __future__ import annotations

from libs.rules.tandem import TandemMatch
from libs.runtime.refusals import Refusal
from services.game.commands import MoveCommand
from services.game.match import Match
from services.game.metrics import GameMetrics
from services.game.referee import Referee
from services.game.stamps import Stamp, read_stamp
from services.game.store import GAME_ITSELF


def instant_move(match: Match, board: int) -> str | None:
    """A legal move for the side to move, the same for the same position; None when it has to wait (T-wait).

    It moves rather than drops: what is in hand may be worth more to whoever plays the seat next.
    """
    game = match.game
    moves = game.legal_moves(board) if isinstance(game, TandemMatch) else game.position.legal_moves()
    return min(moves, key=lambda uci: ("@" in uci, uci), default=None)


def in_need(match: Match, stamp: Stamp, rescue_ms: int) -> list[int]:
    """The bots whose clock runs and has no more than so much left."""
    return [
        seat
        for seat in sorted(stamp.running)
        if not match.players[seat].human and stamp.remaining_us[seat] <= rescue_ms * 1000
    ]


class Rescue:
    """The last resort after the bot workers' own fallbacks."""

    def __init__(self, referee: Referee, rescue_ms: int, metrics: GameMetrics) -> None:
        self._referee = referee
        self._rescue_ms = rescue_ms
        self._metrics = metrics

    async def look(self, match_id: str) -> None:
        """Move for the bots of a match that need it."""
        reading = await self._referee.read(match_id, whole=False)
        match = await self._referee.match(match_id)
        for seat in in_need(match, read_stamp(reading.stamp), self._rescue_ms):
            board = seat // 2
            uci = instant_move(match, board)
            if uci is None:
                continue
            command = MoveCommand(seat, True, board, match.plies[board], uci)
            try:
                await self._referee.act(match_id, GAME_ITSELF, command)
                self._metrics.rescues.inc()
            except Refusal:  # its worker was faster, or the match is over
                continue
