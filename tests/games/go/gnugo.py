"""GNU Go as an oracle of rules and scores, through GTP."""

import os
import shutil
import subprocess
from types import TracebackType
from typing import IO, cast

import pytest

ENGINE = shutil.which("gnugo", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
needs_gnugo = pytest.mark.skipif(ENGINE is None, reason="gnugo is not installed")


class GnuGo:
    """A session; the rules are set to ours."""

    def __init__(self, size: int, komi: float) -> None:
        assert ENGINE is not None
        command = [ENGINE, "--mode", "gtp", "--level", "1", "--chinese-rules", "--positional-superko"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.ask(f"boardsize {size}")
        self.ask(f"komi {komi}")

    def ask(self, command: str) -> str:
        """Return the answer to a command, which must not fail."""
        sent, heard = cast(IO[str], self._process.stdin), cast(IO[str], self._process.stdout)
        sent.write(command + "\n")
        sent.flush()
        lines = []
        while line := heard.readline().strip():
            lines.append(line)
        assert lines
        assert lines[0].startswith("="), f"{command}: {lines}"
        return " ".join([lines[0][1:].strip(), *lines[1:]]).strip()

    def __enter__(self) -> "GnuGo":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate("quit\n")
