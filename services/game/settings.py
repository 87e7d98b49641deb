"""What a game service can be told."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import ClassVar, Self

from pydantic import Field, field_validator, model_validator

from libs.archive.opening import check_url
from libs.runtime.settings import ServiceSettings, shared
from libs.store.connect import check_url as check_store_url
from libs.store.connect import seeds_of

CONSENT = "these clocks are not real"


class GameSettings(ServiceSettings, env_prefix="TANDEMFOG_GAME_"):
    """The settings of a game service; times are milliseconds."""

    service: ClassVar[str] = "game"

    store_url: str = shared(
        "STORE_URL",
        description="Where matches are kept: redis://host:port/0 or redis+cluster://host:port,...",
    )
    token_secret_file: Path = shared("TOKEN_SECRET_FILE", description="The secret that signs seat tokens.")
    offline_ms: int = Field(60_000, gt=0, description="Offline for so long counts as leaving (T-leave).")
    offline_without_clock_ms: int = Field(600_000, gt=0, description="The same in a game without a clock.")
    idle_ms: int = Field(
        7 * 24 * 3_600_000,
        gt=0,
        description="A game without a clock, or with a curtain, ends so long after the last move.",
    )
    keep_ms: int = Field(
        7 * 24 * 3_600_000, gt=0, description="How long a finished match is kept in the store."
    )
    talk_keep_ms: int = Field(
        24 * 3_600_000, gt=0, description="How long what was said is kept after the end; no archive has it."
    )
    archive_url: str = Field(
        "",
        description="Where finished matches go for good: sqlite:///path or postgresql://...",
    )
    archive_wait_ms: int = Field(
        30 * 24 * 3_600_000,
        gt=0,
        description="How long the store keeps a finished match for an archive that is away, at least.",
    )
    archive_every_ms: int = Field(1_000, gt=0, description="How often finished matches are archived.")
    archive_keep_ms: int = Field(0, ge=0, description="How long the archive keeps a match; 0: for ever.")
    names_keep_ms: int = Field(
        365 * 24 * 3_600_000, gt=0, description="How long the archive keeps who played a match."
    )
    reports_keep_ms: int = Field(
        90 * 24 * 3_600_000, gt=0, description="How long a report of talk is kept for the operator."
    )
    acts_keep_ms: int = Field(
        90 * 24 * 3_600_000, gt=0, description="How long the list of what operators have done is kept."
    )
    reports_kept: int = Field(1_000, gt=0, description="So many reports of each shard are kept at most.")
    outage_after_ms: int = Field(
        800, gt=0, description="Without a beat for so long, time stands still (T-outage)."
    )
    beat_ms: int = Field(300, gt=0, description="How often the service beats while it takes moves.")
    gateway_silence_ms: int = Field(
        10_000, gt=0, description="How long a report is believed of a gateway that does not attest."
    )
    presence_ms: int = Field(12_000, gt=0, description="How long a gateway's word on its connections holds.")
    start_grace_ms: int = Field(
        15_000, gt=0, description="People count as present for so long after the start, unless reported."
    )
    rescue_ms: int = Field(
        500, gt=0, description="So long before a bot's flag game moves for it, when no worker came."
    )
    sweep_batch: int = Field(64, gt=0, description="Deadlines of a shard taken in one go.")
    cached_matches: int = Field(4_096, gt=0, description="Matches held in memory for speed.")
    feed_length: int = Field(10_000, gt=0, description="Events kept in each shard's feed, about.")
    feed_keep_ms: int = Field(
        3_600_000,
        gt=0,
        description="Events are kept in the feed no longer, what was said no longer than talk.",
    )
    test_clock: bool = Field(False, description="Only for tests: time is what the test writes to the store.")
    test_clock_consent: str = Field("", description=f"Must say '{CONSENT}' with test_clock.")

    @field_validator("store_url")
    @classmethod
    def _names_a_store(cls, url: str) -> str:
        return check_store_url(url)

    @field_validator("archive_url")
    @classmethod
    def _names_an_archive(cls, url: str) -> str:
        return check_url(url) if url else url

    @model_validator(mode="after")
    def _no_test_clock_in_earnest(self) -> Self:
        if self.test_clock:
            if self.test_clock_consent != CONSENT:
                raise ValueError(f"a test clock needs TANDEMFOG_GAME_TEST_CLOCK_CONSENT={CONSENT!r}")
            if not all(_on_loopback(host) for host, _ in seeds_of(self.store_url)):
                raise ValueError("a test clock is refused unless the store is on this machine's loopback")
        return self


def _on_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
