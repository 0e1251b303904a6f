"""What a generator makes and a learner takes in, and what passes between them: how many one learner can use.

Of each game's preset, with a network that has learned nothing yet, on one core: examples that a generator
makes in a CPU-second, examples that a learner takes in (steps in a CPU-second, times the batch, over the
updates that an example is used in), the bytes of an example and of a round on the wire, and of the weights.
States that become examples when their game is over are counted when they are searched.

    OMP_NUM_THREADS=1 python -m benchmarks cluster              # or: python -m benchmarks.cluster GAME …
"""

import pickle
import sys
import time

import torch

from sog.core.rng import make_rng
from sog.nets.cvpn import make_network
from sog.training.config import Config
from sog.training.context import weights_of
from sog.training.learner import Learner
from sog.training.methods import make_batch_maker, make_generator
from sog.training.presets import config_for, load_preset
from sog.training.replay import Replay

GAMES = ("leduc", "scotland_yard(map=london)", "teh", "chess")
SECONDS = 10.0  # of CPU, for each of the two
FULL = ("scotland_yard_full", "chess_full", "go19")


def main() -> None:
    """Print a row for each game, and the weights of the papers' networks."""
    torch.set_num_threads(1)
    print(
        f"{'game':<28}{'made/s':>9}{'taken/s':>9}{'feeds':>7}{'bytes':>8}{'round':>10}{'s':>7}{'weights':>12}"
    )
    for name in sys.argv[1:] if __name__ == "__main__" and len(sys.argv) > 1 else GAMES:
        config = config_for(name)
        replay = Replay(config.replay.examples, config.replay.updates_per_example)
        made, example, size, seconds = generate(config, replay)
        taken, weights = learn(config, replay)
        print(
            f"{name:<28}{made:>9,.0f}{taken:>9,.0f}{taken / made:>7.1f}{example:>8,.0f}{size:>10,.0f}"
            f"{seconds:>7.2f}{weights:>12,}",
            flush=True,
        )
    for name in FULL:
        print(f"{name:<28}{weight_bytes(load_preset(name)):>90,} bytes of weights")


def generate(config: Config, replay: Replay) -> tuple[float, float, float, float]:
    """Return examples a CPU-second, bytes of each, and bytes and CPU-seconds of a round."""
    generator = make_generator(config, 1)
    for _ in range(3):
        generator.round()
    examples = size = rounds = 0
    made = 0.0
    started = time.process_time()
    while (spent := time.process_time() - started) < SECONDS:
        output = generator.round()
        rounds += 1
        made += output.counts.solved + config.selfplay.td1_share * output.counts.searches
        size += len(pickle.dumps(output, pickle.HIGHEST_PROTOCOL))
        for part in output.examples:
            examples += part.size
            replay.add(part)
    return made / spent, size / max(examples, 1), size / rounds, spent / rounds


def learn(config: Config, replay: Replay) -> tuple[float, int]:
    """Return examples that are taken in in a CPU-second, and the bytes of the weights."""
    sizes, batch_maker = make_batch_maker(config)
    learner, rng = Learner(make_network(config.network, sizes, 0), config.learner), make_rng(0)
    batch = config.learner.batch
    steps, started = 0, time.process_time()
    while (spent := time.process_time() - started) < SECONDS:
        learner.step(batch_maker.make(replay.draw(batch, rng), rng))
        steps += 1
    weights = pickle.dumps(weights_of(learner.averaged), pickle.HIGHEST_PROTOCOL)
    return steps / spent * batch / config.replay.updates_per_example, len(weights)


def weight_bytes(config: Config) -> int:
    """Return the bytes of a network's weights."""
    network = make_network(config.network, make_batch_maker(config)[0], 0)
    return len(pickle.dumps(weights_of(network), pickle.HIGHEST_PROTOCOL))


if __name__ == "__main__":
    main()
