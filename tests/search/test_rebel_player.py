"""ReBeL in play: either seat, after any action, with iterations drawn as often as they weigh."""

import numpy as np
import pytest

from sog.games.registry import load
from sog.public.opening import open_store
from sog.search.exact import ExactEvaluator
from sog.search.gtcfr import Searcher
from sog.search.rebel import RebelSettings, first_subgame
from sog.search.rebel_player import RebelPlayer
from tests.search.test_player import play_out

SHORT = RebelSettings(iterations=6)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("name", ["leduc", "liars_dice(dice=1,faces=3)", "openspiel:dark_hex(board_size=2)"])
def test_games_are_played_to_the_end_against_any_actions(name: str, depth: int, seat: int) -> None:
    game, rng = load(name), np.random.default_rng(3)
    store, settings = open_store(game), RebelSettings(depth, iterations=4)
    for seed in range(4):
        player = RebelPlayer(store, None, settings, seat, seed)
        play_out(game, [player, None] if seat == 0 else [None, player], rng)


def test_with_right_values_random_moves_are_beaten() -> None:
    game, rng, total = load("liars_dice(dice=1,faces=3)"), np.random.default_rng(1), 0.0
    store, evaluator, settings = open_store(game), ExactEvaluator(30), RebelSettings(iterations=32)
    for seed in range(80):
        total += play_out(game, [RebelPlayer(store, evaluator, settings, 0, seed), None], rng)
        total -= play_out(game, [None, RebelPlayer(store, evaluator, settings, 1, seed)], rng)
    assert total / 160 > 0.25


def test_on_average_the_first_move_is_the_average_policy_s() -> None:
    game = load("kuhn")
    store = open_store(game)
    average = Searcher(store, None, SHORT.search()).search(first_subgame(store).task(0), seed=0).policy
    for card in range(3):
        found = []
        for seed in range(300):
            player = RebelPlayer(store, None, SHORT, 0, seed)
            player.note(card)
            player.note(0)
            found.append(player.probabilities())
        deviation = np.std(found, axis=0) / np.sqrt(len(found))
        assert np.all(np.abs(np.mean(found, axis=0) - average[:, card]) <= 4 * deviation + 1e-9)


def test_a_subgame_is_played_as_in_one_of_its_iterations() -> None:
    """In a deep subgame, whatever comes is answered by the iteration drawn first."""
    game = load("kuhn")
    store, settings = open_store(game), RebelSettings(depth=20, iterations=6)
    searcher = Searcher(store, None, settings.search())
    for seed in range(8):
        player = RebelPlayer(store, None, settings, 1, seed)
        player.note(0)
        player.note(0)
        player.note(1)
        answer = player.probabilities()
        infostate, policies = player._where.infostate(1), []
        for number in range(1, 7):
            kept = searcher.search(first_subgame(store).task(number), seed=0).kept
            assert kept is not None
            policies.append(kept.choices(kept.places()[player._where.node], 1)[:, infostate])
        assert any(np.allclose(answer, policy) for policy in policies)


def test_the_seat_must_be_somebodys() -> None:
    with pytest.raises(ValueError, match="seat must be 0 or 1"):
        RebelPlayer(open_store(load("kuhn")), None, SHORT, 2, 0)
    player = RebelPlayer(open_store(load("kuhn")), None, SHORT, 1, 0)
    player.note(0)
    player.note(0)
    with pytest.raises(ValueError, match="not the turn of player 1"):
        player.probabilities()
