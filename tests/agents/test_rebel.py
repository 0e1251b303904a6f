"""ReBeL in play: either seat, after any action, with iterations drawn as often as they weigh."""

import numpy as np
import pytest

from sog.agents.bot import Limits
from sog.agents.cursor import Stores
from sog.agents.rebel import RebelBot
from sog.agents.seated import UniformBot
from sog.games.registry import load
from sog.public.opening import open_store
from sog.search.exact import ExactEvaluator
from sog.search.gtcfr import Searcher
from sog.search.rebel import RebelSettings, first_subgame
from tests.agents.test_searching import against_uniform, play_out

SHORT = RebelSettings(iterations=6)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("name", ["leduc", "liars_dice(dice=1,faces=3)", "openspiel:dark_hex(board_size=2)"])
def test_games_are_played_to_the_end_against_any_actions(name: str, depth: int) -> None:
    game, bot, other = load(name), RebelBot(None, RebelSettings(depth, iterations=4)), UniformBot()
    for seed in range(4):
        play_out(game, (bot, other), seed)
        play_out(game, (other, bot), seed)


def test_with_right_values_random_moves_are_beaten() -> None:
    bot = RebelBot(ExactEvaluator(30), RebelSettings(iterations=32))
    assert against_uniform(load("liars_dice(dice=1,faces=3)"), bot, 160) > 0.25


def test_on_average_the_first_move_is_the_average_policy_s() -> None:
    game = load("kuhn")
    store, bot = open_store(game), RebelBot(None, SHORT)
    average = Searcher(store, None, SHORT.search()).search(first_subgame(store).task(0), seed=0).policy
    for card, name in enumerate("JQK"):
        found = []
        for seed in range(300):
            bot.begin(game, 0, seed)
            bot.observe("deal", name)
            bot.observe("deal", None)
            found.append(bot.explain().policy)
        deviation = np.std(found, axis=0) / np.sqrt(len(found))
        assert np.all(np.abs(np.mean(found, axis=0) - average[:, card]) <= 4 * deviation + 1e-9)


def test_a_subgame_is_played_as_in_one_of_its_iterations() -> None:
    """In a deep subgame, whatever comes is answered by the iteration drawn first."""
    game, stores, settings = load("kuhn"), Stores(), RebelSettings(depth=20, iterations=6)
    store = stores.open(game)
    searcher, bot = Searcher(store, None, settings.search()), RebelBot(None, settings, stores)
    for seed in range(8):
        bot.begin(game, 1, seed)
        for public, private in (("deal", None), ("deal", "Q"), ("bet", None)):
            bot.observe(public, private)
        answer, policies = bot.explain().policy, []
        for number in range(1, 7):
            snapshot = searcher.search(first_subgame(store).task(number), seed=0).snapshot
            assert snapshot is not None
            policies.append(snapshot.choices(snapshot.places()[bot.cursor.node], 1)[:, bot.cursor.row])
        assert any(np.allclose(answer, policy) for policy in policies)


def test_simulations_limit_the_iterations() -> None:
    game, bot = load("kuhn"), RebelBot(None, RebelSettings(iterations=1000))
    bot.begin(game, 0, seed=0)
    bot.observe("deal", "J")
    bot.observe("deal", None)
    bot.act(["pass", "bet"], Limits(simulations=1))
    assert bot.explain().weights == [0.5, 0.5]  # the first iteration's


def test_the_seat_must_be_somebodys() -> None:
    bot = RebelBot(None, SHORT)
    with pytest.raises(ValueError, match="seat must be 0 or 1"):
        bot.begin(load("kuhn"), 2, seed=0)
    bot.begin(load("kuhn"), 1, seed=0)
    bot.observe("deal", None)
    bot.observe("deal", "K")
    with pytest.raises(ValueError, match="not the turn of player 1"):
        bot.explain()
