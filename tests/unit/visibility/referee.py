"""A match in the form in which visibility gets it, made by the rules alone: what game tells, without game."""

from __future__ import annotations

from gen.tandemfog.feed.v1.feed_pb2 import (
    CurtainLifted,
    DrawTalk,
    EventWithState,
    GetMatchResponse,
    Moved,
    PresenceChanged,
    RawClock,
    RawEvent,
    RawState,
)
from gen.tandemfog.types.v1 import types_pb2 as types
from libs.rules.fog import FogGame, FogStep
from libs.rules.position import Position, Profile
from libs.rules.squares import square_name
from libs.rules.tandem import TandemMatch, TandemStep, seat_of
from libs.wire.raw import write_game

MATCH_ID = "07" + "a" * 24
STEP_US = 1_000_000


class Referee:
    """Keeps one match and says each event with the state after it. `clocked` False: no clock (fog)."""

    def __init__(self, rules: TandemMatch | FogGame, clocked: bool = True, match_id: str = MATCH_ID) -> None:
        self.rules = rules
        self.fog = isinstance(rules, FogGame)
        seats = 2 if self.fog else 4
        self.log: list[RawEvent] = []
        self.talk: dict[int, list[types.TalkLine]] = {1: [], 2: []}
        self.state = RawState(
            match_id=match_id,
            seats=[
                types.Seat(kind=types.SEAT_KIND_HUMAN, name=f"Player {number}", online=True)
                for number in range(seats)
            ],
            offer_again_ply=[0] * seats,
        )
        if clocked:
            self.state.time.initial_ms = 180_000
            self.state.clocks.extend(RawClock(remaining_us=180 * STEP_US) for _ in range(seats))
        self._write_rules()
        self.started = self._commit(RawEvent(public=True))

    @staticmethod
    def on_one_device(clocked: bool = True) -> Referee:
        """A fog game of two people on one device, the curtain down."""
        referee = Referee(FogGame.start(), clocked)
        referee.state.lifts = 0
        for clock in referee.state.clocks:
            clock.running = False
        return referee

    @staticmethod
    def fog_at(fen: str) -> Referee:
        """A fog game set up."""
        return Referee(FogGame.at(Position.from_fen(fen, "fog")), clocked=False)

    @staticmethod
    def tandem_at(fen_a: str, fen_b: str, profile: Profile = "online") -> Referee:
        """A tandem match set up."""
        boards = (Position.from_fen(fen_a, "tandem"), Position.from_fen(fen_b, "tandem"))
        return Referee(TandemMatch.at(boards, profile))

    @property
    def positions(self) -> tuple[Position, ...]:
        return (self.rules.position,) if isinstance(self.rules, FogGame) else self.rules.positions

    def play(self, uci: str, board: int = 0) -> EventWithState:
        """A move or drop by the side to move."""
        step: FogStep | TandemStep
        if isinstance(self.rules, FogGame):
            step = self.rules.play(uci)
            self.rules, mark = step.game, "" if step.mark is None else square_name(step.mark)
        else:
            step = self.rules.play(board, uci)
            self.rules, mark = step.match, ""
        seat = seat_of(board, step.side)
        if self.state.clocks:
            self.state.clocks[seat].remaining_us -= STEP_US
        self._write_rules()
        moved = Moved(
            board=board,
            ply=self.state.boards[board].ply,
            uci=uci,
            san=step.san,
            captured=step.captured or "",
            mark=mark,
            remaining_us=self.state.clocks[seat].remaining_us if self.state.clocks else -1,
        )
        return self._commit(RawEvent(moved=moved, public=True))

    def lift(self) -> EventWithState:
        """The side to move lifts the curtain."""
        self.state.lifts += 1
        if self.state.clocks:
            self.state.clocks[self.positions[0].turn].running = True
        return self._commit(RawEvent(lifted=CurtainLifted(ply=self.state.boards[0].ply), public=True))

    def offer_draw(self, seat: int) -> EventWithState:
        """A draw offer that stands."""
        self.state.draw_agreed.append(seat)
        self.state.offer_again_ply[seat] = self.state.boards[0 if self.fog else seat // 2].ply + 4
        return self._commit(RawEvent(draw=DrawTalk(seat=seat, what="offer"), public=not self.fog))

    def presence(self, seat: int, online: bool) -> EventWithState:
        """A seat's last connection goes, or one comes back."""
        self.state.seats[seat].online = online
        event = RawEvent(presence=PresenceChanged(seat=seat, online=online), public=not self.fog)
        return self._commit(event)

    def end(self, winner: int, reason: str) -> EventWithState:
        """The end by something else than a move."""
        self.state.outcome.CopyFrom(types.Outcome(winner=winner, reason=reason))
        return self._commit(RawEvent(ended=self.state.outcome, public=True))

    def say(self, seat: int, team: int, text: str) -> types.TalkLine:
        """Something said to the partner."""
        line = types.TalkLine(number=len(self.talk[team]) + 1, seat=seat, text=text)
        self.talk[team].append(line)
        return line

    def match(self) -> GetMatchResponse:
        """All of the match now."""
        return GetMatchResponse(state=self.state, log=self.log, talk_one=self.talk[1], talk_two=self.talk[2])

    def _write_rules(self) -> None:
        write_game(self.state, self.rules)
        for board, position in enumerate(self.positions):
            for side in (0, 1):
                if self.state.clocks:
                    runs = position.turn == side and not self.state.HasField("lifts")
                    self.state.clocks[seat_of(board, side)].running = runs

    def _commit(self, event: RawEvent) -> EventWithState:
        self.state.version += 1
        self.state.public_version += event.public
        self.state.at_us += STEP_US
        event.match_id = self.state.match_id
        event.version = self.state.version
        event.at_us = self.state.at_us
        self.log.append(event)
        return EventWithState(event=event, state=self.state)
