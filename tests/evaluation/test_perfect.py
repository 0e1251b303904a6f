"""Everything that an opponent can do against an agent in tic-tac-toe, which learns to stand it."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sog.evaluation.perfect import PerfectEvaluation, TooManyStatesError
from sog.evaluation.rebel import RebelEvaluation
from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.nets.agents import load_agent, make_network_evaluator
from sog.public.enumeration import enumerate_game
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher, Task
from sog.search.rebel import RebelSettings, read_settings
from sog.training.presets import config_for
from sog.training.run import Run
from sog.training.sources.local import LocalSource

GAME = load("tictactoe")
ONE_STEP = RebelSettings(depth=1, iterations=1, algorithm="fp")


@cache
def minimax(world: Any) -> float:
    """Player 0's value of a position."""
    actor = GAME.actor(world)
    if actor == TERMINAL:
        return GAME.returns(world)[0]
    values = [minimax(GAME.apply(world, action)) for action in GAME.legal_actions(world)]
    return max(values) if actor == 0 else min(values)


class MinimaxEvaluator:
    """Knows every position's value."""

    name, has_priors = "minimax", False

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        """Answer every query."""
        for query, node in enumerate(batch.nodes.tolist()):
            world = GAME.initial_world()
            for ordinal in store.route(node):
                world = GAME.apply(world, GAME.legal_actions(world)[ordinal])
            value = minimax(world)
            batch.values[0][query], batch.values[1][query] = value, -value


def best_answer(world: Any, player: int) -> float:
    """What a player gets at most against one who wins if that takes one move, or plays the first move."""
    actor = GAME.actor(world)
    if actor == TERMINAL:
        return GAME.returns(world)[player]
    after = [GAME.apply(world, action) for action in GAME.legal_actions(world)]
    if actor == player:
        return max(best_answer(each, player) for each in after)
    gains = [GAME.returns(each)[actor] if GAME.actor(each) == TERMINAL else 0.0 for each in after]
    return best_answer(after[gains.index(max(gains))], player)


def test_who_knows_all_values_cannot_be_exploited() -> None:
    report = PerfectEvaluation(open_store(GAME)).report(ONE_STEP, MinimaxEvaluator(), 1, seed=0)
    assert report.exploitabilities == [0.0]


def test_who_knows_nothing_is_exploited_as_plain_recursion_says() -> None:
    report = PerfectEvaluation(open_store(GAME)).report(ONE_STEP, None, 1, seed=0)
    answers = [best_answer(GAME.initial_world(), player) for player in range(2)]
    assert report.exploitabilities == [pytest.approx(sum(answers) / 2)]
    assert report.exploitabilities[0] > 0.2


@pytest.mark.parametrize(("iterations", "playthroughs", "error"), [(1, 1, 1e-12), (3, 200, 0.05)])
def test_mixed_policies_are_measured_as_on_a_whole_tree(
    iterations: int, playthroughs: int, error: float
) -> None:
    """Nim with piles of 1, 2 and 2: one iteration is uniform play."""
    game, settings = load("openspiel:nim(pile_sizes=1;2;2)"), RebelSettings(1, iterations)
    found = [
        evaluation.report(settings, None, playthroughs, seed=0).exploitabilities[-1]
        for evaluation in (PerfectEvaluation(open_store(game)), RebelEvaluation(enumerate_game(game)))
    ]
    assert found[0] == pytest.approx(found[1], abs=error)
    assert found[0] > 0.1


def test_whoever_listens_may_stop_it() -> None:
    game = load("openspiel:nim(pile_sizes=1;2;2)")
    evaluation = PerfectEvaluation(open_store(game))
    report = evaluation.report(ONE_STEP, None, 5, seed=0, on_group=lambda count, _: count == 3)
    assert report.playthroughs == [1, 2, 3]


def test_large_games_are_refused() -> None:
    with pytest.raises(TooManyStatesError, match="more than 100 public states"):
        PerfectEvaluation(open_store(GAME), max_states=100).report(ONE_STEP, None, 1, seed=0)


def test_values_of_one_iteration_are_both_players_whoever_is_to_move() -> None:
    """The one who waits must not be thought to face uniform play, with which the iteration begins."""
    store = open_store(GAME)
    searcher = Searcher(store, MinimaxEvaluator(), ONE_STEP.search())
    worlds = [(ROOT, GAME.initial_world())]
    for _ in range(5):
        node, world = worlds[-1]
        answers = [minimax(GAME.apply(world, action)) for action in GAME.legal_actions(world)]
        assert len(set(answers)) > 1 or len(worlds) == 1  # the choice matters
        values = searcher.search(Task(node, node, (np.ones(1), np.ones(1))), seed=0).summary(0).values
        assert values[0] == pytest.approx(minimax(world), abs=1e-12)
        assert values[0] == pytest.approx(-values[1], abs=1e-12)
        worst = answers.index(min(answers) if GAME.actor(world) == 0 else max(answers))
        worlds.append((store.children(node)[worst], GAME.apply(world, GAME.legal_actions(world)[worst])))


@pytest.mark.slow
def test_perfect_play_is_learned_with_one_iteration_a_subgame(tmp_path: Path) -> None:
    """Some minutes of training."""
    config = config_for("tictactoe", "rebel")
    assert config.rebel == ONE_STEP
    assert Run(config, tmp_path).go(LocalSource)
    agent = load_agent(str(tmp_path))
    assert agent.rebel is not None
    evaluator = make_network_evaluator(agent, GAME, has_priors=False)
    report = PerfectEvaluation(open_store(GAME)).report(read_settings(agent.rebel), evaluator, 1, seed=0)
    assert report.exploitabilities == [0.0]
