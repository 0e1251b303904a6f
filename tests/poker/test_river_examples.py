import numpy as np
import pytest

from sog.games.holdem.cards import HANDS, NUM_HANDS, compatible_hands, parse_board
from sog.games.holdem.ranges import met_weights
from sog.games.holdem.strength import strengths_of_boards
from sog.poker.river_examples import RiverBatchMaker, SolvedRiver, pack_rivers, win_showdowns
from sog.poker.street_boards import find_places
from sog.training.examples import join_examples, take_examples
from sog.training.run_status import DivergedError

BOARDS = [parse_board(text) for text in ("3s7hTdKs2c", "AsKsQsJsTs", "2c3c4c5c7c")]


def make_rivers() -> list[SolvedRiver]:
    rng = np.random.default_rng(0)
    rivers = []
    for board in BOARDS:
        ranges, values = rng.random((2, NUM_HANDS)) ** 3, rng.normal(size=(2, NUM_HANDS))
        rivers.append(SolvedRiver(board, 4.5, (0.5, 1.0, 0.75), ranges, values))
    return rivers


def test_showdowns_against_all_pairs() -> None:
    for river in make_rivers():
        strengths = strengths_of_boards([river.board])[0]
        hands = np.flatnonzero(compatible_hands(river.board)).astype(np.int32)
        ranges = np.where(compatible_hands(river.board), river.ranges, 0)
        found = win_showdowns(strengths, hands, ranges)
        for place in range(0, hands.size, 97):
            cards = HANDS[hands[place]]
            met = [hand for hand in hands if not set(cards) & set(HANDS[hand])]
            signs = np.sign(strengths[hands[place]] - strengths[met])
            for player in range(2):
                weights = ranges[1 - player, met]
                assert found[player, place] == pytest.approx(signs @ weights / weights.sum() / 2, abs=1e-9)


def test_lessons_hold_what_was_packed() -> None:
    rivers = make_rivers()
    examples = pack_rivers(rivers)
    assert examples.num_bytes / examples.size <= 16_000
    order = np.array([2, 0, 1, 0])
    again = take_examples(join_examples([examples, examples]), order)  # as the replay does
    batch = RiverBatchMaker().make(again, np.random.default_rng(0))
    for line, number in enumerate(order.tolist()):
        river = rivers[number]
        left = compatible_hands(river.board)
        hands = np.flatnonzero(left).astype(np.int32)
        ranges = np.where(left, river.ranges, 0)
        strengths = strengths_of_boards([river.board])
        beside = river.values[:, hands] - win_showdowns(strengths[0], hands, ranges)
        assert batch.values[line] == pytest.approx(beside.ravel(), abs=2e-3)
        masses = np.array([met_weights(ranges[1 - player]) for player in range(2)])[:, hands]
        beliefs = masses * ranges[:, hands]
        beliefs /= beliefs.sum(axis=1, keepdims=True)
        assert batch.beliefs[line] == pytest.approx(beliefs.ravel(), rel=2e-3, abs=1e-7)
        weights = masses / masses.mean(axis=1, keepdims=True)
        assert batch.value_weights[line] == pytest.approx(weights.ravel(), rel=1e-3)
        assert batch.described[line] == pytest.approx(
            np.tile(find_places(strengths, 2)[0][hands], 2), abs=1e-4
        )


def test_values_that_are_no_numbers_end_the_run() -> None:
    river = make_rivers()[0]
    with pytest.raises(DivergedError):
        pack_rivers([river._replace(values=np.full((2, NUM_HANDS), np.nan))])
