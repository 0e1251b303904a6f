import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from sog.interfaces.cli import solves
from sog.solvers.loop import Progress
from tests.interfaces.conftest import Sog

FIGURES = ("game", "algorithm", "iterations", "exploitability", "value", "infostates")
REQUIRED = {*FIGURES, "seconds", "iterations_per_second", "nash_conv", "was_interrupted", "trace"}


def test_json_has_the_figures_and_nothing_else(sog: Sog) -> None:
    result = sog("solve", "kuhn", "--iterations", 500, "--json")
    assert (result.status, result.err) == (0, "")
    figures = result.json
    assert set(figures) >= REQUIRED
    assert figures["algorithm"] == "dcfr"
    assert figures["iterations"] == 500
    assert figures["infostates"] == 12
    assert figures["value"] == pytest.approx(-1 / 18, abs=1e-3)
    assert 0 < figures["exploitability"] < 1e-3
    assert figures["nash_conv"] == 2 * figures["exploitability"]
    iterating = figures["seconds"] - figures["seconds_measuring"]
    assert figures["iterations_per_second"] == pytest.approx(500 / iterating)
    assert figures["was_interrupted"] is False
    assert figures["trace"][-1][::2] == [500, figures["exploitability"]]


def test_text_has_value_and_exploitability(sog: Sog) -> None:
    result = sog("solve", "kuhn")
    assert result.status == 0
    assert result.out.startswith("kuhn by dcfr\n")
    for part in ("value for player 0", "-0.0555", "exploitability", "1,000", "iterations per second"):
        assert part in result.out
    assert "player 1" not in result.out


def test_stops_by_exploitability_and_by_time(sog: Sog) -> None:
    figures = sog("solve", "kuhn", "--until", 0.01, "--json").json
    assert figures["exploitability"] <= 0.01
    assert figures["iterations"] < 1000
    figures = sog("solve", "leduc", "--algorithm", "cfr+", "--seconds", 0.2, "--json").json
    assert 0.2 <= figures["seconds"] < 60


def test_strategy_table(sog: Sog) -> None:
    result = sog("solve", "kuhn", "--strategy")
    king = next(line for line in result.out.splitlines() if line.strip().startswith("K | deal deal bet"))
    assert king.split()[-4:] == ["pass", "0.0%", "bet", "100.0%"]
    assert "more infostates" in sog("solve", "kuhn", "--strategy", "--rows", 2).out
    table = sog("solve", "kuhn", "--strategy", "--json").json["strategy"]
    assert len(table) == 12
    for row in table:
        assert sum(row["policy"].values()) == pytest.approx(1)


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr(alpha=1,beta=-inf)", "mccfr", "fp"])
def test_algorithms_by_name(sog: Sog, algorithm: str) -> None:
    figures = sog("solve", "kuhn", "--algorithm", algorithm, "--iterations", 200, "--json").json
    assert figures["algorithm"] == algorithm
    assert figures["exploitability"] < 0.2


def test_seeds_decide_what_is_sampled(sog: Sog) -> None:
    values = [
        sog("solve", "kuhn", "--algorithm", "mccfr", "--iterations", 100, "--seed", seed, "--json").json[
            "value"
        ]
        for seed in (1, 1, 2)
    ]
    assert values[0] == values[1] != values[2]


@pytest.mark.parametrize("options", [[], ["--dtype", "float32"], ["--algorithm", "mccfr", "--seed", "3"]])
def test_resuming_is_not_having_stopped(sog: Sog, tmp_path: Path, options: list[str]) -> None:
    path = tmp_path / "leduc.npz"
    assert sog("solve", "leduc", *options, "--iterations", 70, "--save", path).status == 0
    resumed = sog("solve", "leduc", "--resume", path, "--iterations", 150, "--save", path, "--json").json
    whole = sog("solve", "leduc", *options, "--iterations", 150, "--json").json
    assert {key: resumed[key] for key in FIGURES} == {key: whole[key] for key in FIGURES}
    again = sog("solve", "leduc", "--resume", path, "--iterations", 150, "--json")
    assert "nothing to do" in again.err
    assert {key: again.json[key] for key in FIGURES} == {key: whole[key] for key in FIGURES}


def test_an_interrupted_solve_is_printed_saved_and_resumed(
    sog: Sog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "leduc.npz"

    @contextmanager
    def pressing_ctrl_c(*_: object) -> Iterator[Callable[[Progress], None]]:
        def report(progress: Progress) -> None:
            if progress.iterations > 50:
                signal.raise_signal(signal.SIGINT)

        yield report

    with monkeypatch.context() as patch:
        patch.setattr(solves, "solving", pressing_ctrl_c)
        stopped = sog("solve", "leduc", "--iterations", 10**9, "--save", path, "--json")
    assert stopped.status == 0
    assert stopped.json["was_interrupted"] is True
    iterations = stopped.json["iterations"]
    assert 50 < iterations < 10**6
    resumed = sog("solve", "leduc", "--resume", path, "--iterations", iterations + 100, "--json").json
    whole = sog("solve", "leduc", "--iterations", iterations + 100, "--json").json
    assert {key: resumed[key] for key in FIGURES} == {key: whole[key] for key in FIGURES}


def test_plot_is_written(sog: Sog, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.svg"
    assert sog("solve", "kuhn", "--iterations", 50, "--plot", path).status == 0
    assert "kuhn, dcfr" in path.read_text()


@pytest.fixture
def solution(sog: Sog, tmp_path: Path) -> Path:
    path = tmp_path / "kuhn.npz"
    sog("solve", "kuhn", "--iterations", 10, "--save", path)
    return path


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ("leduc --resume FILE", "a solution of kuhn, not of leduc"),
        ("kuhn --resume FILE --algorithm cfr", "by dcfr, not by cfr"),
        ("kuhn --resume FILE --algorithm dcfr(beta=1)", "by dcfr, not by dcfr(beta=1)"),
        ("kuhn --resume FILE --dtype float32", "in float64, not in float32"),
        ("kuhn --resume FILE --seed 4", "--seed"),
        ("kuhn --resume FILE --iterations 0", "--iterations"),
        ("kuhn --resume FILE --max-states 3", "--max-states"),
    ],
)
def test_a_file_is_not_made_to_fit(sog: Sog, solution: Path, arguments: str, part: str) -> None:
    before = solution.read_bytes()
    words = [str(solution) if word == "FILE" else word for word in arguments.split()]
    assert part in sog("solve", *words, "--save", solution).complaint
    assert solution.read_bytes() == before


def test_equal_settings_are_the_same_algorithm(sog: Sog, solution: Path) -> None:
    options = ["--algorithm", "dcfr(alpha=1.5)", "--iterations", 20, "--json"]
    assert sog("solve", "kuhn", "--resume", solution, *options).json["iterations"] == 20


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-300])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _text(path: Path) -> None:
    path.write_text("not a solution")


def _array(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.zeros(3))


def _other_archive(path: Path) -> None:
    np.savez(path, something=np.zeros(3))


def _changed(path: Path, **fields: object) -> None:
    with np.load(path) as file:
        content = dict(file.items())
    np.savez(path, **{key: value for key, value in (content | fields).items() if value is not None})


def _strange_iterations(path: Path) -> None:
    _changed(path, iterations=np.zeros(2))


def _strange_trace(path: Path) -> None:
    _changed(path, trace=np.zeros(4))


def _unknown_algorithm(path: Path) -> None:
    _changed(path, algorithm="magic")


def _other_format(path: Path) -> None:
    _changed(path, format=99)


def _missing_array(path: Path) -> None:
    _changed(path, array_regret0=None)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "damage",
    [
        _truncated, _empty, _text, _array, _other_archive, _strange_iterations, _strange_trace,
        _unknown_algorithm, _other_format, _missing_array, _folder,
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", ["solve", "play"])
def test_damaged_files_are_refused(
    sog: Sog, solution: Path, damage: Callable[[Path], None], command: str
) -> None:
    damage(solution)
    option = "--resume" if command == "solve" else "--opponent"
    assert str(solution) in sog(command, "kuhn", option, solution).complaint


def test_a_failed_save_destroys_nothing_and_still_prints(
    sog: Sog, solution: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = solution.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sog.solvers.checkpoint.write_arrays", fail)
    result = sog("solve", "kuhn", "--iterations", 20, "--save", solution, "--json")
    assert result.status == 2
    assert "No space left" in result.err
    assert result.json["iterations"] == 20
    assert solution.read_bytes() == before
    assert [path.name for path in solution.parent.iterdir()] == [solution.name]
