"""The names that people show at a table. Pure."""

from __future__ import annotations

import unicodedata

from libs.runtime.refusals import Refusal

LONGEST = 20
# Joiners: Persian and several Indian scripts cannot be written without them.
_JOINERS = frozenset("\u200c\u200d")


def clean_name(text: str, dice: int) -> str:
    """Return the name to show for what a person typed; an empty one becomes a made-up "Guest 417".

    Spaces at the ends are cut and those inside made single. ``dice`` is any number from 0 on. Raises
    Refusal bad_name for more than 20 characters, for control or direction-changing ones, and for nothing
    visible.
    """
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not name:
        return f"Guest {100 + dice % 900}"
    if len(name) > LONGEST or not any(_is_visible(character) for character in name):
        raise Refusal("bad_name")
    if any(_is_hidden(character) for character in name):
        raise Refusal("bad_name")
    return name


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS"


def _is_hidden(character: str) -> bool:
    """Whether the character controls, overrides directions, or is no character at all."""
    category = unicodedata.category(character)
    return (category[0] == "C" and character not in _JOINERS) or category in ("Zl", "Zp")
