"""The limits on the search's speed, kept on every run of `make bench`, in both builds."""

import json
import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("pure", [False, True], ids=["compiled", "plain"])
def test_the_search_keeps_its_limits_against_python_chess(pure: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.search"],
        env={**os.environ, "TANDEMFOG_PURE": "1" if pure else "0"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    print(done.stdout.strip())  # noqa: T201 - a person reads it
    figures = json.loads(done.stdout)
    if not pure and not figures["compiled"]:
        pytest.skip("the search is not compiled: no C compiler here")
    assert not figures["missed"], done.stderr
