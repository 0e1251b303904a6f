"""`sog play GAME`: a person at the terminal against a trained, uniform, searching or solved opponent.

The person is shown what the seat may see: the public observations, its own private ones, its own moves.
Everything is said at the end.

Verified: tests/interfaces/test_play_command.py.
"""

import io
import sys
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL, AnyGame, PublicStates
from sog.games.registry import load
from sog.interfaces.agent_opponent import AgentOpponent, ChosenAgent, choose_agent
from sog.interfaces.opponents import Opponent, PolicyOpponent, UniformOpponent
from sog.interfaces.output import columns
from sog.interfaces.progress import preparing
from sog.interfaces.searching_opponents import (
    IsMctsOpponent,
    IsMctsSettings,
    MctsOpponent,
    MctsSettings,
    parse_search,
)
from sog.interfaces.solves import (
    DEFAULT_DTYPE,
    Limits,
    load_solution,
    make_solver,
    restore_solver,
    run_solver,
)
from sog.interfaces.tree_building import build_limited_tree

_SOLVING = "dcfr"
_SOLVED_SHARE = 1e-4  # of the largest utility: exploitability of a solved opponent
_SOLVING_LIMITS = Limits(iterations=5000, seconds=60)
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
    game, random = load(options.game), Random(options.seed)
    agent = _choose_agent(game, options)
    try:
        opponent = (
            _make_opponent(game, options) if agent is None else _seat_agent(game, agent, options, random)
        )
        print(f"{game.info.name}: you are player {options.seat}. Type a move, or quit.")
        _Table(game, options.seat, opponent, random).play()
        if agent is not None and not game.info.is_perfect_information:
            print(agent.hint(options.search))
    except (EOFError, KeyboardInterrupt, _QuitError):
        print("\nYou leave the table. Goodbye.")
    return 0


def _choose_agent(game: AnyGame, options: Options) -> ChosenAgent | None:
    """Return the trained agent to play against, if it is one: the game's shipped one by default."""
    if options.opponent is not None:
        for option, value in (("--agent", options.agent), ("--search", options.search)):
            if value is not None:
                raise InputError(f"{option} is for a trained agent: leave it out with --opponent")
        return None
    agent = choose_agent(game, options.agent)
    if agent is None and options.search is not None:
        raise InputError(
            f"--search is for a trained agent: --agent names one that has learned {options.game}"
        )
    return agent


def _seat_agent(game: AnyGame, chosen: ChosenAgent, options: Options, random: Random) -> Opponent:
    """Return a trained agent, its kernels compiled, and say who it is."""
    settings = chosen.settings(options.search)
    with preparing("a minute"):
        opponent = AgentOpponent(game, chosen.agent, settings, 1 - options.seat, random.randint(0, _MAX_SEED))
    print(chosen.introduction(settings))
    if options.agent is None:
        print("(--opponent uniform is an easier one.)")
    return opponent


def _make_opponent(game: AnyGame, options: Options) -> Opponent:
    """Return the opponent asked for, solving the game or reading the file if need be."""
    if options.opponent is None or options.opponent == "uniform":
        return UniformOpponent()
    search = parse_search(options.opponent)
    if search is not None:
        return _make_searching_opponent(game, search, options.max_states)
    if options.opponent == "solved":
        tree = build_limited_tree(game, options.max_states)
        solver = make_solver(game, _SOLVING, tree, DEFAULT_DTYPE)
        limits = _SOLVING_LIMITS._replace(until=_SOLVED_SHARE * game.info.max_utility or None)
        if run_solver(solver, limits).was_interrupted:
            raise _QuitError
    else:
        path = Path(options.opponent)
        if not path.exists():
            raise InputError(
                f"--opponent: {options.opponent!r} is neither uniform, mcts, is-mcts or solved, nor a file"
            )
        solver = restore_solver(game, path, load_solution(game, path), options.max_states)
    print(f"Your opponent's policy is exploitable by {solver.solution().exploitability:.3g} a game.")
    return PolicyOpponent(solver.whole, solver.policy())


def _make_searching_opponent(
    game: AnyGame, settings: MctsSettings | IsMctsSettings, max_states: int
) -> Opponent:
    """Return an opponent that searches, with its kernels compiled."""
    if isinstance(settings, MctsSettings):
        if not game.info.is_perfect_information:
            raise InputError(
                f"mcts needs perfect information, and {game.info.name} hides something: try is-mcts"
            )
        with preparing():
            return MctsOpponent(game, settings)
    tree = build_limited_tree(game, max_states)
    with preparing():
        return IsMctsOpponent(tree, settings)


class _Table:
    """One game being played."""

    def __init__(self, game: AnyGame, seat: int, opponent: Opponent, random: Random) -> None:
        self._game, self._seat, self._opponent, self._random = game, seat, opponent, random
        self._is_observed = game.public_view is PublicStates.OBSERVED
        self._private: list[str] = []  # what the seat alone has seen and done
        self._public: list[str] = []
        self._record: list[str] = []  # every move, hidden ones too: for the end

    def play(self) -> None:
        """Play to the end and say how it went."""
        game = self._game
        world = game.initial_world()
        while (actor := game.actor(world)) != TERMINAL:
            moves = _moves(game, world, actor)
            move = self._choose(world, actor, moves)
            action = moves[move][0]
            after = game.apply(world, action)
            self._opponent.note(move)
            self._tell(world, actor, action, after)
            world = after
        self._tell_result(game.returns(world)[self._seat])

    def _choose(self, world: Any, actor: int, moves: list[tuple[int, float]]) -> int:
        if actor == CHANCE:
            return self._random.choices(range(len(moves)), [chance for _, chance in moves])[0]
        if actor == self._seat:
            return self._ask([self._game.action_name(world, action) for action, _ in moves])
        return self._opponent.choose(len(moves), self._random)

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


def _moves(game: AnyGame, world: Any, actor: int) -> list[tuple[int, float]]:
    """Return the moves of whoever acts, chance's with their probabilities."""
    if actor == CHANCE:
        return list(game.chance_outcomes(world))
    return [(action, 1.0) for action in game.legal_actions(world)]


def _some(labels: list[str]) -> str:
    return ", ".join(labels) if len(labels) <= 12 else f"{', '.join(labels[:4])}, …, {labels[-1]}"
