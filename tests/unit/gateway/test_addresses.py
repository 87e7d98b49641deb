"""Which address counts, and how much may come from it."""

from __future__ import annotations

import pytest
import structlog.testing
from pydantic import ValidationError

from libs.runtime.metrics import Metrics
from libs.runtime.refusals import Refusal
from services.gateway.addresses import BURST_S, Addresses, client_address, networks_of
from services.gateway.metrics import GatewayMetrics
from services.gateway.settings import GatewaySettings

PROXIES = networks_of("10.0.0.0/8, 127.0.0.1, 2001:db8::/32")


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.7", [], "203.0.113.7"),
        ("203.0.113.7", ["198.51.100.1"], "203.0.113.7"),  # no proxy of ours: its word is nothing
        ("10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
        (
            "10.1.2.3",
            ["198.51.100.1, 203.0.113.7"],
            "203.0.113.7",
        ),  # what the client wrote itself comes first
        ("10.1.2.3", ["198.51.100.1", "203.0.113.7, 10.9.9.9"], "203.0.113.7"),
        ("10.1.2.3", [], "10.1.2.3"),
        ("10.1.2.3", ["nonsense"], "unknown"),
        ("2001:db8::1", ["2001:0:1:2:3:4:5:6"], "2001:0:1:2::/64"),
        ("2a00:1:2:3::9", [], "2a00:1:2:3::/64"),
    ],
)
def test_the_last_address_that_is_no_proxy_of_ours_counts(
    peer: str, forwarded: list[str], address: str
) -> None:
    assert client_address(peer, forwarded, PROXIES) == address


def addresses(**settings: object) -> Addresses:
    told: dict[str, object] = {
        **dict.fromkeys(("peers_matchmaking", "peers_game", "peers_visibility"), ""),
        "session_secret_file": "/nowhere",
        **settings,
    }
    return Addresses(GatewaySettings.model_validate(told), GatewayMetrics(Metrics("gateway")))


def test_an_address_has_so_many_websockets_and_gets_room_again_when_one_closes() -> None:
    limited = addresses(connections_per_address=2)
    limited.open("a")
    limited.open("a")
    limited.open("b")
    with pytest.raises(Refusal) as caught:
        limited.open("a")
    assert caught.value.reason == "too_many_connections"
    limited.close("a")
    limited.open("a")


def test_an_address_may_talk_in_a_burst_and_then_at_its_rate() -> None:
    limited = addresses(messages_per_address_s=10)
    assert [limited.admit("a", 0.0) for _ in range(10 * BURST_S + 1)].count(False) == 1
    assert limited.admit("b", 0.0)
    assert [limited.admit("a", 1.0) for _ in range(11)] == [True] * 10 + [False]


def test_a_proxy_that_is_no_network_is_refused_at_the_start() -> None:
    with pytest.raises(ValidationError):
        addresses(trusted_proxies="10.0.0.0/8, my-proxy")


def test_who_is_held_back_is_named_in_the_log_once_a_minute_and_counted_each_time() -> None:
    limited = addresses(connections_per_address=1)
    limited.open("203.0.113.7")
    with structlog.testing.capture_logs() as lines:
        for _ in range(3):
            with pytest.raises(Refusal):
                limited.open("203.0.113.7")
        limited.open("203.0.113.8")
    assert [(line["event"], line["address"], line["limit"]) for line in lines] == [
        ("address_limited", "203.0.113.7", "address_connections")
    ]
