"""Playing a game through to see whether it keeps its promises: `check(game)`.

All histories of a small game are played, of a large one some at random, and after each move everything is
asked that the contract (`sog.games.base`) says something about. Every broken promise is reported once, with
the world and the move where it was seen first.

Verified: tests/public/test_checking.py, tests/games/test_conformance.py.
"""

import random
import time
from collections.abc import Hashable, Iterator
from math import isfinite, prod
from typing import Any, NamedTuple

from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame, Encoding, PublicStates
from sog.games.parameters import shorten
from sog.games.promises import BrokenPromiseError, Promises

MAX_HISTORIES = 50_000
NUM_PLAYS = 100
NUM_SECONDS = 20.0
_ESTIMATES = 30  # plays by which the number of histories is guessed


class BrokenPromise(NamedTuple):
    """What a game promises and does not do."""

    promise: str
    where: str  # the world, and the move if there is one


class CheckReport(NamedTuple):
    """What a check has seen."""

    game: str
    plays: int | None  # at random; None if every history was played
    histories: int
    infostates: tuple[int, int]  # in which the player acts
    public_states: int
    longest: int  # moves
    largest: float  # utility
    moves_per_second: float  # with both players' observations
    broken: list[BrokenPromise]

    @property
    def is_good(self) -> bool:
        """Whether every promise was kept."""
        return not self.broken

    def __str__(self) -> str:
        what = "all histories" if self.plays is None else f"{self.plays:,} random plays"
        state = "keeps its promises" if self.is_good else f"breaks {len(self.broken)} of its promises"
        lines = [
            f"{self.game} {state} ({what})",
            f"  {self.histories:,} histories, {self.public_states:,} public states,"
            f" infostates {self.infostates[0]:,} and {self.infostates[1]:,}",
            f"  longest play {self.longest:,} moves, largest utility {self.largest:g},"
            f" {self.moves_per_second:,.0f} moves a second",
        ]
        return "\n".join(lines + [f"  {each.promise} ({each.where})" for each in self.broken])


class _History(NamedTuple):
    """Where a play stands, and what was seen on the way."""

    world: Any
    length: int
    public: Hashable  # the sequence of public observations
    known: tuple[Hashable, Hashable]  # each player's sequence of observations and own actions


def check(
    game: AnyGame,
    max_histories: int = MAX_HISTORIES,
    plays: int = NUM_PLAYS,
    seconds: float = NUM_SECONDS,
    seed: int = 0,
) -> CheckReport:
    """Play a game through: all histories if there are not more than that, otherwise so many random plays.

    seconds: after which no further play is begun.

    >>> from sog.games.registry import load
    >>> print(check(load("kuhn")).is_good)
    True
    """
    rng, checker = random.Random(seed), _Checker(game)
    if not checker.is_larger(max_histories, rng) and checker.play_all(max_histories):
        return checker.report(num_plays=None)
    deadline, played = time.perf_counter() + seconds, 0
    while played < plays and (played == 0 or time.perf_counter() < deadline):
        checker.play_once(rng)
        played += 1
    return checker.report(played)


class _Stop(Exception):  # noqa: N818
    """A history beyond which nothing can be asked."""


class _Checker:
    """Asks about every history that it is shown, and keeps what is broken."""

    def __init__(self, game: AnyGame) -> None:
        self.game, self._promises = game, Promises(game)
        self._is_observed = game.public_view is PublicStates.OBSERVED
        self._broken: dict[str, BrokenPromise] = {}
        self._futures: dict[Any, object] = {}
        self._actors: dict[Hashable, int] = {}
        self._legal: dict[Hashable, tuple[int, ...]] = {}
        self._past: dict[Hashable, Hashable] = {}  # of infostates that are told as a whole
        self._shown: dict[Hashable, object] = {}  # to networks, by public state, infostate or choice
        self._indices: dict[Hashable, Hashable] = {}  # infostates, by public state and number
        self._histories = self._longest = self._num_moves = 0
        self._largest = self._seconds = 0.0
        self._deciding: tuple[set[Hashable], set[Hashable]] = (set(), set())

    @property
    def broken(self) -> list[BrokenPromise]:
        """The promises that were not kept, in the order in which it was seen."""
        return list(self._broken.values())

    def is_larger(self, limit: int, rng: random.Random) -> bool:
        """Return whether a game seems to have more histories than that: Knuth's mean over random plays."""
        total, game = 0.0, self.game
        for _ in range(_ESTIMATES):
            world, ways, length = self._start().world, 1.0, 0
            try:
                while length <= game.info.max_length and (moves := game.moves(world)):
                    ways *= len(moves)
                    total += ways
                    if total > limit * _ESTIMATES:
                        return True
                    world, length = game.apply(world, rng.choice(moves)), length + 1
            except Exception:  # whatever it is, the check will come to it
                break
        return False

    def play_all(self, limit: int) -> bool:
        """Look at all histories; return whether there are no more than that."""
        left = [self._start()]
        while left and self._histories < limit:
            history = left.pop()
            if self._look(history):
                left += [below for move in self._moves(history.world) if (below := self._try(history, move))]
        return not left

    def play_once(self, rng: random.Random) -> None:
        """Look at the histories along one play, moves uniformly drawn."""
        history: _History | None = self._start()
        while history is not None and self._look(history):
            moves = self._moves(history.world)
            history = self._try(history, rng.choice(moves)) if moves else None

    def _start(self) -> _History:
        return _History(self.game.initial_world(), 0, (), ((), ()))

    def _try(self, history: _History, move: int) -> _History | None:
        try:
            return self._follow(history, move)
        except _Stop:
            return None

    def report(self, num_plays: int | None) -> CheckReport:
        """Return everything seen."""
        return CheckReport(
            game=self.game.info.name,
            plays=num_plays,
            histories=self._histories,
            infostates=(len(self._deciding[0]), len(self._deciding[1])),
            public_states=len(self._actors),
            longest=self._longest,
            largest=self._largest,
            moves_per_second=self._num_moves / self._seconds if self._seconds > 0 else 0.0,
            broken=self.broken,
        )

    def _note(self, kind: str, promise: str, world: Any, move: int | None = None) -> None:
        """Note a broken promise, one of a kind."""
        error = BrokenPromiseError(self.game, promise, world, move)
        self._broken.setdefault(kind, BrokenPromise(error.promise, error.where))

    def _ask(self, method: str, world: Any, *arguments: Any, move: int | None = None) -> Any:
        """Return what a method of the game answers; an error of its own is a broken promise."""
        try:
            return getattr(self.game, method)(*arguments)
        except Exception as error:
            self._note(method, f"{method} fails with {type(error).__name__}: {error}", world, move)
            raise _Stop from None

    def _follow(self, history: _History, action: int) -> _History:
        """Return the history after a move."""
        start = time.perf_counter()
        before, actor = history.world, self._ask("actor", history.world, history.world)
        after = self._ask("apply", before, before, action, move=action)
        public = self._ask("public_observation", before, before, action, after, move=action)
        private = [
            self._ask("private_observation", before, player, before, action, after, move=action)
            for player in range(NUM_PLAYERS)
        ]
        self._seconds += time.perf_counter() - start
        self._num_moves += 1
        known = [
            (history.known[player], public, private[player], action if actor == player else None)
            for player in range(NUM_PLAYERS)
        ]
        try:
            self._promises.hashable([(before, action, after, (public, *private))])
        except BrokenPromiseError as error:
            self._broken.setdefault("hashable", BrokenPromise(error.promise, error.where))
            raise _Stop from None
        return _History(after, history.length + 1, (history.public, public), (known[0], known[1]))

    def _moves(self, world: Any) -> tuple[int, ...]:
        """Return what may happen next."""
        moves: tuple[int, ...] = tuple(self._ask("moves", world, world))
        return moves

    def _look(self, history: _History) -> bool:
        """Look at a history; return whether a play can go on from there."""
        try:
            self._examine(history)
        except _Stop:
            return False
        except BrokenPromiseError as error:
            kind = error.promise.partition(",")[0]
            self._broken.setdefault(kind, BrokenPromise(error.promise, error.where))
            return False
        return True

    def _examine(self, history: _History) -> None:
        world, actor = history.world, self._ask("actor", history.world, history.world)
        self._histories += 1
        self._longest = max(self._longest, history.length)
        self._promises.actor(world, actor)
        self._promises.length(world, history.length, actor)
        future = self._future(world, actor)
        known = self._infostate(history, actor) if actor < NUM_PLAYERS else None
        self._agree(self._futures, world, future, "equal worlds must have equal futures", world)
        if self._is_observed:
            self._agree(self._actors, history.public, actor, "who acts must be public", world)
        else:
            self._actors.setdefault(history.public, actor)
        if actor < NUM_PLAYERS:
            self._deciding[actor].add(known)
            words = f"player {actor} must know its legal actions"
            self._agree(self._legal, (actor, known), future, words, world)
            self._recall(history, actor, known)
        if actor != TERMINAL:
            self._look_at_moves(history, actor)
        if self.game.encoding is not None:
            self._look_at_code(history, actor, self.game.encoding)

    def _future(self, world: Any, actor: int) -> Any:
        """Return what can happen in a world, each part of it checked."""
        if actor == TERMINAL:
            returns = self._ask("returns", world, world)
            self._largest = max(self._largest, abs(self._promises.utility(world)))
            return tuple(returns)
        if actor == CHANCE:
            outcomes = self._ask("chance_outcomes", world, world)
            self._promises.outcomes(world, outcomes)
            return tuple(outcomes)
        actions = self._ask("legal_actions", world, world)
        self._promises.actions(world, tuple(actions))
        return tuple(actions)

    def _infostate(self, history: _History, player: int) -> Hashable:
        known: Any = history.known[player]
        infostate: Hashable = known if self._is_observed or not known else known[2]
        return infostate

    def _recall(self, history: _History, player: int, known: Hashable) -> None:
        """Where infostates are told as a whole, each must remember the player's own way to it."""
        if self._is_observed:
            return
        steps: list[Hashable] = []
        step: Any = history.known[player]
        while step:
            before = step[0][2] if step[0] else None
            if step[3] is not None:
                steps.append((before, step[3]))
            step = step[0]
        words = f"player {player} must have perfect recall: its infostate is reached in two ways of its own"
        self._agree(self._past, (player, known), tuple(steps), words, history.world)

    def _look_at_moves(self, history: _History, actor: int) -> None:
        """Ask for every move's name, and what it looks like; twice, to see that nothing changes."""
        game, world = self.game, history.world
        before, moves, seen = (hash(world), repr(world)), self._moves(world), []
        names = [self._ask("action_name", world, world, move, move=move) for move in moves]
        if len(set(names)) < len(names) or not all(names):
            self._note("names", f"action_name must name each move differently, not {shorten(names)}", world)
        for move in moves:
            first, again = self._follow(history, move), self._follow(history, move)
            if first != again:
                self._note("values", "apply and observations must be the same each time", world, move)
            public: Hashable = first.public[1]  # type: ignore[index]
            private = [known[2] for known in first.known]  # type: ignore[index]
            seen.append(public)
            if not self._is_observed and (public is not None or None in private):
                self._note(
                    "whole", "private_observation must be the whole infostate, public None", world, move
                )
            if game.info.is_perfect_information and private != [None, None]:
                self._note("private", "nothing is private with perfect information", world, move)
        if game.info.is_perfect_information and actor != CHANCE and len(set(seen)) < len(moves):
            promise = f"public_observation must tell each move with perfect information, not {shorten(seen)}"
            self._note("public", promise, world)
        if (hash(world), repr(world)) != before:
            self._note("immutable", f"apply must leave its argument as it was, {before[1][:80]}", world)

    def _look_at_code(self, history: _History, actor: int, encoding: Encoding) -> None:
        """Ask for what networks are shown: sizes, and that nothing hidden is in it."""
        game, world = self.game, history.world
        if actor == TERMINAL and len(encoding.features) == 3:
            return  # nobody moves, and a board is seen by the mover
        features = self._ask("public_features", world, world)
        shown = tuple(_flat(features))
        if len(shown) != prod(encoding.features) or not all(isfinite(value) for value in shown):
            promise = f"public_features must be {prod(encoding.features)} finite numbers"
            self._note("features", promise, world)
        scale = self._ask("value_scale", world, world)
        if not (scale > 0 and isfinite(scale)):
            self._note("scale", f"value_scale must be positive, not {scale}", world)
        if not self._is_observed:
            return
        words = "public_features and value_scale must be equal in all worlds of a public state"
        self._agree(self._shown, history.public, (shown, scale), words, world)
        for player in range(NUM_PLAYERS):
            index, known = self._ask("private_index", world, player, world), history.known[player]
            if not 0 <= index < encoding.private[player]:
                promise = f"private_index of player {player} must be below {encoding.private[player]}"
                self._note("private index", f"{promise}, not {index}", world)
            words = f"private_index must depend on the infostate of player {player} alone"
            self._agree(self._shown, (player, known), index, words, world)
            if not game.merges_infostates:
                words = f"private_index must tell the infostates of player {player} apart"
                self._agree(self._indices, (player, history.public, index), known, words, world)
        if actor < NUM_PLAYERS:
            self._look_at_choices(history, actor, encoding)

    def _look_at_choices(self, history: _History, actor: int, encoding: Encoding) -> None:
        world, most = history.world, encoding.choices
        limit = most if isinstance(most, int) else most[actor]
        moves = self._moves(world)
        choices = tuple(self._ask("choice_index", world, world, move, move=move) for move in moves)
        if len(set(choices)) < len(choices) or not all(0 <= choice < limit for choice in choices):
            promise = f"choice_index must be a number below {limit} for each action, not {shorten(choices)}"
            self._note("choices", promise, world)
        words = f"choice_index must depend on the infostate of player {actor} alone"
        self._agree(self._shown, ("choices", actor, history.known[actor]), choices, words, world)

    def _agree(self, seen: dict[Any, Any], key: Hashable, value: object, promise: str, world: Any) -> None:
        """What is equal to the players must be equal."""
        known = seen.setdefault(key, value)
        if known != value:
            self._note(promise, f"{promise}, not {shorten(known)} and {shorten(value)}", world)


def _flat(values: Any) -> Iterator[float]:
    """Yield the numbers of nested sequences."""
    for value in values:
        if hasattr(value, "__len__"):
            yield from _flat(value)
        else:
            yield float(value)
