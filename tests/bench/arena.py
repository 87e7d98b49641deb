"""Matches between levels: `python -m tests.bench.arena tandem 3 2 40` is level 3 against 2, forty games.

Names besides 1 to 5: in tandem "uci<nodes>" (fairy-stockfish limited to so many nodes, where it is
installed), "nodes<nodes>" (the own search limited to so many) and "fresh<nodes>" (the same, which keeps
nothing from move to move); in fog "greedy" (one ply, from the view
alone) and "blind<level>" (the same search, but a belief made up from the last view alone).
No clocks: what is compared is what the nodes of a level do. A process for each core plays; the games are the
same whatever their number. Says on stderr how it stands.
Prints one line of JSON: wins, draws, losses, the score, and the Elo difference with its 95 % interval.
"""

from __future__ import annotations

import json
import math
import os
import resource
import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from random import Random

from libs.rules.fog import FogGame
from libs.rules.tandem import TandemMatch
from services.bots import fog_brain, fog_search, tandem_brain
from services.bots.belief import Belief
from services.bots.levels import Level, level_of
from services.bots.situation import Situation
from services.bots.uci_engine import UciEngine
from tests.unit.bots.positions import FogSeat, tandem_situation

Player = Callable[[Situation, Random], str]
LONGEST = 600
"""A game that lasts longer is a draw."""


def never() -> bool:
    return False


def of_engine(nodes: int) -> Player:
    """Fairy-Stockfish, limited by nodes; ends the program, and says why, where there is none."""
    path = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
    if path is None:
        sys.exit("no fairy-stockfish on this machine (Debian: apt install fairy-stockfish)")
    engine = UciEngine(path, nodes)
    level = level_of(5)

    def choose(situation: Situation, dice: Random) -> str:
        thought = engine.think(tandem_brain.plan(situation, level, dice), never)
        return thought.uci if thought else situation.moves[0]

    return choose


def player(variant: str, name: str) -> Player:
    """Whoever is called so."""
    if name == "greedy":
        return lambda situation, dice: fog_brain.choose(situation, 6.0, dice)
    if name.startswith("uci"):
        return of_engine(int(name.removeprefix("uci")))
    level = (
        Level(name, int(name[5:]), 0, 0.0)
        if name.startswith(("nodes", "fresh"))
        else level_of(int(name.removeprefix("blind")))
    )
    if variant == "tandem":
        memories = None if name.startswith("fresh") else tandem_brain.Memories()
        return lambda situation, dice: (
            tandem_brain.think(tandem_brain.plan(situation, level, dice), never, memories).uci
        )
    beliefs: dict[str, Belief] = {}

    def in_fog(situation: Situation, dice: Random) -> str:
        if name.startswith("blind"):
            last, before = situation.history[-1:], len(situation.history) - 1
            # Taken over anew at every move, with what it has captured so far.
            captures = sum(
                1
                for seen, after in zip(situation.history, situation.history[1:], strict=False)
                if after.uci and seen.pieces[(8 - int(after.uci[3])) * 8 + ord(after.uci[2]) - 97].isalpha()
            )
            situation = replace(situation, key="", first_ply=before, captures=captures, history=last)
        return fog_search.think(fog_search.plan(situation, level, dice), beliefs, never).uci

    return in_fog


def tandem(first: Player, second: Player, dice: Random) -> float:
    """The first one's score against the second; which board moves next is drawn by lot."""
    match, name = TandemMatch.start("online"), str(dice.random())
    for _ in range(LONGEST):
        if match.outcome is not None:
            break
        board = dice.randrange(2)
        if match.legal_moves(board):
            position = match.positions[board]
            of_first = (position.turn == 0) == (board == 0)
            situation = replace(tandem_situation(position), key=f"{name}/{board}/{position.turn}")
            uci = (first if of_first else second)(situation, dice)
            match = match.play(board, uci).match
    winner = 0 if match.outcome is None else match.outcome.winner
    return {1: 1.0, 2: 0.0}.get(winner or 0, 0.5)


def fog(first: Player, second: Player, dice: Random) -> float:
    """White's score against Black."""
    game, seats = FogGame.start(), (FogSeat.at_start(0), FogSeat.at_start(1))
    name = str(dice.random())
    for _ in range(LONGEST):
        if game.outcome is not None:
            break
        side = game.position.turn
        situation = seats[side].situation(game.position, f"{name}/{side}")
        uci = (second if side else first)(situation, dice)
        game = game.play(uci).game
        for seat in seats:
            seat.see(game.position, uci)
    winner = 0 if game.outcome is None else game.outcome.winner
    return {1: 1.0, 2: 0.0}.get(winner or 0, 0.5)


def elo(score: float, games: int) -> float:
    """The difference of strength that explains a score; a clean sweep counts as half a point short of it."""
    least = 0.5 / games
    score = min(1 - least, max(least, score))
    return round(400 * math.log10(score / (1 - score)), 0)


def one_game(variant: str, names: tuple[str, str], number: int) -> float:
    """The first one's score of the game with this number; a pair of games has its dice and changed sides."""
    play = {"tandem": tandem, "fog": fog}[variant]
    for name in names:
        if name not in _players:
            _players[name] = player(variant, name)
    players, dice = [_players[name] for name in names], Random(number // 2)
    return 1 - play(players[1], players[0], dice) if number % 2 else play(players[0], players[1], dice)


_players: dict[str, Player] = {}
"""Of this process, from game to game: an engine is a program, and is started once."""


def figures_of(scores: list[float]) -> dict[str, object]:
    """What is told of a match."""
    count, mean = len(scores), sum(scores) / len(scores)
    spread = 1.96 * math.sqrt(max(1e-9, sum((score - mean) ** 2 for score in scores) / count / count))
    return {
        "won_drawn_lost": [scores.count(1.0), scores.count(0.5), scores.count(0.0)],
        "score": round(mean, 3),
        "elo": [elo(mean - spread, count), elo(mean, count), elo(mean + spread, count)],
    }


def main() -> None:
    """Play the match that the command line names."""
    variant, one, other, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    for name in (one, other):
        player(variant, name)  # a name that means nothing ends it here
    scores: list[float] = []
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        games = [pool.submit(one_game, variant, (one, other), number) for number in range(count)]
        for game in as_completed(games):
            scores.append(game.result())
            sys.stderr.write(f"\r{len(scores)} of {count}: {sum(scores):g} ")
            sys.stderr.flush()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures = {
        "match": f"{variant}: {one} against {other}",
        **figures_of(scores),
        "processor_seconds": round(used.ru_utime + used.ru_stime, 1),
    }
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
