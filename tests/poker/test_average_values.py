import numpy as np
import pytest

from sog.games.holdem.teh import make_teh
from sog.poker.average_values import AverageValues
from sog.poker.turn_boards import TurnBoard
from sog.poker.turn_search import Beliefs, TurnSearch, check_down


@pytest.mark.parametrize("gamma", [0, 1, 2])
def test_where_values_are_linear_nothing_changes(gamma: int) -> None:
    rng, spot = np.random.default_rng(0), make_teh()
    board, seen = TurnBoard(spot.board, 8), []

    def double(beliefs: Beliefs) -> np.ndarray:
        seen.append(beliefs.reach)
        return 2 * beliefs.reach[:, ::-1]

    values = AverageValues(double, gamma)
    reaches = rng.random((5, 1128, 2, 3)).astype(np.float32)
    for reach in reaches:
        found = values(Beliefs(board, [], reach))
        assert found == pytest.approx(2 * reach[:, ::-1], abs=1e-4)
    weights = np.arange(1, 6.0) ** gamma
    expected = np.tensordot(weights / weights.sum(), reaches, axes=1)
    assert seen[-1] == pytest.approx(expected, abs=1e-6)


def test_a_search_of_checked_down_rivers_is_the_same_by_averages() -> None:
    spot = make_teh(stack=4_000)
    board, found = TurnBoard(spot.board, 8), []
    for values in (check_down, AverageValues(check_down, 1)):
        search = TurnSearch(spot, board, values, "lcfr(updates=simultaneous)")
        search.run(10)
        found.append(search.sums[0].average)
    assert found[0].tolist() == found[1].tolist()
