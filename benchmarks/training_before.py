"""Training on boards by this program and an earlier one, by turns: searches, examples, gradient steps.

    OMP_NUM_THREADS=1 python -m benchmarks.training_before CHECKOUT [connect_four|chess|go …] [--rounds 2]
    OMP_NUM_THREADS=1 python -m benchmarks.training_before CHECKOUT [connect_four|chess|go …] --profile

CHECKOUT is a folder with an earlier version of this repository, such as one made by
`git worktree add ../before 19a71af`. Presets as they are, an untrained network, one core, seconds of the
processor. The games of self-play make some moves; then their positions become examples, whoever would have
won, and a network learns from those. A training step is a gradient step with the searches and the examples
that it pays for (`learner.batch / replay.updates_per_example`, one example a search). Other programs slow all
of this down, now more, now less: a search is one of the fastest move of all games, a gradient step the
fastest, and each program keeps its best figures of all rounds.

With `--profile` a profiler counts the time of torch's convolutions apart. They are the same work in both
programs, so that the rest in units of them says more on a machine whose speed changes.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

PRESETS = "connect_four", "chess", "go"
_MOVES, _STEPS = 6, 12  # of every game, after two in which kernels are loaded; of the network
_CHILD = """
import json, sys, tempfile, time
checkout, preset, moves, steps = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
sys.path.insert(0, checkout)  # before the folder that this was called in
from dataclasses import replace
from pathlib import Path
import sog, torch
from sog.training.generator import Generator
from sog.training.presets import load_preset
from sog.training.run import Run

assert Path(sog.__file__).parents[1] == Path(checkout), sog.__file__
torch.set_num_threads(1)
config = load_preset(preset)
config = replace(config, replay=replace(config.replay, warm_up=1))
generator = Generator(config, seed=1)
for _ in range(2):
    generator.round()
clock = time.process_time
search = float("inf")
for _ in range(moves):
    begun = clock()
    searches = generator.round().counts.searches
    search = min(search, (clock() - begun) / searches)
actor = generator._actor
begun = clock()
parts = [part for play in actor._plays for part in actor._write_outcomes(play, 1.0)]
example = (clock() - begun) / sum(part.size for part in parts)
with tempfile.TemporaryDirectory() as folder:
    run = Run(config, Path(folder))
    for part in parts:
        run.replay.add(part)
    run.replay.draws_left, gradient = 1e9, float("inf")
    for _ in range(steps):
        begun = clock()
        run._advance(None, None)
        gradient = min(gradient, clock() - begun)
paid = config.learner.batch / config.replay.updates_per_example
json.dump({"search": search, "example": example, "gradient": gradient, "paid": paid}, sys.stdout)
"""
_PROFILE = """
import cProfile, json, pstats, sys, time
checkout, preset, moves = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.path.insert(0, checkout)
import torch
from sog.training.generator import Generator
from sog.training.presets import load_preset

torch.set_num_threads(1)
generator = Generator(load_preset(preset), seed=1)
for _ in range(2):
    generator.round()
profile = cProfile.Profile(time.process_time)
profile.enable()
searches = sum(generator.round().counts.searches for _ in range(moves))
profile.disable()
stats = pstats.Stats(profile)
found = [entry[:4] for name, entry in stats.stats.items() if "conv2d" in name[2]]
calls, seconds = sum(entry[1] for entry in found), sum(entry[2] for entry in found)
json.dump([searches, stats.total_tt, calls, seconds], sys.stdout)
"""


class Figures(NamedTuple):
    """What a training takes, in seconds of the processor."""

    search: float
    example: float  # to write one, for the learner
    gradient: float  # a step, its batch included
    paid: float  # searches and examples a gradient step

    @property
    def step(self) -> float:
        """A gradient step with all that it pays for."""
        return self.gradient + self.paid * (self.search + self.example)


def call(code: str, checkout: Path, preset: str) -> Any:
    """Return what code says of a checkout, in a process of its own."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    environment.pop("PYTHONPATH", None)
    command = [sys.executable, "-c", code, str(checkout), preset, str(_MOVES), str(_STEPS)]
    done = subprocess.run(command, env=environment, cwd=checkout, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def profile(programs: dict[str, Path], preset: str) -> None:
    """Print what searches take beside the convolutions of their networks."""
    for program, checkout in programs.items():
        searches, seconds, calls, inside = call(_PROFILE, checkout, preset)
        figures = f"{searches:,} searches, {calls:,} convolutions in {inside:.3f} s, all else in"
        rest = seconds - inside
        print(f"{f'{preset} {program}':24}{figures} {rest:.3f} s, {rest / inside:.2f} of it", flush=True)


def best_of(found: list[Figures]) -> Figures:
    """Return the least of each figure.

    >>> best_of([Figures(1.0, 4.0, 1.0, 64.0), Figures(2.0, 3.0, 1.0, 64.0)])
    Figures(search=1.0, example=3.0, gradient=1.0, paid=64.0)
    """
    return Figures(*(min(figures) for figures in zip(*found, strict=True)))


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("presets", nargs="*", metavar="PRESET", help=", ".join(PRESETS))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    if unknown := set(given.presets) - set(PRESETS):
        parser.error(f"unknown preset {min(unknown)!r}: choose from {', '.join(PRESETS)}")
    programs = {"before": given.checkout.resolve(), "after": Path(__file__).resolve().parents[1]}
    if given.profile:
        for preset in given.presets or PRESETS:
            profile(programs, preset)
        return
    heads = ("searches/s", "examples/s", "gradients/s", "steps/s")
    print(f"{'a CPU-second':24}" + "".join(f"{head:>14}" for head in heads))
    for preset in given.presets or PRESETS:
        found: dict[str, list[Figures]] = {program: [] for program in programs}
        for _ in range(given.rounds):
            for program, checkout in programs.items():
                found[program].append(Figures(**call(_CHILD, checkout, preset)))
        for program in programs:
            best = best_of(found[program])
            rates = (1 / seconds for seconds in (best.search, best.example, best.gradient, best.step))
            figures = "".join(f"{rate:14,.4g}" for rate in rates)
            print(f"{f'{preset} {program}':24}{figures}", flush=True)


if __name__ == "__main__":
    main()
