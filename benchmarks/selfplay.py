"""Self-play on boards: searches a second of processor time, by GT-CFR and by AlphaZero's search as the peer.

Presets as they are, an untrained network, one core: 128 games of Connect Four, chess and Go on nine lines in
lockstep.

    OMP_NUM_THREADS=1 python -m benchmarks selfplay
"""

import time

import torch

from sog.training.alphazero import AlphaZeroGenerator
from sog.training.generator import Generator
from sog.training.presets import load_preset

ROUNDS = {"connect_four": 6, "chess": 3, "go": 3}  # of one search a game
WARM_UP = 2  # rounds, in which kernels are compiled or loaded


def main() -> None:
    torch.set_num_threads(1)
    print(f"{'searches a CPU-second':24}{'SoG':>10}{'AlphaZero':>12}{'ratio':>8}")
    for preset, rounds in ROUNDS.items():
        ours, peer = (measure(kind, preset, rounds) for kind in (Generator, AlphaZeroGenerator))
        print(f"{preset:24}{ours:10.0f}{peer:12.0f}{ours / peer:8.2f}", flush=True)


def measure(kind: type[Generator] | type[AlphaZeroGenerator], preset: str, rounds: int) -> float:
    """Return how many searches a generator makes in a second of the processor."""
    generator = kind(load_preset(preset), seed=1)
    for _ in range(WARM_UP):
        generator.round()
    started = time.process_time()
    searches = sum(generator.round().counts.searches for _ in range(rounds))
    return searches / (time.process_time() - started)


if __name__ == "__main__":
    main()
