"""The shared terms of the protocol <-> the words of the rules. Pure."""

from gen.tandemfog.types.v1 import types_pb2
from gen.tandemfog.types.v1.types_pb2 import (
    PROFILE_CLUB,
    PROFILE_ONLINE,
    PROFILE_UNSPECIFIED,
    QUICK_MESSAGE_UNSPECIFIED,
    VARIANT_FOG,
    VARIANT_TANDEM,
)
from libs.rules.outcome import Outcome
from libs.rules.position import Profile, Variant

QUICK_MESSAGES: dict[str, types_pb2.QuickMessage.ValueType] = {
    name.removeprefix("QUICK_MESSAGE_").lower(): number
    for name, number in types_pb2.QuickMessage.items()
    if number != QUICK_MESSAGE_UNSPECIFIED
}
"""The closed list that partners may say, by the names that browsers use: ``need_pawn``, ``sit``, ..."""

QUICK_NAMES: dict[types_pb2.QuickMessage.ValueType, str] = {
    number: name for name, number in QUICK_MESSAGES.items()
}
"""The same the other way round."""

_VARIANTS: dict[types_pb2.Variant.ValueType, Variant] = {VARIANT_TANDEM: "tandem", VARIANT_FOG: "fog"}
_SEATS: dict[Variant, int] = {"tandem": 4, "fog": 2}


def variant_of(number: types_pb2.Variant.ValueType) -> Variant | None:
    """The variant's name; None for a number that says none."""
    return _VARIANTS.get(number)


def variant_number(variant: Variant) -> types_pb2.Variant.ValueType:
    """The number of a variant's name."""
    return VARIANT_FOG if variant == "fog" else VARIANT_TANDEM


def profile_of(number: types_pb2.Profile.ValueType) -> Profile:
    """The profile's name; unspecified is the default, online."""
    return "club" if number == PROFILE_CLUB else "online"


def profile_number(variant: Variant, profile: Profile) -> types_pb2.Profile.ValueType:
    """The number of a profile's name; fog has none."""
    if variant == "fog":
        return PROFILE_UNSPECIFIED
    return PROFILE_CLUB if profile == "club" else PROFILE_ONLINE


def seat_count(variant: Variant) -> int:
    """How many play it."""
    return _SEATS[variant]


def outcome_message(outcome: Outcome) -> types_pb2.Outcome:
    """An outcome as the protocol has it: winner 0 for nobody."""
    return types_pb2.Outcome(winner=outcome.winner or 0, reason=outcome.reason)


def outcome_of(message: types_pb2.Outcome) -> Outcome:
    """An outcome as the rules have it: winner None for nobody."""
    return Outcome(message.winner or None, message.reason)
