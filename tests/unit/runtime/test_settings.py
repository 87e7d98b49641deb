"""Settings: typed, and nothing in the environment is silently ignored."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
from pydantic import Field, ValidationError

from libs.runtime.settings import ServiceSettings, SettingsError, shared


class GameSettings(ServiceSettings, env_prefix="TANDEMFOG_GAME_"):
    service: ClassVar[str] = "game"

    store_url: str = shared("STORE_URL")
    token_secret_file: Path | None = shared("TOKEN_SECRET_FILE", None)
    sweep_batch: int = Field(64, description="Deadlines taken in one go.")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch):
    monkeypatch.delenv("TANDEMFOG_CHROMIUM", raising=False)
    monkeypatch.setenv("TANDEMFOG_STORE_URL", "redis://127.0.0.1:1/0")


def test_a_setting_is_read_from_the_service_s_own_variable(monkeypatch):
    monkeypatch.setenv("TANDEMFOG_GAME_PORT", "7001")
    monkeypatch.setenv("TANDEMFOG_GAME_SWEEP_BATCH", "8")
    monkeypatch.setenv("TANDEMFOG_LOG_LEVEL", "debug")
    settings = GameSettings.from_environment()
    assert (settings.port, settings.sweep_batch, settings.log_level) == (7001, 8, "debug")
    assert settings.store_url == "redis://127.0.0.1:1/0"
    assert settings.host == "127.0.0.1"


@pytest.mark.parametrize(
    "name", ["TANDEMFOG_GAME_SWEEP_BACH", "TANDEMFOG_STOR_URL", "TANDEMFOG_GAME_STORE_URL"]
)
def test_a_variable_that_no_setting_knows_is_refused_by_name(monkeypatch, name):
    monkeypatch.setenv(name, "8")
    with pytest.raises(SettingsError, match=f"{name}: no setting has this name"):
        GameSettings.from_environment()


def test_another_service_s_variables_are_let_be(monkeypatch):
    monkeypatch.setenv("TANDEMFOG_BOTS_PACE", "0")
    monkeypatch.setenv("TANDEMFOG_PEERS_GAME", "127.0.0.1:1")
    GameSettings.from_environment()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TANDEMFOG_GAME_PORT", "seventy"),
        ("TANDEMFOG_GAME_PORT", "70000"),
        ("TANDEMFOG_GAME_DRAIN_GRACE_MS", "-1"),
        ("TANDEMFOG_LOG_LEVEL", "loud"),
    ],
)
def test_a_bad_value_is_refused_with_the_variable_s_name(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name):
        GameSettings.from_environment()


def test_a_required_setting_that_is_missing_is_named(monkeypatch):
    monkeypatch.delenv("TANDEMFOG_STORE_URL")
    with pytest.raises(SettingsError, match="TANDEMFOG_STORE_URL"):
        GameSettings.from_environment()


def test_all_problems_are_told_at_once(monkeypatch):
    monkeypatch.setenv("TANDEMFOG_GAME_PORT", "seventy")
    monkeypatch.setenv("TANDEMFOG_GAME_PROT", "7001")
    with pytest.raises(SettingsError) as caught:
        GameSettings.from_environment()
    assert "TANDEMFOG_GAME_PORT" in str(caught.value)
    assert "TANDEMFOG_GAME_PROT" in str(caught.value)


def test_settings_can_be_made_in_code_and_do_not_change():
    settings = GameSettings(store_url="redis://127.0.0.1:2/0", port=7001)
    assert (settings.store_url, settings.port) == ("redis://127.0.0.1:2/0", 7001)
    with pytest.raises(ValidationError):
        setattr(settings, "port", 7002)  # noqa: B010 - the type checker refuses it, too


def test_only_listed_names_are_shared():
    with pytest.raises(ValueError, match="FAVOURITE_COLOUR"):
        shared("FAVOURITE_COLOUR")
