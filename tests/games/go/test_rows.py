import os
import random
import subprocess
import sys

import numpy as np
import pytest

from sog.core.arrays import U32
from sog.core.jit import ONE, ZERO, kernel
from sog.games.base import TERMINAL
from sog.games.go.game import Go
from sog.games.go.layout import TO_PLAY, U64, GoRules, Positions, make_positions, make_rules
from sog.games.go.rows import fill_planes, lead, list_legal, make_move, outcome


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
def _black_gets(
    rules: GoRules, positions: Positions, row: np.uint64, actions: U32, points: float, deepest: U64
) -> bool:
    """Whether black can lead by that many points at the end; a row and a stretch of actions for each move."""
    deepest[0] = max(deepest[0], row)
    if outcome(rules, positions, row)[0]:
        return lead(rules, positions, row) >= points
    is_black = positions.longs[row * rules.row_length + np.uint64(TO_PLAY)] == ZERO
    at = row * (rules.pass_action + ONE)
    count = list_legal(rules, positions, row, actions, at)
    for i in range(count):
        action = np.uint64(actions[at + count - ONE - i])  # passes first: they end the search soonest
        make_move(rules, positions, row, row + ONE, action)
        if _black_gets(rules, positions, row + ONE, actions, points, deepest) == is_black:
            return bool(is_black)
    return not is_black


@pytest.mark.parametrize("points", [-4, -1, 0, 1, 2, 4])
def test_the_smallest_board_is_worth_one_point(points: int) -> None:
    """Known from Tromp's solution of 2x2 by area with positional superko; kernels call kernels here."""
    max_length = 100
    rules = make_rules(size=2, komi=0.5, max_length=max_length)
    positions, deepest = make_positions(rules, max_length + 1), np.zeros(1, np.uint64)
    actions = np.zeros((max_length + 1) * 5, np.uint32)
    assert _black_gets(rules, positions, ZERO, actions, float(points), deepest) == (points <= 1)
    assert 1 < deepest[0] < max_length


PLAIN = """
import random
import numpy as np
from sog.core.rng import make_rng_state
from sog.games.go.game import Go
from sog.games.go.layout import make_positions
from tests.games.go.playouts import play_out_often
game, rng = Go(size=4), random.Random(1)
world = game.initial_world()
while game.actor(world) < 2:
    world = game.apply(world, rng.choice(game.legal_actions(world)))
print(world, game.score(world), game.planes(world).sum())
positions = make_positions(game.rules, 2)
print(play_out_often(game.rules, positions, np.uint64(0), np.uint64(1), True, 3, make_rng_state(2)))
"""


def test_plain_python_gives_the_same() -> None:
    """Without compilation, too."""
    results = []
    for disabled in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-W", "ignore", "-c", PLAIN]
        run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        results.append(run.stdout)
    assert results[0] == results[1]
