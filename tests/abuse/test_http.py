"""Odd HTTP: the answers are like all others, and nothing of what was sent gets into a log."""

from __future__ import annotations

import pytest

from services.gateway.site import HEADERS
from tests.abuse.odd_http import Answer, answer_to, answers_to_odd
from tests.integration.gateway.club import Club

SECRET = "gBQtHv3RkZ9wLmXy7sCd"


async def test_whatever_is_no_http_is_answered_as_everything_is_and_nothing_of_it_is_logged(
    club: Club, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    gateway = club.gateways[0]
    answers = await answers_to_odd(gateway.url, SECRET)
    written = "".join(capfd.readouterr()) + caplog.text
    assert "bad_http" in written
    for word in (SECRET, "Traceback", "http_failed"):
        assert word not in written
    bad = [answer for answer in answers.values() if answer is not None and answer.rest == b"Bad request.\n"]
    assert len(bad) > 20
    assert gateway.metric("bad_http_total") >= len(bad)  # some get two answers
    for name, answer in answers.items():
        assert answer is None or like_all_others(answer), (name, answer)


def like_all_others(answer: Answer) -> bool:
    """Whether an answer has the security headers, and nothing of what serves it."""
    headers = {name: answer.headers.get(name.lower()) for name in HEADERS}
    return headers == HEADERS and answer.status < 500 and b"aiohttp" not in answer.rest


async def test_the_metrics_do_not_say_what_serves_them_either(club: Club) -> None:
    url = f"http://127.0.0.1:{club.gateways[0].running.metrics_port}"
    for request in (b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", b"GET / HTTP/1.1\r\nX: \x01\r\n\r\n"):
        answer = await answer_to(url, request)
        assert answer is not None
        assert answer.headers["server"] == "tandemfog"
