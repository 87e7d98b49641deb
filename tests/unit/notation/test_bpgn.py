"""BPGN: real games as found in the wild, and our own writing."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.rules.bpgn import read_bpgn, read_bpgn_tags, write_bpgn
from libs.rules.errors import BadText, IllegalMove
from libs.rules.record import MatchRecord, RecordMove, normal_start
from tests.unit.notation.strategies import damaged, tandem_records

GAMES = Path(__file__).parents[2] / "data" / "bpgn"
INDEX: list[dict[str, Any]] = json.loads((GAMES / "index.json").read_text())
VERDICTS = {"check": "normal"}
HEAD = '[WhiteA "w"][BlackA "b"]\n\n'


def bytes_of(game: dict[str, Any]) -> bytes:
    return (GAMES / str(game["file"])).read_bytes()


def moves_of(text: str | bytes) -> list[tuple[int, str, int | None]]:
    record, problems = read_bpgn(text)
    assert problems == []
    return [(move.board, move.uci, move.clock_ms) for move in record.moves]


def read_or_reason(text: str | bytes) -> MatchRecord | str:
    try:
        return read_bpgn(text)[0]
    except BadText as error:
        return error.reason


def record_of(*moves: RecordMove, ending: str = "", tags: dict[str, str] | None = None) -> MatchRecord:
    return MatchRecord(tags or {}, "tandem", "online", normal_start("tandem"), moves, "*", ending)


@pytest.mark.parametrize(
    "text",
    [
        "1A. e4$1{100} 1a. e5 ±{99} *",
        "1A. e4 $1 {100} (1A. d4 $2 (1A. c4)) 1a. e5 = {99} +- *",
        "1A. $3 e4{100}(1A. d4) ; a remark (1a.\n% another\n1a. e5{99} *",
    ],
)
def test_what_only_judges_moves_is_passed_over(text: str) -> None:
    assert moves_of(text) == [(0, "e2e4", 100_000), (0, "e7e5", 99_000)]


@pytest.mark.parametrize("game", INDEX, ids=lambda game: game["file"])
def test_a_real_game_is_read_as_its_index_says(game: dict[str, Any]) -> None:
    record, _ = read_bpgn(bytes_of(game))
    position_a, position_b = record.positions_after(len(record.moves))
    assert len(record.moves) == game["moves_replayed"]
    assert (position_a.fen(), position_b.fen()) == (game["final_a"], game["final_b"])
    verdicts = [position.verdict() for position in (position_a, position_b)]
    assert [VERDICTS.get(verdict, verdict) for verdict in verdicts] == [game["verdict_a"], game["verdict_b"]]
    assert record.ending == (game["end"] or "")
    assert record.result == (game["result"] or "*")


@pytest.mark.parametrize("game", INDEX, ids=lambda game: game["file"])
@pytest.mark.scenario("U05")
def test_a_real_game_written_and_read_again_is_equal(game: dict[str, Any]) -> None:
    """U05: equal moves, boards, clocks, result."""
    record, _ = read_bpgn(bytes_of(game))
    assert read_bpgn(write_bpgn(record)) == (record, [])


@pytest.mark.parametrize("game", INDEX, ids=lambda game: game["file"])
def test_a_real_game_reads_the_same_with_dos_line_ends_and_as_text(game: dict[str, Any]) -> None:
    raw = bytes_of(game)
    assert read_bpgn(raw.replace(b"\n", b"\r\n")) == read_bpgn(raw) == read_bpgn(raw.decode())


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("game_02.bpgn", "Damaged clock after 1A {d19.250} read as none (173 in all)."),
        ("game_04.bpgn", "40B Q@f6 is repeated: skipped."),
        (
            "game_10.bpgn",
            "19A P@e7+: not_in_hand. There is no P in the hand. The moves are read up to here.",
        ),
    ],
)
def test_what_is_wrong_in_a_real_game_is_named(file: str, expected: str) -> None:
    assert read_bpgn((GAMES / file).read_bytes())[1] == [expected]


def test_the_other_real_games_have_no_problems() -> None:
    damaged_files = {"game_02.bpgn", "game_04.bpgn", "game_10.bpgn"}
    assert all(read_bpgn(bytes_of(game))[1] == [] for game in INDEX if game["file"] not in damaged_files)


def test_the_set_up_of_a_real_game_gives_hands_and_clocks() -> None:
    record, _ = read_bpgn((GAMES / "game_08.bpgn").read_bytes())
    assert record.start_clocks_ms == (142_000, 164_000, 142_000, 163_000)
    assert record.start_fens[0] == "r1b1k1nr/ppp1qpPp/2n5/1B1p1n1N/3P4/2P5/P1P1QPnP/R1BK2NR[BPPpp] b kq - 0 1"
    assert "FEN" not in record.tags
    assert read_bpgn_tags((GAMES / "game_08.bpgn").read_bytes())["Setup"] == "1"


def test_clocks_are_kept_in_milliseconds() -> None:
    text = HEAD + "1A. e4{119.521} 1a. e5 {298} 2A. Nf3{-0.5} 2a. Nc6{d19.250} 3A. Nc3{7.0019} 1B. d4"
    record, problems = read_bpgn(text)
    assert [move.clock_ms for move in record.moves] == [119_521, 298_000, -500, None, 7_001, None]
    assert problems == ["Damaged clock after 2a {d19.250} read as none."]


@pytest.mark.parametrize(
    "text",
    [
        "1A. e4{119} 1b. ",
        "1A. e4 {119}",
        "1A.e4{119}",
        "1A. e4 {C:good move (really} {119}",
        "1A. e4! {119} $3 {nice}",
        "1A. e4 (1A. d4 (1A. c4 {why) not} ) 1a. d5) {119}",
        "1A ... e4 {119}",
    ],
)
def test_comments_and_variations_do_not_disturb(text: str) -> None:
    assert [(move.uci, move.clock_ms) for move in read_bpgn(HEAD + text)[0].moves] == [("e2e4", 119_000)]


def test_only_a_remark_after_the_last_move_is_the_ending() -> None:
    assert read_bpgn(HEAD + "1A. e4 {119} {what a move} 1a. e5 {118} *")[0].ending == ""
    assert (
        read_bpgn(HEAD + "1A. e4 {119} {what a move} 1a. e5 {118} {BlackA resigns} *")[0].ending
        == "BlackA resigns"
    )


def test_numbers_that_jump_are_named_once() -> None:
    record, problems = read_bpgn(HEAD + "1A. e4 1a. e5 7A. d4 7a. d5 8A. c4 1B. e4")
    assert (len(record.moves), problems) == (6, ["7A stands where number 2 was due."])


def test_tags_may_share_a_line_and_hold_quotes() -> None:
    text = '[WhiteA "a \\"b\\" \\\\"][WhiteAElo "1800"] [BlackA "c]d"]\r\n\r\n*'
    expected = {"WhiteA": 'a "b" \\', "WhiteAElo": "1800", "BlackA": "c]d"}
    assert read_bpgn(text)[0].tags == expected == read_bpgn_tags(text)


def test_bytes_that_are_no_utf_8_are_latin_1() -> None:
    assert read_bpgn('[WhiteA "Jörg"]'.encode("latin-1"))[0].tags == {"WhiteA": "Jörg"}
    assert read_bpgn('[WhiteA "Jörg"]'.encode("utf-8-sig"))[0].tags == {"WhiteA": "Jörg"}


@pytest.mark.parametrize(
    ("moves", "count", "problem"),
    [
        ("1A. e4 1a. Ke6 2A. d4", 1, "1a Ke6: illegal_move"),
        ("1A. e4 2A. d4", 1, "2A d4: wrong_side. On board A black is on move."),
        ("1A. e4 hello 1a. e5", 1, "Line 3: 'hello' is neither a move nor a result."),
        ("1A. e4 1a.", 1, "1a has no move."),
        ("1A. e4 1a. 1B. d4", 1, "1a 1B.: bad_san"),
        ("1A. f3 1a. e5 2A. g4 2a. Qh4# 1B. e4", 5, None),
        ("1A. Nc3 1a. e5 2A. Nd5 2a. d6 7A. Ne3", 5, "7A stands where number 3 was due."),
        ("1A. e4 )", 1, "Line 3: ')' is neither a move nor a result."),
        ("1A. e4 (1A. d4", 1, "A variation is never closed."),
        ("1A. e4 {forever", 1, "A comment opened in line 3 is never closed."),
    ],
)
def test_reading_stops_where_the_moves_make_no_sense_and_says_so(
    moves: str, count: int, problem: str | None
) -> None:
    record, problems = read_bpgn(HEAD + moves)
    assert len(record.moves) == count
    assert (problems == []) if problem is None else problems[0].startswith(problem)


@pytest.mark.rule("T-end")
def test_a_move_after_the_mate_is_not_read() -> None:
    """T-end: the other board stops at that instant."""
    smothered = '[Setup "1"][FEN "6rk/6pp/8/8/8/8/8/K7/N w - - 9 9 | 6rk/6pp/8/8/8/8/8/K7/ w - - 9 9"]\n'
    record, problems = read_bpgn(smothered + "1A. N@f7# 1B. Kb1")
    assert len(record.moves) == 1
    assert problems == ["1B Kb1: over. The match had ended before it (mate). The moves are read up to here."]


def test_the_result_at_the_end_of_the_moves_outweighs_the_tag() -> None:
    record, problems = read_bpgn('[Result "1-0"]\n1A. e4 0-1')
    assert record.result == "0-1"
    assert problems == ["The tag says 1-0, the end of the moves 0-1: the latter is kept."]
    assert read_bpgn('[Result "1/2-1/2"]\n1A. e4')[0].result == "1/2-1/2"
    assert read_bpgn('[Result "won"]\n1A. e4')[1] == ["Unknown result 'won' in the tags: read as none."]


def test_only_the_first_game_of_a_text_is_read() -> None:
    text = HEAD + "1A. e4 *\n\n" + HEAD + "1A. d4 *"
    record, problems = read_bpgn(text)
    assert [move.uci for move in record.moves] == ["e2e4"]
    assert problems == ["Another game follows in line 5; only the first one is read."]


def test_a_damaged_tag_is_named_and_the_rest_is_read() -> None:
    record, problems = read_bpgn('[WhiteA "x]\n[BlackA "y"]\n1A. e4')
    assert (record.tags, len(record.moves)) == ({"BlackA": "y"}, 1)
    assert problems == ["Damaged tag skipped: '[WhiteA \"x]'."]


@pytest.mark.parametrize("text", ["", "\n", b"\xff\xfe", "hello", "{a comment}", "1A. e5"])
def test_a_text_with_neither_tags_nor_moves_is_refused(text: str | bytes) -> None:
    with pytest.raises(BadText) as refusal:
        read_bpgn(text)
    assert refusal.value.reason == "bad_bpgn"


@pytest.mark.parametrize(
    ("fen", "where"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "tag FEN"),
        ("hello | 4k3/8/8/8/8/8/8/4K3/ w - - 9 9", "tag FEN, board A"),
        ("4k3/8/8/8/8/8/8/4K3/ w - - 9 9 | 4k3/8/8/8/8/8/8/4K3/ w - - nine 9", "tag FEN, board B"),
        ("4k3/8/8/8/8/8/8/4K3/ w - - 9 9 | 4k3/8/8/8/8/8/8/4KX2/ w - - 9 9", "tag FEN, board B: "),
        ("|", "tag FEN, board A"),
    ],
)
def test_a_damaged_set_up_is_refused_with_its_place(fen: str, where: str) -> None:
    with pytest.raises(BadText) as refusal:
        read_bpgn(f'[Setup "1"]\n[FEN "{fen}"]\n1A. e4')
    assert refusal.value.reason == "bad_fen"
    assert refusal.value.where.startswith(where)


@given(tandem_records())
@settings(max_examples=30, deadline=None)
def test_what_is_written_reads_back_equal(record: MatchRecord) -> None:
    """read(write(record)) equals the record, clocks and times included."""
    assert read_bpgn(write_bpgn(record)) == (record, [])


def test_a_record_is_written_in_the_form_of_bughouse_db() -> None:
    record = MatchRecord(
        {"WhiteA": "Ann", "TimeControl": "180+0"},
        "tandem",
        "club",
        normal_start("tandem"),
        (RecordMove(1, "e2e4", 179_800), RecordMove(0, "d2d4", 5, 1_234), RecordMove(1, "e7e5")),
        "1-0",
        "BlackA resigns",
    )
    assert write_bpgn(record) == (
        '[WhiteA "Ann"]\n[TimeControl "180+0"]\n[Result "1-0"]\n[Profile "club"]\n\n'
        "1B. e4{179.800} 1A. d4{0.005} {C:at 1.234} 1b. e5 {BlackA resigns} 1-0\n"
    )


@pytest.mark.scenario("T01")
def test_a_promoted_piece_goes_to_the_partner_as_a_pawn_also_when_read_again() -> None:
    """T01"""
    boards = ("1r2k3/P7/8/8/8/8/8/4K3[] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1")
    moves = (RecordMove(0, "a7a8q"), RecordMove(0, "b8a8"))
    record = MatchRecord({}, "tandem", "online", boards, moves, "*")
    read, _ = read_bpgn(write_bpgn(record))
    assert read == record
    assert read.positions_after(2)[1].hand(0) == {"P": 1, "N": 0, "B": 0, "R": 0, "Q": 0}
    assert read.positions_after(1)[0].fen().startswith("Q~r2k3")


@pytest.mark.parametrize(
    "record",
    [
        record_of(ending="curly } brace"),
        record_of(ending="two\nlines"),
        record_of(ending="C:hidden"),
        record_of(RecordMove(0, "e2e4"), ending="12.5"),
        record_of(tags={"Two words": "x"}),
        record_of(tags={"WhiteA": "two\nlines"}),
        record_of(tags={"Result": "1-0"}),
        MatchRecord({}, "fog", "online", normal_start("fog"), (), "*"),
    ],
)
def test_what_would_not_read_back_is_refused(record: MatchRecord) -> None:
    with pytest.raises(BadText) as refusal:
        write_bpgn(record)
    assert refusal.value.reason == "unwritable"


def test_a_record_with_an_illegal_move_is_refused_with_its_place() -> None:
    record = record_of(RecordMove(0, "e2e4"), RecordMove(0, "e2e4"))
    with pytest.raises(IllegalMove) as refusal:
        write_bpgn(record)
    assert refusal.value.where == "move 2"


@given(st.text() | st.binary())
@settings(max_examples=60, deadline=None)
def test_any_text_or_bytes_give_a_value_or_a_named_error(text: str | bytes) -> None:
    read = read_or_reason(text)
    assert isinstance(read, MatchRecord) or read in ("bad_bpgn", "bad_fen")


@given(st.data(), st.sampled_from(INDEX))
@settings(max_examples=30, deadline=None)
def test_any_damage_to_a_real_game_gives_a_value_or_a_named_error(
    data: st.DataObject, game: dict[str, Any]
) -> None:
    read = read_or_reason(data.draw(damaged(bytes_of(game).decode())))
    if isinstance(read, MatchRecord):
        assert len(read.positions_after(len(read.moves))) == 2
    else:
        assert read in ("bad_bpgn", "bad_fen")


def test_a_long_text_of_brackets_is_read_in_little_time() -> None:
    for piece in ("(", ")", "[ ", "{", "}", '[A "', "1A. ", "\\", "e4{", "[\n"):
        text = HEAD + piece * 20_000
        record, _ = read_bpgn(text)
        assert record.moves == ()


def test_a_problem_is_a_sentence_that_knows_its_reason_and_its_place() -> None:
    text = '[WhiteA "x]\n[Result "won"]\n1A. e4{d9} 1a. e5{59} 2A. P@e4{58} 3A. d4'
    _, problems = read_bpgn(text)
    assert [(problem.reason, problem.where, problem.stops) for problem in problems] == [
        ("damaged_tag", "line 1", False),
        ("unknown_result", "tag Result", False),
        ("not_in_hand", "2A P@e4", True),
        ("damaged_clock", "1A {d9}", False),
    ]
    assert all(problem.where in problem or problem.where.startswith(("line", "tag")) for problem in problems)
