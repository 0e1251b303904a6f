"""Contestants of our own making, and OpenSpiel's searching bot.

Verified: tests/matches/test_contestants.py.
"""

from random import Random
from typing import Any

from sog.core.errors import InputError
from sog.games.base import AnyGame
from sog.games.openspiel import import_openspiel
from sog.matches.play import Play
from sog.matches.thinking import Limits, Method, Thinker
from sog.public.evaluator import Evaluator
from sog.search.mcts import Mcts

_MASK = 2**63 - 1
_NEXT_SEED = 0x9E3779B97F4A7C15
_ROLLOUTS = 1  # from each new position
_EXPLORATION = 2.0  # OpenSpiel's own default in its examples
_MEGABYTES = 1000


class OwnContestant:
    """What those have in common who play in this process: random choices, and nothing to close."""

    def begin(self, play: Play, seed: int) -> None:
        """Begin a new series of random choices."""
        self._random = Random(seed)

    def close(self) -> None:
        """Nothing is open."""


class AgentContestant(OwnContestant):
    """Searches every move anew and plays what the search finds best."""

    def __init__(self, game: AnyGame, evaluator: Evaluator, method: Method) -> None:
        self._evaluator, self._method, self._seed = evaluator, method, 0
        Thinker(game, evaluator, method).think(game.initial_world(), Limits(2), 0)  # compiles the kernels

    def begin(self, play: Play, seed: int) -> None:
        """Remember where random choices begin."""
        self._seed = seed

    def choose(self, play: Play) -> int:
        """Search, unless there is nothing to choose."""
        legal = play.game.legal_actions(play.world)
        if len(legal) == 1:
            return legal[0]
        self._seed = (self._seed * _NEXT_SEED + 1) & _MASK
        thinker = Thinker(play.game, self._evaluator, self._method)
        return thinker.think(play.world, Limits(self._method.simulations), self._seed).best


class RandomContestant(OwnContestant):
    """Plays any legal move."""

    def choose(self, play: Play) -> int:
        """Draw a move."""
        return self._random.choice(play.game.legal_actions(play.world))


class RolloutContestant(OwnContestant):
    """Searches by UCT with random rollouts, as `sog play --opponent mcts:N` does."""

    def __init__(self, simulations: int) -> None:
        self._simulations = simulations

    def choose(self, play: Play) -> int:
        """Search."""
        return Mcts(play.game).choose(play.world, self._simulations, self._random.randint(0, _MASK))


class OpenSpielContestant(OwnContestant):
    """OpenSpiel's MCTS bot with random rollouts, in C++; moves are told by their names."""

    def __init__(self, game: AnyGame, simulations: int) -> None:
        self._game = import_openspiel("pyspiel").load_game(openspiel_name(game))
        self._simulations = simulations

    def begin(self, play: Play, seed: int) -> None:
        """Make a new bot."""
        pyspiel = import_openspiel("pyspiel")
        short = seed % (2**31 - 1)
        rollouts = pyspiel.RandomRolloutEvaluator(_ROLLOUTS, short)
        self._bot: Any = pyspiel.MCTSBot(
            self._game, rollouts, _EXPLORATION, self._simulations, _MEGABYTES, True, short, False
        )
        self._state: Any = self._game.new_initial_state()
        self._followed = 0

    def choose(self, play: Play) -> int:
        """Follow the game to where it is, and have the bot play."""
        for number in range(self._followed, len(play.actions)):
            self._state.apply_action(self._number_of(play, number))
        self._followed = len(play.actions)
        chosen = self._bot.step(self._state)
        action = next(
            action
            for action in play.game.legal_actions(play.world)
            if play.game.notation.openspiel_action(self._state, play.world, action) == chosen
        )
        return action

    def _number_of(self, play: Play, number: int) -> int:
        notation = play.game.notation
        return notation.openspiel_action(self._state, play.worlds[number], play.actions[number])


def openspiel_name(game: AnyGame) -> str:
    """Return what OpenSpiel calls a game of ours with the same rules."""
    if game.notation.openspiel:
        return game.notation.openspiel
    raise InputError(f"openspiel-mcts plays connect_four, breakthrough and tictactoe, not {game.info.name}")
