"""`sog play GAME`: a person at the terminal against a bot.

The person is shown what the seat may see: the public observations, its own private ones, its own moves.
Everything is said at the end.

Verified: tests/interfaces/test_play_command.py.
"""

import io
import sys
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, NamedTuple

from sog.agents.bot import NO_LIMITS, RESIGNS, Bot, Explanation, Limits, Watch
from sog.agents.engine_process import EngineError
from sog.agents.table import Table
from sog.core.errors import InputError
from sog.games.base import CHANCE, AnyGame, PublicStates
from sog.games.registry import load
from sog.interfaces.opponents import InterruptedSolveError, choose_spec, make_opponent
from sog.interfaces.output import columns

_GOODBYE = "\nYou leave the table. Goodbye."
_QUIT_WORDS = ("quit", "exit", "q")
_MOVES_IN_A_LINE = 6
_MAX_SEED = 2**63 - 1
_RECENT = 12  # public observations repeated at each turn; all have been shown when they were made


class Options(NamedTuple):
    """The options of `sog play`."""

    game: str
    seat: int
    opponent: str | None
    agent: str | None
    search: str | None
    seed: int | None
    max_states: int


class _QuitError(Exception):
    """The person has had enough."""


def run(options: Options) -> int:
    """Play one game."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are an illegal move
    game = load(options.game)
    spec = choose_spec(game, options.opponent, options.agent, options.search)
    try:
        opponent = make_opponent(game, spec, options.max_states)
    except InterruptedSolveError:
        print(_GOODBYE)
        return 0
    try:
        print(opponent.introduction)
        if options.opponent is None and options.agent is None and opponent.hint:
            print("(--opponent uniform is an easier one.)")
        print(f"{game.info.name}: you are player {options.seat}. Type a move, or quit.")
        _Screen(game, options.seat, opponent.bot, Random(options.seed).randint(0, _MAX_SEED)).play()
        if opponent.hint:
            print(opponent.hint)
    except (EOFError, KeyboardInterrupt, _QuitError):
        print(_GOODBYE)
    except EngineError as error:
        raise InputError(f"your opponent failed: {error}") from None
    finally:
        opponent.bot.close()
    return 0


class Person:
    """A bot that asks a person."""

    def __init__(self, ask: Callable[[list[str]], int]) -> None:
        self._ask = ask

    def begin(self, game: AnyGame, seat: int, seed: int, world: Any = None) -> None:
        """The screen has been told."""

    def observe(self, public: Hashable, private: Hashable, move: int | None = None) -> None:
        """The screen shows it."""

    def act(self, moves: Sequence[str], limits: Limits = NO_LIMITS, watch: Watch | None = None) -> int:
        """Ask."""
        return self._ask(list(moves))

    def explain(self) -> Explanation:
        """People need not say what they think."""
        raise ValueError("a person explains nothing")

    def close(self) -> None:
        """Nothing is open."""


class _Screen:
    """One game being played, as one seat sees it."""

    def __init__(self, game: AnyGame, seat: int, opponent: Bot, seed: int) -> None:
        self._game, self._seat = game, seat
        person = Person(self._ask)
        self._table = Table(game, (person, opponent) if seat == 0 else (opponent, person), seed)
        self._is_observed = game.public_view is PublicStates.OBSERVED
        self._private: list[str] = []  # what the seat alone has seen and done
        self._public: list[str] = []
        self._record: list[str] = []  # every move, hidden ones too: for the end

    def play(self) -> None:
        """Play to the end and say how it went."""
        table = self._table
        while not table.is_over:
            world, actor = table.play.world, table.play.turn
            action = table.step()
            if action == RESIGNS:
                print("Your opponent resigns.")
                return
            self._tell(world, actor, action, table.play.world)
        self._tell_result(self._game.returns(table.play.world)[self._seat])

    def _ask(self, names: list[str]) -> int:
        """Show what the person knows and may do, and read a move until it is a legal one."""
        print()
        for line in self._knowledge():
            print(line)
        labels = move_labels(names)
        listed = [
            label if label == name else f"{label}: {name}" for label, name in zip(labels, names, strict=True)
        ]
        lines = [
            listed[start : start + _MOVES_IN_A_LINE] for start in range(0, len(listed), _MOVES_IN_A_LINE)
        ]
        print("Your moves:", *columns(lines, gap=4), sep="\n  ")
        while True:
            answer = input("Your move: ").strip()
            move = read_move(answer, names)
            if move is not None:
                return move
            if answer.lower() in _QUIT_WORDS:
                raise _QuitError
            print(f"{answer[:40]!r} is not one of your moves: type one of {_some(labels)}, or quit.")

    def _knowledge(self) -> list[str]:
        """Return what the seat has seen."""
        private = " ".join(self._private) or "nothing"
        if not self._is_observed:
            return ["You know:", *(f"  {line}" for line in private.splitlines())]
        recent = "; ".join(self._public[-_RECENT:]) or "nothing yet"
        lines = [f"Everybody has seen: {'… ' if len(self._public) > _RECENT else ''}{recent}"]
        if not self._game.info.is_perfect_information:
            lines.append(f"You alone know:     {private}")
        return lines

    def _tell(self, before: Any, actor: int, action: int, after: Any) -> None:
        """Add a move to what the seat knows, and say what the seat sees of it."""
        game = self._game
        name = game.action_name(before, action)
        self._record.append(f"{self._who(actor)}: {name}")
        private = game.private_observation(self._seat, before, action, after)
        if not self._is_observed:  # the private observation is everything that the player knows
            self._private = [str(private)]
            return
        public = str(game.public_observation(before, action, after))
        self._public.append(public)
        if actor == self._seat and name != public:
            self._private.append(name)
        line = f"{self._who(actor)}: {public}"
        if private is not None:
            self._private.append(str(private))
            line += f" (you see {private})"
        print(line)

    def _tell_result(self, utility: float) -> None:
        """Say who has won, and what nobody could see before."""
        print("\nThe game is over. What happened:")
        print("\n".join(f"  {line}" for line in self._record))
        if utility > 0:
            print(f"You win {utility:g}.")
        elif utility < 0:
            print(f"You lose {-utility:g}.")
        else:
            print("A draw: nobody wins anything.")

    def _who(self, actor: int) -> str:
        if actor == CHANCE:
            return "chance"
        return "you" if actor == self._seat else "opponent"


def move_labels(names: list[str]) -> list[str]:
    """Return what to type for each move: its number in the list, or its name where names are numbers.

    >>> move_labels(["pass", "bet"]), move_labels(["3", "5"])
    (['1', '2'], ['3', '5'])
    """
    if any(name.isdigit() for name in names):
        return list(names)
    return [str(number) for number in range(1, len(names) + 1)]


def read_move(answer: str, names: list[str]) -> int | None:
    """Return the index of the move that an answer means, by label or name; `None` for no move.

    >>> read_move("2", ["pass", "bet"]), read_move("Bet", ["pass", "bet"]), read_move("3", ["pass", "bet"])
    (1, 1, None)
    """
    for candidates in (move_labels(names), names, [name.lower() for name in names]):
        for text in (answer, answer.lower()):
            if candidates.count(text) == 1:
                return candidates.index(text)
    return None


def _some(labels: list[str]) -> str:
    return ", ".join(labels) if len(labels) <= 12 else f"{', '.join(labels[:4])}, …, {labels[-1]}"
