"""Leaks to be found, one for each way out: planted in the running services by a test, for single tables.

None of this is in the services: functions are replaced in this process, and only while `planted` lasts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from gen.tandemfog.feed.v1.feed_pb2 import RawEvent, RawState
from libs.runtime.refusals import Refusal, refuse
from services.game import decide
from services.gateway import api, commands, views
from services.visibility import hub, own, servicer, view
from tests.kit.twins import start_at
from tests.secrecy.plan import Plan


@dataclass
class Spy:
    """Which leak is planted at which table, and the truth as visibility last had it."""

    leaks: dict[str, str]
    events: dict[str, RawEvent] = field(default_factory=dict)
    states: dict[str, RawState] = field(default_factory=dict)
    once: dict[str, str] = field(default_factory=dict)

    def has_once(self, leak: str, match_id: str) -> bool:
        """Whether it is planted at the table and that is the first of all to ask: no later play has it."""
        return self.has(leak, match_id) and self.once.setdefault(leak, match_id) == match_id

    def has(self, leak: str, match_id: str) -> bool:
        return self.leaks.get(match_id) == leak

    def counter(self, match_id: str) -> int:
        """Moves since a pawn moved or something fell: nobody may know it."""
        state = self.states.get(match_id)
        return 0 if state is None else int(state.boards[0].fen.split()[4])


Wrap = Callable[[Spy, Any], Any]
"""Makes the leaking function from the true one."""


@dataclass(frozen=True)
class Leak:
    """`shows` says whether a plan's viewer would meet it; it is then found in one of `channels`."""

    module: Any
    name: str
    wrap: Wrap
    shows: Callable[[Plan], bool]
    channels: frozenset[str] = frozenset({"match", "stream"})


@contextmanager
def planted(leaks: dict[str, str]) -> Iterator[None]:
    """Plants all leaks, each for its tables: `leaks` gives the leak's name by table."""
    spy = Spy(leaks)
    with pytest.MonkeyPatch.context() as patch:
        on_event = hub.Hub._on_event

        def listen(self: hub.Hub, item: Any, committed_at_us: int) -> None:
            spy.events[item.state.match_id] = item.event
            spy.states[item.state.match_id] = item.state
            on_event(self, item, committed_at_us)

        patch.setattr(hub.Hub, "_on_event", listen)
        for leak in LEAKS.values():
            patch.setattr(leak.module, leak.name, leak.wrap(spy, getattr(leak.module, leak.name)))
        yield


def _counter_in_delta(spy: Spy, true: Any) -> Any:
    def view_of_event(event: RawEvent, state: RawState, viewer: view.Viewer) -> Any:
        shown = true(event, state, viewer)
        if shown is not None and spy.has("counter in a delta", state.match_id):
            for board in shown.boards:
                board.state = str(spy.counter(state.match_id))
        return shown

    return view_of_event


def _bot_sees_more(spy: Spy, true: Any) -> Any:
    def view_of_event(event: RawEvent, state: RawState, viewer: view.Viewer) -> Any:
        shown = true(event, state, viewer)
        if shown is not None and spy.has("true position for a bot", state.match_id):
            shown.talk.add(text=state.boards[0].fen)  # which the gateway takes from full views only
        return shown

    return view_of_event


def _offer_to_spectators(spy: Spy, true: Any) -> Any:
    def own_parts(state: RawState, seat: int | None, event: RawEvent | None) -> Any:
        parts = true(state, seat, event)
        if seat is None and spy.has("offer to spectators", state.match_id):
            return parts._replace(knows_offers=True)
        return parts

    return own_parts


def _version_gap(spy: Spy, true: Any) -> Any:
    def version_for(state: RawState, viewer: view.Viewer) -> int:
        if spy.has("gap in the versions", state.match_id):
            return state.version
        return int(true(state, viewer))

    return version_for


def _rare_version_gap(spy: Spy, true: Any) -> Any:
    def version_for(state: RawState, viewer: view.Viewer) -> int:
        public = int(true(state, viewer))
        if public != state.version and spy.has_once("gap in the versions, once", state.match_id):
            return state.version
        return public

    return version_for


def _others_moves(spy: Spy, true: Any) -> Any:
    def legal(state: RawState, board: int, on_turn: bool) -> Any:
        if spy.has("the other side's moves", state.match_id):
            return true(state, board, not on_turn)
        return true(state, board, on_turn)

    return legal


def _promoted_mark(spy: Spy, true: Any) -> Any:
    def board(state: RawState, number: int, last: Any, viewer: view.Viewer) -> Any:
        shown = true(state, number, last, viewer)
        if last is not None and last.uci[4:] and spy.has("mark of a promotion", state.match_id):
            shown.promoted.append(last.uci[2:])
        return shown

    return board


def _captor(spy: Spy, true: Any) -> Any:
    def entry(event: RawEvent, written: bool, marked: bool) -> Any:
        line = true(event, written, marked)
        if line.mark and spy.has("what captured", event.match_id):
            line.mark += event.moved.uci
        return line

    return entry


def _rare_move(spy: Spy, true: Any) -> Any:
    """What was played in the fog, in one game in one play: no other play differs."""

    def entry(event: RawEvent, written: bool, marked: bool) -> Any:
        line = true(event, written, marked)
        if not written and spy.has_once("a move, once", event.match_id):
            line.san = event.moved.san
        return line

    return entry


def _moves_in_full_views(spy: Spy, true: Any) -> Any:
    def full_view(match: Any, viewer: view.Viewer) -> Any:
        shown = true(match, viewer)
        if spy.has("moves in a full view", match.state.match_id):
            for line, event in zip(
                shown.moves, [event for event in match.log if event.HasField("moved")], strict=False
            ):
                line.san = event.moved.san
        return shown

    return full_view


def _telling_error(spy: Spy, true: Any) -> Any:
    def refuse(match: Any, error: Any) -> None:
        if spy.has("text of an error", match.match_id):
            raise Refusal("illegal_move", f"Not legal, after {spy.counter(match.match_id)} quiet moves.")
        true(match, error)

    return refuse


def _judged_early(spy: Spy, true: Any) -> Any:
    def move(match: Any, command: Any, limits: Any) -> Any:
        early = match.turn(0) != command.seat % 2 and command.ply == match.plies[0]
        if spy.has("answer to a premove", match.match_id) and early:
            end = command.uci[2:4]
            if any(end == uci[2:4] for uci in match.game.position.legal_moves()):
                raise Refusal("illegal_move")
        return true(match, command, limits)

    return move


def _list_field(leak: str) -> Wrap:
    def wrap(spy: Spy, true: Any) -> Any:
        def table_entry(table: Any) -> Any:
            entry = true(table)
            if not spy.has(leak, table.table_id):
                return entry
            seats = [msgspec.structs.replace(seat, level=spy.counter(table.table_id)) for seat in entry.seats]
            return msgspec.structs.replace(entry, seats=seats)

        return table_entry

    return wrap


def _http_field(spy: Spy, true: Any) -> Any:
    def table_state(table: Any) -> Any:
        state = true(table)
        if not spy.has("field of an HTTP answer", table.table_id):
            return state
        return msgspec.structs.replace(state, version=state.version + spy.counter(table.table_id))

    return table_state


def _http_refusal(spy: Spy, true: Any) -> Any:
    async def finished(self: Any, match_id: str, context: Any) -> Any:
        if spy.has("refusal of an export", match_id):
            await refuse(context, Refusal("still_running", f"Not over, {spy.counter(match_id)}."))
        return await true(self, match_id, context)

    return finished


def _padding(spy: Spy, true: Any) -> Any:
    def encode(frame: Any) -> bytes:
        text = bytes(true(frame))
        if spy.has("size of a frame", getattr(frame, "table", "")):
            text += b" " * spy.counter(frame.table)
        return text

    return encode


def _second_frame(spy: Spy, true: Any) -> Any:
    def hand_out(self: Any, frame: Any, viewers: Sequence[Any], committed_at_us: int) -> None:
        true(self, frame, viewers, committed_at_us)
        match_id = viewers[0].match_id
        event = spy.events.get(match_id)
        if event is None or frame.view.full or not spy.has("one frame more", match_id):
            return
        if event.moved.san.startswith("O-O"):
            true(self, frame, viewers, committed_at_us)

    return hand_out


def _seated(kind: str) -> Callable[[Plan], bool]:
    """Plans of a seat from which so much is hidden."""
    return lambda plan: plan.twins.viewer is not None and kind in plan.hidden


def _spectating(kind: str) -> Callable[[Plan], bool]:
    return lambda plan: plan.twins.viewer is None and kind in plan.hidden


def _counters(plan: Plan) -> list[bool]:
    """Whether the counters differ, at each ply."""
    differ = []
    games = [start_at(plan.twins.fen) for _ in range(2)]
    for pair in plan.twins.moves:
        differ.append(games[0].position.halfmove != games[1].position.halfmove)
        games = [game.play(uci).game for game, uci in zip(games, pair, strict=True)]
    return differ


def _asks_for(*pages: str) -> Callable[[Plan], bool]:
    """Plans with such a page at a moment when counters differ."""

    def shows(plan: Plan) -> bool:
        counters = _counters(plan)
        return any(counters[ply] and set(pages) & set(asked) for ply, asked in plan.pages.items())

    return shows


def _asks_in_turn(plan: Plan) -> bool:
    """Plans of a seat that tries what is not legal, on its turn, when counters differ."""
    counters = _counters(plan)
    return any(
        counters[ply] and ply % 2 == plan.twins.viewer and (command["t"], command.get("ply")) == ("move", ply)
        for ply, commands_ in plan.asked.items()
        for command in commands_
        if command.get("board") == "A"
    )


def _asks_early(plan: Plan) -> bool:
    """Plans of a seat that moves too early to where the other side can go in one game alone."""
    games = [start_at(plan.twins.fen) for _ in range(2)]
    for ply, pair in enumerate(plan.twins.moves):
        for command in plan.asked.get(ply, []):
            if command.get("ply") == ply and command["board"] == "A" and ply % 2 != plan.twins.viewer:
                reach = [{uci[2:4] for uci in game.position.legal_moves()} for game in games]
                end = command["uci"][2:4]
                if (end in reach[0]) != (end in reach[1]):
                    return True
        games = [game.play(uci).game for game, uci in zip(games, pair, strict=True)]
    return False


_ANSWERS, _HTTP, _MATCH = frozenset({"answers"}), frozenset({"http"}), frozenset({"match"})
LEAKS = {
    "counter in a delta": Leak(hub, "view_of_event", _counter_in_delta, _seated("counters")),
    "offer to spectators": Leak(view, "own_parts", _offer_to_spectators, _spectating("offers"), _MATCH),
    "gap in the versions": Leak(view, "version_for", _version_gap, _spectating("presence"), _MATCH),
    "gap in the versions, once": Leak(
        view, "version_for", _rare_version_gap, _spectating("presence"), _MATCH
    ),
    "the other side's moves": Leak(own, "_legal", _others_moves, _seated("moves")),
    "mark of a promotion": Leak(view, "_board", _promoted_mark, _seated("promotions")),
    "what captured": Leak(view, "_entry", _captor, _seated("captures")),
    "a move, once": Leak(view, "_entry", _rare_move, _seated("moves")),
    "moves in a full view": Leak(hub, "full_view", _moves_in_full_views, _seated("moves")),
    "text of an error": Leak(decide, "_refuse", _telling_error, _asks_in_turn, _ANSWERS),
    "answer to a premove": Leak(decide, "_move", _judged_early, _asks_early, _ANSWERS),
    "field of a list": Leak(api, "table_entry", _list_field("field of a list"), _asks_for("list"), _HTTP),
    "field of an answered list": Leak(
        commands, "table_entry", _list_field("field of an answered list"), _asks_for("list_tables"), _HTTP
    ),
    "field of an HTTP answer": Leak(api, "table_state", _http_field, _asks_for("table"), _HTTP),
    "refusal of an export": Leak(
        servicer.ViewServicer, "_finished", _http_refusal, _asks_for("export", "replay"), _HTTP
    ),
    "size of a frame": Leak(views, "encode", _padding, _seated("counters"), _MATCH),
    "one frame more": Leak(views.Views, "_hand_out", _second_frame, _seated("castling"), _MATCH),
    "true position for a bot": Leak(
        hub,
        "view_of_event",
        _bot_sees_more,
        lambda plan: plan.worked and "moves" in plan.hidden,
        frozenset({"stream"}),
    ),
}
