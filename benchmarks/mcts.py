"""MCTS with random rollouts at the start of tic-tac-toe against OpenSpiel's C++ bot."""

from collections.abc import Callable

from benchmarks.peers import openspiel_mcts
from benchmarks.timing import best_times
from sog.games.registry import load
from sog.search.mcts import Mcts

GAMES = {"tictactoe": "tic_tac_toe"}
SIMULATIONS = 1000
EXPLORATION = 2.0


def main() -> None:
    print(f"{'MCTS, thousand simulations a second':40} {'sog':>8} {'OpenSpiel':>10} {'ratio':>7}")
    for ours, theirs in GAMES.items():
        times = best_times(
            {"sog": _sog_searches(ours), "openspiel": openspiel_mcts(theirs, SIMULATIONS, EXPLORATION)}
        )
        rates = {name: SIMULATIONS / seconds / 1e3 for name, seconds in times.items()}
        ratio = rates["sog"] / rates["openspiel"]
        print(f"{ours:40} {rates['sog']:8.0f} {rates['openspiel']:10.0f} {ratio:7.2f}", flush=True)


def _sog_searches(name: str) -> Callable[[int], object]:
    game = load(name)
    search = Mcts(game, EXPLORATION, solve=False)

    def run(repeats: int) -> None:
        for seed in range(repeats):
            search.run(game.initial_world(), SIMULATIONS, seed)

    return run
