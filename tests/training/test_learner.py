import copy
from math import inf

import numpy as np
import pytest
import torch

from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.nets.cvpn import Cvpn, make_network
from sog.nets.rows import Rows
from sog.nets.spec import NetworkSpec, Sizes
from sog.training.batches import ILLEGAL, TrainingBatch
from sog.training.config import LearnerConfig
from sog.training.learner import Learner, choose_device, losses
from sog.training.run_status import DivergedError

SIZES = Sizes((4,), (3, 2), 3)  # 5 values, 3 rows


def network(seed: int = 1) -> Cvpn:
    made = make_network(NetworkSpec(layers=1, width=8, normalises=False), SIZES, seed)
    with torch.no_grad():
        for head in (made.value, made.policy):
            head.weight.normal_(generator=torch.Generator().manual_seed(seed))
    return made


def some_examples(count: int = 6, seed: int = 0) -> TrainingBatch:
    """Return a batch with three lines of policy an example, two of which count; no third choice is legal."""
    rng, values = make_rng(seed), (count, 5)
    beliefs = np.repeat(np.array([[1 / 3, 1 / 3, 1 / 3, 1 / 2, 1 / 2]], np.float32), count, axis=0)
    batch = TrainingBatch(
        features=rng.random((count, 4), np.float32),
        ranges=rng.random(values, np.float32),
        beliefs=beliefs,
        values=rng.random(values, np.float32),
        value_weights=rng.random(values, np.float32),
        lines=np.repeat(np.arange(count), 3),
        logits=np.tile(np.arange(9).reshape(3, 3), (count, 1)),
        policies=np.tile(np.array([[0.5, 0.5, ILLEGAL]], np.float32), (3 * count, 1)),
        policy_weights=rng.random(3 * count, np.float32),
        owners=np.zeros(0, np.int64),
        columns=np.zeros(0, np.int64),
        described=np.zeros((0, 0), np.float32),
    )
    batch.policy_weights[2::3] = 0
    return batch


def test_losses_are_those_of_the_papers() -> None:
    net, examples = network(), some_examples()
    value, policy = losses(net, examples, huber=0.5)
    with torch.no_grad():
        found, logits = (part.numpy() for part in net(*map(torch.from_numpy, examples[:2])))
    found = found - 0.5 * (found * examples.beliefs).sum(axis=1, keepdims=True)
    errors = np.abs(found - examples.values)
    huber = np.where(errors <= 0.5, 0.5 * errors**2, 0.5 * (errors - 0.25))
    weights = examples.value_weights
    assert float(value.detach()) == pytest.approx(
        ((huber * weights).sum(1) / weights.sum(1)).mean(), rel=1e-5
    )
    legal = logits.reshape(-1, 3, 3)[:, :, :2]  # the third choice is illegal everywhere
    logs = legal - np.log(np.exp(legal).sum(axis=2, keepdims=True))
    rows = examples.policy_weights.reshape(-1, 3)
    crosses = -(0.5 * logs).sum(axis=2)
    assert float(policy.detach()) == pytest.approx(((crosses * rows).sum(1) / rows.sum(1)).mean(), rel=1e-5)


def test_chances_of_winning_are_learned_by_cross_entropy() -> None:
    """As torch's own of the logits; the gradient is half of the error, however unlikely the win."""
    spec = NetworkSpec("rows", layers=1, width=8, row_units=4, row_odds=True)
    net = make_network(spec, SIZES._replace(row_features=2), seed=1)
    assert isinstance(net, Rows)
    with torch.no_grad():
        net.shift.bias.copy_(torch.tensor([-4.0, 0, 3, 0]))  # of both players' values
    rows = np.arange(5)
    batch = some_examples(1)._replace(
        owners=np.zeros(5, np.int64), columns=rows, described=np.zeros((5, 2), np.float32)
    )
    value = losses(net, batch, huber=1.0)[0]
    logits = torch.tensor([-4.0, -4, -4, 3, 3])
    chances, weights = torch.from_numpy((1 + batch.values[0]) / 2), torch.from_numpy(batch.value_weights[0])
    torch_loss = torch.nn.functional.binary_cross_entropy_with_logits
    assert float(value.detach()) == pytest.approx(
        float(torch_loss(logits, chances, weight=weights, reduction="sum") / weights.sum()), rel=1e-4
    )
    value.backward()  # type: ignore[no-untyped-call]
    errors = (torch.sigmoid(logits) - chances) * weights / weights.sum()
    assert net.shift.bias.grad is not None
    found = net.shift.bias.grad[[0, 2]].numpy()
    np.testing.assert_allclose(found, [float(errors[:3].sum()), float(errors[3:].sum())], rtol=1e-3)


def test_both_players_values_are_learned() -> None:
    net, examples = network(), some_examples()
    losses(net, examples, huber=1.0)[0].backward()  # type: ignore[no-untyped-call]
    assert net.value.weight.grad is not None
    assert torch.all(net.value.weight.grad.abs().sum(dim=1) > 0)  # every infostate of either player
    learner = Learner(network(), LearnerConfig(learning_rate=0.02, decay_steps=1e9, policy_weight=0.0))
    targets = some_examples(1)
    targets.values[:] = [[0.3, -0.6, 0.6, 0.2, -0.4]]  # cancels under the beliefs, as true values do
    targets.value_weights[:] = 1
    for _ in range(300):
        fit = learner.step(targets).value
    assert fit < 1e-4
    targets.values[:, 3:] += 0.5  # what one player wins, the other does not lose: it cannot be fitted
    for _ in range(300):
        fit = learner.step(targets).value
    assert fit > 0.01


def test_infostates_without_weight_do_not_matter() -> None:
    examples, other = some_examples(), some_examples()
    for one in (examples, other):
        one.value_weights[:, 1] = 0
        one.policy_weights[::3] = 0
    other.values[:, 1] = 1e6
    other.policies[::3, :2] = [0.9, 0.1]
    assert losses(network(), examples, 1.0) == losses(network(), other, 1.0)


def test_rows_without_a_legal_choice_have_no_gradient_that_is_not_a_number() -> None:
    net, examples = network(), some_examples()
    assert np.all(examples.policies[:, 2] == ILLEGAL)
    examples.policies[2::3] = ILLEGAL
    losses(net, examples, 1.0)[1].backward()  # type: ignore[no-untyped-call]
    assert net.policy.weight.grad is not None
    assert torch.all(torch.isfinite(net.policy.weight.grad))
    assert torch.all(net.policy.weight.grad[6:] == 0)  # choices of the last row
    nobody = some_examples()
    nobody.policies[:], nobody.policy_weights[:] = ILLEGAL, 0
    assert float(losses(net, nobody, 1.0)[1].detach()) == 0


def test_the_learning_rate_decays_smoothly() -> None:
    learner = Learner(network(), LearnerConfig(learning_rate=0.1, decay_rate=0.5, decay_steps=10.0))
    assert learner.learning_rate == 0.1
    for _ in range(5):
        learner.step(some_examples())
    assert learner.learning_rate == pytest.approx(0.1 * 0.5**0.5)


def test_the_learning_rate_falls_to_zero_over_the_end_of_a_run() -> None:
    learner = Learner(network(), LearnerConfig(learning_rate=0.1, decay_steps=inf, cooldown=0.25))
    found = []
    for learner.progress in (0.0, 0.75, 0.875, 1.0):
        found.append(learner.learning_rate)
    assert found == pytest.approx([0.1, 0.1, 0.05, 0.0])


def test_gradients_are_clipped() -> None:
    config = LearnerConfig(optimiser="sgd", momentum=0.0, learning_rate=1.0, clip=1e-3)
    learner = Learner(network(), config)
    before = torch.cat([weight.detach().clone().ravel() for weight in learner.network.parameters()])
    learner.step(some_examples())
    after = torch.cat([weight.detach().ravel() for weight in learner.network.parameters()])
    assert float((after - before).norm()) == pytest.approx(1e-3, rel=1e-3)


def test_averaged_weights_follow_slowly() -> None:
    learner = Learner(network(), LearnerConfig(averaging=0.9))
    expected = learner.network.value.weight.detach().clone()
    for step in range(1, 201):
        learner.step(some_examples(seed=step))
        keep = min(0.9, step / (step + 10))
        expected = keep * expected + (1 - keep) * learner.network.value.weight.detach()
    torch.testing.assert_close(learner.averaged.value.weight, expected)
    assert not torch.equal(learner.averaged.value.weight, learner.network.value.weight)
    assert Learner(network(), LearnerConfig()).averaged is not None


@pytest.mark.parametrize("name", ["values", "features", "ranges"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_divergence_stops_before_it_touches_the_weights(name: str, bad: float) -> None:
    learner = Learner(network(), LearnerConfig())
    learner.step(some_examples())
    before = [weight.detach().clone() for weight in learner.network.parameters()]
    examples = some_examples()
    getattr(examples, name)[2, 1] = bad
    with pytest.raises(DivergedError, match="the loss of step 2 is not a number"):
        learner.step(examples)
    assert learner.steps == 1
    assert all(torch.equal(*pair) for pair in zip(before, learner.network.parameters(), strict=True))


@pytest.mark.parametrize("optimiser", ["adam", "sgd"])
@pytest.mark.parametrize("averaging", [0.0, 0.9])
def test_a_state_goes_on_alike(optimiser: str, averaging: float) -> None:
    config = LearnerConfig(optimiser=optimiser, averaging=averaging)
    one = Learner(network(), config)
    for step in range(4):
        one.step(some_examples(seed=step))
    other = Learner(network(seed=9), config)
    other.restore(copy.deepcopy(one.state()))
    for learner in (one, other):
        learner.step(some_examples(seed=9))
    assert one.steps == other.steps == 5
    for ours, theirs in zip(one.averaged.parameters(), other.averaged.parameters(), strict=True):
        assert torch.equal(ours, theirs)


@pytest.mark.parametrize(
    "device",
    [
        "cpu",
        pytest.param(
            "cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU on this machine")
        ),
    ],
)
def test_devices_learn_alike_and_take_over_from_each_other(device: str) -> None:
    config = LearnerConfig(averaging=0.9)
    usual, there = Learner(network(), config), Learner(network(), config, device)
    for step in range(3):
        for learner in (usual, there):
            learner.step(some_examples(seed=step))
    assert {weight.device.type for weight in there.averaged.parameters()} == {device}
    moved = Learner(network(seed=9), config)
    moved.restore({**there.state()})
    moved.step(some_examples(seed=7))
    usual.step(some_examples(seed=7))
    for ours, theirs in zip(usual.averaged.parameters(), moved.averaged.parameters(), strict=True):
        assert theirs.device.type == "cpu"
        assert torch.allclose(ours, theirs, atol=1e-5)


def test_a_device_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for has_gpu, automatic in ((True, "cuda"), (False, "cpu")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda has_gpu=has_gpu: has_gpu)
        assert choose_device("auto") == automatic
        assert choose_device("cpu") == "cpu"
    with pytest.raises(InputError, match="--device cuda: PyTorch finds no GPU here"):
        choose_device("cuda")
