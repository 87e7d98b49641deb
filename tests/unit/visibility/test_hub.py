"""Who gets which frame when: joining, gaps, full queues, the end of the fog, talk, batches."""

from __future__ import annotations

import asyncio

import pytest

from gen.tandemfog.feed.v1.feed_pb2 import EventWithState, FeedItem, GetMatchResponse, TeamTalk
from gen.tandemfog.types.v1.types_pb2 import TalkLine
from gen.tandemfog.view.v1.view_pb2 import Frame
from libs.identity.tokens import SeatToken
from libs.rules.fog import FogGame
from libs.rules.tandem import TandemMatch
from libs.runtime.metrics import Metrics
from libs.runtime.pace import GAP_S
from libs.runtime.refusals import Refusal
from libs.wire.raw import SCHEMA
from services.visibility.hub import Hub
from services.visibility.metrics import VisibilityMetrics
from services.visibility.outlet import Outlet, Watcher
from services.visibility.view import Viewer
from tests.unit.visibility.referee import MATCH_ID, Referee

SHARD = 7


class House:
    """A hub over one match kept by a referee; `gate` holds up what game answers."""

    def __init__(self, referee: Referee, viewer_frames: int = 32, batch_bytes: int = 256 * 1024) -> None:
        self.referee = referee
        self.metrics = VisibilityMetrics(Metrics("visibility"))
        self.now_s = 100.0
        self.wanted: frozenset[int] = frozenset()
        self.joined = True
        self.gate = asyncio.Event()
        self.gate.set()
        self.answers: list[GetMatchResponse | Refusal] = []
        self.asked = 0
        self.hub = Hub(self.fetch, self.want, lambda _: self.joined, lambda: self.now_s, self.metrics)
        self.limits = (viewer_frames, batch_bytes)

    async def fetch(self, match_id: str) -> GetMatchResponse:
        assert match_id == MATCH_ID
        self.asked += 1
        answer = self.answers.pop(0) if self.answers else self.referee.match()
        await self.gate.wait()
        if isinstance(answer, Refusal):
            raise answer
        return answer

    def want(self, shards: frozenset[int]) -> None:
        self.wanted = shards

    def outlet(self) -> Outlet:
        frames, size = self.limits
        return Outlet(
            frames, size, lambda: self.now_s, lambda watchers: self.hub.owe(watchers, "slow"), self.metrics
        )

    def watch(self, outlet: Outlet, number: int, seat: int | None) -> Watcher:
        token = None if seat is None else SeatToken(MATCH_ID, seat, 0, 0)
        watcher = Watcher(outlet, number, MATCH_ID, Viewer(seat), token)
        self.hub.join(watcher)
        return watcher

    def tell(self, item: EventWithState) -> None:
        self.hub.on_item(FeedItem(event=item))

    def say(self, seat: int, team: int, text: str) -> None:
        line = self.referee.say(seat, team, text)
        self.hub.on_item(FeedItem(talk=TeamTalk(match_id=MATCH_ID, team=team, line=line)))


def tandem(**limits: int) -> House:
    return House(Referee(TandemMatch.start("online")), **limits)


def fog() -> House:
    return House(Referee(FogGame.start(), clocked=False))


async def frames(outlet: Outlet, count: int) -> list[Frame]:
    """The next frames of the stream, exactly so many."""
    found: list[Frame] = []
    async with asyncio.timeout(5):
        while len(found) < count:
            batch = await outlet.next_batch()
            assert batch is not None
            found.extend(batch.frames)
    assert len(found) == count
    return found


async def nothing_more(outlet: Outlet) -> None:
    """Lets everything that is under way finish, and sees that no frame waits."""
    for _ in range(10):
        await asyncio.sleep(0)
    waiting = asyncio.ensure_future(outlet.next_batch())
    await asyncio.sleep(2 * GAP_S)
    assert not waiting.done()
    waiting.cancel()


def shapes(found: list[Frame]) -> list[tuple[list[int], str, int]]:
    return [
        (list(frame.viewers), "full" if frame.view.full else "delta", frame.view.version) for frame in found
    ]


async def test_a_viewer_gets_a_full_view_and_then_each_event_once() -> None:
    house = tandem()
    outlet = house.outlet()
    house.watch(outlet, 1, 0)
    assert house.wanted == {SHARD}
    assert shapes(await frames(outlet, 1)) == [([1], "full", 1)]
    item = house.referee.play("e2e4")
    house.tell(item)
    house.tell(item)
    assert shapes(await frames(outlet, 1)) == [([1], "delta", 2)]
    await nothing_more(outlet)


async def test_viewers_who_may_see_the_same_share_a_frame() -> None:
    house = fog()
    outlet, second = house.outlet(), house.outlet()
    for number, seat in ((1, 0), (2, None), (3, None), (4, 0), (5, 1)):
        house.watch(outlet, number, seat)
    house.watch(second, 1, None)
    assert sorted(sorted(frame.viewers) for frame in await frames(outlet, 3)) == [[1, 4], [2, 3], [5]]
    house.tell(house.referee.play("e2e4"))
    assert sorted(sorted(frame.viewers) for frame in await frames(outlet, 3)) == [[1, 4], [2, 3], [5]]
    assert shapes(await frames(second, 2))[1] == ([1], "delta", 2)


async def test_nobody_is_shown_anything_before_the_shards_events_arrive() -> None:
    house = tandem()
    house.joined = False
    outlet = house.outlet()
    house.watch(outlet, 1, 0)
    await nothing_more(outlet)
    assert house.asked == 0
    house.referee.play("e2e4")
    house.joined = True
    house.hub.on_joined(SHARD)
    assert shapes(await frames(outlet, 1)) == [([1], "full", 2)]


async def test_events_during_the_question_for_the_match_are_neither_lost_nor_doubled() -> None:
    house = tandem()
    outlet = house.outlet()
    house.gate.clear()
    house.watch(outlet, 1, 0)
    await nothing_more(outlet)
    first = house.referee.play("e2e4")
    house.tell(first)  # asked before, told after: the answer is older than the feed
    house.gate.set()
    assert shapes(await frames(outlet, 1)) == [([1], "full", 2)]
    assert house.asked == 2
    house.tell(first)
    house.tell(house.referee.play("e7e5"))
    assert shapes(await frames(outlet, 1)) == [([1], "delta", 3)]


@pytest.mark.scenario("R01")
async def test_a_missed_event_is_noticed_and_made_good_by_a_full_view() -> None:
    house = tandem()
    outlet = house.outlet()
    house.watch(outlet, 1, 0)
    await frames(outlet, 1)
    house.referee.play("e2e4")
    house.tell(house.referee.play("e7e5"))
    assert shapes(await frames(outlet, 1)) == [([1], "full", 3)]
    assert house.metrics.owed.labels("gap")._value.get() == 1


@pytest.mark.scenario("R07")
async def test_after_a_break_of_the_feed_every_viewer_of_the_shard_gets_a_full_view() -> None:
    house = tandem()
    outlet = house.outlet()
    house.watch(outlet, 1, 0)
    house.watch(outlet, 2, None)
    await frames(outlet, 2)
    house.referee.play("e2e4")
    house.hub.on_joined(SHARD)
    assert sorted(shapes(await frames(outlet, 2))) == [([1], "full", 2), ([2], "full", 2)]
    house.hub.on_joined(SHARD + 1)
    await nothing_more(outlet)


async def test_a_break_of_the_feed_during_the_question_makes_it_be_asked_again() -> None:
    house = tandem()
    outlet = house.outlet()
    house.gate.clear()
    house.watch(outlet, 1, 0)
    await nothing_more(outlet)
    house.referee.play("e2e4")  # missed: the feed was broken
    house.hub.on_joined(SHARD)
    house.gate.set()
    assert shapes(await frames(outlet, 1)) == [([1], "full", 2)]


async def test_a_higher_epoch_is_taken_in_full_also_at_a_lower_version() -> None:
    house = tandem()
    outlet = house.outlet()
    house.referee.play("e2e4")
    house.watch(outlet, 1, 0)
    assert shapes(await frames(outlet, 1)) == [([1], "full", 2)]
    older = house.referee.play("e7e5")
    house.referee = Referee(TandemMatch.start("online"))
    house.referee.state.epoch = 1
    house.tell(house.referee.play("d2d4"))
    found = await frames(outlet, 1)
    assert shapes(found) == [([1], "full", 2)]
    assert found[0].view.epoch == 1
    house.tell(older)  # from the store that has lost its place
    await nothing_more(outlet)


@pytest.mark.rule("F-after")
@pytest.mark.scenario("F19")
async def test_when_a_fog_game_ends_one_full_frame_without_fog_goes_to_everybody() -> None:
    house = fog()
    outlet = house.outlet()
    for number, seat in ((1, 0), (2, 1), (3, None)):
        house.watch(outlet, number, seat)
    await frames(outlet, 3)
    house.tell(house.referee.play("e2e4"))
    house.tell(house.referee.end(2, "resignation"))
    found = await frames(outlet, 6)
    assert sorted(shapes(found[3:])) == [([1], "full", 3), ([2], "full", 3), ([3], "full", 3)]
    for frame in found[3:]:
        assert "?" not in frame.view.boards[0].pieces
        assert [entry.uci for entry in frame.view.moves] == ["e2e4"]
    await nothing_more(outlet)


async def test_a_viewer_whose_queue_is_full_gets_one_full_view_instead_of_its_deltas() -> None:
    house = tandem(viewer_frames=3)
    slow, quick = house.outlet(), house.outlet()
    house.watch(slow, 1, 0)
    house.watch(quick, 1, 0)
    await frames(slow, 1)
    await frames(quick, 1)
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"]
    for uci in moves:
        house.tell(house.referee.play(uci))
        await frames(quick, 1)
    assert shapes(await frames(slow, 1)) == [([1], "full", 7)]
    house.tell(house.referee.play("e1g1"))
    assert shapes(await frames(slow, 1)) == [([1], "delta", 8)]
    assert house.metrics.owed.labels("slow")._value.get() == 1


async def test_what_waits_for_a_stream_that_takes_nothing_is_bounded() -> None:
    house = tandem(viewer_frames=4)
    outlet = house.outlet()
    watcher = house.watch(outlet, 1, 0)
    await frames(outlet, 1)
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] * 20:
        house.tell(house.referee.play(uci))
        assert watcher.waiting <= 4
    assert len(outlet._waiting) <= 4
    assert shapes(await frames(outlet, 1)) == [([1], "full", 81)]


async def test_a_batch_is_bounded_and_keeps_the_order() -> None:
    house = tandem(batch_bytes=2000)
    outlet = house.outlet()
    house.watch(outlet, 1, None)
    await frames(outlet, 1)
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8"] * 4:
        house.tell(house.referee.play(uci))
    versions: list[int] = []
    while len(versions) < 16:
        batch = await outlet.next_batch()
        assert batch is not None
        assert batch.ByteSize() <= 2100
        versions += [frame.view.version for frame in batch.frames]
    assert versions == list(range(2, 18))


@pytest.mark.scenario("C01")
async def test_talk_reaches_the_team_only_once_and_without_a_trace_in_the_others_numbers() -> None:
    house = tandem()
    outlet = house.outlet()
    for number, seat in ((1, 0), (2, 1), (3, 2), (4, 3), (5, None)):
        house.watch(outlet, number, seat)
    await frames(outlet, 5)
    house.say(0, 1, "knight please")
    found = await frames(outlet, 1)
    assert sorted(found[0].viewers) == [1, 4]
    assert found[0].talk == TalkLine(number=1, seat=0, text="knight please")
    await nothing_more(outlet)
    house.tell(house.referee.play("e2e4"))
    # Who may do the same is shown the same: at board B nothing has changed.
    moved = await frames(outlet, 4)
    assert sorted(sorted(frame.viewers) for frame in moved) == [[1], [2], [3, 4], [5]]
    assert {frame.view.version for frame in moved} == {2}


@pytest.mark.scenario("C02")
async def test_talk_that_crosses_a_join_is_in_the_full_view_or_comes_after_it_never_both() -> None:
    house = tandem()
    outlet = house.outlet()
    house.gate.clear()
    house.watch(outlet, 1, 0)
    await nothing_more(outlet)
    house.say(3, 1, "sit")
    house.gate.set()
    found = await frames(outlet, 1)
    assert [line.text for line in found[0].view.talk] == ["sit"]
    house.say(3, 1, "go")
    assert (await frames(outlet, 1))[0].talk.number == 2


async def test_who_leaves_gets_nothing_more_and_the_shard_is_given_up_with_the_last_one() -> None:
    house = tandem()
    outlet = house.outlet()
    first, second = house.watch(outlet, 1, 0), house.watch(outlet, 2, 1)
    await frames(outlet, 2)
    house.tell(house.referee.play("e2e4"))
    house.hub.leave(first)
    assert shapes(await frames(outlet, 1)) == [([2], "delta", 2)]
    house.hub.leave(second)
    assert house.wanted == frozenset()
    house.tell(house.referee.play("e7e5"))
    await nothing_more(outlet)


async def test_an_unknown_match_is_refused_by_name_and_may_be_asked_for_again() -> None:
    house = tandem()
    house.answers = [Refusal("unknown_match")]
    outlet = house.outlet()
    house.watch(outlet, 1, 0)
    assert (await frames(outlet, 1))[0].refused == "unknown_match"
    assert house.wanted == frozenset()
    house.watch(outlet, 1, 0)
    assert shapes(await frames(outlet, 1)) == [([1], "full", 1)]


async def test_while_game_is_away_viewers_wait_for_it() -> None:
    house = tandem()
    house.answers = [Refusal("unavailable"), Refusal("unavailable")]
    outlet = house.outlet()
    house.watch(outlet, 1, 0)
    assert shapes(await frames(outlet, 1)) == [([1], "full", 1)]
    assert house.asked == 3


async def test_a_seat_that_the_match_has_not_is_refused() -> None:
    house = fog()
    outlet = house.outlet()
    house.watch(outlet, 1, 3)
    assert (await frames(outlet, 1))[0].refused == "bad_token"


async def test_the_age_of_clocks_is_the_time_that_they_waited_here() -> None:
    house = tandem()
    outlet = house.outlet()
    house.watch(outlet, 1, 0)
    await frames(outlet, 1)
    house.tell(house.referee.play("e2e4"))
    house.now_s += 0.25
    assert (await frames(outlet, 1))[0].view.clocks.age_ms == 250


@pytest.mark.scenario("R01")
async def test_a_last_event_that_was_missed_shows_when_game_is_asked_how_far_the_match_is() -> None:
    house = tandem()
    outlet = house.outlet()
    house.watch(outlet, 1, 0)
    await frames(outlet, 1)
    house.tell(house.referee.play("e2e4"))
    await frames(outlet, 1)
    assert house.hub.quiet(3.0) == []
    house.now_s += 3.0
    assert house.hub.quiet(3.0) == [MATCH_ID]
    house.hub.catch_up(MATCH_ID, (0, 2))
    await nothing_more(outlet)
    house.referee.play("e7e5")  # the feed does not tell
    house.hub.catch_up(MATCH_ID, (0, 3))
    assert shapes(await frames(outlet, 1)) == [([1], "full", 3)]
    assert house.hub.quiet(3.0) == [], "it has just been told"


async def test_an_event_of_a_form_that_a_newer_replica_writes_is_shown_to_nobody_here() -> None:
    """What an earlier reader would get wrong might be what is hidden."""
    house = fog()
    outlet = house.outlet()
    house.watch(outlet, 1, 0)
    assert shapes(await frames(outlet, 1)) == [([1], "full", 1)]
    item = house.referee.play("e2e4")
    item.state.schema = SCHEMA + 1
    house.answers = [Refusal("unavailable")] * 3
    house.tell(item)
    await nothing_more(outlet)
    assert house.asked > 1, "a full view is asked for until one can be read"
