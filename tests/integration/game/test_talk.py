"""Words to the partner (RULES 1.3): they reach the team's lists and nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis.asyncio

from gen.tandemfog.game.v1.game_pb2 import TalkRequest
from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.types.v1.types_pb2 import QUICK_MESSAGE_NEED_KNIGHT, QUICK_MESSAGE_UNSPECIFIED
from libs.runtime.refusals import Refusal, call
from services.game.keys import MatchKeys, match_keys
from tests.integration.game.kit import Arena, Caller, StoreClock, start_match
from tests.integration.game.test_feed import following

SECOND = 1_000_000
HOUR_MS = 3_600_000


async def say(arena: Arena, seat: int, text: str = "", quick: int = 0, request_id: str = "") -> int:
    request = TalkRequest(
        request_id=request_id or f"say{seat}-{text[:9].replace(' ', '_')}-{quick}",
        token=arena.token(seat),
        quick=types_pb2.QuickMessage.ValueType(quick),
        text=text,
    )
    return int((await call(arena.caller.game.Talk, request)).number)


async def test_each_team_has_its_own_numbering_outside_the_version(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    arena = await start_match(caller, tmp_path)
    async with following(caller, 7) as stream:
        clock.advance(2 * SECOND)
        assert await say(arena, 0, quick=QUICK_MESSAGE_NEED_KNIGHT) == 1
        assert await say(arena, 3, "coming") == 2
        assert await say(arena, 1, "  they talk  ") == 1
        await arena.move(0, 0, "e2e4")
        whole = await arena.whole()
        assert whole.state.version == 2
        ours = [(line.number, line.seat, line.quick, line.text, line.at_ms) for line in whole.talk_one]
        assert ours == [
            (1, 0, QUICK_MESSAGE_NEED_KNIGHT, "", 2000),
            (2, 3, QUICK_MESSAGE_UNSPECIFIED, "coming", 2000),
        ]
        assert [(line.number, line.seat, line.text) for line in whole.talk_two] == [(1, 1, "they talk")]
        items = [await stream.next() for _ in range(4)]
        assert [item.talk.team for item in items[:3]] == [1, 1, 2]
        assert items[1].talk.line == whole.talk_one[1]
        assert items[3].event.event.version == 2


async def test_a_line_sent_twice_is_said_once(caller: Caller, clock: StoreClock, tmp_path: Path) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    assert await say(arena, 0, "once", request_id="r1") == 1
    assert await say(arena, 0, "once", request_id="r1") == 1
    assert len((await arena.whole()).talk_one) == 1


async def test_talk_is_calm(caller: Caller, clock: StoreClock, tmp_path: Path) -> None:
    arena = await start_match(caller, tmp_path)
    for number in range(5):
        clock.advance(SECOND)
        await say(arena, 0, f"line {number}")
    with pytest.raises(Refusal, match="talk_too_fast"):
        await say(arena, 0, "too much")
    await say(arena, 3, "the partner is free to speak")
    clock.advance(6 * SECOND)
    assert await say(arena, 0, "again") == 7


@pytest.mark.parametrize(
    ("text", "quick", "reason"),
    [
        ("", 0, "empty_text"),
        ("   ", 0, "empty_text"),
        ("x" * 201, 0, "text_too_long"),
        ("a\x00b", 0, "bad_text"),
        ("a\u202eb", 0, "bad_text"),
        ("\u2800", 0, "bad_text"),
        ("both", 1, "bad_request"),
        ("", 99, "bad_request"),
    ],
)
async def test_absurd_talk_is_refused(
    caller: Caller, clock: StoreClock, tmp_path: Path, text: str, quick: int, reason: str
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    with pytest.raises(Refusal, match=reason):
        await say(arena, 0, text, quick, request_id="r")
    assert not (await arena.whole()).talk_one


async def test_two_hundred_characters_of_any_script_are_fine(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await say(arena, 1, "لعبة " * 40, request_id="r")
    await say(arena, 2, "♞" * 200, request_id="r")
    assert [len(line.text) for line in (await arena.whole()).talk_two] == [199, 200]


async def test_in_fog_there_is_no_partner(caller: Caller, clock: StoreClock, tmp_path: Path) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path, variant=types_pb2.VARIANT_FOG)
    with pytest.raises(Refusal, match="no_partner"):
        await say(arena, 0, "hello")


async def test_after_the_end_one_may_still_say_thanks(
    caller: Caller, clock: StoreClock, tmp_path: Path
) -> None:
    assert clock.now_us
    arena = await start_match(caller, tmp_path)
    await arena.gesture(1, "abort")
    assert await say(arena, 1, "thanks") == 1


async def said_and_over(caller: Caller, folder: Path) -> tuple[Arena, MatchKeys]:
    """A match that has ended after a word between partners."""
    arena = await start_match(caller, folder)
    await say(arena, 0, "before")
    await arena.gesture(1, "abort")
    return arena, match_keys(arena.match_id)


async def test_words_after_the_end_are_kept_no_longer_than_those_before(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    arena, keys = await said_and_over(caller, tmp_path)
    async with redis.asyncio.from_url(valkey_url) as client:
        clock.advance(3600 * SECOND)
        await say(arena, 3, "after")
        await say(arena, 1, "the others' first")
        for key in (keys.talk_one, keys.talk_two):
            left_ms = int(await client.pttl(key))
            assert 22.9 * HOUR_MS < left_ms <= 23 * HOUR_MS, key
        assert 0 < int(await client.pttl(keys.answers)) <= 168 * HOUR_MS
        clock.advance(24 * 3600 * SECOND)
        assert await say(arena, 0, "long after") == 3
        assert len((await arena.whole()).talk_one) == 0


async def test_an_outage_lengthens_nothing_of_how_long_talk_is_kept(
    caller: Caller, clock: StoreClock, valkey_url: str, tmp_path: Path
) -> None:
    """The match's time stands still in it, the day that talk is kept for does not."""
    arena, keys = await said_and_over(caller, tmp_path)
    async with redis.asyncio.from_url(valkey_url) as client:
        await client.pexpire(keys.talk_one, 4 * HOUR_MS)  # as after twenty hours
        clock.pass_silently(20 * 3600 * SECOND)
        await say(arena, 3, "after")
        assert int(await client.pttl(keys.talk_one)) <= 4 * HOUR_MS
