"""The operator's strong engine: the real one where it is installed, and programs that break down."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from libs.rules.position import Position
from services.bots.search.engine import MATE
from services.bots.tandem_brain import Plan
from services.bots.uci_engine import EngineFailed, UciEngine

INSTALLED = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"
MATE_BY_DROP = "6rk/6pp/8/8/8/8/8/K7[N] w - - 0 1"
NOTHING_BUT_WAITING = "R5k1/5ppp/8/8/8/8/8/K7[] b - - 0 1"
PROMOTED = "4k3/8/8/8/8/8/8/Q~3K3[] w - - 0 1"


def plan_of(fen: str, moves: tuple[str, ...] | None = None) -> Plan:
    legal = tuple(Position.from_fen(fen, "tandem").legal_moves())
    return Plan(fen, "online", legal if moves is None else moves, (0,) * 16, 1_000, 0, 0.0, 1, strong=True)


def never() -> bool:
    return False


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Iterator[UciEngine]:
    """The real engine, limited to 2,000 nodes unless the test says otherwise."""
    if INSTALLED is None:  # an option for operators, which nothing else needs
        pytest.skip("no fairy-stockfish on this machine (Debian: apt install fairy-stockfish)")
    engine = UciEngine(INSTALLED, getattr(request, "param", 2_000))
    yield engine
    engine.close()


def test_it_answers_with_a_legal_move_and_its_effort(engine: UciEngine) -> None:
    thought = engine.think(plan_of(START), never)
    assert thought is not None
    assert thought.uci in plan_of(START).moves
    assert thought.nodes > 100
    assert thought.depth >= 1


def test_a_mate_by_a_drop_is_found_and_scored_as_a_mate(engine: UciEngine) -> None:
    thought = engine.think(plan_of(MATE_BY_DROP), never)
    assert thought is not None
    assert thought.uci == "N@f7"
    assert thought.score == MATE - 1


def test_where_nothing_is_left_but_to_wait_it_has_no_move(engine: UciEngine) -> None:
    assert engine.think(plan_of(NOTHING_BUT_WAITING, ()), never) is None


def test_a_promoted_piece_is_told_in_words_that_it_knows(engine: UciEngine) -> None:
    thought = engine.think(plan_of(PROMOTED), never)
    assert thought is not None
    assert thought.uci in plan_of(PROMOTED).moves


@pytest.mark.parametrize("engine", [10**9], indirect=True)
def test_a_search_that_nobody_wants_any_more_ends_at_once(engine: UciEngine) -> None:
    began_s = time.monotonic()
    thought = engine.think(plan_of(START), lambda: time.monotonic() > began_s + 0.2)
    assert thought is not None
    assert time.monotonic() - began_s < 5.0


def odd_engine(folder: Path, answer: str) -> str:
    """A program that shakes hands as an engine does, and then does what `answer` says."""
    path = folder / "engine"
    path.write_text(
        f"#!{sys.executable}\nimport sys, time\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'uci': print('uciok', flush=True)\n"
        "    elif word == 'isready': print('readyok', flush=True)\n"
        f"    elif word == 'go': {answer}\n"
    )
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("sys.exit(1)", "ended"),
        ("print('bestmove e2e5', flush=True)", "no legal move"),
        ("time.sleep(60)", "does not stop"),
    ],
)
def test_an_engine_that_fails_is_said_to_have_failed_and_started_anew(
    tmp_path: Path, answer: str, reason: str
) -> None:
    engine = UciEngine(odd_engine(tmp_path, answer), 1_000)
    began_s = time.monotonic()
    for _ in range(2):
        with pytest.raises(EngineFailed, match=reason):
            engine.think(plan_of(START), lambda: time.monotonic() > began_s + 0.1)
    odd_engine(tmp_path, "print('bestmove e2e4', flush=True)")
    thought = engine.think(plan_of(START), never)
    assert thought is not None
    assert thought.uci == "e2e4"
    engine.close()


def test_a_path_that_is_no_program_fails_like_any_engine() -> None:
    with pytest.raises(EngineFailed):
        UciEngine("/no/such/engine", 1_000).think(plan_of(START), never)
