"""What the gateway can be told."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path
from typing import ClassVar

from pydantic import Field, field_validator

from libs.runtime.settings import ServiceSettings, shared


class GatewaySettings(ServiceSettings, env_prefix="TANDEMFOG_GATEWAY_"):
    service: ClassVar[str] = "gateway"

    peers_matchmaking: str = shared("PEERS_MATCHMAKING")
    peers_game: str = shared("PEERS_GAME")
    peers_visibility: str = shared("PEERS_VISIBILITY")
    session_secret_file: Path = shared("SESSION_SECRET_FILE")
    http_host: str = Field("127.0.0.1", description="The address that browsers connect to.")
    http_port: int = Field(8080, ge=0, le=65535, description="The port that browsers connect to; 0 is any.")
    page_dir: Path = Field(Path("web/dist"), description="The built page.")
    extra_origins: str = Field(
        "", description="Origins, by commas, whose pages may open a websocket beside our own."
    )
    behind_tls: bool = Field(False, description="Browsers reach us over TLS: cookies are Secure.")
    trusted_proxies: str = Field(
        "", description="Proxies' addresses or networks, by commas, whose address header is believed."
    )
    address_header: str = Field(
        "X-Forwarded-For", description="The header in which the proxies name who asks."
    )
    connections_per_address: int = Field(1_000, ge=1, description="Websockets open from one address.")
    messages_per_address_s: int = Field(
        1_000, ge=1, description="Messages and HTTP requests a second from one address, after a burst."
    )
    bytes_per_address_s: int = Field(
        256_000,
        ge=1,
        description="Bytes a second from one address, after a burst; none counts behind a proxy.",
    )
    games_per_address_minute: int = Field(
        60, ge=1, description="Texts of games read a minute for one address, after 10 at once."
    )
    tables_per_guest: int = Field(30, ge=1, description="Tables that a guest may make at once.")
    table_every_ms: int = Field(10_000, ge=1, description="After those, one more table each so long.")
    tables_per_address: int = Field(100, ge=1, description="Tables that one address may make at once.")
    address_table_every_ms: int = Field(
        2_000, ge=1, description="After those, one more table of an address each so long."
    )
    first_request_ms: int = Field(
        10_000, gt=0, description="A connection that has asked for nothing after so long is closed."
    )
    ping_every_ms: int = Field(5_000, gt=0, description="How often an idle connection is pinged.")
    silence_ms: int = Field(11_000, gt=0, description="After so long without a sign a browser is gone.")
    stuck_ms: int = Field(10_000, gt=0, description="A browser that takes nothing for so long is cut off.")

    ops_token_file: Path | None = Field(
        None,
        description='The tokens of the operator\'s page /ops, lines "name token"; without it there is none.',
    )

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, text: str) -> str:
        for part in filter(None, (part.strip() for part in text.split(","))):
            ip_network(part)
        return text
