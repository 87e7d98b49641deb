"""Tables and tickets as the store has them, in a numbered form: replicas of two versions share them."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import msgspec

from libs.runtime.refusals import Refusal

SCHEMA = 1
"""The form that this code writes. It rises when an earlier reader would get one wrong, or lose by writing it
anew what it cannot do without."""
Kept = TypeVar("Kept")


class _Heading(msgspec.Struct):
    schema: int = 1


def written(kept: Kept) -> bytes:
    """The body to keep of a table or a ticket."""
    return msgspec.json.encode(replace(kept, schema=SCHEMA))  # type: ignore[type-var]


def read(body: bytes, kind: type[Kept]) -> Kept:
    """The table or ticket of a body. Raises Refusal("unavailable") for one that a newer replica has written:
    it serves it, too."""
    if msgspec.json.decode(body, type=_Heading).schema > SCHEMA:
        raise Refusal("unavailable", "A newer version of the service has this table.")
    return msgspec.json.decode(body, type=kind)
