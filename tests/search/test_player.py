"""Continual re-solving in play: either seat, from any state, after any action."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import pytest

from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.games.registry import load
from sog.games.view import PublicView
from sog.public.derived import DerivedView
from sog.public.opening import open_store, open_view
from sog.public.store import StateStore
from sog.search.evaluators import RolloutEvaluator
from sog.search.gtcfr import Searcher
from sog.search.player import Player
from sog.search.settings import SearchSettings


class Chooser(Protocol):
    """Whoever plays a game to the end."""

    def choose(self, rng: np.random.Generator) -> int: ...

    def note(self, move: int) -> None: ...


def play_out(game: AnyGame, players: Sequence[Chooser | None], rng: np.random.Generator) -> float:
    """Play one game; a seat without a player moves at random. Return player 0's utility."""
    world = game.initial_world()
    while (actor := game.actor(world)) != TERMINAL:
        if actor == CHANCE:
            outcomes = game.chance_outcomes(world)
            move = int(rng.choice(len(outcomes), p=[chance for _, chance in outcomes]))
            action = outcomes[move][0]
        else:
            actions, player = game.legal_actions(world), players[actor]
            move = int(rng.integers(len(actions))) if player is None else player.choose(rng)
            action = actions[move]
        for hearer in players:
            if hearer is not None:
                hearer.note(move)
        world = game.apply(world, action)
    return game.returns(world)[0]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("searches_opponent_turns", [False, True])
def test_leduc_is_played_to_the_end_against_any_actions(seat: int, searches_opponent_turns: bool) -> None:
    game, rng = load("leduc"), np.random.default_rng(3)
    searcher = Searcher(open_store(game), None, SearchSettings(simulations=5))
    for seed in range(15):
        player = Player(searcher, seat, seed, searches_opponent_turns)
        play_out(game, [player, None] if seat == 0 else [None, player], rng)


def test_a_searching_player_beats_random_moves() -> None:
    game, rng, total = load("leduc"), np.random.default_rng(1), 0.0
    searcher = Searcher(open_store(game), None, SearchSettings(simulations=100))
    for seed in range(150):
        total += play_out(game, [Player(searcher, 0, seed), None], rng)
        total -= play_out(game, [None, Player(searcher, 1, seed)], rng)
    assert total / 300 > 0.3  # chips a hand


class Greedy(Player):
    """Plays what the search likes best."""

    def choose(self, rng: np.random.Generator) -> int:
        return int(np.argmax(self.probabilities()))


@pytest.mark.parametrize(("view", "simulations"), [(DerivedView, 400), (open_view, 6000)])
def test_tictactoe_is_never_lost(view: Callable[[AnyGame], PublicView], simulations: int) -> None:
    """Searched by worlds, and as a board."""
    game, rng = load("tictactoe"), np.random.default_rng(0)
    evaluator = RolloutEvaluator(10) if simulations == 400 else None
    searcher = Searcher(StateStore(view(game)), evaluator, SearchSettings(simulations=simulations))
    for seed in range(4):
        assert play_out(game, [Greedy(searcher, 0, seed), None], rng) >= 0
        assert play_out(game, [None, Greedy(searcher, 1, seed)], rng) <= 0


def test_probabilities_depend_on_the_own_infostate_alone() -> None:
    """The referee's hidden moves must not leak: with the same own card, other cards change nothing."""
    game = load("leduc")
    found = []
    for other in (0, 3, 4):
        searcher = Searcher(open_store(game), None, SearchSettings(simulations=30))
        player = Player(searcher, 0, seed=9)
        player.note(2)
        player.note(other)
        found.append(player.probabilities())
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_moves_out_of_turn_are_refused() -> None:
    searcher = Searcher(open_store(load("kuhn")), None, SearchSettings(simulations=5))
    player = Player(searcher, 1, seed=0)
    with pytest.raises(ValueError, match="turn"):
        player.probabilities()
    with pytest.raises(ValueError, match="no move"):
        player.note(17)
    with pytest.raises(ValueError, match="seat"):
        Player(searcher, 2, seed=0)
