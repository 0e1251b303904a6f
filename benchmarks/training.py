"""What a generator of Leduc's training makes in a second of one core, and where the time goes.

Solved queries with all of the self-play that they come from, by the preset of `sog train leduc` with the
network that comes with the package; the peer is the same generator with the network as torch itself runs it.
A second run has a clock around every kernel and every call of the network: what is left is Python.

    OMP_NUM_THREADS=1 python -m benchmarks training
"""

import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch

from sog.nets import evaluator as evaluating
from sog.nets.agents import load_agent
from sog.nets.cvpn import make_network
from sog.nets.perceptron import Perceptron
from sog.nets.spec import NetworkSpec, Sizes
from sog.nets.torch_forward import TorchForward
from sog.search import gtcfr
from sog.training.generator import LANES, Generator
from sog.training.presets import load_preset

GAME = "leduc"
WARM_UP, CYCLES, REPEATS = 20, 6, 3  # a cycle: a move of every game, and all queries that come of it
KERNELS: tuple[tuple[ModuleType, str], ...] = (
    (gtcfr, "open_gadgets"),
    (gtcfr, "advance"),
    (gtcfr, "read_answers"),
    (gtcfr, "summarise"),
    (evaluating, "write_ranges"),
    (evaluating, "read_values"),
    (evaluating, "read_priors"),
)


class Clock:
    """Sums up the time of what it stands around."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does the same, timed."""

        def timed(*arguments: Any) -> Any:
            started = time.process_time()
            result = call(*arguments)
            self.seconds += time.process_time() - started
            return result

        return timed


def make_generator() -> Generator:
    """Return one that has met the game already, at the end of a cycle."""
    generator = Generator(load_preset(GAME), seed=1)
    generator.take_weights(load_agent(GAME).weights, 1)
    for _ in range(WARM_UP):
        generator.round()
    while generator.round().waiting >= LANES:
        pass
    return generator


def run(generator: Generator) -> tuple[int, float]:
    """Return how many queries some cycles solve, and the CPU's seconds."""
    solved, seconds, cycles = 0, 0.0, 0
    while cycles < CYCLES:
        output = generator.round()
        solved, seconds = solved + output.counts.solved, seconds + output.counts.seconds
        cycles += output.waiting < LANES
    return solved, seconds


def best_rate() -> float:
    """Return solved queries a second."""
    generator = make_generator()
    return max(solved / seconds for solved, seconds in (run(generator) for _ in range(REPEATS)))


def measure_shares() -> tuple[float, float]:
    """Return the shares of the time in kernels and in the network."""
    kernels, network = Clock(), Clock()
    originals = [(module, name, getattr(module, name)) for module, name in KERNELS]
    forward = Perceptron.__call__
    generator = make_generator()
    try:
        for module, name, call in originals:
            setattr(module, name, kernels.around(call))
        Perceptron.__call__ = network.around(forward)  # type: ignore[method-assign]
        _, seconds = run(generator)
    finally:
        for module, name, call in originals:
            setattr(module, name, call)
        Perceptron.__call__ = forward  # type: ignore[method-assign]
    return kernels.seconds / seconds, network.seconds / seconds


def plain_perceptron(spec: NetworkSpec, sizes: Sizes, weights: Any) -> TorchForward:
    """Return the same network as torch runs it."""
    network = make_network(spec, sizes, seed=0)
    network.load_state_dict({name: torch.as_tensor(weight) for name, weight in weights.items()})
    return TorchForward(network)


def main() -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    ours = best_rate()
    evaluating.FAST["mlp"] = plain_perceptron
    try:
        plain = best_rate()
    finally:
        evaluating.FAST["mlp"] = Perceptron
    print(f"{GAME}: solved queries a second of one core, self-play included")
    print(f"  sog                         {ours:>7,.0f}")
    print(f"  the network in plain torch  {plain:>7,.0f}  ratio {ours / plain:.2f}")
    kernels, network = measure_shares()
    print(
        f"  time in kernels {kernels:.0%}, in the network {network:.0%}, outside {1 - kernels - network:.0%}"
    )
    torch.set_num_threads(threads)
