"""The compiled core and the plain files: the same answers, and the plain ones when anything does not fit."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.timeout(450)  # a compiler on a busy machine

ANSWERS = """
import json, sys
from libs.rules.errors import RulesError
from libs.rules.fog import FogGame
from libs.rules.generate import perft
from libs.rules.observe import visible
from libs.rules.position import Position
from libs.rules.san import san
from scripts.build_rules import MODULES as SOURCES
from tests.unit.rules.data import board_play, fog_play, match_play, vectors

MODULES = {source.removesuffix(".py").replace("/", ".") for source in SOURCES}

answers = []
for name, variant in (("perft", "tandem"), ("fog_perft", "fog")):
    for vector in vectors(name):
        board = Position.from_fen(vector["fen"], variant).board()
        depth = sum(nodes <= 20000 for nodes in vector["counts"])
        answers.append([vector["id"], perft(board, depth), board.key, list(board.cells)])
for seed in range(6):
    for variant in ("tandem", "fog"):
        for position, uci in board_play(variant, [seed * 7919 + step * 104729 for step in range(150)]):
            facts = position.board().key, position.verdict(), position.legal_moves()
            answers.append([position.fen(), uci, *facts])
            drops = [sorted(squares) for squares in position.drop_squares()]
            answers.append([list(position.destinations().items()), drops, san(position, uci)])
        for game, uci in fog_play([seed * 7919 + step * 104729 for step in range(60)]):
            answers.append([repr(game.play(uci)), sorted(visible(game.position, game.position.turn))])
    for profile in ("online", "club"):
        for match, board, uci in match_play([seed * 7919 + step * 104729 for step in range(150)], profile):
            answers.append(repr(match.play(board, uci)))
for text in ("", "e2e9", "Z@e4", "e2e4", "e7e8q"):
    for play in (Position.start("tandem").play, Position.start("fog").play, FogGame.start().play):
        try:
            answers.append(repr(play(text)))
        except RulesError as error:
            answers.append(str(error))
files = [module.__file__ for name, module in sys.modules.items() if name in MODULES]
json.dump([*files, answers], sys.stdout)
"""


SEARCHES = """
import json, sys
import services.bots.search.engine as engine
from libs.rules.generate import legal_moves
from services.bots.search.evaluate import Outlook
from tests.unit.rules.data import board_play

answers = []
for variant in ("tandem", "fog"):
    play = list(board_play(variant, [step * 104729 for step in range(60)]))
    for position, _ in play[::8]:
        board = position.board()
        for noise in (0, 60):
            search = engine.Search(board, Outlook(), lambda: False, noise, 12345)
            best = search.run(legal_moves(board), 5000, 3)
            answers.append([position.fen(), best, search.nodes, search.depth, search.score, board.key])
json.dump([engine.__file__, answers], sys.stdout)
"""


def run(script: str, root: Path = ROOT, pure: bool = False) -> str:
    environment = {**os.environ, "TANDEMFOG_PURE": "1" if pure else "0", "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, env=environment, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the core compiled in it."""
    root = tmp_path_factory.mktemp("built")
    for folder in ("libs", "scripts", "services/bots/search", "tests/unit/rules", "tests/data"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [sys.executable, "scripts/build_rules.py"], cwd=root, capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 0, done.stderr
    if "this machine lacks" in done.stdout:
        pytest.skip(done.stdout.strip())
    assert "The rules are compiled." in done.stdout
    return root


def test_both_builds_give_the_same_answers(built: Path) -> None:
    *compiled_files, compiled = json.loads(run(ANSWERS, built))
    *plain_files, plain = json.loads(run(ANSWERS, built, pure=True))
    assert all(file.startswith(str(built / "build" / "compiled")) for file in compiled_files)
    assert all(file.endswith(".py") for file in plain_files)
    assert len(plain) > 500
    assert compiled == plain


def test_both_builds_search_the_same_nodes(built: Path) -> None:
    compiled_file, compiled = json.loads(run(SEARCHES, built))
    plain_file, plain = json.loads(run(SEARCHES, built, pure=True))
    assert compiled_file.startswith(str(built / "build" / "compiled"))
    assert plain_file.endswith(".py")
    assert len({nodes for _, _, nodes, *_ in plain}) > 5
    assert compiled == plain


def test_a_second_build_of_the_same_sources_does_nothing(built: Path) -> None:
    before = sorted((file, file.stat().st_mtime_ns) for file in (built / "build").rglob("*"))
    done = subprocess.run(
        [sys.executable, "scripts/build_rules.py"], cwd=built, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert sorted((file, file.stat().st_mtime_ns) for file in (built / "build").rglob("*")) == before


WHICH = "import libs.rules.board as b, libs.rules.generate as g; print(b.__file__); print(g.__file__)"


def test_compiled_files_of_other_sources_are_left_alone(built: Path, tmp_path: Path) -> None:
    root = tmp_path / "changed"
    shutil.copytree(built, root, ignore=shutil.ignore_patterns("__pycache__"))
    source = root / "libs" / "rules" / "generate.py"
    source.write_text(source.read_text() + "\n# changed\n")
    assert all(file.endswith(".py") for file in run(WHICH, root).split())


@pytest.mark.parametrize(
    "note", ["", "[]", "not json", '{"libs/rules/gone.py": "00"}', '{"libs/rules/board.py": 1}']
)
def test_a_damaged_build_is_left_alone(note: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "libs", tmp_path / "libs", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "build" / "compiled").mkdir(parents=True)
    (tmp_path / "build" / "compiled" / "sources.json").write_text(note)
    assert all(file.endswith(".py") for file in run(WHICH, tmp_path).split())


def test_a_build_for_another_python_is_left_alone(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "libs", tmp_path / "libs", ignore=shutil.ignore_patterns("__pycache__"))
    place = tmp_path / "build" / "compiled" / "libs" / "rules"
    place.mkdir(parents=True)
    sources = {}
    for name in ("board", "checks", "generate"):
        source = f"libs/rules/{name}.py"
        sources[source] = hashlib.sha256((tmp_path / source).read_bytes()).hexdigest()
        (place / f"{name}.cpython-20-otherworld.so").write_bytes(b"not for us")
    (place.parents[1] / "sources.json").write_text(json.dumps(sources))
    assert all(file.endswith(".py") for file in run(WHICH, tmp_path).split())
