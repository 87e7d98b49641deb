"""A full table of websocket clients, and recorded games to play at it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libs.rules.bpgn import read_bpgn
from libs.rules.position import Position
from libs.rules.record import MatchRecord
from libs.rules.tandem import seat_of
from tests.kit.browser import Browser

DATA = Path(__file__).resolve().parents[1] / "data" / "bpgn"
START_WITHIN_S = 20.0


@dataclass(frozen=True)
class RealGame:
    """A recorded game with what is known of it; `known` is its entry in the index."""

    record: MatchRecord
    known: dict[str, Any]

    @property
    def final_positions(self) -> tuple[Position, ...]:
        return tuple(Position.from_fen(self.known[name], "tandem") for name in ("final_a", "final_b"))


def real_game(name: str) -> RealGame:
    """The recorded game `game_01` and so on."""
    index = {entry["file"]: entry for entry in json.loads((DATA / "index.json").read_text())}
    record, _ = read_bpgn((DATA / f"{name}.bpgn").read_bytes())
    return RealGame(record, index[f"{name}.bpgn"])


@asynccontextmanager
async def full_table(url: str, **settings: Any) -> AsyncIterator[list[Browser]]:
    """Clients on every seat of a new table whose match has just started, in seat order."""
    seats = 2 if settings["variant"] == "fog" else 4
    async with AsyncExitStack() as stack:
        browsers = [await stack.enter_async_context(Browser(url)) for _ in range(seats)]
        made = await browsers[0].command("create_table", public=False, **settings)
        table = made["table"] if isinstance(made["table"], str) else made["table"]["table"]
        for seat, browser in enumerate(browsers):
            await browser.command("take_seat", table=table, seat=seat, name=f"Player {seat}")
        for browser in browsers:
            await browser.wait_for(lambda b: b.match, START_WITHIN_S)
        yield browsers


async def replay(
    browsers: Sequence[Browser], record: MatchRecord, first: int = 0, last: int | None = None
) -> None:
    """Plays the record's moves first..last, each by its seat's client, as fast as acknowledged."""
    plies = [0, 0]
    for number, move in enumerate(record.moves[:last]):
        seat = seat_of(move.board, plies[move.board] % 2)
        if number >= first:
            await browsers[seat].command("move", board="AB"[move.board], ply=plies[move.board], uci=move.uci)
        plies[move.board] += 1


def played(browser: Browser) -> list[tuple[int, str]]:
    """The moves that a client has seen, as (board, uci) in the merged order."""
    assert browser.match is not None
    return [("AB".index(move["board"]), move["uci"]) for move in browser.match["moves"]]


def positions(browser: Browser) -> tuple[Position, ...]:
    """The boards that a client has, hands included."""
    assert browser.match is not None
    return tuple(Position.from_fen(board["fen"], "tandem") for board in browser.match["boards"].values())
