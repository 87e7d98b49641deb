"""One seat of one match, played from its first full view to the end or to the loss of the lease."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterable
from dataclasses import replace
from random import Random

from gen.tandemfog.game.v1 import game_pb2
from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.view.v1 import view_pb2
from libs.runtime.logs import get_logger
from services.bots.fog_brain import accepts_draw
from services.bots.hands import DONE, Hands
from services.bots.match_view import MatchView
from services.bots.metrics import BotsMetrics
from services.bots.pace import think_ms
from services.bots.partnership import Partnership
from services.bots.situation import Situation
from services.bots.thinker import Thinker, ceiling_ms
from services.bots.watching import Watching

log = get_logger()
TRIES = 3
"""A move, another one when it was refused as illegal, and any legal one; then the bot waits for news."""
PAUSE_MS = 200.0
LONGEST_PAUSE_MS = 2_000.0
SILENCE_MS = 3_000.0
"""A move that was made must show within it, or the view is asked for anew."""
_REPEAT = frozenset({"busy", "unavailable", "unconfirmed", "draining"})
_BEHIND = frozenset({"stale", "not_your_turn", "over"})
_NOT_OURS = frozenset({"stale_lease", "bad_token", "not_your_seat"})


class Player:
    """Plays a seat: ``run`` ends when the match is over, or with ``lost`` set when the seat is not ours."""

    def __init__(
        self,
        viewer: int,
        match_id: str,
        seat: int,
        lease: int,
        token: str,
        level: int,
        hands: Hands,
        watching: Watching,
        thinker: Thinker,
        metrics: BotsMetrics,
        pace: float,
        dice: Random,
    ) -> None:
        self.viewer, self.match_id, self.token = viewer, match_id, token
        self.seat, self.lease = seat, lease
        self.lost = False
        self._level = level
        self._hands = hands
        self._watching = watching
        self._thinker = thinker
        self._metrics = metrics
        self._pace = pace
        self._dice = dice
        self._view = MatchView(seat)
        self._partner = Partnership(seat, lease, hands, thinker, dice)
        self._look: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._over = False
        # About the position to move in: its ply, when to move, and what was tried.
        self._ply = -1
        self._move_at_ms = 0.0
        self._sent: tuple[str, str] | None = None
        self._position: Situation | None = None
        self._refused: set[str] = set()
        self._requests = 0
        self._awaiting = False
        self._pause_ms = PAUSE_MS
        self._answered_offer = -1

    def frame(self, frame: view_pb2.Frame) -> None:
        """Take what the seat may see."""
        known = self._view.seen
        if frame.HasField("talk"):
            self._hear([frame.talk], answering=True)
        elif frame.HasField("refused"):
            self._not_shown(frame.refused)
        elif self._view.take(frame.view, _now_ms()):
            # What was said before we came is heeded, but answered by whoever sat here then.
            self._hear(frame.view.talk, answering=known)
        else:
            self._resync("gap")
        self._news.set()

    async def run(self) -> None:
        """Play until the match is over or the seat is lost."""
        self._watching.watch(self)
        try:
            while not (self._over or self.lost or self._view.outcome is not None):
                self._news.clear()
                await self._answer()
                await self._wait(await self._play())
        finally:
            self._look_at(None)
            self._watching.leave(self)

    async def _wait(self, pause_ms: float | None) -> None:
        """Wait for news, or for so long."""
        try:
            async with asyncio.timeout(None if pause_ms is None else max(0.0, pause_ms) / 1000):
                await self._news.wait()
        except TimeoutError:
            pass

    async def _play(self) -> float | None:
        """Move when it is time to; milliseconds until there may be something to do, None for only news."""
        view, now_ms = self._view, _now_ms()
        if view.to_move and view.ply != self._ply:
            self._ply, self._sent, self._refused = view.ply, None, set()
            self._awaiting, self._pause_ms = False, PAUSE_MS
            self._move_at_ms = now_ms + self._think_ms(now_ms)
            if view.variant == "tandem":
                self._look_at(self._ask(view.situation({})))
        if not view.on_turn:
            return None
        due_ms = max(self._move_at_ms, self._partner.sits_until_ms(view))
        if now_ms < due_ms:
            return due_ms - now_ms
        if len(self._refused) >= TRIES:
            return None
        if self._awaiting:
            self._awaiting = False
            self._resync("silence")
            self._move_at_ms = now_ms + SILENCE_MS
        else:
            await self._move()
        return max(0.0, self._move_at_ms - _now_ms())

    async def _move(self) -> None:
        """Send a move, or the one before once more when nobody answered for it."""
        if self._sent is None:
            started = time.perf_counter()
            uci = await self._chosen()
            self._metrics.choose_seconds.observe(time.perf_counter() - started)
            if uci is None:
                return
            self._requests += 1
            self._sent = f"m{self._ply}-{self.lease}-{self._requests}", uci
        request_id, uci = self._sent
        answer = await self._hands.move(request_id, self._view.board.board, self._ply, uci)
        self._metrics.moves.labels(answer).inc()
        if answer in _REPEAT:
            self._move_at_ms = _now_ms() + self._pause_ms
            self._pause_ms = min(LONGEST_PAUSE_MS, 2 * self._pause_ms)
            return
        self._sent = None
        if answer == DONE and self._view.variant == "tandem" and self._position is not None:
            self._look_at(self._partner.warn(self._position, uci, _now_ms()))
        if answer == DONE or answer in _BEHIND:
            self._awaiting = True
            self._move_at_ms = _now_ms() + SILENCE_MS
            if answer in _BEHIND:
                self._resync(answer)
        elif answer in _NOT_OURS:
            self.lost = True
        elif answer == "unknown_match":
            self._over = True
        else:
            log.error("move_refused", match_id=self.match_id, seat=self.seat, reason=answer)
            self._refused.add(uci)

    async def _chosen(self) -> str | None:
        """Return the thinker's move, and for the last try any other legal one (T13).

        None when the position was left or changed meanwhile, the hand included: there is no more to answer,
        or the next look at it thinks anew.
        """
        self._position = situation = self._view.situation(self._partner.wishes(_now_ms()))
        moves = tuple(move for move in situation.moves if move not in self._refused) or situation.moves
        if len(self._refused) == TRIES - 1:
            return self._dice.choice(moves)
        longest_ms = ceiling_ms(self._view.remaining_ms(_now_ms()))
        thinking = asyncio.ensure_future(
            self._thinker.choose(replace(situation, moves=moves), self._level, longest_ms, self._dice)
        )
        try:
            while not thinking.done():
                news = asyncio.ensure_future(self._news.wait())
                await asyncio.wait({thinking, news}, return_when=asyncio.FIRST_COMPLETED)
                news.cancel()
                self._news.clear()
                if not self._view.on_turn or self._view.situation({}) != replace(situation, wishes={}):
                    return None
            return thinking.result()
        finally:
            thinking.cancel()
            self._news.set()  # what came meanwhile is still to be looked at

    def _think_ms(self, now_ms: float) -> int:
        time_control = self._view.setup.time
        return think_ms(
            len(self._view.moves()),
            self._ply,
            self._view.lead,
            self._view.remaining_ms(now_ms),
            time_control.increment_ms,
            self._pace,
            self._dice,
        )

    async def _answer(self) -> None:
        """Answer the partner's words, and in fog a draw offer; tandem asks no bots (T-draw, F-draw)."""
        await self._partner.answer()
        view = self._view
        if view.seen and view.variant == "fog" and view.asked_for_draw() and self._answered_offer != view.ply:
            self._answered_offer = view.ply
            agrees = accepts_draw(view.board.pieces, view.side, view.captures, view.ply)
            gesture = game_pb2.GESTURE_ACCEPT_DRAW if agrees else game_pb2.GESTURE_DECLINE_DRAW
            await self._hands.gesture(f"d{view.version}-{self.lease}", gesture)

    def _hear(self, lines: Iterable[types_pb2.TalkLine], answering: bool) -> None:
        """Take in the partner's words."""
        for line in lines:
            self._partner.hear(line, self._view, _now_ms(), answering)

    def _look_at(self, look: Coroutine[None, None, None] | None) -> None:
        """Look at what might be while there is nothing else to do: at one thing at a time."""
        if self._look is not None:
            self._look.cancel()
        self._look = None if look is None else asyncio.create_task(look)

    async def _ask(self, situation: Situation) -> None:
        if await self._partner.ask(situation, self._view, _now_ms()):
            self._news.set()

    def _not_shown(self, reason: str) -> None:
        """No view came: the match is gone, or the seat is not ours, or visibility could not ask game."""
        log.warning("view_refused", match_id=self.match_id, seat=self.seat, reason=reason)
        if reason == "unknown_match":
            self._over = True
        elif reason in _NOT_OURS:
            self.lost = True
        else:
            asyncio.get_running_loop().call_later(SILENCE_MS / 1000, self._resync_if_blind)

    def _resync_if_blind(self) -> None:
        if not (self._view.seen or self._over or self.lost):
            self._resync("refused")

    def _resync(self, why: str) -> None:
        self._metrics.resyncs.labels(why).inc()
        self._watching.watch(self)


def _now_ms() -> float:
    return asyncio.get_running_loop().time() * 1000
