import random

import numpy as np

from sog.core.arrays import U32
from sog.core.jit import ONE, ZERO, kernel
from sog.games.base import TERMINAL
from sog.games.go.game import Go, GoWorld
from sog.games.go.layout import GoRules, Positions, make_positions
from sog.games.go.rows import fill_planes, list_legal, make_move, outcome


def test_a_tree_of_rows_is_a_tree_of_worlds() -> None:
    """Nodes are made from any earlier node, in any order, as searches do."""
    game, rng = Go(size=3, komi=0.5), random.Random(1)
    num_rows = 400
    positions = make_positions(game.rules, num_rows)
    worlds, actions = [game.initial_world()], np.full(30, 77, np.uint32)
    while len(worlds) < num_rows:
        source = rng.randrange(len(worlds))
        if game.actor(worlds[source]) == TERMINAL:
            continue
        action = rng.choice(game.legal_actions(worlds[source]))
        target = len(worlds)
        make_move(game.rules, positions, np.uint64(source), np.uint64(target), np.uint64(action))
        worlds.append(game.apply(worlds[source], action))
    for row, world in enumerate(worlds):
        assert game.world_of(positions, row).lines() == world.lines()
        is_over, value = outcome(game.rules, positions, np.uint64(row))
        assert is_over == (game.actor(world) == TERMINAL)
        if is_over:
            assert value == game.returns(world)[0]
            continue
        count = int(list_legal(game.rules, positions, np.uint64(row), actions, np.uint64(5)))
        assert tuple(actions[5 : 5 + count].tolist()) == game.legal_actions(world)
        assert (actions[:5] == 77).all()
        planes = np.zeros(2 + 17 * 9, np.float32)
        fill_planes(game.rules, positions, np.uint64(row), planes, np.uint64(2))
        assert (planes[2:] == game.planes(world).reshape(-1)).all()
        assert not planes[:2].any()


def test_rows_and_worlds_change_into_each_other() -> None:
    game = Go(size=5)
    worlds = [game.initial_world()]
    for action in (3, 4, 25, 9):
        worlds.append(game.apply(worlds[-1], action))
    rows = game.rows_of(worlds)
    assert [game.world_of(rows, number) for number in range(5)] == worlds


@kernel
def _count_plays(
    rules: GoRules, positions: Positions, row: np.uint64, depth: np.uint64, actions: U32
) -> np.uint64:
    """Count the plays of `depth` moves from a row on, with a row and a stretch of actions for each depth."""
    if depth == ZERO or outcome(rules, positions, row)[0]:
        return ONE
    at = row * (rules.pass_action + ONE)
    total = ZERO
    for i in range(list_legal(rules, positions, row, actions, at)):
        make_move(rules, positions, row, row + ONE, np.uint64(actions[at + i]))
        total += _count_plays(rules, positions, row + ONE, depth - ONE, actions)
    return total


def test_kernels_may_call_them() -> None:
    def count(world: GoWorld, depth: int) -> int:
        if depth == 0 or game.actor(world) == TERMINAL:
            return 1
        return sum(count(game.apply(world, action), depth - 1) for action in game.legal_actions(world))

    game = Go(size=2)
    positions = make_positions(game.rules, 8)
    actions = np.zeros(8 * 5, np.uint32)
    counted = _count_plays(game.rules, positions, ZERO, np.uint64(6), actions)
    assert int(counted) == count(game.initial_world(), 6)
