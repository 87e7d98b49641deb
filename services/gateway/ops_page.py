"""The operator's pages as HTML. Pure: whatever comes from outside is escaped here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape

from gen.tandemfog.game.v1.game_pb2 import TalkReport
from gen.tandemfog.operations.v1.operations_pb2 import Act, GetStateResponse
from gen.tandemfog.types.v1.types_pb2 import QuickMessage
from libs.runtime.refusals import REASONS
from services.gateway.ops_numbers import Numbers, added_up

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; width: 100%; }
th, td { border-bottom: 1px solid #999; padding: .25rem .75rem .25rem 0; text-align: left; }
td { overflow-wrap: break-word; }
form { margin: 0 0 1rem; } label { margin-right: 1rem; }
input, button { font: inherit; padding: .2rem .5rem; }
.bad { color: #a00000; font-weight: bold; } .said { border: 2px solid; padding: .5rem; }
:focus-visible { outline: 3px solid #0050c0; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { background: #1a1a1a; color: #eee; } a { color: #9cf; } .bad { color: #ff9090; }
  input, button { background: #333; color: #eee; border: 1px solid #999; }
}
"""
DONE = {
    "announce": "The restart is announced.",
    "withdraw": "The announcement is taken back.",
    "close": "The table is closed.",
    "block": "The address is blocked; a seat's, as soon as somebody is connected there.",
    "unblock": "The address is no longer blocked.",
}
REFUSED = {("unblock", "bad_request"): "That is not blocked, or not any more."}
"""What a refusal means for an act, where its reason alone does not say it."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Why nobody knows how things stand, and how many replicas of each service the gateway reaches."""

    store_is_silent: bool
    replicas: Mapping[str, int]


def page(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="robots" content="noindex">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n"
        f"<body><main><h1>{escape(title)}</h1>\n{body}</main></body></html>\n"
    )


def sign_in_page(wrong: str = "") -> str:
    """Asks for the token and tells nothing."""
    said = f'<p class="said bad" role="alert">{escape(wrong)}</p>' if wrong else ""
    form = (
        '<form method="post" action="/ops/sign-in"><label>Token '
        '<input type="password" name="token" autocomplete="current-password" required></label> '
        "<button>Sign in</button></form>"
    )
    return page("Operator", said + form)


def state_page(
    state: GetStateResponse | Unknown, who: str, form_key: str, *, done: str, refused: str, act: str
) -> str:
    """How things stand and what may be done."""
    said = ""
    if done in DONE:
        said = f'<p class="said" role="status">{DONE[done]}</p>'
    if refused in REASONS:
        why = REFUSED.get((act, refused), REASONS[refused][1])
        said = f'<p class="said bad" role="alert">Not done: {escape(why)}</p>'
    head = (
        f"{said}<p>Signed in as {escape(who)}. "
        '<a href="/ops">Look again</a> · <a href="/ops/reports">Reports of talk</a></p>'
        + _form("sign-out", form_key, "Sign out")
    )
    if isinstance(state, Unknown):
        return page("Operator", head + _unknown(state))
    numbers = added_up(state.processes)
    return page(
        "Operator",
        head
        + _numbers(numbers)
        + _actions(state, form_key)
        + _outages(state)
        + _store(state)
        + _processes(state)
        + _acts(state.acts),
    )


def reports_page(reports: Sequence[TalkReport]) -> str:
    rows = [
        (
            when(report.reported_at_ms),
            f"{report.name} (seat {report.line.seat})",
            QuickMessage.Name(report.line.quick) if report.line.quick else report.line.text,
            f"{report.reporter_name} (seat {report.reported_by})",
            report.words,
            f"/t/{report.match_id}/{report.line.seat}",
        )
        for report in reports
    ]
    table = _table(("Reported", "Said by", "Said", "Reported by", "Words", "The seat's link"), rows)
    return page("Reports of talk", '<p><a href="/ops">Back</a></p>' + (table if rows else "<p>None.</p>"))


def when(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _unknown(state: Unknown) -> str:
    silent = (
        "The store does not answer game, which is there; nobody can move."
        if state.store_is_silent
        else "Game does not answer."
    )
    rows = [(name, str(number)) for name, number in state.replicas.items()]
    return (
        f'<p class="bad" role="alert">{silent} No more is known.</p>'
        "<h2>What this gateway reaches</h2>" + _table(("Service", "Replicas"), rows)
    )


def _numbers(numbers: Numbers) -> str:
    waiting, workers = numbers.number("bot_seats_waiting"), numbers.processes.get("bots", 0)
    rows: list[tuple[str, str, bool]] = [
        ("Tables", _listed(numbers.by("tables")), False),
        ("Seats of running matches", _listed(numbers.by("seats")), False),
        ("Waiting in the queue", _listed(numbers.by("queue")), False),
        ("Connections", str(numbers.number("connections")), False),
        ("Viewers", _listed(numbers.by("viewers")), False),
        ("Moves a second", f"{numbers.moves_per_s:.1f}", False),
        (
            "A move's answer, ms (p50, p95, p99)",
            ", ".join(numbers.time_ms(part, "move_time") for part in (0.5, 0.95, 0.99)),
            False,
        ),
        ("Flags noticed, ms (p99)", numbers.time_ms(0.99, "flag_time"), False),
        ("Flags noticed late", str(numbers.flags_late), numbers.flags_late > 0),
        ("Bots' seats that wait", str(waiting), waiting > 0),
        ("Bot workers", f"{workers}, with room for {numbers.number('bot_room')}", not workers),
    ]
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td{" class=bad" if bad else ""}>{escape(value)}</td></tr>'
        for name, value, bad in rows
    )
    return f"<h2>Numbers of the last minute</h2><table>{body}</table>"


def _actions(state: GetStateResponse, form_key: str) -> str:
    restart_ms = state.notices.restart_at_ms
    parts = ["<h2>What can be done</h2>"]
    if restart_ms:
        parts.append(f"<p>A restart is announced for {when(restart_ms)}.</p>")
        parts.append(_form("withdraw", form_key, "Take it back"))
    parts.append(
        _form("announce", form_key, "Announce a restart", in_minutes='type="number" min="1" max="1440"')
    )
    parts.append(_form("close", form_key, "Close the table", table="", words='maxlength="100"'))
    parts.append(
        _form(
            "block",
            form_key,
            "Block the address",
            address="",
            hours='type="number" min="1" max="8760"',
            words='maxlength="100"',
        )
    )
    for entry in state.notices.blocked:
        text = f"{entry.address} is blocked until {when(entry.until_ms)} by {entry.who}: {entry.words}"
        hidden = f'<input type="hidden" name="address" value="{escape(entry.address)}">'
        parts.append(
            f"<p>{escape(text)}</p>" + _form("unblock", form_key, f"Unblock {entry.address}", hidden)
        )
    return "".join(parts)


def _form(action: str, form_key: str, button: str, hidden: str = "", **fields: str) -> str:
    labels = {
        "address": "Address, or the link of a seat whose address it is",
        "in_minutes": "Minutes from now",
        "table": "Table or its link",
        "words": "Reason",
    }
    inputs = "".join(
        f"<label>{escape(labels.get(name, name.capitalize()))} "
        f'<input name="{name}" {kind}{"" if name == "words" else " required"}></label>'
        for name, kind in fields.items()
    )
    return (
        f'<form method="post" action="/ops/{action}">'
        f'<input type="hidden" name="form" value="{escape(form_key)}">'
        f"{hidden}{inputs}<button>{escape(button)}</button></form>"
    )


def _outages(state: GetStateResponse) -> str:
    rows = [(when(one.at_ms), f"{one.lasted_ms / 1000:.1f} s", str(one.shards)) for one in state.outages]
    shown = _table(("Began", "Lasted", "Shards"), rows) if rows else "<p>None on record.</p>"
    return f"<h2>Times in which nobody could move</h2>{shown}"


def _store(state: GetStateResponse) -> str:
    rows = []
    for number, node in enumerate(state.store):
        told = {figure.name: figure.value for figure in node.figures}
        rows.append((str(number), *(f"{value:,.0f}" for value in told.values())))
    names = [figure.name.replace("_", " ") for figure in state.store[0].figures] if state.store else []
    return "<h2>The store</h2>" + _table(("Node", *names), rows)


def _processes(state: GetStateResponse) -> str:
    rows = [
        (
            one.service,
            one.name,
            f"{one.version} ({one.commit})",
            one.rules,
            when(one.since_ms),
            when(one.seen_ms),
        )
        for one in state.processes
    ]
    return "<h2>Processes</h2>" + _table(("Service", "Name", "Version", "Rules", "Since", "Last seen"), rows)


def _acts(acts: Iterable[Act]) -> str:
    rows = [(when(act.at_ms), act.who, act.what, act.target, act.words) for act in acts]
    shown = _table(("When", "Who", "What", "To what", "Words"), rows) if rows else "<p>Nothing yet.</p>"
    return f"<h2>What operators have done</h2>{shown}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _listed(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name}: {number}" for name, number in sorted(numbers.items())) or "none"
