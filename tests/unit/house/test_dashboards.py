"""Grafana's dashboards are what their description says, and name only metrics that there are."""

from __future__ import annotations

import json
import re

import pytest

from scripts.dashboards import DASHBOARDS, FOLDER, Dashboard, drawn
from tests.kit.metrics import documented

SUFFIXES = re.compile(r"_(bucket|sum|count)$")


@pytest.mark.parametrize("dashboard", DASHBOARDS, ids=lambda dashboard: dashboard.uid)
def test_the_file_is_what_make_dashboards_writes(dashboard: Dashboard) -> None:
    path = FOLDER / f"{dashboard.uid.removeprefix('tandemfog-')}.json"
    assert json.loads(path.read_text()) == drawn(dashboard), "run: make dashboards"


def test_there_is_no_file_besides() -> None:
    assert len(list(FOLDER.glob("*.json"))) == len(DASHBOARDS)


@pytest.mark.parametrize("dashboard", DASHBOARDS, ids=lambda dashboard: dashboard.uid)
def test_every_query_names_metrics_of_the_page(dashboard: Dashboard) -> None:
    known = {metric.name for metric in documented()}
    histograms = {metric.name for metric in documented() if metric.kind == "histogram"}
    for panel in dashboard.panels:
        for expression, _ in panel.queries:
            for name in re.findall(r"\btandemfog_[a-z_]+", re.sub(r'=~"[^"]*"', "", expression)):
                plain = SUFFIXES.sub("", name)
                assert name in known or plain in histograms, (panel.title, name)


@pytest.mark.parametrize(
    ("title", "red", "green"),
    [
        ("Store answers", [0], [1]),
        ("Workers", [0], [1, 4]),
        ("Search processes", [0], [1, 4]),
        ("Alerts", [1, 3], [0]),
        ("People at them", [], [0, 100]),
    ],
)
def test_a_number_is_red_where_it_is_bad(title: str, red: list[int], green: list[int]) -> None:
    (panel,) = (
        panel for dashboard in DASHBOARDS for panel in drawn(dashboard)["panels"] if panel["title"] == title
    )
    assert panel["type"] == "stat"
    steps = panel["fieldConfig"]["defaults"]["thresholds"]["steps"]
    assert steps[0]["value"] is None

    def colour(number: int) -> str:
        return str([step["color"] for step in steps if step["value"] is None or step["value"] <= number][-1])

    assert [colour(number) for number in red] == ["red"] * len(red)
    assert [colour(number) for number in green] == ["green"] * len(green)


def test_no_two_panels_lie_on_one_another() -> None:
    for dashboard in DASHBOARDS:
        taken: set[tuple[int, int]] = set()
        for panel in drawn(dashboard)["panels"]:
            place = panel["gridPos"]
            cells = {
                (place["x"] + right, place["y"] + down)
                for right in range(place["w"])
                for down in range(place["h"])
            }
            assert not cells & taken
            assert max(x for x, _ in cells) < 24
            taken |= cells
