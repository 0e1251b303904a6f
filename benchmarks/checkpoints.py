"""What a checkpoint of a run with 2 GB of examples costs: to write, to write again, to go on from.

Examples are those of random games of chess, packed as in training and repeated until they fill the replay;
the run has the network, the optimiser and the generator of `sog train chess`. Seconds by the clock and of
the processor, in a temporary folder or in the one that is named.

    python -m benchmarks checkpoints
    python -m benchmarks.checkpoints FOLDER MEGABYTES
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import TypeVar

from benchmarks.examples import random_games
from sog.core.arrays import MB
from sog.training.checkpoint import FOLDER, load_newest
from sog.training.examples import Examples, join_examples
from sog.training.generator import Generator
from sog.training.presets import load_preset
from sog.training.replay import SHARD_BYTES
from sog.training.run import Run

GAME = "chess"
MEGABYTES = 2_048
_T = TypeVar("_T")


def main(folder: Path | None = None, megabytes: float = MEGABYTES) -> None:
    """Print a row for each thing that a run does with its checkpoints."""
    place = Path(tempfile.mkdtemp(dir=folder))
    try:
        measure(place / "run", megabytes)
    finally:
        shutil.rmtree(place)


def measure(folder: Path, megabytes: float) -> None:
    """Fill a run's replay, write checkpoints and read the last one back."""
    pack = join_examples([random_games(GAME)] * 20)
    size = ceil(megabytes * MB / pack.num_bytes)
    config = load_preset(GAME)
    config = replace(config, replay=replace(config.replay, examples=(size + 10) * pack.size))
    run = Run(config, folder)
    for _ in range(size):
        run.replay.add(pack)
    states = [Generator(config, seed=1).state()]
    print(f"{run.replay.size:,} examples of {GAME}, {run.replay.num_bytes / MB:,.0f} MB")
    print(f"{'':44}{'seconds':>9}{'CPU':>7}{'file, MB':>10}")

    def write() -> None:
        run.learner.steps += 1  # each has a file of its own
        run._write_checkpoint(states)

    def report(words: str, call: Callable[[], _T]) -> _T:
        started, spent = time.perf_counter(), time.process_time()
        found = call()
        seconds, spent = time.perf_counter() - started, time.process_time() - spent
        newest = max((folder / FOLDER).glob("*.npz"))
        print(f"{words:44}{seconds:9.2f}{spent:7.2f}{newest.stat().st_size / MB:10.1f}", flush=True)
        return found

    report("the first checkpoint, every shard", write)
    report("the next one, nothing has changed", write)
    report("the next one, nothing has changed", write)
    add_shard(run, pack)
    report("the next one, one more shard", write)
    run.replay.add(pack)
    report("the next one, a part of a shard", write)
    data = report("to read it back", lambda: load_newest(folder, print))
    resumed = report("to make the run that it was", lambda: Run.resume(data, config, folder))
    assert (resumed.replay.size, resumed.learner.steps) == (run.replay.size, run.learner.steps)
    run = resumed
    report("the first one of the run that goes on", write)
    report("the next one, nothing has changed", write)


def add_shard(run: Run, pack: Examples) -> None:
    """Add examples until one more shard is full."""
    for _ in range(ceil(SHARD_BYTES / pack.num_bytes)):
        run.replay.add(pack)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main(Path(sys.argv[1]), float(sys.argv[2]))
    else:
        main()
