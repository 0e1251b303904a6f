"""OpenSpiel's learners on our tree: exploitability is OpenSpiel's own, and learning does not end it."""

import signal
import sys
from typing import Any

import numpy as np
import pytest
import torch

from sog.core.errors import InputError
from sog.evaluation.baselines import GAMES, METHODS, BaselineGame, learn
from sog.games.openspiel import import_openspiel

pytest.importorskip("pyspiel")

from open_spiel.python import policy as openspiel_policies
from open_spiel.python.algorithms import exploitability as openspiel_exploitability


@pytest.fixture(scope="module")
def kuhn() -> BaselineGame:
    return BaselineGame("kuhn")


class Watched(BaselineGame):
    """Has OpenSpiel measure everything too."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.both: list[tuple[float, float]] = []

    def exploitability(self, policy: Any) -> float:
        ours = super().exploitability(policy)
        table = openspiel_policies.tabular_policy_from_callable(self.openspiel, policy.action_probabilities)
        theirs = openspiel_exploitability.exploitability(self.openspiel, table)
        self.both.append((ours * self.info.unit_size, theirs))
        return ours


@pytest.mark.parametrize("name", GAMES)
def test_exploitability_of_any_policy_is_openspiels(name: str) -> None:
    game = BaselineGame(name)
    policy = openspiel_policies.TabularPolicy(game.openspiel)
    rng = np.random.default_rng(3)
    policy.action_probability_array *= rng.random(policy.action_probability_array.shape) ** 3
    policy.action_probability_array /= policy.action_probability_array.sum(axis=1, keepdims=True)
    theirs = openspiel_exploitability.exploitability(game.openspiel, policy)
    assert game.exploitability(policy) * game.info.unit_size == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_exploitability_of_learners_is_openspiels(method: str) -> None:
    game = Watched("kuhn")
    learn(game, method, 300)
    assert len(game.both) > 8
    for ours, theirs in game.both:
        assert ours == pytest.approx(theirs, abs=1e-7)  # a learner's probabilities may be float32


def test_q_learning_gets_better_but_stays_exploitable(kuhn: BaselineGame) -> None:
    """Pure policies of Kuhn poker: any is exploitable by a multiple of 1/12, and by at least one."""
    points = learn(kuhn, "q", 3000).points
    assert points[0].exploitability == kuhn.uniform_exploitability()
    late = [point.exploitability for point in points if (point.episodes or 0) >= 1000]
    assert np.mean(late) < points[0].exploitability
    assert min(late) > 0.08
    assert np.allclose(np.array(late) * 12, np.round(np.array(late) * 12))


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_learns_the_same_whenever_it_is_measured(
    kuhn: BaselineGame, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, other = (learn(kuhn, method, 400, seed).points for seed in (5, 5, 6))
    assert [point.exploitability for point in one] == [point.exploitability for point in two]
    assert [point.exploitability for point in one] != [point.exploitability for point in other]
    monkeypatch.setattr("sog.evaluation.baselines._MEASURE_GROWTH", 3)
    rarely = learn(kuhn, method, 400, 5).points
    assert len(rarely) < len(one)
    assert rarely[-1].exploitability == one[-1].exploitability


def test_generators_and_threads_are_left_as_they_were(kuhn: BaselineGame) -> None:
    np.random.seed(1)
    torch.manual_seed(1)
    expected = np.random.random(), torch.rand(1).item(), torch.get_num_threads()
    np.random.seed(1)
    torch.manual_seed(1)
    learn(kuhn, "dqn", 20)
    assert (np.random.random(), torch.rand(1).item(), torch.get_num_threads()) == expected


def test_points_are_in_the_order_of_time_and_end_with_the_last_episode(kuhn: BaselineGame) -> None:
    played = []
    curve = learn(kuhn, "q", 137, on_progress=lambda episodes, exploitability: played.append(episodes))
    assert [point.episodes for point in curve.points][:3] == [0, 10, 12]
    assert curve.points[-1].episodes == played[-1] == 137
    seconds = [point.seconds for point in curve.points]
    assert seconds == sorted(seconds)
    assert curve.settings["seed"] == 0


def test_an_interrupted_learner_is_measured_once_more(kuhn: BaselineGame) -> None:
    def press(episodes: int, exploitability: float) -> None:
        if episodes >= 100:
            signal.raise_signal(signal.SIGINT)

    curve = learn(kuhn, "q", 10_000, on_progress=press)
    assert 100 <= (curve.points[-1].episodes or 0) < 200


def test_what_is_not_there_is_refused_in_one_line(
    kuhn: BaselineGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="kuhn or leduc"):
        BaselineGame("goofspiel")
    with pytest.raises(InputError, match="unknown method 'sarsa'"):
        learn(kuhn, "sarsa", 1)
    monkeypatch.setitem(sys.modules, "tree", None)
    monkeypatch.delitem(sys.modules, "open_spiel.python.pytorch.dqn", raising=False)
    with pytest.raises(InputError, match="tree is not installed: pip install"):
        import_openspiel("open_spiel.python.pytorch.dqn")
