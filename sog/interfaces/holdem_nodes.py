"""How the hands of a solved hold'em spot play at a node, and what they are worth there.

EV is what a hand wins from here on, in chips, when both play the solution: what it gets out of the pot minus
what it still pays, so that folding is worth 0. It is the counterfactual value divided by the weight of the
opponent's hands that can be met. Equity is the share of the pot that the hand would win if everybody checked
from here to the showdown: the value of the same spot without bets, which is exact on every street.

Verified: tests/interfaces/test_holdem_command.py.
"""

from collections.abc import Iterator
from math import prod
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import F64, Float
from sog.core.errors import InputError
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.games.holdem.bet_sizes import BetSizes, Menu, StreetSizes
from sog.games.holdem.betting import find_move, legal_moves, pot_size
from sog.games.holdem.cards import (
    HANDS,
    NUM_CARDS,
    NUM_HANDS,
    board_name,
    card_name,
    compatible_hands,
    parse_card,
)
from sog.games.holdem.spot import Spot, count_deals, make_spot
from sog.public.frontier import evaluate_frontier
from sog.public.holdem import HoldemState, HoldemView
from sog.public.showdown import collect_holdem_payoffs
from sog.public.tree import ROOT, PublicTree, grow_fully
from sog.solvers.evaluation import Profile
from sog.solvers.solver import Solver
from sog.solvers.traversal import MEAN, pull_values

PLAYERS = ("out of position", "in position")
_NOTHING_MET = 1e-12  # of the opponent's weight: a hand that meets less has no value to speak of
_NO_BETS = BetSizes(*[StreetSizes(Menu((), False), Menu((), False))] * 4)


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


class SolvedSpot:
    """A solved spot to ask about its nodes; the passes over the tree are made once."""

    def __init__(self, spot: Spot, solver: Solver) -> None:
        self.spot, self.solver = spot, solver
        self.tree: PublicTree[HoldemState] = solver.tree
        self._hands = spot.hands
        self._policy = solver.policy()
        self._reach = solver.reach(self._policy)
        self._values = [
            _slot_values(solver, player, self._policy, self._reach) for player in range(NUM_PLAYERS)
        ]

    def decisions(self) -> Iterator[int]:
        """Go through the nodes where a player decides."""
        return (node for node in range(self.tree.num_nodes) if self.tree.actor[node] < NUM_PLAYERS)

    def find(self, path: str) -> int:
        """Return the decision that moves and cards lead to: `check,bet100`, `check,check,Ah`."""
        node = ROOT
        for word in (word.strip() for word in path.split(",") if word.strip()):
            node = self.tree.children[node][self._find_child(node, word)]
        state = self.tree.states[node]
        if self.tree.actor[node] == TERMINAL:
            raise InputError(f"--node {path!r}: the hand is over there")
        if self.tree.actor[node] == CHANCE:
            example = next(card_name(card) for card in range(NUM_CARDS) if card not in state.board)
            raise InputError(f"--node {path!r}: a card comes next; add one, such as {example}")
        return node

    def _find_child(self, node: int, word: str) -> int:
        state, actor = self.tree.states[node], self.tree.actor[node]
        try:
            if actor == TERMINAL:
                raise InputError(f"{word!r} comes after the hand is over")
            if actor == CHANCE:
                cards = [card for card in range(NUM_CARDS) if card not in state.board]
                card = parse_card(word)
                if card not in cards:
                    raise InputError(f"{card_name(card)} is on the board {board_name(state.board)} already")
                return cards.index(card)
            moves = legal_moves(state.betting, self.spot.sizes)
            return moves.index(find_move(state.betting, moves, word))
        except InputError as error:
            here = ",".join(self.tree.path(node))
            raise InputError(f"--node, after {here!r}: {error}" if here else f"--node: {error}") from None

    def strategy(self, node: int) -> NodeStrategy:
        """Return how the hands play at a decision, and their EV."""
        tree, player = self.tree, int(self.tree.actor[node])
        state = tree.states[node]
        steps, step = tree.steps[player], int(tree.decision_step[node])
        rows, output = int(steps.rows[step]), int(steps.output[step])
        actions = [move.label for move in legal_moves(state.betting, self.spot.sizes)]
        block = slice(output, output + len(actions) * rows)
        policy = self._policy[player][block].reshape(len(actions), rows).astype(np.float64)
        values = self._values[player][block].reshape(len(actions), rows).astype(np.float64)
        paid = state.betting.committed[player] + state.betting.dead / 2
        met = met_weights(self.reach(node, 1 - player))
        weight = self._own_weight(node, player) * met[self._hands]
        with np.errstate(divide="ignore", invalid="ignore"):
            action_evs = np.where(weight > 0, values / weight, np.nan) + paid
        return NodeStrategy(
            path=",".join(tree.path(node)),
            player=player,
            board=state.board,
            pot=pot_size(state.betting),
            actions=actions,
            policy=self._spread(policy, 0.0),
            reach=self.reach(node, player),
            met=met,
            ev=self._spread((policy * action_evs).sum(axis=0), np.nan),
            action_evs=self._spread(action_evs, np.nan),
        )

    def reach(self, node: int, player: int) -> F64:
        """Return the weight with which each hand of a player gets to a node: [1326]."""
        slot = int(self.tree.slot[player][node])
        reach = self._reach[player][slot : slot + self._hands.size].astype(np.float64)
        weights = self._spread(reach, 0.0) * self.spot.ranges[player]
        return np.where(compatible_hands(self.tree.states[node].board), weights, 0.0)

    def _own_weight(self, node: int, player: int) -> F64:
        """Return what a hand's counterfactual values are multiplied by apart from the opponent: [H]."""
        state = self.tree.states[node]
        chance = prod(1 / (48 - size) for size in range(len(self.spot.board), len(state.board)))
        dealt = self.spot.ranges[player] * chance / count_deals(self.spot)
        return np.where(compatible_hands(state.board), dealt, 0.0)[self._hands]

    def _spread(self, values: Any, missing: float) -> F64:
        """Return values of the spot's hands as values of all hands: [..., H] to [..., 1326]."""
        spread = np.full((*values.shape[:-1], NUM_HANDS), missing)
        spread[..., self._hands] = values
        return spread

    def equity(self, node: int) -> F64:
        """Return each hand's share of the pot if both check from here on, NaN where undefined: [1326]."""
        state, player = self.tree.states[node], int(self.tree.actor[node])
        ranges = np.array([self.reach(node, 0), self.reach(node, 1)])
        mine = np.where(
            self.spot.ranges[player] > 0, 1.0, 0.0
        )  # a hand that never gets here has an equity too
        ranges[player] = np.where(compatible_hands(state.board), mine, 0.0)
        try:
            spot = make_spot(state.board, 2, 1, _NO_BETS, ranges)
        except InputError:  # nobody to meet
            return np.full(NUM_HANDS, np.nan)
        tree: PublicTree[Any] = grow_fully(PublicTree(HoldemView(spot)))
        layout = tree.layout()
        payoffs = collect_holdem_payoffs(tree, layout, np.float64)
        leaves = np.zeros(layout.num_values[player])
        ones = np.ones(layout.num_slots[1 - player])
        evaluate_frontier(layout.players[player], layout.players[1 - player], payoffs, player, ones, leaves)
        values = leaves.reshape(-1, spot.hands.size).sum(axis=0)  # every leaf is a showdown of all hands
        met = (spot.ranges[player] * met_weights(spot.ranges[1 - player]))[spot.hands] / count_deals(spot)
        equity = np.full(NUM_HANDS, np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            equity[spot.hands] = np.where(met > 0, (values / met + 1) / 2, np.nan)
        return equity


def met_weights(weights: F64) -> F64:
    """Return the total weight of the hands that share no card with each hand. Both: [1326]."""
    by_card = np.zeros(NUM_CARDS)
    for place in range(2):
        np.add.at(by_card, HANDS[:, place], weights)
    met = weights.sum() - by_card[HANDS[:, 0]] - by_card[HANDS[:, 1]] + weights
    return np.where(met > _NOTHING_MET * weights.sum(), met, 0.0)


def _slot_values(solver: Solver, player: int, policy: Profile, reach: Profile) -> Float:
    """Return a player's counterfactual values of all slots when both play `policy`."""
    layout, dtype = solver.layout, policy[player].dtype
    own, other = layout.players[player], layout.players[1 - player]
    leaves = np.zeros(layout.num_values[player], dtype)
    rows, values = np.zeros(layout.num_rows[player], dtype), np.zeros(layout.num_slots[player], dtype)
    evaluate_frontier(own, other, solver.evaluation.payoffs, player, reach[1 - player], leaves)
    pull_values(own, MEAN, leaves, policy[player], rows, values)
    return values
