"""The one view of no-limit hands against the rules of the betting and the street solver."""

from itertools import combinations

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.holdem.bet_sizes import FLOP, RIVER, TURN, BetSizes, parse_bet_sizes
from sog.games.holdem.betting import NOBODY, Betting, actor, at_stake, start_hand, start_street
from sog.games.holdem.cards import HANDS, NUM_HANDS, board_name, compatible_hands, hand_name, parse_board
from sog.games.holdem.hand_records import RECORD, HandState, check_sizes, pack_hands, unpack_hand
from sog.games.holdem.hunl import draw_hand, one_size
from sog.games.holdem.hunl_view import HunlView
from sog.games.holdem.spot import make_spot
from sog.games.view import Named, PublicView, WideChance
from sog.poker.spot_solver import SpotSolver
from sog.poker.streets import Street
from sog.public.store import ROOT, StateStore
from sog.solvers.solver import Solver

FULL = np.ones((2, NUM_HANDS))


def view_of(state: HandState) -> HunlView:
    return HunlView(lambda rng: state, state.betting.stack + state.betting.dead / 2, "hunl")


def start(board: str, pot: int, stack: int, bets: str | BetSizes) -> HandState:
    cards = parse_board(board)
    sizes = parse_bet_sizes(bets) if isinstance(bets, str) else bets
    street = {3: FLOP, 4: TURN, 5: RIVER}[len(cards)]
    return HandState(start_street(street, pot, stack, 2), cards, sizes)


def street_nodes(street: Street) -> list[tuple[Betting, bool]]:
    """Return the bettings of the street solver's tree, street below street, and whether the hand is over."""
    found = [(betting, actor(betting) == TERMINAL) for betting in street.bettings[1:]]
    return found + [node for below in street.below for node in street_nodes(below.street)]


def view_nodes(store: StateStore) -> list[tuple[Betting, bool]]:
    """Return the bettings of a store's tree; of cards the first that may come."""
    waiting, found = [ROOT], []
    while waiting:
        node = waiting.pop()
        betting = unpack_hand(store.records[node]).betting
        found.append((betting, store.actor(node) == TERMINAL))
        if store.actor(node) == CHANCE:
            waiting += store.outcomes(node, [0])
        elif store.actor(node) != TERMINAL:
            waiting += store.children(node)
    return found


def is_all_in(betting: Betting) -> bool:
    """Whether nobody has anything left to bet with."""
    is_closed = actor(betting) in (CHANCE, TERMINAL) and betting.folded == NOBODY
    return is_closed and min(betting.committed) == betting.stack


def test_records_tell_everything() -> None:
    rng = np.random.default_rng(0)
    states = [draw_hand(rng) for _ in range(20)]
    states += [start("3s7hTdKs", 101, 900, "50,66.67,100,allin/75;turn:none;cap:4;river:100/allin")]
    states += [states[0]._replace(added=325), states[1]._replace(board=(1, 2, 50), root_cards=3)]
    assert [unpack_hand(record) for record in pack_hands(states)] == states
    assert RECORD.itemsize == 142


@pytest.mark.parametrize(
    "bets", ["50,75,100,150", "2.5x,100/e", "200c", "33.333", "oop turn:50", "threshold:60"]
)
def test_menus_without_room_are_refused(bets: str) -> None:
    bets = bets.replace("2.5x,100/e", "100/2.5x")
    with pytest.raises(InputError, match="up to 3 percentages"):
        check_sizes(parse_bet_sizes(bets))


@pytest.mark.parametrize(
    ("board", "stack", "bets"),
    [("9s7c5s4h3c", 900, "50,100,allin/75"), ("3s7hTdKs", 300, "60,allin"), ("3s7hTd", 150, "75")],
)
def test_public_nodes_are_those_of_the_street_solver(board: str, stack: int, bets: str) -> None:
    """But for all-ins with cards to come: the street solver deals them, here the hand is over."""
    state = start(board, 101, stack, bets)
    view: PublicView = view_of(state)
    assert isinstance(view, Named)
    assert isinstance(view, WideChance)
    spot = make_spot(state.board, 101, stack, state.sizes, FULL, 2)
    solver = SpotSolver(spot, threads=1)
    store = StateStore(view)

    ours, theirs = view_nodes(store), street_nodes(solver.root.street)
    assert sorted(node for node in ours if not is_all_in(node[0])) == sorted(
        node for node in theirs if not is_all_in(node[0])
    )
    ends = {node[0].committed for node in ours if is_all_in(node[0])}
    assert ends == {node[0].committed for node in theirs if is_all_in(node[0])}
    assert all(is_over for betting, is_over in ours if is_all_in(betting))


@pytest.mark.parametrize(
    ("board", "pot", "stack", "bets", "iterations"),
    [
        ("9s7c5s4h3d", 201, 900, "50,100,allin/75,allin", 20),
        ("3s7hTdKc", 100, 130, "turn:60,allin;river:50/allin", 3),
    ],
)
def test_values_are_those_of_the_street_solver(
    board: str, pot: int, stack: int, bets: str, iterations: int
) -> None:
    state = start(board, pot, stack, bets)
    spot = make_spot(state.board, pot, stack, state.sizes, FULL, 2)
    ours = Solver(view_of(state), "dcfr(updates=simultaneous)")
    theirs = SpotSolver(spot, "dcfr(updates=simultaneous)", np.float64, threads=1, use_suits=False)
    for solver in (ours, theirs):
        solver.advance(iterations)
    assert ours.value() == pytest.approx(theirs.value(), abs=1e-6 * pot)
    assert ours.exploitability() == pytest.approx(theirs.exploitability(), rel=1e-6)


@pytest.mark.parametrize("board", ["", "3s7hTd", "3s7hTdKs"])
def test_cards_are_outcomes_by_number(board: str) -> None:
    cards = parse_board(board)
    betting = start_hand(900) if not cards else start_street(len(cards) - 2, 200, 900, 2)
    store = StateStore(view_of(HandState(betting, cards, one_size(75.0))))
    node = store.locate((1, 0) if not cards else (0, 0))  # call or check, and check
    assert store.actor(node) == CHANCE
    left = [card for card in range(52) if card not in cards]
    boards = list(combinations(left, 1 if cards else 3))
    assert store.num_outcomes(node) == len(boards)
    rng = np.random.default_rng(1)
    for number in [0, len(boards) - 1, *rng.integers(len(boards), size=20).tolist()]:
        child = store.outcomes(node, [number])[0]
        assert unpack_hand(store.records[child]).board == (*cards, *boards[number])
        assert store.named.observation(store, child) == board_name(boards[number])
        assert store.num_infostates(child) == (NUM_HANDS, NUM_HANDS)
        alive = store.alive(child)[0]
        assert np.array_equal(alive, compatible_hands((*cards, *boards[number])))
    above = store.joint_weights(node).sum()
    assert above == pytest.approx(1)
    assert len(boards) * store.joint_weights(child).sum() == pytest.approx(1)  # all boards are alike likely


def test_hands_are_played_as_openspiel_has_them() -> None:
    """Order of play, legal raises, blinds, all-ins: random hands of random stacks and sizes in one store."""
    pyspiel = pytest.importorskip("pyspiel")
    rng, ends = np.random.default_rng(5), set()
    store = StateStore(HunlView(draw_hand, 20_000, "hunl"))
    for _ in range(40):
        root = store.plant(pack_hands([draw_hand(rng)]))
        stack = unpack_hand(store.records[root]).betting.stack
        theirs = pyspiel.load_game(
            "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,"
            "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,bettingAbstraction=fullgame,"
            f"stack={stack} {stack})"
        ).new_initial_state()
        rows = store.draw_pair(root, (np.ones(NUM_HANDS), np.ones(NUM_HANDS)), rng)
        for row in rows:
            for card in HANDS[row].tolist():
                theirs.apply_action(card)
        node = root
        while store.actor(node) != TERMINAL:
            if store.actor(node) == CHANCE:
                before = unpack_hand(store.records[node]).board
                node, after = store.follow(node, rows, 0, rng)
                assert after == rows
                for card in unpack_hand(store.records[node]).board[len(before) :]:
                    theirs.apply_action(card)
                continue
            state = unpack_hand(store.records[node])
            assert store.actor(node) == theirs.current_player()
            moves = [{"fold": 0, "check": 1, "call": 1}.get(move.label, move.total) for move in state.moves]
            assert set(moves) <= set(theirs.legal_actions())
            number = int(rng.integers(len(moves)))
            if moves[number] == 0 and rng.random() < 0.8:
                number = 1
            node, _ = store.follow(node, rows, number, rng)
            theirs.apply_action(moves[number])
        betting = unpack_hand(store.records[node]).betting
        ends.add((betting.street, betting.folded == NOBODY))
        if betting.folded != NOBODY or len(unpack_hand(store.records[node]).board) == 5:
            assert theirs.returns()[0] == pytest.approx(store.utility(node, rows))
        else:  # the mean over the cards to come
            assert theirs.is_chance_node()
            assert abs(store.utility(node, rows)) <= at_stake(betting)
    assert len(ends) > 4


def test_an_added_bet_is_possible_once() -> None:
    state = start("9s7c5s4h3d", 200, 900, "100")._replace(added=130)
    store = StateStore(view_of(state))
    assert store.named.action_names(store, ROOT, 0) == ["check", "bet130c", "bet100"]
    after = store.children(ROOT)[1]
    assert unpack_hand(store.records[after]).betting.committed == (230, 100)
    assert unpack_hand(store.records[after]).added == 0
    assert store.named.infostate_name(store, ROOT, 0, 5) == hand_name(5)
