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
