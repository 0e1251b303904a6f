"""The public view of spots against the rules of the betting."""

from itertools import combinations

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.betting import NOBODY, actor, apply, at_stake, deal, is_showdown, legal_moves, pot_size
from sog.games.holdem.cards import board_name, hand_name, parse_board
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_preflop_spot, make_spot
from sog.games.holdem.strength import board_strengths
from sog.games.holdem.view import pack_states, unpack_state
from sog.games.view import Named, PublicView
from sog.public.store import ROOT, StateStore

RIVER = "9s7c5s4h3c"
FULL = np.ones((2, 1326))
FEW = np.array([parse_range("AA:0.9,A5s,76s,22:0.6"), parse_range("KK,QTo:0.7,9s8s,22")])


def river_spot() -> Spot:
    """The spot of the public-state CFR paper."""
    return make_spot(parse_board(RIVER), 200, 19_900, parse_bet_sizes("river:100,allin"), FULL)


def small_spot(board: str, bets: str = "allin") -> Spot:
    return make_spot(parse_board(board), 101, 100, parse_bet_sizes(bets), FEW)


def fill(spot: Spot) -> StateStore:
    """Return the store of a spot, all of it."""
    store, node = StateStore(spot.own_view()), ROOT
    while node < store.num_nodes:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    return store


def test_a_record_tells_a_state() -> None:
    states = [
        (start.betting, start.board) for start in (river_spot(), make_preflop_spot(parse_bet_sizes("")))
    ]
    assert [unpack_state(record) for record in pack_states(states)] == states


@pytest.mark.parametrize(
    "spot",
    [
        river_spot(),
        small_spot("9s7c5s4h", "turn:50,allin;river:allin"),
        small_spot("9s7c5s", "flop:none;turn:none;river:none"),
    ],
    ids=["river", "turn", "flop"],
)
def test_children_are_those_of_the_rules(spot: Spot) -> None:
    view = spot.own_view()
    assert isinstance(view, Named)
    protocol: PublicView = view
    store, rows = fill(spot), spot.hands.size
    arrays = store.arrays()
    assert unpack_state(store.records[ROOT]) == (spot.betting, spot.board)
    for node in range(store.num_nodes):
        betting, board = unpack_state(store.records[node])
        assert store.actor(node) == actor(betting)
        assert store.num_infostates(node) == (rows, rows)
        assert store.value_scale(node) == pot_size(betting)
        if store.actor(node) == TERMINAL:
            continue
        if store.actor(node) == CHANCE:
            cards = [card for card in range(52) if card not in board]
            expected = [(deal(betting), (*board, card)) for card in cards]
            names = [board_name([card]) for card in cards]
        else:
            moves = legal_moves(betting, spot.sizes)
            expected = [(apply(betting, move), board) for move in moves]
            names = [move.label for move in moves]
            assert store.named.action_names(store, node, 0) == names
            assert store.legal(node).tolist() == [len(moves)] * rows
        children = store.children(node)
        assert [unpack_state(store.records[child]) for child in children] == expected
        assert [store.named.observation(store, child) for child in children] == names
        for player in (0, 1):
            places = arrays.places[player][children.start : children.stop]
            step = rows if store.actor(node) == player else 0
            assert places["start"].tolist() == [step * ordinal for ordinal in range(len(children))]
            assert not places["is_mapped"].any()
    stakes = [at_stake(betting) for betting, _ in map(unpack_state, store.records)]
    assert max(stakes) <= protocol.facts.max_utility <= max(stakes) + spot.betting.stack
    assert store.named.infostate_name(store, ROOT, 0, 3) == hand_name(int(spot.hands[3]))
    assert store.named.observation(store, ROOT) == ""


def test_river_tree_has_the_papers_size() -> None:
    store = fill(river_spot())
    assert store.num_nodes == 57
    actors = store.arrays().nodes["actor"]
    assert np.count_nonzero(actors < 2) == 20
    ends = [unpack_state(record)[0] for record in store.records[actors == TERMINAL]]
    assert sum(map(is_showdown, ends)) == 19
    assert len(ends) == 37
    assert store.arrays().nodes["num_actions"].sum() == 56
    assert store.num_infostates(ROOT) == (1_081, 1_081)


def test_who_folds_loses_the_stake() -> None:
    """Half of the pot of 201 and what was called: a pair of hands that meet is worth that to who stays."""
    spot = make_spot(parse_board(RIVER), 201, 300, parse_bet_sizes("river:100,allin"), FULL)
    store, folds = fill(spot), 0
    for node in range(store.num_nodes):
        record, loser = store.arrays().nodes[node], unpack_state(store.records[node])[0].folded
        if store.actor(node) == TERMINAL and loser != NOBODY:
            assert record["payoff"] == record["joint"]
            assert np.sign(record["payoff_scale"]) == (-1 if loser == 0 else 1)
            assert loser == store.actor(int(store.parents[node]))  # who had to answer
            assert abs(record["payoff_scale"]) >= 201 / 2
            folds += 1
    assert folds > 3


@pytest.mark.parametrize("board", ["9s7c5s4h", "9s7c5s"])
def test_cards_are_dealt_by_chance(board: str) -> None:
    """A pair's joint weight is shared out among the cards that it leaves, equally."""
    store = StateStore(small_spot(board, "none").own_view())
    node = ROOT
    while store.actor(node) != CHANCE:
        node = store.children(node)[0]
    weights = store.joint_weights(node)
    below = np.array([store.joint_weights(child) for child in store.children(node)])
    assert weights.sum() == pytest.approx(1)
    assert below.min() == 0
    np.testing.assert_allclose(below.sum(axis=0), weights, rtol=1e-12)
    counts = np.count_nonzero(below, axis=0)
    assert np.unique(counts[weights > 0]).tolist() == [48 - len(board) // 2]


def test_a_pair_is_followed_across_a_card_to_its_showdown() -> None:
    spot, rng = small_spot("9s7c5s", "none"), np.random.default_rng(3)
    store, seen = StateStore(spot.own_view()), set()
    pairs = np.argwhere(store.joint_weights(ROOT) > 0)
    for _ in range(300):
        node, rows = ROOT, tuple(pairs[rng.integers(len(pairs))].tolist())
        while store.actor(node) != TERMINAL:
            before = node
            node, after = store.follow(node, rows, 0, rng)
            assert after == rows
            assert store.actor(before) == CHANCE or node == store.children(before)[0]
        betting, board = unpack_state(store.records[node])
        hands = [hand_name(int(spot.hands[row])) for row in rows]
        assert not {hands[0][:2], hands[0][2:], hands[1][:2], hands[1][2:]} & {
            board_name([card]) for card in board
        }
        strengths = board_strengths(board)[spot.hands[list(rows)]]
        expected = at_stake(betting) * np.sign(int(strengths[0]) - int(strengths[1]))
        assert store.utility(node, rows) == pytest.approx(expected)
        seen.add(board[3])
    assert len(seen) > 30


def test_folds_pay_the_other() -> None:
    store = StateStore(river_spot().own_view())
    bet = store.children(ROOT)[1]
    fold = store.children(bet)[0]
    assert store.named.observation(store, fold) == "fold"
    assert store.utility(fold, (0, 1_000)) == pytest.approx(100)
    check_bet = store.children(store.children(ROOT)[0])[1]
    assert store.utility(store.children(check_bet)[0], (0, 1_000)) == pytest.approx(-100)


def test_turn_deals_every_river() -> None:
    spot = make_spot(parse_board("3s7hTdKc"), 1_000, 0, parse_bet_sizes("allin"), FULL)
    store = fill(spot)
    assert store.actor(ROOT) == CHANCE  # all-in before the spot begins: only a card is missing
    assert store.num_nodes == 1 + 48


def test_every_flop_may_come() -> None:
    spot = make_preflop_spot(parse_bet_sizes("allin"), FULL)
    store = StateStore(spot.own_view())
    checked = store.locate((1, 0))
    assert [store.named.observation(store, node) for node in store.path(checked)] == ["", "call", "check"]
    flops = [unpack_state(store.records[child])[1] for child in store.children(checked)]
    assert flops == list(combinations(range(52), 3))
    scales = store.arrays().nodes["joint_scale"][store.children(checked).start :]
    np.testing.assert_allclose(scales, 1 / 17_296)
    assert store.joint_weights(checked + 1).sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("board", "first", "second"),
    [("9s7c5s4h3c", "9s9h", "AA"), ("AsAhAd4h3c", "AcKc", "AcQc")],
)
def test_spots_in_which_nobody_can_meet_are_refused(board: str, first: str, second: str) -> None:
    ranges = np.array([parse_range(first), parse_range(second)])
    with pytest.raises(InputError):
        make_spot(parse_board(board), 200, 100, parse_bet_sizes("allin"), ranges)


def test_a_name_tells_spots_apart() -> None:
    spot = river_spot()
    other = make_spot(spot.board, 200, 19_900, spot.sizes, np.array([FULL[0], parse_range("AA")]))
    assert spot.name != other.name
    assert "board=9s7c5s4h3c" in spot.name
