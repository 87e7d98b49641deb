"""Every alert under promtool: that it fires when it must and, as much worth, keeps still when it must."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.kit.alert_cases import CASES, Case
from tests.kit.prometheus import MONITORING, RULES, program
from tests.kit.service import ROOT

GROUPS: dict[str, list[dict[str, Any]]] = {}
ALERTS: dict[str, list[dict[str, Any]]] = {}
for _file in RULES:
    for _group in yaml.safe_load(_file.read_text())["groups"]:
        GROUPS[_group["name"]] = _group["rules"]
        for _rule in _group["rules"]:
            ALERTS.setdefault(_rule["alert"], []).append(_rule)


def words_of(case: Case, labels: dict[str, str]) -> dict[str, str]:
    """What the rule says of an alert with these labels."""
    rule = ALERTS[case.alert][0]
    return {
        name: re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda found: labels[found[1]], text)
        for name, text in rule["annotations"].items()
    }


def judged(case: Case) -> dict[str, Any]:
    """The case as promtool reads it."""
    expected = []
    for fired in case.fires:
        labels = {"app": "tandemfog", "severity": case.severity, **fired}
        expected.append({"exp_labels": labels, "exp_annotations": words_of(case, labels)})
    return {
        "name": f"{case.alert}: {case.name}",
        "interval": "15s",
        "input_series": [{"series": name, "values": values} for name, values in case.series.items()],
        "alert_rule_test": [{"eval_time": case.at, "alertname": case.alert, "exp_alerts": expected}],
    }


@pytest.mark.parametrize("group", GROUPS)
def test_alerts_fire_and_keep_still_as_their_cases_say(group: str, tmp_path: Path) -> None:
    # A group by itself: promtool works out every rule of a file at every step of every case.
    rules = tmp_path / "rules.yml"
    rules.write_text(json.dumps({"groups": [{"name": group, "rules": GROUPS[group]}]}))
    names = {rule["alert"] for rule in GROUPS[group]}
    tests = {
        "rule_files": [str(rules)],
        "evaluation_interval": "15s",
        "tests": [judged(case) for case in CASES if case.alert in names],
    }
    path = tmp_path / "rules.test.yml"
    path.write_text(json.dumps(tests))
    done = subprocess.run(
        [program("promtool"), "test", "rules", str(path)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_promtool_accepts_the_configuration() -> None:
    path = MONITORING / "prometheus" / "prometheus.yml"
    done = subprocess.run(
        [program("promtool"), "check", "config", str(path)], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("alert", ALERTS)
def test_every_alert_is_told_from_those_of_others(alert: str) -> None:
    for rule in ALERTS[alert]:
        assert rule["labels"]["app"] == "tandemfog"
        # What every process or target has is asked for by our jobs.
        for common in re.findall(r"\b(?:up|process_\w+)\b.?", rule["expr"]):
            assert common.endswith("{"), rule["expr"]


@pytest.mark.parametrize("alert", ALERTS)
def test_every_alert_has_a_runbook_and_cases_of_both_kinds(alert: str) -> None:
    for rule in ALERTS[alert]:
        page = (ROOT / rule["annotations"]["runbook_url"]).read_text()
        assert page.startswith(f"# {alert}\n")
        for heading in ("## Meaning", "## Impact", "## Diagnosis", "## Mitigation"):
            assert f"\n{heading}\n" in page
        assert rule["annotations"]["summary"].endswith(".")
    own = [bool(case.fires) for case in CASES if case.alert == alert]
    assert True in own
    assert False in own


def test_there_is_no_runbook_without_its_alert() -> None:
    pages = {path.stem for path in (ROOT / "docs" / "runbooks").glob("*.md")} - {"README"}
    assert pages == ALERTS.keys()
