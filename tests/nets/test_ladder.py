import numpy as np
import pytest
import torch

from sog.core.errors import InputError
from sog.nets.cvpn import balance, make_network
from sog.nets.ladder import Ladder, forward_of
from sog.nets.spec import NetworkSpec, Sizes

SIZES = Sizes((4,), (6, 6), 1, row_features=1)


def untrained(spec: NetworkSpec, sizes: Sizes = SIZES) -> Ladder:
    network = make_network(spec, sizes, seed=1)
    assert isinstance(network, Ladder)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.normal_(std=0.3)
    return network


@pytest.mark.parametrize(
    "spec", [NetworkSpec("ladder", 2, 32, row_units=5), NetworkSpec("ladder", 1, 16, "gelu", False, 8)]
)
def test_pooling_and_reading_by_hand(spec: NetworkSpec) -> None:
    network, rng, rungs = untrained(spec), np.random.default_rng(0), spec.row_units
    features = rng.random((3, 4)).astype(np.float32)
    beliefs = rng.random((3, 12)).astype(np.float32)
    beliefs[:, :6] /= beliefs[:, :6].sum(axis=1, keepdims=True)
    beliefs[:, 6:] /= beliefs[:, 6:].sum(axis=1, keepdims=True)
    places = rng.random((3, 12)).astype(np.float32)
    places[0, 0], places[0, 7] = 0.0, 1.0  # both ends of the ladder
    phi = np.maximum(0, 1 - np.abs(places[:, :, None] * (rungs - 1) - np.arange(rungs)))  # [3, 12, K]
    assert phi.sum(axis=2) == pytest.approx(np.ones((3, 12)), abs=1e-5)
    pooled = np.concatenate(
        [(beliefs[:, own, None] * phi[:, own]).sum(axis=1) for own in (slice(6), slice(6, 12))], 1
    )
    inputs = np.concatenate((features, rungs * pooled), axis=1).astype(np.float32)
    answers = forward_of(network)(inputs)[:, : 2 * rungs]
    expected = np.concatenate(
        [
            np.einsum("bvk,bk->bv", phi[:, :6], answers[:, :rungs]),
            np.einsum("bvk,bk->bv", phi[:, 6:], answers[:, rungs:]),
        ],
        1,
    )
    nothing = torch.zeros(0, dtype=torch.long)
    with torch.no_grad():
        found, _ = network(
            torch.from_numpy(features), torch.from_numpy(beliefs), nothing, nothing, torch.from_numpy(places)
        )
    assert np.abs(found.numpy() - expected).max() < 1e-5 * np.abs(expected).max()
    balanced = balance(found, torch.from_numpy(beliefs)).numpy()
    shift = (answers * pooled).sum(axis=1) / 2  # a shift of rungs balances values
    assert balanced == pytest.approx(expected - shift[:, None], abs=1e-4)


def test_games_must_say_where_infostates_stand() -> None:
    with pytest.raises(InputError, match="where its infostates stand"):
        make_network(NetworkSpec("ladder"), Sizes((4,), (6, 6), 1), seed=0)
