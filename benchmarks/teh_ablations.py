"""What the training on turn endgame hold'em owes to each of its parts: three ablations in one command.

    OMP_NUM_THREADS=1 python -m benchmarks.teh_ablations FOLDER [--minutes 20] [--seeds 3]

For each seed the usual training comes first and takes so many minutes. The others are paired with it: they
start from the same seed and take the same number of gradient steps, hence as many solved rivers.

- dense against hands: a network with an input and a value for each of the 1,326 hands, and the usual kind,
  both learn from nothing from the rivers that the seed's usual training has kept;
- self-play against random beliefs: rivers with ranges drawn at random, none that a search asked about;
- all cards against one sampled card: a search values its leaves by one river, drawn anew each iteration, in
  self-play; and, with the network of the usual training, in play.

All are measured alike on ReBeL's test spot: exact exploitability, turn of 100 iterations, rivers of 300.
FOLDER/results.jsonl has a line for each; what it holds already is not run again, and one that was stopped
starts anew. With `--seeds 0` the program only prints the table: means with standard errors, the differences
from the row that each is paired with, and CPU-minutes of training. A training of less than two minutes of a
core never comes to self-play: the preset draws all ranges at random for its first 300 steps.
"""

import argparse
import json
import shutil
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

from benchmarks.paired_seeds import HERE, Side, read_results, run
from benchmarks.teh_networks import (
    LADDER,
    Dense,
    DenseValues,
    Loss,
    dense_loss,
    ladder_loss,
    play,
    read_examples,
    train,
)
from sog.core.rng import make_rng
from sog.games.holdem.teh import make_teh
from sog.nets.agents import load_agent
from sog.nets.ladder import Ladder, forward_of
from sog.poker.composed import ComposedPlay
from sog.poker.river_examples import SIZES
from sog.poker.river_values import RiverValues
from sog.poker.teh_agent import network_of_agent
from sog.poker.turn_search import LeafValues
from sog.training.shards import FOLDER

MINUTES, SEEDS = 20.0, 3
USUAL = "self-play, all cards, hands"
PAIRS = {
    "hands, from the same rivers": USUAL,
    "dense, from the same rivers": "hands, from the same rivers",
    "random beliefs": USUAL,
    "one sampled card in self-play": USUAL,
    "one sampled card in play": USUAL,
}
OPTIONS = {
    USUAL: "",
    "random beliefs": "random_share = 1.0\nrandom_steps = 1_000_000_000\n",
    "one sampled card in self-play": "rivers = 1\n",
}
_OPEN_END = 10_000.0  # minutes between measurements, or of a training that ends with its steps

Row = dict[str, Any]


class Task(NamedTuple):
    """A row of the table for one seed."""

    name: str
    seed: int
    measure: Callable[[], Row]


def configure(options: str) -> str:
    """Return the preset with other options of the streets, without measurements on the way."""
    replaced = {key.split(" = ")[0] for key in options.splitlines()}
    lines = []
    for line in (HERE / "sog" / "configs" / "teh.toml").read_text("utf-8").splitlines():
        if line.split(" = ")[0] not in replaced | {"evaluate_minutes"}:
            lines.append(line)
        if line == "[streets]":
            lines += options.splitlines()
        if line == "[run]":
            lines.append(f"evaluate_minutes = {_OPEN_END}")
    return "\n".join(lines) + "\n"


class Ablations:
    """Trains and measures, one task at a time."""

    def __init__(self, folder: Path, minutes: float) -> None:
        self._folder, self._minutes = folder, minutes
        self._play = ComposedPlay(make_teh(), 1)

    def tasks(self, seed: int) -> Iterator[Task]:
        """Go through the rows of a seed; the usual training is first, since the others are paired with it."""
        yield Task(USUAL, seed, partial(self._train, USUAL, seed))
        for name, make in (("hands", self._learn_hands), ("dense", self._learn_dense)):
            yield Task(f"{name}, from the same rivers", seed, partial(make, seed))
        for name in OPTIONS:
            if name != USUAL:
                yield Task(name, seed, partial(self._train, name, seed))
        yield Task("one sampled card in play", seed, partial(self._play_one_card, seed))

    def _out(self, name: str, seed: int) -> Path:
        return (self._folder / f"{list(OPTIONS).index(name)}_{seed}").resolve()

    def _train(self, name: str, seed: int) -> Row:
        out = self._out(name, seed)
        if out.exists():  # a training that was stopped
            shutil.rmtree(out)
        config = out.with_suffix(".toml")
        config.write_text(configure(OPTIONS[name]), "utf-8")
        limits = ["--minutes", str(self._minutes)]
        if name != USUAL:
            limits = ["--steps", str(self._steps(seed)), "--minutes", str(_OPEN_END)]
        side = Side(name, HERE, "")
        ways = ("--config", str(config), "--seed", str(seed), "--out", str(out), "--workers", "0")
        _, seconds = run(side, "train", "teh", *ways, *limits)
        agent = load_agent(str(out))
        found = self._measure(RiverValues(network_of_agent(agent), self._play.spot.sizes))
        return {"steps": agent.steps, "rivers": _rivers(out), "cpu_seconds": round(seconds, 1), "mbb": found}

    def _steps(self, seed: int) -> int:
        return load_agent(str(self._out(USUAL, seed))).steps

    def _learn_hands(self, seed: int) -> Row:
        torch.manual_seed(seed)
        network = Ladder(LADDER, SIZES)
        learned = self._learn(network, ladder_loss(network), seed)
        return {**learned, "mbb": self._measure(RiverValues(forward_of(network), self._play.spot.sizes))}

    def _learn_dense(self, seed: int) -> Row:
        torch.manual_seed(seed)
        network = Dense()
        learned = self._learn(network, dense_loss(network), seed)
        return {**learned, "mbb": self._measure(DenseValues(network, self._play.spot.sizes))}

    def _learn(self, network: nn.Module, loss: Loss, seed: int) -> Row:
        """Learn from the rivers of a seed's usual training, in as many steps."""
        start = time.process_time()
        if len(list((self._out(USUAL, seed) / FOLDER).glob("*.npz"))) < 2:
            raise SystemExit("too few rivers to learn from and to hold out: give more --minutes")
        examples, steps = read_examples(self._out(USUAL, seed)), max(4, self._steps(seed))
        *_, (_, huber) = train(network, loss, examples, steps)
        seconds = round(time.process_time() - start, 1)
        return {"steps": steps, "rivers": examples.size, "cpu_seconds": seconds, "huber": huber}

    def _play_one_card(self, seed: int) -> Row:
        network = network_of_agent(load_agent(str(self._out(USUAL, seed))))
        values = RiverValues(network, self._play.spot.sizes, rivers=1, rng=make_rng(seed))
        return {"steps": self._steps(seed), "cpu_seconds": 0.0, "mbb": self._measure(values)}

    def _measure(self, values: LeafValues) -> float:
        return play(values, self._play)


def _rivers(out: Path) -> int:
    """Return how many rivers a training has solved."""
    lines = (out / "metrics.jsonl").read_text("utf-8").splitlines()
    return max((int(json.loads(line).get("solved", 0)) for line in lines), default=0)


def tabulate(rows: list[Row]) -> list[str]:
    """Return the table.

    >>> def row(name, seed, mbb):
    ...     return {"row": name, "seed": seed, "steps": 9, "cpu_seconds": 60.0, "mbb": mbb}
    >>> four = [row(USUAL, 0, 160.0), row(USUAL, 1, 180.0)]
    >>> four += [row("random beliefs", 0, 300.0), row("random beliefs", 1, 260.0)]
    >>> for text in tabulate(four):
    ...     print(text.rstrip())
    mbb a hand                    mean ± error   seeds   against its pair   steps   CPU-minutes
    self-play, all cards, hands       170 ± 10       2                          9           1.0
    random beliefs                    280 ± 20       2          +110 ± 30       9           1.0
    """
    texts = [_line("mbb a hand", "mean ± error", "seeds", "against its pair", "steps", "CPU-minutes")]
    for name in (USUAL, *PAIRS):
        own = {row["seed"]: row for row in rows if row["row"] == name}
        if not own:
            continue
        pair = {row["seed"]: row["mbb"] for row in rows if row["row"] == PAIRS.get(name)}
        changes = [row["mbb"] - pair[seed] for seed, row in own.items() if seed in pair]
        mean = _say(f"{statistics.fmean(row['mbb'] for row in own.values()):.0f}", _error(own))
        change = f"{statistics.fmean(changes):+.0f}" if changes else ""
        against = _say(change, _standard_error(changes)) if changes else ""
        steps = statistics.fmean(row["steps"] for row in own.values())
        minutes = statistics.fmean(row["cpu_seconds"] for row in own.values()) / 60
        texts.append(_line(name, mean, str(len(own)), against, f"{steps:,.0f}", f"{minutes:.1f}"))
    return texts


def _line(name: str, *cells: str) -> str:
    widths = 14, 8, 19, 8, 14
    return f"{name:28}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def _error(rows: dict[int, Row]) -> float | None:
    return _standard_error([row["mbb"] for row in rows.values()])


def _standard_error(values: list[float]) -> float | None:
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else None


def _say(mean: str, error: float | None) -> str:
    return mean if error is None else f"{mean} ± {error:.0f}"


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=MINUTES, help="of each usual training")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    given = parser.parse_args()
    file = given.folder / "results.jsonl"
    torch.set_num_threads(1)
    if given.seeds:
        given.folder.mkdir(parents=True, exist_ok=True)
        ablations = Ablations(given.folder, given.minutes)
        done = {(row["row"], row["seed"]) for row in read_results(file)}
        for seed in range(given.seeds):
            for task in ablations.tasks(seed):
                if (task.name, task.seed) not in done:
                    row = {"row": task.name, "seed": task.seed, **task.measure()}
                    with file.open("a", encoding="utf-8") as opened:
                        opened.write(json.dumps(row) + "\n")
                    print(json.dumps(row), flush=True)
    print("\n".join(tabulate(read_results(file))))


if __name__ == "__main__":
    main()
