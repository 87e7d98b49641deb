"""docs/metrics.md and the code say the same; a scrape of the running whole is tests/monitoring's."""

from __future__ import annotations

from tests.kit.metrics import OF_SERVICES, PAGE, documented, made


def test_the_page_lists_every_metric_with_its_type_and_labels_and_no_other() -> None:
    there = set().union(*(made(service) for service in OF_SERVICES))
    assert documented() == there


def test_every_row_of_the_page_is_understood() -> None:
    rows = [
        line
        for line in PAGE.read_text().splitlines()
        if line.startswith("| `tandemfog_") and line.count("|") == 6
    ]
    common = [row for row in rows if "<service>" in row]
    assert len(documented()) == len(rows) + (len(OF_SERVICES) - 1) * len(common)


def test_no_label_has_a_name_that_invites_ids() -> None:
    for metric in documented():
        assert not metric.labels & {"id", "match", "table", "guest", "address", "name", "token", "seat"}, (
            metric
        )
