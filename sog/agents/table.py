"""A game under way between two bots, and the referee who knows all of it.

The referee follows worlds. Each seat is told what everybody sees of a move and what this seat alone sees, by
the game's own rules, and nothing else. Chance is drawn from a seed of its own: two games with the same one
have the same deals, whoever sits where.

Verified: tests/agents/test_table.py.
"""

from collections.abc import Sequence
from typing import Any

from sog.agents.bot import NO_LIMITS, RESIGNS, Bot, Limits
from sog.core.rng import make_rng
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame


class Play:
    """A game as far as it has gone: everything, hidden facts too."""

    def __init__(self, game: AnyGame, actions: Sequence[int] = ()) -> None:
        """Make moves from the start of the game."""
        self.game = game
        self.worlds: list[Any] = [game.initial_world()]
        self.actions: list[int] = []
        self.names: list[str] = []  # of the actions
        for action in actions:
            self.add(action)

    @property
    def world(self) -> Any:
        """How it stands."""
        return self.worlds[-1]

    @property
    def turn(self) -> int:
        """Whose turn it is: 0 or 1, CHANCE or TERMINAL."""
        return self.game.actor(self.world)

    def add(self, action: int) -> None:
        """Make a move."""
        self.names.append(self.game.action_name(self.world, action))
        self.worlds.append(self.game.apply(self.world, action))
        self.actions.append(action)


class Table:
    """A play with a bot in each seat.

    >>> from sog.agents.seated import UniformBot
    >>> from sog.games.registry import load
    >>> table = Table(load("kuhn"), (UniformBot(), UniformBot()), seed=1)
    >>> while not table.is_over:
    ...     action = table.step()
    >>> table.play.names[:2]
    ['Q', 'K']
    """

    def __init__(
        self,
        game: AnyGame,
        bots: tuple[Bot, Bot],
        seed: int,
        chance_seed: int | None = None,
        opening: Sequence[int] = (),
    ) -> None:
        """Sit down; the moves of an opening are made and told, chosen by neither bot."""
        self.play, self._bots, self._last = Play(game), bots, [object()] * NUM_PLAYERS
        self._chance = make_rng(seed if chance_seed is None else chance_seed)
        for seat, bot in enumerate(bots):
            bot.begin(game, seat, seed + seat)
        self.add_all(opening)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.play.turn == TERMINAL

    def step(self, limits: Limits = NO_LIMITS) -> int:
        """Have whoever is to move make a move; return it as the game numbers it, or RESIGNS."""
        game, world, turn = self.play.game, self.play.world, self.play.turn
        if turn == CHANCE:
            action = self.draw()
        else:
            actions = game.legal_actions(world)
            move = self._bots[turn].act([game.action_name(world, legal) for legal in actions], limits)
            if move == RESIGNS:
                return RESIGNS
            action = actions[move]
        self.add(action)
        return action

    def draw(self) -> int:
        """Return an outcome of chance, drawn as the rules say."""
        outcomes = self.play.game.chance_outcomes(self.play.world)
        share, total = float(self._chance.random()), 0.0
        for outcome, probability in outcomes:
            total += probability
            if share < total:
                return outcome
        return outcomes[-1][0]

    def add_all(self, actions: Sequence[int]) -> None:
        """Make moves that neither bot has chosen."""
        for action in actions:
            self.add(action)

    def add(self, action: int) -> None:
        """Make a move, and tell both seats what they may see of it."""
        game, before, turn = self.play.game, self.play.world, self.play.turn
        moves = game.legal_actions(before) if turn < NUM_PLAYERS else ()
        self.play.add(action)
        after = self.play.world
        public = game.public_observation(before, action, after)
        for seat, bot in enumerate(self._bots):
            private = game.private_observation(seat, before, action, after)
            if public is None and private == self._last[seat] and turn != seat:
                continue  # this seat does not notice that anything has happened
            self._last[seat] = private
            bot.observe(public, private, moves.index(action) if turn == seat else None)
