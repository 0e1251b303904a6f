"""What a generator of training makes in a second of one core, and where the time goes.

By the presets of `sog train` for Leduc, the glasses map and Connect Four, with the network that comes with
the package for the game or, where there is none, an untrained one of the preset: examples and solved queries
with all of the self-play that they come from, and the bytes of an example. A second run has a clock around
every call of the network, of the store (new public states, their codes, planes of boards) and of a kernel;
what is left is Python, with its calls of numpy. For Leduc the peer is the same generator with the network as
torch itself runs it.

    OMP_NUM_THREADS=1 python -m benchmarks training
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch

from sog.core.errors import InputError
from sog.nets import answer_cache
from sog.nets import evaluator as evaluating
from sog.nets.agents import load_agent
from sog.nets.cvpn import make_network
from sog.nets.perceptron import Perceptron
from sog.nets.rows_forward import RowsForward
from sog.nets.spec import NetworkSpec, Sizes
from sog.nets.torch_forward import TorchForward
from sog.public.store import StateStore
from sog.search import gtcfr
from sog.training import examples as packing
from sog.training import records
from sog.training.generator import LANES, Generator
from sog.training.presets import load_preset

PRESETS = {"leduc": 20, "glasses": 20, "connect_four": 2}  # rounds that come first
CYCLES, REPEATS = 6, 3  # a cycle: a move of every game, and all queries that come of it
NETWORK, STORE, KERNELS = PARTS = ("network", "store", "kernels")
_Site = tuple[Any, str]
SITES: dict[str, tuple[_Site, ...]] = {
    NETWORK: tuple((kind, "__call__") for kind in (Perceptron, RowsForward, TorchForward)),
    STORE: tuple((StateStore, name) for name in ("expand", "outcomes", "codes", "plant")),
    KERNELS: (
        *((gtcfr, name) for name in ("open_gadgets", "reuse_tree", "advance", "read_answers", "summarise")),
        *((evaluating, name) for name in ("write_ranges", "weigh_opponents", "read_values", "read_priors")),
        *((answer_cache, name) for name in ("pick_unanswered", "keep_answers", "read_answers")),
        (records, "weigh_opponents"),
        *((packing, name) for name in ("measure", "fill")),
    ),
}


class Clock:
    """Time of several parts; a call within a call counts for the inner one alone."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self._parts: list[str] = []  # of the calls under way
        self._since = 0.0

    def around(self, part: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does the same, timed."""

        def timed(*arguments: Any, **named: Any) -> Any:
            self._count()
            self._parts.append(part)
            try:
                return call(*arguments, **named)
            finally:
                self._count()
                self._parts.pop()

        return timed

    def _count(self) -> None:
        """Add the time since the last call began or ended to whom it belongs."""
        now = time.process_time()
        if self._parts:
            self.seconds[self._parts[-1]] += now - self._since
        self._since = now


class Made(NamedTuple):
    """What some cycles have made."""

    examples: int
    num_bytes: int
    solved: int
    seconds: float  # of the processor


def make_generator(preset: str) -> Generator:
    """Return one that has met the game already, at the end of a cycle."""
    generator = Generator(load_preset(preset), seed=1)
    try:
        generator.take_weights(load_agent(preset).weights, 1)
    except InputError:
        print(f"(no agent comes with the package for {preset}: an untrained network)")
    for _ in range(PRESETS[preset]):
        generator.round()
    while generator.round().waiting >= LANES:
        pass
    return generator


def run(generator: Generator) -> Made:
    """Return what some cycles make."""
    made, cycles = Made(0, 0, 0, 0.0), 0
    while cycles < CYCLES:
        output = generator.round()
        made = Made(
            made.examples + sum(part.size for part in output.examples),
            made.num_bytes + sum(part.num_bytes for part in output.examples),
            made.solved + output.counts.solved,
            made.seconds + output.counts.seconds,
        )
        cycles += output.waiting < LANES
    return made


def best_run(preset: str) -> Made:
    """Return what the fastest of some runs makes."""
    generator = make_generator(preset)
    return max((run(generator) for _ in range(REPEATS)), key=lambda made: made.examples / made.seconds)


def measure_shares(preset: str) -> list[float]:
    """Return the shares of the time in network, store and kernels."""
    generator, clock = make_generator(preset), Clock()
    sites = dict(SITES)
    if generator.store.has_planes:
        sites[STORE] = (*SITES[STORE], (type(generator.store.planes), "write_planes"))
    with timing(clock, sites):
        seconds = run(generator).seconds
    return [clock.seconds[part] / seconds for part in PARTS]


@contextmanager
def timing(clock: Clock, sites: dict[str, tuple[_Site, ...]]) -> Iterator[None]:
    """Have a clock around functions and methods."""
    originals = [(part, owner, name, getattr(owner, name)) for part in sites for owner, name in sites[part]]
    try:
        for part, owner, name, call in originals:
            setattr(owner, name, clock.around(part, call))
        yield
    finally:
        for _, owner, name, call in originals:
            setattr(owner, name, call)


def plain_perceptron(spec: NetworkSpec, sizes: Sizes, weights: Any) -> TorchForward:
    """Return the same network as torch runs it."""
    network = make_network(spec, sizes, seed=0)
    network.load_state_dict({name: torch.as_tensor(weight) for name, weight in weights.items()})
    return TorchForward(network)


def main() -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    heads = ("examples/s", "bytes each", "solved/s", *PARTS, "Python")
    print(f"{'a second of one core':22}" + "".join(f"{head:>12}" for head in heads))
    for preset in PRESETS:
        made, shares = best_run(preset), measure_shares(preset)
        figures = (
            f"{made.examples / made.seconds:,.0f}",
            f"{made.num_bytes / max(made.examples, 1):,.0f}",
            f"{made.solved / made.seconds:,.0f}",
            *(f"{share:.0%}" for share in (*shares, 1 - sum(shares))),
        )
        print(f"{preset:22}" + "".join(f"{figure:>12}" for figure in figures), flush=True)
        if preset == "leduc":
            ours = made.solved / made.seconds
    evaluating.FAST["mlp"] = plain_perceptron
    try:
        made = best_run("leduc")
    finally:
        evaluating.FAST["mlp"] = Perceptron
    plain = made.solved / made.seconds
    print(f"leduc with the network in plain torch: {plain:,.0f} solved a second, ratio {ours / plain:.2f}")
    torch.set_num_threads(threads)
