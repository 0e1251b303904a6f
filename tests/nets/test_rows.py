"""Networks that read rows: the fast path against torch, and what rows are for."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.games.base import NUM_PLAYERS
from sog.games.registry import load
from sog.nets import rows_forward
from sog.nets.cvpn import Cvpn, make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.evaluator import Batch
from sog.public.opening import encoding_of, open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings

GAMES = [
    "leduc",
    "liars_dice(dice=1,faces=3)",
    "liars_dice(dice=2,faces=2)",
    "scotland_yard(rounds=3)",
]
SPECS = [
    NetworkSpec("rows", layers=2, width=16, row_units=8),
    NetworkSpec("rows", layers=1, width=8, activation="gelu", normalises=False, row_units=3),
    NetworkSpec("rows", layers=1, width=8, row_units=4, row_embeds=False),
]
NEAR = NetworkSpec("rows", layers=1, width=8, row_units=4, row_embeds=False, row_near=True)


def opinionated(spec: NetworkSpec, game: str) -> Cvpn:
    network = make_network(spec, sizes_of(encoding_of(load(game))), seed=1)
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(generator=generator)
    return network


class Both:
    """Asks the fast path and torch about everything that a search asks about."""

    name, has_priors = "both", True

    def __init__(self, network: Cvpn) -> None:
        self._fast, self._torch = (NetworkEvaluator(network, is_fast=is_fast) for is_fast in (True, False))
        self.seen = 0

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        other = batch._replace(
            values=(np.zeros_like(batch.values[0]), np.zeros_like(batch.values[1])),
            priors=np.zeros_like(batch.priors),
        )
        self._fast.evaluate(store, batch)
        self._torch.evaluate(store, other)
        for player in range(NUM_PLAYERS):
            largest = max(1.0, float(np.abs(other.values[player]).max()))
            np.testing.assert_allclose(batch.values[player], other.values[player], atol=1e-5 * largest)
        np.testing.assert_allclose(batch.priors, other.priors, atol=2e-5)
        assert np.abs(batch.values[0]).max() > 0.01
        self.seen += batch.nodes.size


CASES = [
    *((game, 1 << 18, spec) for game in GAMES for spec in SPECS),
    *(("leduc", 40, spec) for spec in SPECS),
    ("scotland_yard(rounds=3)", 1 << 18, NEAR),
    ("scotland_yard(rounds=3)", 1 << 18, replace(NEAR, row_odds=True)),
]


@pytest.mark.parametrize(("game", "most", "spec"), CASES)
def test_the_fast_path_answers_as_torch_does(
    game: str, most: int, spec: NetworkSpec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where rows are forgotten again and again."""
    monkeypatch.setattr(rows_forward, "_MOST_ROWS", most)
    store, both = open_store(load(game)), Both(opinionated(spec, game))
    node = ROOT
    while store.actor(node) >= NUM_PLAYERS:
        node = store.children(node)[0]
    Searcher(store, both, SearchSettings(simulations=8)).search_many([first_task(store, node)] * 2, [1, 2])
    assert both.seen > 20


def test_the_forward_pass_is_the_formula() -> None:
    """Row by row, in numpy."""
    network = opinionated(SPECS[1], "leduc")
    weights = {name: value.detach().numpy().astype(float) for name, value in network.state_dict().items()}
    rng, gelu = make_rng(3), torch.nn.GELU()

    def act(units: F64) -> Any:
        return gelu(torch.from_numpy(units)).numpy()

    def linear(name: str, inputs: F64) -> Any:
        return inputs @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    features, ranges = rng.random(16), rng.random(12)
    columns, described = np.array([1, 4, 5, 6, 10]), rng.random((5, 5))
    rows = act(linear("described", described) + weights["embedding.weight"][columns])
    pooled = [
        sum(ranges[c] * row for c, row in zip(columns, rows, strict=True) if (c >= 6) == p) for p in (0, 1)
    ]
    hidden = act(linear("layers.0", np.concatenate([features, *pooled])))
    queries, shift = linear("query", hidden).reshape(2, 2, 3), linear("shift", hidden).reshape(2, 2)
    gate, prior = linear("gate", hidden), linear("prior", hidden)
    told = [torch.from_numpy(array) for array in (np.zeros(5, int), columns, described.astype(np.float32))]
    first = [torch.from_numpy(array[None].astype(np.float32)) for array in (features, ranges)]
    values, logits = (found.detach().numpy()[0] for found in network.eval()(*first, *told))
    for column, row in zip(columns, rows, strict=True):
        player = int(column >= 6)
        root = np.sqrt(ranges[column])
        asked = queries[player, 0] + root * queries[player, 1]
        worth = row @ asked + shift[player, 0] + root * shift[player, 1]
        assert values[column] == pytest.approx(worth, rel=1e-4)
        line = (row * gate) @ weights["policy.weight"].T + prior
        np.testing.assert_allclose(logits[3 * column : 3 * column + 3], line, rtol=1e-3, atol=1e-4)
    assert np.count_nonzero(values) == 5


def test_a_trunk_does_not_see_what_rows_tell_of() -> None:
    """Where the detectives of Scotland Yard are is in the description of stations."""
    sizes = sizes_of(encoding_of(load("scotland_yard")))
    network = opinionated(SPECS[2], "scotland_yard").eval()
    rng = make_rng(4)
    told = torch.zeros(3, dtype=torch.long), torch.tensor([0, 4, 11]), torch.ones(3, sizes.row_features)
    features, ranges = torch.tensor(rng.random((1, sizes.num_features))).float(), torch.ones(1, 12) / 3
    values = network(features, ranges, *told)[0]
    moved, later = features.clone(), features.clone()
    moved[:, :11] = 0
    later[:, -1] += 1
    assert torch.equal(network(moved, ranges, *told)[0], values)
    assert not torch.equal(network(later, ranges, *told)[0], values)


def test_the_range_next_to_a_station_counts_in_its_value() -> None:
    """Where Mr. X may be one move away, and no farther."""
    near = sizes_of(encoding_of(load("scotland_yard"))).near
    place, beside = 5, near[5][0]
    far = next(column for column in range(11) if column != place and beside not in near[column])
    network = opinionated(NEAR, "scotland_yard").eval()
    described = torch.ones(2, network.sizes.row_features)
    told = torch.zeros(2, dtype=torch.long), torch.tensor([place, far]), described
    before = torch.zeros(1, 12)
    before[0, [place, far]] = 0.5
    after = before.clone()
    after[0, beside] = 0.25  # not pooled: it has no row here
    features = torch.zeros(1, network.sizes.num_features)
    first, second = (network(features, ranges, *told)[0][0] for ranges in (before, after))
    assert first[place] != second[place]
    assert first[far] == second[far]


def test_hands_that_are_alike_are_told_alike() -> None:
    game = load("leduc")
    features = np.zeros((2, 16), np.float32)
    features[1, 2 + 4] = 1  # the first king lies open
    jacks_and_kings = np.array([0, 1, 4, 5])
    before, after = (game.describe_rows(features, np.full(4, state), jacks_and_kings) for state in (0, 1))
    np.testing.assert_array_equal(before[0], before[1])
    assert before[:, 3:].any() == np.False_
    np.testing.assert_array_equal(after[2], after[3])
    assert after[:, 3].tolist() == [0, 0, 1, 1]
    assert after[:, 4].tolist() == [-1, -1, 0, 0]


def test_games_that_name_no_neighbours_are_refused() -> None:
    with pytest.raises(
        InputError, match="row_near needs a game that says which infostates are next to which"
    ):
        make_network(NEAR, sizes_of(encoding_of(load("leduc"))), seed=0)


def test_games_that_describe_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="kind rows needs a game that describes its infostates"):
        make_network(NetworkSpec("rows"), sizes_of(encoding_of(load("kuhn"))), seed=0)


@pytest.mark.parametrize("game", ["leduc", "scotland_yard(rounds=3)"])
@pytest.mark.parametrize("spec", [*SPECS, NetworkSpec("mlp", layers=1, width=8)])
def test_what_a_learner_asks_for_is_what_the_whole_network_says(spec: NetworkSpec, game: str) -> None:
    network, rng = opinionated(spec, game), make_rng(3)
    sizes = network.sizes
    count, num_first = 3, sizes.private[0]
    features = torch.tensor(rng.random((count, sizes.num_features)), dtype=torch.float32)
    ranges = torch.tensor(rng.random((count, sizes.num_values)), dtype=torch.float32)
    owners = torch.arange(count).repeat_interleave(sizes.num_values)
    columns = torch.arange(sizes.num_values).repeat(count)
    described = torch.tensor(rng.random((owners.numel(), sizes.row_features)), dtype=torch.float32)
    told = (owners, columns, described) if spec.kind == "rows" else ()
    values, logits = network(features, ranges, *told)
    is_valued = torch.tensor(rng.random(ranges.shape) < 0.5)
    lines = torch.tensor([0, 0, 1, 2])
    where = network.sizes.logits
    row, actor = [1, num_first - 1, 0, 0], [0, 0, 1, 1]
    first = torch.tensor([where.start[p] + r * where.width[p] for p, r in zip(actor, row, strict=True)])
    places = first[:, None] + torch.arange(min(where.width))
    if spec.kind == "rows":
        found, picked = network.pick(features, ranges, is_valued, lines, places, *told)
        torch.testing.assert_close(found[is_valued], values[is_valued])
        assert not found[~is_valued].any()
    else:
        found, picked = network.pick(features, ranges, None, lines, places)
        torch.testing.assert_close(found, values)
    torch.testing.assert_close(picked, logits[lines[:, None], places])
