"""Reinforcement learning by self-play in games of hidden information (Player of Games, C.4.2, figure 15).

Tabular Q-learning, DQN and A2C are OpenSpiel's, one learner in each seat, each taking the other for a part of
the world. What is measured is what they would play now: Q-learning and DQN greedily, A2C by its softmax.
Greedy play is pure but for ties, and such games have no pure equilibrium, so nothing makes these policies
converge; the exact exploitability along the learning shows it.

Settings are OpenSpiel's arguments by name. They lie within the paper's sweep (table 6) where it names them,
but for A2C's larger step in Leduc: the paper does not say how long it learned, and here it is minutes.
OpenSpiel 2.0.2's PyTorch losses *add* the entropy they mean to reward, so the entropy cost is negative here.

OpenSpiel's learners draw from the global generators of numpy and torch: `learn` seeds both and puts them
back. Measuring takes nothing from them, so what is learned does not depend on when it is measured.

Verified: tests/evaluation/test_baselines.py.
"""

import importlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from sog.core.arrays import I64
from sog.core.errors import InputError
from sog.core.interrupts import deferred_interrupt
from sog.evaluation.curves import Curve, CurvePoint
from sog.games.base import NUM_PLAYERS, GameInfo
from sog.games.openspiel import OpenSpielGame, import_openspiel
from sog.games.registry import load
from sog.public.derived import DerivedView
from sog.public.enumeration import enumerate_store
from sog.public.store import ROOT, StateStore
from sog.solvers.evaluation import Evaluation, Profile

GAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}  # ours, which OpenSpiel's equal, and their names there
_MEASURE_GROWTH = 1.2  # measured again when the episodes have grown by this factor
_FIRST_MEASURE = 10  # episodes
_EPISODES_A_NOTE = 50

Settings = Mapping[str, Any]
OnProgress = Callable[[int, float], None]  # episodes so far, last measured exploitability in the game's unit


class Method(NamedTuple):
    """One way to learn."""

    label: str
    make: Callable[[int, int, int, int, Settings], Any]  # player, inputs, actions, seed, settings: an agent
    settings: Mapping[str, Settings]  # by game


class _Decision(NamedTuple):
    """An infostate, by one of its worlds."""

    player: int
    state: Any  # OpenSpiel's
    actions: tuple[int, ...]
    slots: I64  # [A] where the policy has them


class BaselineGame:
    """One of `GAMES` as OpenSpiel plays it, with the exact exploitability of OpenSpiel's policies.

    >>> from open_spiel.python.policy import UniformRandomPolicy
    >>> game = BaselineGame("kuhn")
    >>> round(game.exploitability(UniformRandomPolicy(game.openspiel)), 6)
    0.458333
    """

    def __init__(self, name: str) -> None:
        if name not in GAMES:
            raise InputError(f"baselines learn {' or '.join(GAMES)}, not {name[:40]!r}")
        self.name = name
        self.info: GameInfo = load(name).info
        view = DerivedView(OpenSpielGame(GAMES[name]))
        store, layout = whole = enumerate_store(StateStore(view))
        self.openspiel = view.state(store, ROOT).worlds[0].state.get_game()
        self._exact = Evaluation(layout, whole.terminals())
        self._decisions: list[_Decision] = []
        for place in np.flatnonzero(layout.actor < NUM_PLAYERS).tolist():
            public = view.state(store, int(layout.nodes[place]))
            _, worlds = np.unique(
                public.rows[public.actor], return_index=True
            )  # [rows] one of each infostate
            for row, (world, actions) in enumerate(zip(worlds, public.legal, strict=True)):
                slots = layout.slots_of(place, row, len(actions))
                self._decisions.append(_Decision(public.actor, public.worlds[world].state, actions, slots))

    def profile(self, policy: Any) -> Profile:
        """Return an OpenSpiel policy, of both players, over the slots of our layout."""
        profile = self._exact.uniform_policy()
        for player, state, actions, slots in self._decisions:
            probabilities = policy.action_probabilities(state)
            profile[player][slots] = [probabilities[action] for action in actions]
        return profile

    def exploitability(self, policy: Any) -> float:
        """Return the exact exploitability of an OpenSpiel policy, in the game's unit."""
        return self._exact.exploitability(self.profile(policy)) / self.info.unit_size

    def uniform_exploitability(self) -> float:
        """Return that of playing every legal action equally often."""
        return self._exact.exploitability(self._exact.uniform_policy()) / self.info.unit_size


def learn(
    game: BaselineGame,
    method: str,
    episodes: int,
    seed: int = 0,
    on_progress: OnProgress = lambda episodes, exploitability: None,
) -> Curve:
    """Let two learners play against each other, and measure them now and then.

    Seconds are the processor's: learners use one thread, and other programs should not make them look slow.
    Ctrl-C ends the learning after an episode: then the last point has fewer episodes than were asked for.
    """
    if method not in METHODS:
        raise InputError(f"unknown method {method[:40]!r}: there are {', '.join(METHODS)}")
    how = METHODS[method]
    points: list[CurvePoint] = []
    with _own_randomness(seed) as seeds, deferred_interrupt() as is_interrupted:
        players = _Players(game, how, seeds)
        played, seconds = 0, 0.0
        while True:
            points.append(CurvePoint(seconds, players.exploitability(), played))
            if played == episodes or is_interrupted():
                break
            goal = min(episodes, max(_FIRST_MEASURE, int(played * _MEASURE_GROWTH)))
            while played < goal and not is_interrupted():
                number = min(goal - played, _EPISODES_A_NOTE)
                started = time.process_time()
                players.play(number)
                seconds += time.process_time() - started
                played += number
                on_progress(played, points[-1].exploitability)
    return Curve(how.label, points, {"seed": seed, **how.settings[game.name]})


class _Players:
    """A learner in each seat."""

    def __init__(self, game: BaselineGame, method: Method, seeds: list[int]) -> None:
        self._game = game
        environments = import_openspiel("open_spiel.python.rl_environment")
        self._environment = environments.Environment(game.openspiel)
        self._environment.seed(seeds[NUM_PLAYERS])
        inputs = int(self._environment.observation_spec()["info_state"][0])
        actions = int(self._environment.action_spec()["num_actions"])
        settings = method.settings[game.name]
        self._agents = []
        for player in range(NUM_PLAYERS):
            _seed_globally(seeds[player])
            self._agents.append(method.make(player, inputs, actions, seeds[player], settings))
        _seed_globally(seeds[NUM_PLAYERS])  # some learners seed the generators anew when they are made
        self._policy = import_openspiel("open_spiel.python.rl_agent_policy").JointRLAgentPolicy(
            game.openspiel, dict(enumerate(self._agents)), use_observation=False
        )

    def play(self, episodes: int) -> None:
        """Play and learn."""
        for _ in range(episodes):
            step = self._environment.reset()
            while not step.last():
                agent = self._agents[step.observations["current_player"]]
                step = self._environment.step([agent.step(step).action])
            for agent in self._agents:
                agent.step(step)

    def exploitability(self) -> float:
        """Return that of what they would play without exploring; what that draws is put back."""
        drawn = np.random.get_state()
        exploitability = self._game.exploitability(self._policy)
        np.random.set_state(drawn)
        return exploitability


@contextmanager
def _own_randomness(seed: int) -> Iterator[list[int]]:
    """Give a seed for each player and one for the game; afterwards the generators are as they were.

    Networks this small are slower on several threads than on one.
    """
    torch = importlib.import_module("torch")
    numpy_state, torch_state = np.random.get_state(), torch.get_rng_state()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield [int(number) for number in np.random.SeedSequence(seed).generate_state(NUM_PLAYERS + 1)]
    finally:
        torch.set_num_threads(threads)
        torch.set_rng_state(torch_state)
        np.random.set_state(numpy_state)


def _seed_globally(seed: int) -> None:
    np.random.seed(seed)
    importlib.import_module("torch").manual_seed(seed)


def _make_q(player: int, inputs: int, actions: int, seed: int, settings: Settings) -> Any:
    module = import_openspiel("open_spiel.python.algorithms.tabular_qlearner")
    return module.QLearner(player, actions, **settings)


def _make_dqn(player: int, inputs: int, actions: int, seed: int, settings: Settings) -> Any:
    module = import_openspiel("open_spiel.python.pytorch.dqn")
    return module.DQN(player, inputs, actions, seed=seed, **settings)


def _make_a2c(player: int, inputs: int, actions: int, seed: int, settings: Settings) -> Any:
    module = import_openspiel("open_spiel.python.pytorch.policy_gradient")
    return module.PolicyGradient(player, inputs, actions, loss_str="a2c", **settings)


_Q: Settings = {"step_size": 0.1}  # explores with OpenSpiel's constant rate of 0.2
_DQN: Settings = {
    "learning_rate": 0.1,
    "hidden_layers_sizes": (64,),
    "replay_buffer_capacity": 10_000,
    "update_target_network_every": 200,
    "epsilon_start": 1.0,
    "epsilon_end": 0.1,
    "epsilon_decay_duration": 30_000,  # moves
    "epsilon_decay_schedule_str": "linear",
}
_A2C: Settings = {
    "optimizer_str": "adam",
    "pi_learning_rate": 1e-3,
    "critic_learning_rate": 1e-2,
    "hidden_layers_sizes": (64,),
    "num_critic_before_pi": 4,
    "entropy_cost": -0.1,  # a reward, see above
}
METHODS: dict[str, Method] = {
    "q": Method("tabular Q-learning", _make_q, {"kuhn": _Q, "leduc": _Q}),
    "dqn": Method("DQN", _make_dqn, {"kuhn": _DQN, "leduc": _DQN}),
    "a2c": Method("A2C", _make_a2c, {"kuhn": _A2C, "leduc": {**_A2C, "pi_learning_rate": 5e-3}}),
}
