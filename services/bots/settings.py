"""What a bot worker can be told."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from libs.runtime.settings import ServiceSettings, shared


class BotsSettings(ServiceSettings, env_prefix="TANDEMFOG_BOTS_"):
    """Where the other services are, how many seats to play, and how fast."""

    service: ClassVar[str] = "bots"

    peers_matchmaking: str = shared("PEERS_MATCHMAKING", "")
    peers_game: str = shared("PEERS_GAME", "")
    peers_visibility: str = shared("PEERS_VISIBILITY", "")

    seats: int = Field(400, ge=1, description="The most seats that this worker plays at a time.")
    search_processes: int = Field(
        0, ge=0, description="Processes that search moves; 0: one for each core of this machine."
    )
    uci_engine: str = Field(
        "", description="The path of fairy-stockfish, which then plays tandem at the highest level."
    )
    uci_nodes: int = Field(100_000, ge=1, description="How many positions it looks at for a move.")
    pace: float = Field(1.0, ge=0.0, description="Think times are multiplied by it; 0: none at all.")
    lease_every_ms: int = Field(500, ge=20, description="How often leases are renewed and seats asked for.")
