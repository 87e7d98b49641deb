"""BPGN, the text form of a tandem match as bughouse-db.org keeps it: "1A. e4{119.821} 1B. d4{119.5} ...".

Both boards share one stream in the order played: "12A." is White on A, "12a." Black on A, "12B." and "12b."
the same on B. After each move comes the mover's clock in seconds. Reading takes files as found in the wild;
writing makes files that read back as an equal record.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import cast

from libs.rules import movetext
from libs.rules.errors import BadText, Problem, RulesError
from libs.rules.movetext import Result
from libs.rules.position import Position, Profile
from libs.rules.record import MatchRecord, RecordMove, normal_start, replay_tandem, start_match
from libs.rules.san import MARKS, parse_san
from libs.rules.squares import side_name
from libs.rules.tandem import TandemMatch, board_of, seat_of, side_of

SEAT_LETTERS = "AaBb"
"""The letter of each seat in the label of a move, by seat number."""

_LABEL = re.compile(r"([0-9]{1,6})([AaBb])\.*(.*)")
_DAMAGED_CLOCK = re.compile(r"\S{0,4}[0-9]\S{0,11}")
_AT = re.compile(r"C:at (\S+)")
_FIELD_TAGS = ("Result", "Profile", "Setup", "SetUp", "FEN")


def read_bpgn(text: str | bytes) -> tuple[MatchRecord, list[Problem]]:
    """The match in a BPGN text, and the problems met, each a sentence that names the place.

    Reading stops at the first move that cannot be played or read, with a problem that names it; what was
    read before is kept, and so are the result and the ending, as they stand: some files give the result of
    the board that ended instead of White A's team. Raises BadText only when nothing can be kept: a damaged
    set-up, or a text with neither tags nor moves.
    """
    text = movetext.decode(text)
    problems: list[Problem] = []
    tags, offset = movetext.read_tags(text, problems)
    start_fens, start_clocks_ms = _read_set_up(tags)
    result = movetext.read_result(tags, problems)
    record = MatchRecord(
        tags={name: value for name, value in tags.items() if name not in _FIELD_TAGS},
        variant="tandem",
        profile=_read_profile(tags, problems),
        start_fens=start_fens,
        moves=(),
        result=result,
        start_clocks_ms=start_clocks_ms,
    )
    reader = _Reader(start_match(record), problems, result, free_numbers="FEN" in tags)
    for token in movetext.tokens(text, offset, problems):
        reader.read(token)
    reader.finish()
    if not tags and not reader.moves:
        raise BadText("bad_bpgn", "Neither a tag nor a move was found.")
    return replace(record, moves=tuple(reader.moves), result=reader.result, ending=reader.ending), problems


def write_bpgn(record: MatchRecord) -> str:
    """The BPGN text of a tandem match; reading it gives an equal record.

    `at_ms` is written as a comment {C:at 12.345} after the clock. Raises BadText("unwritable") for a tag or
    an ending that would not read back, and the rules' own error for a move that cannot be played.
    """
    if record.variant != "tandem":
        raise BadText("unwritable", "BPGN is for tandem matches only.")
    if reserved := [name for name in record.tags if name in _FIELD_TAGS]:
        raise BadText("unwritable", f"The tag {reserved[0]} is a field of the record.", reserved[0])
    tags = {**record.tags, "Result": record.result}
    if record.profile != "online":
        tags["Profile"] = record.profile
    if record.start_fens != normal_start("tandem") or record.start_clocks_ms is not None:
        tags |= {"Setup": "1", "FEN": _write_set_up(record)}
    lines = [*movetext.write_tags(tags), "", *movetext.fill(_words(record))]
    return "\n".join(lines) + "\n"


def read_bpgn_tags(text: str | bytes) -> dict[str, str]:
    """All tags at the head of a BPGN text, exactly as they stand there."""
    return movetext.read_tags(movetext.decode(text), [])[0]


@dataclass(slots=True)
class _Reader:
    """Plays the movetext move by move; `label` is the (move number, seat) whose SAN comes next."""

    match: TandemMatch
    problems: list[Problem]
    result: Result
    free_numbers: bool
    moves: list[RecordMove] = field(default_factory=list)
    ending: str = ""
    label: tuple[int, int] | None = None
    read_before: dict[tuple[int, int], str] = field(default_factory=dict)
    number_shift: dict[int, int] = field(default_factory=dict)
    damaged_clocks: list[str] = field(default_factory=list)
    last_label: str = ""
    clock_comes: bool = False
    clock_counts: bool = False
    stopped: bool = False
    result_read: bool = False

    def read(self, token: movetext.Token) -> None:
        if token.kind == "comment":
            self._read_comment(token.text)
        elif token.text in movetext.RESULTS and not self.result_read:
            self._read_result(token.text)
        elif movetext.is_glyph(token.text):
            return
        elif self.label is not None:
            label, self.label = self.label, None
            self._read_move(label, token.text)
        elif label_match := _LABEL.fullmatch(token.text):
            number, letter, san = label_match.groups()
            label = (int(number), SEAT_LETTERS.index(letter))
            if san:
                self._read_move(label, san)
            else:
                self.label = label
        else:
            sentence = f"Line {token.line}: {token.text[:40]!r} is neither a move nor a result."
            self._stop(sentence, "no_move", f"line {token.line}")

    def finish(self) -> None:
        if self.label is not None:
            label = _label_text(self.label)
            self._stop(f"{label} has no move.", "missing_move", label)
        if self.damaged_clocks:
            first, count = self.damaged_clocks[0], len(self.damaged_clocks)
            in_all = f" ({count} in all)" if count > 1 else ""
            self.problems.append(
                Problem(f"Damaged clock after {first} read as none{in_all}.", "damaged_clock", first)
            )

    def _read_move(self, label: tuple[int, int], text: str) -> None:
        name = f"{_label_text(label)} {text[:40]}"
        stem = text.rstrip(MARKS)
        self.ending = ""
        self.clock_comes, self.clock_counts = True, False
        if self.stopped:
            return
        if self.read_before.get(label) == stem:
            self.problems.append(Problem(f"{name} is repeated: skipped.", "repeated_move", name))
            return
        seat = label[1]
        board = board_of(seat)
        position = self.match.positions[board]
        if self.match.outcome is not None:
            sentence = f"{name}: over. The match had ended before it ({self.match.outcome.reason})."
            self._stop(sentence, "over", name)
        elif position.turn != side_of(seat):
            letter = SEAT_LETTERS[2 * board]
            sentence = f"{name}: wrong_side. On board {letter} {side_name(position.turn)} is on move."
            self._stop(sentence, "not_on_move", name)
        else:
            self._check_number(label, board, position)
            try:
                step = self.match.play(board, parse_san(position, text, self.match.profile))
            except RulesError as error:
                self._stop(f"{name}: {error.reason}. {error.detail}", error.reason, name)
                return
            self.match = step.match
            self.moves.append(RecordMove(board, step.uci))
            self.read_before[label] = stem
            self.last_label, self.clock_counts = _label_text(label), True

    def _check_number(self, label: tuple[int, int], board: int, position: Position) -> None:
        shift = label[0] - position.fullmove
        expected = self.number_shift.setdefault(board, shift if self.free_numbers else 0)
        if shift != expected:
            name = _label_text(label)
            sentence = f"{name} stands where number {position.fullmove + expected} was due."
            self.problems.append(Problem(sentence, "wrong_number", name))
            self.number_shift[board] = shift

    def _read_comment(self, text: str) -> None:
        if at := _AT.fullmatch(text):
            if self.clock_counts:
                self.moves[-1] = replace(self.moves[-1], at_ms=movetext.read_seconds(at[1]))
        elif text.startswith("C:"):
            return
        elif self.clock_comes and _DAMAGED_CLOCK.fullmatch(text):
            self.clock_comes = False
            if self.clock_counts:
                clock_ms = movetext.read_seconds(text)
                self.moves[-1] = replace(self.moves[-1], clock_ms=clock_ms)
                if clock_ms is None:
                    self.damaged_clocks.append(f"{self.last_label} {{{text}}}")
        elif text:
            self.ending = text

    def _read_result(self, result: Result) -> None:
        self.result_read = True
        if result != self.result and self.result != "*":
            self.problems.append(movetext.two_results(self.result, result))
        self.result = result

    def _stop(self, sentence: str, reason: str, where: str) -> None:
        if not self.stopped:
            sentence = f"{sentence} The moves are read up to here."
            self.problems.append(Problem(sentence, reason, where, stops=True))
        self.stopped = True


def _label_text(label: tuple[int, int]) -> str:
    return f"{label[0]}{SEAT_LETTERS[label[1]]}"


def _read_profile(tags: dict[str, str], problems: list[Problem]) -> Profile:
    profile = tags.get("Profile", "online")
    if profile not in ("online", "club"):
        sentence = f"Unknown profile {profile[:40]!r}: read as online."
        problems.append(Problem(sentence, "unknown_profile", "tag Profile"))
        return "online"
    return cast(Profile, profile)


def _read_set_up(tags: dict[str, str]) -> tuple[tuple[str, ...], tuple[int, int, int, int] | None]:
    """The start FENs, and the clocks by seat where the set-up gives them."""
    if "FEN" not in tags:
        return normal_start("tandem"), None
    halves = tags["FEN"].split("|")
    if len(halves) != 2:
        raise BadText(
            "bad_fen", f"A set-up needs two FENs with | between them, found {len(halves)}.", "tag FEN"
        )
    fen_a, clocks_a = _read_board(halves[0], "tag FEN, board A")
    fen_b, clocks_b = _read_board(halves[1], "tag FEN, board B")
    if clocks_a is None or clocks_b is None:
        return (fen_a, fen_b), None
    return (fen_a, fen_b), (*clocks_a, *clocks_b)


def _read_board(text: str, where: str) -> tuple[str, tuple[int, int] | None]:
    """One board of a set-up: `placement/hand turn castling en-passant white-clock black-clock`, in seconds.

    The counters of a FEN may follow. A FEN with the hand in square brackets is taken as it is, without
    clocks.
    """
    clocks = None
    fields = text.split()
    if fields and "[" not in fields[0]:
        if len(fields) not in (4, 6, 8):
            raise BadText(
                "bad_fen", f"Expected a position and two clocks, found {len(fields)} fields.", where
            )
        if len(fields) > 4:
            white_ms, black_ms = movetext.read_seconds(fields[4]), movetext.read_seconds(fields[5])
            if white_ms is None or black_ms is None:
                raise BadText("bad_fen", "The clocks of a set-up are given in seconds.", where)
            clocks = (white_ms, black_ms)
        text = " ".join(fields[:4] + fields[6:])
    try:
        return Position.from_fen(text, "tandem").fen(), clocks
    except BadText as error:
        raise BadText(
            error.reason, error.detail, f"{where}: {error.where}" if error.where else where
        ) from error


def _write_set_up(record: MatchRecord) -> str:
    """Both boards, with a ninth slash before the hand when there are clocks to give, else as plain FENs."""
    if record.start_clocks_ms is None:
        return " | ".join(record.start_fens)
    boards = []
    for board, fen in enumerate(record.start_fens):
        placement, *rest, halfmove, fullmove = fen.split()
        clocks = (
            movetext.write_seconds(clock_ms) for clock_ms in record.start_clocks_ms[2 * board : 2 * board + 2]
        )
        counters = () if (halfmove, fullmove) == ("0", "1") else (halfmove, fullmove)
        boards.append(" ".join([placement.rstrip("]").replace("[", "/"), *rest, *clocks, *counters]))
    return " | ".join(boards)


def _words(record: MatchRecord) -> Iterator[str]:
    """The movetext of a record, in pieces that may stand on different lines."""
    positions = start_match(record).positions
    for move, step in zip(record.moves, replay_tandem(record), strict=True):
        number = positions[move.board].fullmove
        positions = step.match.positions
        clock = "" if move.clock_ms is None else f"{{{movetext.write_seconds(move.clock_ms)}}}"
        yield f"{number}{SEAT_LETTERS[seat_of(step.board, step.side)]}. {step.san}{clock}"
        if move.at_ms is not None:
            yield f"{{C:at {movetext.write_seconds(move.at_ms)}}}"
    if record.ending:
        taken_for_a_clock = (
            record.moves and record.moves[-1].clock_ms is None and _DAMAGED_CLOCK.fullmatch(record.ending)
        )
        if record.ending.startswith("C:") or taken_for_a_clock:
            raise BadText("unwritable", f"The ending {record.ending[:40]!r} would be read as something else.")
        yield movetext.write_comment(record.ending)
    yield record.result
