"""How large a game is: histories, infostates and public states.

Histories and public states include the root and those in which chance moves. In a game of perfect
information every history is a public state of its own, and worlds reached in several ways have equal futures:
such games are counted world by world, level by level, without a tree.

Verified: tests/interfaces/test_tree_sizes.py.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sog.games.base import CHANCE, TERMINAL, AnyGame, PublicStates
from sog.interfaces.progress import building
from sog.interfaces.tree_building import MORE_STATES, TreeTooLargeError, build_limited_tree
from sog.public.derived import WAIT
from sog.public.tree import PublicTree

_CURE = f"--depth N looks at the first N moves, {MORE_STATES}"


class Sizes(NamedTuple):
    """The counts of a public tree."""

    histories: int
    terminal_histories: int
    chance_nodes: int  # histories in which chance moves next
    infostates: int  # in which a player decides
    infostates_by_player: tuple[int, int]
    public_states: int
    public_decision_states: int
    public_chance_states: int
    public_terminal_states: int
    depth: int  # moves on the longest path
    is_complete: bool  # no depth limit has cut anything off


def measure(game: AnyGame, max_states: int, max_depth: int | None = None) -> Sizes:
    """Count a game's tree, whole or to a depth."""
    if game.info.is_perfect_information:
        with building(game.info.name) as report:
            return count_worlds(game, max_states, max_depth, report)
    return count_tree(build_limited_tree(game, max_states, max_depth, _CURE))


def count_tree(tree: PublicTree[Any]) -> Sizes:
    """Count a tree that has been built."""
    histories: Counter[int] = Counter()
    for node in range(tree.num_nodes):
        histories.update(_count_histories(tree, node))
    frontier = tree.actor.values[~tree.is_expanded.values]
    infostates = _count_infostates(tree, 0), _count_infostates(tree, 1)
    return Sizes(
        histories=histories.total(),
        terminal_histories=histories[TERMINAL],
        chance_nodes=histories[CHANCE],
        infostates=sum(infostates),
        infostates_by_player=infostates,
        public_states=tree.num_nodes,
        public_decision_states=tree.count(0) + tree.count(1),
        public_chance_states=tree.count(CHANCE),
        public_terminal_states=tree.count(TERMINAL),
        depth=int(tree.depth.values.max()),
        is_complete=bool((frontier == TERMINAL).all()),
    )


def _count_histories(tree: PublicTree[Any], node: int) -> Counter[int]:
    """Return how many histories of a node have each actor, leaving out those that wait and come again."""
    state, game = tree.states[node], tree.view.game  # type: ignore[attr-defined]
    if game.public_view is PublicStates.OBSERVED:
        return Counter({state.actor: int(state.histories.sum())})
    counts: Counter[int] = Counter()
    for world, number in zip(state.worlds, state.histories.tolist(), strict=True):
        actor = game.actor(world)
        if actor == state.actor or not tree.is_expanded[node]:
            counts[actor] += number
    return counts


def _count_infostates(tree: PublicTree[Any], player: int) -> int:
    """Return how many infostates a player decides in, those at the frontier of a cut tree too."""
    states = (tree.states[node] for node in np.flatnonzero(tree.actor.values == player))
    return sum(actions[0] != WAIT for state in states for actions in state.legal)


def count_worlds(
    game: AnyGame, max_states: int, max_depth: int | None = None, report: Callable[[int], None] | None = None
) -> Sizes:
    """Count a game of perfect information; at most `max_states` worlds are looked at."""
    histories: Counter[int] = Counter()
    level: Counter[Any] = Counter({game.initial_world(): 1})  # how many histories lead to each world
    depth, num_worlds = 0, 0
    while True:
        below: Counter[Any] = Counter()
        for world, ways in level.items():
            actor = game.actor(world)
            histories[actor] += ways
            num_worlds += 1
            if depth != max_depth:
                for move in _moves(game, world, actor):
                    below[game.apply(world, move)] += ways
            if num_worlds + len(below) > max_states:
                raise TreeTooLargeError(game, f"{max_states:,} positions", _CURE)
            if report is not None and num_worlds % 256 == 0:
                report(histories.total())
        if not below:
            break
        level, depth = below, depth + 1
    is_complete = all(game.actor(world) == TERMINAL for world in level)
    return Sizes(
        histories=histories.total(),
        terminal_histories=histories[TERMINAL],
        chance_nodes=histories[CHANCE],
        infostates=histories[0] + histories[1],
        infostates_by_player=(histories[0], histories[1]),
        public_states=histories.total(),
        public_decision_states=histories[0] + histories[1],
        public_chance_states=histories[CHANCE],
        public_terminal_states=histories[TERMINAL],
        depth=depth,
        is_complete=is_complete,
    )


def _moves(game: AnyGame, world: Any, actor: int) -> tuple[int, ...]:
    if actor == TERMINAL:
        return ()
    if actor == CHANCE:
        return tuple(outcome for outcome, _ in game.chance_outcomes(world))
    return game.legal_actions(world)
