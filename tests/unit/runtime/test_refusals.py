"""A refusal that did not travel as a call is to its caller what a refused call is."""

from __future__ import annotations

import grpc
import pytest

from libs.runtime.refusals import REASONS, error_of, is_gone, refusal_of


@pytest.mark.parametrize("reason", sorted(REASONS))
def test_a_named_refusal_comes_back_with_its_status_and_its_words(reason: str) -> None:
    error = error_of(grpc.StatusCode.INTERNAL, reason, "In words of its own.")
    assert error.code() is REASONS[reason][0]
    assert (refusal_of(error).reason, refusal_of(error).detail) == (reason, "In words of its own.")
    assert is_gone(error) == (reason in ("draining", "unavailable"))


@pytest.mark.parametrize("reason", ["", "a reason of a later version"])
def test_what_has_no_known_name_is_a_failure_that_sends_nobody_elsewhere(reason: str) -> None:
    error = error_of(grpc.StatusCode.INTERNAL, reason)
    assert error.code() is grpc.StatusCode.INTERNAL
    assert refusal_of(error).reason == "unavailable"
    assert not is_gone(error)


def test_what_nobody_has_answered_is_asked_of_another_member() -> None:
    assert is_gone(error_of(grpc.StatusCode.UNAVAILABLE))
