"""Rendezvous hashing: which member is asked about a key."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from libs.runtime.rendezvous import prefer, ranked

addresses = st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=8, unique=True)
keys = st.text(max_size=20)


@given(addresses, keys, st.randoms(use_true_random=False))
def test_the_preferred_member_does_not_depend_on_the_order_of_the_list(members, key, dice):
    shuffled = list(members)
    dice.shuffle(shuffled)
    assert ranked(tuple(members), key) == ranked(tuple(shuffled), key)
    assert prefer(members, key) == prefer(shuffled, key) == ranked(tuple(members), key)[0]


@given(addresses, keys)
def test_a_member_that_leaves_moves_only_its_own_keys(members, key):
    best, *others = ranked(tuple(members), key)
    for gone in others:
        assert prefer([member for member in members if member != gone], key) == best
    assert ranked(tuple(others), key) == tuple(others)


def test_nobody_is_preferred_among_no_members():
    assert prefer([], "s07") is None
    assert ranked((), "s07") == ()


def test_keys_spread_evenly_over_the_members():
    members = [f"10.0.0.{number}:7000" for number in range(4)]
    shares = Counter(prefer(members, f"s{number:03}") for number in range(2000))
    assert set(shares) == set(members)
    assert all(400 < share < 600 for share in shares.values())


def test_every_process_prefers_the_same_member():
    """The hash is pinned: replicas of different builds must agree."""
    assert prefer(["10.0.0.1:7000", "10.0.0.2:7000", "10.0.0.3:7000"], "s07") == "10.0.0.1:7000"
