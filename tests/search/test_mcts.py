from functools import cache
from math import isnan

import numpy as np
import pyspiel
import pytest

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.games.registry import load
from sog.games.tictactoe import TicTacToeWorld
from sog.search.mcts import Findings, Mcts
from tests.random_game import RandomGame, RandomWorld

TICTACTOE = load("tictactoe")


class OpenRandomGame(RandomGame):
    """A random game whose players see everything."""

    def __init__(self, seed: int, length: int) -> None:
        super().__init__(seed, length)
        self.info = self.info._replace(is_perfect_information=True)


@cache
def exact_value(game: AnyGame, world: object) -> float:
    """Player 0's value of a world, by walking to every end."""
    actor = game.actor(world)
    if actor == TERMINAL:
        return game.returns(world)[0]
    if actor == CHANCE:
        return sum(
            chance * exact_value(game, game.apply(world, outcome))
            for outcome, chance in game.chance_outcomes(world)
        )
    values = [exact_value(game, game.apply(world, action)) for action in game.legal_actions(world)]
    return max(values) if actor == 0 else min(values)


def _positions() -> list[TicTacToeWorld]:
    """Every position of tic-tac-toe in which somebody is to move."""
    found: set[TicTacToeWorld] = set()
    waiting = [TICTACTOE.initial_world()]
    while waiting:
        world = waiting.pop()
        if world not in found and TICTACTOE.actor(world) != TERMINAL:
            found.add(world)
            waiting += [TICTACTOE.apply(world, action) for action in TICTACTOE.legal_actions(world)]
    return sorted(found)


def test_tictactoe_is_played_perfectly_from_every_position() -> None:
    positions = _positions()
    assert len(positions) == 4520
    search = Mcts(TICTACTOE)
    for world in positions:
        action = search.choose(world, simulations=3000, seed=1)
        assert exact_value(TICTACTOE, TICTACTOE.apply(world, action)) == exact_value(TICTACTOE, world), world


def test_without_proofs_tictactoe_is_played_perfectly_too() -> None:
    search = Mcts(TICTACTOE, solve=False)
    for world in _positions()[::120]:
        action = search.choose(world, simulations=4000, seed=2)
        assert exact_value(TICTACTOE, TICTACTOE.apply(world, action)) == exact_value(TICTACTOE, world), world


def test_a_cross_in_the_centre_is_proven_a_draw() -> None:
    findings = Mcts(TICTACTOE, exploration=10.0).run((0b000_010_000, 0), simulations=20_000, seed=1)
    assert findings.value == 0
    assert findings.simulations < 20_000
    corners = [action in (0, 2, 6, 8) for action in findings.actions]
    assert findings.proven.tolist() == [0 if is_corner else -1 for is_corner in corners]


@pytest.mark.parametrize("seed", range(40))
def test_proven_values_are_exact_with_chance_and_either_player(seed: int) -> None:
    game = OpenRandomGame(seed, length=6)
    world = game.initial_world()
    while game.actor(world) == CHANCE:
        world = game.apply(world, 0)
    if game.actor(world) == TERMINAL:
        return
    sign = 1 if game.actor(world) == 0 else -1
    # A wide bound: whoever has a good proven move would otherwise look at nothing else.
    findings = Mcts(game, exploration=1000.0).run(world, simulations=20_000, seed=seed)
    assert findings.value == pytest.approx(sign * exact_value(game, world))
    for action, proven in zip(findings.actions, findings.proven, strict=True):
        if not isnan(proven):
            assert proven == pytest.approx(sign * exact_value(game, game.apply(world, action)))
    best = findings.actions[findings.best()]
    assert sign * exact_value(game, game.apply(world, best)) == pytest.approx(findings.value)


@pytest.mark.parametrize("seed", range(5))
def test_without_proofs_means_approach_the_exact_value(seed: int) -> None:
    game: RandomGame = OpenRandomGame(seed, length=5)
    world: RandomWorld = game.initial_world()
    while game.actor(world) == CHANCE:
        world = game.apply(world, 1)
    assert game.actor(world) != TERMINAL
    sign = 1 if game.actor(world) == 0 else -1
    findings = Mcts(game, solve=False).run(world, simulations=20_000, seed=seed)
    assert findings.simulations == 20_000 == findings.visits.sum() + 1  # the first looks at the root alone
    best = findings.actions[int(np.argmax(findings.visits))]
    value = exact_value(game, world)
    assert exact_value(game, game.apply(world, best)) == pytest.approx(value, abs=0.5)
    assert findings.means.max() == pytest.approx(sign * value, abs=1.0)


@pytest.mark.parametrize(
    ("name", "history", "simulations", "exploration", "solve", "runs"),
    [
        ("tic_tac_toe", [], 60, 1.4, False, 150),
        ("tic_tac_toe", [4, 1, 3, 5], 60, 2.0, False, 300),
        ("tic_tac_toe", [4, 1, 3, 5], 60, 2.0, True, 300),
        ("connect_four", [3, 3, 2], 80, 1.4, False, 100),
        ("pig(players=2,winscore=8,horizon=40)", [0, 2], 80, 1.0, False, 150),
    ],
)
def test_visits_are_distributed_like_openspiels(
    name: str, history: list[int], simulations: int, exploration: float, solve: bool, runs: int
) -> None:
    game = load(f"openspiel:{name}")
    world = game.initial_world()
    for action in history:
        world = game.apply(world, action)
    search = Mcts(game, exploration, solve)
    ours = np.array([search.run(world, simulations, seed).visits for seed in range(runs)])
    theirs = np.array(
        [_openspiel_visits(world.state, simulations, exploration, solve, seed) for seed in range(runs)]
    )
    spread = np.sqrt((ours.var(axis=0) + theirs.var(axis=0)) / runs)
    # Equally good moves are taken in a fixed order there, at random here: a quarter of a visit in sixty.
    assert np.all(np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) < 4 * spread + 0.005 * simulations)


def _openspiel_visits(state: object, simulations: int, exploration: float, solve: bool, seed: int) -> F64:
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed + 1000)
    game = state.get_game()  # type: ignore[attr-defined]
    bot = pyspiel.MCTSBot(game, evaluator, exploration, simulations, 100, solve, seed, False)
    children = sorted(bot.mcts_search(state).children, key=lambda child: child.action)
    return np.array([child.explore_count for child in children], np.float64)


def test_same_seed_same_findings() -> None:
    search = Mcts(TICTACTOE)
    first, again, other = (search.run((0, 0), 500, seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.visits, again.visits)
    np.testing.assert_array_equal(first.means, again.means)
    assert np.any(first.visits != other.visits)


def test_moves_are_tried_in_any_order() -> None:
    search = Mcts(TICTACTOE)
    first = sum(search.run((0, 0), 2, seed).visits for seed in range(900))
    assert np.all(np.abs(first - 100) < 50), first


def test_a_win_in_sight_ends_the_search() -> None:
    findings = Mcts(TICTACTOE).run((0b000_000_011, 0b000_011_000), simulations=10_000, seed=1)
    assert findings.value == 1
    assert findings.simulations < 100


def test_the_best_move() -> None:
    unknown = np.full(3, np.nan)
    means = np.array([0.5, 0.1, np.nan])
    visits = np.array([10.0, 20.0, 0.0])
    findings = Findings((4, 5, 6), visits, means, unknown, None, 30, worst=-1.0)
    assert findings.best() == 1  # the most visited
    assert findings._replace(visits=np.array([20.0, 20.0, 0.0])).best() == 0  # then the better
    assert findings._replace(proven=np.array([np.nan, -1.0, np.nan])).best() == 0  # no sure loss
    assert findings._replace(proven=np.array([-1.0, -1.0, 0.0]), value=0.0).best() == 2
    assert findings._replace(proven=np.array([-1.0, -1.0, -1.0]), value=-1.0).best() == 1


def test_hidden_information_is_refused() -> None:
    with pytest.raises(InputError, match="perfect information, and kuhn hides something"):
        Mcts(load("kuhn"))


@pytest.mark.parametrize(("simulations", "exploration"), [(0, 1.0), (2**32, 1.0), (5, -1.0), (5, np.inf)])
def test_impossible_settings_are_refused(simulations: int, exploration: float) -> None:
    with pytest.raises(InputError, match="must be"):
        Mcts(TICTACTOE, exploration).run((0, 0), simulations, 1)


def test_a_game_that_is_over_is_refused() -> None:
    with pytest.raises(ValueError, match="nobody has a move"):
        Mcts(TICTACTOE).run((0b111, 0b011_000), 10, 1)
