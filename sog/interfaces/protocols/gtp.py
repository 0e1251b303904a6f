"""The Go Text Protocol, version 2: a session as a machine that takes lines and writes answers.

Every command is answered, `=` or `?`, with the number it came with; whatever is wrong with it leaves the game
as it was. Either colour may play at any time, as the protocol wants it: a player who moves twice is taken to
have been passed to, which counts as no pass of the opponent's.

Verified: tests/interfaces/protocols/test_gtp.py.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from sog import __version__
from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.go.game import STONES, Go, GoWorld
from sog.games.go.handicap import fixed_handicap, most_fixed
from sog.games.go.layout import PASSES, TO_PLAY
from sog.games.go.life import Board, chains, dead_stones
from sog.games.go.sgf import read_sgf
from sog.games.go.vertices import COLUMNS, parse_vertex, vertex_names
from sog.search.analysis import Analyst, Progress

_COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
_LONGEST = 1200  # moves, at least: other programs may play on for long
_MOVES_LEFT = 30  # that a game is thought to last
_MOST_SIMULATIONS = 50_000  # of one search, which keeps every position that it meets
_MOST_BYTES = 1 << 29  # of what a search leaves to the next one
_LARGEST_FILE = 10_000_000  # bytes


class _Limits(NamedTuple):
    """When to stop thinking; whatever comes first."""

    simulations: int
    seconds: float | None = None

    def is_reached(self, progress: Progress) -> bool:
        """Return whether the time is over."""
        return self.seconds is not None and progress.seconds >= self.seconds


class GtpSession:
    """An engine's side of a session. Commands are the methods `do_…`."""

    def __init__(
        self,
        make_analyst: Callable[[Go], Analyst],
        write: Callable[[str], None],
        size: int = 9,
        komi: float = 7.5,
    ) -> None:
        self._make_analyst, self._write = make_analyst, write
        self._size, self._komi = size, komi
        self._times: list[float] = []  # main time, overtime, stones, as they were set
        self._left: dict[int, tuple[float, int]] = {}  # seconds and stones by player
        self.is_over = False
        self._seed = 0
        self._history: list[GoWorld] = []
        self._begin(size)

    def answer(self, line: str) -> None:
        """Obey one line."""
        text = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line.partition("#")[0]).replace("\t", " ")
        words = text.split()
        if not words:
            return
        number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
        name = words.pop(0) if words else ""
        command = getattr(self, f"do_{name}", None) if name.isidentifier() else None
        try:
            if command is None:
                raise InputError("unknown command")
            self._write(f"={number} {command(words)}".rstrip(" ") + "\n\n")
        except InputError as error:
            self._write(f"?{number} {error}\n\n")

    def do_protocol_version(self, words: list[str]) -> str:
        """Version 2."""
        return "2"

    def do_name(self, words: list[str]) -> str:
        """Who this is."""
        return "sog"

    def do_version(self, words: list[str]) -> str:
        """Which one."""
        return __version__

    def do_known_command(self, words: list[str]) -> str:
        """Whether there is a command."""
        is_known = bool(words) and words[0].isidentifier() and hasattr(self, f"do_{words[0]}")
        return "true" if is_known else "false"

    def do_list_commands(self, words: list[str]) -> str:
        """All commands."""
        return "\n".join(sorted(name.removeprefix("do_") for name in dir(self) if name.startswith("do_")))

    def do_quit(self, words: list[str]) -> str:
        """End."""
        self.is_over = True
        return ""

    def do_boardsize(self, words: list[str]) -> str:
        """Begin anew on a board of another size."""
        size = int(_number(words, 0, "a size"))
        try:
            self._begin(size)
        except InputError:
            raise InputError("unacceptable size") from None
        return ""

    def do_clear_board(self, words: list[str]) -> str:
        """Begin anew."""
        self._begin(self._size)
        return ""

    def do_komi(self, words: list[str]) -> str:
        """Change the komi; the game goes on."""
        komi = _number(words, 0, "a komi")
        Go(size=self._size, komi=komi)
        self._komi = komi
        self._game, self._analyst = self._open(self._size, komi)
        return ""

    def do_play(self, words: list[str]) -> str:
        """Hear of a move."""
        player = _player(words)
        if len(words) < 2:
            raise InputError("syntax error: a colour and a vertex are wanted")
        try:
            action = parse_vertex(self._size, words[1])
        except InputError:
            raise InputError("syntax error: no vertex of this board") from None
        self._play(player, action)
        return ""

    def do_genmove(self, words: list[str]) -> str:
        """Play a move."""
        world, action = self._choose(_player(words))
        if action is None:
            return "pass"
        self._history.append(self._game.apply(world, action))
        return vertex_names(self._size)[action]

    def do_reg_genmove(self, words: list[str]) -> str:
        """Say which move would be played."""
        _, action = self._choose(_player(words))
        return "pass" if action is None else vertex_names(self._size)[action]

    def do_fixed_handicap(self, words: list[str]) -> str:
        """Begin with black stones at the usual points."""
        return self._give_handicap(fixed_handicap(self._size, _count(words)))

    def do_place_free_handicap(self, words: list[str]) -> str:
        """Begin with black stones where we like them: at the usual points, so at most nine."""
        count = min(_count(words), most_fixed(self._size))
        return self._give_handicap(fixed_handicap(self._size, count))

    def do_set_free_handicap(self, words: list[str]) -> str:
        """Begin with black stones at these points."""
        try:
            points = [parse_vertex(self._size, word) for word in words]
        except InputError:
            raise InputError("bad vertex list") from None
        is_whole = self._size**2 not in points and 2 <= len(set(points)) == len(points) < self._size**2
        if not is_whole:
            raise InputError("bad vertex list")
        self._give_handicap(points)
        return ""

    def do_loadsgf(self, words: list[str]) -> str:
        """Take over the main line of a file, up to the move of a number if there is one."""
        if not words:
            raise InputError("syntax error: a file is wanted")
        last = int(_number(words, 1, "the number of a move")) - 1 if len(words) > 1 else None
        try:
            with Path(words[0]).open("rb") as file:
                record = read_sgf(file.read(_LARGEST_FILE).decode(errors="replace"))
            game, analyst = self._open(record.size, record.komi)
            history = [game.set_up(record.stones, record.first) if record.stones else game.initial_world()]
            if int(history[0].facts[TO_PLAY]) != record.first:
                history = [_changed(history[0], {TO_PLAY: record.first})]
            for number, action in enumerate(record.moves if last is None else record.moves[: max(0, last)]):
                after = _moved(game, history[-1], action)
                if after is None:
                    raise InputError(f"move {number + 1}, {vertex_names(record.size)[action]}, is illegal")
                history.append(after)
        except (OSError, ValueError, InputError) as error:
            raise InputError(f"cannot load file: {' '.join(str(error).split())[:120]}") from None
        self._size, self._komi = record.size, record.komi
        self._game, self._analyst, self._history = game, analyst, history
        return ""

    def do_undo(self, words: list[str]) -> str:
        """Take the last move back."""
        if len(self._history) == 1:
            raise InputError("cannot undo")
        self._history.pop()
        return ""

    def do_final_score(self, words: list[str]) -> str:
        """Count the board without the stones that can never live."""
        board = self._board()
        dead = dead_stones(board)
        cells = "".join(STONES[0 if point in dead else colour] for point, colour in enumerate(board.colours))
        lines = [cells[start : start + self._size] for start in range(0, len(cells), self._size)]
        points = self._game.score(self._game.draw(lines[::-1]))
        return "0" if points == 0 else f"{'B' if points > 0 else 'W'}+{abs(points):g}"

    def do_final_status_list(self, words: list[str]) -> str:
        """Name the stones that are dead, since they can never live, or all others; no seki is recognised."""
        if words[:1] not in (["dead"], ["alive"], ["seki"]):
            raise InputError("syntax error: dead, alive or seki is wanted")
        board = self._board()
        dead = dead_stones(board)
        found = [chain for chain in chains(board) if words[0] == ("dead" if chain <= dead else "alive")]
        return "\n".join(
            " ".join(vertex_names(self._size)[point] for point in sorted(chain)) for chain in found
        )

    def do_showboard(self, words: list[str]) -> str:
        """Draw the board."""
        letters = "   " + " ".join(COLUMNS[: self._size])
        lines = [
            f"{self._size - row:2} {' '.join(line)}" for row, line in enumerate(self._history[-1].lines())
        ]
        return "\n" + "\n".join((letters, *lines))

    def do_time_settings(self, words: list[str]) -> str:
        """Main time, overtime and its stones, in seconds."""
        self._times = [max(0.0, _number(words, place, "three numbers")) for place in range(3)]
        self._left = {}
        return ""

    def do_time_left(self, words: list[str]) -> str:
        """How much is left to a player: seconds, and stones if they are overtime's."""
        player = _player(words)
        self._left[player] = (
            max(0.0, _number(words, 1, "seconds")),
            max(0, int(_number(words, 2, "a number of stones"))),
        )
        return ""

    def _open(self, size: int, komi: float) -> tuple[Go, Analyst]:
        game = Go(size=size, komi=komi, max_length=max(_LONGEST, 3 * size**2))
        return game, self._make_analyst(game)

    def _begin(self, size: int) -> None:
        self._game, self._analyst = self._open(size, self._komi)
        self._size = size
        self._history = [self._game.initial_world()]

    def _board(self) -> Board:
        cells = "".join(reversed(self._history[-1].lines()))
        return Board(self._size, [STONES.index(cell) for cell in cells])

    def _give_handicap(self, points: list[int]) -> str:
        if any(self._board().colours):
            raise InputError("board not empty")
        self._history = [self._game.set_up([(point, 0) for point in points], to_play=1)]
        return " ".join(vertex_names(self._size)[point] for point in points)

    def _choose(self, player: int) -> tuple[GoWorld, int | None]:
        """Return the present position, with a player to move, and the best action if there is one."""
        world = self._turn_to(player)
        if self._game.actor(world) == TERMINAL:
            world = _reopened(world)
        if self._game.actor(world) == TERMINAL:
            return world, None
        self._seed += 1
        limits = self._limits(player)
        self._analyst.drop_beyond(_MOST_BYTES)
        found = self._analyst.analyse(world, limits.simulations, self._seed, limits.is_reached)
        return world, found.best.action

    def _turn_to(self, player: int) -> GoWorld:
        """Return the present position with a player to move."""
        world = self._history[-1]
        if int(world.facts[TO_PLAY]) == player:
            return world
        return _changed(world, {TO_PLAY: player, PASSES: 0})

    def _play(self, player: int, action: int) -> None:
        after = _moved(self._game, self._turn_to(player), action)
        if after is None:
            raise InputError("illegal move")
        self._history.append(after)

    def _limits(self, player: int) -> _Limits:
        """Return when to stop, by the clock if there is one."""
        usual = _Limits(self._analyst.method.simulations)
        if player in self._left:
            seconds, stones = self._left[player]
            return _Limits(_MOST_SIMULATIONS, seconds / max(1, stones or _MOVES_LEFT))
        if self._times:
            main, extra, stones_each = self._times
            if extra > 0 and stones_each == 0:
                return usual  # the protocol's way to say that there is no limit
            overtime = extra / stones_each if stones_each else 0.0
            return _Limits(_MOST_SIMULATIONS, max(main / _MOVES_LEFT, 0.9 * overtime))
        return usual


def _moved(game: Go, world: GoWorld, action: int) -> GoWorld | None:
    """Return the world after a move, None if it is illegal; play may go on after passes."""
    if game.actor(world) == TERMINAL:
        world = _reopened(world)
    if game.actor(world) == TERMINAL or action not in game.legal_actions(world):
        return None
    return game.apply(world, action)


def _reopened(world: GoWorld) -> GoWorld:
    """Return a position after two passes as if neither player had passed: other programs may play on."""
    return _changed(world, {PASSES: 0})


def _changed(world: GoWorld, facts: dict[int, Any]) -> GoWorld:
    """Return a world with other facts."""
    new = world.facts.copy()
    for fact, value in facts.items():
        new[fact] = value
    return GoWorld(new.tobytes() + world.row[new.nbytes :])


def _player(words: list[str]) -> int:
    if not words or words[0].lower() not in _COLOURS:
        raise InputError("syntax error: a colour is wanted")
    return _COLOURS[words[0].lower()]


def _count(words: list[str]) -> int:
    count = _number(words, 0, "a number of stones")
    if count != int(count) or count < 2:
        raise InputError("invalid number of stones")
    return int(count)


def _number(words: list[str], place: int, what: str) -> float:
    try:
        number = float(words[place])
        if not abs(number) < 1e6:
            raise ValueError
    except (IndexError, ValueError):
        raise InputError(f"syntax error: {what} wanted") from None
    return number
