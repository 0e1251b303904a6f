from collections import Counter
from random import Random

import pytest

from sog.agents.bot import Limits
from sog.agents.seated import UniformBot
from sog.agents.table import Table
from sog.agents.tabular import IsMctsBot, IsMctsSettings, PolicyBot
from sog.core.errors import InputError
from sog.games.base import CHANCE, NUM_PLAYERS, AnyGame
from sog.games.registry import load
from sog.public.enumeration import enumerate_game
from sog.solvers.solver import Solver
from tests.agents.test_cursor import Sight
from tests.agents.test_searching import against_uniform


def _solver(game: AnyGame) -> Solver:
    solver = Solver(game, "cfr+")
    solver.run(iterations=20)
    return solver


@pytest.mark.parametrize(
    "name", ["leduc", "goofspiel(cards=4)", "liars_dice(faces=3)", "openspiel:dark_hex(board_size=2)"]
)
def test_plays_what_its_infostate_plays(name: str) -> None:
    game = load(name)
    solver = _solver(game)
    table = {(choice.player, choice.infostate): choice for choice in solver.table()}
    random, bots = Random(1), [PolicyBot(solver.whole, solver.policy()) for _ in range(NUM_PLAYERS)]
    for seed in range(60):
        sights = Sight(game, 0), Sight(game, 1)
        seats = Table(game, (bots[0], bots[1]), seed)
        while not seats.is_over:
            world, actor = seats.play.world, seats.play.turn
            if actor == CHANCE:
                action = seats.draw()
            else:
                choice, actions = table[actor, sights[actor].name()], game.legal_actions(world)
                explanation = bots[actor].explain()
                assert explanation.weights == choice.probabilities
                assert explanation.names == choice.actions
                action = random.choice(actions)
            seats.add(action)
            for sight in sights:
                sight.note(world, actor, action, seats.play.world)


def test_follows_merged_infostates() -> None:
    game = load("scotland_yard(rounds=3)")
    solver = _solver(game)
    bot = PolicyBot(solver.whole, solver.policy())
    for seed in range(50):
        seats = Table(game, (bot, PolicyBot(solver.whole, solver.policy())), seed)
        while not seats.is_over:
            seats.step()


def test_choices_follow_the_probabilities() -> None:
    game = load("rps")
    solver = Solver(game)
    solver.run(iterations=2000)
    bot = PolicyBot(solver.whole, solver.policy())
    bot.begin(game, 0, seed=3)
    counts = Counter(bot.act(["rock", "paper", "scissors"]) for _ in range(5000))
    assert [counts[move] / 5000 for move in range(3)] == pytest.approx([0.4, 0.4, 0.2], abs=0.03)


def test_other_games_and_moves_are_refused() -> None:
    solver = _solver(load("kuhn"))
    bot = PolicyBot(solver.whole, solver.policy())
    with pytest.raises(InputError, match="a bot of kuhn does not play leduc"):
        bot.begin(load("leduc"), 0, seed=0)
    Table(load("kuhn"), (bot, UniformBot()), 0, opening=[2, 0])
    with pytest.raises(ValueError, match="not 2 moves, but 3"):
        bot.act(["fold", "call", "raise"])


@pytest.mark.parametrize(
    "name", ["leduc", "scotland_yard(rounds=2)", "liars_dice(faces=3)", "openspiel:dark_hex(board_size=2)"]
)
def test_is_mcts_beats_uniform_play(name: str) -> None:
    game = load(name)
    assert against_uniform(game, IsMctsBot(enumerate_game(game), IsMctsSettings(simulations=300)), 16) > 0


def test_is_mcts_keeps_to_its_limits() -> None:
    game = load("leduc")
    bot = IsMctsBot(enumerate_game(game), IsMctsSettings(simulations=10**8))
    Table(game, (bot, UniformBot()), 0, opening=[2, 0])
    bot.act(["call", "raise"], Limits(seconds=0.05))
    assert 1 <= bot.explain().simulations < 10**8
    bot.act(["call", "raise"], Limits(simulations=7))
    assert bot.explain().simulations == 7
