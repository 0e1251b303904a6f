"""Flip single bytes of solutions, agents and checkpoints: each is refused in one line or read rightly.

    python scripts/damage.py [--flips 5000] [--seed 0]

A third of the flips hit headers of arrays, a third the records of the archive around them, the rest any byte.
"""

import argparse
import pickle
import random
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sog.core.errors import InputError
from sog.interfaces.cli import main as sog
from sog.nets.agents import read_agent
from sog.solvers.checkpoint import load_checkpoint as load_solution
from sog.training.checkpoint import find_checkpoints, load_checkpoint
from sog.training.plain import pack

HEADER = 128  # bytes of an array's header, at least
RECORD, EXTRA = 30, 20  # bytes before a member's name and behind it, where numpy leaves room for large sizes


def make_files(folder: Path) -> dict[Path, Callable[[Path], Any]]:
    """Write one file of each kind; return their readers."""
    solution, run = folder / "solution.npz", folder / "run"
    commands = (
        ["solve", "leduc", "--iterations", "20", "--save", str(solution)],
        ["train", "kuhn", "--steps", "20", "--out", str(run)],
    )
    for command in commands:
        if sog(command) != 0:
            raise SystemExit(f"sog {' '.join(command)} failed")
    return {
        solution: load_solution,
        run / "agent.npz": read_agent,
        find_checkpoints(run)[-1]: lambda path: pack(load_checkpoint(path)),  # tensors as bytes to compare
    }


def places_of(path: Path, count: int, rng: random.Random) -> list[int]:
    """Choose bytes to flip: of arrays' headers, of the archive's own records, and of everything."""
    size = path.stat().st_size
    with zipfile.ZipFile(path) as archive:
        members, directory = archive.infolist(), archive.start_dir
    records = [*range(directory, size)]
    headers: list[int] = []
    for member in members:
        content = member.header_offset + RECORD + len(member.filename) + EXTRA
        records += range(member.header_offset, content)
        headers += range(content, min(content + HEADER, size))
    third = count // 3
    chosen = rng.choices(headers, k=third) + rng.choices(records, k=third)
    return chosen + [rng.randrange(size) for _ in range(count - 2 * third)]


def try_flips(path: Path, read: Callable[[Path], Any], count: int, rng: random.Random) -> tuple[int, int]:
    """Return how many flips were refused, and how many read rightly; anything else ends the program."""
    whole = path.read_bytes()
    right = pickle.dumps(read(path))
    refused = 0
    for place in places_of(path, count, rng):
        flip = rng.randrange(1, 256)
        path.write_bytes(whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :])
        what = f"{path.name}: byte {place} of {len(whole)} xor {flip}"
        try:
            found = pickle.dumps(read(path))
        except InputError as error:
            refused += 1
            if "\n" in str(error):
                raise SystemExit(f"{what}: more than a line: {error}") from None
        except Exception as error:
            raise SystemExit(f"{what}: {type(error).__name__}: {error}") from error
        else:
            if found != right:
                raise SystemExit(f"{what}: something else was read without a word")
    path.write_bytes(whole)
    return refused, count - refused


def main() -> int:
    """Make the files, damage them and say what happened."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--flips", type=int, default=5000, help="in all files together")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        files = make_files(Path(folder))
        for number, (path, read) in enumerate(files.items()):
            count = options.flips * (number + 1) // len(files) - options.flips * number // len(files)
            refused, harmless = try_flips(path, read, count, rng)
            print(f"{path.name}: {count} flips, {refused} refused in one line, {harmless} read rightly")
    return 0


if __name__ == "__main__":
    sys.exit(main())
