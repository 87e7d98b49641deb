"""The answers of `python -m libs.rules`, the conformance tool for other implementers (docs/conformance.md).

One JSON object in, one JSON object out. Whatever the input is, the answer is a result or
{"error": {"reason", "detail", "where"}}.
"""

import json
from collections.abc import Callable, Mapping
from typing import TypeVar

from libs.rules.board import Board
from libs.rules.bpgn import SEAT_LETTERS, read_bpgn, read_bpgn_tags
from libs.rules.errors import BadText, RulesError
from libs.rules.fog import FogGame
from libs.rules.generate import legal_moves, perft
from libs.rules.observe import visible
from libs.rules.outcome import Outcome
from libs.rules.position import Position, Profile, Variant
from libs.rules.squares import BLACK, WHITE, square_name
from libs.rules.tandem import TandemMatch, seat_of

Request = Mapping[str, object]
Answer = dict[str, object]
T = TypeVar("T")

MAX_LINE_BYTES = 1_000_000
MAX_PERFT_DEPTH = 6
MAX_PERFT_NODES = 10_000_000

_VARIANTS: Mapping[str, Variant] = {"tandem": "tandem", "fog": "fog"}
_PROFILES: Mapping[str, Profile] = {"online": "online", "club": "club"}
_SIDES: Mapping[str, int] = {"white": WHITE, "black": BLACK}
_BOARDS: Mapping[str, int] = {"A": 0, "B": 1}


class BadMove(Exception):
    """A move in a list of moves could not be read or played; the answer's `where` is its index, from 0."""

    def __init__(self, error: RulesError, index: int) -> None:
        super().__init__(str(error))
        self.error = error
        self.index = index


def answer_line(line: bytes) -> str:
    """The answer to one line of input, without the end of line; never raises."""
    try:
        answer = answer_request(_read_request(line))
    except BadMove as bad:
        answer = _error(bad.error.reason, bad.error.detail, bad.index)
    except RulesError as error:
        answer = _error(error.reason, error.detail, error.where)
    except Exception as error:  # whatever it is, the lines after this one want their answers
        answer = _error("internal", f"The tool itself failed: {type(error).__name__}.", "")
    return json.dumps(answer, separators=(",", ":"))


def answer_request(request: Request) -> Answer:
    """The answer to one request; raises RulesError or BadMove where answer_line answers an error."""
    operations: Mapping[str, Callable[[Request], Answer]] = {
        "legal": _legal,
        "verdict": _verdict,
        "perft": _perft,
        "play": _play,
        "visible": _visible,
        "match": _match,
        "read_bpgn": _read_bpgn,
    }
    op = _text(request, "op")
    if op not in operations:
        raise BadText("unknown_op", f"op is one of {', '.join(operations)}.", "op")
    return operations[op](request)


def _legal(request: Request) -> Answer:
    return {"moves": list(_position(request).legal_moves(_profile(request)))}


def _verdict(request: Request) -> Answer:
    position = _position(request)
    return {"verdict": position.verdict(_profile(request)), "check": position.in_check()}


def _perft(request: Request) -> Answer:
    board = _position(request).board(_profile(request))
    depth = request.get("depth")
    if not isinstance(depth, int) or isinstance(depth, bool) or depth < 0:
        raise BadText("bad_field", "depth is a whole number from 0 up.", "depth")
    if depth > MAX_PERFT_DEPTH:
        raise BadText("too_deep", f"depth is at most {MAX_PERFT_DEPTH}.", "depth")
    return {"nodes": _count_nodes(board, depth, 0)}


def _count_nodes(board: Board, depth: int, counted: int) -> int:
    """`counted` and the nodes below the board's position; raises BadText("too_many_nodes") past the limit."""
    if depth <= 2:
        counted += perft(board, depth)
        if counted > MAX_PERFT_NODES:
            raise BadText("too_many_nodes", f"There are more than {MAX_PERFT_NODES} nodes.", "depth")
        return counted
    for move in legal_moves(board):
        board.make(move)
        counted = _count_nodes(board, depth - 1, counted)
        board.unmake(move)
    return counted


def _play(request: Request) -> Answer:
    position, profile = _position(request), _profile(request)
    captured = []
    for index, move in enumerate(_list(request, "moves")):
        try:
            played = position.play(_move_text(move), profile)
        except RulesError as error:
            raise BadMove(error, index) from error
        position = played.position
        if played.captured is not None:
            captured.append(played.captured)
    return {"fen": position.fen(), "captured": captured}


def _visible(request: Request) -> Answer:
    position = Position.from_fen(_text(request, "fen"), "fog")
    squares = visible(position, _choice(request, "side", _SIDES))
    return {"squares": sorted(square_name(square) for square in squares)}


def _match(request: Request) -> Answer:
    moves = _list(request, "moves")
    if _choice(request, "variant", _VARIANTS, "tandem") == "fog":
        return _fog_match(moves)
    match = TandemMatch.start(_profile(request))
    for index, move in enumerate(moves):
        try:
            board, uci = _board_and_move(move)
            match = match.play(board, uci).match
        except RulesError as error:
            raise BadMove(error, index) from error
    return {
        "boards": [position.fen() for position in match.positions],
        "verdicts": [match.verdict(0), match.verdict(1)],
        "outcome": _outcome(match.outcome),
    }


def _fog_match(moves: list[object]) -> Answer:
    game = FogGame.start()
    marks = []
    for index, move in enumerate(moves):
        try:
            step = game.play(_move_text(move))
        except RulesError as error:
            raise BadMove(error, index) from error
        game = step.game
        marks.append(None if step.mark is None else square_name(step.mark))
    return {"boards": [game.position.fen()], "outcome": _outcome(game.outcome), "marks": marks}


def _read_bpgn(request: Request) -> Answer:
    text = _text(request, "text")
    record, problems = read_bpgn(text)
    moves = [[SEAT_LETTERS[seat_of(move.board, WHITE)], move.uci, move.clock_ms] for move in record.moves]
    return {"tags": read_bpgn_tags(text), "moves": moves, "result": record.result, "problems": problems}


def _read_request(line: bytes) -> Request:
    if len(line) > MAX_LINE_BYTES:
        raise BadText("line_too_long", f"A line has at most {MAX_LINE_BYTES} bytes.")
    try:
        text = line.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise BadText("bad_utf8", "The line is not UTF-8.", f"byte {error.start}") from error
    if not text:
        raise BadText("empty_line", "The line is empty.")
    try:
        request = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise BadText("bad_json", f"The line is not JSON: {error.msg}.", f"character {error.pos}") from error
    except RecursionError as error:
        raise BadText("bad_json", "The line is nested too deeply.") from error
    except ValueError as error:
        raise BadText(
            "bad_json", "The line holds a number that JSON does not know or that is too long."
        ) from error
    if not isinstance(request, dict):
        raise BadText("bad_request", "A request is a JSON object.")
    return request


def _refuse_constant(name: str) -> object:
    raise ValueError(name)


def _error(reason: str, detail: str, where: str | int) -> Answer:
    return {"error": {"reason": reason, "detail": detail, "where": where}}


def _outcome(outcome: Outcome | None) -> Answer | None:
    return None if outcome is None else {"winner": outcome.winner, "reason": outcome.reason}


def _position(request: Request) -> Position:
    return Position.from_fen(_text(request, "fen"), _choice(request, "variant", _VARIANTS, "tandem"))


def _profile(request: Request) -> Profile:
    return _choice(request, "profile", _PROFILES, "online")


def _choice(request: Request, name: str, choices: Mapping[str, T], default: str | None = None) -> T:
    value = request.get(name, default)
    if not isinstance(value, str) or value not in choices:
        raise BadText("bad_field", f"{name} is one of {', '.join(choices)}.", name)
    return choices[value]


def _text(request: Request, name: str) -> str:
    value = request.get(name)
    if not isinstance(value, str):
        raise BadText("bad_field", f"{name} is a text.", name)
    return value


def _list(request: Request, name: str) -> list[object]:
    value = request.get(name)
    if not isinstance(value, list):
        raise BadText("bad_field", f"{name} is a list.", name)
    return value


def _move_text(move: object) -> str:
    if not isinstance(move, str):
        raise BadText("bad_uci", "A move is a text.")
    return move


def _board_and_move(move: object) -> tuple[int, str]:
    if not isinstance(move, list) or len(move) != 2 or move[0] not in ("A", "B"):
        raise BadText("bad_field", 'A move of a match is a list of two: "A" or "B", and the move.')
    return _BOARDS[move[0]], _move_text(move[1])
