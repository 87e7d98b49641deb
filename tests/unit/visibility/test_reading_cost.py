"""What a stranger's text costs: whatever is repeated in it, twice the text is twice the work."""

from __future__ import annotations

import time

import pytest

from services.visibility.reading import read_game

HEADS = ("", "1. e4 {", "1A. e4 {", '[Variant "Fog of War"]\n1. e4 ', "1A. e4 (", '[Event "')
PARTS = (
    *("[", "]", "[%a ", "[%a", "[%a x]", "[%clk 0:0", "{", "}", "(", ")", "{C:at 1}", "{12}", "\\", '"'),
    *(
        '[A "',
        '[A "x"]\n',
        "1.",
        "1. e4 ",
        "1A. e4 ",
        "e4 ",
        "$1",
        "$",
        ";",
        "0-0",
        "@",
        "P@",
        "~",
        "=",
        "!",
        "...",
    ),
    *("\n", "\t", " ", "checkmated ", "is ", "a", "é", "\x00", "1-0 ", "*", "e.p. ", "e8=", "Nb1c3", "-"),
)
SHORT, LONG = 10_000, 40_000
# Four times the text: four times the work, and room for a noisy machine; its square would be sixteen times.
AT_MOST, BESIDES_S = 9, 0.1


def seconds(text: str) -> float:
    began = time.process_time()
    read_game(text.encode())
    return time.process_time() - began


@pytest.mark.parametrize("head", HEADS)
def test_no_text_makes_the_reader_work_out_of_proportion(head: str) -> None:
    for part in PARTS:
        short, long = (seconds(head + part * (size // len(part))) for size in (SHORT, LONG))
        assert long < AT_MOST * short + BESIDES_S, f"{head!r} and {part!r} over and over"
