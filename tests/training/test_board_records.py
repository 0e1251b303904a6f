"""Compact examples unpack to what the rules say, seen from every side of the board."""

import numpy as np
import pytest

from sog.core.rng import make_rng
from sog.games.base import TERMINAL, AnyGame
from sog.games.registry import load
from sog.nets.spec import Sizes, sizes_of
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.training.board_records import BoardUnpacker, BoardWriter, allocate_board_examples
from sog.training.records import ILLEGAL, OUTCOME, PLAYED, Finding

GAMES = ["tictactoe", "connect_four", "breakthrough(rows=4,columns=3)", "go(size=3)", "chess"]


def sizes_for(game: AnyGame) -> Sizes:
    assert game.encoding is not None
    return sizes_of(game.encoding)


def some_findings(store: StateStore, count: int, seed: int) -> list[Finding]:
    """Return findings along a random game, with policies and values drawn at random."""
    rng, node, findings = make_rng(seed), ROOT, list[Finding]()
    while len(findings) < count and store.actor(node) != TERMINAL:
        moves = store.num_actions(node)
        value = rng.uniform(-1, 1)
        policy = rng.dirichlet(np.ones(moves))[:, None]
        findings.append(
            Finding(node, (np.ones(1), np.ones(1)), (np.array([value]), np.array([-value])), policy, PLAYED)
        )
        node = store.children(node)[int(rng.integers(moves))]
    return findings


@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_is_what_is_unpacked(name: str) -> None:
    game = load(name)
    store, sizes = open_store(game), sizes_for(game)
    findings = some_findings(store, 40, seed=1)
    packed = BoardWriter(store, sizes).write(findings)
    examples = BoardUnpacker(game, sizes).unpack(packed, make_rng(3))
    sides = 1 if game.symmetries is None else len(game.symmetries.squares)
    turns = make_rng(3).integers(sides, size=len(findings))
    assert game.symmetries is None or len(set(turns.tolist())) > 1
    for index, finding in enumerate(findings):
        world = game.initial_world()
        for ordinal in store.route(finding.node):
            world = game.apply(world, game.legal_actions(world)[ordinal])
        planes = np.array(game.public_features(world), np.float32)
        planes = planes.reshape(sizes.features[0], -1)
        moves = list(game.legal_actions(world))
        if game.symmetries is not None:
            turned = np.zeros_like(planes)
            turned[:, list(game.symmetries.squares[turns[index]])] = planes
            planes = turned
            moves = [game.symmetries.choices[turns[index]][move] for move in moves]
        np.testing.assert_array_equal(examples.features[index], planes.ravel())
        np.testing.assert_allclose(examples.policies[index, 0, moves], finding.policy[:, 0], rtol=2e-3)
        assert np.count_nonzero(examples.policies[index] != ILLEGAL) == len(moves)
        value = finding.values[store.actor(finding.node)][0]  # of the player to move
        np.testing.assert_allclose(examples.values[index], [value, -value], rtol=1e-6)
    assert np.all(examples.beliefs == 1)
    assert np.all(examples.origins == PLAYED)


def test_outcomes_take_the_place_of_values() -> None:
    game = load("connect_four")
    store, sizes = open_store(game), sizes_for(game)
    findings = some_findings(store, 5, seed=2)
    packed = BoardWriter(store, sizes).write_outcomes(findings, [(0, 0)] * 5, -1.0)
    assert packed.values.tolist() == [-1, 1, -1, 1, -1]  # player 0 lost, every other move is player 0's
    assert packed.origins.tolist() == [OUTCOME] * 5
    mixed = BoardWriter(store, sizes).write_outcomes(findings, [(0, 0)] * 5, -1.0, bootstrap=0.25)
    expected = [
        sign * (-0.75 + 0.25 * finding.values[0][0])
        for sign, finding in zip((1, -1, 1, -1, 1), findings, strict=True)
    ]
    np.testing.assert_allclose(mixed.values, expected, rtol=1e-6)


def test_examples_of_large_boards_are_small() -> None:
    for name, most in (("chess", 3_000), ("go(size=19)", 2_500), ("connect_four", 70)):
        examples = allocate_board_examples(sizes_for(load(name)), 1)
        assert sum(array.nbytes for array in examples) < most
