"""Two people on one device: who lifts the curtain comes to the seat that lifts it (F-curtain)."""

from __future__ import annotations

from gen.tandemfog.game.v1 import game_pb2 as game
from libs.runtime.refusals import Refusal
from services.gateway import frames
from services.gateway.backends import Backends, ask, shard_key
from services.gateway.lobby import Answer, Lobby, seated
from services.gateway.session import Session
from services.gateway.translate import small_number


class Curtain:
    """Answers the command that lifts it."""

    def __init__(self, backends: Backends, lobby: Lobby) -> None:
        self._game = backends.game
        self._lobby = lobby

    async def lift(self, session: Session, command: frames.Lift) -> Answer:
        """Game starts the clock, and the connection watches as that seat from then on.

        Raises Refusal: not_joined, not_your_seat, and what game refuses: stale, not_your_turn, no_curtain. A
        curtain that this seat has lifted before, for the same move, is no obstacle: the page was loaded anew.
        """
        table_id = session.joined().table_id
        ply = small_number(command.ply, "stale")
        table, grant = await self._lobby.claim_seat(
            session.guest_id, table_id, command.seat, command.token or ""
        )
        request = game.ActRequest(request_id=command.id, token=grant.token, lift=game.Lift(ply=ply))
        try:
            await ask(self._game, shard_key(table_id), lambda stub: stub.act, request)
        except Refusal as refusal:
            if refusal.reason != "curtain_up":
                raise
        return seated(command.id, table, grant)
