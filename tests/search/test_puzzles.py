"""Positions with known answers, searched with an untrained network: nothing but the rules says who wins.

The mates can be checked with any engine. In the Go problems play ends after a few moves, and the board is
counted as it stands.
"""

import numpy as np
import pytest

from sog.games.base import AnyGame
from sog.games.chess.game import Chess
from sog.games.go.game import Go, GoWorld
from sog.nets.boards import BoardEvaluator
from sog.nets.cvpn import make_network
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.atlas import ROOT, Atlas
from sog.public.boards import BoardView
from sog.search.gtcfr import Searcher
from sog.search.puct import Puct, PuctSettings
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings

MATES = [  # position, first moves that mate in time, simulations
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", {"a1a8"}, 300),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", {"h5f7"}, 300),
    ("r5rk/6pp/7N/8/8/8/8/6K1 w - - 0 1", {"h6f7"}, 300),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", {"a1a6"}, 2000),
    ("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", {"b3g8"}, 4000),
]
CAPTURES = [  # lines from the top, moves to the end of play, komi, answers
    ([".....", "XXXX.", "OOOO.", "XXXX.", "....."], 2, 6.5, {"E3"}),
    (["OX...", ".OX..", "OX...", ".....", "....."], 3, 4.5, {"A4"}),
]


def best_of_both(game: AnyGame, world: GoWorld | None, simulations: int) -> list[str]:
    """Return the choices of GT-CFR and of MCTS."""
    assert game.encoding is not None
    network = make_network(NetworkSpec("resnet", layers=1, width=4), sizes_of(game.encoding), seed=0)
    evaluator, atlas = BoardEvaluator(network), Atlas(BoardView(game, world))
    names = atlas.board.action_names(ROOT)
    searcher = Searcher(atlas, evaluator, SearchSettings(simulations=simulations))
    policy = searcher.search(first_task(atlas, ROOT), seed=1).policy[:, 0]
    visits = Puct(atlas, evaluator, PuctSettings(simulations=simulations)).search(ROOT, seed=1).visits
    return [names[int(np.argmax(policy))], names[int(np.argmax(visits))]]


@pytest.mark.parametrize(("fen", "answers", "simulations"), MATES)
def test_mates_in_one_and_two(fen: str, answers: set[str], simulations: int) -> None:
    assert set(best_of_both(Chess(fen), None, simulations)) <= answers


@pytest.mark.parametrize(("lines", "moves", "komi", "answers"), CAPTURES)
def test_captures(lines: list[str], moves: int, komi: float, answers: set[str]) -> None:
    game = Go(size=5, komi=komi, max_length=moves)
    assert set(best_of_both(game, game.draw(lines), 600)) <= answers
