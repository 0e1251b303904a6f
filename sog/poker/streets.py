"""A hold'em spot cut into streets, so that one betting tree serves every card that may come.

The betting does not depend on the cards. A `Street` is the betting of one street from several starts; a leaf
at which a card comes goes on as a start of a street below. Which cards may come is told apart from that:
`Level` lists the boards of a street, with the hands that each leaves (by strength on the river), and `Deals`
how hands go from a board to the boards after it. Whatever is known of hands and moves on a street, such as
regrets, is then an array over boards and slots.

Boards that are alike but for the names of suits are taken once (`sog.games.holdem.isomorphism`); `Deals` says
for each card which board stands for it and where its hands are there.

Starts are put together until a street is wide enough: leaves are evaluated eight at a time, and most starts
after an all-in have only one.

Verified: tests/poker/test_spot_solver.py (against the whole tree, card by card).
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sog.core.arrays import I32, U32, Records
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.games.holdem.betting import Betting, actor, apply, deal, legal_moves
from sog.games.holdem.cards import NUM_HANDS, compatible_hands
from sog.games.holdem.isomorphism import (
    NO_ORBIT,
    find_card_orbits,
    find_symmetries,
    fix_card,
    rename_cards,
    rename_hands,
)
from sog.games.holdem.showdown import Boards, chance_weight, collect_boards
from sog.games.holdem.spot import Spot
from sog.games.holdem.strength import RIVER_CARDS, order_by_strength
from sog.games.holdem.view import RECORD, contiguous, pack_states, unpack_state
from sog.games.matrices import ONES, Matrices, MatrixBook
from sog.games.view import Store, Successors, ViewFacts
from sog.poker.ends import collect_ends
from sog.public.layout import Layout, lay_out
from sog.public.store import ROOT, StateStore

MIN_MOVES = 40  # starts are put together until a street has so many; more do not fit a core's cache


class StreetView:
    """The betting of one street, apart from the cards: at the root no start has been chosen yet.

    A record has the betting and no board; that of the root says nothing.
    """

    dtype = RECORD

    def __init__(self, spot: Spot, starts: list[Betting], rows: int) -> None:
        self.spot, self.starts, self.rows = spot, starts, rows
        self.facts = ViewFacts(name=spot.name, max_utility=float(spot.betting.stack), hides_nothing=False)

    def roots(self, rng: np.random.Generator) -> Records:
        """Return the state in which no start has been chosen."""
        return np.zeros(1, RECORD)

    def open(self, records: Records) -> Successors:
        """Return the root: a chance node with the rows of all starts."""
        count, nothing = np.array([self.rows * len(self.starts)], np.uint32), np.zeros(1, np.uint32)
        return _describe(np.ones(1, np.uint32), records, [(CHANCE, 0)], count, (nothing, nothing))

    def successors(self, store: Store, nodes: U32) -> Successors:
        """Return the starts, or what follows a move."""
        counts, children = [], []
        starts: list[list[int]] = [[], []]
        for node in nodes.tolist():
            if node == ROOT:
                after, movers = self.starts, range(NUM_PLAYERS)
            else:
                betting, _ = unpack_state(store.records[node])
                after = [apply(betting, move) for move in legal_moves(betting, self.spot.sizes)]
                movers = range(betting.to_act, betting.to_act + 1)
            counts.append(len(after))
            children += after
            for player in range(NUM_PLAYERS):
                step = self.rows if player in movers else 0
                starts[player].extend(step * ordinal for ordinal in range(len(after)))
        return _describe(
            np.array(counts, np.uint32),
            pack_states([(betting, ()) for betting in children]),
            [self._turn(betting) for betting in children],
            np.full(len(children), self.rows, np.uint32),
            (np.array(starts[0], np.uint32), np.array(starts[1], np.uint32)),
        )

    def matrices(self, dtype: npt.DTypeLike) -> Matrices:
        """Return matrices that say nothing of the cards."""
        return MatrixBook().tables(dtype)

    def _turn(self, betting: Betting) -> tuple[int, int]:
        """Return who acts and from how many moves; the street ends where a card comes."""
        mover = actor(betting)
        if mover >= NUM_PLAYERS:
            return TERMINAL, 0
        return mover, len(legal_moves(betting, self.spot.sizes))


def _describe(
    counts: U32, records: Records, turns: list[tuple[int, int]], rows: U32, starts: tuple[U32, U32]
) -> Successors:
    """Return states whose flows are contiguous from `starts`; turns: who acts and from how many moves."""
    size, (actors, num_actions) = len(records), np.array(turns, np.uint32).T
    ones, matrix = np.ones(size), np.full(size, ONES, np.uint32)
    return Successors(
        counts=counts,
        states=records,
        actor=actors,
        num_actions=num_actions,
        rows=(rows, rows),
        legal=None,
        flows=(contiguous(starts[0]), contiguous(starts[1])),
        joint=matrix,
        payoff=matrix,
        joint_scale=ones,
        payoff_scale=ones,
        value_scale=ones,
    )


@dataclass(frozen=True)
class Street:
    """The betting of one street from several starts. N nodes, E folds and showdowns, B batches of them."""

    depth: int  # streets above it
    layout: Layout
    bettings: list[Betting]  # [N]; the root's says nothing
    labels: list[str]  # [N] of the move to a node; the number of a start
    ends: Records  # [E] END
    batches: Records  # [B] BATCH
    below: list["Continuation"] = field(default_factory=list)

    @property
    def starts(self) -> range:
        """The nodes of the starts."""
        return self.layout.children(ROOT)

    def path(self, node: int) -> list[str]:
        """Return the number of the start and the moves that lead to a node."""
        labels: list[str] = []
        while node != ROOT:
            labels.append(self.labels[node])
            node = int(self.layout.parent[node])
        return labels[::-1]


class Continuation(NamedTuple):
    """A street that goes on where leaves of the street above get a card."""

    street: Street
    leaves: U32  # [R] leaf of the street above that start r continues


class Deals(NamedTuple):
    """From P boards to the C cards after them and the B boards that stand for these; H hands each."""

    first_board: U32  # [P + 1] range in the next level's boards
    origin: U32  # [B * H] row of the hand on the board above
    first_card: U32  # [P + 1] range of a board's cards
    card: I32  # [C] the card
    card_board: U32  # [C] board of the next level that stands for it
    card_origin: U32  # [C * H] row above whose hand is worth, after the card, what a row is on that board
    suits: I32  # [C, 4] the renaming of suits that makes the card the one of that board


class Level(NamedTuple):
    """All boards of a street. B boards, H hands."""

    boards: list[tuple[int, ...]]  # [B] in the order in which cards came
    hands: I32  # [B, H] the hands of the rows
    tables: Boards
    deals: Deals | None  # to the next street's boards


def make_levels(spot: Spot, num_levels: int, use_suits: bool, dtype: Any) -> list[Level]:
    """Return the boards of `num_levels` streets; `use_suits` takes boards of alike suits once."""
    symmetries = find_symmetries(spot.board, spot.ranges)
    groups = [symmetries if use_suits else symmetries[:1]]  # renamings that keep each board, identity first
    boards, hands, levels = [spot.board], spot.hands[None, :], []
    for _ in range(num_levels - 1):
        deals, next_boards, next_hands, groups = _deal(boards, hands, groups)
        levels.append(_make_level(spot, boards, hands, deals, dtype))
        boards, hands = next_boards, next_hands
    levels.append(_make_level(spot, boards, hands, None, dtype))
    return levels


def count_boards(spot: Spot, num_levels: int) -> list[int]:
    """Return how many boards each street has, those of alike suits taken once."""
    boards, groups = [spot.board], [find_symmetries(spot.board, spot.ranges)]
    counts = [1]
    for _ in range(num_levels - 1):
        after = [
            ((*board, card), fix_card(group, card))
            for board, group in zip(boards, groups, strict=True)
            for card in find_card_orbits(group, board).representatives.tolist()
        ]
        boards, groups = [board for board, _ in after], [group for _, group in after]
        counts.append(len(boards))
    return counts


def _make_level(
    spot: Spot, boards: list[tuple[int, ...]], hands: I32, deals: Deals | None, dtype: Any
) -> Level:
    return Level(boards, hands, collect_boards(spot.ranges, boards, list(hands), dtype), deals)


def _deal(
    boards: list[tuple[int, ...]], hands: I32, groups: list[I32]
) -> tuple[Deals, list[tuple[int, ...]], I32, list[I32]]:
    """Return the deals from all boards, and the boards, hands and renamings after them."""
    next_boards: list[tuple[int, ...]] = []
    next_hands: list[I32] = []
    next_groups: list[I32] = []
    first_board, first_card = [0], [0]
    cards, card_board, suits = [], [], []
    origin, card_origin = [], []
    for board, rows, group in zip(boards, hands, groups, strict=True):
        row_of = np.zeros(NUM_HANDS, np.uint32)
        row_of[rows] = np.arange(rows.size)
        orbits = find_card_orbits(group, board)
        for card in orbits.representatives.tolist():
            next_boards.append((*board, card))
            next_hands.append(_rows_of((*board, card)))
            next_groups.append(fix_card(group, card))
            origin.append(row_of[next_hands[-1]])
        for card in np.flatnonzero(orbits.orbit_of != NO_ORBIT).tolist():
            number = first_board[-1] + int(orbits.orbit_of[card])
            stand_in = next_boards[number][-1]
            renaming = next(row for row in group if rename_cards(row)[card] == stand_in)
            cards.append(card)
            card_board.append(number)
            suits.append(renaming)
            card_origin.append(row_of[restore_hands(renaming)[next_hands[number]]])
        first_board.append(len(next_boards))
        first_card.append(len(cards))
    deals = Deals(
        first_board=np.array(first_board, np.uint32),
        origin=np.concatenate(origin),
        first_card=np.array(first_card, np.uint32),
        card=np.array(cards, np.int32),
        card_board=np.array(card_board, np.uint32),
        card_origin=np.concatenate(card_origin),
        suits=np.array(suits, np.int32),
    )
    return deals, next_boards, np.array(next_hands), next_groups


def restore_hands(suits: I32) -> U32:
    """Return which hand becomes each hand when suits are renamed: [1326]."""
    hands = np.zeros(NUM_HANDS, np.uint32)
    hands[rename_hands(suits.tolist())] = np.arange(NUM_HANDS)
    return hands


def _rows_of(board: tuple[int, ...]) -> I32:
    """Return the hands that a board leaves, by strength on the river."""
    hands = np.flatnonzero(compatible_hands(board)).astype(np.int32)
    return order_by_strength(board, hands) if len(board) == RIVER_CARDS else hands


def make_street(spot: Spot, starts: list[Betting], depth: int = 0) -> Street:
    """Return the betting from these starts to the end of the hand, street below street."""
    num_cards = len(spot.board) + depth
    rows = int(np.count_nonzero(compatible_hands(range(num_cards))))
    store = StateStore(StreetView(spot, starts, rows))
    layout = lay_out(store)
    bettings = [unpack_state(record)[0] for record in store.records[layout.nodes]]
    leaves = [(leaf, bettings[node]) for leaf, node in enumerate(layout.frontier)]
    endings = [(leaf, betting) for leaf, betting in leaves if actor(betting) == TERMINAL]
    deals = [(leaf, deal(betting)) for leaf, betting in leaves if actor(betting) == CHANCE]
    chance = chance_weight(len(spot.board), num_cards)
    labels = _label_nodes(spot, layout, bettings)
    street = Street(depth, layout, bettings, labels, *collect_ends(endings, chance))
    for group in _put_together(deals, spot):
        numbers = np.array([leaf for leaf, _ in group], np.uint32)
        below = make_street(spot, [start for _, start in group], depth + 1)
        street.below.append(Continuation(below, numbers))
    return street


def _label_nodes(spot: Spot, layout: Layout, bettings: list[Betting]) -> list[str]:
    """Return the label of the move that leads to each node: [N]."""
    labels = ["", *(str(number) for number in range(len(layout.children(ROOT))))]
    for node in range(1, layout.num_nodes):
        if layout.actor[node] < NUM_PLAYERS:
            labels += [move.label for move in legal_moves(bettings[node], spot.sizes)]
    return labels


def _put_together(deals: list[tuple[int, Betting]], spot: Spot) -> list[list[tuple[int, Betting]]]:
    """Cut (leaf, start) pairs into groups, small starts together."""
    groups: list[list[tuple[int, Betting]]] = []
    room = 0
    sizes = [(_count_moves(start, spot), number) for number, (_, start) in enumerate(deals)]
    for moves, number in sorted(sizes):
        if room <= 0:
            groups.append([])
            room = MIN_MOVES
        groups[-1].append(deals[number])
        room -= 1 + moves  # a start that is a showdown at once counts too
    return groups


def _count_moves(state: Betting, spot: Spot) -> int:
    """Return the moves of all decisions on a street from a state on."""
    if actor(state) in (CHANCE, TERMINAL):
        return 0
    moves = legal_moves(state, spot.sizes)
    return len(moves) + sum(_count_moves(apply(state, move), spot) for move in moves)
