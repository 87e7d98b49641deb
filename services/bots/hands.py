"""What a bot does to the world: commands and words to game, with the answer's name."""

from __future__ import annotations

import grpc

from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from gen.tandemfog.types.v1 import types_pb2
from libs.identity.ids import shard_of, shard_tag
from libs.runtime.logs import request_metadata
from libs.runtime.peers import NoPeer, Peers
from libs.runtime.refusals import refusal_of

GamePeers = Peers[game_pb2_grpc.GameServiceStub]
TIMEOUT_S = 2.0
DONE = "done"
"""The answer when game did it; every other answer is the reason of a refusal."""


class Hands:
    """One seat's way to game. Every request may be repeated with its id: game does it once."""

    def __init__(self, game: GamePeers, match_id: str, token: str) -> None:
        self._game = game
        self._key = shard_tag(shard_of(match_id))
        self._token = token

    async def move(self, request_id: str, board: int, ply: int, uci: str) -> str:
        """Make a move that answers ``ply``; the answer's name."""
        move = game_pb2.Move(board=board, ply=ply, uci=uci)
        return await self._act(game_pb2.ActRequest(request_id=request_id, token=self._token, move=move))

    async def gesture(self, request_id: str, gesture: game_pb2.Gesture.ValueType) -> str:
        """Do what names no square; the answer's name."""
        request = game_pb2.ActRequest(request_id=request_id, token=self._token, gesture=gesture)
        return await self._act(request)

    async def say(self, request_id: str, quick: types_pb2.QuickMessage.ValueType) -> str:
        """Say something to the partner; the answer's name."""
        request = game_pb2.TalkRequest(request_id=request_id, token=self._token, quick=quick)
        try:
            await self._game.call(
                self._key,
                lambda stub: stub.Talk(request, timeout=TIMEOUT_S, metadata=request_metadata()),
            )
        except NoPeer:
            return "unavailable"
        except grpc.aio.AioRpcError as error:
            return refusal_of(error).reason
        return DONE

    async def _act(self, request: game_pb2.ActRequest) -> str:
        try:
            await self._game.call(
                self._key,
                lambda stub: stub.Act(request, timeout=TIMEOUT_S, metadata=request_metadata()),
            )
        except NoPeer:
            return "unavailable"
        except grpc.aio.AioRpcError as error:
            return refusal_of(error).reason
        return DONE
