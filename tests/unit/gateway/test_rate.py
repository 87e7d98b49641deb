"""The token bucket that says how fast a connection may talk."""

from __future__ import annotations

from collections import defaultdict
from copy import copy

from hypothesis import given
from hypothesis import strategies as st

from services.gateway.rate import TokenBucket, TokenBuckets


def test_a_burst_is_let_through_and_no_more() -> None:
    bucket = TokenBucket(60, 30, now_s=0.0)
    assert [bucket.take(0.0) for _ in range(61)] == [True] * 60 + [False]


def test_tokens_come_back_at_the_rate() -> None:
    bucket = TokenBucket(60, 30, now_s=0.0)
    for _ in range(60):
        bucket.take(0.0)
    assert [bucket.take(0.1) for _ in range(4)] == [True, True, True, False]


def test_a_long_pause_fills_the_bucket_to_its_capacity_only() -> None:
    bucket = TokenBucket(3, 30, now_s=0.0)
    assert [bucket.take(1000.0) for _ in range(4)] == [True, True, True, False]


def test_a_clock_that_goes_back_gives_nothing() -> None:
    bucket = TokenBucket(1, 1, now_s=10.0)
    assert bucket.take(10.0)
    assert not bucket.take(5.0)
    assert not bucket.take(10.5)
    assert bucket.take(11.0)


@given(st.lists(st.floats(0, 2), max_size=200))
def test_never_more_than_the_burst_and_the_rate_together(pauses: list[float]) -> None:
    bucket = TokenBucket(5, 2, now_s=0.0)
    now, taken = 0.0, 0
    for pause in pauses:
        now += pause
        taken += bucket.take(now)
    assert taken <= 5 + 2 * now + 1e-6


def test_each_key_has_its_own_bucket_and_the_one_unused_for_longest_gives_way() -> None:
    buckets = TokenBuckets(1, 0.001, most=2)
    assert [buckets.take(key, 0.0) for key in "aab"] == [True, False, True]
    assert not buckets.take("a", 1.0)  # used later than b
    assert buckets.take("c", 2.0)
    assert len(buckets) == 2
    assert not buckets.take("a", 3.0)
    assert buckets.take("b", 4.0)  # forgotten, and so as good as new


def test_a_key_is_forgotten_once_its_bucket_is_full_again() -> None:
    buckets = TokenBuckets(2, 1, most=10)
    for key in "abc":
        buckets.take(key, 0.0)
    buckets.take("c", 0.5)
    assert buckets.take("d", 0.9)
    assert len(buckets) == 4
    assert buckets.take("d", 1.1)
    assert len(buckets) == 2, "c took twice, and is not full yet"


# Rates and capacities as the gateway has them: tables, games, messages, bytes.
LIMITS = ((1, 1 / 60), (10, 1.0), (3.0, 0.1), (2_048_000, 256_000))


@given(
    st.sampled_from(LIMITS),
    # The time since the one before, and what is taken, as parts of what fills a bucket and of what it holds.
    st.lists(
        st.tuples(
            st.sampled_from("abcd"),
            st.sampled_from((0.0, 0.001, 0.25, 0.5, 0.995, 1.0)) | st.floats(0, 1.5),
            st.sampled_from((0.5, 1.0)) | st.floats(0, 1.2),
        ),
        max_size=60,
    ),
)
def test_forgetting_full_buckets_changes_no_answer(
    limit: tuple[float, float], takes: list[tuple[str, float, float]]
) -> None:
    """Each answer is that of buckets which are never forgotten."""
    capacity, per_second = limit
    buckets = TokenBuckets(capacity, per_second, most=10)
    model: defaultdict[str, TokenBucket] = defaultdict(lambda: TokenBucket(capacity, per_second, 0.0))
    now_s = 0.0
    for key, pause, part in takes:
        now_s += pause * capacity / per_second
        tokens = part * capacity
        assert buckets.take(key, now_s, tokens) == model[key].take(now_s, tokens)
        lacking = [name for name in "abcd" if not copy(model[name]).take(now_s, capacity)]
        assert len(buckets) >= len(lacking), "one was forgotten that was not full"


@given(
    st.sampled_from(LIMITS[:3]),
    st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0, 0.4)), max_size=120),
)
def test_forgetting_full_buckets_changes_no_answer_to_who_takes_one_at_a_time(
    limit: tuple[float, float], takes: list[tuple[str, float]]
) -> None:
    capacity, per_second = limit
    buckets = TokenBuckets(capacity, per_second, most=10)
    model: defaultdict[str, TokenBucket] = defaultdict(lambda: TokenBucket(capacity, per_second, 0.0))
    now_s = 0.0
    for key, pause in takes:
        now_s += pause / per_second
        assert buckets.take(key, now_s) == model[key].take(now_s)
