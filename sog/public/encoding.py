"""How public states look to networks: numbered features, infostates and choices of a fixed size.

A network has as many inputs and outputs in every public state. A **code** says which of them a public state
uses: its features, for each infostate the number of the input that takes its share of the range and of the
output that holds its value, and for each slot of the acting player the output that holds its logit. A game
that has an `encoding` (`sog.games.base`) tells its own; any other small game is encoded by its public
history: for every depth, which of the children the play went to. Codes depend on nothing hidden.

A board is seen by the player to move: the mover's planes come before the opponent's, and so do the values.

Verified: tests/public/test_encoding.py.
"""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from sog.core.arrays import F32, I32, U32
from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame, Encoding
from sog.games.view import NO_PARENT, UNUSED, Codes, Features, Store
from sog.public.store import StateStore

if TYPE_CHECKING:
    from sog.public.derived import DerivedState, DerivedView

MAX_HISTORY_STATES = 20_000  # of a game that is encoded by its history
_measured: WeakKeyDictionary[AnyGame, tuple[list[int], tuple[int, int], int]] = WeakKeyDictionary()


class _Code(NamedTuple):
    """What one public state uses of a network."""

    features: F32  # [F]
    rows: list[I32]  # [P][H] number of each infostate among its player's
    choices: list[list[int]]  # [H][its own legal actions] of the acting player, nothing if none acts


class Encoder(ABC):
    """Codes of a derived view's states."""

    encoding: Encoding

    def encode(self, store: Store, nodes: U32, states: "list[DerivedState]") -> Codes:
        """Return the codes of nodes, whose states these are."""
        codes = [self._code(store, int(node), state) for node, state in zip(nodes, states, strict=True)]
        used = [np.flatnonzero(code.features) for code in codes]
        features = Features(
            bounds=np.cumsum([0, *(index.size for index in used)]).astype(np.uint32),
            feature=np.concatenate(used).astype(np.uint32),
            value=np.concatenate([code.features[index] for code, index in zip(codes, used, strict=True)]),
        )
        first, second = (np.concatenate([code.rows[player] for code in codes]) for player in (0, 1))
        choices = [_table(code.choices).ravel() for code in codes if code.choices]
        return Codes(
            features,
            (first, second + np.int32(self.encoding.private[0])),
            np.concatenate(choices) if choices else np.zeros(0, np.int32),
        )

    @abstractmethod
    def _code(self, store: Store, node: int, state: "DerivedState") -> _Code:
        """Return a node's code."""


def make_encoder(view: "DerivedView") -> Encoder:
    """Return the encoder of a game's derived view: the game's own, or by history."""
    return HistoryEncoder(view) if view.game.encoding is None else GameEncoder(view.game, view.game.encoding)


class GameEncoder(Encoder):
    """Codes of a game that has an `encoding`."""

    def __init__(self, game: AnyGame, encoding: Encoding) -> None:
        self._game, self.encoding = game, encoding

    def _code(self, store: Store, node: int, state: "DerivedState") -> _Code:
        """Ask the game about one world of every infostate."""
        game = self._game
        firsts = [np.unique(state.rows[player], return_index=True)[1] for player in range(NUM_PLAYERS)]
        rows = [
            np.array([game.private_index(player, state.worlds[row]) for row in firsts[player]], np.int32)
            for player in range(NUM_PLAYERS)
        ]
        features = np.array(game.public_features(state.worlds[0]), np.float32).ravel()
        choices: list[list[int]] = []
        if state.actor < NUM_PLAYERS:
            worlds = [state.worlds[row] for row in firsts[state.actor]]
            choices = [
                [game.choice_index(world, action) if action >= 0 else UNUSED for action in actions]
                for world, actions in zip(worlds, state.legal, strict=True)
            ]
        return _Code(features, rows, choices)


class HistoryEncoder(Encoder):
    """Codes of any game whose whole public tree can be listed."""

    def __init__(self, view: "DerivedView") -> None:
        if view.game not in _measured:
            _measured[view.game] = _measure(StateStore(view))
        self._widths, private, choices = _measured[view.game]
        self._starts = np.cumsum([0, *self._widths])
        self.encoding = Encoding((int(self._starts[-1]),), private, choices)

    def _code(self, store: Store, node: int, state: "DerivedState") -> _Code:
        """Mark, at every depth, which child the play went to."""
        features = np.zeros(self.encoding.features, np.float32)
        for depth, ordinal in enumerate(_route(store, node)):
            features[self._starts[depth] + ordinal] = 1
        rows = [np.arange(size, dtype=np.int32) for size in state.num_infostates]
        acts = state.actor < NUM_PLAYERS
        return _Code(features, rows, [list(range(len(legal))) for legal in state.legal] if acts else [])


def _route(store: Store, node: int) -> list[int]:
    """Return the ordinals from the root to a node."""
    route = []
    while store.parents[node] != NO_PARENT:
        route.append(int(store.ordinals[node]))
        node = int(store.parents[node])
    return route[::-1]


def _measure(store: StateStore) -> tuple[list[int], tuple[int, int], int]:
    """List all public states; return children at each depth, infostates and actions, the most of each."""
    depths, node = [0], 0
    widths: list[int] = []
    sizes, choices = [1, 1], 1
    while node < store.num_nodes:
        if store.num_nodes > MAX_HISTORY_STATES:
            raise InputError(
                f"{store.facts.name} has more than {MAX_HISTORY_STATES:,} public states:"
                " it needs an encoding of its own to be learned"
            )
        sizes = [max(pair) for pair in zip(sizes, store.num_infostates(node), strict=True)]
        choices = max(choices, store.num_actions(node))
        if store.actor(node) != TERMINAL:
            children = store.children(node)
            depths += [depths[node] + 1] * len(children)
            widths += [0] * (depths[node] + 1 - len(widths))
            widths[depths[node]] = max(widths[depths[node]], len(children))
        node += 1
    return widths, (sizes[0], sizes[1]), choices


def _table(numbers: list[list[int]]) -> I32:
    """Return the choices [A, H] of infostates that have them in lists."""
    table = np.full((max(map(len, numbers)), len(numbers)), UNUSED, np.int32)
    for infostate, own in enumerate(numbers):
        table[: len(own), infostate] = own
    return table
