"""The public view of heads-up no-limit hold'em: one view for all hands, whatever their stacks and bet sizes.

A record says everything (`hand_records`). Both players' infostates are the 1,326 hands, from the root to the
end: a hand that a card blocks stays as a row without joint weight, so all flows are contiguous. Ranges are
reach: joint weights are those of the cards alone, and sum to one at a root.

Where cards are to come and somebody can still bet, chance acts: 22,100 flops or 48 or 49 cards, which are
not listed (`WideChance`). A search leaves such states as leaves, or draws outcomes. Where both are all-in,
the hand is over: what it pays is the mean over all runouts, exactly (`sog.games.holdem.allin`).

Verified: tests/games/holdem/test_hunl_view.py.
"""

from collections.abc import Callable, Sequence
from math import comb

import numpy as np
import numpy.typing as npt

from sog.core.arrays import I32, U32, U64, Records
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.games.holdem.allin import num_runouts
from sog.games.holdem.betting import NOBODY, OOP, actor, apply, at_stake, deal, pot_size
from sog.games.holdem.cards import BOARD_SIZES, HANDS, NUM_CARDS, NUM_HANDS, Board, board_name, hand_name
from sog.games.holdem.hand_records import RECORD, HandState, pack_hands, unpack_hand
from sog.games.holdem.hands import HandBook, HandTables
from sog.games.holdem.ranges import count_deals
from sog.games.holdem.showdown import chance_weight
from sog.games.holdem.strength import RIVER_CARDS
from sog.games.holdem.view import FACTS, contiguous
from sog.games.view import NO_PARENT, Store, Successors, ViewFacts

_ALL_HANDS: I32 = np.arange(NUM_HANDS, dtype=np.int32)


class HunlView:
    """Public states of hands that begin as `draw` says."""

    dtype = RECORD

    def __init__(
        self, draw: Callable[[np.random.Generator], HandState], most_chips: float, name: str
    ) -> None:
        """most_chips: that anybody can win in a hand."""
        self._draw = draw
        everything = np.ones((NUM_PLAYERS, NUM_HANDS))
        self._book = HandBook((), everything, _ALL_HANDS)
        self._deals = count_deals(everything)  # that MEETING divides by
        self.facts = ViewFacts(name=name, max_utility=most_chips, hides_nothing=False)

    def roots(self, rng: np.random.Generator) -> Records:
        """Return the start of a hand that is drawn."""
        return pack_hands([self._draw(rng)])

    def open(self, records: Records) -> Successors:
        """Return what records are as roots: the hand is taken up there."""
        states = [unpack_hand(record) for record in records]
        states = [state._replace(root_cards=len(state.board)) for state in states]
        nothing = np.zeros(len(states), np.uint32)
        return self._describe(np.ones(len(states), np.uint32), states, (nothing, nothing))

    def successors(self, store: Store, nodes: U32) -> Successors:
        """Return what follows each move."""
        counts, children = [], []
        starts: tuple[list[int], list[int]] = ([], [])
        for record in store.records[nodes]:
            state = unpack_hand(record)
            after = [apply(state.betting, move) for move in state.moves]
            counts.append(len(after))
            children += [state._replace(betting=betting, added=0) for betting in after]
            for player in range(NUM_PLAYERS):
                step = NUM_HANDS if player == state.betting.to_act else 0
                starts[player].extend(step * ordinal for ordinal in range(len(after)))
        both = np.array(starts, np.uint32)
        return self._describe(np.array(counts, np.uint32), children, (both[0], both[1]))

    def num_outcomes(self, store: Store, nodes: U32) -> U64:
        """Return how many boards may come."""
        counts = []
        for record in store.records[nodes]:
            board = unpack_hand(record).board
            counts.append(comb(NUM_CARDS - len(board), _cards_due(board)))
        return np.array(counts, np.uint64)

    def outcomes(self, store: Store, nodes: U32, numbers: U64) -> Successors:
        """Return the states after cards, numbered in the order of `itertools.combinations`."""
        states = []
        for record, number in zip(store.records[nodes], numbers.tolist(), strict=True):
            state = unpack_hand(record)
            left = [card for card in range(NUM_CARDS) if card not in state.board]
            cards = tuple(left[place] for place in _find_places(len(left), _cards_due(state.board), number))
            states.append(state._replace(betting=deal(state.betting), board=(*state.board, *cards)))
        nothing = np.zeros(len(states), np.uint32)
        return self._describe(np.ones(len(states), np.uint32), states, (nothing, nothing))

    def draw(self, store: Store, node: int, rows: tuple[int, int], rng: np.random.Generator) -> int:
        """Return a number of cards that both hands leave, all alike likely."""
        board = unpack_hand(store.records[node]).board
        left = [card for card in range(NUM_CARDS) if card not in board]
        held = HANDS[list(rows)].ravel()
        free = np.flatnonzero(~np.isin(left, held))
        places = np.sort(rng.choice(free, _cards_due(board), replace=False))
        return _number_of(len(left), places.tolist())

    def matrices(self, dtype: npt.DTypeLike) -> HandTables:
        """Return all matrices so far, with scratch space for one caller."""
        return self._book.tables(dtype)

    def observation(self, store: Store, node: int) -> str:
        """Return the label of the move, or the cards that came."""
        parent = int(store.parents[node])
        if parent == NO_PARENT:
            return ""
        state = unpack_hand(store.records[parent])
        if actor(state.betting) == CHANCE:
            return board_name(unpack_hand(store.records[node]).board[len(state.board) :])
        return state.moves[int(store.ordinals[node])].label

    def infostate_name(self, store: Store, node: int, player: int, row: int) -> str:
        """Return the hand."""
        return hand_name(row)

    def action_names(self, store: Store, node: int, row: int) -> list[str]:
        """Return the labels of the moves."""
        return [move.label for move in unpack_hand(store.records[node]).moves]

    def _describe(self, counts: U32, states: list[HandState], starts: tuple[U32, U32]) -> Successors:
        """Return states with everything that is known of them; their flows are contiguous from `starts`."""
        facts = np.array([self._facts_of(state) for state in states], FACTS)
        rows = np.full(len(states), NUM_HANDS, np.uint32)
        return Successors(
            counts=counts,
            states=pack_hands(states),
            rows=(rows, rows),
            legal=None,
            flows=(contiguous(starts[0]), contiguous(starts[1])),
            **{name: facts[name] for name in FACTS.names or ()},
        )

    def _facts_of(self, state: HandState) -> tuple[float, ...]:
        """Return the FACTS of a state."""
        betting, board = state.betting, state.board
        mover, joint = actor(betting), self._book.meeting(board)
        if mover == CHANCE and betting.to_act == NOBODY and min(betting.committed) >= betting.stack:
            mover = TERMINAL  # all-in: only cards are missing
        pairs = comb(NUM_CARDS - state.root_cards, 2) * comb(NUM_CARDS - 2 - state.root_cards, 2)
        chance = self._deals / pairs * chance_weight(state.root_cards, len(board))
        num_actions = len(state.moves) if mover < NUM_PLAYERS else 0
        payoff, stake = joint, 0.0
        if mover == TERMINAL:
            stake = at_stake(betting)
            if betting.folded == OOP:
                stake = -stake
            elif betting.folded == NOBODY:
                is_river = len(board) == RIVER_CARDS
                payoff = self._book.beating(board) if is_river else self._book.allin(board)
                stake /= num_runouts(board)
        return mover, num_actions, joint, payoff, chance, stake * chance, pot_size(betting)


def _cards_due(board: Board) -> int:
    """Return how many cards come next."""
    return BOARD_SIZES[BOARD_SIZES.index(len(board)) + 1] - len(board)


def _find_places(count: int, size: int, number: int) -> tuple[int, ...]:
    """Return the combination of that number: `size` of so many places, ascending.

    >>> [_find_places(4, 2, number) for number in (0, 3, 5)]
    [(0, 1), (1, 2), (2, 3)]
    """
    places, at = [], 0
    for left in range(size, 0, -1):
        while number >= (below := comb(count - at - 1, left - 1)):
            number, at = number - below, at + 1
        places.append(at)
        at += 1
    return tuple(places)


def _number_of(count: int, places: Sequence[int]) -> int:
    """Return the number of a combination.

    >>> _number_of(4, (1, 2))
    3
    """
    number, at = 0, 0
    for index, place in enumerate(places):
        left = len(places) - index
        number += sum(comb(count - below - 1, left - 1) for below in range(at, place))
        at = place + 1
    return number
