"""When a solve is measured, and when it is expected to end, by a solve whose exploitability is known."""

from math import inf, sin
from typing import Any

import pytest

from sog.solvers.algorithms import parse_algorithm
from sog.solvers.loop import Progress, SolveLoop

USUAL = 1.6, 1.75, 2.2


class Known(SolveLoop):
    """A solve that falls by a power of its iterations, now faster and now slower."""

    algorithm, name, infostates = parse_algorithm("dcfr"), "known", 1
    is_costly = True

    def __init__(self, power: float, powers: tuple[float, float, float] | None) -> None:
        super().__init__()
        self.power, self.powers = power, powers

    def fingerprint(self) -> str:
        return ""

    def arrays(self) -> dict[str, Any]:
        return {}

    def value(self) -> float:
        return 0.0

    def exploitability(self) -> float:
        return float(1000 * (1 + sin(self.iterations / 9) / 8) / self.iterations**self.power)

    def _iterate(self, first: int, count: int) -> None:
        pass


@pytest.mark.parametrize("power", [1.75, 2.0])
@pytest.mark.parametrize("goal", [5.0, 1.0, 0.3])
def test_what_is_left_is_right_within_a_factor_of_two(power: float, goal: float) -> None:
    solver = Known(power, USUAL)
    told: list[tuple[int, float]] = []

    def note(at: Progress) -> None:
        told.append((at.iterations, solver.expected_iterations(goal) - at.iterations))

    solver.run(until=goal, on_progress=note)
    checked = [(done, left) for done, left in told if 10 <= done < 0.8 * solver.iterations]
    assert checked
    for done, left in checked:
        assert 1 / 2 <= left / (solver.iterations - done) <= 2, (done, left, solver.iterations)


class Missing(Known):
    """A solve that misses a goal of one by little for long."""

    def exploitability(self) -> float:
        return 1.01 if self.iterations < 100 else 0.9


def test_a_goal_that_was_missed_is_as_far_as_the_next_measurement() -> None:
    solver, told = Missing(1.75, USUAL), list[tuple[int, float]]()
    solver.run(
        until=1.0, on_progress=lambda at: told.append((at.iterations, solver.expected_iterations(1.0)))
    )
    assert all(expected - done >= 1 for done, expected in told if 10 <= done < solver.iterations)


def test_without_a_usual_power_the_last_two_measurements_say_it() -> None:
    solver = Known(1.0, None)
    assert solver.expected_iterations(1.0) == inf
    solver.trace = [Progress(10, 0.0, 8.0)]
    assert solver.expected_iterations(1.0) == inf
    solver.trace.append(Progress(20, 0.0, 2.0))  # falls by the power of two
    assert solver.expected_iterations(0.5) == pytest.approx(40)
