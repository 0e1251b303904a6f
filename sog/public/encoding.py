"""How public states look to networks: numbered features, infostates and choices of a fixed size.

A network has as many inputs and outputs in every public state. A **code** says which of them a public state
uses: its features, for each infostate the number of the input that takes its share of the range and of the
output that holds its value, and for each slot of the acting player the output that holds its logit. A game
that has an `encoding` (`sog.games.base`) tells its own; any other small game is encoded by its public
history: for every depth, which of the children the play went to. Codes depend on nothing hidden.

A board is seen by the player to move: the mover's planes come before the opponent's, and so do the values.

Verified: tests/public/test_encoding.py.
"""

from typing import NamedTuple, Protocol

import numpy as np

from sog.core.arrays import F32, I32
from sog.core.errors import InputError
from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame, Encoding
from sog.public.derived import WAIT, DerivedState
from sog.public.rows import is_board_game
from sog.public.store import StateStore

MAX_HISTORY_STATES = 20_000  # of a game that is encoded by its history
UNUSED = -1  # the choice of a slot that its infostate has not


class Code(NamedTuple):
    """What a public state uses of a network."""

    features: F32  # [F]
    rows: tuple[I32, I32]  # [P][H] number of each infostate among its player's
    columns: tuple[I32, I32]  # [P][H] number of each infostate among both players': player 0's come first
    choices: I32  # [A, H] of the acting player, UNUSED where an infostate has fewer; [0, 0] if nobody acts


class Encoder(Protocol):
    """Codes of a game's public states."""

    @property
    def encoding(self) -> Encoding:
        """Sizes of the codes."""

    def encode(self, store: StateStore, node: int) -> Code:
        """Return a node's code."""


class GameEncoder:
    """Codes of a game that has an `encoding`.

    >>> from sog.games.registry import load
    >>> encoder = GameEncoder(load("kuhn"))
    >>> encoder.encode(StateStore(load("kuhn")), 0).rows[0].tolist()
    [0]
    """

    def __init__(self, game: AnyGame) -> None:
        if game.encoding is None:
            raise ValueError(f"{game.info.name} has no encoding")
        self._game, self.encoding, self._is_board = game, game.encoding, is_board_game(game)

    def encode(self, store: StateStore, node: int) -> Code:
        """Ask the game about one world of every infostate."""
        state, game = store.states[node], self._game
        firsts = [np.unique(state.rows[player], return_index=True)[1] for player in range(NUM_PLAYERS)]
        rows = [
            np.array([game.private_index(player, state.worlds[row]) for row in firsts[player]], np.int32)
            for player in range(NUM_PLAYERS)
        ]
        features = np.array(game.public_features(state.worlds[0]), np.float32)
        choices = _no_choices()
        if state.actor < NUM_PLAYERS:
            worlds = [state.worlds[row] for row in firsts[state.actor]]
            numbers = [
                [game.choice_index(world, action) if action != WAIT else UNUSED for action in actions]
                for world, actions in zip(worlds, state.legal, strict=True)
            ]
            choices = _table(numbers)
        first = state.actor if self._is_board and state.actor < NUM_PLAYERS else 0
        return Code(features, (rows[0], rows[1]), _columns(rows, self.encoding.private, first), choices)


class HistoryEncoder:
    """Codes of any game whose whole public tree can be listed.

    >>> from sog.games.registry import load
    >>> HistoryEncoder(load("rps")).encoding.private
    (3, 3)
    """

    def __init__(self, game: AnyGame) -> None:
        self._widths, private, choices = _measure(game)
        self._starts = np.cumsum([0, *self._widths])
        self.encoding = Encoding((int(self._starts[-1]),), private, choices)

    def encode(self, store: StateStore, node: int) -> Code:
        """Mark, at every depth, which child the play went to."""
        state: DerivedState = store.states[node]
        features = np.zeros(self.encoding.features, np.float32)
        for depth, ordinal in enumerate(store.route(node)):
            features[self._starts[depth] + ordinal] = 1
        rows = [np.arange(size, dtype=np.int32) for size in store.num_infostates(node)]
        choices = _no_choices()
        if state.actor < NUM_PLAYERS:
            choices = _table([list(range(len(actions))) for actions in state.legal])
        return Code(features, (rows[0], rows[1]), _columns(rows, self.encoding.private, 0), choices)


def make_encoder(game: AnyGame) -> Encoder:
    """Return the encoder of a game: its own, or by history."""
    return GameEncoder(game) if game.encoding is not None else HistoryEncoder(game)


def _measure(game: AnyGame) -> tuple[list[int], tuple[int, int], int]:
    """List all public states; return children at each depth, infostates and actions, the most of each."""
    store, depths, node = StateStore(game), [0], 0
    widths: list[int] = []
    sizes, choices = [1, 1], 1
    while node < store.num_nodes:
        if store.num_nodes > MAX_HISTORY_STATES:
            raise InputError(
                f"{game.info.name} has more than {MAX_HISTORY_STATES:,} public states:"
                " it needs an encoding of its own to be learned"
            )
        sizes = [max(pair) for pair in zip(sizes, store.num_infostates(node), strict=True)]
        state = store.states[node]
        if state.actor < NUM_PLAYERS:
            choices = max(choices, *map(len, state.legal))
        if state.actor != TERMINAL:
            children = store.children(node)
            depths += [depths[node] + 1] * len(children)
            widths += [0] * (depths[node] + 1 - len(widths))
            widths[depths[node]] = max(widths[depths[node]], len(children))
        node += 1
    return widths, (sizes[0], sizes[1]), choices


def _columns(rows: list[I32], private: tuple[int, int], first: int) -> tuple[I32, I32]:
    """Return where infostates [P][H] stand among both players' if those of `first` come first."""
    if first == 0:
        return rows[0], rows[1] + np.int32(private[0])
    return rows[0] + np.int32(private[1]), rows[1]


def _table(numbers: list[list[int]]) -> I32:
    """Return the choices [A, H] of infostates that have them in lists."""
    table = np.full((max(map(len, numbers)), len(numbers)), UNUSED, np.int32)
    for infostate, own in enumerate(numbers):
        table[: len(own), infostate] = own
    return table


def _no_choices() -> I32:
    return np.zeros((0, 0), np.int32)
