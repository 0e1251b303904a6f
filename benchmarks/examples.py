"""What an example of training takes in memory and on the disk, packed, and in the learner's dense arrays.

The dense size is that of single precision with a number for every infostate and every choice that there may
be, as replays of games with secrets held them before; boards were packed before too.
"""

import numpy as np

from sog.core.rng import make_rng
from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.nets.spec import Sizes, sizes_of
from sog.public.opening import encoding_of, open_store
from sog.public.store import ROOT
from sog.training.examples import EXAMPLE, Examples, join_examples
from sog.training.generator import Generator
from sog.training.presets import config_for
from sog.training.records import ExampleWriter, SearchTarget

HIDDEN = ("leduc", "liars_dice(dice=1,faces=6)", "scotland_yard(map=glasses)")
BOARDS = ("connect_four", "chess", "go(size=9)", "go(size=19)")


def main() -> None:
    """Print a row for each game."""
    print(f"{'game':<28}{'bytes':>8}{'dense':>10}{'ratio':>8}")
    for name in HIDDEN:
        generator = Generator(config_for(name, "sog"), 0)
        _print(name, join_examples([part for _ in range(3) for part in generator.round().examples]))
    for name in BOARDS:
        _print(name, random_games(name))


def _print(name: str, examples: Examples) -> None:
    own, dense = examples.num_bytes / examples.size, _dense(sizes_of(encoding_of(load(name))))
    print(f"{name:<28}{own:>8.0f}{dense:>10,}{dense / own:>8.1f}", flush=True)


def _dense(sizes: Sizes) -> int:
    """Return the bytes of features, four numbers a value, and policies with a weight a row."""
    return 4 * (sizes.num_features + 4 * sizes.num_values + sizes.num_logits + max(sizes.private))


def random_games(name: str) -> Examples:
    """Return examples of positions of random games."""
    store, rng, targets = open_store(load(name)), make_rng(1), list[SearchTarget]()
    for _ in range(5):
        node = ROOT
        while store.actor(node) != TERMINAL and len(targets) < 400:
            moves, one = store.num_actions(node), np.ones(1)
            policy = rng.dirichlet(np.ones(moves))[:, None]
            targets.append(SearchTarget(node, (one.copy(), one.copy()), (one.copy(), -one), policy))
            node = store.children(node)[int(rng.integers(moves))]
    return ExampleWriter(store).write(targets)


def packed_bytes(features: int, rows: int, legal: int, told: int) -> int:
    """Return the bytes of one example by arithmetic.

    rows: infostates of both players; legal: choices of all the actor's; told: columns, counts and choices
    that are written down.
    """
    return EXAMPLE.itemsize + 2 * (features + told) + 2 * (features + 2 * rows) + rows + legal


if __name__ == "__main__":
    main()
