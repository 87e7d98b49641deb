"""The names that people show at a table. Pure."""

from __future__ import annotations

import unicodedata

from libs.runtime.refusals import Refusal
from libs.wire.typed import JOINERS, is_honest, is_visible

LONGEST = 20


def clean_name(text: str, dice: int) -> str:
    """Return the name to show for what a person typed; an empty one becomes a made-up "Guest 417".

    Spaces at the ends are cut and those inside made single. ``dice`` is any number from 0 on. Raises
    Refusal bad_name for more than 20 characters, for control or direction-changing ones, and for nothing
    visible.
    """
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not name:
        return f"Guest {100 + dice % 900}"
    if len(name) > LONGEST or not is_visible(name) or not is_honest(name, JOINERS):
        raise Refusal("bad_name")
    return name
