"""PGN for fog games, with [Variant "Fog of War"]: no "+" or "#", kings are captured like other pieces."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from libs.rules import movetext
from libs.rules.errors import BadText, Problem, RulesError
from libs.rules.fog import FogGame
from libs.rules.movetext import Result
from libs.rules.position import Position
from libs.rules.record import MatchRecord, RecordMove, normal_start, replay_fog, start_game
from libs.rules.san import parse_san
from libs.rules.squares import WHITE

VARIANT = "Fog of War"

_OTHER_NAMES = ("fogofwar", "darkchess")
_NUMBER = re.compile(r"([0-9]{1,6}\.+|[0-9]{1,6}$|\.+)(.*)")
_COMMAND = re.compile(r"\[%(\w+) ([^\[\]]*)\]", re.ASCII)  # no "[" in it: else quadratic
_CLOCK = re.compile(r"(-?)([0-9]{1,6}):([0-5]?[0-9]):([0-5]?[0-9](?:\.[0-9]{1,9})?)")
_FIELD_TAGS = ("Variant", "Result", "SetUp", "FEN")


def read_pgn(text: str | bytes) -> tuple[MatchRecord, list[Problem]]:
    """The fog game in a PGN text, and the problems met, each a sentence that names the place.

    Reading stops at the first move that cannot be played or read, with a problem that names it; what was
    read before is kept, and so are the result and the ending. Raises BadText when nothing can be kept:
    another variant, a damaged FEN, or a text with neither tags nor moves.
    """
    text = movetext.decode(text)
    problems: list[Problem] = []
    tags, offset = movetext.read_tags(text, problems)
    variant = tags.get("Variant")
    if variant is None:
        problems.append(Problem(f"No tag names the variant: read as {VARIANT}.", "no_variant", "tag Variant"))
    elif re.sub(r"[\W_]+", "", variant).lower() not in _OTHER_NAMES:
        raise BadText("bad_pgn", f"The variant {variant[:40]!r} is not {VARIANT}.", "tag Variant")
    record = MatchRecord(
        tags={name: value for name, value in tags.items() if name not in _FIELD_TAGS},
        variant="fog",
        profile="online",
        start_fens=_read_set_up(tags),
        moves=(),
        result=movetext.read_result(tags, problems),
    )
    reader = _Reader(start_game(record), problems, record.result)
    for token in movetext.tokens(text, offset, problems):
        reader.read(token)
    if not tags and not reader.moves:
        raise BadText("bad_pgn", "Neither a tag nor a move was found.")
    return replace(record, moves=tuple(reader.moves), result=reader.result, ending=reader.ending), problems


def write_pgn(record: MatchRecord) -> str:
    """The PGN text of a fog game; reading it gives an equal record.

    A clock is written as {[%clk 0:02:59.5]}, `at_ms` likewise as [%at 0:00:12.345]. Raises
    BadText("unwritable") for a tag or an ending that would not read back, and the rules' own error for a
    move that cannot be played.
    """
    if record.variant != "fog":
        raise BadText("unwritable", f"This PGN is for {VARIANT} only.")
    if reserved := [name for name in record.tags if name in _FIELD_TAGS]:
        raise BadText("unwritable", f"The tag {reserved[0]} is a field of the record.", reserved[0])
    tags = {**record.tags, "Variant": VARIANT, "Result": record.result}
    if record.start_fens != normal_start("fog"):
        tags |= {"SetUp": "1", "FEN": record.start_fens[0]}
    lines = [*movetext.write_tags(tags), "", *movetext.fill(_words(record))]
    return "\n".join(lines) + "\n"


@dataclass(slots=True)
class _Reader:
    """Plays the movetext move by move."""

    game: FogGame
    problems: list[Problem]
    result: Result
    moves: list[RecordMove] = field(default_factory=list)
    ending: str = ""
    stopped: bool = False
    result_read: bool = False

    def read(self, token: movetext.Token) -> None:
        if token.kind == "comment":
            self._read_comment(token.text)
            return
        word = token.text
        if word in movetext.RESULTS and not self.result_read:
            self._read_result(word)
            return
        if number := _NUMBER.fullmatch(word):
            word = number[2]
        if word and not movetext.is_glyph(word):
            self._read_move(word)

    def _read_move(self, text: str) -> None:
        self.ending = ""
        if self.stopped:
            return
        position = self.game.position
        name = f"{position.fullmove}{'.' if position.turn == WHITE else '...'} {text[:40]}"
        if self.game.outcome is not None:
            self._stop(
                f"{name}: over. The game had ended before it ({self.game.outcome.reason}).", "over", name
            )
            return
        try:
            step = self.game.play(parse_san(position, text))
        except RulesError as error:
            self._stop(f"{name}: {error.reason}. {error.detail}", error.reason, name)
            return
        self.game = step.game
        self.moves.append(RecordMove(0, step.uci))

    def _read_comment(self, text: str) -> None:
        if self.moves and not self.stopped:
            for name, value in _COMMAND.findall(text):
                if name == "clk":
                    self.moves[-1] = replace(self.moves[-1], clock_ms=self._read_clock(value))
                elif name == "at":
                    self.moves[-1] = replace(self.moves[-1], at_ms=self._read_clock(value))
        if remark := " ".join(_COMMAND.sub("", text).split()):
            self.ending = remark

    def _read_clock(self, text: str) -> int | None:
        if clock := _CLOCK.fullmatch(text):
            sign, hours, minutes, seconds = clock.groups()
            clock_ms = (int(hours) * 60 + int(minutes)) * 60_000 + (movetext.read_seconds(seconds) or 0)
            return -clock_ms if sign else clock_ms
        where = f"move {len(self.moves)}"
        self.problems.append(
            Problem(f"Damaged clock {text[:40]!r} after {where} read as none.", "damaged_clock", where)
        )
        return None

    def _read_result(self, result: Result) -> None:
        self.result_read = True
        if result != self.result and self.result != "*":
            self.problems.append(movetext.two_results(self.result, result))
        self.result = result

    def _stop(self, sentence: str, reason: str, where: str) -> None:
        self.stopped = True
        self.problems.append(Problem(f"{sentence} The moves are read up to here.", reason, where, stops=True))


def _read_set_up(tags: dict[str, str]) -> tuple[str, ...]:
    if "FEN" not in tags:
        return normal_start("fog")
    try:
        return (Position.from_fen(tags["FEN"], "fog").fen(),)
    except BadText as error:
        where = f"tag FEN: {error.where}" if error.where else "tag FEN"
        raise BadText(error.reason, error.detail, where) from error


def _write_clock(clock_ms: int) -> str:
    """A clock in milliseconds as h:mm:ss with as many digits of a second as it needs."""
    sign = "-" if clock_ms < 0 else ""
    seconds, thousandths = divmod(abs(clock_ms), 1000)
    fraction = f".{thousandths:03d}".rstrip("0") if thousandths else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{fraction}"


def _words(record: MatchRecord) -> Iterator[str]:
    """The movetext of a record, in pieces that may stand on different lines."""
    position = start_game(record).position
    number_due = True
    for move, step in zip(record.moves, replay_fog(record), strict=True):
        if position.turn == WHITE or number_due:
            yield f"{position.fullmove}{'.' if position.turn == WHITE else '...'}"
        yield step.san
        times = (("clk", move.clock_ms), ("at", move.at_ms))
        commands = [f"[%{name} {_write_clock(time_ms)}]" for name, time_ms in times if time_ms is not None]
        if commands:
            yield movetext.write_comment(" ".join(commands))
        number_due = bool(commands)
        position = step.game.position
    if record.ending:
        if _COMMAND.search(record.ending):
            raise BadText("unwritable", f"The ending {record.ending[:40]!r} would be read as something else.")
        yield movetext.write_comment(record.ending)
    yield record.result
