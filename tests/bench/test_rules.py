"""The limits on the rules' speed, kept on every run of `make bench`."""

import json

import pytest

from tests.bench.rules import measure


def test_the_compiled_rules_keep_their_limits_against_python_chess() -> None:
    figures = measure()
    print(json.dumps(figures))  # noqa: T201 - a person reads it
    if not figures["compiled"]:
        pytest.skip("the limits are for the compiled rules, and these are not: no C compiler here")
    assert figures["missed"] == []
