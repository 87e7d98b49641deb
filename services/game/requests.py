"""Requests checked and turned into the rules' words, or refused by name. Pure."""

from __future__ import annotations

import re

from gen.tandemfog.game.v1 import game_pb2
from gen.tandemfog.game.v1.game_pb2 import ActRequest, CreateMatchRequest
from gen.tandemfog.types.v1.types_pb2 import PROFILE_UNSPECIFIED, SEAT_KIND_BOT, SEAT_KIND_HUMAN, Seat
from libs.identity.ids import is_table_id
from libs.identity.tokens import SeatToken
from libs.rules.fog import FogGame
from libs.rules.tandem import TandemMatch
from libs.runtime.refusals import Refusal
from libs.wire.raw import Game
from libs.wire.terms import profile_of, seat_count, variant_of
from libs.wire.typed import JOINERS, is_honest, is_visible
from services.game.commands import Command, GestureCommand, GestureName, LiftCommand, MoveCommand
from services.game.match import Match, Player, start_match

INITIAL_MS = range(15_000, 3_600_000 + 1)
INCREMENT_MS = range(60_000 + 1)
LEVELS = range(1, 6)
NAME_LIMIT = 20
_REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_GATEWAY_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_GESTURES: dict[game_pb2.Gesture.ValueType, GestureName] = {
    game_pb2.GESTURE_RESIGN: "resign",
    game_pb2.GESTURE_OFFER_DRAW: "offer_draw",
    game_pb2.GESTURE_ACCEPT_DRAW: "accept_draw",
    game_pb2.GESTURE_DECLINE_DRAW: "decline_draw",
    game_pb2.GESTURE_ABORT: "abort",
    game_pb2.GESTURE_LEAVE: "leave",
}


def checked_request_id(text: str) -> str:
    """A request id; Refusal("bad_request_id")."""
    if _REQUEST_ID.fullmatch(text) is None:
        raise Refusal("bad_request_id")
    return text


def checked_match_id(text: str) -> str:
    """A match's id by its form; Refusal("unknown_match")."""
    if not is_table_id(text):
        raise Refusal("unknown_match")
    return text


def checked_gateway_id(text: str) -> str:
    """A gateway's name; Refusal("bad_request")."""
    if _GATEWAY_ID.fullmatch(text) is None:
        raise Refusal("bad_request", "A gateway's name has 1 to 128 letters, digits or '._:-'.")
    return text


def new_match(request: CreateMatchRequest) -> Match:
    """The match that a full table asks for.

    Raises Refusal: unknown_table, bad_variant, bad_profile, fog_not_combinable, clock_required, bad_time,
    unknown_seat for a wrong number of seats, bad_request for a free one, bad_name, bad_level,
    curtain_not_combinable for a curtain before anything but fog between people.
    """
    if not is_table_id(request.match_id):
        raise Refusal("unknown_table")
    variant = variant_of(request.variant)
    if variant is None:
        raise Refusal("bad_variant")
    if variant == "fog" and request.profile != PROFILE_UNSPECIFIED:
        raise Refusal("fog_not_combinable")
    if request.profile not in (0, 1, 2):
        raise Refusal("bad_profile")
    initial_ms = None
    if request.HasField("time"):
        initial_ms = request.time.initial_ms
        if initial_ms not in INITIAL_MS or request.time.increment_ms not in INCREMENT_MS:
            raise Refusal("bad_time")
    elif variant == "tandem":
        raise Refusal("clock_required")
    if len(request.seats) != seat_count(variant):
        raise Refusal("unknown_seat", f"{seat_count(variant)} seats are needed.")
    if len(request.leases) not in (0, len(request.seats)):
        raise Refusal("bad_request", "Either no seat has a lease or each has one.")
    players = tuple(_player(seat) for seat in request.seats)
    if request.curtain and not (variant == "fog" and all(player.human for player in players)):
        raise Refusal("curtain_not_combinable")
    game: Game = FogGame.start() if variant == "fog" else TandemMatch.start(profile_of(request.profile))
    leases = tuple(request.leases)
    return start_match(
        request.match_id,
        game,
        players,
        initial_ms,
        request.time.increment_ms,
        leases,
        has_curtain=request.curtain,
    )


def _player(seat: Seat) -> Player:
    if seat.kind not in (SEAT_KIND_HUMAN, SEAT_KIND_BOT):
        raise Refusal("bad_request", "Every seat must be taken.")
    if len(seat.name) > NAME_LIMIT or not is_visible(seat.name) or not is_honest(seat.name, JOINERS):
        raise Refusal("bad_name")
    human = seat.kind == SEAT_KIND_HUMAN
    if seat.level not in (range(1) if human else LEVELS):
        raise Refusal("bad_level")
    return Player(human, seat.name, seat.level, online=True)


def command_of(request: ActRequest, token: SeatToken) -> Command:
    """The command that a request means; Refusal bad_request or bad_gesture for one that means nothing."""
    action = request.WhichOneof("action")
    if action == "move":
        move = request.move
        return MoveCommand(token.seat, token.is_bot, move.board, move.ply, move.uci)
    if action == "lift":
        return LiftCommand(token.seat, token.is_bot, request.lift.ply)
    if action is None:
        raise Refusal("bad_request")
    gesture = _GESTURES.get(request.gesture)
    if gesture is None:
        raise Refusal("bad_gesture")
    return GestureCommand(token.seat, token.is_bot, gesture)
