"""How the hands of a solved hold'em spot play at a node, and what they are worth there.

EV is what a hand wins from here on, in chips, when both play the solution: what it gets out of the pot minus
what it still pays, so that folding is worth 0. It is the counterfactual value divided by the weight of the
opponent's hands that can be met. Equity is the share of the pot that the hand would win if both checked
from here to the showdown: the value of the same spot without bets, which is exact on every street.

A solve that was saved without rivers is solved again from the river on when a river is looked at, with the
ranges that its average policies bring there.

Verified: tests/interfaces/cli/test_holdem_command.py, tests/interfaces/cli/test_without_rivers.py.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, Float
from sog.core.errors import InputError
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.games.holdem.betting import Betting, actor, find_move, legal_moves, pot_size
from sog.games.holdem.cards import NUM_CARDS, NUM_HANDS, card_name, compatible_hands, parse_card
from sog.games.holdem.ranges import count_deals, met_weights
from sog.games.holdem.showdown import chance_weight
from sog.games.holdem.spot import Spot
from sog.games.holdem.strength import RIVER_CARDS
from sog.poker.equity import win_showdowns
from sog.poker.scenes import Look, Scene, after_card, all_scenes, first_scene, look, node_path
from sog.poker.spot_solver import SpotSolver
from sog.poker.streets import Street
from sog.poker.visits import ANSWER

PLAYERS = ("out of position", "in position")
RIVER_SHARE, RIVER_ITERATIONS = 0.001, 1000  # a river is solved to that share of its pot, or so long
_KEPT_LOOKS = 4
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

    solved: "SolvedSpot"  # that it belongs to: the whole spot, or a river that was solved again
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

    def __init__(self, spot: Spot, solver: SpotSolver, path: str = "") -> None:
        """path: the moves and cards that lead to the spot."""
        self.spot, self.solver = spot, solver
        self._first = first_scene(solver)._replace(paths=(path,))
        self._seen: list[tuple[Scene, Look]] = []

    def decisions(self) -> Iterator[Node]:
        """Go through the nodes where a player decides, street after street, as far as they were saved."""
        for scene in all_scenes(self._first):
            if scene.street_node.below or self.solver.has_rivers:
                decisions = np.flatnonzero(scene.street_node.street.layout.actor < NUM_PLAYERS)
                yield from (Node(self, scene, node) for node in decisions.tolist())

    def find(self, path: str) -> Node:
        """Return the decision that moves and cards lead to: `check,bet100`, `check,check,Ah`."""
        node = self.start()
        for word in (word.strip() for word in path.split(",") if word.strip()):
            node = self.step(node, word)
        if actor(node.betting) == TERMINAL:
            raise InputError(f"--node {path!r}: the hand is over there")
        if actor(node.betting) == CHANCE:
            example = next(card_name(card) for card in range(NUM_CARDS) if card not in node.scene.cards)
            raise InputError(f"--node {path!r}: a card comes next; add one, such as {example}")
        return node

    def start(self) -> Node:
        """Return the first decision."""
        return Node(self, self._first, self._first.street_node.street.starts[0])

    def step(self, node: Node, word: str) -> Node:
        """Return the node after a move or a card."""
        if node.solved is not self:
            return node.solved.step(node, word)
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
                if not after.street_node.below and not self.solver.has_rivers:
                    return self._solve_river(node, after, start)
                return Node(self, after, after.street_node.street.starts[start])
            moves = legal_moves(node.betting, self.spot.sizes)
            ordinal = moves.index(find_move(node.betting, moves, word))
            return Node(self, scene, node.street.layout.children(node.number)[ordinal])
        except InputError as error:
            here = node_path(scene, node.number)
            raise InputError(f"--node, after {here!r}: {error}" if here else f"--node: {error}") from None

    def _solve_river(self, node: Node, after: Scene, start: int) -> Node:
        """Return the first decision of a river, solved from the ranges with which the players come to it."""
        betting = after.street_node.street.bettings[after.street_node.street.starts[start]]
        ranges = np.array([self.reach(node, player) for player in range(NUM_PLAYERS)])
        ranges *= compatible_hands(after.cards)
        if not (ranges[0] * _met_weights(ranges[1])).any():
            raise InputError(f"no two hands get to {after.paths[start]!r}: there is nothing to solve")
        spot = self.spot._replace(
            board=after.cards, betting=betting, street_start=betting, history=(), ranges=ranges
        )
        solver = SpotSolver(spot, self.solver.algorithm.name, threads=1)
        if actor(betting) < NUM_PLAYERS:
            solver.run(iterations=RIVER_ITERATIONS, until=RIVER_SHARE * pot_size(betting))
        return SolvedSpot(spot, solver, after.paths[start]).start()

    def _look(self, scene: Scene) -> Look:
        for known, seen in self._seen:
            if known is scene:
                return seen
        self._seen = [(scene, look(self.solver, scene)), *self._seen[: _KEPT_LOOKS - 1]]
        return self._seen[0][1]

    def strategy(self, node: Node) -> NodeStrategy:
        """Return how the hands play at a decision, and their EV."""
        if node.solved is not self:
            return node.solved.strategy(node)
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

    def best_values(self, node: Node) -> F64:
        """Return what the hands of the player to act win at best, the opponent playing on as it does: [1326].

        In chips from the start of the hand on; 0 for hands that meet nothing.
        """
        scene, player = node.scene, node.betting.to_act
        met = _met_weights(self.reach(node, 1 - player))
        way = [*scene.above, (scene.street_node, scene.board)]
        work = self.solver.visit_alone(ANSWER, way, (player == 0, player == 1))
        slot, _ = node.street.layout.decision_slots(node.number)
        both, count = (work[0].values, work[1].values), len(legal_moves(node.betting, self.spot.sizes))
        best = np.max([_by_hand(scene, player, both, slot + number) for number in range(count)], axis=0)
        weight = self._own_weight(scene, player) * met
        return np.asarray(np.divide(best, weight, out=np.zeros(NUM_HANDS), where=weight > 0))

    def _own_weight(self, scene: Scene, player: int) -> F64:
        """Return what the values of a hand's row are multiplied by apart from the opponent: [1326]."""
        chance = chance_weight(len(self.spot.board), len(scene.cards))
        rows, weight = scene.rows(player), np.zeros(NUM_HANDS)
        alike = np.bincount(rows.row)[rows.row]  # a row has the values of all its hands
        weight[rows.hands] = alike * self.spot.ranges[player][rows.hands]
        return np.asarray(weight * (chance / count_deals(self.spot.ranges)))

    def equity(self, node: Node) -> F64:
        """Return each hand's share of the pot if both check from here on, NaN where undefined: [1326]."""
        if node.solved is not self:
            return node.solved.equity(node)
        scene, player = node.scene, node.betting.to_act
        slot = int(node.street.layout.slot[1 - player][node.number])
        rows, theirs = scene.rows(player), scene.rows(1 - player)
        reach = self._look(scene).reach[1 - player][slot * theirs.size : (slot + 1) * theirs.size]
        won = win_showdowns(self.solver.levels, node.street.depth, scene.board, player, reach)
        # The weights of player 0's hands are divided by that of all deals.
        scale = count_deals(self.spot.ranges) if player == 1 else 1.0
        scale *= chance_weight(len(scene.cards), RIVER_CARDS)
        alike = np.bincount(rows.row)[rows.row]
        met = _met_weights(self.reach(node, 1 - player))[rows.hands]
        equity = np.full(NUM_HANDS, np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            equity[rows.hands] = np.where(met > 0, (scale * won[rows.row] / alike / met + 1) / 2, np.nan)
        return equity


def _met_weights(weights: F64) -> F64:
    """Return the weight of the hands that each hand can meet, 0 where only rounding is left: [1326]."""
    met = met_weights(weights)
    return np.where(met > _NOTHING_MET * weights.sum(), met, 0.0)


def _by_hand(scene: Scene, player: int, both: tuple[Float, Float], slot: int) -> F64:
    """Return what stands in a slot's row for each hand, 0 for hands that have none: [1326]."""
    rows, values = scene.rows(player), np.zeros(NUM_HANDS)
    values[rows.hands] = both[player][slot * rows.size + rows.row]
    return values
