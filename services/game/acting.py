"""A seat's command, from the token that proves the seat to the version it has led to."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from gen.tandemfog.game.v1.game_pb2 import ActRequest, ActResponse
from libs.identity.tokens import BadToken, SeatToken, read_seat_token
from libs.runtime.logs import bind
from libs.runtime.metrics import observe
from libs.runtime.refusals import Refusal
from services.game.attendance import Attendance
from services.game.metrics import GameMetrics
from services.game.referee import Referee
from services.game.requests import checked_request_id, command_of
from services.game.store import Request


class Acting:
    """Carries out commands, whether they came as a call or with others in a stream."""

    def __init__(self, referee: Referee, attendance: Attendance, secret: bytes, metrics: GameMetrics) -> None:
        self._referee = referee
        self._attendance = attendance
        self._secret = secret
        self._metrics = metrics

    def token(self, text: str) -> SeatToken:
        """What the token says; Refusal("bad_token") for one that is not ours."""
        try:
            return read_seat_token(self._secret, text, time.time())
        except BadToken as error:
            raise Refusal("bad_token") from error

    async def act(self, request: ActRequest) -> ActResponse:
        """The answer to one command; raises Refusal."""
        received_at = time.perf_counter()
        self._metrics.note_transit(request.received_at_us)
        token = self.token(request.token)
        if not token.is_bot:
            self._attendance.hear()  # it came through a gateway
        # Only a person's gateway measures; a bot beside us has no line to be credited for (T-lag).
        lag_us = 0 if token.is_bot else request.measured_lag_ms * 1000
        asked = Request(token.seat, checked_request_id(request.request_id), token.lease, lag_us)
        bind(match_id=token.match_id)  # a command has a task of its own
        command = command_of(request, token)
        with held_by(token):
            version, duplicate = await self._referee.act(token.match_id, asked, command)
        if not duplicate:
            observe(self._metrics.receipt_to_commit_seconds, time.perf_counter() - received_at)
        return ActResponse(version=version, duplicate=duplicate)


@contextmanager
def held_by(token: SeatToken) -> Iterator[None]:
    """A person who gave the seat back is told so in a person's words."""
    try:
        yield
    except Refusal as refusal:
        if refusal.reason == "stale_lease" and not token.is_bot:
            raise Refusal("not_your_seat") from refusal
        raise
