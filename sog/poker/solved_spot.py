"""How the hands of a solved hold'em spot play at a node, and what they are worth there.

EV is what a hand wins from here on, in chips, when both play the solution: what it gets out of the pot minus
what it still pays, so that folding is worth 0. It is the counterfactual value divided by the weight of the
opponent's hands that can be met. Equity is the share of the pot that the hand would win if both checked
from here to the showdown: the value of the same spot without bets, which is exact on every street.

Verified: tests/interfaces/test_holdem_command.py.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, Float
from sog.core.errors import InputError
from sog.core.jit import kernel
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.games.holdem.betting import Betting, actor, find_move, legal_moves, pot_size
from sog.games.holdem.cards import NUM_CARDS, NUM_HANDS, Board, card_name, compatible_hands, parse_card
from sog.games.holdem.hands import HandBook, HandTables
from sog.games.holdem.ranges import count_deals, met_weights
from sog.games.holdem.showdown import NUM_UNSEEN, chance_weight
from sog.games.holdem.spot import Spot
from sog.games.holdem.strength import RIVER_CARDS
from sog.games.products import LEAF, Leaves, multiply_leaves
from sog.poker.scenes import Look, Scene, after_card, all_scenes, first_scene, look, node_path
from sog.poker.spot_solver import SpotSolver
from sog.poker.streets import Street

PLAYERS = ("out of position", "in position")
_NOTHING_MET = 1e-12  # of the opponent's weight: a hand that meets less has no value to speak of


class NodeStrategy(NamedTuple):
    """How the player to act plays at a node. A actions, hands in the order of all 1,326."""

    path: str  # the moves and cards that lead there
    player: int
    board: tuple[int, ...]
    pot: int
    actions: list[str]
    policy: F64  # [A, 1326]
    reach: F64  # [1326] range weight times the probability of playing to here; 0 for impossible hands
    met: F64  # [1326] weight of the opponent's hands that a hand can meet here
    ev: F64  # [1326] chips from here on, NaN where undefined
    action_evs: F64  # [A, 1326] the same after each action


class Node(NamedTuple):
    """A decision: a node of a scene's street."""

    scene: Scene
    number: int

    @property
    def street(self) -> Street:
        """The street that it is in."""
        return self.scene.street_node.street

    @property
    def betting(self) -> Betting:
        """What has been bet."""
        return self.street.bettings[self.number]


class SolvedSpot:
    """A solved spot to ask about its nodes; what was seen last is kept."""

    def __init__(self, spot: Spot, solver: SpotSolver) -> None:
        self.spot, self.solver = spot, solver
        self._seen: tuple[Scene, Look] | None = None

    def decisions(self) -> Iterator[Node]:
        """Go through the nodes where a player decides, street after street."""
        for scene in all_scenes(first_scene(self.solver)):
            decisions = np.flatnonzero(scene.street_node.street.layout.actor < NUM_PLAYERS)
            yield from (Node(scene, node) for node in decisions.tolist())

    def find(self, path: str) -> Node:
        """Return the decision that moves and cards lead to: `check,bet100`, `check,check,Ah`."""
        scene = first_scene(self.solver)
        node = Node(scene, scene.street_node.street.starts[0])
        for word in (word.strip() for word in path.split(",") if word.strip()):
            node = self._step(node, word)
        if actor(node.betting) == TERMINAL:
            raise InputError(f"--node {path!r}: the hand is over there")
        if actor(node.betting) == CHANCE:
            example = next(card_name(card) for card in range(NUM_CARDS) if card not in node.scene.cards)
            raise InputError(f"--node {path!r}: a card comes next; add one, such as {example}")
        return node

    def _step(self, node: Node, word: str) -> Node:
        """Return the node after a move or a card."""
        scene, mover = node.scene, actor(node.betting)
        try:
            if mover == TERMINAL:
                raise InputError(f"{word!r} comes after the hand is over")
            if mover == CHANCE:
                leaf = node.street.layout.frontier.tolist().index(node.number)
                number, start = next(
                    (number, link.leaves.tolist().index(leaf))
                    for number, link in enumerate(node.street.below)
                    if leaf in link.leaves
                )
                after = after_card(scene, scene.street_node.below[number], parse_card(word))
                return Node(after, after.street_node.street.starts[start])
            moves = legal_moves(node.betting, self.spot.sizes)
            ordinal = moves.index(find_move(node.betting, moves, word))
            return Node(scene, node.street.layout.children(node.number)[ordinal])
        except InputError as error:
            here = node_path(scene, node.number)
            raise InputError(f"--node, after {here!r}: {error}" if here else f"--node: {error}") from None

    def _look(self, scene: Scene) -> Look:
        if self._seen is None or self._seen[0] is not scene:
            self._seen = scene, look(self.solver, scene)
        return self._seen[1]

    def strategy(self, node: Node) -> NodeStrategy:
        """Return how the hands play at a decision, and their EV."""
        scene, betting = node.scene, node.betting
        player, seen = betting.to_act, self._look(scene)
        slot, _ = node.street.layout.decision_slots(node.number)
        actions = [move.label for move in legal_moves(betting, self.spot.sizes)]
        policy = np.array([_by_hand(scene, player, seen.policy, slot + n) for n in range(len(actions))])
        values = np.array([_by_hand(scene, player, seen.values, slot + n) for n in range(len(actions))])
        paid = betting.committed[player] + betting.dead / 2
        met = _met_weights(self.reach(node, 1 - player))
        weight = self._own_weight(scene, player) * met
        with np.errstate(divide="ignore", invalid="ignore"):
            action_evs = np.where(weight > 0, values / weight, np.nan) + paid
        return NodeStrategy(
            path=node_path(scene, node.number),
            player=player,
            board=scene.cards,
            pot=pot_size(betting),
            actions=actions,
            policy=policy,
            reach=self.reach(node, player),
            met=met,
            ev=(policy * action_evs).sum(axis=0),
            action_evs=action_evs,
        )

    def reach(self, node: Node, player: int) -> F64:
        """Return the weight with which each hand of a player gets to a node: [1326]."""
        slot = int(node.street.layout.slot[player][node.number])
        reach = _by_hand(node.scene, player, self._look(node.scene).reach, slot)
        return np.asarray(reach * self.spot.ranges[player])

    def _own_weight(self, scene: Scene, player: int) -> F64:
        """Return what the values of a hand's row are multiplied by apart from the opponent: [1326]."""
        chance = chance_weight(len(self.spot.board), len(scene.cards))
        rows, weight = scene.rows(player), np.zeros(NUM_HANDS)
        alike = np.bincount(rows.row)[rows.row]  # a row has the values of all its hands
        weight[rows.hands] = alike * self.spot.ranges[player][rows.hands]
        return np.asarray(weight * (chance / count_deals(self.spot.ranges)))

    def equity(self, node: Node) -> F64:
        """Return each hand's share of the pot if both check from here on, NaN where undefined: [1326]."""
        board, player = node.scene.cards, node.betting.to_act
        ranges = np.array([self.reach(node, 0), self.reach(node, 1)])
        mine = np.where(
            self.spot.ranges[player] > 0, 1.0, 0.0
        )  # a hand that never gets here has an equity too
        ranges[player] = np.where(compatible_hands(board), mine, 0.0)
        met = ranges[player] * _met_weights(ranges[1 - player])
        if not met.any():  # no hand can be met
            return np.full(NUM_HANDS, np.nan)
        won = _win_showdowns(board, ranges, player) * count_deals(ranges)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(met > 0, (won / met + 1) / 2, np.nan)


def _win_showdowns(board: Board, ranges: F64, player: int) -> F64:
    """Return what each hand wins and loses at showdowns for one chip, over all cards to come: [1326]."""
    hands = np.flatnonzero(compatible_hands(board)).astype(np.int32)
    book, missing = HandBook(board, ranges, hands), RIVER_CARDS - len(board)
    left = [card for card in range(NUM_CARDS) if card not in board]
    numbers = [book.beating((*board, *cards)) for cards in combinations(left, missing)]
    leaf = np.zeros(len(numbers), LEAF)
    leaf["rows"], leaf["value"] = hands.size, hands.size * np.arange(len(numbers))
    leaves = Leaves(
        nodes=np.arange(len(numbers), dtype=np.uint32),
        size=np.uint64(len(numbers)),
        own=leaf,
        other=leaf,
        numbers=np.array(numbers, np.uint32),
        scales=np.full(len(numbers), 1 / comb(NUM_UNSEEN - len(board), missing)),
        is_negated=player == 1,
    )
    values = np.zeros(hands.size * len(numbers))
    _multiply(book.tables(np.float64), player, leaves, np.ones(hands.size), values)
    won = np.zeros(NUM_HANDS)
    won[hands] = values.reshape(-1, hands.size).sum(axis=0)
    return won


@kernel
def _multiply(tables: HandTables, player: int, leaves: Leaves, reach: F64, values: F64) -> None:
    """`multiply_leaves`, to be called from here; values modified in place."""
    multiply_leaves(tables, player, leaves, reach, values)


def _met_weights(weights: F64) -> F64:
    """Return the weight of the hands that each hand can meet, 0 where only rounding is left: [1326]."""
    met = met_weights(weights)
    return np.where(met > _NOTHING_MET * weights.sum(), met, 0.0)


def _by_hand(scene: Scene, player: int, both: tuple[Float, Float], slot: int) -> F64:
    """Return what stands in a slot's row for each hand, 0 for hands that have none: [1326]."""
    rows, values = scene.rows(player), np.zeros(NUM_HANDS)
    values[rows.hands] = both[player][slot * rows.size + rows.row]
    return values
