"""Answering one connection's commands in their order, each exactly once."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from libs.runtime.logs import bound, get_logger
from libs.runtime.metrics import observe
from libs.runtime.refusals import Refusal
from services.gateway import frames
from services.gateway.commands import Commands
from services.gateway.lobby import Answer
from services.gateway.metrics import GatewayMetrics
from services.gateway.pushed import Error, Ok
from services.gateway.session import Session
from services.gateway.waiter import Waiter

WAITING = 128
"""So many commands of one connection wait for their turn, two bursts; more are refused as busy."""
REMEMBERED = 64
# Game remembers these by their id, and these change nothing.
NOT_REMEMBERED = (frames.Move, frames.Gesture, frames.Say, frames.ListTables, frames.Ping)
# The next try may go better, so that these are no answers to keep.
PASSING = frozenset({"unavailable", "busy", "draining", "too_fast", "too_many_tables"})
log = get_logger()


class Desk:
    """The commands of one connection that wait, and its latest answers by request id."""

    def __init__(
        self,
        name: str,
        session: Session,
        commands: Commands,
        post: Callable[[bytes], None],
        metrics: GatewayMetrics,
    ) -> None:
        self._name = name
        self._session = session
        self._commands = commands
        self._post = post
        self._metrics = metrics
        self._waiting: deque[tuple[frames.AnyCommand, int]] = deque()
        self._waiter = Waiter()
        self._remembered: dict[str, bytes] = {}  # as they were sent: a third of what their parts would take

    def hand_in(self, command: frames.AnyCommand) -> None:
        """Takes the command on; never waits."""
        if len(self._waiting) < WAITING:
            self._waiting.append((command, time.time_ns() // 1000))
            self._waiter.wake()
            return
        refusal = Refusal("busy")
        self._count(command, refusal.reason)
        self._post(frames.encode(Error(command.id, refusal.reason, refusal.detail)))

    async def work(self) -> None:
        """Answers until cancelled."""
        while True:
            while not self._waiting:
                await self._waiter.sleep()
            command, self._session.received_at_us = self._waiting.popleft()
            with bound(request_id=f"{self._name}.{command.id}"):
                await self._serve(command)
            del command  # or the last one stays for as long as nothing follows

    async def _serve(self, command: frames.AnyCommand) -> None:
        known = self._remembered.get(command.id)
        if known is not None and not isinstance(command, NOT_REMEMBERED):
            self._count(command, "repeated")
            self._post(known)
            return
        answer, frame = await self._ask(command)
        took_s = time.time() - self._session.received_at_us / 1e6
        observe(self._metrics.command_seconds.labels(command.__struct_config__.tag), max(0.0, took_s))
        text = frames.encode(frame)
        if not isinstance(command, NOT_REMEMBERED):
            self._remember(command.id, frame, text)
        self._post(text)
        if answer is None:
            return
        if answer.ticket is not None:
            self._session.wait(answer.ticket)
        if answer.leaves:
            self._session.leave()
        elif answer.place is not None and answer.table is not None:
            self._session.enter(answer.place, answer.table, answer.again, answer.reads)

    async def _ask(self, command: frames.AnyCommand) -> tuple[Answer | None, Ok | Error]:
        try:
            answer = await self._commands.answer(self._session, command)
        except Refusal as refusal:
            self._count(command, refusal.reason)
            return None, Error(command.id, refusal.reason, refusal.detail)
        except Exception:
            # Whatever went wrong, the browser waits for an answer, and the connection is still good.
            log.exception("command_failed", t=command.__struct_config__.tag)
            self._count(command, "failed")
            failure = Refusal("unavailable")
            return None, Error(command.id, failure.reason, failure.detail)
        self._count(command, "ok")
        return answer, answer.ok

    def _remember(self, request_id: str, frame: Ok | Error, text: bytes) -> None:
        if isinstance(frame, Error) and frame.reason in PASSING:
            return
        self._remembered[request_id] = text
        if len(self._remembered) > REMEMBERED:
            del self._remembered[next(iter(self._remembered))]

    def _count(self, command: frames.AnyCommand, outcome: str) -> None:
        log.debug("command", t=command.__struct_config__.tag, outcome=outcome)
        self._metrics.commands.labels(command.__struct_config__.tag, outcome).inc()
