"""Outages of all shards as an operator reads them, and the operator's end of a match."""

from __future__ import annotations

import pytest

from libs.runtime.refusals import Refusal
from services.game.commands import CloseCommand
from services.game.decide import decide
from services.game.operating import in_unix_ms, merged
from tests.unit.game.kit import LIMITS, fog, played, tandem


def test_a_shards_outages_are_told_in_unix_time() -> None:
    # Twice nobody could move: for 2 s from 10 s on, then for 5 s from 30 s on, which shard time calls 28 s.
    entries = [b"10000000 2000000", b"28000000 5000000"]
    assert in_unix_ms(entries, 7_000_000) == [(30_000, 5_000), (10_000, 2_000)]
    assert in_unix_ms(entries[1:], 7_000_000) == [(30_000, 5_000)]


def test_outages_that_began_together_are_one_and_others_are_not() -> None:
    records = merged([(10_000, 2_000), (10_300, 2_400), (30_000, 900)])
    assert [(one.at_ms, one.lasted_ms, one.shards) for one in records] == [
        (30_000, 900, 1),
        (10_000, 2_400, 2),
    ]


def test_the_operator_ends_a_match_without_a_result_once() -> None:
    for match in (played(tandem(), "A:e2e4 A:e7e5 B:e2e4"), fog()):
        decision = decide(match, CloseCommand(), LIMITS)
        assert decision.is_public
        outcome = decision.match.outcome
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == (None, "closed")
        with pytest.raises(Refusal, match="over"):
            decide(decision.match, CloseCommand(), LIMITS)
