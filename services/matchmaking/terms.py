"""What a table plays: variant, profile and clock, with the limits of the rules. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from libs.runtime.refusals import Refusal

Variant = Literal["tandem", "fog"]
Profile = Literal["online", "club"]

INITIAL_MS = range(15_000, 3_600_000 + 1)
INCREMENT_MS = range(60_000 + 1)
SEATS: dict[Variant, int] = {"tandem": 4, "fog": 2}
_DEFAULT_INITIAL_MS: dict[Profile, int] = {"online": 180_000, "club": 420_000}


@dataclass(frozen=True, slots=True)
class Clock:
    """Time of every player at the start and increment per move, in milliseconds."""

    initial_ms: int
    increment_ms: int


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table plays. ``profile`` is None in fog, ``clock`` None for a fog table without one.

    ``curtain``: between two people on one device (F-curtain).
    """

    variant: Variant
    profile: Profile | None
    clock: Clock | None
    public: bool
    curtain: bool = False

    @property
    def seats(self) -> int:
        """How many sit at it."""
        return SEATS[self.variant]


def agree_terms(
    variant: Variant | None,
    profile: Profile | None,
    clock: Clock | None,
    public: bool,
    curtain: bool = False,
) -> Terms:
    """Return the terms with their defaults filled in (T-clock, T-club-time).

    Raises Refusal: bad_variant without a variant, fog_not_combinable for fog with a profile (F-board),
    bad_time outside the limits, curtain_not_combinable for a curtain at anything but an unlisted fog table.
    """
    if variant is None:
        raise Refusal("bad_variant")
    if variant == "fog" and profile is not None:
        raise Refusal("fog_not_combinable")
    if clock is not None and not (clock.initial_ms in INITIAL_MS and clock.increment_ms in INCREMENT_MS):
        raise Refusal("bad_time")
    if curtain and (variant != "fog" or public):
        raise Refusal("curtain_not_combinable")
    if variant == "fog":
        return Terms(variant, None, clock, public, curtain)
    form: Profile = profile or "online"
    return Terms(variant, form, clock or Clock(_DEFAULT_INITIAL_MS[form], 0), public)
