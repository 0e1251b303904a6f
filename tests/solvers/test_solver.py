"""Stopping, saving, resuming, interrupting."""

import signal
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.solvers.checkpoint import load_checkpoint
from sog.solvers.loop import Progress
from sog.solvers.solver import Solver

ALGORITHMS = [
    "cfr",
    "dcfr",
    "pcfr+",
    "flop",
    "cfr(minimiser=normal-hedge)",
    "mccfr",
    "outcome-mccfr",
]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_resuming_is_bit_identical(algorithm: str, tmp_path: Path) -> None:
    game, path = load("kuhn"), tmp_path / "solution.npz"
    whole = Solver(game, algorithm, seed=4)
    straight = whole.run(iterations=60)
    first = Solver(game, algorithm, seed=4)
    first.run(iterations=25)
    first.save(path)
    second = Solver(game, algorithm, seed=99)
    second.resume(path)
    resumed = second.run(iterations=60)
    assert resumed.iterations == straight.iterations == 60
    assert resumed.exploitability == straight.exploitability
    for mine, theirs in zip(second.policy(), whole.policy(), strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_is_kept(dtype: type[np.floating], tmp_path: Path) -> None:
    solver = Solver(load("kuhn"), "cfr+", dtype)
    solver.run(iterations=10)
    solver.save(tmp_path / "a.npz")
    assert load_checkpoint(tmp_path / "a.npz").arrays["regret0"].dtype == dtype
    other = Solver(load("kuhn"), "cfr+", np.float32 if dtype is np.float64 else np.float64)
    with pytest.raises(InputError, match="does not fit"):
        other.resume(tmp_path / "a.npz")


def test_stops_at_the_target() -> None:
    solution = Solver(load("leduc"), "dcfr").run(until=0.01)
    assert solution.exploitability <= 0.01
    assert solution.trace[-2].exploitability > 0.01


def test_stops_in_time() -> None:
    solution = Solver(load("leduc"), "dcfr").run(seconds=0.2)
    assert solution.seconds >= 0.2
    assert solution.iterations > 10


def test_progress_falls_and_is_traced() -> None:
    seen: list[Progress] = []
    solution = Solver(load("kuhn"), "cfr+").run(iterations=500, on_progress=seen.append)
    assert set(solution.trace) <= set(seen)
    assert [progress.iterations for progress in seen] == sorted({p.iterations for p in seen})
    assert seen[-1].iterations == 500
    assert seen[-1].exploitability < seen[0].exploitability


def test_interrupting_returns_what_was_found() -> None:
    def interrupt(progress: Progress) -> None:
        if progress.iterations > 100:
            signal.raise_signal(signal.SIGINT)

    solution = Solver(load("kuhn"), "cfr+").run(iterations=10_000, on_progress=interrupt)
    assert solution.was_interrupted
    assert 100 < solution.iterations < 10_000
    assert solution.exploitability < 0.1


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"iterations": 0},
        {"iterations": -5},
        {"until": 0.0},
        {"until": nan},
        {"until": inf},
        {"seconds": 0.0},
        {"seconds": -1.0},
        {"seconds": nan},
    ],
)
def test_senseless_limits_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(InputError):
        Solver(load("kuhn"), "cfr").run(**limits)  # type: ignore[arg-type]


def test_a_solution_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    solver = Solver(load("kuhn"), "cfr")
    solver.run(iterations=5)
    solver.save(path)
    with pytest.raises(InputError, match="another game: kuhn, not leduc"):
        Solver(load("leduc"), "cfr").resume(path)
    with pytest.raises(InputError, match=r"another algorithm: cfr, not cfr\+"):
        Solver(load("kuhn"), "cfr+").resume(path)


def test_a_solve_is_stopped_when_it_is_told_to() -> None:
    heard: list[int] = []

    def should_stop(iterations: int) -> bool:
        heard.append(iterations)
        return len(heard) == 4

    solution = Solver(load("leduc"), "cfr").run(iterations=10**9, should_stop=should_stop)
    assert solution.was_interrupted
    assert solution.iterations == heard[-1] < 10**6
