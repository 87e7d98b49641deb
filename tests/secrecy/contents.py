"""What frames say, whenever they came and however many there were. Pure.

A machine at its limits drops, merges or repeats frames. It puts nothing into one that no honest play of the
same history has in any: no move, square, piece, name, number. So what is said in a play of one history and in
none of the other tells the two apart, however rarely it happens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from google.protobuf.json_format import MessageToDict

from gen.tandemfog.view.v1.view_pb2 import Frame
from tests.secrecy.records import CHANNELS, Record, equal_for_all

NOT_NOW = ("unavailable", "busy", "too_fast")
"""Answers that tell how busy the services are, and nothing else."""
SET_APART = {
    "id": "A request has another id each time that its pair is played.",
    "version": "A frame dropped for a full view is a number that this viewer never saw; see highest_version.",
    "at_ms": "The clock stands elsewhere when a pair is played again.",
    "remaining_ms": "As at_ms.",
    "age_ms": "As everywhere: how old the reading was when it was sent.",
    "starts_in_ms": "As everywhere.",
    "outages": "The whole service stood still, which happens to all tables alike.",
    "outages_ms": "As outages.",
    "epoch": "Another service has taken up the match.",
    "duplicate": "The answer came too late for whoever asked, who asked again.",
    "Content-Length": "Follows from the body, of which everything counts.",
    "online": "A connection that came back late was away for a moment; to spectators of fog nobody ever is.",
}
"""Names that lateness can honestly change, or that no two plays share; each with the reason."""
_VERSION = re.compile(rb'"version":(\d+)')
Leaf = tuple[str, str]
"""Where something is said, without the places in lists, and what."""


def contents(viewer: str, record: Record) -> set[Leaf]:
    """Everything that a viewer was told in one play."""
    found: set[Leaf] = set()
    for channel in CHANNELS:
        for message in record.channels[channel]:
            found |= {
                (f"{viewer}, {channel}: {path}", said)
                for path, said in _of_message(channel, equal_for_all(message, record.table), viewer)
            }
    return found


def highest_version(record: Record) -> int:
    """The last number of a spectator's frames: no lateness makes it higher, since presence does not count."""
    found = (number for message in record.channels["match"] for number in _VERSION.findall(message))
    return max(map(int, found), default=0)


def _of_message(channel: str, message: bytes, viewer: str) -> set[Leaf]:
    if channel == "stream":
        frame = MessageToDict(Frame.FromString(message), preserving_proto_field_name=True)
        return set(_leaves(frame, "", viewer))
    documents = list(_documents(message.decode()))
    if any(isinstance(document, dict) and document.get("reason") in NOT_NOW for document in documents):
        return set()
    found = {leaf for document in documents for leaf in _leaves(document, "", viewer)}
    # Spaces say something, too.
    tight = sum(
        len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())
        for document in documents
    )
    return found | {("its size beyond what it says", str(len(message) - tight))}


def _documents(text: str) -> Iterator[Any]:
    """The values of a text of several, such as a page's headers and its body."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        try:
            document, at = decoder.raw_decode(text, at)
        except ValueError:
            document, at = text[at:], len(text)
        yield document


def _leaves(value: Any, path: str, viewer: str) -> Iterator[Leaf]:
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            if _counts(name, viewer):
                yield from _leaves(inner, f"{path}.{name}", viewer)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from _leaves(inner, f"{path}[]", viewer)
            if isinstance(inner, dict):  # a line of the move list says more than its parts
                yield f"{path}[]", json.dumps(_counting(inner, viewer), sort_keys=True)
    else:
        yield path, json.dumps(value)


def _counting(value: Any, viewer: str) -> Any:
    """The value without what is set apart."""
    if isinstance(value, dict):
        return {name: _counting(inner, viewer) for name, inner in value.items() if _counts(name, viewer)}
    if isinstance(value, list):
        return [_counting(inner, viewer) for inner in value]
    return value


def _counts(name: str, viewer: str) -> bool:
    return name not in SET_APART or (name == "online" and viewer == "spectator")
