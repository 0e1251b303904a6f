"""Values before the river against river by river, hand by hand, and against torch."""

from typing import cast

import numpy as np
import pytest
import torch

from sog.games.holdem.cards import NUM_HANDS, compatible_hands
from sog.games.holdem.ranges import met_weights
from sog.games.holdem.strength import strengths_of_boards
from sog.games.holdem.teh import make_teh
from sog.nets.cvpn import balance, make_network
from sog.nets.ladder import Ladder, forward_of
from sog.nets.spec import NetworkSpec
from sog.poker.river_examples import SIZES
from sog.poker.river_values import LEAST_REACH, RiverValues, bet_fractions, describe_betting, describe_board
from sog.poker.street_boards import find_places
from sog.poker.turn_boards import NUM_LEFT, NUM_RIVERS, TurnBoard
from sog.poker.turn_search import Beliefs, TurnSearch, check_down

RUNGS = 16


@pytest.fixture(scope="module")
def network() -> Ladder:
    made = make_network(NetworkSpec("ladder", 2, 32, row_units=RUNGS), SIZES, seed=1)
    assert isinstance(made, Ladder)
    with torch.no_grad():
        made.value.weight.normal_(std=0.3)
    return made


def make_beliefs() -> Beliefs:
    spot = make_teh()
    board = TurnBoard(spot.board, RUNGS)
    leaves = [leaf for leaf in TurnSearch(spot, board, check_down).leaves if not leaf.is_over][:3]
    reach = np.random.default_rng(0).random((NUM_LEFT, 2, 3)).astype(np.float32) ** 4
    reach[::3, 0] = 0
    return Beliefs(board, leaves, reach)


def ask_slowly(network: Ladder, beliefs: Beliefs, leaf: int, river: int) -> tuple[np.ndarray, np.ndarray]:
    """Return values and masses on one river for all hands: [2, 1326] each."""
    cards, fractions = beliefs.board.rivers[river], bet_fractions(make_teh().sizes)
    left = compatible_hands(cards)
    ranges = np.zeros((2, NUM_HANDS))
    ranges[:, beliefs.board.hands] = np.maximum(beliefs.reach[:, :, leaf].T, LEAST_REACH)
    ranges *= left
    masses = np.array([met_weights(ranges[1 - player]) for player in range(2)]) * left
    joint = (ranges * masses)[:, left]
    joint /= joint.sum(axis=1, keepdims=True)
    places = find_places(strengths_of_boards([cards]), 2)[0][left]
    features = np.concatenate(
        (describe_betting(beliefs.leaves[leaf].depth, fractions), describe_board(cards))
    )
    nothing = torch.zeros(0, dtype=torch.long)
    weights = torch.from_numpy(joint.reshape(1, -1).astype(np.float32))
    with torch.no_grad():
        found, _ = network(
            torch.from_numpy(features[None]),
            weights,
            nothing,
            nothing,
            torch.from_numpy(np.tile(places, 2)[None]),
        )
    values = np.zeros((2, NUM_HANDS))
    values[:, left] = balance(found, weights).numpy().reshape(2, -1)
    return values, masses


def test_means_over_rivers_are_those_of_the_network_river_by_river(network: Ladder) -> None:
    beliefs = make_beliefs()
    found = RiverValues(forward_of(network), make_teh().sizes)(beliefs)
    for leaf in range(3):
        expected, mass, won = np.zeros((2, NUM_HANDS)), np.zeros((2, NUM_HANDS)), np.zeros(2)
        for river in range(48):
            values, masses = ask_slowly(network, beliefs, leaf, river)
            expected += values * masses
            mass += masses
        mine = expected[:, beliefs.board.hands]
        assert np.abs(found[:, :, leaf].T - mine).max() < 2e-5 * np.abs(mine).max()
        met, _ = beliefs.board.meet(np.maximum(beliefs.reach[:, :, leaf], LEAST_REACH))
        assert mass[:, beliefs.board.hands] == pytest.approx(44 * met.T[::-1], rel=1e-4)
        reach = np.maximum(beliefs.reach[:, :, leaf].T, LEAST_REACH)
        won = (reach * found[:, :, leaf].T).sum(axis=1)
        assert won.sum() == pytest.approx(0, abs=float(1e-4 * np.abs(won).max() + 1e-3))


def test_rungs_are_kept_for_so_many_iterations(network: Ladder) -> None:
    beliefs = make_beliefs()
    values = RiverValues(forward_of(network), make_teh().sizes, every=3)
    for asked in (1, 1, 1, 2):
        values(beliefs)
        assert values.queries == asked * 48 * 3


def test_averages_of_beliefs_are_asked_about(network: Ladder) -> None:
    """The rungs are those of the averages, the masses those of the moment."""
    beliefs = make_beliefs()
    other = beliefs._replace(reach=np.ascontiguousarray(beliefs.reach[::-1]))
    values = RiverValues(forward_of(network), make_teh().sizes, every=3, gamma=1.0)
    plain = RiverValues(forward_of(network), make_teh().sizes)
    assert values(beliefs).tolist() == plain(beliefs).tolist()
    found = values(other)
    assert np.abs(found - plain(other)).max() > 0
    kept = RiverValues(forward_of(network), make_teh().sizes, every=2)
    kept(other._replace(reach=np.float32(1 / 3) * (beliefs.reach + np.float32(2) * other.reach)))
    assert found == pytest.approx(kept(other), abs=1e-4 * float(np.abs(found).max()))
    for _ in range(20):
        values(beliefs)
    assert values.queries == 48 * 3 * (8 + 5)  # at first every time, then at times 9, 12, 15, 18 and 21


def test_names_of_suits_do_not_matter() -> None:
    for board in ((0, 4, 8, 12, 17), (1, 5, 9, 13, 18)):
        assert describe_board(board).tolist() == describe_board((0, 4, 8, 12, 17)).tolist()


class InTurn:
    """Draws every river once."""

    def __init__(self) -> None:
        self.drawn = 0

    def permutation(self, count: int) -> np.ndarray:
        self.drawn += 1
        return np.roll(np.arange(count), self.drawn)


def test_one_river_drawn_at_random_is_right_on_average(network: Ladder) -> None:
    beliefs, draws = make_beliefs(), cast(np.random.Generator, InTurn())
    whole = RiverValues(forward_of(network), make_teh().sizes)(beliefs)
    one = RiverValues(forward_of(network), make_teh().sizes, rivers=1, rng=draws)
    found = [one(beliefs) for _ in range(NUM_RIVERS)]
    assert np.abs(np.mean(found, axis=0) - whole).max() < 1e-4 * np.abs(whole).max()
    assert one.queries == NUM_RIVERS * 3
    by_river = one.river_by_river(beliefs)
    assert np.abs(by_river.sum(axis=0) - whole).max() < 1e-4 * np.abs(whole).max()
