"""Positions on a board, against the network itself, asked one by one."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from sog.games.base import NUM_PLAYERS, AnyGame
from sog.games.chess.game import Chess
from sog.games.go.game import Go
from sog.nets.answer_cache import AnswerCache, make_batch, most_bytes
from sog.nets.cvpn import Cvpn, make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from tests.codes import code_of


def opinionated(game: AnyGame, spec: NetworkSpec) -> Cvpn:
    """Return a network whose heads say something."""
    assert game.encoding is not None
    network = make_network(spec, sizes_of(game.encoding), seed=3)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        for head in (network.value, network.policy):
            for parameter in head.parameters():
                nn.init.normal_(parameter, std=0.3)
    return network


def ask_about(store: StateStore, nodes: list[int]) -> Batch:
    counts = [int(store.arrays().nodes[node]["num_actions"]) for node in nodes]
    starts, ends = np.arange(len(nodes) + 1), np.concatenate(([0], np.cumsum(counts)))
    ones, zeros = np.ones(len(nodes)), np.zeros(len(nodes))
    return Batch(
        np.array(nodes, np.int32),
        (starts, starts),
        (ones, ones),
        (zeros, zeros.copy()),
        ends,
        np.zeros(ends[-1]),
    )


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        (Go(size=3), NetworkSpec("resnet", layers=1, width=4)),
        (Go(size=3), NetworkSpec("mlp", layers=1, width=8)),
        (Chess(), NetworkSpec("resnet", layers=1, width=4)),
    ],
)
def test_answers_are_those_of_the_network(game: AnyGame, spec: NetworkSpec) -> None:
    network = opinionated(game, spec)
    store = open_store(game)
    for child in list(store.children(ROOT))[:2]:
        store.children(child)
    nodes = [node for node in range(0, store.num_nodes, 3) if store.actor(node) < NUM_PLAYERS]
    ours, theirs = ask_about(store, nodes), ask_about(store, nodes)
    NetworkEvaluator(network).evaluate(store, ours)
    for query, node in enumerate(nodes):
        code = code_of(store, node)
        with torch.inference_mode():
            values, logits = network.eval()(torch.from_numpy(code.features)[None], torch.ones(1, 2))
        mine = float(values[0, 0] - values[0, 1]) / 2  # the mover's comes first
        theirs.values[store.actor(node)][query], theirs.values[1 - store.actor(node)][query] = mine, -mine
        slots = slice(int(ours.prior_start[query]), int(ours.prior_start[query + 1]))
        theirs.priors[slots] = logits[0, code.choices[:, 0]].softmax(dim=0).numpy()
    for player in range(NUM_PLAYERS):
        np.testing.assert_allclose(ours.values[player], theirs.values[player], atol=1e-5)
    assert np.abs(ours.values[0]).max() > 0.01
    np.testing.assert_allclose(ours.priors, theirs.priors, atol=1e-5)


def test_positions_are_asked_about_once_for_each_set_of_weights() -> None:
    game = Go(size=3)
    network = opinionated(game, NetworkSpec("mlp", layers=1, width=8))
    store, evaluator, asked = open_store(game), NetworkEvaluator(network), list[int]()
    forward: Any = evaluator._forward

    def count(about: Any, ranges: Any) -> Any:
        asked.append(len(ranges))
        return forward(about, ranges)

    nodes = list(store.children(ROOT))
    few, again, more = (ask_about(store, some) for some in (nodes[:4] + nodes[:2], nodes[:2], nodes[1:]))
    evaluator._forward = count
    for batch in (few, again, more):
        evaluator.evaluate(store, batch)
    assert asked == [4, len(nodes) - 4]
    for batch, first in ((again, 0), (more, 1)):
        np.testing.assert_array_equal(batch.values[0][:2], few.values[0][first : first + 2])
        ends = batch.prior_start[2] - batch.prior_start[0]
        np.testing.assert_array_equal(batch.priors[:ends], few.priors[few.prior_start[first] :][:ends])
    with torch.no_grad():
        for parameter in network.value.parameters():
            parameter.neg_()
    evaluator.refresh()
    evaluator.evaluate(store, again)
    np.testing.assert_allclose(again.values[0], -few.values[0][:2], atol=1e-6)
    evaluator.evaluate(store, ask_about(store, [ROOT]))
    other = open_store(game, game.apply(game.initial_world(), 1))
    theirs = ask_about(other, [ROOT])
    evaluator.evaluate(other, theirs)  # another store, whose root is another position
    np.testing.assert_allclose(theirs.values[0], again.values[0][1], atol=1e-6)


def test_what_answers_take_is_known() -> None:
    store = open_store(Go(size=3))
    cache = AnswerCache(store)
    assert cache.num_bytes == 0
    for nodes in ([ROOT], list(store.children(ROOT))):
        batch = make_batch(store, cache.pick(np.array(nodes, np.int32)))
        cache.keep(batch)
    assert 12 * store.num_nodes <= cache.num_bytes == sum(part.nbytes for part in cache._answers)
    assert cache.num_bytes <= most_bytes(store) < 4 * cache.num_bytes
