"""What the matchmaking service can be told."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

from pydantic import Field, field_validator, model_validator

from libs.runtime.settings import ServiceSettings, shared
from libs.store.connect import check_url as check_store_url


class MatchmakingSettings(ServiceSettings, env_prefix="TANDEMFOG_MATCHMAKING_"):
    """Where the store and game are, and the times of a table's life (B-link, B-rematch)."""

    service: ClassVar[str] = "matchmaking"

    store_url: str = shared("STORE_URL")
    token_secret_file: Path = shared("TOKEN_SECRET_FILE")
    peers_game: str = shared("PEERS_GAME", "")

    countdown_ms: int = Field(3_000, ge=0, description="From the last seat taken to the start.")
    absent_ms: int = Field(30_000, ge=100, description="A seat without a connection is free after it.")
    unfilled_ms: int = Field(900_000, ge=100, description="A table that does not fill closes after it.")
    keep_ms: int = Field(86_400_000, ge=60_000, description="A table is kept so long after its last match.")
    changes_length: int = Field(
        2_000, ge=100, description="Changes of tables of one shard kept; who is later reads the tables anew."
    )
    changes_keep_ms: int = Field(3_600_000, ge=100, description="No change of a table is kept for longer.")
    rematch_ms: int = Field(60_000, ge=100, description="From the first agreement to the last.")
    bots_after_ms: int = Field(15_000, ge=0, description="Who waits longer in the queue is offered bots.")
    queue_present_ms: int = Field(3_000, ge=100, description="Who waits is paired when heard of so lately.")
    queue_absent_ms: int = Field(
        10_000, ge=100, description="A place in the queue is lost without a connection."
    )
    queue_rest_ms: int = Field(2_000, ge=0, description="Nobody is paired so soon after a start that failed.")
    lease_ms: int = Field(2_000, ge=100, description="A bot's lease ends when it is not renewed for so long.")
    status_ms: int = Field(30_000, ge=100, description="How often game is asked whether a match is over.")
    sweep_ms: int = Field(
        100,
        ge=10,
        description="The longest sleep between two looks for what is due; in a calm five times it.",
    )
    sweep_batch: int = Field(64, ge=1, description="Due tables of one shard taken in one go.")
    start_attempts: int = Field(4, ge=1, description="Times that game is asked before the table opens again.")
    start_timeout_ms: int = Field(2_000, ge=100, description="How long game may take to start a match.")

    @model_validator(mode="after")
    def _tables_outlive_rematches(self) -> Self:
        if self.keep_ms < self.rematch_ms:
            raise ValueError("a table must be kept at least as long as a rematch may be agreed")
        return self

    @field_validator("store_url")
    @classmethod
    def _names_a_store(cls, url: str) -> str:
        return check_store_url(url)
