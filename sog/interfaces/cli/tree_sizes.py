"""How large a game is: histories, infostates and public states.

Histories and public states include the root and those in which chance moves. In a game of perfect
information every history is a public state of its own, and worlds reached in several ways have equal futures:
such games are counted world by world, level by level, without a tree.

Verified: tests/interfaces/cli/test_tree_sizes.py.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.interfaces.cli.progress import building
from sog.interfaces.cli.tree_building import MORE_STATES, build_limited_tree
from sog.public.derived import WAIT, DerivedState, DerivedView
from sog.public.enumeration import Enumeration
from sog.public.limits import TreeTooLargeError

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
    view = DerivedView(game)
    return count_tree(view, build_limited_tree(game, max_states, max_depth, _CURE, view))


def count_tree(view: DerivedView, found: Enumeration) -> Sizes:
    """Count the public states, and the histories in them, that were enumerated through a view."""
    store, layout = found
    states = [view.state(store, node) for node in layout.nodes]
    histories: Counter[int] = Counter()
    for state, size in zip(states, layout.num_children, strict=True):
        histories.update(_count_histories(view, state, is_expanded=size > 0))
    infostates = _count_infostates(states, 0), _count_infostates(states, 1)
    return Sizes(
        histories=histories.total(),
        terminal_histories=histories[TERMINAL],
        chance_nodes=histories[CHANCE],
        infostates=sum(infostates),
        infostates_by_player=infostates,
        public_states=layout.num_nodes,
        public_decision_states=layout.count(0) + layout.count(1),
        public_chance_states=layout.count(CHANCE),
        public_terminal_states=layout.count(TERMINAL),
        depth=int(layout.depth.max()),
        is_complete=bool((layout.actor[layout.frontier] == TERMINAL).all()),
    )


def _count_histories(view: DerivedView, state: DerivedState, is_expanded: bool) -> Counter[int]:
    """Return how many histories of a state have each actor, leaving out those that wait and come again."""
    counts: Counter[int] = Counter()
    for world, number in zip(state.worlds, state.histories.tolist(), strict=True):
        actor = view.game.actor(world)
        if actor == state.actor or not is_expanded:
            counts[actor] += number
    return counts


def _count_infostates(states: list[DerivedState], player: int) -> int:
    """Return how many infostates a player decides in, those at the frontier of a cut tree too."""
    return sum(actions[0] != WAIT for state in states if state.actor == player for actions in state.legal)


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
                for move in game.moves(world):
                    below[game.apply(world, move)] += ways
            if num_worlds + len(below) > max_states:
                raise TreeTooLargeError(game.info.name, f"more than {max_states:,} positions", _CURE)
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
