"""The public view of a hold'em spot: a record is the betting and the board.

Both players' infostates are the hands that the spot's first board leaves, all the way down: a hand that a
later card blocks stays as a row without joint weight. So all flows are contiguous. Ranges and card removal
are in the matrices (`sog.games.holdem.hands`), chance's probability of the cards is in their scales.

Verified: tests/games/holdem/test_view.py.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sog.core.arrays import U32, Records
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.games.holdem.betting import (
    NOBODY,
    OOP,
    Betting,
    actor,
    apply,
    at_stake,
    deal,
    legal_moves,
    pot_size,
)
from sog.games.holdem.cards import BOARD_SIZES, NUM_CARDS, Board, board_name, hand_name
from sog.games.holdem.hands import HandBook, HandTables
from sog.games.holdem.showdown import chance_weight
from sog.games.holdem.strength import RIVER_CARDS
from sog.games.view import NO_PARENT, Flows, Heard, Store, Successors, ViewFacts

if TYPE_CHECKING:
    from sog.games.holdem.spot import Spot

NO_CARD = 0xFF  # on the board, where a card is still to come
RECORD = np.dtype(
    [
        *((name, "i4", (NUM_PLAYERS,) if name == "committed" else ()) for name in Betting._fields),
        ("board", "u1", (RIVER_CARDS,)),
    ]
)
FACTS = np.dtype(
    [
        ("actor", "u4"),
        ("num_actions", "u4"),
        ("joint", "u4"),
        ("payoff", "u4"),
        ("joint_scale", "f8"),
        ("payoff_scale", "f8"),
        ("value_scale", "f8"),
    ]
)
_State = tuple[Betting, Board]


def pack_states(states: list[_State]) -> Records:
    """Return the records of states."""
    return np.array(
        [(*betting, (*board, *[NO_CARD] * (RIVER_CARDS - len(board)))) for betting, board in states], RECORD
    )


def unpack_state(record: Any) -> _State:
    """Return the betting and the board of a record."""
    street, committed, *rest, board = record.item()
    cards = tuple(card for card in board.tolist() if card != NO_CARD)
    return Betting(street, tuple(committed.tolist()), *rest), cards


def contiguous(start: U32) -> Flows:
    """Return flows that lead all infostates in their order."""
    return Flows(start, np.zeros(start.size + 1, np.uint32), np.zeros(0, np.uint32), np.zeros(0, np.uint32))


class SpotView:
    """Public states of a spot."""

    dtype = RECORD

    def __init__(self, spot: "Spot") -> None:
        self.spot, self.hands = spot, spot.hands
        self._book = HandBook(spot.board, spot.ranges, self.hands)
        largest = spot.betting.stack + spot.betting.dead / 2
        self.facts = ViewFacts(name=spot.name, max_utility=largest, hides_nothing=False)

    def roots(self, rng: np.random.Generator) -> Records:
        """Return the start of the spot."""
        return pack_states([(self.spot.betting, self.spot.board)])

    def open(self, records: Records) -> Successors:
        """Return what records are as roots."""
        count, states = len(records), [unpack_state(record) for record in records]
        nothing = np.zeros(count, np.uint32)
        return self._describe(np.ones(count, np.uint32), states, (nothing, nothing))

    def successors(self, store: Store, nodes: U32) -> Successors:
        """Return what follows a move, or every next card (all flops, 22,100, before the flop)."""
        counts, children = [], []
        starts: tuple[list[int], list[int]] = ([], [])
        for record in store.records[nodes]:
            betting, board = unpack_state(record)
            after = self._after(betting, board)
            counts.append(len(after))
            children += after
            for player in range(NUM_PLAYERS):
                step = self.hands.size if player == betting.to_act else 0
                starts[player].extend(step * ordinal for ordinal in range(len(after)))
        both = np.array(starts, np.uint32)
        return self._describe(np.array(counts, np.uint32), children, (both[0], both[1]))

    def matrices(self, dtype: npt.DTypeLike) -> HandTables:
        """Return all matrices so far, with scratch space for one caller."""
        return self._book.tables(dtype)

    def observation(self, store: Store, node: int) -> str:
        """Return the label of the move, or the cards that came."""
        parent = int(store.parents[node])
        if parent == NO_PARENT:
            return ""
        betting, board = unpack_state(store.records[parent])
        if actor(betting) == CHANCE:
            return board_name(unpack_state(store.records[node])[1][len(board) :])
        return legal_moves(betting, self.spot.sizes)[int(store.ordinals[node])].label

    def infostate_name(self, store: Store, node: int, player: int, row: int) -> str:
        """Return the hand."""
        return hand_name(int(self.hands[row]))

    def action_names(self, store: Store, node: int, row: int) -> list[str]:
        """Return the labels of the moves."""
        return [move.label for move in legal_moves(unpack_state(store.records[node])[0], self.spot.sizes)]

    def hear(self, store: Store, child: int, seat: int, row: int) -> Heard:
        """Return a move or the cards that came; at the start, the seat's own hand."""
        is_root = int(store.parents[child]) == NO_PARENT
        return Heard(self.observation(store, child), hand_name(int(self.hands[row])) if is_root else None)

    def follow(self, store: Store, node: int, seat: int, row: int, heard: Sequence[Heard]) -> tuple[int, int]:
        """Return where moves and cards lead; the first thing that a seat hears is its own hand."""
        for step in heard:
            if step.private is not None:
                row = [hand_name(int(hand)) for hand in self.hands].index(str(step.private))
                continue
            seen = [child for child in store.children(node) if self.observation(store, child) == step.public]
            if not seen:
                raise ValueError(f"{self.facts.name}: {str(step.public)[:40]!r} cannot be seen here")
            node = seen[0]
        return node, row

    def _after(self, betting: Betting, board: Board) -> list[_State]:
        """Return the states after one."""
        if actor(betting) != CHANCE:
            return [(apply(betting, move), board) for move in legal_moves(betting, self.spot.sizes)]
        left, after = [card for card in range(NUM_CARDS) if card not in board], deal(betting)
        missing = BOARD_SIZES[after.street] - len(board)
        return [(after, (*board, *cards)) for cards in combinations(left, missing)]

    def _describe(self, counts: U32, states: list[_State], starts: tuple[U32, U32]) -> Successors:
        """Return states with everything that is known of them; their flows are contiguous from `starts`."""
        facts = np.array([self._facts_of(*state) for state in states], FACTS)
        rows = np.full(len(states), self.hands.size, np.uint32)
        return Successors(
            counts=counts,
            states=pack_states(states),
            rows=(rows, rows),
            legal=None,
            flows=(contiguous(starts[0]), contiguous(starts[1])),
            **{name: facts[name] for name in FACTS.names or ()},
        )

    def _facts_of(self, betting: Betting, board: Board) -> tuple[float, ...]:
        """Return the FACTS of a state."""
        mover, chance = actor(betting), chance_weight(len(self.spot.board), len(board))
        num_actions = len(legal_moves(betting, self.spot.sizes)) if mover < NUM_PLAYERS else 0
        joint = self._book.meeting(board)
        payoff, stake = joint, 0.0
        if mover == TERMINAL:
            stake = at_stake(betting)
            if betting.folded == NOBODY:
                payoff = self._book.beating(board)
            elif betting.folded == OOP:
                stake = -stake
        return mover, num_actions, joint, payoff, chance, stake * chance, pot_size(betting)
