"""The table that networks are compared with says the same as the code and its fences."""

from __future__ import annotations

import tomllib

from libs.runtime.settings import SERVICES
from tests.deploy.calls import ROOT, SETTINGS, STORE, calls_by_imports, calls_by_settings


def test_every_service_is_in_the_table():
    assert set(SETTINGS) == set(SERVICES)


def test_a_service_imports_the_stubs_of_those_whom_it_can_be_told_of_and_no_others():
    assert calls_by_imports() == calls_by_settings()


def test_who_is_behind_the_fence_cannot_be_told_of_the_store():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    fenced = {
        module.removeprefix("services.")
        for contract in contracts
        if "redis" in contract.get("forbidden_modules", ())
        for module in contract["source_modules"]
        if module.startswith("services.")
    }
    keepers = {caller for caller, callee in calls_by_settings() if callee == STORE}
    assert fenced == set(SERVICES) - keepers
    assert fenced
