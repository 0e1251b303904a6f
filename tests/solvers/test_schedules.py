from math import inf

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.solvers.algorithms import ALGORITHMS, parse_algorithm
from sog.solvers.schedules import VARIANTS, Variant, discounts


def test_rows_of_the_table() -> None:
    np.testing.assert_allclose(discounts(VARIANTS["cfr"], 1, 3), [[1, 1, 1, 0]] * 3)
    np.testing.assert_allclose(
        discounts(VARIANTS["cfr+"], 1, 3), [[1, 0, 1 / 2, 0], [1, 0, 2 / 3, 0], [1, 0, 3 / 4, 0]]
    )
    np.testing.assert_allclose(discounts(VARIANTS["lcfr"], 4, 1), [[0.8, 0.8, 0.8, 0]])
    np.testing.assert_allclose(discounts(VARIANTS["dcfr"], 4, 1), [[8 / 9, 1 / 2, (4 / 5) ** 2, 0]])


def test_limits_of_the_exponents() -> None:
    weights = discounts(Variant(alpha=inf, beta=-inf), 1, 5)
    assert np.all(weights[:, 0] == 1)
    assert np.all(weights[:, 1] == 0)


def test_weights_depend_on_the_iteration_alone() -> None:
    whole = discounts(VARIANTS["dcfr"], 1, 100)
    np.testing.assert_array_equal(whole[40:60], discounts(VARIANTS["dcfr"], 41, 20))


def test_linear_averaging_is_linear() -> None:
    """Weights after the add leave iteration t with weight t, up to a common factor."""
    weights = discounts(VARIANTS["cfr+"], 1, 10)[:, 2]
    effective = [np.prod(weights[t:]) for t in range(10)]
    np.testing.assert_allclose(np.array(effective) / effective[0], np.arange(1, 11))


def test_an_average_that_is_reset_forgets_what_was_before() -> None:
    weights = discounts(Variant(gamma=3, reset=4), 1, 70)[:, 2]
    effective = np.array([np.prod(weights[t:]) for t in range(70)])
    before, after = effective[:64], effective[64:]  # iterations 1 to 64, 65 to 70
    assert before.sum() < 1e-3 * after.sum()
    np.testing.assert_allclose(after / after[0], np.arange(1, 7) ** 3)
    assert np.all(weights > 0)  # a policy is left at any time


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_name_is_its_own_spec(name: str) -> None:
    assert parse_algorithm(name).name == name
    assert parse_algorithm(name).settings == ALGORITHMS[name]


def test_options_are_kept_in_the_name() -> None:
    algorithm = parse_algorithm("dcfr(alpha=2,beta=-inf)")
    assert parse_algorithm(algorithm.name) == algorithm


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("xcfr", "unknown algorithm 'xcfr'"),
        ("dcfr(delta=1)", "no option 'delta'"),
        ("dcfr(alpha=nan)", "must be a number"),
        ("dcfr(alpha=x)", "must be a number"),
        ("dcfr(alpha=True)", "must be a number"),
        ("dcfr(gamma=-1)", "between 0 and 1000"),
        ("cfr(minimiser=hedge)", "one of regret-matching"),
        ("mccfr(period=0)", "between 1 and inf"),
        ("outcome-mccfr(exploration=0)", "between 1e-06 and 1"),
        ("vanilla", "unknown algorithm"),
        ("dcfr(", "cannot read the algorithm"),
    ],
)
def test_bad_algorithms(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match="(?s)" + complaint.replace("(", r"\(")):
        parse_algorithm(text)
