"""Names and messages that can be seen and play no tricks."""

from __future__ import annotations

import pytest

from libs.wire.typed import JOINERS, is_honest, is_visible


@pytest.mark.parametrize("text", ["Kari", "علی‌رضا", "👩‍👧", "?", "♞", "한글", "\U0001fae9"])
def test_what_is_written_is_visible_and_honest(text: str) -> None:
    assert is_visible(text)
    assert is_honest(text, JOINERS)


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\u3164", "\u2800\u2800", "\u115f", "\u0301", "\u200d"])
def test_what_is_drawn_as_nothing_is_not_visible(text: str) -> None:
    assert not is_visible(text)


@pytest.mark.parametrize(
    "text",
    [
        "a\u202eb",
        "a\u2066b",
        "a\u200bb",
        "a\x00",
        "a\ud800",
        "a\u2028b",
        "a\ue000",
        "a\U000e0041",
        "Kari\u3164",
        "\ufeffa",
    ],
)
def test_what_hides_or_turns_round_is_not_honest(text: str) -> None:
    assert not is_honest(text)


def test_a_mark_of_direction_is_honest_in_a_message_and_not_in_a_name() -> None:
    assert is_honest("سلام\u200f!")
    assert not is_honest("Kari\u200f", JOINERS)
