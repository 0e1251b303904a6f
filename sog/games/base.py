"""The contract of a game: the world view, which is all that the author of a new game writes.

A **world** is a complete, immutable, hashable description of a position, hidden facts included. Players do
not see worlds: they see *observations* of the transitions between worlds. What a player knows (an
**infostate**) is the sequence of public observations, of the player's own private observations, and of the
player's own actions; what everybody knows (a **public state**) is the sequence of public observations alone.
`sog.public` derives both from the methods below, for any game.

Promises. `sog check GAME` plays a game through and says which it breaks; views of worlds refuse a game once
they meet a broken one:

1. Two players, zero sum: `returns` of a terminal world is `(u, -u)` with `|u| <= info.max_utility`; if the
   game says `info.is_won_or_lost`, `|u|` is that.
2. Worlds are values: `apply` leaves its argument untouched, and equal worlds have equal futures.
3. `legal_actions` is non-empty, strictly ascending, within `range(info.num_actions)`, and the same in all
   worlds that the acting player cannot tell apart.
4. `chance_outcomes` ascends strictly, with positive probabilities that sum to one.
5. Who acts next, and that the game is over, are public: worlds that share a public state share their actor.
   A game that cannot promise this says `public_view = PublicStates.COMMON_KNOWLEDGE`.
6. Perfect recall holds by construction; a game whose *private* past never matters beyond the present world
   says `merges_infostates = True`, and infostates with identical futures become one.
7. Every play ends within `info.max_length` moves, chance included.
8. Simultaneous moves are two moves; the first one's public observation says no more than "has moved".
9. A game that tells networks what it looks like (`encoding`) returns equal `public_features` and an equal
   `value_scale` in all worlds of a public state; a `private_index` that depends on the player's infostate
   alone and tells the infostates of a public state apart; and a `choice_index` that depends on infostate and
   action alone and tells an infostate's actions apart. Games that do not are encoded by their history.
10. `show` draws the same picture for a seat after all plays that the seat cannot tell apart.
11. A board (`public_features` that are planes) has in each plane one number other than zero at most, is shown
   as the player to move sees it, since networks tell the mover's value, and what `symmetries` turns into each
   other are positions of equal worth with corresponding actions.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from sog.core.arrays import F32, I64
from sog.games.drawing import Drawing
from sog.games.notation import Notation
from sog.games.picture import History, Picture, observations

if TYPE_CHECKING:
    from sog.games.view import PublicView

CHANCE = 2  # actor of a world in which chance moves next; players are 0 and 1
TERMINAL = 3  # actor of a world in which the game is over
NUM_PLAYERS = 2

World = TypeVar("World", bound=Hashable)


class PublicStates(Enum):
    """How the public states of a game are found."""

    OBSERVED = "observed"
    """A public state is a sequence of public observations."""

    COMMON_KNOWLEDGE = "common knowledge"
    """The game has no public observations. `private_observation` is then the player's whole perfect-recall
    infostate *after* the move, and public states are the smallest sets that both players know they are in."""


class GameInfo(NamedTuple):
    """Static facts about a game."""

    name: str  # the string that loads exactly this game
    num_actions: int  # actions are numbered 0 … num_actions-1
    is_perfect_information: bool
    max_utility: float  # no play wins or loses more
    max_length: int  # no play has more moves, chance's included
    unit: str = "utility"  # in which people state how exploitable a strategy is
    unit_size: float = 1.0  # in utilities
    is_won_or_lost: bool = False  # every play wins or loses `max_utility`


class Encoding(NamedTuple):
    """Sizes of what a game shows to networks."""

    features: tuple[int, ...]  # shape of `public_features`: (F,), or (planes, rows, columns) of a board
    private: tuple[int, int]  # `private_index` of each player is below this
    choices: int | tuple[int, int]  # `choice_index` is below this; a pair: each player has logits of its own
    row_features: int = 0  # numbers that `describe_rows` tells of an infostate
    in_rows: tuple[tuple[int, int], ...] = ()  # [start, end) of features that rows tell of; networks of kind
    # rows leave them out
    near: tuple[tuple[int, ...], ...] = ()  # columns next to each, of both players' infostates: stations one
    # move away


class Symmetries(NamedTuple):
    """S ways to turn a board over or around, the first of which leaves it as it is."""

    squares: tuple[tuple[int, ...], ...]  # [S][squares] where each square goes
    choices: tuple[tuple[int, ...], ...]  # [S][choices] what each choice becomes


class Game(ABC, Generic[World]):
    """A two-player zero-sum game as its rules see it. The module's docstring lists the promises."""

    info: GameInfo
    encoding: Encoding | None = None
    symmetries: Symmetries | None = None
    public_view: PublicStates = PublicStates.OBSERVED
    merges_infostates: bool = False

    @abstractmethod
    def initial_world(self) -> World:
        """Return the world before anything has happened."""

    @abstractmethod
    def actor(self, world: World) -> int:
        """Return who moves next: 0, 1, `CHANCE` or `TERMINAL`."""

    @abstractmethod
    def legal_actions(self, world: World) -> tuple[int, ...]:
        """Return the acting player's actions, ascending. Asked only where a player acts."""

    @abstractmethod
    def chance_outcomes(self, world: World) -> tuple[tuple[int, float], ...]:
        """Return `(outcome, probability)` pairs. Asked only where chance acts."""

    @abstractmethod
    def apply(self, world: World, action: int) -> World:
        """Return the world after a legal action or a possible outcome."""

    @abstractmethod
    def public_observation(self, before: World, action: int, after: World) -> Hashable:
        """Return what both players see of the move; its `str` is shown to people."""

    @abstractmethod
    def private_observation(self, player: int, before: World, action: int, after: World) -> Hashable:
        """Return what `player` alone sees of the move besides its own action; `None` for nothing."""

    @abstractmethod
    def returns(self, world: World) -> tuple[float, float]:
        """Return both players' utilities of a terminal world."""

    @abstractmethod
    def action_name(self, world: World, action: int) -> str:
        """Return the move's name as people write it; unlike any other name in the same world."""

    def moves(self, world: World) -> tuple[int, ...]:
        """Return whatever may happen next, to be applied: actions, outcomes, or nothing."""
        actor = self.actor(world)
        if actor == TERMINAL:
            return ()
        if actor == CHANCE:
            return tuple(outcome for outcome, _ in self.chance_outcomes(world))
        return self.legal_actions(world)

    def own_view(self, world: World | None = None) -> "PublicView | None":
        """Return the view written by hand, if any; it begins with a world (default: the start).

        `sog.public.opening.open_view` falls back to views of worlds.
        """
        return None

    @property
    def notation(self) -> Notation:
        """How the game is written down."""
        return Notation(self)

    def show(self, history: History, seat: int) -> Picture:
        """Draw what a seat sees of a play; it must show nothing that the seat cannot know."""
        return observations(self, history, seat)

    def draw_picture(self, history: History, seat: int) -> Drawing | None:
        """Draw it for a file, if the game has such pictures; they, too, must show nothing else.

        `sog check` does not look at them: they take long to draw.
        """
        return None

    def value_scale(self, world: World) -> float:
        """Return about how much is at stake: values are told to and by networks as shares of it."""
        return self.info.max_utility

    def public_features(self, world: World) -> Sequence[float]:
        """Return what everybody sees, as numbers of about unit size. Asked only if there is an `encoding`."""
        raise NotImplementedError

    def private_index(self, player: int, world: World) -> int:
        """Return the number of what `player` alone knows. Asked only if there is an `encoding`."""
        raise NotImplementedError

    def choice_index(self, world: World, action: int) -> int:
        """Return the number under which networks know the acting player's action."""
        return action

    def describe_rows(self, features: F32, owners: I64, columns: I64) -> F32:
        """Return what M infostates are like [M, row_features]: equal hands alike, better ones in order.

        A network of kind `rows` learns of one infostate from those that are like it. features: [B, F] of
        public states; owners: [M] the state of each infostate; columns: [M] its `private_index`, behind all
        of player 0's for player 1. Asked only if the encoding has `row_features`.
        """
        raise NotImplementedError


class OpenGame(Game[World]):
    """A game in which nothing is hidden and nothing is left to chance."""

    def chance_outcomes(self, world: World) -> tuple[tuple[int, float], ...]:
        """Chance never moves."""
        return ()

    def public_observation(self, before: World, action: int, after: World) -> Hashable:
        """Everybody sees the move."""
        return self.action_name(before, action)

    def private_observation(self, player: int, before: World, action: int, after: World) -> Hashable:
        """Nothing is hidden."""
        return None

    def private_index(self, player: int, world: World) -> int:
        """Nothing is hidden."""
        return 0


AnyGame = Game[Any]
