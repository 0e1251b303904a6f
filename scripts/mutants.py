"""Small wrong changes that the tests must notice: `make mutants`.

tests/mutants.toml lists them. Each one is made in a temporary copy of the package, never in the working tree,
and the tests named with it run on that copy: one of them at least must fail. Before that the same tests must
pass on a copy without any change. Kernels run as plain Python (`jit = false`), unless a mutant asks for
compiled ones; those get a cache of their own, since numba misses an edit in a callee of another file.

    python scripts/mutants.py [--list] [--only NAME]
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
LIST = REPOSITORY / "tests" / "mutants.toml"
COPIED = ("examples", "sog", "tests")  # folders
SECONDS = 600  # for one run of tests
PASSED, FAILED = 0, 1  # what pytest returns


@dataclass(frozen=True)
class Mutant:
    """One wrong change."""

    name: str
    file: str  # from the top of the repository
    old: str  # occurs exactly once in the file
    new: str
    tests: tuple[str, ...]  # files or node ids: one at least must fail
    why: str  # what is wrong then
    jit: bool = False

    @property
    def test_set(self) -> tuple[tuple[str, ...], bool]:
        """What must pass without the change."""
        return self.tests, self.jit

    def problem(self) -> str | None:
        """Return why the change cannot be made, if so."""
        path = REPOSITORY / self.file
        if not path.is_file():
            return f"{self.file} is not there"
        count = path.read_text().count(self.old)
        return None if count == 1 else f"`old` occurs {count} times in {self.file}"


def read_mutants(path: Path = LIST) -> list[Mutant]:
    """Return the list, which must not name two mutants alike."""
    tables: list[dict[str, Any]] = tomllib.loads(path.read_text())["mutant"]
    mutants = [Mutant(**{**table, "tests": tuple(table["tests"])}) for table in tables]
    names = [mutant.name for mutant in mutants]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise SystemExit(f"mutants: two are named {twice[0]}")
    return mutants


class Bench:
    """A temporary folder in which copies are made and tests run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._plain = self._copy("plain")
        self._baselines: dict[tuple[tuple[str, ...], bool], str] = {}
        self._check_import()

    def judge(self, mutant: Mutant) -> str:
        """Return "killed", "SURVIVED", or what went wrong otherwise."""
        if mutant.test_set not in self._baselines:
            self._baselines[mutant.test_set] = self._run(self._plain, *mutant.test_set)
        if (baseline := self._baselines[mutant.test_set]) != "passed":
            return f"broken baseline: the tests {baseline} without the change"
        copy = self._copy(mutant.name)
        path = copy / mutant.file
        path.write_text(path.read_text().replace(mutant.old, mutant.new))
        outcome = self._run(copy, *mutant.test_set)
        shutil.rmtree(copy)
        return {"passed": "SURVIVED", "failed": "killed", "crashed": "killed"}.get(outcome, outcome)

    def _copy(self, name: str) -> Path:
        copy = self._folder / name
        for folder in COPIED:
            ignored = shutil.ignore_patterns("__pycache__", ".hypothesis")
            shutil.copytree(REPOSITORY / folder, copy / folder, ignore=ignored)
        shutil.copy2(REPOSITORY / "pyproject.toml", copy)
        return copy

    def _check_import(self) -> None:
        """Refuse to go on if Python would take the package from elsewhere."""
        command = [sys.executable, "-c", "import sog; print(sog.__file__)"]
        run = subprocess.run(command, cwd=self._plain, capture_output=True, text=True, check=True)
        if not Path(run.stdout.strip()).is_relative_to(self._plain):
            raise SystemExit(f"mutants: the copy is not what is imported, but {run.stdout.strip()}")

    def _run(self, copy: Path, tests: tuple[str, ...], jit: bool) -> str:
        """Return what becomes of the tests: "passed", "failed", "crashed", or something unforeseen."""
        environment = os.environ | {"CI": "1", "NUMBA_CACHE_DIR": str(copy / "cache")}
        environment.pop("PYTHONPATH", None)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        if not jit:
            environment["NUMBA_DISABLE_JIT"] = "1"
            command += ["-W", "ignore:overflow encountered"]  # random numbers wrap around
        process = subprocess.Popen(
            command,
            cwd=copy,
            env=environment,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            return f"took more than {SECONDS} seconds"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if code == PASSED:
            return "passed"
        if code == FAILED:
            return "failed"
        return "crashed" if code < 0 else f"could not be run (pytest returned {code})"


def main() -> int:
    """Run the mutants that were asked for; return 1 if one of them was not killed."""
    parser = argparse.ArgumentParser(description="Check that tests notice small wrong changes.")
    parser.add_argument("--only", metavar="NAME", help="one mutant alone")
    parser.add_argument("--list", action="store_true", help="list mutants, and check that they can be made")
    options = parser.parse_args()
    mutants = [mutant for mutant in read_mutants() if options.only in (None, mutant.name)]
    if not mutants:
        print(f"mutants: there is none named {options.only}", file=sys.stderr)
        return 1
    problems = {mutant.name: problem for mutant in mutants if (problem := mutant.problem()) is not None}
    if options.list:
        for mutant in mutants:
            print(f"{mutant.name:40} {mutant.file:32} {problems.get(mutant.name, mutant.why)}")
        return 1 if problems else 0
    killed = 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # as Ctrl-C does: tests end, the copies go
    with tempfile.TemporaryDirectory(prefix="sog-mutants-") as folder:
        bench = Bench(Path(folder).resolve())
        for number, mutant in enumerate(mutants, 1):
            start = time.monotonic()
            outcome = problems.get(mutant.name) or bench.judge(mutant)
            killed += outcome == "killed"
            seconds = time.monotonic() - start
            print(f"{number:3}/{len(mutants)} {mutant.name:40} {outcome} ({seconds:.0f} s)", flush=True)
    print(f"{killed} of {len(mutants)} killed")
    return 0 if killed == len(mutants) else 1


if __name__ == "__main__":
    sys.exit(main())
