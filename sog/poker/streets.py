"""A hold'em spot cut into streets, so that one betting tree serves every card that may come.

The betting does not depend on the cards. A `Street` is the betting of one street from several starts, laid
out for one hand of each player: on a board that leaves H hands of a player, each of that player's slots is a
row of H. A leaf at which a card comes goes on as a start of a street below. Which cards may come is told
apart from that: `Level` lists the boards of a street, with the hands of each player's range that each leaves
(by strength on the river), and `Deals` how hands go from a board to the boards after it. Whatever is known of
hands and moves on a street, such as regrets, is then an array over boards, slots and rows.

Boards and hands that are alike but for the names of suits are taken once (`sog.games.holdem.isomorphism`). A
row that stands for several hands has the sum of their values, a board counts once for each card that it
stands for.

Starts are put together until a street is wide enough: leaves are evaluated eight at a time, and most starts
after an all-in have only one.

Verified: tests/poker/test_spot_solver.py (against the whole tree, card by card).
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sog.core.arrays import F64, I32, U16, U32, Records
from sog.core.simd import LANES
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.games.holdem.betting import Betting, actor, apply, deal, legal_moves
from sog.games.holdem.cards import NUM_HANDS, NUM_SUITS, Board, compatible_hands
from sog.games.holdem.isomorphism import (
    NO_ORBIT,
    find_card_orbits,
    find_symmetries,
    fix_card,
    rename_cards,
    rename_hands,
)
from sog.games.holdem.showdown import HandLists, Rows, chance_weight, list_hands, read_rows
from sog.games.holdem.spot import Spot
from sog.games.holdem.strength import RIVER_CARDS, order_by_strength
from sog.games.holdem.view import RECORD, contiguous, pack_states, unpack_state
from sog.games.matrices import ONES, Matrices, MatrixBook
from sog.games.view import Store, Successors, ViewFacts
from sog.poker.ends import collect_ends
from sog.public.layout import Layout, lay_out
from sog.public.store import ROOT, StateStore

MIN_CELLS = 45_000  # starts are put together until a street has so many moves times hands; a core's cache


class StreetView:
    """The betting of one street, apart from the cards: at the root no start has been chosen yet.

    A record has the betting and no board; that of the root says nothing.
    """

    dtype = RECORD

    def __init__(self, spot: Spot, starts: list[Betting]) -> None:
        self.spot, self.starts = spot, starts
        self.facts = ViewFacts(name=spot.name, max_utility=float(spot.betting.stack), hides_nothing=False)

    def roots(self, rng: np.random.Generator) -> Records:
        """Return the state in which no start has been chosen."""
        return np.zeros(1, RECORD)

    def open(self, records: Records) -> Successors:
        """Return the root: a chance node with a row for each start."""
        count, nothing = np.array([len(self.starts)], np.uint32), np.zeros(1, np.uint32)
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
                step = 1 if player in movers else 0
                starts[player].extend(step * ordinal for ordinal in range(len(after)))
        return _describe(
            np.array(counts, np.uint32),
            pack_states([(betting, ()) for betting in children]),
            [self._turn(betting) for betting in children],
            np.ones(len(children), np.uint32),
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
    layout: Layout  # for one hand of each player
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
    """From P boards to the C cards after them and the B boards that stand for these, with R rows in all."""

    first_board: U32  # [P + 1] range in the next level's boards
    copies: U32  # [B] cards that a board stands for
    origin: tuple[U16, U16]  # [R] of each player: row on the board above
    first_card: U32  # [P + 1] range of a board's cards
    card: I32  # [C] the card
    card_board: U32  # [C] board of the next level that stands for it
    suits: I32  # [C, 4] the renaming of suits that makes the card the one of that board


class Level(NamedTuple):
    """All boards of a street. B boards."""

    boards: list[Board]  # [B] in the order in which cards came
    lists: tuple[HandLists, HandLists]
    deals: Deals | None  # to the next street's boards

    def num_rows(self, player: int, board: int) -> int:
        """Return how many rows a player has on a board."""
        first_row = self.lists[player].first_row
        return int(first_row[board + 1]) - int(first_row[board])

    def most_rows(self, player: int) -> int:
        """Return how many rows a player has on a board at most."""
        return int(np.diff(self.lists[player].first_row).max())

    def rows(self, board: int) -> tuple[Rows, Rows]:
        """Return both players' hands on a board."""
        return read_rows(self.lists[0], board), read_rows(self.lists[1], board)


def make_levels(spot: Spot, num_levels: int, use_suits: bool, dtype: Any) -> list[Level]:
    """Return the boards of `num_levels` streets; `use_suits` takes boards and hands of alike suits once."""
    symmetries = _find_symmetries(spot)
    groups = [symmetries if use_suits else symmetries[:1]]  # renamings that keep each board, identity first
    boards, rows, levels = [spot.board], [_list_rows(spot.ranges, spot.board, groups[0])], []
    for _ in range(num_levels - 1):
        deals, next_boards, next_rows, groups = _deal(spot, boards, rows, groups)
        levels.append(Level(boards, list_hands(spot.ranges, boards, rows, dtype), deals))
        boards, rows = next_boards, next_rows
    levels.append(Level(boards, list_hands(spot.ranges, boards, rows, dtype), None))
    return levels


def _find_symmetries(spot: Spot) -> I32:
    """Return the renamings of suits that leave board, ranges and locked strategies as they are."""
    weights = [
        spot.ranges,
        *(lock.policy for lock in spot.locks),
        *(lock.is_locked[None] for lock in spot.locks),
    ]
    return find_symmetries(spot.board, np.concatenate(weights))


def count_rows(spot: Spot, num_levels: int) -> list[tuple[int, int, int]]:
    """Return the boards of each street and the rows of both players on them, alike suits taken once."""
    boards, groups, counts = [spot.board], [_find_symmetries(spot)], []
    for level in range(num_levels):
        sizes = [
            [_num_rows(hands, group) for hands in _held_hands(spot.ranges, board)]
            for board, group in zip(boards, groups, strict=True)
        ]
        first, second = np.array(sizes).sum(axis=0).tolist()
        counts.append((len(boards), first, second))
        if level < num_levels - 1:
            after = [
                ((*board, card), fix_card(group, card))
                for board, group in zip(boards, groups, strict=True)
                for card in find_card_orbits(group, board).representatives.tolist()
            ]
            boards, groups = [board for board, _ in after], [group for _, group in after]
    return counts


def _num_rows(hands: I32, group: I32) -> int:
    # Renamings leave a range as it is, so it has all hands that are alike, or none.
    return _round_up(int(np.count_nonzero(_first_alike(group.tobytes())[hands] == hands)))


def _round_up(rows: int) -> int:
    """Return a number of rows that fills whole vectors."""
    return -(-rows // LANES) * LANES


@cache
def _first_alike(group: bytes) -> I32:
    """Return for each hand the first one that renamings, a group, make it: [1326]."""
    renamings = np.frombuffer(group, np.int32).reshape(-1, NUM_SUITS)
    first: I32 = np.min([rename_hands(suits.tolist()) for suits in renamings], axis=0).astype(np.int32)
    return first


def _held_hands(ranges: F64, board: Board) -> tuple[I32, I32]:
    """Return the hands of both ranges that a board leaves."""
    first, second = (np.flatnonzero(held).astype(np.int32) for held in (ranges > 0) & compatible_hands(board))
    return first, second


def _list_rows(ranges: F64, board: Board, group: I32) -> tuple[Rows, Rows]:
    """Return both players' hands on a board, by strength on the river, alike hands in one row."""
    first, second = (_put_in_rows(board, hands, group) for hands in _held_hands(ranges, board))
    return first, second


def _put_in_rows(board: Board, hands: I32, group: I32) -> Rows:
    if len(board) == RIVER_CARDS:
        hands = order_by_strength(board, hands)
    _, first, row = np.unique(_first_alike(group.tobytes())[hands], return_index=True, return_inverse=True)
    place = np.zeros(first.size, np.int32)
    place[np.argsort(first)] = np.arange(first.size)
    return Rows(hands, place[row], _round_up(first.size))


def _deal(
    spot: Spot, boards: list[Board], rows: list[tuple[Rows, Rows]], groups: list[I32]
) -> tuple[Deals, list[Board], list[tuple[Rows, Rows]], list[I32]]:
    """Return the deals from all boards, and the boards, rows and renamings after them."""
    next_boards: list[Board] = []
    next_rows: list[tuple[Rows, Rows]] = []
    next_groups: list[I32] = []
    first_board, first_card = [0], [0]
    cards, card_board, suits, copies = [], [], [], []
    origin: tuple[list[U16], list[U16]] = ([], [])
    for board, own, group in zip(boards, rows, groups, strict=True):
        orbits = find_card_orbits(group, board)
        copies += orbits.sizes.tolist()
        for card in orbits.representatives.tolist():
            next_boards.append((*board, card))
            next_groups.append(fix_card(group, card))
            next_rows.append(_list_rows(spot.ranges, next_boards[-1], next_groups[-1]))
            for player in range(NUM_PLAYERS):
                origin[player].append(_find_origin(own[player], next_rows[-1][player]))
        for card in np.flatnonzero(orbits.orbit_of != NO_ORBIT).tolist():
            number = first_board[-1] + int(orbits.orbit_of[card])
            stand_in = next_boards[number][-1]
            cards.append(card)
            card_board.append(number)
            suits.append(next(row for row in group if rename_cards(row)[card] == stand_in))
        first_board.append(len(next_boards))
        first_card.append(len(cards))
    deals = Deals(
        first_board=np.array(first_board, np.uint32),
        copies=np.array(copies, np.uint32),
        origin=(np.concatenate(origin[0]), np.concatenate(origin[1])),
        first_card=np.array(first_card, np.uint32),
        card=np.array(cards, np.int32),
        card_board=np.array(card_board, np.uint32),
        suits=np.array(suits, np.int32),
    )
    return deals, next_boards, next_rows, next_groups


def _find_origin(above: Rows, below: Rows) -> U16:
    """Return the row above of each row below; any for rows without a hand."""
    row_of, origin = np.zeros(NUM_HANDS, np.uint16), np.zeros(below.size, np.uint16)
    row_of[above.hands] = above.row
    origin[below.row] = row_of[below.hands]
    return origin


def restore_hands(suits: I32) -> U32:
    """Return which hand becomes each hand when suits are renamed: [1326]."""
    hands = np.zeros(NUM_HANDS, np.uint32)
    hands[rename_hands(suits.tolist())] = np.arange(NUM_HANDS)
    return hands


def min_moves(spot: Spot) -> int:
    """Return how many moves a street should have."""
    return int(MIN_CELLS / (np.count_nonzero(spot.ranges) / NUM_PLAYERS))


def make_street(spot: Spot, starts: list[Betting], room: int, depth: int = 0) -> Street:
    """Return the betting from these starts to the end of the hand, street below street.

    room: moves that a street below has before others start.
    """
    street, deals = make_single_street(spot, starts, depth)
    for group in _put_together(deals, spot, room):
        numbers = np.array([leaf for leaf, _ in group], np.uint32)
        below = make_street(spot, [start for _, start in group], room, depth + 1)
        street.below.append(Continuation(below, numbers))
    return street


def make_single_street(
    spot: Spot, starts: list[Betting], depth: int = 0
) -> tuple[Street, list[tuple[int, Betting]]]:
    """Return a street with nothing below it, and the (leaf, betting after the card) that could follow."""
    store = StateStore(StreetView(spot, starts))
    layout = _without_legal(lay_out(store))
    bettings = [unpack_state(record)[0] for record in store.records[layout.nodes]]
    leaves = [(leaf, bettings[node]) for leaf, node in enumerate(layout.frontier)]
    endings = [(leaf, betting) for leaf, betting in leaves if actor(betting) == TERMINAL]
    deals = [(leaf, deal(betting)) for leaf, betting in leaves if actor(betting) == CHANCE]
    chance = chance_weight(len(spot.board), len(spot.board) + depth)
    labels = _label_nodes(spot, layout, bettings)
    return Street(depth, layout, bettings, labels, *collect_ends(endings, chance, spot.rake)), deals


def _without_legal(layout: Layout) -> Layout:
    """Return a layout that says in short that all actions are legal for every hand."""
    nothing = np.zeros(0, np.uint32)
    first, second = (own._replace(legal=nothing) for own in layout.players)
    return layout._replace(players=(first, second))


def _label_nodes(spot: Spot, layout: Layout, bettings: list[Betting]) -> list[str]:
    """Return the label of the move that leads to each node: [N]."""
    labels = ["", *(str(number) for number in range(len(layout.children(ROOT))))]
    for node in range(1, layout.num_nodes):
        if layout.actor[node] < NUM_PLAYERS:
            labels += [move.label for move in legal_moves(bettings[node], spot.sizes)]
    return labels


def _put_together(
    deals: list[tuple[int, Betting]], spot: Spot, min_moves: int
) -> list[list[tuple[int, Betting]]]:
    """Cut (leaf, start) pairs into groups, small starts together."""
    groups: list[list[tuple[int, Betting]]] = []
    room = 0
    sizes = [(_count_moves(start, spot), number) for number, (_, start) in enumerate(deals)]
    for moves, number in sorted(sizes):
        if room <= 0:
            groups.append([])
            room = min_moves
        groups[-1].append(deals[number])
        room -= 1 + moves  # a start that is a showdown at once counts too
    return groups


def _count_moves(state: Betting, spot: Spot) -> int:
    """Return the moves of all decisions on a street from a state on."""
    if actor(state) in (CHANCE, TERMINAL):
        return 0
    moves = legal_moves(state, spot.sizes)
    return len(moves) + sum(_count_moves(apply(state, move), spot) for move in moves)
