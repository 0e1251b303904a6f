"""The learner: gradient steps of a network on examples.

    loss = w_v · Huber(v, v*) + w_p · cross entropy(p, p*)

with the values balanced (`sog.nets.cvpn`), each infostate weighted as its example says, and the learning rate
`α · d^(t/T)` at step t (Player of Games, appendix B.3). Over the last `cooldown` of a run it falls to zero
in a straight line besides, since the noise of the last steps would stay in the weights. A loss or gradient
that is not a number stops the run before it touches the weights.

Verified: tests/training/test_learner.py.
"""

import copy
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from sog.core.errors import InputError
from sog.nets.agents import Agent, load_weights
from sog.nets.cvpn import Cvpn, balance
from sog.training.batches import ILLEGAL, TrainingBatch
from sog.training.config import LearnerConfig
from sog.training.run_status import DivergedError, Losses

NEVER = -1e9  # the logit of an illegal choice
_SURE = 1 - 1e-5  # values whose logarithm is still a number


def choose_device(name: str) -> str:
    """Return the device that is meant: `auto` is a GPU where there is one.

    >>> choose_device("cpu")
    'cpu'
    """
    has_gpu = torch.cuda.is_available()
    if name == "cuda" and not has_gpu:
        raise InputError("--device cuda: PyTorch finds no GPU here (--device auto takes one if there is one)")
    return ("cuda" if has_gpu else "cpu") if name == "auto" else name


class Learner:
    """A network, its optimiser and the number of steps taken."""

    def __init__(self, network: Cvpn, config: LearnerConfig, device: str = "cpu") -> None:
        # Steps of convolutions on boards take up to a third less time in this order of memory.
        network = network.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.network, self._config = network, config
        self.steps = 0
        self.progress = 0.0  # share of the run that is over
        self.averaged = copy.deepcopy(network) if config.averaging > 0 else network
        self._optimiser: torch.optim.Optimizer
        if config.optimiser == "adam":
            self._optimiser = torch.optim.Adam(
                network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=True
            )
        else:
            self._optimiser = torch.optim.SGD(
                network.parameters(),
                lr=config.learning_rate,
                momentum=config.momentum,
                weight_decay=config.weight_decay,
            )

    def step(self, batch: TrainingBatch) -> Losses:
        """Take one gradient step."""
        self.network.train()
        for group in self._optimiser.param_groups:
            group["lr"] = self.learning_rate
        value, policy = losses(self.network, batch, self._config.huber)
        loss = self._config.value_weight * value + self._config.policy_weight * policy
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), self._config.clip)
        if not bool(torch.isfinite(loss) & torch.isfinite(norm)):
            raise DivergedError(f"training diverged: the loss of step {self.steps + 1} is not a number")
        self._optimiser.step()
        self.steps += 1
        if self.averaged is not self.network:
            self._average()
        return Losses(float(value.detach()), float(policy.detach()))

    @property
    def learning_rate(self) -> float:
        """Of the next step."""
        config = self._config
        rate = config.learning_rate * config.decay_rate ** (self.steps / config.decay_steps)
        left = 1 - self.progress
        return float(rate * left / config.cooldown if left < config.cooldown else rate)

    def begin_from(self, agent: Agent, game: str) -> None:
        """Take an agent's weights; for a learner that has taken no step."""
        for network in {self.network, self.averaged}:
            load_weights(network, agent, game)

    def state(self) -> dict[str, Any]:
        """Return everything to go on with, as nested dictionaries of tensors and numbers."""
        return {
            "steps": self.steps,
            "network": self.network.state_dict(),
            "averaged": None if self.averaged is self.network else self.averaged.state_dict(),
            "optimiser": self._optimiser.state_dict(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.steps = state["steps"]
        self.network.load_state_dict(state["network"])
        if self.averaged is not self.network:
            self.averaged.load_state_dict(state["averaged"])
        self._optimiser.load_state_dict(state["optimiser"])
        self._lay_out_alike()

    def _lay_out_alike(self) -> None:
        """Have the optimiser's moments in the order of memory of their weights: fused steps go by memory."""
        for weight, moments in self._optimiser.state.items():
            for name, moment in moments.items():
                if isinstance(moment, Tensor) and moment.shape == weight.shape:
                    moments[name] = torch.empty_like(weight).copy_(moment)

    @torch.no_grad()
    def _average(self) -> None:
        # A young average forgets sooner.
        share = 1 - min(self._config.averaging, self.steps / (self.steps + 10))
        ours, theirs = self.averaged.state_dict(), self.network.state_dict()
        for name, own in ours.items():
            if own.is_floating_point():
                own.lerp_(theirs[name], share)
            else:
                own.copy_(theirs[name])


def losses(network: Cvpn, batch: TrainingBatch, huber: float) -> tuple[Tensor, Tensor]:
    """Return the value loss and the policy loss, each a mean over examples."""
    device = next(network.parameters()).device
    features, ranges, beliefs, values, value_weights, lines, places, policies, policy_weights, *rows = (
        torch.from_numpy(array).to(device) for array in batch
    )
    is_odds = network.spec.row_odds
    # Values that are balanced depend on all of them.
    found, logits = network.pick(
        features, ranges, value_weights > 0 if is_odds else None, lines, places, *rows
    )
    if is_odds:
        errors = _cross_entropy(found, values)
    else:
        errors = functional.huber_loss(balance(found, beliefs), values, reduction="none", delta=huber)
    value = _mean((errors * value_weights).sum(dim=1), value_weights.sum(dim=1))
    is_legal = policies != ILLEGAL
    # A line of an infostate that waits has no choice: its softmax must not become NaN, gradients included.
    logs = logits.masked_fill(~is_legal, NEVER).log_softmax(dim=1)
    crosses = -torch.where(is_legal, policies * logs, 0.0).sum(dim=1)
    none = torch.zeros(len(features), device=device)
    totals = none.index_add(0, lines, policy_weights)
    return value, _mean(none.index_add(0, lines, crosses * policy_weights), totals)


def silent_loss(batch: TrainingBatch, huber: float) -> float:
    """Return the value loss of a network that says zero everywhere: what there is to learn."""
    sizes, weights = np.abs(batch.values), batch.value_weights
    errors = np.where(sizes <= huber, sizes**2 / 2, huber * (sizes - huber / 2))
    return float(((errors * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)).mean())


def _cross_entropy(found: Tensor, values: Tensor) -> Tensor:
    """Return the cross entropy of chances of winning, both told as values from -1 to 1."""
    found, chance = found.clamp(-_SURE, _SURE), (1 + values.clamp(-1, 1)) / 2
    return -(chance * torch.log((1 + found) / 2) + (1 - chance) * torch.log((1 - found) / 2))


def _mean(weighted: Tensor, totals: Tensor) -> Tensor:
    """Return the mean over examples of each one's weighted mean: its sum [N] over its weights in all [N]."""
    return (weighted / totals.clamp(min=1e-9)).sum() / max(1, int((totals > 0).sum()))
