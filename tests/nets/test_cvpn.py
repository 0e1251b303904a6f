import pytest
import torch

from sog.core.errors import InputError
from sog.nets.cvpn import Mlp, ResNet, balance, make_network
from sog.nets.spec import NetworkSpec, Sizes

BOARD = Sizes((3, 4, 5), (1, 1), 20)
CARDS = Sizes((7,), (3, 2), 4)


@pytest.mark.parametrize(
    ("spec", "sizes"),
    [
        (NetworkSpec(layers=2, width=16), CARDS),
        (NetworkSpec(layers=1, width=8, activation="gelu", normalises=True), CARDS),
        (NetworkSpec(layers=2, width=8), BOARD),
        (NetworkSpec("resnet", layers=2, width=8), BOARD),
        (NetworkSpec("resnet", layers=1, width=4, activation="gelu"), Sizes((2, 3, 3), (4, 1), 5)),
    ],
)
def test_shapes_and_a_first_word_of_nothing_and_anything(spec: NetworkSpec, sizes: Sizes) -> None:
    network = make_network(spec, sizes, seed=1)
    assert isinstance(network.trunk, Mlp if spec.kind == "mlp" else ResNet)
    features, ranges = torch.rand(6, sizes.num_features), torch.rand(6, sizes.num_values)
    values, logits = network(features, ranges)
    assert values.shape == (6, sizes.num_values)
    assert logits.shape == (6, sizes.num_logits)
    assert not values.any()
    assert not logits.any()
    (values.sum() + logits.sum()).backward()


def test_ranges_reach_a_residual_network_where_something_is_hidden() -> None:
    sizes = Sizes((2, 3, 3), (4, 1), 5)
    network = make_network(NetworkSpec("resnet", layers=1, width=4), sizes, seed=1).eval()
    torch.nn.init.ones_(network.value.weight)
    features = torch.rand(1, sizes.num_features)
    first, second = (network(features, torch.full((1, 5), share))[0] for share in (0.2, 0.7))
    assert not torch.allclose(first, second)


def test_seeds_make_networks_and_leave_everybody_elses_numbers_alone() -> None:
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    one, other, third = (make_network(NetworkSpec(), CARDS, seed) for seed in (1, 1, 2))
    assert torch.equal(torch.rand(2), expected)
    ours, theirs, others = (
        torch.cat([weight.ravel() for weight in network.parameters()]) for network in (one, other, third)
    )
    assert torch.equal(ours, theirs)
    assert not torch.equal(ours, others)


def test_balanced_values_cancel_and_keep_their_differences() -> None:
    values, beliefs = torch.rand(4, 5), torch.rand(4, 5)
    beliefs[:, :3] /= beliefs[:, :3].sum(dim=1, keepdim=True)
    beliefs[:, 3:] /= beliefs[:, 3:].sum(dim=1, keepdim=True)
    balanced = balance(values, beliefs)
    torch.testing.assert_close((balanced * beliefs).sum(dim=1), torch.zeros(4), atol=1e-6, rtol=0)
    torch.testing.assert_close(balanced.diff(dim=1), values.diff(dim=1))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "cnn"}, "kind must be one of mlp, resnet"),
        ({"activation": "tanh"}, "activation must be one of relu, gelu"),
        ({"layers": 0}, "layers must be a whole number from 1"),
        ({"width": True}, "width must be a whole number"),
        ({"width": 10_000}, "width must be a whole number from 1 to 8192"),
    ],
)
def test_architectures_that_cannot_be(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        NetworkSpec(**options)  # type: ignore[arg-type]


def test_a_residual_network_needs_a_board() -> None:
    with pytest.raises(InputError, match="use mlp"):
        make_network(NetworkSpec("resnet"), CARDS, seed=0)
