"""The clock for tests cannot be had in earnest."""

from __future__ import annotations

from pathlib import Path

import pytest

from libs.runtime.settings import SettingsError
from services.game.scripts import NAMES, load_scripts
from services.game.settings import CONSENT, GameSettings


def settings(monkeypatch: pytest.MonkeyPatch, url: str, **variables: str) -> GameSettings:
    monkeypatch.setenv("TANDEMFOG_STORE_URL", url)
    monkeypatch.setenv("TANDEMFOG_TOKEN_SECRET_FILE", str(Path("secret")))
    for name, value in variables.items():
        monkeypatch.setenv(f"TANDEMFOG_GAME_{name}", value)
    return GameSettings.from_environment()


def test_time_is_the_stores_own_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not settings(monkeypatch, "redis://store:6379/0").test_clock
    for script in load_scripts(test_clock=False).values():
        assert script.text.count("'TIME'") == 1
        assert ":now'" not in script.text


def test_every_script_reads_the_time_in_one_place_only() -> None:
    scripts = load_scripts(test_clock=True)
    assert set(scripts) == set(NAMES)
    for script in scripts.values():
        assert "'TIME'" not in script.text
        assert script.text.count("local function now_us()") == 1


def test_a_test_clock_needs_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="TEST_CLOCK_CONSENT"):
        settings(monkeypatch, "redis://127.0.0.1:6379/0", TEST_CLOCK="1")


@pytest.mark.parametrize(
    "url",
    [
        "redis://store:6379/0",
        "redis://10.0.0.1:6379/0",
        "redis://:p@example.org/0",
        "redis+cluster://127.0.0.1:1,10.0.0.1:2",
    ],
)
def test_a_test_clock_is_refused_with_a_store_elsewhere(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    with pytest.raises(SettingsError, match="loopback"):
        settings(monkeypatch, url, TEST_CLOCK="1", TEST_CLOCK_CONSENT=CONSENT)


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1:1/0",
        "redis://:p@localhost:1/0",
        "redis://[::1]:1/0",
        "redis+cluster://127.0.0.1:1,[::1]:2",
    ],
)
def test_a_test_clock_on_this_machine_is_for_tests(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    assert settings(monkeypatch, url, TEST_CLOCK="1", TEST_CLOCK_CONSENT=CONSENT).test_clock
