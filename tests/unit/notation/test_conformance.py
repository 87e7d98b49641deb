"""The conformance tool: the known vectors through it, its page, and its answers to anything at all."""

import io
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from libs.rules.__main__ import answer_all
from libs.rules.bpgn import read_bpgn
from libs.rules.conformance import MAX_LINE_BYTES, MAX_PERFT_DEPTH, answer_line
from tests.unit.notation.strategies import CHOICES, PROFILES, damaged, fog_moves, tandem_moves

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests" / "data"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"
QUICK_NODES = 20_000


def positions(name: str) -> list[Any]:
    rows = json.loads((DATA / f"{name}.json").read_text())["positions"]
    return [pytest.param(row, id=row["id"]) for row in rows]


def ask(**request: object) -> dict[str, Any]:
    return dict(json.loads(answer_line(json.dumps(request).encode())))


def reason_of(line: bytes) -> str:
    return str(json.loads(answer_line(line))["error"]["reason"])


def tool_verdict(verdict: str, in_check: bool) -> str:
    known = {"check_wait": "waiting", "no_move_wait": "waiting", "mate": "mate"}
    return known.get(verdict, "check" if in_check else "normal")


@pytest.mark.parametrize("row", positions("perft"))
def test_perft_counts_what_is_known(row: dict[str, Any]) -> None:
    for depth, nodes in enumerate(row["counts"], 1):
        if nodes <= QUICK_NODES:
            assert ask(op="perft", fen=row["fen"], depth=depth) == {"nodes": nodes}


@pytest.mark.parametrize("row", positions("fog_perft"))
def test_perft_in_fog_counts_what_is_known(row: dict[str, Any]) -> None:
    for depth, nodes in enumerate(row["counts"], 1):
        if nodes <= QUICK_NODES:
            assert ask(op="perft", variant="fog", fen=row["fen"], depth=depth) == {"nodes": nodes}


@pytest.mark.rule("T-mate")
@pytest.mark.rule("T-club-mate")
@pytest.mark.parametrize("row", positions("mate"))
def test_verdicts_and_legal_moves_are_the_known_ones(row: dict[str, Any]) -> None:
    """T-mate, T-wait, T-club-mate"""
    for profile, verdict in (("online", row["online"]), ("club", row["otb"])):
        answer = ask(op="verdict", profile=profile, fen=row["fen"])
        assert answer == {"verdict": tool_verdict(verdict, row["in_check"]), "check": row["in_check"]}
        assert ask(op="legal", profile=profile, fen=row["fen"]) == {"moves": sorted(row["legal_moves"])}


@pytest.mark.rule("F-see")
@pytest.mark.scenario("F02")
@pytest.mark.scenario("F05")
@pytest.mark.parametrize("row", positions("fog"))
def test_sight_and_moves_in_fog_are_the_known_ones(row: dict[str, Any]) -> None:
    """F-see, F-nocheck"""
    for side in ("white", "black"):
        assert ask(op="visible", fen=row["fen"], side=side) == {"squares": row[side]}
    assert ask(op="legal", variant="fog", fen=row["fen"]) == {"moves": sorted(row["moves"])}


@pytest.mark.rule("T-wait")
@pytest.mark.parametrize("row", positions("safety"))
def test_both_boards_of_a_known_match_have_the_known_verdicts(row: dict[str, Any]) -> None:
    """T-wait, T-draw"""
    for board in ("a", "b"):
        fen = row[f"fen_{board}"]
        answer = ask(op="verdict", fen=fen)
        assert answer["verdict"] == tool_verdict(row[f"verdict_board_{board}"], answer["check"])
        assert len(ask(op="legal", fen=fen)["moves"]) == row[f"legal_{board}"]


@pytest.mark.scenario("U05")
@pytest.mark.parametrize(
    "game", json.loads((DATA / "bpgn" / "index.json").read_text()), ids=lambda game: game["file"]
)
def test_a_real_game_is_read_and_the_match_ends_as_known(game: dict[str, Any]) -> None:
    text = (DATA / "bpgn" / game["file"]).read_text()
    read = ask(op="read_bpgn", text=text)
    assert len(read["moves"]) == game["moves_replayed"]
    assert read["result"] == (game["result"] or "*")
    assert read["tags"]["WhiteA"] == "WhiteA"
    if "[Setup" in text:
        return
    played = ask(op="match", moves=[move[:2] for move in read["moves"]])
    assert played["boards"] == [game["final_a"], game["final_b"]]
    mated = [board for board in (0, 1) if (game["verdict_a"], game["verdict_b"])[board] == "mate"]
    assert [board for board in (0, 1) if played["verdicts"][board] == "mate"] == mated
    if mated:
        black_won = " w " in played["boards"][mated[0]]
        winner = 2 if black_won == (mated[0] == 0) else 1
        assert played["outcome"] == {"winner": winner, "reason": "mate"}
    else:
        assert played["outcome"] is None


@given(CHOICES, PROFILES)
@settings(max_examples=20, deadline=None)
def test_a_match_and_its_log_agree(choices: list[int], profile: str) -> None:
    moves, match = tandem_moves("club" if profile == "club" else "online", choices)
    answer = ask(op="match", profile=profile, moves=[["AB"[board], uci] for board, uci in moves])
    assert answer["boards"] == [position.fen() for position in match.positions]
    assert answer["verdicts"] == [match.verdict(0), match.verdict(1)]


@given(CHOICES)
@settings(max_examples=20, deadline=None)
def test_a_fog_game_and_its_log_agree(choices: list[int]) -> None:
    moves, game = fog_moves(choices)
    answer = ask(op="match", variant="fog", moves=moves)
    assert answer["boards"] == [game.position.fen()]
    assert len(answer["marks"]) == len(moves)
    assert (answer["outcome"] is None) == (game.outcome is None)


@pytest.mark.rule("F-moves")
def test_a_capture_out_of_sight_is_marked() -> None:
    """F-moves: the square where the piece fell, en passant the captured pawn's own."""
    moves = ["e2e4", "a7a6", "e4e5", "d7d5", "e5d6"]
    assert ask(op="match", variant="fog", moves=moves)["marks"] == [None, None, None, None, "d5"]


def examples() -> Iterator[tuple[str, str]]:
    lines = (ROOT / "docs" / "conformance.md").read_text().splitlines()
    for line, following in pairwise(lines):
        if line.startswith("> "):
            assert following.startswith("< "), line
            yield line[2:], following[2:]


def test_every_example_of_its_page_is_answered_as_the_page_says() -> None:
    shown = list(examples())
    for request, answer in shown:
        assert json.loads(answer_line(request.encode())) == json.loads(answer), request
    operations = {json.loads(request)["op"] for request, _ in shown}
    assert operations == {"legal", "verdict", "perft", "play", "visible", "match", "read_bpgn"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "empty_line"),
        (b" \t ", "empty_line"),
        (b"{", "bad_json"),
        (b"[" * 100_000, "bad_json"),
        (b'{"op":' * 50_000, "bad_json"),
        (b"\xff\xfe{}", "bad_utf8"),
        (b'{"op":"\xc3\x28"}', "bad_utf8"),
        (b'{"op":"perft","depth":NaN}', "bad_json"),
        (b'{"op":"perft","depth":-Infinity}', "bad_json"),
        (b'{"op":"perft","depth":' + b"9" * 5000 + b"}", "bad_json"),
        (b"[]", "bad_request"),
        (b"null", "bad_request"),
        (b'"legal"', "bad_request"),
        (b"{}", "bad_field"),
        (b'{"op":7}', "bad_field"),
        (b'{"op":["legal"]}', "bad_field"),
        (b'{"op":"laegl"}', "unknown_op"),
        (b'{"op":"legal"}', "bad_field"),
        (b'{"op":"legal","fen":[]}', "bad_field"),
        (b'{"op":"legal","fen":""}', "bad_fen"),
        (b'{"op":"legal","fen":"\\ud800"}', "bad_fen"),
        (b'{"op":"legal","variant":"chess","fen":"x"}', "bad_field"),
        (b'{"op":"legal","variant":null,"fen":"x"}', "bad_field"),
        (b'{"op":"match","moves":[["A","e2e4"],["C","e2e4"]]}', "bad_field"),
        (b'{"op":"match","moves":[["A","e2e4","e7e5"]]}', "bad_field"),
        (b'{"op":"match","moves":["e2e4"]}', "bad_field"),
        (b'{"op":"match","moves":[["A",7]]}', "bad_uci"),
        (b'{"op":"match","moves":{}}', "bad_field"),
        (b'{"op":"match","variant":"fog","moves":[["A","e2e4"]]}', "bad_uci"),
        (b'{"op":"match","variant":"fog","moves":["e2e5"]}', "illegal_move"),
        (b'{"op":"match","variant":"fog","moves":["e2e4","e7e5","f1b5","d7d6","b5e8","a7a6"]}', "over"),
        (b'{"op":"visible","fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","side":"red"}', "bad_field"),
        (b'{"op":"read_bpgn"}', "bad_field"),
        (b'{"op":"read_bpgn","text":""}', "bad_bpgn"),
        (b'{"op":"read_bpgn","text":"[FEN \\"x\\"]"}', "bad_fen"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value[:40]),
)
def test_a_bad_line_gets_an_error_with_its_name(line: bytes, reason: str) -> None:
    assert reason_of(line) == reason


@pytest.mark.parametrize(
    ("depth", "reason"),
    [
        (MAX_PERFT_DEPTH + 1, "too_deep"),
        (10**30, "too_deep"),
        (-1, "bad_field"),
        (True, "bad_field"),
        ("3", "bad_field"),
        (2.0, "bad_field"),
    ],
)
def test_a_depth_that_makes_no_sense_is_refused_by_name(depth: object, reason: str) -> None:
    assert ask(op="perft", fen=START, depth=depth)["error"]["reason"] == reason


def test_a_perft_with_too_many_nodes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("libs.rules.conformance.MAX_PERFT_NODES", 8901)
    assert ask(op="perft", fen=START, depth=2) == {"nodes": 400}
    assert ask(op="perft", fen=START, depth=3)["error"]["reason"] == "too_many_nodes"


@pytest.mark.rule("B-refuse")
def test_an_illegal_move_of_a_match_is_named_by_its_index() -> None:
    """B-refuse"""
    moves = [["A", "e2e4"], ["B", "e2e4"], ["B", "e2e4"]]
    assert ask(op="match", moves=moves)["error"]["where"] == 2
    assert ask(op="play", fen=START, moves=["e2e4", "e4e5"])["error"]["where"] == 1
    assert ask(op="match", variant="fog", moves=["e2e4", "e4e5"])["error"]["where"] == 1


def test_what_is_left_out_means_tandem_online() -> None:
    fen = "R5k1/5ppp/8/8/8/8/8/K7[] b - - 0 1"
    assert ask(op="verdict", fen=fen) == ask(op="verdict", fen=fen, variant="tandem", profile="online")


def test_lines_are_answered_in_order_each_at_once() -> None:
    class Flushed(io.StringIO):
        flushes = 0

        def flush(self) -> None:
            self.flushes += 1

    long_line = b'{"op":"' + b"x" * (3 * MAX_LINE_BYTES) + b'"}\n'
    good = json.dumps({"op": "verdict", "fen": START}).encode()
    answers = Flushed()
    answer_all(io.BytesIO(good + b"\r\n\n" + long_line + b"\xff\n" + good), answers)
    lines = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert [line.get("error", {}).get("reason") for line in lines] == [
        None,
        "empty_line",
        "line_too_long",
        "bad_utf8",
        None,
    ]
    assert lines[0] == lines[4] == {"verdict": "normal", "check": False}
    assert answers.flushes == 5


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["legal", "verdict", "perft", "play", "visible", "match", "read_bpgn"])
        | JSON_VALUES
    },
    optional={
        "variant": st.sampled_from(["tandem", "fog"]) | JSON_VALUES,
        "profile": st.sampled_from(["online", "club"]) | JSON_VALUES,
        "fen": st.just(START) | damaged(START) | JSON_VALUES,
        "depth": st.integers(0, 2) | JSON_VALUES,
        "moves": st.lists(st.sampled_from(["e2e4", "e7e5", ["A", "e2e4"], ["B", "d2d4"]]) | JSON_VALUES)
        | JSON_VALUES,
        "side": st.sampled_from(["white", "black"]) | JSON_VALUES,
        "text": damaged('[WhiteA "x"]\n1A. e4{1.5} 1a. e5{C:x} 1B. d4 *') | JSON_VALUES,
    },
)


@given(
    st.binary()
    | FIELDS.map(lambda request: json.dumps(request).encode())
    | st.text().map(lambda text: text.encode("utf-8", "surrogatepass"))
)
@settings(max_examples=150, deadline=None)
@example(b'{"op":"legal","fen":"' + b"8/" * 400 + b'"}')
def test_any_line_gets_one_line_with_a_result_or_a_named_error(line: bytes) -> None:
    answer = answer_line(line)
    assert "\n" not in answer
    known = json.loads(answer)
    if "error" in known:
        assert set(known["error"]) == {"reason", "detail", "where"}
        assert known["error"]["reason"] not in ("", "internal")


def test_what_it_reads_from_bpgn_is_what_the_library_reads() -> None:
    text = (DATA / "bpgn" / "game_07.bpgn").read_text()
    record, _ = read_bpgn(text)
    read = ask(op="read_bpgn", text=text)
    assert read["moves"] == [["AB"[move.board], move.uci, move.clock_ms] for move in record.moves]
    assert read["tags"]["Result"] == "0-1"
