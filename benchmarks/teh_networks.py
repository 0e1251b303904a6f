"""What networks learn from the same solved rivers: hands on a ladder, or 1,326 inputs for each player.

`python -m benchmarks.teh_networks RUN [STEPS]` trains both from nothing on the examples that a run of
`sog train teh` has kept, all but the newest, which are held out, and plays ReBeL's test spot with both.
"""

import sys
import time
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from sog.core.arrays import F32, I64
from sog.core.rng import make_rng
from sog.games.holdem.bet_sizes import BetSizes
from sog.games.holdem.cards import NUM_CARDS, NUM_HANDS, NUM_SUITS, compatible_hands
from sog.games.holdem.isomorphism import rename_cards, rename_hands
from sog.games.holdem.teh import make_teh
from sog.nets.cvpn import balance, make_layers
from sog.nets.ladder import Ladder, forward_of
from sog.nets.spec import NetworkSpec
from sog.poker.composed import ComposedPlay
from sog.poker.river_examples import SIZES, RiverBatchMaker
from sog.poker.river_values import (
    LEAST_REACH,
    NUM_FEATURES,
    RiverValues,
    bet_fractions,
    describe_betting,
    describe_board,
)
from sog.poker.teh_agent import PLAYED_ALGORITHM
from sog.poker.turn_boards import NUM_LEFT, ON_RIVER, TurnBoard
from sog.poker.turn_search import Beliefs, LeafValues, TurnSearch
from sog.training.batches import TrainingBatch
from sog.training.examples import Examples, join_examples, take_examples
from sog.training.shards import FOLDER

BATCH, RATE, HELD_OUT, STEPS = 256, 1e-3, 1_664, 1_000
LADDER = NetworkSpec("ladder", 3, 256, row_units=64)
WIDTH, LAYERS = 512, 3
SUITS = list(permutations(range(NUM_SUITS)))
CHIPS = 10  # thousandths of a big blind in a chip

Loss = Callable[[Examples, TrainingBatch, np.random.Generator], Tensor]


class Dense(nn.Module):
    """A perceptron that sees each hand by itself, and the cards of the board."""

    def __init__(self) -> None:
        super().__init__()
        spec = NetworkSpec("mlp", LAYERS, WIDTH)
        self.layers = make_layers(spec, NUM_FEATURES + NUM_CARDS + 2 * NUM_HANDS)
        self.value = nn.Linear(WIDTH, 2 * NUM_HANDS)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, features: Tensor, cards: Tensor, hands: Tensor, beliefs: Tensor) -> Tensor:
        """Return balanced values [B, 2 * 1081] of hands [B, 2 * 1081] with these beliefs."""
        inputs = features.new_zeros(len(features), 2 * NUM_HANDS).scatter(1, hands, beliefs)
        found = self.value(self.layers(torch.cat((features, cards, NUM_HANDS * inputs / 2), dim=1)))
        return balance(found.gather(1, hands), beliefs)


def hands_of(boards: list[tuple[int, ...]], suits: list[tuple[int, ...]]) -> tuple[F32, I64]:
    """Return boards as ones and zeros, and the numbers of both players' hands, suits renamed."""
    cards, hands = np.zeros((len(boards), NUM_CARDS), np.float32), []
    for line, board, names in zip(cards, boards, suits, strict=True):
        line[rename_cards(names)[list(board)]] = 1
        own = np.asarray(rename_hands(names))[np.flatnonzero(compatible_hands(board))]
        hands.append(np.concatenate((own, own + NUM_HANDS)))
    return cards, np.array(hands, np.int64)


def dense_loss(network: Dense) -> Loss:
    def loss(examples: Examples, batch: TrainingBatch, rng: np.random.Generator) -> Tensor:
        boards = [tuple(line) for line in examples.numbers.reshape(examples.size, -1)[:, :5].tolist()]
        suits = [SUITS[rng.integers(len(SUITS))] for _ in boards]
        tensors = map(torch.from_numpy, hands_of(boards, suits))
        return weigh(
            network(torch.from_numpy(batch.features), *tensors, torch.from_numpy(batch.beliefs)), batch
        )

    return loss


def ladder_loss(network: Ladder) -> Loss:
    def loss(examples: Examples, batch: TrainingBatch, rng: np.random.Generator) -> Tensor:
        beliefs = torch.from_numpy(batch.beliefs)
        nothing = torch.zeros(0, dtype=torch.long)
        places = torch.from_numpy(batch.described)
        found, _ = network(torch.from_numpy(batch.features), beliefs, nothing, nothing, places)
        return weigh(balance(found, beliefs), batch)

    return loss


def weigh(found: Tensor, batch: TrainingBatch) -> Tensor:
    """Return the mean error (Huber, δ = 1, in pots), hands weighed by the mass that they meet."""
    weights = torch.from_numpy(batch.value_weights)
    errors = functional.huber_loss(found, torch.from_numpy(batch.values), reduction="none")
    return (errors * weights).sum() / weights.sum()


def train(network: nn.Module, loss: Loss, examples: Examples, steps: int) -> Iterator[tuple[int, float]]:
    """Take steps; go through losses on the examples held out."""
    optimiser, rng, maker = torch.optim.Adam(network.parameters(), lr=RATE), make_rng(0), RiverBatchMaker()
    held_out = take_examples(examples, np.arange(examples.size - HELD_OUT, examples.size))
    for step in range(1, steps + 1):
        optimiser.param_groups[0]["lr"] = RATE * (1 - step / (steps + 1))
        drawn = take_examples(examples, rng.integers(examples.size - HELD_OUT, size=BATCH))
        optimiser.zero_grad(set_to_none=True)
        loss(drawn, maker.make(drawn, rng), rng).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        if step in (steps // 4, steps // 2, steps):
            with torch.no_grad():
                yield step, float(loss(held_out, maker.make(held_out, rng), rng))


class DenseValues:
    """Values of leaves by a dense network, river by river."""

    def __init__(self, network: Dense, sizes: BetSizes) -> None:
        self._network, self._fractions = network, bet_fractions(sizes)

    def __call__(self, beliefs: Beliefs) -> F32:
        """As `RiverValues`."""
        board, tables = beliefs.board, beliefs.board.tables
        reach = np.maximum(beliefs.reach, LEAST_REACH)
        count = reach.shape[2]
        flat = reach.reshape(NUM_LEFT, -1)
        met, by_card = (found.reshape(-1, 2, count) for found in board.meet(flat))
        values = np.zeros_like(reach)
        bettings = np.array([describe_betting(leaf.depth, self._fractions) for leaf in beliefs.leaves])
        for river, cards in enumerate(board.rivers):
            row, first, second = tables.row[river], tables.first[river], tables.second[river]
            mass = (met[row] - by_card[cards[-1]] + reach[first] + reach[second])[:, ::-1]
            joint = (reach[row] * mass).transpose(2, 1, 0)  # [L, 2, 1081]
            joint = (joint / joint.sum(axis=2, keepdims=True)).reshape(count, 2 * ON_RIVER)
            features = np.concatenate((bettings, np.tile(describe_board(cards), (count, 1))), axis=1)
            shown, hands = hands_of([cards] * count, [SUITS[0]] * count)
            with torch.no_grad():
                found = self._network(*map(torch.from_numpy, (features, shown, hands, joint))).numpy()
            values[row] += mass * found.reshape(count, 2, ON_RIVER).transpose(2, 1, 0)
        return values[:, list(beliefs.players)]


def play(values: LeafValues, play: ComposedPlay) -> float:
    """Return how exploitable a search with these values is, in mbb a hand; rivers of 300 iterations."""
    board = TurnBoard(play.spot.board, LADDER.row_units)
    search = TurnSearch(play.spot, board, values, PLAYED_ALGORITHM)
    search.run(100)
    play.take_turn(search.level, (search.sums[0].average, search.sums[1].average))
    play.solve_rivers(300)
    return CHIPS * play.exploitability()


def read_examples(run: Path) -> Examples:
    """Return the examples of a run that are in full shards."""
    parts = []
    for path in sorted((run / FOLDER).glob("*.npz")):
        with np.load(path) as arrays:
            parts.append(Examples(*(arrays[name] for name in Examples._fields)))
    return join_examples(parts)


def main(run: Path, steps: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    examples, spot = read_examples(run), make_teh()
    print(f"{examples.size - HELD_OUT:,} examples to learn from, {HELD_OUT:,} held out, batches of {BATCH}")
    ladder, dense, composed = Ladder(LADDER, SIZES), Dense(), ComposedPlay(spot, 1)
    for name, network, loss in (
        ("ladder", ladder, ladder_loss(ladder)),
        ("dense", dense, dense_loss(dense)),
    ):
        start, size = time.process_time(), sum(weights.numel() for weights in network.parameters())
        for step, found in train(network, loss, examples, steps):
            taken = time.process_time() - start
            print(
                f"  {name:8} {size:9,} weights  {step:6,} steps  Huber {found:.5f}  {taken:6.0f} s",
                flush=True,
            )
        values: LeafValues = (
            RiverValues(forward_of(ladder), spot.sizes)
            if name == "ladder"
            else DenseValues(dense, spot.sizes)
        )
        print(f"  {name:8} turn(100),river(300)   {play(values, composed):.1f} mbb/h", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else STEPS)
