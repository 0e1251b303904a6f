"""Compact examples unpack to what the rules say, seen from every side of the board."""

import numpy as np
import pytest

from sog.core.rng import make_rng
from sog.games.base import TERMINAL, AnyGame
from sog.games.registry import load
from sog.nets.spec import Sizes, sizes_of
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.training.batches import ILLEGAL
from sog.training.examples import OUTCOME, PLAYED
from sog.training.records import ExampleWriter, SearchTarget
from tests.training.dense import dense

GAMES = ["tictactoe", "connect_four", "breakthrough(rows=4,columns=3)", "go(size=3)", "chess"]


def sizes_for(game: AnyGame) -> Sizes:
    assert game.encoding is not None
    return sizes_of(game.encoding)


def some_targets(store: StateStore, count: int, seed: int) -> list[SearchTarget]:
    """Return targets along a random game, with policies and values drawn at random."""
    rng, node, targets = make_rng(seed), ROOT, list[SearchTarget]()
    while len(targets) < count and store.actor(node) != TERMINAL:
        moves = store.num_actions(node)
        value = rng.uniform(-1, 1)
        policy = rng.dirichlet(np.ones(moves))[:, None]
        targets.append(
            SearchTarget(
                node, (np.ones(1), np.ones(1)), (np.array([value]), np.array([-value])), policy, PLAYED
            )
        )
        node = store.children(node)[int(rng.integers(moves))]
    return targets


@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_is_what_is_unpacked(name: str) -> None:
    game = load(name)
    store, sizes = open_store(game), sizes_for(game)
    targets = some_targets(store, 40, seed=1)
    examples = dense(game, ExampleWriter(store).write(targets))
    sides = 1 if game.symmetries is None else len(game.symmetries.squares)
    turns = make_rng(3).integers(sides, size=len(targets))
    assert game.symmetries is None or len(set(turns.tolist())) > 1
    for index, target in enumerate(targets):
        world = game.initial_world()
        for ordinal in store.route(target.node):
            world = game.apply(world, game.legal_actions(world)[ordinal])
        planes = np.array(game.public_features(world), np.float32)
        planes = planes.reshape(sizes.features[0], -1)
        moves = list(game.legal_actions(world))
        if game.symmetries is not None:
            turned = np.zeros_like(planes)
            turned[:, list(game.symmetries.squares[turns[index]])] = planes
            planes = turned
            moves = [game.symmetries.choices[turns[index]][move] for move in moves]
        np.testing.assert_allclose(examples.features[index], planes.ravel(), rtol=2**-10)
        np.testing.assert_allclose(examples.policies[index, 0, moves], target.policy[:, 0], atol=5e-3)
        assert np.count_nonzero(examples.policies[index] != ILLEGAL) == len(moves)
        value = target.values[store.actor(target.node)][0]  # of the player to move
        np.testing.assert_allclose(examples.values[index], [value, -value], rtol=2**-10)
    assert np.all(examples.beliefs == 1)
    assert np.all(examples.origins == PLAYED)


def test_outcomes_take_the_place_of_values() -> None:
    game = load("connect_four")
    store = open_store(game)
    targets, lost = some_targets(store, 5, seed=2), np.outer([-1.0, 1.0], np.ones(5))
    packed = dense(game, ExampleWriter(store).write_outcomes(targets, [(0, 0)] * 5, lost))
    assert packed.values[:, 0].tolist() == [-1, 1, -1, 1, -1]  # player 0 lost, every other move is player 0's
    assert packed.origins.tolist() == [OUTCOME] * 5
    mixed = dense(game, ExampleWriter(store).write_outcomes(targets, [(0, 0)] * 5, lost, bootstrap=0.25))
    expected = [
        sign * (-0.75 + 0.25 * target.values[0][0])
        for sign, target in zip((1, -1, 1, -1, 1), targets, strict=True)
    ]
    np.testing.assert_allclose(mixed.values[:, 0], expected, rtol=2**-10)


def test_examples_of_large_boards_are_small() -> None:
    for name, most in (("chess", 1_450), ("go(size=19)", 2_200), ("connect_four", 120)):
        store = open_store(load(name))
        examples = ExampleWriter(store).write(some_targets(store, 20, seed=1))
        assert examples.num_bytes / examples.size < most
