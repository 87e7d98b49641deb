"""Which address counts, and how much may come from it."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
import structlog.testing
from multidict import CIMultiDict
from pydantic import ValidationError

from libs.runtime.metrics import Metrics
from libs.runtime.refusals import Refusal
from services.gateway.addresses import BURST_S, UNKNOWN, Addresses, counted, networks_of, who_asks
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
        # Some proxies write the port as well.
        ("10.1.2.3", ["203.0.113.7:49152"], "203.0.113.7"),
        ("10.1.2.3", ["[2a00:1:2:3::9]:49152"], "2a00:1:2:3::/64"),
        ("10.1.2.3", ["[2a00:1:2:3::9]"], "2a00:1:2:3::/64"),
        ("10.1.2.3", ["198.51.100.1:1, 203.0.113.7:2, 10.9.9.9:3"], "203.0.113.7"),
        # An IPv4 address that is written as an IPv6 one is that IPv4 address, whoever writes it.
        ("::ffff:203.0.113.7", ["198.51.100.1"], "203.0.113.7"),
        ("::ffff:10.1.2.3", ["::ffff:203.0.113.7"], "203.0.113.7"),
        ("10.1.2.3", ["203.0.113.7, [::ffff:10.9.9.9]:80"], "203.0.113.7"),
    ],
)
def test_the_last_address_that_is_no_proxy_of_ours_counts(
    peer: str, forwarded: list[str], address: str
) -> None:
    assert counted(who_asks(peer, forwarded, PROXIES)) == address


def test_a_proxy_that_is_named_as_ipv6_and_comes_as_ipv4_is_ours_all_the_same() -> None:
    for named, peer in (("::ffff:10.1.2.3", "10.1.2.3"), ("::ffff:10.0.0.0/104", "::ffff:10.1.2.3")):
        assert who_asks(peer, ["203.0.113.7"], networks_of(named)) == "203.0.113.7"
    assert who_asks("11.1.2.3", ["203.0.113.7"], networks_of("::ffff:10.0.0.0/104")) == "11.1.2.3"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("203.0.113.7:443", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:DB8::9", "2001:db8::/64"),
        ("[2001:db8::9]:443", "2001:db8::/64"),
        ("2001:db8::/64", "2001:db8::/64"),  # as it stands in lists and logs
        ("2001:db8::9/64", "2001:db8::/64"),
        # Nobody's address counts as these.
        ("2001:db8::/48", UNKNOWN),
        ("203.0.113.0/24", UNKNOWN),
        ("::ffff:203.0.113.7/64", UNKNOWN),
        ("203.0.113.7:", UNKNOWN),
        ("203.0.113.7:http", UNKNOWN),
        ("[2001:db8::9", UNKNOWN),
        ("203.0.113", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_an_address_counts_alike_however_it_is_written(text: str, address: str) -> None:
    assert counted(text) == address


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


def test_a_forwarded_address_that_cannot_be_read_is_told_once_a_minute_by_its_form_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = [1_000.0]
    monkeypatch.setattr("services.gateway.addresses.time.monotonic", lambda: now_s[0])
    limited = addresses(trusted_proxies="10.0.0.0/8")
    transport = Mock()
    transport.get_extra_info.return_value = ("10.1.2.3", 50_000)

    def ask(forwarded: str) -> str:
        return limited.of(Mock(transport=transport, headers=CIMultiDict({"X-Forwarded-For": forwarded})))

    with structlog.testing.capture_logs() as lines:
        assert ask("198.51.100.1, 203.0.113.7") == "203.0.113.7"
        assert lines == []
        for _ in range(3):
            assert ask("198.51.100.1, kari@203.0.113.7") == UNKNOWN
        now_s[0] += 61
        ask("_hid\udcffden")
    told = [(line["event"], line["log_level"], line["proxy"], line["form"]) for line in lines]
    assert told == [
        ("forwarded_address_unread", "warning", "10.1.2.3", "aaaa@999.9.999.9"),
        ("forwarded_address_unread", "warning", "10.1.2.3", "_aaa?aaa"),
    ]
