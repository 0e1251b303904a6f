"""Random plays to the very end, against GNU Go: legal moves in every position, and the final score.

Stones that GNU Go calls dead would be taken off by its `final_score`, and not by ours. There are none here:
play goes on until only eyes are left.
"""

import numpy as np
import pytest

from sog.core.jit import ZERO, kernel
from sog.core.rng import RngState, make_rng_state
from sog.games.base import TERMINAL
from sog.games.go.game import Go
from sog.games.go.layout import GoRules, Positions, board_at
from sog.games.go.vertices import parse_vertex, vertex_names
from tests.games.go.gnugo import GnuGo, needs_gnugo
from tests.games.go.playouts import draw_move


@kernel
def _draw(rules: GoRules, positions: Positions, rng: RngState) -> np.uint64:
    return draw_move(rules, board_at(rules, positions, ZERO), True, rng)


@needs_gnugo
@pytest.mark.parametrize(("size", "plays"), [(5, 20), (9, 8), (13, 2), (19, 1)])
def test_random_plays_agree_with_gnugo(size: int, plays: int) -> None:
    compare_with_gnugo(size, plays)


@needs_gnugo
@pytest.mark.slow
@pytest.mark.parametrize(("size", "plays"), [(5, 1500), (7, 500), (9, 500), (13, 50), (19, 20)])
def test_many_random_plays_agree_with_gnugo(size: int, plays: int) -> None:
    compare_with_gnugo(size, plays)


def compare_with_gnugo(size: int, plays: int) -> None:
    """Play and compare; a play that is too long for its end to be reached is not scored."""
    game, names = Go(size=size, max_length=3 * size * size), vertex_names(size)
    rng, num_scored = make_rng_state(size), 0
    with GnuGo(size, game.komi) as peer:
        for _ in range(plays):
            peer.ask("clear_board")
            world = game.initial_world()
            while (player := game.actor(world)) != TERMINAL:
                colour = ("black", "white")[player]
                theirs = sorted(parse_vertex(size, name) for name in peer.ask(f"all_legal {colour}").split())
                assert list(game.legal_actions(world)[:-1]) == theirs, str(world)
                action = int(_draw(game.rules, game.rows_of([world]), rng))
                peer.ask(f"play {colour} {names[action]}")
                world = game.apply(world, action)
            if int(world.facts[2]) < game.info.max_length:
                assert peer.ask("final_score") == _written(game.score(world)), str(world)
                num_scored += 1
    assert num_scored >= 0.8 * plays


def _written(points: float) -> str:
    return f"{'B' if points > 0 else 'W'}+{abs(points):.1f}"
