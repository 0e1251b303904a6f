"""The peers that speeds are measured against, each called the way its own documentation does."""

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import pyspiel

# Our name, and the same game in OpenSpiel's words.
GAMES = {
    "leduc": "leduc_poker",
    "liars_dice(dice=1,faces=6)": "liars_dice(numdice=1,dice_sides=6)",
    "goofspiel(cards=5)": (
        "turn_based_simultaneous_game(game=goofspiel(num_cards=5,imp_info=True,"
        "points_order=ascending,returns_type=point_difference))"
    ),
}


def openspiel_nash_conv(name: str) -> Callable[[int], object]:
    """OpenSpiel's C++ `nash_conv` of the uniform policy."""
    game = pyspiel.load_game(name)
    policy = pyspiel.UniformRandomPolicy(game)

    def run(repeats: int) -> None:
        for _ in range(repeats):
            pyspiel.nash_conv(game, policy)

    return run


def openspiel_cfr_plus(name: str) -> Callable[[int], object]:
    """OpenSpiel's C++ `CFRPlusSolver`."""
    return _evaluate_and_update(pyspiel.CFRPlusSolver(pyspiel.load_game(name)))


def openspiel_external_sampling(name: str) -> Callable[[int], object]:
    """OpenSpiel's C++ external sampling."""
    solver = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game(name), 1)

    def run(repeats: int) -> None:
        for _ in range(repeats):
            solver.run_iteration()

    return run


def openspiel_is_mcts(name: str, simulations: int) -> Callable[[int], object]:
    """OpenSpiel's C++ `ISMCTSBot` at the first decision, rollouts by its own evaluator."""
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    bot = pyspiel.ISMCTSBot(
        1, pyspiel.RandomRolloutEvaluator(1, 1), 1.0, simulations, -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False,
    )  # fmt: skip

    def run(repeats: int) -> None:
        for _ in range(repeats):
            bot.get_policy(state)

    return run


def openspiel_mcts(
    name: str, simulations: int, exploration: float, rollouts: int = 1
) -> Callable[[int], object]:
    """OpenSpiel's C++ `MCTSBot` at the start, without its solver, rollouts by its own evaluator."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, exploration, simulations, 1000, False, 1, False)

    def run(repeats: int) -> None:
        for _ in range(repeats):
            bot.mcts_search(state)

    return run


def liteefg_cfr_plus(name: str) -> Callable[[int], object]:
    """LiteEFG's CFR+ with its environment's linear average."""
    # LiteEFG writes a description of the game into the home directory and greets on standard output.
    with tempfile.TemporaryDirectory() as home, _home(home), contextlib.redirect_stdout(None):
        import LiteEFG
        from LiteEFG.baselines.CFRplus import graph

        environment = LiteEFG.OpenSpielEnv(pyspiel.load_game(name))
        cfr: Any = graph()  # type: ignore[no-untyped-call]
        environment.set_graph(cfr)

    def run(repeats: int) -> None:
        for _ in range(repeats):
            cfr.update_graph(environment)
            environment.update_strategy(cfr.current_strategy())

    return run


def _evaluate_and_update(solver: Any) -> Callable[[int], object]:
    def run(repeats: int) -> None:
        for _ in range(repeats):
            solver.evaluate_and_update_policy()

    return run


@contextlib.contextmanager
def _home(path: str) -> Iterator[None]:
    before = os.environ.get("HOME")
    os.environ["HOME"] = path
    try:
        yield
    finally:
        if before is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = before
