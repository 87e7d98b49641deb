"""What visibility asks of a game replica's feed, and what it believes to be sent."""

from __future__ import annotations

from services.visibility.feed import Follower


async def test_a_shard_given_up_and_asked_for_again_before_game_heard_of_it_still_arrives() -> None:
    """Game was never told, so that it will not say a second time that the shard's events begin."""
    follower = Follower("game:1")
    follower.ask(frozenset({1, 2}))
    requests = follower.requests()
    assert list((await anext(requests)).shards) == [1, 2]
    follower.joined |= {1, 2}
    follower.ask(frozenset({1}))
    assert not follower.has_joined(2)
    follower.ask(frozenset({1, 2}))
    assert list((await anext(requests)).shards) == [1, 2]
    assert follower.has_joined(2)


async def test_a_shard_that_game_was_told_to_leave_out_is_joined_only_when_game_says_so() -> None:
    follower = Follower("game:1")
    follower.ask(frozenset({1, 2}))
    requests = follower.requests()
    await anext(requests)
    follower.joined |= {1, 2}
    follower.ask(frozenset({1}))
    await anext(requests)
    follower.ask(frozenset({1, 2}))
    await anext(requests)
    assert follower.has_joined(1)
    assert not follower.has_joined(2)
