"""A strong engine beside our own search, when the operator has one: `fairy-stockfish`, spoken to over UCI.

It lives in a search process, one for each, and is asked about one board with what is in hand there. It knows
nothing of the other board, so what it answers is only ever taken when it is a legal move of the plan.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from collections.abc import Callable

from services.bots.search.engine import MATE
from services.bots.tandem_brain import Plan, Thought

READY_WITHIN_S = 10.0
LATE_S = 1.0
"""An engine that does not stop within it is started anew."""
LOOK_EVERY_S = 0.01
OPTIONS = {"UCI_Variant": "bughouse", "Threads": 1, "Hash": 16}
NONE = "(none)"
_SCORE = re.compile(r" score (cp|mate) (-?\d+)")
_NODES = re.compile(r" nodes (\d+)")
_DEPTH = re.compile(r" depth (\d+)")


class EngineFailed(Exception):
    """The engine ended, hangs, or said what makes no sense; the next question starts it anew."""


class UciEngine:
    """One engine process, started with the first question. Limited by `nodes`, and by the caller's `stop`."""

    def __init__(self, path: str, nodes: int) -> None:
        self._path = path
        self._nodes = nodes
        self._process: subprocess.Popen[bytes] | None = None
        self._to_engine = self._from_engine = -1
        self._rest = b""

    def think(self, plan: Plan, stop: Callable[[], bool]) -> Thought | None:
        """The engine's move, None when it has none: to wait for a piece (T-wait). Raises EngineFailed."""
        try:
            if self._process is None:
                self._start()
            return self._ask(plan, stop)
        except (OSError, EngineFailed) as error:
            self.close()
            raise EngineFailed(str(error)) from error

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process, self._rest = None, b""

    def _start(self) -> None:
        self._process = subprocess.Popen([self._path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self._process.stdin is None or self._process.stdout is None:
            raise EngineFailed("it has no pipes")
        self._to_engine, self._from_engine = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._say("uci")
        self._until("uciok", READY_WITHIN_S)
        for name, value in OPTIONS.items():
            self._say(f"setoption name {name} value {value}")
        self._say("isready")
        self._until("readyok", READY_WITHIN_S)

    def _ask(self, plan: Plan, stop: Callable[[], bool]) -> Thought | None:
        self._say(f"position fen {plan.fen.replace('~', '')}")
        self._say(f"go nodes {self._nodes}" + (f" searchmoves {' '.join(plan.moves)}" if plan.moves else ""))
        info, stopped_at = "", 0.0
        while True:
            line = self._line(LOOK_EVERY_S)
            if line.startswith("info ") and " score " in line:
                info = line
            elif line.startswith("bestmove "):
                return _thought(line.split()[1], info, plan)
            elif not stopped_at and stop():
                self._say("stop")
                stopped_at = time.monotonic()
            elif stopped_at and time.monotonic() - stopped_at > LATE_S:
                raise EngineFailed("it does not stop")

    def _say(self, words: str) -> None:
        os.write(self._to_engine, words.encode() + b"\n")

    def _until(self, word: str, within_s: float) -> None:
        ends = time.monotonic() + within_s
        while self._line(LOOK_EVERY_S) != word:
            if time.monotonic() > ends:
                raise EngineFailed(f"no {word}")

    def _line(self, within_s: float) -> str:
        """The next line, "" when there is none within so long."""
        source = self._from_engine
        if b"\n" not in self._rest and select.select([source], [], [], within_s)[0]:
            more = os.read(source, 65_536)
            if not more:
                raise EngineFailed("it has ended")
            self._rest += more
        line, newline, rest = self._rest.partition(b"\n")
        if not newline:
            return ""
        self._rest = rest
        return line.decode(errors="replace").strip()


def _thought(uci: str, info: str, plan: Plan) -> Thought | None:
    if uci == NONE:
        return None
    if plan.moves and uci not in plan.moves:
        raise EngineFailed(f"{uci} is no legal move")
    score = _SCORE.search(info)
    value = 0 if score is None else int(score[2])
    if score is not None and score[1] == "mate":
        value = MATE - 2 * value + 1 if value > 0 else -MATE - 2 * value
    return Thought(uci, value, _number(_DEPTH, info), _number(_NODES, info))


def _number(pattern: re.Pattern[str], info: str) -> int:
    found = pattern.search(info)
    return int(found[1]) if found else 0
