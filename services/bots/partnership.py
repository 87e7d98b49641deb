"""One seat and its partner: what it hears and answers, asks for and warns of, and when it sits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from gen.tandemfog.types.v1 import types_pb2
from services.bots.hands import Hands
from services.bots.match_view import MatchView
from services.bots.search.engine import MATE
from services.bots.situation import Situation
from services.bots.talk import FORBIDS, NEEDS, Clocks, Mood, Quick, hear
from services.bots.thinker import Thinker
from services.bots.two_boards import (
    SIT_MARGIN_MS,
    diagonal_of,
    may_sit,
    partner_of,
    sit_ms,
    sits_for,
    warnings,
    wish,
)
from services.bots.what_if import BASE, own_plans, their_plans

CALM_MS = 12_000.0
"""Between two things said unasked; a mate is worth more haste."""
_ASKS = {letter: quick for quick, letter in NEEDS.items()}
_WARNS = {letter: quick for quick, letter in FORBIDS.items()}


class Partnership:
    """Heard and said in tandem; in fog there is nobody to talk to."""

    def __init__(self, seat: int, lease: int, hands: Hands, thinker: Thinker, dice: Random) -> None:
        self._seat = seat
        self._lease = lease
        self._hands = hands
        self._thinker = thinker
        self._dice = dice
        self._mood = Mood()
        self._answers: list[tuple[int, Quick]] = []
        self._said = 0
        self._calm_until_ms = 0.0
        self._sat_ply = -1
        self._sat_hand = ""

    def wishes(self, now_ms: float) -> dict[str, int]:
        """What the partner wants: see ``Situation``."""
        return self._mood.wishes(now_ms)

    def sits_until_ms(self, view: MatchView) -> float:
        """When it moves at the earliest: not before what it waits for has come, or will not come any more.

        While the partner is offline nobody would send it.
        """
        came = self._sat_ply == view.ply and view.hand != self._sat_hand
        if came or not _partner_there(view, self._seat):
            self._mood = replace(self._mood, sit_until_ms=0.0)
        return self._mood.sit_until_ms

    def hear(self, line: types_pb2.TalkLine, view: MatchView, now_ms: float, answering: bool) -> None:
        """Take in a line. What was said before we came is heeded, but not answered, nor sat for."""
        if line.seat == self._seat:
            return
        takes = view.takes() if view.seen else frozenset[str]()
        ply = view.ply if view.seen else -1
        sat_until_ms = self._mood.sit_until_ms
        self._mood, quick = hear(self._mood, line, takes, now_ms, self._clocks(view, now_ms), ply)
        if not answering:
            self._mood = replace(self._mood, sit_until_ms=sat_until_ms)
        elif quick is not None:
            self._answers.append((line.number, quick))

    async def answer(self) -> None:
        """Say what is owed to the partner's words."""
        answers, self._answers = self._answers, []
        for number, quick in answers:
            await self._hands.say(f"t{number}-{self._lease}", quick)

    async def ask(self, situation: Situation, view: MatchView, now_ms: float) -> bool:
        """Before a move: ask for what a piece in hand would be worth; True when it begins to sit for one."""
        scores = await self._thinker.what_if(own_plans(situation, self._dice))
        if BASE not in scores:
            return False
        base, offers = scores[BASE], _without_base(scores)
        if base == MATE - 3:
            await self._speak([types_pb2.QUICK_MESSAGE_I_MATE], now_ms, True)
        wanted = wish(base, offers)
        if wanted is None:
            return False
        letter, strength = wanted
        if strength != "nice" or self._dice.random() < 0.25:
            words = (
                [_ASKS[letter], types_pb2.QUICK_MESSAGE_I_MATE] if strength == "mates" else [_ASKS[letter]]
            )
            await self._speak(words, now_ms, strength == "mates")
        clocks = self._clocks(view, now_ms)
        if (
            not sits_for(base, offers)
            or view.ply in (self._sat_ply, self._mood.gone_ply)
            or not may_sit(clocks.own_ms, clocks.diagonal_ms, SIT_MARGIN_MS)
        ):
            return False
        # Once for a position: should both of us sit, it is not for ever.
        self._sat_ply, self._sat_hand = view.ply, view.hand
        self._mood = replace(self._mood, sit_until_ms=now_ms + sit_ms(clocks.own_ms))
        return True

    async def warn(self, situation: Situation, uci: str, now_ms: float) -> None:
        """After a move: name the pieces that would mate us, or say that they mate as it is."""
        scores = await self._thinker.what_if(their_plans(situation, uci, self._dice))
        if BASE not in scores:
            return
        deadly = warnings(scores[BASE], _without_base(scores))
        if scores[BASE] == MATE - 1:
            await self._speak([types_pb2.QUICK_MESSAGE_THEY_MATE], now_ms, True)
        elif deadly:
            await self._speak([_WARNS[letter] for letter in deadly[:2]], now_ms, False)

    async def _speak(self, words: list[Quick], now_ms: float, hasty: bool) -> None:
        if now_ms < self._calm_until_ms - (CALM_MS / 2 if hasty else 0.0):
            return
        self._calm_until_ms = now_ms + CALM_MS
        for quick in words:
            self._said += 1
            await self._hands.say(f"s{self._said}-{self._lease}", quick)

    def _clocks(self, view: MatchView, now_ms: float) -> Clocks:
        if not view.seen or view.variant == "fog":
            return Clocks()
        return Clocks(view.clock_ms(self._seat, now_ms), view.clock_ms(diagonal_of(self._seat), now_ms))


def _without_base(scores: Mapping[str, int]) -> dict[str, int]:
    return {letter: score for letter, score in scores.items() if letter != BASE}


def _partner_there(view: MatchView, seat: int) -> bool:
    seats = view.seats.seats
    partner = partner_of(seat)
    return partner >= len(seats) or seats[partner].kind != types_pb2.SEAT_KIND_HUMAN or seats[partner].online
