"""What people type to be shown to others: whether it can be seen, and whether it plays tricks. Pure."""

from __future__ import annotations

import unicodedata

# Joiners: Persian, several Indian scripts and composed emoji cannot be written without them. Marks of
# direction: Persian keyboards have them; unlike overrides they turn nothing round.
JOINERS = frozenset("\u200c\u200d")
MARKS = frozenset("\u200e\u200f\u061c")
# Letters and symbols by Unicode's categories that are drawn as nothing.
_BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159")


def is_visible(text: str) -> bool:
    """Whether anything of the text is drawn."""
    return any(_category(at)[0] in "LNPS" and at not in _BLANK for at in text)


def is_honest(text: str, allowed: frozenset[str] = JOINERS | MARKS) -> bool:
    """Whether nothing in it controls, overrides directions, breaks lines, or is no character or a blank one.

    ``allowed`` are those of the invisible characters that it may have all the same.
    """
    return not any(
        at in _BLANK or _category(at) in ("Zl", "Zp") or (_category(at)[0] == "C" and at not in allowed)
        for at in text
    )


def _category(at: str) -> str:
    """Unicode's category; emoji that are newer than this Python's tables are symbols, too."""
    category = unicodedata.category(at)
    return "So" if category == "Cn" and "\U0001f000" <= at <= "\U0001fbff" else category
