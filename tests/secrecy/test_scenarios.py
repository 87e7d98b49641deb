"""The scenarios of fog as a browser meets them: single games through the real gateway."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gen.tandemfog.view.v1.view_pb2 import Frame, View
from libs.runtime.service import running_service
from services.bots.app import build as build_bots
from services.bots.player import Player
from services.bots.settings import BotsSettings
from tests.kit.twins import STARTS
from tests.secrecy.records import Record, equal_for_all
from tests.secrecy.stage import Stage, open_stage
from tests.secrecy.tab import Tab

FOG = "?" * 64
OPENING = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1", "f8c5")
SECRETS = re.compile(
    r"[rnbqkp1-8]{1,8}(/[rnbqkp1-8]{1,8}){7}|\b[a-h][1-8][a-h][1-8]|\b(N|B|O-O)\w*\d", re.IGNORECASE
)
"""A FEN, a move in UCI, a move in SAN."""


@pytest.fixture
async def stage(valkey_url: str, tmp_path: Path) -> AsyncIterator[Stage]:
    """All services on an emptied store."""
    async with open_stage(valkey_url, tmp_path) as stage:
        yield stage


@dataclass
class Club:
    """A running fog game with both seats' tabs."""

    stage: Stage
    table: str
    seats: tuple[Tab, Tab]
    stack: AsyncExitStack
    ply: int = 0

    async def tab(self, cookie: str = "", token: str = "") -> Tab:
        """One more tab at the table."""
        tab = await self.stage.tab(cookie)
        self.stack.push_async_callback(tab.close)
        tab.begin(Record(self.table), "more")
        proof: dict[str, Any] = {"token": token} if token else {}
        await tab.ask("join", table=self.table, **proof)
        await tab.until(lambda tab: tab.fulls > 0)
        return tab

    async def play(self, moves: Sequence[str], *onlookers: Tab) -> None:
        """Moves in turn, until the seats and the onlookers have been shown them."""
        for uci in moves:
            tab = self.seats[self.ply % 2]
            answer = await tab.ask("move", board="A", ply=self.ply, uci=uci)
            assert answer["t"] == "ok", answer
            self.ply += 1
            for shown in (*self.seats, *onlookers):
                await shown.until(lambda shown: shown.ply >= self.ply)


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


async def fog_game(stage: Stage, stack: AsyncExitStack, fen: str = STARTS[0]) -> Club:
    """A game that has just begun."""
    seats = await stage.tab(), await stage.tab()
    for tab in seats:
        stack.push_async_callback(tab.close)
        tab.begin(Record(""), "make")
    table = (await seats[0].ask("create_table", variant="fog", public=True))["table"]
    stage.start_fens[table] = fen
    for seat, tab in enumerate(seats):
        tab.begin(Record(table), "play")
        await tab.ask("take_seat", table=table, seat=seat, name=f"Player {seat}")
    for tab in seats:
        await tab.until(lambda tab: tab.fulls > 0)
    return Club(stage, table, seats, stack)


def frames(tab: Tab) -> list[dict[str, Any]]:
    """The frames of the match that a tab was sent."""
    return [json.loads(message) for message in tab.record.channels["match"]]


async def answer_to(tab: Tab, t: str, **fields: Any) -> bytes:
    """The answer's bytes without the request's id, which has a fixed width."""
    await tab.ask(t, **fields)
    return re.sub(rb'"id":"[^"]+"', b'"id":""', tab.answer)


@pytest.mark.scenario("F01")
async def test_a_hidden_piece_and_an_empty_square_in_the_fog_answer_alike(
    stage: Stage, stack: AsyncExitStack
) -> None:
    club = await fog_game(stage, stack)
    white = club.seats[0]
    answers = {
        await answer_to(white, "move", board="A", ply=0, uci=uci)
        for uci in ("e7e5", "e7e9", "g8f6", "e6e5", "d5d6", "e2e5", "e2d3", "a1a8", "zz")
    }
    assert len(answers) == 1
    assert json.loads(answers.pop())["reason"] == "illegal_move"
    asked = {
        re.sub(rb'"id":[^,]+', b'"id":""', await answer_to(white, "legal_moves", square=square))
        for square in ("e7", "e6")
    }
    assert len(asked) == 1, "there is nothing to ask for, and no answer tells squares apart"
    legal = frames(white)[-1]["legal"]["from"]
    assert all(square[1] in "12" for square in legal)


@pytest.mark.scenario("F06")
async def test_tabs_besides_the_seat_see_no_more_than_they_may(stage: Stage, stack: AsyncExitStack) -> None:
    club = await fog_game(stage, stack)
    white = club.seats[0]
    stranger, same_cookie = await club.tab(), await club.tab(cookie=white.cookie)
    with_token = await club.tab(token=same_cookie.token)
    club.seats = (with_token, club.seats[1])
    others = (stranger, same_cookie, white)
    await club.play(("e2e4", "d7d5", "e4d5", "d8d5", "b1c3"), *others)
    late = await club.tab()
    for frame in [*frames(stranger), *frames(late)]:
        assert frame["boards"]["A"]["pieces"] == FOG
        assert frame["boards"]["A"]["last"] == []
        assert not frame.get("moves")
        assert frame.get("legal") is None
    for tab in (white, same_cookie):
        assert frames(tab)[-1]["boards"] == frames(with_token)[-1]["boards"]
        assert "?" in frames(tab)[-1]["boards"]["A"]["pieces"]
    for tab in (stranger, late):
        answer = json.loads(await answer_to(tab, "move", board="A", ply=5, uci="d5e5"))
        assert answer["reason"] == "not_your_seat"
    await club.seats[1].ask("resign")
    await stranger.until(lambda tab: tab.record.over)


@pytest.mark.scenario("F07")
@pytest.mark.scenario("F08")
async def test_no_page_and_no_list_tells_anything_while_the_game_runs(
    stage: Stage, stack: AsyncExitStack
) -> None:
    club = await fog_game(stage, stack)
    white = club.seats[0]
    await white.ask("watch_list", on=True)
    await club.play(OPENING)
    base = f"/api/tables/{club.table}"
    for path in (
        base,
        f"{base}/export",
        f"{base}/replay",
        "/api/tables",
        f"/t/{club.table}",
        f"/t/{club.table}/0",
    ):
        for cookie in (white.cookie, ""):
            status, headers, body = await stage.get(path, cookie)
            headers.pop("Set-Cookie", None)  # a new guest's name, which is random
            text = (json.dumps(headers) + body.decode()).replace(club.table, "")
            assert not SECRETS.search(text), f"{path}: {text}"
            assert status == (409 if path.endswith(("export", "replay")) else 503 if "/t/" in path else 200)
    status, _, body = await stage.get("/api/tables", "")
    (entry,) = json.loads(body)["tables"]
    assert set(entry) == {"table", "state", "variant", "profile", "time", "public", "seats"}, "no preview"
    unknown = await stage.get(f"{base}x/replay", "")
    assert unknown[0] == 404
    lists = [message for message in white.record.channels["other"] if message.startswith(b'{"t":"list"')]
    assert len(lists) == 1, "a move changes nothing in the list"
    assert not SECRETS.search(lists[0].decode().replace(club.table, ""))
    await white.ask("resign")
    for path in (f"{base}/export", f"{base}/replay"):
        status, _, body = await stage.get(path, "")
        assert status == 200
        assert SECRETS.search(body.decode())


@pytest.mark.scenario("F10")
async def test_castling_promoting_and_a_plain_move_look_the_same(stage: Stage, stack: AsyncExitStack) -> None:
    fen = "r3k3/1p6/8/8/8/8/p3K2P/8 w q - 0 1"
    sent = []
    for uci in ("e8c8", "a2a1q", "a2a1n", "b7b6", "a8b8"):
        club = await fog_game(stage, stack, fen)
        stranger = await club.tab()
        await club.play(("h2h3", uci), stranger)
        sent.append(
            [equal_for_all(tab.record.channels["match"][-1], club.table) for tab in (club.seats[0], stranger)]
        )
    assert all(messages == sent[0] for messages in sent)


@pytest.mark.scenario("F10")
async def test_a_capture_differs_by_the_lost_piece_and_its_mark_alone(
    stage: Stage, stack: AsyncExitStack
) -> None:
    fen = "1b2k3/8/8/8/8/8/6PP/4K3 w - - 0 1"
    shown = []
    for uci in ("b8h2", "b8a7"):
        club = await fog_game(stage, stack, fen)
        await club.play(("e1d1", uci))
        shown.append(frames(club.seats[0])[-1])
    capture, plain = shown
    assert capture.keys() == plain.keys()
    assert (capture["moves"][0].pop("mark"), plain["moves"][0].pop("mark")) == ("h2", None)
    for frame in shown:
        frame["moves"][0].pop("at_ms")
        frame["table"] = ""
    lost = [
        square
        for square, (before, after) in enumerate(
            zip(plain["boards"]["A"]["pieces"], capture["boards"]["A"]["pieces"], strict=True)
        )
        if before != after
    ]
    assert all(plain["boards"]["A"]["pieces"][square] in "P." for square in lost)
    for frame in shown:
        for part in ("boards", "legal"):
            frame.pop(part)
    assert capture == plain


@pytest.mark.scenario("F12")
async def test_a_move_before_the_turn_gets_one_answer_whatever_it_would_do(
    stage: Stage, stack: AsyncExitStack
) -> None:
    club = await fog_game(stage, stack)
    black = club.seats[1]
    answers = {
        await answer_to(black, "move", board="A", ply=0, uci=uci)
        for uci in ("e7e5", "e7e4", "d8d2", "e2e4", "a8a1", "nonsense")
    }
    assert [json.loads(answer)["reason"] for answer in answers] == ["not_your_turn"]
    before = len(black.record.channels["match"])
    await club.play(("e2e4",))
    assert len(black.record.channels["match"]) == before + 1, "nothing came of the early ones"
    stale = await answer_to(black, "move", board="A", ply=0, uci="e7e5")
    assert json.loads(stale)["reason"] == "stale"
    await club.play(("e7e5",))


@pytest.mark.scenario("F14")
async def test_the_list_of_moves_writes_the_own_ones_and_counts_the_others(
    stage: Stage, stack: AsyncExitStack
) -> None:
    club = await fog_game(stage, stack)
    shuffle = ("g1f3", "g8f6", "b1c3", "b8c6", "h2h3", "h7h6", "a2a3", "a7a6", "d2d3", "d7d6")
    more = ("c1e3", "c8e6", "d1d2", "d8d7", "g2g3", "g7g6", "f1g2", "f8g7", "b2b3", "b7b6")
    await club.play((*shuffle, *more))
    again = await club.tab(cookie=club.seats[0].cookie)
    listed = [line for frame in frames(club.seats[0]) for line in frame.get("moves") or ()]
    for lines in (listed, frames(again)[-1]["moves"]):
        assert [line["uci"] for line in lines[::2]] == [*shuffle[::2], *more[::2]]
        assert all(line["san"] for line in lines[::2])
        assert [(line["san"], line["uci"], line["mark"]) for line in lines[1::2]] == [(None, None, None)] * 10


@pytest.mark.scenario("F20")
async def test_a_bot_is_sent_what_its_seat_may_see_and_nothing_else(
    stage: Stage, stack: AsyncExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every frame that the worker got is compared with the replay as that seat saw the game."""
    sent: list[View] = []
    take = Player.frame

    def listen(self: Player, frame: Frame) -> None:
        kept = View()
        kept.CopyFrom(frame.view)
        sent.append(kept)
        take(self, frame)

    monkeypatch.setattr(Player, "frame", listen)
    peers: dict[str, Any] = dict(stage.peers)
    settings = BotsSettings(**peers, pace=0.0, lease_every_ms=50, drain_grace_ms=500)
    await stack.enter_async_context(running_service(settings, build_bots))
    person = await stage.tab()
    stack.push_async_callback(person.close)
    person.begin(Record(""), "make")
    answer = await person.ask("play_now", variant="fog", seat=0, level=1)
    table = answer["table"]
    person.begin(Record(table), "play")
    await person.ask("join", table=table)
    for ply in range(0, 12, 2):
        await person.until(lambda person, ply=ply: person.ply >= ply)  # type: ignore[misc]
        if person.record.over:
            break
        legal = frames(person)[-1]["legal"]["from"]
        start = sorted(legal)[-1]
        await person.ask("move", board="A", ply=ply, uci=start + sorted(legal[start])[-1])
    if not person.record.over:
        await person.ask("resign")
    await person.until(lambda person: person.record.over)
    status, _, body = await stage.get(f"/api/tables/{table}/replay", "")
    assert status == 200
    replay = json.loads(body)
    async with asyncio.timeout(10):
        while not (sent and sent[-1].HasField("outcome")):
            await asyncio.sleep(0.02)
    running = [view for view in sent if not view.HasField("outcome")]
    assert len(running) > 5
    for view in running:
        for board in view.boards:
            assert board.pieces == replay["black"][board.ply]["A"]["pieces"]
            assert (board.fen, board.state, len(board.hands), len(board.promoted)) == ("", "", 0, 0)
        for line in view.moves:
            own = replay["moves"][line.ply - 1]
            assert (line.san, line.uci) == ((own["san"], own["uci"]) if line.ply % 2 == 0 else ("", ""))
        if view.HasField("legal"):
            origins = [getattr(origin, "from") for origin in view.legal.origins]
            pieces = {board.ply: board.pieces for board in view.boards}.get(view.legal.ply, "")
            assert all(pieces[(8 - int(at[1])) * 8 + ord(at[0]) - 97].islower() for at in origins if pieces)
