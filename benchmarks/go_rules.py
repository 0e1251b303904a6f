"""Random playouts of Go from the empty board, on one core, against OpenSpiel's C++ rollouts and its MCTS.

OpenSpiel's `RandomRolloutEvaluator` draws from all legal moves, and so do we in the first row of each size;
the second row is the usual playout, which leaves own eyes alone. The evaluator cannot be called from Python,
so the rollouts are those of a search of two simulations with very many each; the column MCTS is a search with
one rollout a simulation.
"""

from collections.abc import Callable

from benchmarks.peers import openspiel_mcts
from benchmarks.timing import best_times
from sog.core.jit import ONE, ZERO
from sog.core.rng import make_rng_state
from sog.games.go.game import Go
from sog.games.go.layout import make_positions
from tests.games.go.playouts import play_out_often

PLAYOUTS = {9: 100, 19: 10}  # a call, by size
EXPLORATION = 2.0
WAYS = {"uniform": False, "eyes kept": True}


def main() -> None:
    columns = ("sog", "rollouts", "ratio", "MCTS", "ratio")
    print("Go, thousand playouts a second  " + "".join(f"{column:>10}" for column in columns))
    for size, number in PLAYOUTS.items():
        peer = f"go(board_size={size},komi=7.5)"
        contestants = {name: _sog_playouts(size, keeps_eyes) for name, keeps_eyes in WAYS.items()}
        contestants["rollouts"] = openspiel_mcts(peer, 2, EXPLORATION, rollouts=number // 2)
        contestants["mcts"] = openspiel_mcts(peer, number, EXPLORATION)
        rates = {name: number / seconds / 1e3 for name, seconds in best_times(contestants).items()}
        rollouts, mcts = rates["rollouts"], rates["mcts"]
        for name in WAYS:
            ours = rates[name]
            figures = (ours, rollouts, ours / rollouts, mcts, ours / mcts)
            label = f"{size}x{size}, {name}"
            print(f"{label:32}" + "".join(f"{figure:10.2f}" for figure in figures), flush=True)


def _sog_playouts(size: int, keeps_eyes: bool) -> Callable[[int], object]:
    rules = Go(size=size).rules
    positions, rng = make_positions(rules, 2), make_rng_state(1)

    def run(repeats: int) -> None:
        play_out_often(rules, positions, ZERO, ONE, keeps_eyes, PLAYOUTS[size] * repeats, rng)

    return run
