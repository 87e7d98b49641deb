"""Games in texts that browsers send to have them shown. Nothing of them is kept."""

from __future__ import annotations

import asyncio
import hashlib

from aiohttp import web
from msgspec import Struct, structs

from gen.tandemfog.view.v1 import view_pb2 as view
from libs.runtime.refusals import Refusal
from services.gateway.addresses import ADDRESSES, Addresses
from services.gateway.api import json_response
from services.gateway.backends import Backends, ask
from services.gateway.frames import TimeControl
from services.gateway.metrics import GatewayMetrics
from services.gateway.pushed import ClockState, Replay
from services.gateway.rate import TokenBuckets
from services.gateway.translate import profile_name, replay

MOST_BYTES = 262_144
SENT_WITHIN_S = 10.0
READ_WITHIN_S = 15.0
BURST = 10
"""So many games of an address are read at once."""


class TextProblem(Struct, frozen=True):
    """Something wrong in a text. `where` is the place ("19A P@e4", "line 3"), or empty."""

    reason: str
    detail: str
    where: str
    stops: bool


class Game(Replay, frozen=True, kw_only=True):
    """A game that was read: a replay, with what else the text says.

    `names` are by seat, empty where unsaid. `start_ms` are the seats' clocks at the start; it is null like
    `clocks`, the last reading, when they are not known.
    """

    profile: str | None
    time: TimeControl | None
    start_ms: list[int] | None
    clocks: ClockState | None
    names: list[str]
    tags: list[tuple[str, str]]
    ending: str
    problems: list[TextProblem]


class Games:
    """The handler of /api/games; it may raise Refusal, which becomes the answer."""

    def __init__(
        self, backends: Backends, addresses: Addresses, games_per_minute: int, metrics: GatewayMetrics
    ) -> None:
        self._backends = backends
        self._addresses = addresses
        self._metrics = metrics
        self._rates = TokenBuckets(BURST, games_per_minute / 60, ADDRESSES)

    async def read(self, request: web.Request) -> web.Response:
        """The game in the request's body; 400 `unreadable_game` with the problem when there is none."""
        if not self._rates.take(self._addresses.of(request), asyncio.get_running_loop().time()):
            self._metrics.limited.labels("address_games").inc()
            raise Refusal("too_fast")
        text = await _body(request)
        answer = await ask(
            self._backends.visibility,
            hashlib.sha256(text).hexdigest(),
            lambda stub: stub.ReadGame,
            view.ReadGameRequest(text=text),
            timeout_s=READ_WITHIN_S,
        )
        if not answer.HasField("game"):
            refusal = Refusal("unreadable_game")
            problem = _problems(answer)[0]
            return json_response(
                {"reason": refusal.reason, "detail": refusal.detail, "problem": problem}, status=400
            )
        # A long game is thousands of boards: other browsers do not wait for them.
        return await asyncio.to_thread(lambda: json_response(game(answer)))


async def _body(request: web.Request) -> bytes:
    """What was sent; no more is read of it than the limit. Raises Refusal: text_too_large, bad_request."""
    if "Content-Encoding" in request.headers:  # nothing is unpacked for strangers
        raise Refusal("bad_request", "The text must be sent as it is.")
    if (request.content_length or 0) > MOST_BYTES:
        raise Refusal("text_too_large")
    body = bytearray()
    try:
        async with asyncio.timeout(SENT_WITHIN_S):
            async for part in request.content.iter_any():
                body += part
                if len(body) > MOST_BYTES:
                    raise Refusal("text_too_large")
    except TimeoutError:
        raise Refusal("bad_request") from None
    return bytes(body)


def game(answer: view.ReadGameResponse) -> Game:
    """A game that was read, for HTTP."""
    shown = replay(answer.game)
    clocks = answer.clocks
    time = TimeControl(answer.time.initial_ms, answer.time.increment_ms)
    return Game(
        **structs.asdict(shown),
        profile=profile_name(answer.profile),
        time=time if answer.HasField("time") else None,
        start_ms=list(answer.start_ms) or None,
        clocks=ClockState(clocks.at_ms, list(clocks.remaining_ms), list(clocks.running), 0)
        if answer.HasField("clocks")
        else None,
        names=list(answer.names),
        tags=[(tag.name, tag.value) for tag in answer.tags],
        ending=answer.ending,
        problems=_problems(answer),
    )


def _problems(answer: view.ReadGameResponse) -> list[TextProblem]:
    return [
        TextProblem(problem.reason, problem.detail, problem.where, problem.stops)
        for problem in answer.problems
    ]
