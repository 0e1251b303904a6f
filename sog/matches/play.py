"""One game between two contestants, and the referee who sees to it that the rules are kept.

Our own rules decide what is legal and how a game ends. Who fails to answer, or answers with what is no legal
move, has lost.

Verified: tests/matches/test_play.py.
"""

import time
from typing import Any, NamedTuple, Protocol

from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame
from sog.matches.engine_process import EngineError

RESIGNS = -1  # instead of an action
WIN, DRAW, LOSS = 1.0, 0.5, 0.0


class Opening(NamedTuple):
    """Where a game starts: a position, and moves from there that nobody has chosen."""

    position: str = ""  # as the game writes it (FEN); nothing for the game's own start
    actions: tuple[int, ...] = ()


class Play:
    """A game as far as it has gone."""

    def __init__(self, game: AnyGame, opening: Opening) -> None:
        """Make the opening's moves in a game that starts from the opening's position."""
        self.game, self.opening = game, opening
        self.worlds: list[Any] = [game.initial_world()]
        self.actions: list[int] = []
        self.names: list[str] = []  # of the actions
        for action in opening.actions:
            self.add(action)

    @property
    def world(self) -> Any:
        """How it stands."""
        return self.worlds[-1]

    @property
    def turn(self) -> int:
        """Whose turn it is: 0 or 1, or TERMINAL."""
        return self.game.actor(self.world)

    def add(self, action: int) -> None:
        """Make a move."""
        self.names.append(self.game.action_name(self.world, action))
        self.worlds.append(self.game.apply(self.world, action))
        self.actions.append(action)

    def find(self, name: str) -> int | None:
        """Return the legal action of a name, if there is one."""
        for action in self.game.legal_actions(self.world):
            if self.game.action_name(self.world, action) == name:
                return action
        return None


class Contestant(Protocol):
    """Plays games, one at a time. Whatever fails is an EngineError."""

    def begin(self, play: Play, seed: int) -> None:
        """Get ready for a new game, in which the opening's moves are made."""

    def choose(self, play: Play) -> int:
        """Return a legal action of the player to move, or RESIGNS."""

    def close(self) -> None:
        """Play no more."""


class Verdict(NamedTuple):
    """How a game ended."""

    score: float  # of player 0: WIN, DRAW or LOSS
    reason: str
    forfeit: int | None  # the player who failed to play on
    seconds: tuple[float, float]  # that each of them has thought


def referee(play: Play, contestants: tuple[Contestant, Contestant], seed: int) -> Verdict:
    """Play a game to its end; `play` has all its moves afterwards."""
    clocks = [0.0] * NUM_PLAYERS
    turn = 0
    try:
        for turn in range(NUM_PLAYERS):  # whose fault it is, if it fails
            contestants[turn].begin(play, seed + turn)
        while (turn := play.turn) != TERMINAL:
            started = time.perf_counter()
            action = contestants[turn].choose(play)
            clocks[turn] += time.perf_counter() - started
            if action == RESIGNS:
                return Verdict(_loss_of(turn), "resignation", None, (clocks[0], clocks[1]))
            play.add(action)
    except EngineError as failure:
        return Verdict(_loss_of(turn), str(failure), turn, (clocks[0], clocks[1]))
    utility = play.game.returns(play.world)[0]
    score = WIN if utility > 0 else LOSS if utility < 0 else DRAW
    return Verdict(score, play.game.notation.reason(play.world), None, (clocks[0], clocks[1]))


def _loss_of(player: int) -> float:
    return LOSS if player == 0 else WIN
