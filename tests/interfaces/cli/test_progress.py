import io
import signal
import subprocess
import sys
from math import inf

import pytest

from sog.interfaces.cli import progress
from sog.interfaces.cli.progress import building, preparing, solving
from sog.solvers.loop import Progress
from sog.training.run_status import Counts, Losses, Measurement, RunStatus


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _solve(total: int | None) -> None:
    with building("leduc") as report_states:
        report_states(467)
    with preparing():
        pass
    with solving("dcfr", 0, total) as report:
        report(Progress(50, 0.1, 0.25))
        report(Progress(100, 0.2, 0.125))


@pytest.mark.parametrize("total", [None, 100])
def test_a_terminal_sees_a_bar(monkeypatch: pytest.MonkeyPatch, total: int | None) -> None:
    terminal = _Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    _solve(total)
    text = terminal.getvalue()
    assert "building leduc" in text
    assert "preparing" in text
    last = text.rstrip().splitlines()[-1].split("\r")[-1]
    assert "100/100" in last if total else "dcfr 100 " in last
    assert "exploitability 0.125" in last


def test_a_file_sees_lines_of_long_solves(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr("sys.stderr", file)
    _solve(100)
    assert file.getvalue() == ""
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", 0.0)
    _solve(100)
    assert file.getvalue().splitlines() == [
        "building leduc: 467 public states so far",
        "dcfr: 50 iterations, exploitability 0.25",
        "dcfr: 100 iterations, exploitability 0.125",
    ]


def test_ctrl_c_while_compiling_ends_at_once() -> None:
    code = (
        "import signal\n"
        "from sog.interfaces.cli.progress import preparing\n"
        "with preparing():\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    except BaseException:\n"
        "        pass\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert (result.returncode, result.stderr.strip()) == (130, "sog: interrupted")


def test_preparing_gives_the_signal_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with preparing():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_training_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", 0.0)
    start = RunStatus(steps=100, seconds=10.0)
    now = RunStatus(
        steps=150,
        seconds=20.0,
        counts=Counts(games=7, solved=3000),
        losses=Losses(0.01, 0.5),
        examples=4000,
        buffer=2000,
        curve=[Measurement(0, 0.0, {"SoG(10,1)": 9.0, "SoG(100,1)": 812.0})],
    )
    with progress.training("leduc", start, steps=300, minutes=inf) as report:
        report(now)
    assert capsys.readouterr().err == (
        "leduc: step 150/300, 0:30 left, loss 0.0100 0.5000, exploitability 812, 7 games, 300 solved/s,"
        " 4,000 examples, buffer 2,000\n"
    )
    with progress.training("leduc", start, steps=inf, minutes=62.0) as report:
        report(now)
    assert "step 150, 1:01:40 left" in capsys.readouterr().err
    with progress.training("leduc", start, steps=inf, minutes=0.25) as report:
        report(now)
    assert "step 150, 0:00 left" in capsys.readouterr().err


def test_a_first_run_says_that_it_compiles() -> None:
    code = (
        "import numba\n"
        "from sog.interfaces.cli import progress\n"
        "progress.announcement.duration = 'an hour'\n"
        "compiled = numba.njit(lambda number: number + number)\n"
        "assert (compiled(2), compiled(2.5)) == (4, 5.0)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    line = "sog: compiling for this machine, about an hour; later runs start at once\n"
    assert (result.returncode, result.stderr) == (0, line)
