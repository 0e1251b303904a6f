"""Monte Carlo tree search with UCT and random rollouts (Kocsis and Szepesvári 2006), for perfect information.

A simulation walks down the tree by the upper confidence bound `mean + C · √(ln N / n)`, by chance's own
probabilities where chance moves, adds the first world that the tree does not hold, and plays on from there at
random. What the rollout says is counted on the way back. With `solve`, ends of the game are carried upwards
as proofs (Winands, Björnsson and Saito 2008): a world is proven once one move wins all that can be won or
every move is proven, and the search stops as soon as its root is.

The game is asked through its world view alone. The tree is flat arrays: one record for each world met, and
one for each of its moves.

Verified: tests/search/test_mcts.py.
"""

from collections.abc import Callable
from math import inf, nan
from random import Random
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, U32, Records
from sog.core.errors import InputError
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.core.rng import RngState, make_rng_state, next_uniform
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame
from sog.search.uct import bound_width, check_settings, upper_bound

ROOT = 0
NO_CHILD = 0  # the root is nobody's child

NODE = np.dtype(
    [
        ("actor", "u4"),
        ("first_move", "u4"),  # range in moves
        ("num_moves", "u4"),
        ("visits", "u4"),
        ("is_known", "u4"),  # 1 where the game is over, or the value proven
        ("value", "f8"),  # where known: player 0's
    ]
)
MOVE = np.dtype(
    [
        ("node", "u4"),  # where the move is made
        ("child", "u4"),  # where it leads, NO_CHILD before it has been tried
        ("visits", "u4"),
        ("returns", "f8"),  # player 0's utilities, summed over the visits
        ("chance", "f8"),  # chance's probability
    ]
)


class Tree(NamedTuple):
    """Records of a growing tree; those beyond what is in use hold nothing."""

    nodes: Records  # [N] NODE
    moves: Records  # [M] MOVE


class Findings(NamedTuple):
    """What a search has found out about the moves of its root, A of them, for the player who acts."""

    actions: tuple[int, ...]  # [A]
    visits: F64  # [A]
    means: F64  # [A] of the utilities, NaN without visits
    proven: F64  # [A] exact values, NaN where not proven
    value: float | None  # the root's exact value, None if it is not proven
    simulations: int  # may be fewer than asked for, where there was nothing left to find
    worst: float  # utility of losing all that can be lost

    def best(self) -> int:
        """Return the number of the move to play: the best if it is proven, or the most visited.

        A proven loss is no candidate while there is another move; among equals the higher mean decides.
        """
        candidates = ~(self.proven <= self.worst) if self.value is None else self.proven == self.value
        return int(np.lexsort((np.nan_to_num(self.means, nan=-inf), self.visits, candidates))[-1])


class Mcts:
    """Searches worlds of one game.

    >>> from sog.games.registry import load
    >>> search = Mcts(load("tictactoe"))
    >>> crosses, noughts = 0b000_000_011, 0b000_011_000  # two in the first row, two in the second
    >>> search.choose((crosses, noughts), simulations=200, seed=1)
    2
    """

    def __init__(self, game: AnyGame, exploration: float | None = None, solve: bool = True) -> None:
        """Take C in units of utility; by default it is as wide as utilities range."""
        if not game.info.is_perfect_information:
            raise InputError(f"mcts needs perfect information, and {game.info.name} hides something")
        self.game, self.solve = game, solve
        self.exploration = 2 * game.info.max_utility if exploration is None else exploration

    def choose(self, world: Any, simulations: int, seed: int) -> int:
        """Return the action to play."""
        findings = self.run(world, simulations, seed)
        return findings.actions[findings.best()]

    def run(
        self, world: Any, simulations: int, seed: int, should_stop: Callable[[int], bool] | None = None
    ) -> Findings:
        """Search a world in which a player acts; `should_stop` hears of every simulation."""
        check_settings(simulations, self.exploration)
        if self.game.actor(world) >= NUM_PLAYERS:
            raise ValueError("nobody has a move to choose here")
        growth = _Growth(self.game, world)
        path = np.zeros(self.game.info.max_length + 1, np.uint32)
        rng, random = make_rng_state(seed), Random(seed)
        proof = self.game.info.max_utility if self.solve else inf
        # As in OpenSpiel, the first simulation looks at the root alone.
        _back_up(0, ROOT, roll_out(self.game, world, random), proof, growth.tree, path)
        done = 1
        while done < simulations and not growth.tree.nodes[ROOT]["is_known"]:
            if should_stop is not None and should_stop(done):
                break
            length, node, ordinal, child = _descend(self.exploration, self.solve, growth.tree, path, rng)
            if child == NO_CHILD:
                child = growth.add(node, ordinal, int(path[length - 1]))
                after = growth.worlds[child]
                utility = roll_out(self.game, after, random)
            else:
                utility = float(growth.tree.nodes[child]["value"])
            _back_up(length, child, utility, proof, growth.tree, path)
            done += 1
        return _findings(growth, done, -self.game.info.max_utility)


def roll_out(game: AnyGame, world: Any, random: Random) -> float:
    """Return player 0's utility at the end of random play."""
    actor_of, legal_actions, apply, draw = game.actor, game.legal_actions, game.apply, random.random
    while (actor := actor_of(world)) != TERMINAL:
        if actor == CHANCE:
            outcomes, chances = zip(*game.chance_outcomes(world), strict=True)
            action = random.choices(outcomes, chances)[0]
        else:
            actions = legal_actions(world)
            action = actions[int(draw() * len(actions))]
        world = apply(world, action)
    return game.returns(world)[0]


class _Growth:
    """A tree with the worlds and actions behind its records."""

    def __init__(self, game: AnyGame, world: Any) -> None:
        self._game = game
        self.worlds: list[Any] = []  # [N]
        self.actions: list[tuple[int, ...]] = []  # [N] of each node
        self.tree = Tree(np.zeros(64, NODE), np.zeros(256, MOVE))
        self._num_moves = 0
        self._append(world)

    def add(self, node: int, ordinal: int, move: int) -> int:
        """Add the world that a node's move leads to, and return its node."""
        child = self._append(self._game.apply(self.worlds[node], self.actions[node][ordinal]))
        _link(move, child, self.tree)
        return child

    def _append(self, world: Any) -> int:
        game, node = self._game, len(self.worlds)
        actor = game.actor(world)
        actions: tuple[int, ...] = ()
        chances: tuple[float, ...] = ()
        utility = 0.0
        if actor == TERMINAL:
            utility = game.returns(world)[0]
        elif actor == CHANCE:
            actions, chances = zip(*game.chance_outcomes(world), strict=True)
        else:
            actions = tuple(game.legal_actions(world))
        self.worlds.append(world)
        self.actions.append(actions)
        self._reserve(node + 1, self._num_moves + len(actions))
        _write_node(node, actor, self._num_moves, len(actions), utility, self.tree)
        if chances:
            self.tree.moves["chance"][self._num_moves : self._num_moves + len(actions)] = chances
        self._num_moves += len(actions)
        return node

    def _reserve(self, num_nodes: int, num_moves: int) -> None:
        nodes, moves = self.tree
        if num_nodes > nodes.size or num_moves > moves.size:
            self.tree = Tree(_grown(nodes, num_nodes), _grown(moves, num_moves))


def _grown(records: Records, size: int) -> Records:
    """Return the records with room for at least `size` of them."""
    if size <= records.size:
        return records
    grown = np.zeros(max(size, 2 * records.size), records.dtype)
    grown[: records.size] = records
    return grown


def _findings(growth: _Growth, simulations: int, worst: float) -> Findings:
    """Read the root's moves."""
    root = growth.tree.nodes[ROOT]
    first, count = int(root["first_move"]), int(root["num_moves"])
    moves = growth.tree.moves[first : first + count]
    children = growth.tree.nodes[moves["child"]]
    sign = 1.0 if root["actor"] == 0 else -1.0
    visits = moves["visits"].astype(np.float64)
    means = np.divide(sign * moves["returns"], visits, out=np.full(count, nan), where=visits > 0)
    is_proven = (moves["child"] != NO_CHILD) & (children["is_known"] != 0)
    return Findings(
        actions=growth.actions[ROOT],
        visits=visits,
        means=means,
        proven=np.where(is_proven, sign * children["value"], nan),
        value=sign * float(root["value"]) if root["is_known"] else None,
        simulations=simulations,
        worst=worst,
    )


@kernel
def _write_node(node: int, actor: int, first_move: int, num_moves: int, utility: float, tree: Tree) -> None:
    """Fill the records of a new node and its moves; tree modified in place."""
    record = tree.nodes[np.uint64(node)]
    record["actor"], record["first_move"], record["num_moves"] = actor, first_move, num_moves
    record["is_known"], record["value"] = actor == TERMINAL, utility
    for ordinal in range(num_moves):
        tree.moves[np.uint64(first_move + ordinal)]["node"] = node


@kernel
def _link(move: int, child: int, tree: Tree) -> None:
    """Let a move lead to a node; tree modified in place."""
    tree.moves[np.uint64(move)]["child"] = child


@kernel
def _descend(
    exploration: float, solve: bool, tree: Tree, path: U32, rng: RngState
) -> tuple[int, int, int, int]:
    """Walk down to a move that has not been tried or to a node whose value is known.

    Returns the number of moves, which path [D] then holds, the node of the last one, which of its moves it
    is, and where it leads. path and rng are modified in place.
    """
    length, number = ZERO, np.uint64(ROOT)
    while True:
        node = tree.nodes[number]
        first, count = np.uint64(node["first_move"]), np.uint64(node["num_moves"])
        if node["actor"] == CHANCE:
            ordinal = _draw_outcome(first, count, tree, rng)
        else:
            ordinal = _choose(node, exploration, solve, tree, rng)
        child = np.uint64(tree.moves[first + ordinal]["child"])
        path[length] = first + ordinal
        length += ONE
        if child == np.uint64(NO_CHILD) or tree.nodes[child]["is_known"] != 0:
            return int(length), int(number), int(ordinal), int(child)
        number = child


@inlined
def _draw_outcome(first: np.uint64, count: np.uint64, tree: Tree, rng: RngState) -> np.uint64:
    """Return which of chance's moves happens."""
    drawn, chosen = next_uniform(rng) - tree.moves[first]["chance"], ZERO
    while drawn >= 0 and chosen < count - ONE:
        chosen += ONE
        drawn -= tree.moves[first + chosen]["chance"]
    return chosen


@inlined
def _choose(node: Any, exploration: float, solve: bool, tree: Tree, rng: RngState) -> np.uint64:
    """Return which move has the best confidence bound, infinite before it is tried; equals at random.

    There is nothing to explore about a proven move: its bound is its value.
    """
    sign = 1.0 if node["actor"] == 0 else -1.0
    width = bound_width(exploration, float(node["visits"]))
    best, equals, chosen = -inf, 0, ZERO
    for ordinal in range(np.uint64(node["num_moves"])):
        move = tree.moves[np.uint64(node["first_move"]) + ordinal]
        bound = inf
        if move["visits"] > 0:
            child = tree.nodes[np.uint64(move["child"])]
            if solve and child["is_known"] != 0:
                bound = sign * child["value"]
            else:
                bound = upper_bound(sign * move["returns"], float(move["visits"]), width)
        if bound > best:
            best, equals, chosen = bound, 1, np.uint64(ordinal)
        elif bound == best:
            equals += 1
            if next_uniform(rng) * equals < 1:
                chosen = np.uint64(ordinal)
    return chosen


@kernel
def _back_up(length: int, last: int, utility: float, proof: float, tree: Tree, path: U32) -> None:
    """Count player 0's utility along the path that ended in node `last`, and carry proofs upwards.

    `proof` is what a move must be worth to prove its node alone, infinite if nothing is to be proven. tree
    modified in place.
    """
    tree.nodes[np.uint64(last)]["visits"] += np.uint32(1)
    for taken in range(np.uint64(length)):
        move = tree.moves[np.uint64(path[taken])]
        move["visits"] += np.uint32(1)
        move["returns"] += utility
        tree.nodes[np.uint64(move["node"])]["visits"] += np.uint32(1)
    is_known = proof < inf and tree.nodes[np.uint64(last)]["is_known"] != 0
    step = np.uint64(length)
    while is_known and step > ZERO:
        step -= ONE
        is_known = _prove(np.uint64(tree.moves[np.uint64(path[step])]["node"]), proof, tree)


@inlined
def _prove(number: np.uint64, proof: float, tree: Tree) -> bool:
    """Note a node's exact value if its moves' values give it; tree modified in place."""
    node = tree.nodes[number]
    sign = -1.0 if node["actor"] == 1 else 1.0
    best, mean, are_all_known = -inf, 0.0, True
    for ordinal in range(np.uint64(node["num_moves"])):
        move = tree.moves[np.uint64(node["first_move"]) + ordinal]
        child = tree.nodes[np.uint64(move["child"])]
        if np.uint64(move["child"]) == np.uint64(NO_CHILD) or child["is_known"] == 0:
            are_all_known = False
        else:
            best = max(best, sign * child["value"])
            mean += move["chance"] * child["value"]
    if node["actor"] == CHANCE:
        if are_all_known:
            node["is_known"], node["value"] = 1, mean
        return are_all_known
    if are_all_known or best >= proof:
        node["is_known"], node["value"] = 1, sign * best
        return True
    return False
