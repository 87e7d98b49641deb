"""What players report of their partners' words: kept for the operator, listed for nobody else."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from redis.exceptions import RedisError

from gen.tandemfog.game.v1.game_pb2 import TalkReport
from gen.tandemfog.types.v1.types_pb2 import TalkLine
from libs.runtime.refusals import Refusal
from services.game.keys import SHARDS, match_keys, shard_keys
from services.game.match import Match
from services.game.metrics import GameMetrics
from services.game.scripts import ANSWER_WITHIN_S
from services.game.settings import GameSettings
from services.game.store import Store
from services.game.talk import checked_words, talk_line

WORDS_LIMIT = 500
MOST_OF_A_SEAT = 20


class Reports:
    """The reports in the store. Raises Refusal("unavailable") when it does not answer."""

    def __init__(self, store: Store, settings: GameSettings, metrics: GameMetrics) -> None:
        self._store = store
        self._settings = settings
        self._metrics = metrics

    async def keep(self, match: Match, seat: int, lease: int, number: int, words: str) -> None:
        """Keep a seat's report of a line of its partner; ``lease`` is that of the seat's token.

        Raises Refusal: unknown_line, already_reported, talk_too_fast, text_too_long, bad_request, and what
        the seat's lease calls for.
        """
        words = checked_words(words, WORDS_LIMIT)
        line = await self._line(match, seat, number)
        report = TalkReport(
            match_id=match.match_id,
            line=line,
            name=match.players[line.seat].name,
            reported_by=seat,
            reporter_name=match.players[seat].name,
            words=words,
        )
        settings = self._settings
        keys = match_keys(match.match_id)
        answer = await self._store.run(
            "report",
            (*keys.commit, keys.shard.reports),
            (
                seat,
                lease,
                number,
                report.SerializeToString(),
                MOST_OF_A_SEAT,
                settings.reports_kept,
                settings.reports_keep_ms,
            ),
        )
        if answer[0] != b"done":
            raise Refusal(answer[0].decode())
        self._metrics.reports.inc()

    async def listed(self, limit: int) -> list[TalkReport]:
        """The latest reports, the newest first."""
        client: Any = self._store.client
        found: list[TalkReport] = []
        since_ms = time.time_ns() // 1_000_000 - self._settings.reports_keep_ms
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                for shard in SHARDS:
                    stream = shard_keys(shard).reports
                    for position, fields in await client.xrevrange(stream, min=since_ms, count=limit):
                        report = TalkReport.FromString(fields[b"r"])
                        report.reported_at_ms = int(position.split(b"-")[0])
                        found.append(report)
        except (RedisError, OSError) as error:
            raise Refusal("unavailable") from error
        found.sort(key=lambda report: report.reported_at_ms, reverse=True)
        return found[:limit]

    async def _line(self, match: Match, seat: int, number: int) -> TalkLine:
        """The partner's line of that number, if the seat has been shown it; Refusal("unknown_line")."""
        reading = await self._store.read(match.match_id, whole=True)
        for entry in reading.talk_one if match.team(seat) == 1 else reading.talk_two:
            told = talk_line(entry)
            if told.line.number == number and told.line.seat != seat and not told.muted:
                return told.line
        raise Refusal("unknown_line")
