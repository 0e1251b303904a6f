"""The command line as a function: arguments in, exit status and both outputs out."""

import io
import json
from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

import pytest

from sog.interfaces.cli import main, progress


class Result(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        figures: dict[str, Any] = json.loads(self.out)
        return figures

    @property
    def complaint(self) -> str:
        """The one line of a command that could not use its input."""
        assert self.status == 2, self
        assert self.out == "", self.out
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("sog: "), self.err
        return lines[0]


Sog = Callable[..., Result]


@pytest.fixture
def sog(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Sog:
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN_LINES", inf)  # however slow the machine is
    monkeypatch.setattr(progress.announcement, "is_made", True)  # whatever is compiled already

    def run(*arguments: object, typed: str = "") -> Result:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        return Result(status, *capsys.readouterr())

    return run
