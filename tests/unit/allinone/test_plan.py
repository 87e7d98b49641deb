"""What the launcher tells each service."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.allinone.plan import START_ORDER, Ports, Whole, environment

WHOLE = Whole(
    ports={name: Ports(7000 + number, 8000 + number) for number, name in enumerate(START_ORDER)},
    http_port=8080,
    store_url="redis://:secret@127.0.0.1:6379/0",
    token_secret_file=Path("/var/tandemfog/secret"),
    session_secret_file=Path("/var/tandemfog/session-secret"),
    page=Path("/srv/page"),
    archive_url="sqlite:////var/tandemfog/archive.db",
)


@pytest.mark.parametrize("service", ["visibility", "bots", "gateway"])
def test_a_service_behind_the_fence_is_not_told_where_the_store_is(service):
    told = environment(WHOLE, service, {"TANDEMFOG_STORE_URL": WHOLE.store_url})
    assert not any("secret@" in value for value in told.values())


def test_only_game_is_told_where_the_archive_is():
    other = {"TANDEMFOG_GAME_ARCHIVE_URL": "postgresql://archive:password@host/matches"}
    for service in START_ORDER:
        told = environment(WHOLE, service, other)
        assert ("postgresql" in str(told)) == (service == "game")
    assert environment(WHOLE, "game", {})["TANDEMFOG_GAME_ARCHIVE_URL"] == WHOLE.archive_url


def test_bots_are_not_told_the_secret_of_seat_tokens():
    told = environment(WHOLE, "bots", {"TANDEMFOG_TOKEN_SECRET_FILE": str(WHOLE.token_secret_file)})
    assert str(WHOLE.token_secret_file) not in told.values()


@pytest.mark.parametrize("service", ["game", "matchmaking"])
def test_a_service_that_keeps_state_is_told_the_store(service):
    told = environment(WHOLE, service, {})
    assert told["TANDEMFOG_STORE_URL"] == WHOLE.store_url
    assert told["TANDEMFOG_TOKEN_SECRET_FILE"] == str(WHOLE.token_secret_file)


def test_every_service_listens_where_the_others_look_for_it():
    for service in START_ORDER:
        own = environment(WHOLE, service, {})
        for other in START_ORDER:
            told = environment(WHOLE, other, {})
            name = service.upper()
            address = f"{own[f'TANDEMFOG_{name}_HOST']}:{own[f'TANDEMFOG_{name}_PORT']}"
            assert told[f"TANDEMFOG_PEERS_{name}"] == address


def test_a_service_s_own_variables_pass_through_and_the_launcher_s_do_not():
    inherited = {
        "PATH": "/usr/bin",
        "TANDEMFOG_BOTS_PACE": "0",
        "TANDEMFOG_LOG_LEVEL": "debug",
        "TANDEMFOG_PORT": "9000",
        "TANDEMFOG_VAR": "/elsewhere",
        "TANDEMFOG_ALLINONE_START_TIMEOUT_MS": "1",
    }
    told = environment(WHOLE, "bots", inherited)
    assert (told["PATH"], told["TANDEMFOG_BOTS_PACE"], told["TANDEMFOG_LOG_LEVEL"]) == (
        "/usr/bin",
        "0",
        "debug",
    )
    assert not {"TANDEMFOG_PORT", "TANDEMFOG_VAR", "TANDEMFOG_ALLINONE_START_TIMEOUT_MS"} & told.keys()


def test_the_url_names_the_page_s_port():
    assert WHOLE.url == "http://127.0.0.1:8080/"
    assert environment(WHOLE, "gateway", {})["TANDEMFOG_GATEWAY_HTTP_PORT"] == "8080"
