"""Each command's answer: which service is asked, and what is made of what it says."""

from __future__ import annotations

from msgspec import UNSET

from gen.tandemfog.game.v1 import game_pb2 as game
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2 as matchmaking
from libs.runtime.refusals import Refusal
from services.gateway import frames
from services.gateway.backends import Backends, ask, shard_key
from services.gateway.curtain import Curtain
from services.gateway.lobby import Answer, Lobby
from services.gateway.pushed import Ok
from services.gateway.session import Place, Session
from services.gateway.talking import Talking
from services.gateway.translate import board_number, small_number, table_entry
from services.gateway.waiting import WaitingRoom

GESTURES: dict[type[frames.Gesture], game.Gesture.ValueType] = {
    frames.Resign: game.GESTURE_RESIGN,
    frames.OfferDraw: game.GESTURE_OFFER_DRAW,
    frames.AcceptDraw: game.GESTURE_ACCEPT_DRAW,
    frames.DeclineDraw: game.GESTURE_DECLINE_DRAW,
    frames.Abort: game.GESTURE_ABORT,
}
BEFORE_THE_START = (matchmaking.TABLE_STATE_OPEN, matchmaking.TABLE_STATE_COUNTDOWN)


class Commands:
    """Answers the commands of any session."""

    def __init__(self, backends: Backends, lobby: Lobby) -> None:
        self._game = backends.game
        self._lobby = lobby
        self._waiting = WaitingRoom(backends)
        self._talking = Talking(backends)
        self._curtain = Curtain(backends, lobby)

    async def answer(self, session: Session, command: frames.AnyCommand) -> Answer:
        """The answer to one command. Raises Refusal when it is no."""
        match command:
            case (
                frames.QuickPlay()
                | frames.QuickPlayBots()
                | frames.LeaveQueue()
                | frames.CreateParty()
                | frames.JoinParty()
            ):
                return await self._waiting.answer(session, command)
            case frames.PlayNow() | frames.TakeSeat() | frames.CreateTable():
                return await self._sit_down(session, command)
            case frames.ListTables() | frames.WatchList():
                return await self._list(session, command)
            case frames.Join() | frames.SetBot():
                return await self._lobby.answer(session, command)
            case frames.Lift():
                return await self._curtain.lift(session, command)
            case frames.Move():
                return await self._move(session, command)
            case frames.Leave():
                return await self._leave(session, command)
            case frames.Say() | frames.Mute() | frames.Report():
                return await self._talking.answer(session.seated(), command)
            case frames.Rematch():
                await self._lobby.set_rematch(session.seated(), command.agree, command.rotate)
                return Answer(Ok(id=command.id))
            case frames.Ping():
                return Answer(Ok(id=command.id))
            case _:
                return await self._gesture(session.seated(), command.id, GESTURES[type(command)])

    async def _sit_down(
        self, session: Session, command: frames.PlayNow | frames.TakeSeat | frames.CreateTable
    ) -> Answer:
        with session.sitting_down() as has_sat_down:
            answer = await self._lobby.answer(session, command)
            if answer.place is not None or answer.ok.seats is not UNSET:
                has_sat_down()
            return answer

    async def _list(self, session: Session, command: frames.ListTables | frames.WatchList) -> Answer:
        if isinstance(command, frames.WatchList):
            session.watch_list(command.on)
            return Answer(Ok(id=command.id))
        tables = await self._lobby.list_tables()
        return Answer(Ok(id=command.id, tables=[table_entry(table) for table in tables]))

    async def _move(self, session: Session, command: frames.Move) -> Answer:
        place = session.seated()
        move = game.Move(
            board=board_number(command.board), ply=small_number(command.ply, "stale"), uci=command.uci
        )
        request = game.ActRequest(
            request_id=command.id,
            token=place.token,
            move=move,
            measured_lag_ms=session.lag_ms,
            received_at_us=session.received_at_us,
        )
        return await self._act(place, request)

    async def _gesture(self, place: Place, request_id: str, gesture: game.Gesture.ValueType) -> Answer:
        request = game.ActRequest(request_id=request_id, token=place.token, gesture=gesture)
        return await self._act(place, request)

    async def _act(self, place: Place, request: game.ActRequest) -> Answer:
        """Game remembers the request id, so that asking another replica again does nothing twice."""
        answer = await ask(self._game, shard_key(place.table_id), lambda stub: stub.act, request)
        return Answer(Ok(id=request.request_id, version=answer.version, duplicate=answer.duplicate or UNSET))

    async def _leave(self, session: Session, command: frames.Leave) -> Answer:
        """A spectator stops watching. A seat is given back before the start, and its holder looks on; in a
        running match leaving loses (T-leave); after the end it takes back a rematch."""
        place = session.joined()
        ok = Ok(id=command.id)
        if place.seat is None or session.table.state == matchmaking.TABLE_STATE_CLOSED:
            return Answer(ok, leaves=True)
        place = session.seated()
        if session.table.state in BEFORE_THE_START:
            try:
                return Answer(ok, Place(place.table_id), await self._lobby.leave_seat(place))
            except Refusal as refusal:
                if refusal.reason != "already_started":
                    raise
        try:
            return await self._gesture(place, command.id, game.GESTURE_LEAVE)
        except Refusal as refusal:
            if refusal.reason != "over":
                raise
        try:
            await self._lobby.set_rematch(place, agree=False, rotate=False)
        except Refusal as refusal:
            if refusal.reason != "no_rematch":
                raise
        return Answer(ok)
