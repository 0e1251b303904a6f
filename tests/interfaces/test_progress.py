import io
import signal
import subprocess
import sys

import pytest

from sog.interfaces import progress
from sog.interfaces.progress import building, preparing, solving
from sog.solvers.loop import Progress


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
    assert "compiles" in text
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
        "dcfr: 50 iterations, exploitability 0.25",
        "dcfr: 100 iterations, exploitability 0.125",
    ]


def test_ctrl_c_while_compiling_ends_at_once() -> None:
    code = (
        "import signal\n"
        "from sog.interfaces.progress import preparing\n"
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
