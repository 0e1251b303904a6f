"""Folded networks answer as those that they were made of."""

import torch

from sog.games.registry import load
from sog.nets.cvpn import make_network
from sog.nets.folding import PlainResNet, fold_norms, make_answering
from sog.nets.spec import NetworkSpec, sizes_of


def test_folded_networks_answer_the_same() -> None:
    encoding = load("connect_four").encoding
    assert encoding is not None
    specs = [NetworkSpec("resnet", 2, 8), NetworkSpec("resnet", 1, 8, "gelu"), NetworkSpec("mlp", 2, 16)]
    for spec in specs:
        network = make_network(spec, sizes_of(encoding), seed=3)
        features, ranges = torch.rand(32, network.sizes.num_features), torch.ones(32, 2)
        with torch.no_grad():
            for head in (network.value, network.policy):
                head.weight.normal_(generator=torch.Generator().manual_seed(1))
            for _ in range(20):  # norms learn the statistics of what they see
                network.train()(2 * features + 0.5, ranges)
            expected = network.eval()(features, ranges)
            folded, answering = fold_norms(network), make_answering(network)
            assert isinstance(answering, PlainResNet) == (spec.kind == "resnet")
            for found in (folded(features, ranges), answering(features, ranges)):
                for ours, theirs in zip(found, expected, strict=True):
                    torch.testing.assert_close(ours.flatten(1), theirs.flatten(1), rtol=1e-4, atol=1e-4)


def test_the_network_that_learns_is_left_alone() -> None:
    encoding = load("connect_four").encoding
    assert encoding is not None
    network = make_network(NetworkSpec("resnet", 1, 4), sizes_of(encoding), seed=0)
    before = {name: weight.clone() for name, weight in network.state_dict().items()}
    folded = fold_norms(network.train())
    assert network.training
    assert not folded.training
    assert len(list(folded.parameters())) < len(list(network.parameters()))
    assert all(torch.equal(before[name], weight) for name, weight in network.state_dict().items())
