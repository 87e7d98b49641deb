"""What the text forms of a whole game share (BPGN and PGN): tags, comments, clocks, results, line filling."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from libs.rules.errors import BadText, Problem

Result = Literal["1-0", "0-1", "1/2-1/2", "*"]
RESULTS: tuple[Result, ...] = get_args(Result)
LINE_LENGTH = 99

_TAG = re.compile(r'\[[ \t]*(\w+)[ \t]+"((?:[^"\\\r\n]|\\.)*)"[ \t]*\]', re.ASCII)
_TAG_NAME = re.compile(r"\w+", re.ASCII)
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\$[0-9]*|[^\s(){};$]+")
_GLYPH = re.compile(r"\.+|[!?]+|\$[0-9]*|e\.?p\.?|N|D|RR|(?!-+$)[-+=/#±∓⩲⩱∞□○⊙⨀⟳↻↑→⇆⇄⊕⌓∆△▽]+")
_ESCAPED = re.compile(r'\\(["\\])')
_UNWRITABLE = re.compile(r"[\r\n\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of movetext outside variations: a word or a comment, with the line it starts on (from 1)."""

    kind: Literal["word", "comment"]
    text: str
    line: int


def decode(text: str | bytes) -> str:
    """The text of a game file: UTF-8, or Latin-1 where it is no UTF-8; a byte order mark is dropped."""
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        return text.decode("latin-1")


def read_tags(text: str, problems: list[Problem]) -> tuple[dict[str, str], int]:
    """The tags at the head of a game and the offset where its movetext begins.

    Several tags may share a line. What looks like a tag and is damaged is named in `problems` and skipped
    to the end of its line.
    """
    tags: dict[str, str] = {}
    offset = counted = 0
    line = 1
    while True:
        if space := _SPACE.match(text, offset):
            offset = space.end()
        if not text.startswith("[", offset):
            return tags, offset
        if tag := _TAG.match(text, offset):
            tags[tag[1]] = _ESCAPED.sub(r"\1", tag[2])
            offset = tag.end()
            continue
        line_end = text.find("\n", offset)
        line_end = len(text) if line_end < 0 else line_end
        sentence = f"Damaged tag skipped: {text[offset:line_end].strip()[:60]!r}."
        line += text.count("\n", counted, offset)
        counted = offset
        problems.append(Problem(sentence, "damaged_tag", f"line {line}"))
        offset = line_end


def is_glyph(word: str) -> bool:
    """Whether a word only judges a move or decorates it: dots, "!?", "$14", "e.p.", "+-", "±", "N" (new)."""
    return _GLYPH.fullmatch(word) is not None


def tokens(text: str, offset: int, problems: list[Problem]) -> Iterator[Token]:
    """Words and comments from `offset` to the end of the game, without what does not belong to it:
    variations (round brackets, nested), remarks from ";" to the end of a line, lines that begin with "%".

    A glyph "$14" is a word of its own even where it is written to a move. A comment that is never closed runs
    to the end; that, an open variation, and a second game in the same text are named in `problems`. Space
    inside a comment counts as one blank.
    """
    line = 1 + text.count("\n", 0, offset)
    depth = 0
    fresh_line = False
    while offset < len(text):
        if space := _SPACE.match(text, offset):
            fresh_line = "\n" in space[0]
            line += space[0].count("\n")
            offset = space.end()
            continue
        first = text[offset]
        if first == ";" or (first == "%" and text[offset - 1 : offset] in ("", "\n")):
            end = text.find("\n", offset)
            offset = len(text) if end < 0 else end
        elif first == "{":
            end = text.find("}", offset)
            if end < 0:
                sentence = f"A comment opened in line {line} is never closed."
                problems.append(Problem(sentence, "open_comment", f"line {line}"))
                end = len(text)
            if not depth:
                yield Token("comment", " ".join(text[offset + 1 : end].split()), line)
            line += text.count("\n", offset, end)
            offset = end + 1
        elif first == "(":
            depth += 1
            offset += 1
        elif first == ")" and depth:
            depth -= 1
            offset += 1
        elif first == "[" and fresh_line and not depth:
            sentence = f"Another game follows in line {line}; only the first one is read."
            problems.append(Problem(sentence, "another_game", f"line {line}"))
            return
        else:
            word = _WORD.match(text, offset)
            end = word.end() if word else offset + 1
            if not depth:
                yield Token("word", text[offset:end], line)
            offset = end
    if depth:
        problems.append(Problem("A variation is never closed.", "open_variation"))


def read_result(tags: Mapping[str, str], problems: list[Problem]) -> Result:
    """The result that the tags give, "*" where they give none."""
    value = tags.get("Result", "*")
    for result in RESULTS:
        if value == result:
            return result
    sentence = f"Unknown result {value[:40]!r} in the tags: read as none."
    problems.append(Problem(sentence, "unknown_result", "tag Result"))
    return "*"


def two_results(tag: Result, end: Result) -> Problem:
    """The tags and the end of the moves give different results."""
    sentence = f"The tag says {tag}, the end of the moves {end}: the latter is kept."
    return Problem(sentence, "two_results", "tag Result")


def read_seconds(text: str) -> int | None:
    """A clock given in seconds ("119.821", "298", "-0.5") in milliseconds; None for any other form."""
    clock = re.fullmatch(r"(-?)([0-9]{1,9})(?:\.([0-9]{1,9}))?", text)
    if clock is None:
        return None
    sign, seconds, fraction = clock.groups()
    clock_ms = int(seconds) * 1000 + int((fraction or "0")[:3].ljust(3, "0"))
    return -clock_ms if sign else clock_ms


def write_seconds(clock_ms: int) -> str:
    """A clock in milliseconds as seconds with three digits, "119.821"."""
    sign = "-" if clock_ms < 0 else ""
    return f"{sign}{abs(clock_ms) // 1000}.{abs(clock_ms) % 1000:03d}"


def write_tags(tags: Mapping[str, str]) -> Iterator[str]:
    """One line for each tag; raises BadText("unwritable") for a name or value no reader would get back."""
    for name, value in tags.items():
        if not _TAG_NAME.fullmatch(name):
            raise BadText("unwritable", f"{name[:40]!r} cannot be the name of a tag.", name[:40])
        if _UNWRITABLE.search(value):
            raise BadText("unwritable", f"the value of {name} holds a line break.", name)
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name} "{escaped}"]'


def write_comment(text: str) -> str:
    """A comment in braces; raises BadText("unwritable") for text that would not come back the same."""
    if "}" in text or _UNWRITABLE.search(text) or text != " ".join(text.split()):
        raise BadText("unwritable", "A comment holds no closing brace, line break or double blank.")
    return "{" + text + "}"


def fill(words: Iterable[str]) -> Iterator[str]:
    """Lines of at most LINE_LENGTH characters, broken between words only."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > LINE_LENGTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        yield line
