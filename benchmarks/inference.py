"""What an evaluation by a network costs, on Leduc's shapes, one core each: ours, and its peers'.

The first column is everything that a search waits for: ranges in, the network, values and priors out. The
others are the network alone: `sog.nets.perceptron`, which keeps the features' share of the first layer for
each public state, against the same network as torch runs it and as ONNX Runtime does.
"""

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import nn

from benchmarks.timing import best_times
from sog.core.arrays import F32
from sog.games.base import NUM_PLAYERS, TERMINAL
from sog.games.registry import load
from sog.nets.cvpn import Cvpn, Mlp, make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import NetworkSpec, sizes_of
from sog.nets.state_batch import StateBatch
from sog.public.codes import spread_features
from sog.public.evaluator import Batch
from sog.public.opening import open_store
from sog.public.store import StateStore

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when it is imported
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

GAME = "leduc"
WIDTHS = (64, 128, 256)
LAYERS = 3
PEERS = ("torch", "ONNX")
BATCHES = (1, 8, 50, 200, 1000)
ROUNDS = 3
_OPSET = 17
_IR_VERSION = 8


def expand_all(store: StateStore) -> list[int]:
    """Return the public states of a whole game in which a search may ask."""
    node = 0
    while node < store.num_nodes:
        if store.actor(node) != TERMINAL:
            store.children(node)
        node += 1
    return [node for node in range(store.num_nodes) if store.actor(node) != TERMINAL]


def make_batch(store: StateStore, nodes: list[int], rng: np.random.Generator) -> Batch:
    """Return queries of random ranges."""
    sizes = np.array([store.num_infostates(node) for node in nodes])  # [B, P]
    starts = [np.concatenate(([0], np.cumsum(sizes[:, player]))) for player in range(NUM_PLAYERS)]
    ranges = [np.concatenate([rng.dirichlet(np.ones(size)) for size in column]) for column in sizes.T]
    slots = [
        int(store.arrays().nodes[node]["num_actions"]) * (own[actor] if actor < NUM_PLAYERS else 0)
        for node, own in zip(nodes, sizes, strict=True)
        for actor in [store.actor(node)]
    ]
    prior_start = np.concatenate(([0], np.cumsum(slots)))
    return Batch(
        np.array(nodes, np.int32),
        (starts[0], starts[1]),
        (ranges[0], ranges[1]),
        (np.zeros(starts[0][-1]), np.zeros(starts[1][-1])),
        prior_start,
        np.zeros(prior_start[-1]),
    )


def make_session(network: Cvpn) -> Any:
    """Return a session of ONNX Runtime that computes what the network does."""
    assert isinstance(network.trunk, Mlp)
    weights = [numpy_helper.from_array(np.array(network.trunk.range_scale, np.float32), "scale")]
    nodes = [
        helper.make_node("Mul", ["ranges", "scale"], ["scaled"]),
        helper.make_node("Concat", ["features", "scaled"], ["hidden"], axis=1),
    ]

    def add_linear(linear: nn.Linear, name: str, source: str, target: str) -> None:
        for part, tensor in (("weight", linear.weight), ("bias", linear.bias)):
            weights.append(numpy_helper.from_array(tensor.detach().numpy(), f"{name}.{part}"))
        inputs = [source, f"{name}.weight", f"{name}.bias"]
        nodes.append(helper.make_node("Gemm", inputs, [target], transB=1))

    hidden = "hidden"
    for number, module in enumerate(network.trunk.layers):
        target = f"hidden{number}"
        if isinstance(module, nn.Linear):
            add_linear(module, f"layer{number}", hidden, target)
        elif isinstance(module, nn.LayerNorm):
            for part, tensor in (("weight", module.weight), ("bias", module.bias)):
                weights.append(numpy_helper.from_array(tensor.detach().numpy(), f"norm{number}.{part}"))
            norm = [hidden, f"norm{number}.weight", f"norm{number}.bias"]
            nodes.append(helper.make_node("LayerNormalization", norm, [target], epsilon=module.eps))
        else:
            nodes.append(helper.make_node("Relu", [hidden], [target]))
        hidden = target
    add_linear(network.value, "value", hidden, "values")
    add_linear(network.policy, "policy", hidden, "logits")
    sizes = network.sizes
    shapes = {"features": sizes.num_features, "ranges": sizes.num_values}
    results = {"values": sizes.num_values, "logits": sizes.num_logits}
    inputs, outputs = (
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", size])
            for name, size in each.items()
        ]
        for each in (shapes, results)
    )
    graph = helper.make_graph(nodes, "cvpn", inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR_VERSION)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def randomise(network: Cvpn) -> None:
    """Give heads that start at zero something to say."""
    for head in (network.value, network.policy):
        nn.init.normal_(head.weight, std=0.1)


def repeated(call: Callable[[], object]) -> Callable[[int], None]:
    def run(repeats: int) -> None:
        for _ in range(repeats):
            call()

    return run


def measure(width: int, store: StateStore, asked: list[int], rng: np.random.Generator) -> None:
    sizes = sizes_of(store.encoded.encoding)
    network = make_network(NetworkSpec(layers=LAYERS, width=width), sizes, seed=0)
    randomise(network)
    session, whole = make_session(network), NetworkEvaluator(network)
    ours, plain = (NetworkEvaluator(network, is_fast=is_fast)._forward for is_fast in (True, False))
    for size in BATCHES:
        batch = make_batch(store, rng.choice(asked, size).tolist(), rng)
        about = StateBatch(
            store, batch.nodes.view(np.uint32), *store.codes(batch.nodes.view(np.uint32)), np.arange(size)
        )
        ranges: F32 = rng.random((size, network.sizes.num_values), np.float32)
        calls = make_calls(ours, plain, session, about, ranges)
        check_equal(calls)
        everything: dict[str, Callable[[], Any]] = {
            "evaluate": partial(whole.evaluate, store, batch),
            **calls,
        }
        seconds = best_times({name: repeated(call) for name, call in everything.items()}, ROUNDS)
        cells = [f"{spent / size * 1e6:>9.2f}" for spent in seconds.values()]
        ratios = [f"{seconds[name] / seconds['ours']:>11.2f}" for name in calls if name != "ours"]
        print(f"{width:>5} {size:>6}", *cells, *ratios, flush=True)


def make_calls(
    ours: Any, plain: Any, session: Any, about: StateBatch, ranges: F32
) -> dict[str, Callable[[], Any]]:
    """Return what each contestant does with a batch, from codes and ranges to values and logits."""
    features = np.zeros((len(ranges), int(np.prod(about.store.encoded.encoding.features))), np.float32)

    def run_session() -> Any:
        spread_features(about.tables, about.numbers, features)
        return session.run(None, {"features": features, "ranges": ranges})

    return {"ours": lambda: ours(about, ranges), "torch": lambda: plain(about, ranges), "ONNX": run_session}


def check_equal(calls: dict[str, Callable[[], Any]]) -> None:
    """Make sure that all compute the same."""
    expected = calls["torch"]()
    for call in calls.values():
        for theirs, own in zip(call(), expected, strict=True):
            np.testing.assert_allclose(theirs[:, : own.shape[1]], own, rtol=0, atol=1e-5)


def main() -> None:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    store, rng = open_store(load(GAME)), np.random.default_rng(0)
    asked = expand_all(store)
    print(f"{GAME}, perceptrons of {LAYERS} layers, µs a query, one core")
    names = ("evaluate", "ours", *PEERS)
    ratios = (f"{name}/ours" for name in PEERS)
    print("width  batch", *(f"{name:>9}" for name in names), *(f"{ratio:>11}" for ratio in ratios))
    for width in WIDTHS:
        measure(width, store, asked, rng)
    torch.set_num_threads(threads)
