"""Examples of all streets, packed and read again."""

import numpy as np
import pytest

from sog.games.holdem.bet_sizes import FLOP
from sog.games.holdem.betting import start_street
from sog.games.holdem.cards import NUM_HANDS, parse_board
from sog.games.holdem.hand_records import HandState
from sog.games.holdem.hunl import draw_hand, one_size
from sog.poker.hand_examples import EXAMPLE_BYTES, SolvedState, StateBatchMaker, pack_states
from sog.poker.hand_network import KINDS, describe_state, find_beliefs
from sog.poker.street_boards import places_of
from sog.training.examples import join_examples, take_examples
from sog.training.run_status import DivergedError


def some_states(seed: int = 0) -> list[SolvedState]:
    rng = np.random.default_rng(seed)
    board = parse_board("3s7hTd")
    states = [
        draw_hand(rng),
        HandState(start_street(FLOP, 400, 3_000, 100), board, one_size(75.0)),
    ]
    solved = []
    for state in states:
        places = places_of(state.board)
        alive = places >= 0
        solved.append(
            SolvedState(
                state, places, rng.random((2, NUM_HANDS)) * alive, rng.normal(size=(2, NUM_HANDS)) * alive
            )
        )
    return solved


def test_batches_have_what_was_packed() -> None:
    solved, maker = some_states(), StateBatchMaker()
    examples = pack_states(solved)
    assert examples.num_bytes == 2 * EXAMPLE_BYTES < 2 * 16_384
    assert [KINDS[kind] for kind in maker.kinds(examples)] == ["preflop start", "flop start"]
    again = take_examples(join_examples([pack_states(some_states(1)), examples]), np.array([3, 2]))
    batch = maker.make(again, np.random.default_rng(0))
    for line, one in enumerate(solved[::-1]):
        np.testing.assert_allclose(batch.features[line], describe_state(one.state), rtol=2e-3)
        values = batch.values[line].reshape(2, -1)
        np.testing.assert_allclose(values, one.beside, rtol=1e-3, atol=1e-6)
        met, beliefs = find_beliefs(one.ranges.astype(np.float32)[None], one.places[None])
        np.testing.assert_allclose(batch.beliefs[line].reshape(2, -1), beliefs[0], rtol=5e-3, atol=1e-9)
        weights = batch.value_weights[line].reshape(2, -1)
        alive = one.places >= 0
        np.testing.assert_allclose(
            weights, met[0] * alive.sum() / met[0].sum(axis=1, keepdims=True), rtol=2e-3
        )
        assert (weights[:, ~alive] == 0).all()
        np.testing.assert_allclose(batch.described[line], np.tile(np.maximum(one.places, 0), 2), atol=1e-4)


def test_values_that_are_no_numbers_end_the_run() -> None:
    one = some_states()[0]
    with pytest.raises(DivergedError):
        pack_states([one._replace(beside=np.full((2, NUM_HANDS), np.nan))])
