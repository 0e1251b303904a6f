"""The public view of a game: what the engine consumes, in bulk, as functions of records.

A **public state** is what both players know. A view describes it by a **record** of its own dtype, which
holds all that the view must know of it; where rules look back (repetition in chess), a view also reads the
records of ancestors. A view numbers nothing and remembers nothing of a store that asks it: two stores of one
view, filled in different orders, get the same answers.

A public state has an actor, and for each player a row of infostates. The acting player's infostates have
**slots**, one for each (action, infostate) pair, numbered `ordinal * rows + infostate`: the ordinal counts
the infostate's own legal actions, so slots of an infostate with fewer actions than others are unused.
Infostates *flow* into the children of a public state by a sparse 0/1 map, from the actor's slots and from the
other player's infostates (at a chance node from both players' infostates). Reach flows down by that map,
values flow up by it.

**Joint weights are chance.** `C(s0, s1)` is chance's probability of a pair of infostates, up to one factor
for each root. For every transition `P(child, s0', s1' | s0, s1, action) = C_child(s0', s1') / C(s0, s1)`:
players' moves (0 or 1), dealt cards, hidden facts and merged infostates alike. A row without joint weight is
dead: it is never drawn, has no part in the ranges that searches begin with and ask about leaves with, and
does not follow under a gadget. Hold'em has such rows: hands out of the range, or blocked by a later card.
At a terminal, payoff entry over joint entry is player 0's utility.

Optional parts of the protocol are found by `sog.public.store`, and nowhere else.
"""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from sog.core.arrays import F32, F64, I32, I64, U32, U64, Records
from sog.games.base import AnyGame, Encoding, Symmetries

NO_PARENT = 0xFFFFFFFF  # of a root


class Flows(NamedTuple):
    """How one player's infostates reach those of C children: `child[target[k]] += parent[source[k]]`.

    A child with equal bounds has no entries: its infostate k comes from `start + k`, for all k.
    """

    start: U32  # [C] first source, where the map is contiguous
    bounds: U32  # [C + 1] of each child's entries
    source: U32  # slots of the actor, or infostates of the other player or at a chance node
    target: U32  # infostates of the child; entries of a child are sorted by (source, target)


class Successors(NamedTuple):
    """The C children of B public states, one state's after the other's; or C roots."""

    counts: U32  # [B] children of each state; at a decision never fewer than one for each legal action in use
    states: Records  # [C] of the view's dtype
    actor: U32  # [C]
    num_actions: (
        U32  # [C] of the acting player, the largest count among the infostates; 0 where no player acts
    )
    rows: tuple[U32, U32]  # [P][C] infostates of each player
    legal: U32 | None  # [rows of the actors, one decision after the other] legal actions; 0: this infostate
    # waits, and goes on from the slot of its first action. None: all infostates have all `num_actions`
    flows: tuple[Flows, Flows]  # [P]
    joint: U32  # [C] number of the matrix of joint weights; entries are never negative
    payoff: U32  # [C] number of the matrix of player 0's chance-weighted utilities, at terminals
    joint_scale: F64  # [C] what the matrix is multiplied by
    payoff_scale: F64  # [C]
    value_scale: F64  # [C] about how much is at stake: evaluators tell values as shares of it


class ViewFacts(NamedTuple):
    """Static facts about a view."""

    name: str  # the string that loads the game
    max_utility: float  # no play wins or loses more
    hides_nothing: bool  # perfect information: one infostate a player everywhere
    symmetries: Symmetries | None = None


class Store(Protocol):
    """Public states that a view is asked about, as far as it may look at them."""

    @property
    def records(self) -> Records:
        """[N] of the view's dtype."""

    @property
    def parents(self) -> U32:
        """[N] node above, `NO_PARENT` for a root."""

    @property
    def ordinals(self) -> U32:
        """[N] number among the children of the node above, or of the outcome of wide chance."""

    def children(self, node: int) -> Sequence[int]:
        """Return a node's children, for views that follow a play."""


@runtime_checkable
class PublicView(Protocol):
    """A game as its public states: enough to solve and to search."""

    @property
    def facts(self) -> ViewFacts:
        """Static facts."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of records."""

    def roots(self, rng: np.random.Generator) -> Records:
        """Return the record of the start of the game, or of one that is drawn."""

    def open(self, records: Records) -> Successors:
        """Return what records are as roots: one state each, all flows contiguous from 0."""

    def successors(self, store: Store, nodes: U32) -> Successors:
        """Return the children of B states that are not terminal."""

    def matrices(self, dtype: npt.DTypeLike) -> Any:
        """Return all matrices so far, for kernels; read-only, and the next successors may outgrow them."""


@runtime_checkable
class WideChance(Protocol):
    """A view with chance nodes that have too many outcomes to list them all; searches draw the numbers."""

    def num_outcomes(self, store: Store, nodes: U32) -> U64:
        """Return how many outcomes each chance node has: fewer than 2³² - 1."""

    def outcomes(self, store: Store, nodes: U32, numbers: U64) -> Successors:
        """Return the child of one outcome of each node; its joint weights hold the outcome's probability."""

    def draw(self, store: Store, node: int, rows: tuple[int, int], rng: np.random.Generator) -> int:
        """Return an outcome's number, drawn as chance does where the play is in a pair of infostates."""


class Features(NamedTuple):
    """What networks are shown of B public states: numbers other than zero, one state after the other."""

    bounds: U32  # [B + 1] of each state's numbers
    feature: U32  # which one
    value: F32


class Codes(NamedTuple):
    """What B public states use of a network, one state after the other."""

    features: Features | None  # None for positions on a board, whose planes are written instead
    columns: tuple[I32, I32]  # [P][infostates] number of each among both players': the first player's first
    choices: I32  # [slots of states where a player acts] UNUSED where an infostate has fewer


UNUSED = -1  # the choice of a slot that its infostate has not


@runtime_checkable
class Encoded(Protocol):
    """A view that can be learned."""

    @property
    def encoding(self) -> Encoding:
        """Sizes of what networks are shown."""

    def encode(self, store: Store, nodes: U32) -> Codes:
        """Return the codes of B nodes."""


@runtime_checkable
class Described(Protocol):
    """A view that tells what infostates are like, if its encoding has `row_features`."""

    def describe_rows(self, features: F32, owners: I64, columns: I64) -> F32:
        """Return what M infostates are like [M, d], from the features [B, F] of their public states.

        owners: [M] the state of each infostate; columns: [M] its number among both players'.
        """


@runtime_checkable
class Planes(Protocol):
    """A view of positions on a board, which networks are shown as planes, many at once."""

    def write_planes(self, store: Store, nodes: U32, features: F32) -> None:
        """Write the planes of B positions, as the mover sees them; features [B, F] modified in place."""


@runtime_checkable
class Enumerated(Protocol):
    """A view that can list the worlds of its states, for rollouts and oracles."""

    @property
    def game(self) -> AnyGame:
        """Whose worlds they are."""

    def worlds(self, store: Store, node: int) -> list[tuple[Any, int, int, float]]:
        """Return every world of a node, with both players' infostates and chance's probability."""


@runtime_checkable
class Named(Protocol):
    """A view that people can read."""

    def observation(self, store: Store, node: int) -> str:
        """Return what both players saw of the move that led to a node; empty for a root."""

    def infostate_name(self, store: Store, node: int, player: int, row: int) -> str:
        """Return what the player knows, for people and for matching infostates across programs."""

    def action_names(self, store: Store, node: int, row: int) -> list[str]:
        """Return the names of the acting infostate's legal actions, in slot order."""


class Heard(NamedTuple):
    """What one seat is told of a move."""

    public: Hashable  # what everybody sees of it
    private: Hashable  # what this seat alone sees; `None` for nothing
    move: int | None = None  # number among the legal moves, if it is the seat's own


@runtime_checkable
class Told(Protocol):
    """A view whose plays can be followed from one seat, by what that seat is told."""

    def hear(self, store: Store, child: int, seat: int, row: int) -> Heard:
        """Return what a seat is told when a play comes to a node and the seat to an infostate there.

        The seat's own move is left out: the seat knows it.
        """

    def follow(self, store: Store, node: int, seat: int, row: int, heard: Sequence[Heard]) -> tuple[int, int]:
        """Return the node and the seat's infostate after what it has heard since it was in an infostate.

        Where players cannot tell how often the other has moved, it must be the seat's turn then.
        """


@runtime_checkable
class Deriving(Protocol):
    """A view derived from worlds, one by one: what it costs, and whether it is sound, has to be asked."""

    @property
    def num_bytes(self) -> int:
        """What the worlds take that the view keeps, about."""

    def num_moves(self, store: Store, nodes: Sequence[int]) -> int:
        """Return how many moves of worlds expanding nodes goes through."""

    def check(self, store: Store, nodes: U32) -> None:
        """Refuse a game that has no sound public view, as far as only all its states can show."""
