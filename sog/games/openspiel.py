"""OpenSpiel's two-player zero-sum games, addressed as `openspiel:NAME(parameter=value,…)`.

What the players see of a move is found in one of three ways, the first that fits:

- *actions*: in games of perfect information everybody sees every move;
- *observers*: OpenSpiel's public and private observers of the position after the move, provided that they
  tell the players exactly what OpenSpiel's information states tell them, and whose turn it is;
- *information states*: each player's perfect-recall information state, from which the public states follow
  as common knowledge (`PublicStates.COMMON_KNOWLEDGE`).

The conditions are checked at loading, breadth first, on up to `AUDITED_HISTORIES` histories: completely in
small games, near the root in large ones. Simultaneous moves become two; the first says only "has moved".

Verified: tests/games/test_openspiel_game.py.
"""

import importlib
import os
import re
from collections import deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from sog.core.errors import InputError
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, Game, GameInfo, PublicStates
from sog.games.parameters import shorten
from sog.games.picture import History, Picture, lines

AUDITED_HISTORIES = 10_000
MAX_ACTIONS = 1_000_000
HAS_MOVED = "has moved"


class OpenSpielWorld:
    """A position of an OpenSpiel game: a value, equal to another one with the same history."""

    __slots__ = ("actor", "history", "pending", "state")

    def __init__(self, state: Any, history: tuple[int, ...], pending: int | None = None) -> None:
        self.state = state  # never changed: moves are made on copies
        self.history = history  # all moves, chance's included
        self.pending = pending  # player 0's half of a simultaneous move
        self.actor = _actor(state, pending)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielWorld) and self.history == other.history

    def __hash__(self) -> int:
        return hash(self.history)

    def __repr__(self) -> str:
        return f"OpenSpielWorld(history={self.history})"


class OpenSpielGame(Game[OpenSpielWorld]):
    """The OpenSpiel game that `text` names, for example `leduc_poker` or `dark_hex(board_size=2)`."""

    def __init__(self, text: str) -> None:
        text = text.strip()
        self._pyspiel = import_openspiel("pyspiel")
        with _plain_errors(self._pyspiel, text):
            self._game = self._pyspiel.load_game(text)
            _refuse_unsuitable(self._pyspiel, self._game, text)
            self._start = _start(self._game, text)
            kind = self._game.get_type()
            is_sequential = kind.dynamics == self._pyspiel.GameType.Dynamics.SEQUENTIAL
            is_imperfect = kind.information == self._pyspiel.GameType.Information.IMPERFECT_INFORMATION
            self.info = GameInfo(
                name=f"openspiel:{text}",
                num_actions=max(self._game.num_distinct_actions(), self._game.max_chance_outcomes()),
                is_perfect_information=is_sequential and not is_imperfect,
                max_utility=float(max(self._game.max_utility(), -self._game.min_utility())),
                max_length=self._game.max_game_length() * (1 if is_sequential else NUM_PLAYERS)
                + self._game.max_chance_nodes_in_history(),
            )
            self._sight: _Sight = self._imperfect_sight() if is_imperfect else _Actions(self)
        if isinstance(self._sight, _InformationStates):
            self.public_view = PublicStates.COMMON_KNOWLEDGE

    def initial_world(self) -> OpenSpielWorld:
        """Return OpenSpiel's initial state."""
        return self._start

    def actor(self, world: OpenSpielWorld) -> int:
        """Player 0 makes the first half of a simultaneous move."""
        return world.actor

    def legal_actions(self, world: OpenSpielWorld) -> tuple[int, ...]:
        """Return OpenSpiel's legal actions of the player to move."""
        return tuple(world.state.legal_actions(world.actor))

    def chance_outcomes(self, world: OpenSpielWorld) -> tuple[tuple[int, float], ...]:
        """Return OpenSpiel's outcomes, those with probability zero left out."""
        return tuple((outcome, chance) for outcome, chance in world.state.chance_outcomes() if chance > 0)

    def apply(self, world: OpenSpielWorld, action: int) -> OpenSpielWorld:
        """Move on a copy of the state."""
        history = (*world.history, action)
        if not world.state.is_simultaneous_node():
            return OpenSpielWorld(world.state.child(action), history)
        if world.pending is None:
            return OpenSpielWorld(world.state, history, pending=action)
        state = world.state.clone()
        state.apply_actions([world.pending, action])
        return OpenSpielWorld(state, history)

    def public_observation(self, before: OpenSpielWorld, action: int, after: OpenSpielWorld) -> Hashable:
        """Return what everybody sees, `None` where public states follow from information states."""
        return self._sight.public(before, action, after)

    def private_observation(
        self, player: int, before: OpenSpielWorld, action: int, after: OpenSpielWorld
    ) -> Hashable:
        """Return what one player sees, or the whole information state where that is all there is."""
        return self._sight.private(player, before, after)

    def returns(self, world: OpenSpielWorld) -> tuple[float, float]:
        """Return OpenSpiel's returns."""
        utility = float(world.state.returns()[0])
        return utility, 0.0 - utility

    def action_name(self, world: OpenSpielWorld, action: int) -> str:
        """Return OpenSpiel's name of the move."""
        player = self._pyspiel.PlayerId.CHANCE if world.actor == CHANCE else world.actor
        return str(world.state.action_to_string(player, action))

    def show(self, history: History, seat: int) -> Picture:
        """Print OpenSpiel's picture of the position where nothing is hidden, else what was seen."""
        told = super().show(history, seat)
        is_drawn = self.info.is_perfect_information and history.world.pending is None
        return lines(str(history.world.state).rstrip()) + told if is_drawn else told

    def _imperfect_sight(self) -> "_Sight":
        """Return the observers if they are sound, else the information states."""
        if not self._game.get_type().provides_information_state_string:
            raise InputError(
                f"{self.info.name} has no sound public view: OpenSpiel provides no information states for it"
            )
        observers = _observers(self._pyspiel, self._game)
        if observers is not None and _are_sound(self, observers):
            return observers
        _refuse_forgetful(self)
        return _InformationStates()


class _Sight(Protocol):
    """What is seen of a move."""

    def public(self, before: OpenSpielWorld, action: int, after: OpenSpielWorld) -> Hashable: ...

    def private(self, player: int, before: OpenSpielWorld, after: OpenSpielWorld) -> Hashable: ...


class _Actions:
    """Everybody sees every move; both halves of a simultaneous one together."""

    def __init__(self, game: OpenSpielGame) -> None:
        self._name = game.action_name

    def public(self, before: OpenSpielWorld, action: int, after: OpenSpielWorld) -> Hashable:
        if after.pending is not None:
            return HAS_MOVED
        name = self._name(before, action)
        if before.pending is None:
            return name
        first = OpenSpielWorld(before.state, before.history[:-1])
        return f"{self._name(first, before.pending)}, {name}"

    def private(self, player: int, before: OpenSpielWorld, after: OpenSpielWorld) -> Hashable:
        return None


class _Observers:
    """OpenSpiel's public and private observations of the position after the move."""

    def __init__(self, public: Any, private: Any) -> None:
        self._public = public
        self._private = private

    def public(self, before: OpenSpielWorld, action: int, after: OpenSpielWorld) -> Hashable:
        if after.pending is not None:
            return HAS_MOVED
        return _one_line(self._public.string_from(after.state, 0))

    def private(self, player: int, before: OpenSpielWorld, after: OpenSpielWorld) -> Hashable:
        seen: str = self._private.string_from(after.state, player)
        return None if seen == self._private.string_from(before.state, player) else _one_line(seen)


class _InformationStates:
    """Each player's information state after the move, an own half of a simultaneous move included."""

    def public(self, before: OpenSpielWorld, action: int, after: OpenSpielWorld) -> Hashable:
        return None

    def private(self, player: int, before: OpenSpielWorld, after: OpenSpielWorld) -> Hashable:
        known = str(after.state.information_state_string(player))
        is_waiting = player == 0 and after.pending is not None
        return f"{known}\nchosen: {after.pending}" if is_waiting else known


class _Trace(NamedTuple):
    """A history in the audit."""

    world: OpenSpielWorld
    public: int  # number of the sequence of public observations
    known: tuple[int, int]  # numbers of each player's sequence of observations and own actions
    decisions: tuple[Hashable, Hashable]  # each player's last information state and action


def _traces(game: OpenSpielGame, sight: _Sight) -> Iterator[_Trace]:
    """Yield the first histories, breadth first, with what `sight` lets the players know."""
    numbers: dict[Hashable, int] = {}
    states = _InformationStates()
    queue = deque([_Trace(game.initial_world(), -1, (-1, -1), (None, None))])
    room = AUDITED_HISTORIES
    while queue:
        trace = queue.popleft()
        yield trace
        before, actor = trace.world, trace.world.actor
        moves = game.moves(before) if room > 0 else ()
        room -= len(moves)
        for action in moves:
            after = game.apply(before, action)
            seen = sight.public(before, action, after)
            public = numbers.setdefault(("public", trace.public, seen), len(numbers))
            known, decisions = list(trace.known), list(trace.decisions)
            for player in range(NUM_PLAYERS):
                own_action = action if player == actor else None
                key = (player, known[player], seen, sight.private(player, before, after), own_action)
                known[player] = numbers.setdefault(key, len(numbers))
                if player == actor:
                    decisions[player] = (states.private(player, before, before), action)
            queue.append(_Trace(after, public, (known[0], known[1]), (decisions[0], decisions[1])))


def _are_sound(game: OpenSpielGame, observers: _Observers) -> bool:
    """Whether players know by observation what their information states say, and all know who acts."""
    states = _InformationStates()
    actors: dict[int, int] = {}
    state_of: dict[Hashable, Hashable] = {}
    known_of: dict[Hashable, Hashable] = {}
    for world, public, known, _ in _traces(game, observers):
        actor = world.actor
        if actors.setdefault(public, actor) != actor:
            return False
        if actor < NUM_PLAYERS:
            seen, state = (actor, known[actor]), (actor, states.private(actor, world, world))
            if state_of.setdefault(seen, state) != state or known_of.setdefault(state, seen) != seen:
                return False
    return True


def _refuse_forgetful(game: OpenSpielGame) -> None:
    """Refuse information states that do not tell the player's own last decision."""
    states = _InformationStates()
    remembered: dict[Hashable, Hashable] = {}
    for world, _, _, decisions in _traces(game, states):
        actor = world.actor
        if actor >= NUM_PLAYERS:
            continue
        state = (actor, states.private(actor, world, world))
        if remembered.setdefault(state, decisions[actor]) != decisions[actor]:
            raise InputError(
                f"{game.info.name} has no sound public view: player {actor}'s information states"
                " forget the player's own moves"
            )


def _observers(pyspiel: Any, game: Any) -> _Observers | None:
    """Return OpenSpiel's observers if the game has both, answering in words."""
    make = importlib.import_module("open_spiel.python.observation").make_observation
    kind, whose = pyspiel.IIGObservationType, pyspiel.PrivateInfoType
    try:
        public = make(game, kind(perfect_recall=False, public_info=True, private_info=whose.NONE))
        private = make(game, kind(perfect_recall=False, public_info=False, private_info=whose.SINGLE_PLAYER))
        state = game.new_initial_state()
        if public is None or private is None or public.string_from(state, 0) is None:
            return None
        return None if private.string_from(state, 0) is None else _Observers(public, private)
    except pyspiel.SpielError:
        return None


def import_openspiel(module: str) -> Any:
    """Return a module of OpenSpiel, which not everybody has."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        missing = "OpenSpiel" if module == "pyspiel" else error.name
        raise InputError(f'{missing} is not installed: pip install "sog[openspiel]"') from None


def _refuse_unsuitable(pyspiel: Any, game: Any, text: str) -> None:
    """Refuse games that are not games of two players whose only reward is a zero-sum one at the end."""
    kind, types = game.get_type(), pyspiel.GameType
    reason = ""
    if kind.dynamics == types.Dynamics.MEAN_FIELD:
        reason = "a mean-field game"
    elif game.num_players() != NUM_PLAYERS:
        reason = f"a game for {game.num_players()} players, not {NUM_PLAYERS}"
    elif kind.utility != types.Utility.ZERO_SUM or game.utility_sum() != 0:
        reason = "not a zero-sum game"
    elif kind.reward_model != types.RewardModel.TERMINAL:
        reason = "a game with rewards before its end"
    elif kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        reason = "a game whose chance events have no known probabilities"
    elif not 0 < game.num_distinct_actions() <= MAX_ACTIONS:
        reason = f"a game with {game.num_distinct_actions()} actions, not 1 to {MAX_ACTIONS}"
    if reason:
        raise InputError(f"openspiel:{text} is {reason}")


def _start(game: Any, text: str) -> OpenSpielWorld:
    """Return the initial world of a game whose parameters leave something to play."""
    world = OpenSpielWorld(game.new_initial_state(), ())
    state = world.state
    if world.actor == TERMINAL or not (
        state.chance_outcomes() if world.actor == CHANCE else state.legal_actions(world.actor)
    ):
        raise InputError(f"openspiel:{text} leaves nothing to play")
    return world


@contextmanager
def _plain_errors(pyspiel: Any, text: str) -> Iterator[None]:
    """Turn OpenSpiel's complaints, which its C++ code prints besides raising them, into one line."""
    if text.partition("(")[0] not in pyspiel.registered_names():
        raise InputError(f"OpenSpiel has no game {shorten(text.partition('(')[0])}")
    for name in re.findall(r"filename=([^,()]*)", text):
        if not os.path.isfile(name):
            raise InputError(f"openspiel:{text.partition('(')[0]}: there is no file {shorten(name)}")
    try:
        with _silent_stderr():
            yield
    except InputError:
        raise
    except (pyspiel.SpielError, RuntimeError, ValueError, IndexError) as error:
        complaint = re.sub(r"^\S+\.(cc|h):\d+ ", "", " ".join(str(error).split()))
        raise InputError(f"OpenSpiel refuses {shorten(text)}: {complaint[:200]}") from None


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """Discard what is written to the process's standard error, by C++ code too."""
    saved = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


def _actor(state: Any, pending: int | None) -> int:
    if state.is_terminal():
        return TERMINAL
    if state.is_chance_node():
        return CHANCE
    if state.is_simultaneous_node():
        return 0 if pending is None else 1
    return int(state.current_player())


def _one_line(text: str) -> str:
    return text.strip().replace("\n", " / ")
