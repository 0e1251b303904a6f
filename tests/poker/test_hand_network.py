"""The network of all streets against torch, and what hands meet pair by pair."""

from pathlib import Path

import numpy as np
import pytest
import torch

from sog.core.errors import InputError
from sog.games.holdem.betting import deal
from sog.games.holdem.cards import HANDS, NUM_HANDS, compatible_hands, parse_board
from sog.games.holdem.hunl import draw_hand
from sog.nets.cvpn import balance, make_network
from sog.nets.spec import NetworkSpec
from sog.poker.hand_network import (
    KINDS,
    NUM_FEATURES,
    SIZES,
    HandNetwork,
    check_spec,
    describe,
    describe_state,
    find_beliefs,
    kind_of,
)
from sog.poker.street_boards import DEAD, places_of
from sog.poker.street_queries import before_card
from sog.training.context import weights_of

BOARDS = ["3s7hTdKc2c", "3s7hTdKc", ""]


def some_queries() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    places = np.array([places_of(parse_board(board)) for board in BOARDS])
    reach = rng.random((3, 2, NUM_HANDS), np.float32) * (places >= 0)[:, None]
    return rng.normal(size=(3, NUM_FEATURES)).astype(np.float32), reach, places


@pytest.mark.parametrize("kind", ["ladder", "mlp"])
def test_answers_are_those_of_torch(kind: str) -> None:
    spec = NetworkSpec(kind, layers=2, width=24, row_units=12)
    network = make_network(spec, SIZES, 3)
    with torch.no_grad():
        for parameter in network.value.parameters():
            parameter.normal_(0, 0.3)
    features, reach, places = some_queries()
    values, met = HandNetwork(spec, weights_of(network))(features, reach, places)
    expected_met, beliefs = find_beliefs(reach, places)
    np.testing.assert_array_equal(met, expected_met)
    flat = torch.from_numpy(beliefs.reshape(3, -1))
    rows = torch.from_numpy(np.tile(np.maximum(places, 0), (1, 2)))
    with torch.no_grad():
        found, _ = network(torch.from_numpy(features), flat, rows)
        theirs = balance(found, flat).numpy().reshape(values.shape)
    np.testing.assert_allclose(values, np.where((places >= 0)[:, None], theirs, 0), atol=1e-5)
    assert (values * beliefs).sum(axis=(1, 2)) == pytest.approx(0, abs=1e-5)


def test_what_hands_meet_is_what_shares_no_card() -> None:
    _, reach, places = some_queries()
    met, beliefs = find_beliefs(reach, places)
    for query in range(len(BOARDS)):
        for hand in np.random.default_rng(1).integers(NUM_HANDS, size=30).tolist():
            apart = ~np.isin(HANDS, HANDS[hand]).any(axis=1)
            for player in (0, 1):
                expected = reach[query, 1 - player][apart].sum() if places[query, hand] >= 0 else 0
                assert met[query, player, hand] == pytest.approx(expected, rel=1e-5)
    assert beliefs.sum(axis=2) == pytest.approx(1)


def test_features_tell_kinds_and_know_no_suits() -> None:
    hand = draw_hand(np.random.default_rng(0))
    board = parse_board("3s7hTd")
    flop = hand._replace(
        betting=deal(hand.betting._replace(committed=(100, 100), to_act=-1, num_moves=2)), board=board
    )
    before = before_card(hand, flop.betting)
    assert [KINDS[kind_of(state)] for state in (hand, flop, before)] == [
        "preflop start",
        "flop start",
        "before the flop",
    ]
    assert deal(before.betting) == flop.betting
    renamed = flop._replace(board=parse_board("3c7dTs"))
    assert np.array_equal(describe_state(flop), describe_state(renamed))
    assert not np.array_equal(
        describe_state(flop), describe_state(flop._replace(board=parse_board("3c7cTs")))
    )
    fractions = (0.5, 0.5, 0.75)
    assert not np.array_equal(describe(1, board, 3.0, fractions), describe(1, board, 9.0, fractions))
    assert compatible_hands(board).sum() == (places_of(board) != DEAD).sum()


def test_other_networks_are_refused() -> None:
    for spec in (NetworkSpec("rows"), NetworkSpec("ladder", row_units=1)):
        with pytest.raises(InputError, match="hunl: network"):
            check_spec(spec)
    assert Path(__file__).exists()
