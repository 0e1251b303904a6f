"""The Go Text Protocol, version 2: a session as a machine that takes lines and writes answers.

Every command is answered, `=` or `?`, with the number it came with; whatever is wrong with it leaves the game
as it was. Either colour may play at any time, as the protocol wants it: a player who moves twice is taken to
have been passed to, which counts as no pass of the opponent's.

Verified: tests/interfaces/test_gtp.py.
"""

import re
from collections.abc import Callable
from typing import Any

from sog import __version__
from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.go.game import Go, GoWorld
from sog.games.go.layout import PASSES, TO_PLAY
from sog.games.go.vertices import COLUMNS, parse_vertex, vertex_names
from sog.matches.thinking import MOST_SIMULATIONS, Limits, Thinker

_COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
_LONGEST = 1200  # moves, at least: other programs may play on for long
_MOVES_LEFT = 30  # that a game is thought to last


class GtpSession:
    """An engine's side of a session. Commands are the methods `do_…`."""

    def __init__(
        self,
        make_thinker: Callable[[Go], Thinker],
        write: Callable[[str], None],
        size: int = 9,
        komi: float = 7.5,
    ) -> None:
        self._make_thinker, self._write = make_thinker, write
        self._size, self._komi = size, komi
        self._times: list[float] = []  # main time, overtime, stones, as they were set
        self._left: dict[int, tuple[float, int]] = {}  # seconds and stones by player
        self.is_over = False
        self._seed = 0
        self._begin()

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
        before = self._size
        try:
            self._size = size
            self._begin()
        except InputError:
            self._size = before
            raise InputError("unacceptable size") from None
        return ""

    def do_clear_board(self, words: list[str]) -> str:
        """Begin anew."""
        self._begin()
        return ""

    def do_komi(self, words: list[str]) -> str:
        """Change the komi; the game goes on."""
        komi = _number(words, 0, "a komi")
        Go(size=self._size, komi=komi)
        self._komi = komi
        self._game, self._thinker = self._open()
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
        player = _player(words)
        world = self._turn_to(player)
        if self._game.actor(world) == TERMINAL:
            world = _reopened(world)
        if self._game.actor(world) == TERMINAL:
            return "pass"
        self._seed += 1
        limits = self._limits(player)
        thought = self._thinker.think(world, limits, self._seed)
        self._history.append(self._game.apply(world, thought.best))
        return vertex_names(self._size)[thought.best]

    def do_undo(self, words: list[str]) -> str:
        """Take the last move back."""
        if len(self._history) == 1:
            raise InputError("cannot undo")
        self._history.pop()
        return ""

    def do_final_score(self, words: list[str]) -> str:
        """Count the board as it stands: all stones are alive."""
        points = self._game.score(self._history[-1])
        return "0" if points == 0 else f"{'B' if points > 0 else 'W'}+{abs(points):g}"

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

    def _open(self) -> tuple[Go, Thinker]:
        game = Go(size=self._size, komi=self._komi, max_length=max(_LONGEST, 3 * self._size**2))
        return game, self._make_thinker(game)

    def _begin(self) -> None:
        self._game, self._thinker = self._open()
        self._history: list[GoWorld] = [self._game.initial_world()]

    def _turn_to(self, player: int) -> GoWorld:
        """Return the present position with a player to move."""
        world = self._history[-1]
        if int(world.facts[TO_PLAY]) == player:
            return world
        return _changed(world, {TO_PLAY: player, PASSES: 0})

    def _play(self, player: int, action: int) -> None:
        world = self._turn_to(player)
        if self._game.actor(world) == TERMINAL:
            world = _reopened(world)
        if self._game.actor(world) == TERMINAL or action not in self._game.legal_actions(world):
            raise InputError("illegal move")
        self._history.append(self._game.apply(world, action))

    def _limits(self, player: int) -> Limits:
        """Return when to stop, by the clock if there is one."""
        usual = Limits(self._thinker.settings.simulations)
        if player in self._left:
            seconds, stones = self._left[player]
            return Limits(MOST_SIMULATIONS, seconds / max(1, stones or _MOVES_LEFT))
        if self._times:
            main, extra, stones_each = self._times
            if extra > 0 and stones_each == 0:
                return usual  # the protocol's way to say that there is no limit
            overtime = extra / stones_each if stones_each else 0.0
            return Limits(MOST_SIMULATIONS, max(main / _MOVES_LEFT, 0.9 * overtime))
        return usual


def _reopened(world: GoWorld) -> GoWorld:
    """Return a position after two passes as if nobody had passed: other programs may play on."""
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


def _number(words: list[str], place: int, what: str) -> float:
    try:
        number = float(words[place])
        if not abs(number) < 1e6:
            raise ValueError
    except (IndexError, ValueError):
        raise InputError(f"syntax error: {what} wanted") from None
    return number
