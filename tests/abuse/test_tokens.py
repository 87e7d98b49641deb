"""Tokens that prove nothing (forged, of another table or seat, over, garbled): all are refused alike."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc

from gen.tandemfog.game.v1 import game_pb2, game_pb2_grpc
from gen.tandemfog.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from gen.tandemfog.view.v1 import view_pb2, view_pb2_grpc
from libs.identity.tokens import SeatToken, mint_seat_token
from libs.runtime.refusals import refusal_of
from libs.runtime.secrets import derived_key
from tests.integration.gateway.club import Club
from tests.kit.browser import Browser


def bad_tokens(club: Club, token: str, other_table: str) -> dict[str, str]:
    """Texts that look like a good token of seat 0 and prove nothing; `other_table` is of another match."""
    version, table, seat, holder, expires, signature = token.split(".")
    assert seat == "0"
    key = derived_key(club.secrets.token, "seat-token")
    past_s = int(time.time()) - 1
    lease = int(holder[1:])
    return {
        "forged": mint_seat_token(b"x" * 32, SeatToken(table, 0, lease, int(expires))),
        "swapped seat": ".".join((version, table, "1", holder, expires, signature)),
        "longer life": ".".join((version, table, seat, holder, str(int(expires) + 1), signature)),
        "moved to another table": ".".join((version, other_table, seat, holder, expires, signature)),
        "signed, but over": mint_seat_token(key, SeatToken(table, 0, lease, past_s)),
        "another purpose's key": mint_seat_token(
            derived_key(club.secrets.token, "table-id"), SeatToken(table, 0, lease, int(expires))
        ),
        "cut off": token[:-1],
        "garbled": "t1.x.y.z",
        "not of this world": "t1.é",
    }


async def test_a_join_with_any_of_them_is_a_strangers_to_the_byte(club: Club) -> None:
    table, (white, _) = await club.seated("fog", 2)
    other, (elsewhere, _) = await club.seated("fog", 2)
    assert white.place is not None
    assert elsewhere.place is not None
    tokens = bad_tokens(club, str(white.place[2]), other)
    tokens["of another table"] = str(elsewhere.place[2])
    seen: dict[str, list[str]] = {}
    for name, token in [("none at all", None), *tokens.items()]:
        async with Browser(club.gateways[0].url) as stranger:
            fields: dict[str, Any] = {} if token is None else {"token": token}
            await stranger.command("join", table=table, request_id="j", **fields)
            await stranger.wait_for(lambda page: page.match)
            seen[name] = stranger.texts
    assert len(seen["none at all"]) == 3
    assert '"you":null' in seen["none at all"][2]
    for name, texts in seen.items():
        assert texts == seen["none at all"], name


async def refusals(ask: Callable[[str], Awaitable[Any]], tokens: dict[str, str]) -> set[tuple[str, str, str]]:
    """What the tokens are refused with: status, reason and words."""
    found = set()
    for name, token in tokens.items():
        try:
            await ask(token)
        except grpc.aio.AioRpcError as error:
            refusal = refusal_of(error)
            found.add((error.code().name, refusal.reason, refusal.detail))
        else:
            raise AssertionError(f"{name} was taken")
    return found


async def test_every_service_refuses_all_of_them_with_the_same_word(club: Club) -> None:
    table, (white, _) = await club.seated("fog", 2)
    other, _ = await club.seated("fog", 2)
    assert white.place is not None
    tokens = bad_tokens(club, str(white.place[2]), other)
    refused = {("PERMISSION_DENIED", "bad_token", "The seat's token is not valid.")}
    move = game_pb2.Move(board=0, ply=0, uci="e2e4")
    async with (
        grpc.aio.insecure_channel(club.addresses["game"]) as to_game,
        grpc.aio.insecure_channel(club.addresses["matchmaking"]) as to_matchmaking,
        grpc.aio.insecure_channel(club.addresses["visibility"]) as to_visibility,
    ):
        play: Any = game_pb2_grpc.GameServiceStub(to_game)
        seats: Any = matchmaking_pb2_grpc.TableServiceStub(to_matchmaking)
        view: Any = view_pb2_grpc.ViewServiceStub(to_visibility)
        asked: dict[str, Callable[[str], Awaitable[Any]]] = {
            "Act": lambda token: play.Act(game_pb2.ActRequest(request_id="a", token=token, move=move)),
            "Talk": lambda token: play.Talk(game_pb2.TalkRequest(request_id="b", token=token, text="x")),
            "LeaveSeat": lambda token: seats.LeaveSeat(matchmaking_pb2.LeaveSeatRequest(token=token)),
            "SetRematch": lambda token: seats.SetRematch(
                matchmaking_pb2.SetRematchRequest(token=token, agree=True)
            ),
        }
        for name, ask in asked.items():
            assert await refusals(ask, tokens) == refused, name
        for name, token in tokens.items():
            assert await watched(view, table, token) == "bad_token", name
    assert white.match is not None
    version = white.match["version"]  # read first: the move's delta may come before its answer is looked at
    assert (await white.move("e2e4"))["version"] == version + 1


async def watched(view: Any, table: str, token: str) -> str:
    """With what a viewer with this token is refused."""

    async def wishes() -> AsyncIterator[view_pb2.WatchRequest]:
        yield view_pb2.WatchRequest(viewer=1, join=view_pb2.Join(match_id=table, token=token))

    async for batch in view.Watch(wishes(), timeout=10):
        for frame in batch.frames:
            return str(frame.refused)
    return ""
