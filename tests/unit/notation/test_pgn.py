"""PGN for fog games."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.rules.errors import BadText, IllegalMove
from libs.rules.pgn import read_pgn, write_pgn
from libs.rules.record import MatchRecord, RecordMove, normal_start
from tests.unit.notation.strategies import damaged, fog_records

HEAD = '[Variant "Fog of War"]\n\n'
GAME = (
    HEAD + "1. e4 {[%clk 0:02:59.5]} e5 2. Qh5 Nc6 3. Qxf7 {[%clk 0:02:40]} d6 4. Qxe8 {king captured} 1-0\n"
)


def read_or_reason(text: str | bytes) -> MatchRecord | str:
    try:
        return read_pgn(text)[0]
    except BadText as error:
        return error.reason


def record_of(*moves: str, ending: str = "", tags: dict[str, str] | None = None) -> MatchRecord:
    plain = tuple(RecordMove(0, uci) for uci in moves)
    return MatchRecord(tags or {}, "fog", "online", normal_start("fog"), plain, "*", ending)


@pytest.mark.rule("F-win")
def test_a_game_is_read_to_the_capture_of_the_king() -> None:
    """F-win, F-nocheck: a king stays in attack and is captured."""
    record, problems = read_pgn(GAME)
    assert problems == []
    assert [move.uci for move in record.moves] == ["e2e4", "e7e5", "d1h5", "b8c6", "h5f7", "d7d6", "f7e8"]
    assert [move.clock_ms for move in record.moves] == [179_500, None, None, None, 160_000, None, None]
    assert (record.result, record.ending) == ("1-0", "king captured")
    assert record.positions_after(7)[0].verdict() == "king_captured"


def test_a_game_is_written_as_standard_pgn() -> None:
    moves = (RecordMove(0, "e2e4", 179_500, 61_000), RecordMove(0, "e7e5"), RecordMove(0, "d1h5"))
    record = MatchRecord(
        {"White": "Ann"}, "fog", "online", normal_start("fog"), moves, "0-1", "White resigns"
    )
    assert write_pgn(record) == (
        '[White "Ann"]\n[Variant "Fog of War"]\n[Result "0-1"]\n\n'
        "1. e4 {[%clk 0:02:59.5] [%at 0:01:01]} 1... e5 2. Qh5 {White resigns} 0-1\n"
    )


@given(fog_records())
@settings(max_examples=30, deadline=None)
def test_what_is_written_reads_back_equal(record: MatchRecord) -> None:
    assert read_pgn(write_pgn(record)) == (record, [])


def test_a_set_up_starts_where_its_fen_says() -> None:
    fen = "4k3/8/8/3pP3/8/8/8/4K3 b - - 3 12"
    record, problems = read_pgn(f'{HEAD.strip()}[SetUp "1"][FEN "{fen}"]\n12... d4 13. Kd1 *')
    assert problems == []
    assert record.start_fens == (fen,)
    assert [move.uci for move in record.moves] == ["d5d4", "e1d1"]
    assert "12... d4 13. Kd1" in write_pgn(record)


@pytest.mark.parametrize(
    "text",
    ["1. e4", "1.e4", "1 e4", "1. e4! $1 {so}", "1. e4 (1. d4 (1. c4) d5)", "1. e4 {(} *", "e4"],
)
def test_numbers_comments_and_variations_do_not_disturb(text: str) -> None:
    record, problems = read_pgn(HEAD + text)
    assert ([move.uci for move in record.moves], problems) == (["e2e4"], [])


@pytest.mark.parametrize(
    "text",
    [
        "1. e4$1 e5$2$14 (1... c5 $6 (1... d5)) 2. Nf3",
        "1. e4 ± e5 = 2. Nf3 +/-",
        "1. e4 e5(1... c5)2. Nf3 N +-",
        "1. e4 ; best by test (\n1... e5 ; and so on }\n2. Nf3",
        "% a line for programs\n1. e4\n% 1... c5 (\ne5 2. Nf3 □",
    ],
)
def test_what_only_judges_moves_is_passed_over_as_every_reader_does(text: str) -> None:
    record, problems = read_pgn(HEAD + text + " *")
    assert ([move.uci for move in record.moves], problems) == (["e2e4", "e7e5", "g1f3"], [])
    assert (record.result, record.ending) == ("*", "")


@pytest.mark.parametrize("word", ["-", "--", "e4-", "Z0"])
def test_a_null_move_or_nonsense_is_no_glyph(word: str) -> None:
    assert read_pgn(f"{HEAD}1. d4 {word}")[1][0].reason == "bad_san"


@pytest.mark.parametrize(
    ("moves", "count", "problem"),
    [
        ("1. e4 e6 2. e5 e5", 3, "2... e5: illegal_move. "),
        ("1. e4 hello", 1, "1... hello: bad_san. "),
        ("1. e4 e5 2. Qh5 Nc6 3. Qxf7 d6 4. Qxe8 Bxe8", 7, "4... Bxe8: over. "),
        ("1. e4 {[%clk soon]}", 1, "Damaged clock 'soon' after move 1 read as none."),
        ("1. e4 {", 1, "A comment opened in line 3 is never closed."),
    ],
)
def test_reading_stops_where_the_moves_make_no_sense_and_says_so(
    moves: str, count: int, problem: str
) -> None:
    record, problems = read_pgn(HEAD + moves)
    assert len(record.moves) == count
    assert problems[0].startswith(problem)


def test_only_a_remark_after_the_last_move_is_the_ending() -> None:
    assert read_pgn(HEAD + "1. e4 {what a move} e5 {[%clk 0:01:00]} *")[0].ending == ""
    assert read_pgn(HEAD + "1. e4 e5 {[%clk 0:01:00] Black resigns} *")[0].ending == "Black resigns"


@pytest.mark.rule("F-board")
@pytest.mark.parametrize("variant", ["Crazyhouse", "Bughouse", "Fog of War Crazyhouse", "Standard"])
def test_another_variant_is_refused(variant: str) -> None:
    """F-board: not combinable with other variants."""
    with pytest.raises(BadText) as refusal:
        read_pgn(f'[Variant "{variant}"]\n1. e4')
    assert (refusal.value.reason, refusal.value.where) == ("bad_pgn", "tag Variant")


@pytest.mark.parametrize("variant", ["Fog of War", "fog_of_war", "FogOfWar", "Dark Chess"])
def test_fog_is_known_by_its_usual_names(variant: str) -> None:
    assert read_pgn(f'[Variant "{variant}"]\n1. e4')[1] == []


def test_a_game_that_names_no_variant_is_read_and_that_is_said() -> None:
    assert read_pgn('[White "x"]\n1. e4')[1] == ["No tag names the variant: read as Fog of War."]


@pytest.mark.parametrize("text", ["", "hello", b"\xff", "*"])
def test_a_text_with_neither_tags_nor_moves_is_refused(text: str | bytes) -> None:
    with pytest.raises(BadText) as refusal:
        read_pgn(text)
    assert refusal.value.reason == "bad_pgn"


def test_a_damaged_set_up_is_refused_with_its_place() -> None:
    with pytest.raises(BadText) as refusal:
        read_pgn(HEAD.strip() + '[FEN "4k3/8/8/8/8/8/8/4KX2 w - - 0 1"]\n1. e4')
    assert refusal.value.reason == "bad_fen"
    assert refusal.value.where.startswith("tag FEN")


@pytest.mark.parametrize(
    "record",
    [
        record_of(ending="[%clk 0:00:01]"),
        record_of(ending="a } b"),
        record_of(tags={"Variant": "x"}),
        MatchRecord({}, "tandem", "online", normal_start("tandem"), (), "*"),
    ],
)
def test_what_would_not_read_back_is_refused(record: MatchRecord) -> None:
    with pytest.raises(BadText) as refusal:
        write_pgn(record)
    assert refusal.value.reason == "unwritable"


def test_a_record_with_an_illegal_move_is_refused_with_its_place() -> None:
    with pytest.raises(IllegalMove) as refusal:
        write_pgn(record_of("e2e4", "e2e4"))
    assert refusal.value.where == "move 2"


@given(st.text() | st.binary())
@settings(max_examples=60, deadline=None)
def test_any_text_or_bytes_give_a_value_or_a_named_error(text: str | bytes) -> None:
    read = read_or_reason(text)
    assert isinstance(read, MatchRecord) or read in ("bad_pgn", "bad_fen")


@given(damaged(GAME))
@settings(max_examples=60, deadline=None)
def test_any_damage_to_a_game_gives_a_value_or_a_named_error(text: str) -> None:
    read = read_or_reason(text)
    if isinstance(read, MatchRecord):
        assert len(read.positions_after(len(read.moves))) == 1
    else:
        assert read in ("bad_pgn", "bad_fen")
