"""The scenario of faults, small: what `make chaos` does for an hour's worth of tables, in a minute."""

from __future__ import annotations

import pytest

from tests.chaos.scenario import Plan, run

pytestmark = pytest.mark.alone

SMALL = Plan(
    tables=3,
    flag_tables=1,
    rounds=1,
    pause_s=3.0,
    pace_s=0.3,
    calm_s=1.0,
    stops=("whole system", "all gateways"),
    hangs=("all gateways",),
)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.scenario("K06")
@pytest.mark.rule("T-outage")
async def test_nothing_acknowledged_is_lost_and_nobody_loses_on_time_by_any_fault() -> None:
    verdict = await run(SMALL)
    assert verdict["ok"], verdict
    assert verdict["moves_acknowledged"] > 50
    assert verdict["clients_resynchronised"] >= 12, "every client was cut off at least once"
