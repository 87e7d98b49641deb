"""What a piece more in a hand would be worth: the plans to search for it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from libs.rules.position import Position
from services.bots.levels import Level
from services.bots.situation import Situation
from services.bots.tandem_brain import Plan, plan

KINDS = "PNBRQ"
BASE = ""
"""The name of the plan without a piece more."""
_PROBE = Level("probe", 400, 0, 0.0)


def own_plans(situation: Situation, dice: Random) -> Mapping[str, Plan]:
    """Return the plans for a seat on turn, by the kind it would have besides; none it has already."""
    position = Position.from_fen(situation.fen, "tandem")
    return _plans(position, situation, dice)


def their_plans(situation: Situation, uci: str, dice: Random) -> Mapping[str, Plan]:
    """Return the plans for the opponent's answer to a move, by the kind that it would have besides."""
    position = Position.from_fen(situation.fen, "tandem").play(uci, situation.profile).position
    return _plans(position, situation, dice)


def _plans(position: Position, situation: Situation, dice: Random) -> Mapping[str, Plan]:
    def one(place: Position) -> Plan:
        asked = replace(situation, fen=place.fen(), moves=(), wishes={}, key="")
        return plan(asked, _PROBE, dice)

    hand = position.hand(position.turn)
    plans = {BASE: one(position)}
    for letter in KINDS:
        if not hand[letter]:
            plans[letter] = one(position.with_in_hand(letter if position.turn == 0 else letter.lower()))
    return plans
