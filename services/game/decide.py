"""The authority's judgement: a match and a command give a decision or a refusal. Pure; time is the commit's.

Checks go in the order over -> seat -> ply and turn -> legality; what comes before them (a known request, a
deadline that has passed) only the commit can know.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NoReturn

from gen.tandemfog.feed.v1.feed_pb2 import CurtainLifted, DrawTalk, Moved, PresenceChanged, RawEvent
from libs.rules.errors import RulesError
from libs.rules.fog import FogStep
from libs.rules.outcome import (
    ABORTED,
    AGREEMENT,
    CLOSED,
    IDLE,
    LEAVING,
    NOBODY_PLAYED,
    RESIGNATION,
    TIME,
    Outcome,
)
from libs.rules.squares import square_name
from libs.rules.tandem import TandemMatch, TandemStep
from libs.runtime.refusals import REASONS, Refusal
from libs.wire.raw import SCHEMA
from libs.wire.terms import outcome_message
from services.game.commands import (
    CloseCommand,
    Command,
    DeadlineCommand,
    GestureCommand,
    LiftCommand,
    MoveCommand,
    PresenceCommand,
)
from services.game.match import Match

OFFER_AGAIN_ON_TURN = 3
"""Moves on the board until somebody who offers a draw on the own turn has made two more (T-draw)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things may last, in milliseconds (T-leave, F-win)."""

    offline_ms: int = 60_000
    offline_without_clock_ms: int = 600_000
    idle_ms: int = 7 * 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Decision:
    """What the commit is to write.

    ``pressed``: the board whose clock the mover presses, or None. ``lifted``: the seat that lifts the
    curtain, whose clock starts, or None. ``leaves_ms``: by seat, in how many milliseconds being offline
    counts as leaving, None: not any more. ``idle_ms``: in how many an untouched match is given up, None: no
    change. ``is_public``: whether spectators may know that something happened.
    """

    match: Match
    event: RawEvent
    is_public: bool
    pressed: int | None = None
    leaves_ms: dict[int, int | None] = field(default_factory=dict)
    idle_ms: int | None = None
    lifted: int | None = None


def decide(match: Match, command: Command, limits: Limits) -> Decision:
    """Return what the command does to the match; raise Refusal when it may not do anything."""
    if match.outcome is not None:
        raise Refusal("over")
    if isinstance(command, DeadlineCommand):
        return _end(match, _passed(match, command))
    if isinstance(command, PresenceCommand):
        return _presence(match, command, limits)
    if isinstance(command, CloseCommand):
        return _end(match, Outcome(None, CLOSED))
    if not 0 <= command.seat < len(match.players) or command.is_bot == match.players[command.seat].human:
        raise Refusal("not_your_seat")
    if isinstance(command, MoveCommand):
        return _move(match, command, limits)
    if isinstance(command, LiftCommand):
        return _lift(match, command)
    if match.lifts is not None and match.turn(0) != command.seat:
        raise Refusal("not_your_turn")
    if match.curtain_is_down:
        raise Refusal("curtain_down")
    return _gesture(match, command)


def _event(match: Match, **what: object) -> RawEvent:
    return RawEvent(match_id=match.match_id, version=match.version, schema=SCHEMA, **what)  # type: ignore[arg-type]


def _next(match: Match, **changes: object) -> Match:
    return replace(match, version=match.version + 1, **changes)  # type: ignore[arg-type]


def _end(match: Match, outcome: Outcome) -> Decision:
    after = _next(match).ended(outcome)
    return Decision(after, _event(after, ended=outcome_message(outcome)), True)


def _passed(match: Match, command: DeadlineCommand) -> Outcome:
    """What a deadline does: T-clock, T-leave, F-win."""
    if command.kind == "idle":
        return Outcome(None, IDLE)
    if command.kind == "leave":
        return _left(match, command.seat)
    if not any(match.plies):
        return Outcome(None, NOBODY_PLAYED)
    return match.lost_by(command.seat, TIME)


def _left(match: Match, seat: int) -> Outcome:
    return Outcome(None, ABORTED) if match.may_abort else match.lost_by(seat, LEAVING)


def _presence(match: Match, command: PresenceCommand, limits: Limits) -> Decision:
    """A person came or went: an offline human has not agreed to a draw (T-draw), the limit runs (T-leave)."""
    seat = command.seat
    agreed = match.agreed
    if not command.online and seat in agreed:
        agreed = () if seat == agreed[0] else tuple(other for other in agreed if other != seat)
    players = list(match.players)
    players[seat] = replace(players[seat], online=command.online)
    after = _next(match, players=tuple(players), agreed=agreed)
    limit_ms = limits.offline_without_clock_ms if match.initial_ms is None else limits.offline_ms
    event = _event(after, presence=PresenceChanged(seat=seat, online=command.online))
    leaves: dict[int, int | None] = {seat: None if command.online else limit_ms}
    return Decision(after, event, is_public=not match.is_fog, leaves_ms=leaves)


def _move(match: Match, command: MoveCommand, limits: Limits) -> Decision:
    board, seat = command.board, command.seat
    if board != seat // 2:
        raise Refusal("wrong_board")
    if command.ply != match.plies[board]:
        raise Refusal("stale")
    if match.turn(board) != seat % 2:
        raise Refusal("not_your_turn")
    if match.curtain_is_down:
        raise Refusal("curtain_down")
    step: TandemStep | FogStep
    try:
        if isinstance(match.game, TandemMatch):
            step = match.game.play(board, command.uci)
        else:
            step = match.game.play(command.uci)
    except RulesError as error:
        _refuse(match, error)
    agreed = () if match.agreed[:1] == (seat,) and not _offered_with(match, command) else match.agreed
    moved = Moved(board=board, ply=command.ply + 1, uci=step.uci, san=step.san, captured=step.captured or "")
    if isinstance(step, TandemStep):
        after = _next(match, game=step.match, verdicts=step.verdicts, agreed=agreed)
    else:
        moved.mark = "" if step.mark is None else square_name(step.mark)
        verdicts = (step.game.position.verdict(),)
        after = _next(match, game=step.game, verdicts=verdicts, agreed=agreed)
    if after.outcome is not None:
        after = after.ended(after.outcome)
    idle_ms = limits.idle_ms if match.initial_ms is None or match.lifts is not None else None
    return Decision(after, _event(after, moved=moved), True, pressed=board, idle_ms=idle_ms)


def _offered_with(match: Match, move: MoveCommand) -> bool:
    """Whether the mover's draw offer goes with this move: the other side is not there to answer before."""
    return match.lifts is not None and match.offer_again[move.seat] == move.ply + OFFER_AGAIN_ON_TURN


def _lift(match: Match, command: LiftCommand) -> Decision:
    """The side to move lifts the curtain (F-curtain). The clock that starts tells everybody."""
    if match.lifts is None:
        raise Refusal("no_curtain")
    if command.ply != match.plies[0]:
        raise Refusal("stale")
    if match.turn(0) != command.seat:
        raise Refusal("not_your_turn")
    if not match.curtain_is_down:
        raise Refusal("curtain_up")
    after = _next(match, lifts=match.lifts + 1)
    return Decision(after, _event(after, lifted=CurtainLifted(ply=command.ply)), True, lifted=command.seat)


def _refuse(match: Match, error: RulesError) -> NoReturn:
    """In fog every refusal by the rules of movement reads the same (B-refuse)."""
    if match.is_fog:
        raise Refusal("illegal_move") from error
    reason = error.reason if error.reason in REASONS else "illegal_move"
    raise Refusal(reason, error.detail) from error


def _gesture(match: Match, command: GestureCommand) -> Decision:
    seat, gesture = command.seat, command.gesture
    if gesture == "resign":
        return _end(match, match.lost_by(seat, RESIGNATION))
    if gesture in ("abort", "leave"):
        if command.is_bot:
            raise Refusal("not_for_bots")
        if gesture == "leave":
            return _end(match, _left(match, seat))
        if not match.may_abort:
            raise Refusal("abort_gone")
        return _end(match, Outcome(None, ABORTED))
    if command.is_bot and not match.is_fog:
        raise Refusal("not_for_bots")
    if gesture == "decline_draw":
        if not match.agreed:
            raise Refusal("no_offer")
        return _draw_talk(_next(match, agreed=()), seat, "decline")
    if seat in match.agreed:
        raise Refusal("offer_stands")
    if match.agreed:  # to offer what is offered already is to agree
        return _agree(_next(match, agreed=(*match.agreed, seat)), seat, "accept")
    if gesture == "accept_draw":
        raise Refusal("no_offer")
    return _offer(match, seat)


def _offer(match: Match, seat: int) -> Decision:
    """One offer per player until they have made two more moves (T-draw)."""
    ply = match.plies[seat // 2]
    if ply < match.offer_again[seat]:
        raise Refusal("offer_too_soon")
    own_turn = match.turn(seat // 2) == seat % 2
    again = list(match.offer_again)
    again[seat] = ply + (OFFER_AGAIN_ON_TURN if own_turn else OFFER_AGAIN_ON_TURN + 1)
    return _agree(_next(match, agreed=(seat,), offer_again=tuple(again)), seat, "offer")


def _agree(after: Match, seat: int, what: str) -> Decision:
    """Whose word is needed: in tandem every human's, in fog both players' (T-draw, F-draw)."""
    asked = {number for number, player in enumerate(after.players) if player.human or after.is_fog}
    if asked <= set(after.agreed) and all(after.players[number].online for number in asked):
        after = after.ended(Outcome(None, AGREEMENT))
    return _draw_talk(after, seat, what)


def _draw_talk(after: Match, seat: int, what: str) -> Decision:
    event = _event(after, draw=DrawTalk(seat=seat, what=what))
    return Decision(after, event, is_public=not after.is_fog or after.outcome is not None)
