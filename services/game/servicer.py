"""gRPC in and out: GameService for commands, FeedService for visibility."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import grpc

from gen.tandemfog.feed.v1 import feed_pb2, feed_pb2_grpc
from gen.tandemfog.feed.v1.feed_pb2 import RawEvent
from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from libs.identity.tokens import SeatToken
from libs.runtime.refusals import Refusal, refuse
from libs.wire.terms import outcome_message
from services.game.acting import Acting, held_by
from services.game.archiving import Archiving
from services.game.attendance import Attendance
from services.game.bundles import Bundles
from services.game.feed import Feed, Follower
from services.game.keys import SHARDS, match_keys
from services.game.match import Match, match_of, seat_message
from services.game.metrics import GameMetrics
from services.game.presence import Presence
from services.game.referee import Referee, version_of
from services.game.reports import Reports
from services.game.requests import checked_match_id, checked_request_id, new_match
from services.game.settings import GameSettings
from services.game.store import Request, Store
from services.game.talk import checked_line
from services.game.whole import state_of, whole_match

Context = grpc.aio.ServicerContext[Any, Any]
Response = TypeVar("Response")
VERSIONS_AT_ONCE = 1_000


class GameServicer(game_pb2_grpc.GameServiceServicer):
    """Commands of seats, reports of gateways, questions of matchmaking."""

    def __init__(
        self,
        store: Store,
        referee: Referee,
        acting: Acting,
        bundles: Bundles,
        attendance: Attendance,
        presence: Presence,
        reports: Reports,
        settings: GameSettings,
        metrics: GameMetrics,
    ) -> None:
        self._settings = settings
        self._store = store
        self._referee = referee
        self._acting = acting
        self._bundles = bundles
        self._attendance = attendance
        self._presence = presence
        self._reports = reports
        self._metrics = metrics

    async def CreateMatch(  # noqa: N802 - gRPC's name
        self, request: game_pb2.CreateMatchRequest, context: Context
    ) -> game_pb2.CreateMatchResponse:
        async def create() -> game_pb2.CreateMatchResponse:
            match = new_match(request)
            event = RawEvent(match_id=match.match_id).SerializeToString()
            return game_pb2.CreateMatchResponse(version=await self._referee.create(match, event))

        return await self._answer(context, create)

    async def Act(self, request: game_pb2.ActRequest, context: Context) -> game_pb2.ActResponse:  # noqa: N802
        return await self._answer(context, lambda: self._acting.act(request))

    async def ActTogether(  # noqa: N802
        self, request_iterator: AsyncIterator[game_pb2.ActTogetherRequest], _context: Context
    ) -> AsyncIterator[game_pb2.ActTogetherResponse]:
        with self._bundles.opened() as stream:
            taking = asyncio.create_task(stream.take_all(request_iterator))
            try:
                while answers := await stream.answers():
                    yield game_pb2.ActTogetherResponse(answers=answers)
            finally:
                taking.cancel()

    async def Talk(self, request: game_pb2.TalkRequest, context: Context) -> game_pb2.TalkResponse:  # noqa: N802
        async def talk() -> game_pb2.TalkResponse:
            token = self._acting.token(request.token)
            asked = Request(token.seat, checked_request_id(request.request_id), token.lease)
            line = checked_line(token.seat, request.quick, request.text)
            match = await self._speaking(token)
            team = match.team(token.seat)
            answer = await self._store.talk(token.match_id, asked, team, line.SerializeToString())
            if answer[0] == b"done":
                return game_pb2.TalkResponse(number=int(answer[1]))
            with held_by(token):
                if answer[0] == b"known":
                    return game_pb2.TalkResponse(number=version_of(answer[1]))
                raise Refusal(answer[0].decode())

        return await self._answer(context, talk)

    async def Mute(self, request: game_pb2.MuteRequest, context: Context) -> game_pb2.MuteResponse:  # noqa: N802
        async def mute() -> game_pb2.MuteResponse:
            token = self._acting.token(request.token)
            await self._speaking(token)
            arguments = (token.seat, token.lease, int(request.on))
            answer = await self._store.run("mute", match_keys(token.match_id).commit, arguments)
            if answer[0] != b"done":
                with held_by(token):
                    raise Refusal(answer[0].decode())
            return game_pb2.MuteResponse()

        return await self._answer(context, mute)

    async def ReportTalk(  # noqa: N802
        self, request: game_pb2.ReportTalkRequest, context: Context
    ) -> game_pb2.ReportTalkResponse:
        async def report() -> game_pb2.ReportTalkResponse:
            token = self._acting.token(request.token)
            match = await self._speaking(token)
            with held_by(token):
                await self._reports.keep(match, token.seat, token.lease, request.number, request.words)
            return game_pb2.ReportTalkResponse()

        return await self._answer(context, report)

    async def ReportPresence(  # noqa: N802
        self, request: game_pb2.ReportPresenceRequest, context: Context
    ) -> game_pb2.ReportPresenceResponse:
        async def report() -> game_pb2.ReportPresenceResponse:
            await self._presence.report(request)
            return game_pb2.ReportPresenceResponse()

        return await self._answer(context, report)

    async def Attend(  # noqa: N802
        self, request: game_pb2.AttendRequest, _context: Context
    ) -> AsyncIterator[game_pb2.AttendResponse]:
        with self._attendance.attended(request.attests):
            yield game_pb2.AttendResponse()
            async for _ in self._attendance.questions():
                yield game_pb2.AttendResponse()

    async def Attest(  # noqa: N802
        self, _request: game_pb2.AttestRequest, _context: Context
    ) -> game_pb2.AttestResponse:
        self._attendance.hear()
        return game_pb2.AttestResponse()

    async def GetStatus(  # noqa: N802
        self, request: game_pb2.GetStatusRequest, context: Context
    ) -> game_pb2.GetStatusResponse:
        async def status() -> game_pb2.GetStatusResponse:
            reading = await self._referee.read(checked_match_id(request.match_id), whole=False)
            match = match_of(state_of(reading))
            response = game_pb2.GetStatusResponse(
                over=match.outcome is not None,
                seats=[seat_message(player) for player in match.players],
                ended_ago_ms=reading.ended_ago_ms,
            )
            if match.outcome is not None:
                response.outcome.CopyFrom(outcome_message(match.outcome))
            return response

        return await self._answer(context, status)

    async def GetRetention(  # noqa: N802
        self, _request: game_pb2.GetRetentionRequest, _context: Context
    ) -> game_pb2.GetRetentionResponse:
        settings = self._settings
        return game_pb2.GetRetentionResponse(
            match_ms=settings.keep_ms,
            archived=bool(settings.archive_url),
            archive_ms=settings.archive_keep_ms,
            names_ms=settings.names_keep_ms,
            talk_ms=settings.talk_keep_ms,
            reports_ms=settings.reports_keep_ms,
        )

    async def _speaking(self, token: SeatToken) -> Match:
        """The match of a seat that has a partner; raises Refusal: not_your_seat, no_partner."""
        match = await self._referee.match(token.match_id)
        check_seat(match, token)
        if match.is_fog:
            raise Refusal("no_partner")
        return match

    async def _answer(self, context: Context, work: Callable[[], Awaitable[Response]]) -> Response:
        try:
            return await work()
        except Refusal as refusal:
            self._metrics.refusals.labels(refusal.reason).inc()
            await refuse(context, refusal)


class FeedServicer(feed_pb2_grpc.FeedServiceServicer):
    """Raw truth for visibility."""

    def __init__(self, feed: Feed, store: Store, referee: Referee, archiving: Archiving | None) -> None:
        self._feed = feed
        self._store = store
        self._referee = referee
        self._archiving = archiving

    async def Follow(  # noqa: N802
        self, request_iterator: AsyncIterator[feed_pb2.FollowRequest], context: Context
    ) -> AsyncIterator[feed_pb2.FollowResponse]:
        follower = self._feed.follow()
        listening = asyncio.create_task(listen(request_iterator, follower))
        try:
            while (response := await follower.batch()) is not None:
                yield response
            if listening.done():
                listening.result()
        except Refusal as refusal:
            await refuse(context, refusal)
        finally:
            listening.cancel()
            self._feed.unfollow(follower)

    async def GetMatch(  # noqa: N802
        self, request: feed_pb2.GetMatchRequest, context: Context
    ) -> feed_pb2.GetMatchResponse:
        try:
            return await self._whole(checked_match_id(request.match_id))
        except Refusal as refusal:
            await refuse(context, refusal)

    async def GetVersions(  # noqa: N802
        self, request: feed_pb2.GetVersionsRequest, context: Context
    ) -> feed_pb2.GetVersionsResponse:
        try:
            if len(request.match_ids) > VERSIONS_AT_ONCE:
                raise Refusal("bad_request", f"At most {VERSIONS_AT_ONCE} matches at once.")
            found = await self._store.versions([checked_match_id(each) for each in request.match_ids])
        except Refusal as refusal:
            await refuse(context, refusal)
        return feed_pb2.GetVersionsResponse(
            versions=[feed_pb2.MatchVersion(epoch=epoch, version=version) for epoch, version in found]
        )

    async def _whole(self, match_id: str) -> feed_pb2.GetMatchResponse:
        """A match from the store, else from the archive."""
        try:
            return whole_match(await self._referee.read(match_id, whole=True))
        except Refusal as refusal:
            if self._archiving is None or refusal.reason != "unknown_match":
                raise
        return await self._archiving.get(match_id)


async def listen(requests: AsyncIterator[feed_pb2.FollowRequest], follower: Follower) -> None:
    """Take what a follower wants until it wants no more; Refusal("bad_request") for a shard there is not."""
    try:
        async for request in requests:
            if any(shard not in SHARDS for shard in request.shards):
                raise Refusal("bad_request", f"Shards are 0 to {len(SHARDS) - 1}.")
            follower.want(request.shards)
    finally:
        follower.close()


def check_seat(match: Match, token: SeatToken) -> None:
    """Refusal("not_your_seat") for a seat there is not, or a token of the other kind than who sits there."""
    if token.seat >= len(match.players) or token.is_bot == match.players[token.seat].human:
        raise Refusal("not_your_seat")
