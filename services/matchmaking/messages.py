"""Tables as messages: what everybody who has a table's link may know of it. Guest ids stay here."""

from __future__ import annotations

from gen.tandemfog.matchmaking.v1 import matchmaking_pb2
from gen.tandemfog.types.v1 import types_pb2
from libs.runtime.refusals import Refusal
from services.matchmaking.table import Rematch, Seat, State, Table
from services.matchmaking.terms import Clock, Profile, Terms, Variant, agree_terms

_VARIANTS: dict[types_pb2.Variant.ValueType, Variant] = {
    types_pb2.VARIANT_TANDEM: "tandem",
    types_pb2.VARIANT_FOG: "fog",
}
_PROFILES: dict[types_pb2.Profile.ValueType, Profile] = {
    types_pb2.PROFILE_ONLINE: "online",
    types_pb2.PROFILE_CLUB: "club",
}
_KINDS = {
    "free": types_pb2.SEAT_KIND_UNSPECIFIED,
    "human": types_pb2.SEAT_KIND_HUMAN,
    "bot": types_pb2.SEAT_KIND_BOT,
}
_STATES: dict[State, matchmaking_pb2.TableState.ValueType] = {
    "open": matchmaking_pb2.TABLE_STATE_OPEN,
    "countdown": matchmaking_pb2.TABLE_STATE_COUNTDOWN,
    "starting": matchmaking_pb2.TABLE_STATE_STARTING,
    "started": matchmaking_pb2.TABLE_STATE_STARTED,
    "closed": matchmaking_pb2.TABLE_STATE_CLOSED,
}


def read_terms(settings: matchmaking_pb2.TableSettings) -> Terms:
    """Return the terms asked for, defaults filled in; raises Refusal as ``agree_terms``, bad_profile too."""
    profile = None
    if settings.profile:
        profile = _PROFILES.get(settings.profile)
        if profile is None:
            raise Refusal("bad_profile")
    clock = Clock(settings.time.initial_ms, settings.time.increment_ms) if settings.HasField("time") else None
    variant = _VARIANTS.get(settings.variant)
    return agree_terms(variant, profile, clock, settings.public, settings.curtain)


def table_message(table: Table, now_ms: int) -> matchmaking_pb2.Table:
    """Return the table as everybody may see it, its times counted from ``now_ms`` (the store's time)."""
    terms = table.terms
    return matchmaking_pb2.Table(
        table_id=table.table_id,
        version=table.version,
        state=_STATES[table.state],
        settings=matchmaking_pb2.TableSettings(
            variant=variant_number(terms.variant),
            profile=profile_number(terms.profile),
            time=clock_message(terms.clock),
            public=terms.public,
            curtain=terms.curtain,
        ),
        seats=[seat_message(seat) for seat in table.seats],
        starts_in_ms=max(0, table.starts_at_ms - now_ms) if table.state == "countdown" else 0,
        closed_reason=table.reason,
        rematch=_rematch_message(table.rematch, now_ms),
    )


def seat_message(seat: Seat) -> types_pb2.Seat:
    """Return the seat as everybody may see it."""
    return types_pb2.Seat(kind=_KINDS[seat.kind], name=seat.name, level=seat.level, online=seat.online)


def clock_message(clock: Clock | None) -> types_pb2.TimeControl | None:
    """Return the clock, or None without one."""
    if clock is None:
        return None
    return types_pb2.TimeControl(initial_ms=clock.initial_ms, increment_ms=clock.increment_ms)


def variant_number(variant: Variant) -> types_pb2.Variant.ValueType:
    """Return the variant's number on the wire."""
    return next(number for number, name in _VARIANTS.items() if name == variant)


def profile_number(profile: Profile | None) -> types_pb2.Profile.ValueType:
    """Return the profile's number on the wire; unspecified without one."""
    return next(
        (number for number, name in _PROFILES.items() if name == profile), types_pb2.PROFILE_UNSPECIFIED
    )


def _rematch_message(rematch: Rematch, now_ms: int) -> matchmaking_pb2.Rematch:
    return matchmaking_pb2.Rematch(
        agreed=rematch.agreed,
        rotate=rematch.rotate,
        next_table_id=rematch.next_table_id if rematch.made else "",
        expires_in_ms=max(0, rematch.ends_at_ms - now_ms) if rematch.ends_at_ms else 0,
    )
