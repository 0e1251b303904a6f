"""The fast path against torch's own forward pass, query by query, on what real searches ask."""

from typing import ClassVar

import numpy as np
import pytest
import torch

from sog.games.base import NUM_PLAYERS
from sog.games.registry import load
from sog.games.view import UNUSED
from sog.nets.cvpn import Cvpn, balance, make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.evaluator import Batch
from sog.public.opening import encoding_of, open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.resolving import first_task
from sog.search.settings import SearchSettings
from tests.codes import code_of

SPECS = [
    NetworkSpec(layers=1, width=8, normalises=False),
    NetworkSpec(layers=3, width=32, normalises=False),
    NetworkSpec(layers=2, width=16, activation="gelu", normalises=True),
    NetworkSpec(layers=2, width=16, normalises=True),
]


def random_network(spec: NetworkSpec, game: str, seed: int = 1) -> Cvpn:
    """Return a network whose heads are not zero."""
    network = make_network(spec, sizes_of(encoding_of(load(game))), seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for head in (network.value, network.policy):
            head.weight.normal_(generator=generator)
            head.bias.normal_(generator=generator)
    return network


class Witness:
    """Answers as an evaluator does, and looks at every answer by torch, without any of its kernels."""

    has_priors = True
    name = "witness"

    def __init__(self, evaluator: NetworkEvaluator) -> None:
        self._evaluator, self.seen, self.primed = evaluator, 0, 0

    def evaluate(self, store: StateStore, batch: Batch) -> None:
        self._evaluator.evaluate(store, batch)
        for query in range(batch.nodes.size):
            self._check(store, batch, query)
        self.seen += batch.nodes.size

    def _check(self, store: StateStore, batch: Batch, query: int) -> None:
        network, node = self._evaluator.network, int(batch.nodes[query])
        assert isinstance(network, Cvpn)
        code, sizes = code_of(store, node), network.sizes
        ranges, beliefs = torch.zeros(1, sizes.num_values), torch.zeros(1, sizes.num_values)
        own = [batch.ranges[player][batch.rows(player, query)] for player in range(NUM_PLAYERS)]
        joint = own[0][:, None] * own[1][None, :] * store.joint_weights(node)
        assert [weights.sum() for weights in own] == pytest.approx([1, 1])
        columns = code.columns
        for player in range(NUM_PLAYERS):
            ranges[0, columns[player]] = torch.from_numpy(own[player]).float()
            if joint.sum() > 0:  # otherwise both cannot be here, and there is nothing to balance
                share = joint.sum(axis=1 - player) / joint.sum()
                beliefs[0, columns[player]] = torch.from_numpy(share).float()
        with torch.inference_mode():
            raw, logits = network.eval()(torch.from_numpy(code.features)[None], ranges)
            values = balance(raw, beliefs)[0].numpy()
        for player in range(NUM_PLAYERS):
            found = batch.values[player][batch.rows(player, query)]
            np.testing.assert_allclose(found, values[columns[player]], atol=1e-5)
        actor, slots = store.actor(node), slice(*batch.prior_start[query : query + 2].tolist())
        if actor < NUM_PLAYERS and slots.start < slots.stop:
            self.primed += 1
            priors = batch.priors[slots].reshape(code.choices.shape)
            for infostate, row in enumerate(code.rows[actor].tolist()):
                choices = code.choices[:, infostate]
                legal = choices != UNUSED
                place = row * sizes.logits.width[actor] + choices[legal]
                softmax = logits[0, place].softmax(dim=0).numpy()
                np.testing.assert_allclose(priors[legal, infostate], softmax, atol=1e-5)
                assert np.all(priors[~legal, infostate] == 0)


def search_with(witness: Witness, game: str | StateStore, seed: int = 3) -> None:
    store = open_store(load(game)) if isinstance(game, str) else game
    node = ROOT
    while store.actor(node) >= NUM_PLAYERS:
        node = store.children(node)[0]
    searcher = Searcher(store, witness, SearchSettings(simulations=12))
    searcher.search_many([first_task(store, node)] * 3, [seed, seed + 1, seed + 2])


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("is_fast", [True, False])
def test_answers_are_those_of_the_plain_forward_pass(spec: NetworkSpec, is_fast: bool) -> None:
    network = random_network(spec, "leduc")
    witness = Witness(NetworkEvaluator(network, is_fast=is_fast))
    search_with(witness, "leduc")
    assert 20 < witness.primed < witness.seen / 3  # a leaf's prior is asked for once


@pytest.mark.parametrize("game", ["scotland_yard(map=glasses,rounds=3)", "liars_dice(dice=1,faces=3)"])
def test_games_whose_infostates_come_and_go(game: str) -> None:
    network = random_network(NetworkSpec(layers=1, width=8), game)
    witness = Witness(NetworkEvaluator(network))
    search_with(witness, game)
    assert witness.seen > 5


def test_residual_networks_answer_too() -> None:
    network = random_network(NetworkSpec("resnet", layers=1, width=4), "tictactoe")
    witness = Witness(NetworkEvaluator(network))
    search_with(witness, "tictactoe")
    assert witness.seen > 5


def test_new_weights_count_after_a_refresh() -> None:
    network = random_network(SPECS[0], "leduc")
    evaluator = NetworkEvaluator(network)
    witness, store = Witness(evaluator), open_store(load("leduc"))
    search_with(witness, store)
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(0.1)
    with pytest.raises(AssertionError):
        search_with(witness, store)
    evaluator.refresh()
    search_with(witness, store)


def test_answers_do_not_depend_on_when_public_states_were_met() -> None:
    network = random_network(SPECS[1], "leduc")
    store, other = open_store(load("leduc")), open_store(load("leduc"))
    node = store.locate((0, 0, 0))
    other.locate((0, 0, 0))
    early, late = NetworkEvaluator(network), NetworkEvaluator(network)
    results = [
        Searcher(store, early, SearchSettings(simulations=30)).search(first_task(store, node), seed)
        for seed in (1, 2)
    ]
    late_expansions = list(store.expanded)
    for expanded in late_expansions:
        other.children(expanded)
    again = Searcher(other, late, SearchSettings(simulations=30)).search(first_task(other, node), 2)
    np.testing.assert_array_equal(again.policy, results[1].policy)


def test_a_leaf_is_asked_for_its_prior_once() -> None:
    """With the first query about it; every later one has no slots."""

    class Counting:
        has_priors, name = True, "counting"
        asked: ClassVar[dict[int, list[int]]] = {}

        def evaluate(self, store: StateStore, batch: Batch) -> None:
            for node, slots in zip(batch.nodes.tolist(), np.diff(batch.prior_start).tolist(), strict=True):
                if store.actor(node) < NUM_PLAYERS:
                    self.asked.setdefault(node, []).append(slots)

    store = open_store(load("leduc"))
    node = store.locate((0, 0))
    Searcher(store, Counting(), SearchSettings(simulations=20)).search(first_task(store, node), 1)
    assert len(Counting.asked) > 10
    for node, slots in Counting.asked.items():
        rows = store.num_infostates(node)[store.actor(node)]
        assert slots == [store.num_actions(node) * rows] + [0] * (len(slots) - 1)
    assert any(len(slots) > 3 for slots in Counting.asked.values())
