"""What is no command is refused by name; what is one is typed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.frames import FRAME_BYTES, BadFrame, Move, Say, read_command

MOVE = {"t": "move", "id": "c7", "board": "A", "ply": 0, "uci": "e2e4"}


def reason_of(message: bytes) -> tuple[str, str | None]:
    with pytest.raises(BadFrame) as caught:
        read_command(message)
    return caught.value.refusal.reason, caught.value.id


def changed(**fields: object) -> bytes:
    return json.dumps({**MOVE, **fields}).encode()


@pytest.mark.parametrize(
    ("message", "reason", "request_id"),
    [
        (b"", "bad_frame", None),
        (b"hello", "bad_frame", None),
        (b'{"t": "ping", "id": "c1"', "bad_frame", None),
        (b'{"t": "ping", "id": "c1"} {}', "bad_frame", None),
        (b'[{"t": "ping", "id": "c1"}]', "bad_frame", None),
        (b'"ping"', "bad_frame", None),
        (b"null", "bad_frame", None),
        (b"{}", "bad_frame", None),
        (b'{"id": "c1"}', "bad_frame", "c1"),
        (b'{"t": 7, "id": "c1"}', "bad_frame", "c1"),
        (b'{"t": "ping", "id": "\xff"}', "bad_frame", None),
        (b'{"t": "say", "id": "c1", "text": "\\ud800"}', "bad_frame", None),
        (b'{"t": "ping", "id": NaN}', "bad_frame", None),
        (b"[" * FRAME_BYTES, "bad_frame", None),
        (b'{"a":' * 800, "bad_frame", None),
        (b'{"t": "ping", "id": "c1", "more": ' + b"[" * 2000, "bad_frame", None),
        (b'{"t": "flag", "id": "c1"}', "unknown_frame", "c1"),
        (b'{"t": "full", "id": "c1"}', "unknown_frame", "c1"),
        (b'{"t": "ping"}', "bad_request_id", None),
        (b'{"t": "ping", "id": 1}', "bad_request_id", None),
        (b'{"t": "ping", "id": ""}', "bad_request_id", None),
        (b'{"t": "ping", "id": "a b"}', "bad_request_id", None),
        (b'{"t": "ping", "id": "a\\n"}', "bad_request_id", None),
        (b'{"t": "ping", "id": "' + b"x" * 65 + b'"}', "bad_request_id", None),
        (b'{"t": "ping", "id": "c1", "x": 1}', "bad_request", "c1"),
        (b'{"t": "move", "id": "c1", "board": "A", "ply": 0}', "bad_request", "c1"),
        (changed(board="C"), "bad_request", "c7"),
        (changed(ply="0"), "bad_request", "c7"),
        (changed(ply=True), "bad_request", "c7"),
        (changed(ply=1.5), "bad_request", "c7"),
        (changed(ply=None), "bad_request", "c7"),
        (changed(uci=["e2e4"]), "bad_request", "c7"),
        (changed(remaining_ms=999999), "bad_request", "c7"),
        (b'{"t": "ping", "id": "c1", "x": "' + b"y" * FRAME_BYTES + b'"}', "frame_too_large", None),
    ],
)
def test_a_message_that_is_no_command_has_a_named_reason(
    message: bytes, reason: str, request_id: str | None
) -> None:
    assert reason_of(message) == (reason, request_id)


@pytest.mark.scenario("K02")
def test_clock_values_of_a_client_have_no_place_in_a_move() -> None:
    assert reason_of(changed(clocks=[1, 2, 3, 4]))[0] == "bad_request"


def test_a_message_of_exactly_the_longest_size_is_read() -> None:
    shell = len(json.dumps({"t": "say", "id": "c1", "text": ""}))
    message = json.dumps({"t": "say", "id": "c1", "text": "x" * (FRAME_BYTES - shell)}).encode()
    assert len(message) == FRAME_BYTES
    assert isinstance(read_command(message), Say)


def test_a_move_is_read_into_its_type() -> None:
    assert read_command(changed()) == Move(id="c7", board="A", ply=0, uci="e2e4")


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_bytes_whatever_raise_anything_but_bad_frame(message: bytes) -> None:
    with pytest.raises(BadFrame):
        read_command(message)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["id", "board", "ply", "uci", "x"]), JSON))
def test_a_move_with_any_fields_is_a_typed_move_or_a_bad_frame(fields: dict[str, object]) -> None:
    try:
        command = read_command(json.dumps({"t": "move", **fields}).encode())
    except BadFrame:
        return
    assert isinstance(command, Move)
    assert {"id", "board", "ply", "uci"} == fields.keys()
