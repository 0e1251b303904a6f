"""A person at the terminal against a bot: what is shown, what may be typed, and the end.

The person is shown what the seat may see. For a hint, a second bot of the opponent's kind is told all that
the person knows.

Verified: tests/interfaces/cli/test_play_command.py.
"""

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

from sog.agents.bot import RESIGNS, Bot
from sog.agents.seated import UniformBot
from sog.agents.table import Table
from sog.core.errors import InputError
from sog.games.base import CHANCE, NUM_PLAYERS
from sog.games.picture import History
from sog.interfaces.cli.move_reader import Choices, list_choices, read_move
from sog.interfaces.cli.opponents import Opponent
from sog.interfaces.cli.saved_game import SavedGame, save_game
from sog.interfaces.cli.terminal import render
from sog.interfaces.output import columns

_WIDTH = 88
_MOST_HINTED = 8  # moves
_HELP = (
    ("a move", "its name, the beginning of it, or its number where moves have one"),
    ("moves", "list all moves"),
    ("board", "show the game again"),
    ("hint", "what your opponent would play in your place"),
    ("undo", "take your last move back"),
    ("save FILE", "write the game down; sog play --replay FILE goes on with it"),
    ("quit", "leave the table"),
)


class QuitError(Exception):
    """The person has had enough."""


def ask_at_terminal(prompt: str) -> str:
    """Read a line; `input` would write its prompt to standard error. What comes from a pipe is shown."""
    print(prompt, end="", flush=True)
    answer = input()
    if not sys.stdin.isatty():
        print(answer)
    return answer


class PlaySession:
    """One game, with moves taken back perhaps."""

    def __init__(
        self,
        saved: SavedGame,
        opponent: Opponent,
        seed: int,
        is_coloured: bool,
        say: Callable[[str], None] = print,
        ask: Callable[[str], str] = ask_at_terminal,
        keep_picture: Callable[[History, int], None] | None = None,
    ) -> None:
        """keep_picture: is told how the game stands, and the person's seat, whenever that has changed."""
        self._game, self._seat = saved.game, saved.seat
        self._opponent = opponent
        self._advisor: Bot | None = None  # until it is asked
        self._seed, self._is_coloured, self._say, self._ask = seed, is_coloured, say, ask
        self._commands: dict[str, Callable[[str], None]] = {
            "?": self._help, "help": self._help, "moves": self._list_moves, "board": self._show,
            "hint": self._hint, "undo": self._undo, "save": self._save, "quit": _quit, "exit": _quit,
            "q": _quit,
        }  # fmt: skip
        self._keep_picture = keep_picture or (lambda history, seat: None)
        self._sit_down(saved.actions)

    def _sit_down(self, actions: list[int]) -> None:
        """Begin, with moves that were made already."""
        self._table = self._seat_bots(UniformBot(), self._opponent.bot, actions)

    def _seat_bots(self, own: Bot, other: Bot, actions: list[int]) -> Table:
        """Return a table after some moves, which bots in the person's seat and in the other are told."""
        bots = (own, other) if self._seat == 0 else (other, own)
        return Table(self._game, bots, self._seed, opening=actions)

    @property
    def history(self) -> History:
        """The game as far as it has gone."""
        return History(self._table.play.worlds, self._table.play.actions)

    def close(self) -> None:
        """Let the bots go."""
        for bot in (self._opponent.bot, self._advisor):
            if bot is not None:
                bot.close()

    def replay(self, steps: bool) -> None:
        """Show the game from its start, a move at a time if asked to."""
        play = self._table.play
        for count in range(1, len(play.actions) + 1):
            history = History(play.worlds[: count + 1], play.actions[:count])
            self._say(self._tell(count - 1))
            self._draw(history)
            self._keep_picture(history, self._seat)
            if steps and self._ask("Enter for the next move: ").strip().lower() in ("q", "quit", "exit"):
                raise QuitError

    def play(self) -> None:
        """Play to the end and say how it went."""
        while not self._table.is_over:
            self._keep_picture(self.history, self._seat)
            if self._table.play.turn == self._seat:
                self._take_turn()
            elif self._table.step(self._opponent.limits) == RESIGNS:
                self._say("\nYour opponent resigns.")
                return
            else:
                self._say(self._tell(len(self._table.play.actions) - 1))
        self._keep_picture(self.history, self._seat)
        self._tell_end()

    def _take_turn(self) -> None:
        """Read until there is a move or the game is another one."""
        self._say("")
        self._show("")
        table, choices = self._table, self._choices()
        for line in choices.told():
            self._say(line)
        while self._table is table:
            answer = self._ask("Your move (? for help): ").strip()
            found = self._read(choices, answer)
            if isinstance(found, int):
                table.add(self._game.legal_actions(table.play.world)[found])
                self._say(self._tell(len(table.play.actions) - 1))
                return
            if found:
                self._say(found)

    def _read(self, choices: Choices, answer: str) -> int | str:
        """Return a move, or what to say instead; a command is carried out."""
        word, _, rest = answer.partition(" ")
        command = self._commands.get(word.lower())
        if command is None or answer in choices.names:
            return read_move(self._game, self._table.play.world, choices, answer)
        try:
            command(rest.strip())
        except InputError as error:
            return str(error)
        return ""

    def _choices(self) -> Choices:
        return list_choices(self._game, self._table.play.world)

    def _show(self, rest: str) -> None:
        self._draw(self.history)

    def _draw(self, history: History) -> None:
        self._say(render(self._game.show(history, self._seat), self._is_coloured))

    def _help(self, rest: str) -> None:
        self._say("\n".join(columns([list(row) for row in _HELP])))

    def _list_moves(self, rest: str) -> None:
        self._say("\n".join(self._choices().table()))

    def _hint(self, rest: str) -> None:
        """Say what a bot thinks that is told what the person knows."""
        if self._advisor is None:
            self._advisor = self._opponent.make_another()
        game, play = self._game, self._table.play
        self._seat_bots(self._advisor, UniformBot(), play.actions)
        legal = [game.action_name(play.world, action) for action in game.legal_actions(play.world)]
        self._advisor.act(legal, self._opponent.limits)
        thought = self._advisor.explain()
        names, policy = self._choices().names, thought.policy
        order = sorted(range(len(names)), key=lambda move: -policy[move])[:_MOST_HINTED]
        told = ", ".join(f"{names[move]} {policy[move]:.0%}" for move in order if policy[move] >= 0.005)
        value = "" if thought.value is None else f"   It expects {thought.value:+.3g} for you."
        self._say(f"Your opponent would play {told}.{value}")

    def _undo(self, rest: str) -> None:
        """Go back to the person's last turn before this one."""
        play = self._table.play
        turns = [
            number for number, world in enumerate(play.worlds[:-1]) if self._game.actor(world) == self._seat
        ]
        if not turns:
            raise InputError("There is no move of yours to take back.")
        self._say(f"You take back {self._names()[turns[-1]]}.")
        self._sit_down(play.actions[: turns[-1]])

    def _save(self, rest: str) -> None:
        if not rest:
            raise InputError("Say where: save FILE.")
        path = Path(rest).expanduser()
        if path.exists():
            raise InputError(f"{rest} is there already: choose another name.")
        save_game(path, SavedGame(self._game, self._seat, self._table.play.actions))
        self._say(f"Saved: sog play --replay {rest}")

    def _names(self) -> list[str]:
        """Return the names of all moves so far."""
        play, notation = self._table.play, self._game.notation
        return [
            notation.name(world, action) if self._game.actor(world) < NUM_PLAYERS else name
            for world, action, name in zip(play.worlds, play.actions, play.names, strict=False)
        ]

    def _tell(self, number: int) -> str:
        """Return what the person sees of a move."""
        game, play = self._game, self._table.play
        before, action, after = play.worlds[number], play.actions[number], play.worlds[number + 1]
        actor = game.actor(before)
        public = game.public_observation(before, action, after)
        private = game.private_observation(self._seat, before, action, after)
        if public is None:  # a dark game: the person may not even notice that there was a move
            return f"you: {game.notation.name(before, action)}" if actor == self._seat else ""
        name = game.action_name(before, action)
        shown = game.notation.name(before, action) if name == public or actor == self._seat else str(public)
        return f"{self._who(actor)}: {shown}" + ("" if private is None else f" (you see {private})")

    def _tell_end(self) -> None:
        """Say who has won, and what was hidden before."""
        game, play = self._game, self._table.play
        self._say("")
        if game.info.is_perfect_information:
            self._show("")
            self._say("The game is over. What happened:")
            self._say(
                textwrap.fill(" ".join(self._names()), _WIDTH, initial_indent="  ", subsequent_indent="  ")
            )
        else:
            self._say("The game is over. What happened:")
            actors = [self._who(game.actor(world)) for world in play.worlds[:-1]]
            for actor, name in zip(actors, self._names(), strict=True):
                self._say(f"  {actor}: {name}")
        utility = game.returns(play.world)[self._seat]
        reason = game.notation.reason(play.world)
        why = f" ({reason})" if reason != game.notation.no_reason else ""
        if utility == 0:
            self._say(f"A draw{why}: neither player wins anything.")
        else:
            self._say(f"You {'win' if utility > 0 else 'lose'} {abs(utility):g}{why}.")

    def _who(self, actor: int) -> str:
        if actor == CHANCE:
            return "chance"
        return "you" if actor == self._seat else "opponent"


def _quit(rest: str) -> None:
    raise QuitError
