from typing import Any

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.training.alphazero import AlphaZeroGenerator
from sog.training.config import Config, make_config
from sog.training.examples import OUTCOME
from sog.training.generator import Generator, RoundOutput
from sog.training.methods import make_generator
from tests.training.dense import dense

TABLES: dict[str, Any] = {
    "game": "connect_four",
    "network": {"kind": "resnet", "layers": 1, "width": 4},
    "search": {"simulations": 8, "alternates": False},
    "alphazero": {"simulations": 8},
    "selfplay": {"games": 6, "td1_share": 1.0, "queries": 0.0, "greedy_after": 10.0},
    "run": {"memory_mb": 1.5},
}


def config(method: str = "alphazero", **selfplay: Any) -> Config:
    return make_config({**TABLES, "method": method, "selfplay": {**TABLES["selfplay"], **selfplay}}, "test")


def play(generator: Any, rounds: int) -> list[RoundOutput]:
    return [generator.round() for _ in range(rounds)]


@pytest.mark.parametrize("method", ["sog", "alphazero"])
def test_games_on_boards_become_examples(method: str) -> None:
    generator = make_generator(config(method), seed=1)
    assert isinstance(generator, AlphaZeroGenerator | Generator)
    outputs = play(generator, 40)
    games = sum(output.counts.games for output in outputs)
    assert games > 2
    for packed in (examples for output in outputs for examples in output.examples):  # one for each game
        examples = dense(load("connect_four"), packed)
        assert np.all(examples.origins == OUTCOME)
        assert np.all(examples.values[1:] == -examples.values[:-1])  # what one player wins, the other loses
        assert abs(examples.values[0, 0]) in (0, 1)
        shares = np.maximum(examples.policies[:, 0], 0).sum(axis=1)
        np.testing.assert_allclose(shares, 1, atol=2e-3)
        discs = examples.features.reshape(-1, 3, 42)[:, :2].sum(axis=(1, 2))
        np.testing.assert_array_equal(discs, np.arange(examples.size))  # every position of the game
    assert generator.store.num_nodes < 4_000  # it forgets


@pytest.mark.parametrize("method", ["sog", "alphazero"])
def test_a_state_goes_on_alike(method: str) -> None:
    one = make_generator(config(method), seed=1)
    play(one, 14)
    other = make_generator(config(method), seed=9)
    other.restore(one.state())
    ours, theirs = play(one, 25), play(other, 25)
    assert [output.counts.games for output in ours] == [output.counts.games for output in theirs]
    found = [
        [array for output in outputs for examples in output.examples for array in examples]
        for outputs in (ours, theirs)
    ]
    assert len(found[0]) > 0
    for left, right in zip(*found, strict=True):
        np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("method", ["sog", "alphazero"])
def test_who_resigns_has_lost(method: str) -> None:
    generator = make_generator(config(method, resign_below=2.0, never_resigns=0.0), seed=1)
    output = generator.round()
    assert output.counts.resigned == output.counts.games == 6
    values = [dense(load("connect_four"), examples).values[:, 0].tolist() for examples in output.examples]
    assert values == [[-1]] * 6  # player 0 was to move


def test_secrets_are_refused() -> None:
    with pytest.raises(InputError, match="kuhn: AlphaZero learns only games on a board without secrets"):
        AlphaZeroGenerator(make_config({"game": "kuhn", "method": "alphazero"}, "test"), seed=0)
