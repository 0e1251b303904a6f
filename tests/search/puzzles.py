"""Positions with known answers, as data, and what a search with an untrained network says about them.

`data/mates.epd`: mates in chess by EPD's own operations. `bm` are the first moves that mate in time, all of
them, `dm` says in how many moves, `acn` how many simulations are enough; those without it are harder. WAC is
Fred Reinfeld's *Win at Chess*; the others are patterns and endings of any textbook.

`data/go.txt`: problems on 9x9. Black is to move, play ends after a few moves of both sides together, and the
board is counted as it stands; with that komi the answers are the moves that win.
"""

from dataclasses import dataclass
from pathlib import Path

import chess
import numpy as np

from sog.games.base import AnyGame
from sog.games.chess.game import Chess
from sog.games.go.game import Go, GoWorld
from sog.nets.cvpn import make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.opening import open_store
from sog.public.store import ROOT
from sog.search.gtcfr import Searcher
from sog.search.puct import PuctSettings
from sog.search.puct_forest import PuctForest
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings

DATA = Path(__file__).parent / "data"
NETWORK = NetworkSpec("resnet", layers=1, width=4)


@dataclass(frozen=True)
class Puzzle:
    """A position whose best moves are known."""

    name: str
    kind: str  # that it is counted with
    game: AnyGame
    world: GoWorld | None  # None: the game's own start
    answers: frozenset[str]  # names of moves
    simulations: int | None  # with which both searches find one; None if that is not claimed
    moves: int  # of the winner's, to the end


def read_mates() -> list[Puzzle]:
    """Return the mates, in the order of the file."""
    puzzles = []
    for line in (DATA / "mates.epd").read_text().splitlines():
        board = chess.Board()
        facts = board.set_epd(line)
        moves = facts["dm"]
        assert isinstance(moves, int)
        answers = frozenset(move.uci() for move in facts["bm"])  # type: ignore[union-attr]
        puzzles.append(
            Puzzle(
                str(facts["id"]),
                f"mates in {moves}",
                Chess(board.fen()),
                None,
                answers,
                facts.get("acn"),  # type: ignore[arg-type]
                moves,
            )
        )
    return puzzles


def read_problems() -> list[Puzzle]:
    """Return the problems of Go, in the order of the file."""
    puzzles = []
    for block in (DATA / "go.txt").read_text().strip().split("\n\n"):
        lines = block.splitlines()
        drawing = lines[-9:]
        facts = dict(line.split(": ", 1) for line in lines[:-9])
        moves = int(facts["moves"])
        game = Go(size=9, komi=float(facts["komi"]), max_length=moves)
        puzzles.append(
            Puzzle(
                facts["id"],
                facts["kind"],
                game,
                game.draw(drawing),
                frozenset(facts["answers"].split()),
                int(facts["simulations"]) if "simulations" in facts else None,
                (moves + 1) // 2,
            )
        )
    return puzzles


def choose(puzzle: Puzzle, settings: SearchSettings | PuctSettings, seed: int = 3) -> str:
    """Return the move that a search of the untrained network likes best."""
    store = open_store(puzzle.game, puzzle.world)
    evaluator = _evaluator(puzzle.game)
    if isinstance(settings, PuctSettings):
        weights = PuctForest(store, evaluator, settings).search([ROOT], [seed])[0].visits
    else:
        weights = Searcher(store, evaluator, settings).search(first_task(store, ROOT), seed).policy[:, 0]
    return store.named.action_names(store, ROOT, 0)[int(np.argmax(weights))]


def _evaluator(game: AnyGame) -> NetworkEvaluator:
    assert game.encoding is not None
    return NetworkEvaluator(make_network(NETWORK, sizes_of(game.encoding), seed=0))
