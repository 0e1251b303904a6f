"""Opponents that search at each of their turns: `mcts:1000`, `is-mcts(simulations=1000,final=visits)`.

`NAME:N` is short for `NAME(simulations=N)`.

Verified: tests/interfaces/test_searching_opponents.py.
"""

import re
from dataclasses import dataclass, fields
from random import Random

from sog.core.errors import InputError
from sog.core.spec import parse_spec
from sog.games.base import CHANCE, NUM_PLAYERS, AnyGame
from sog.games.parameters import choice, shorten, whole_number
from sog.interfaces.opponents import Position
from sog.public.enumeration import Enumeration
from sog.search.is_mcts import FINAL_RULES, MAX_VISITS, IsMcts
from sog.search.mcts import Mcts

_SHORT = re.compile(r"([\w-]+):(\d+)")
_MAX_SEED = 2**63 - 1


@dataclass(frozen=True)
class MctsSettings:
    """How an opponent in a game of perfect information searches."""

    simulations: int = 1000
    exploration: float | None = None  # C in units of utility; None: as wide as utilities range
    solve: bool = True  # carry ends of the game upwards as proofs


@dataclass(frozen=True)
class IsMctsSettings:
    """How an opponent in a game of imperfect information searches."""

    simulations: int = 10_000
    exploration: float | None = None  # C in units of utility; None: the largest utility
    final: str = MAX_VISITS  # one of FINAL_RULES


SEARCHES: dict[str, type[MctsSettings] | type[IsMctsSettings]] = {
    "mcts": MctsSettings,
    "is-mcts": IsMctsSettings,
}
_MOST_SIMULATIONS = {"mcts": 1_000_000, "is-mcts": 100_000_000}  # mcts keeps every world it has met
_MOST_EXPLORATION = 1e9


def parse_search(text: str) -> MctsSettings | IsMctsSettings | None:
    """Return the settings of the search that `text` names; `None` if it begins with no search's name.

    >>> parse_search("mcts:500")
    MctsSettings(simulations=500, exploration=None, solve=True)
    >>> parse_search("leduc.npz")
    """
    name = re.split(r"[:(]", text, maxsplit=1)[0].strip()
    if name not in SEARCHES:
        return None
    short = _SHORT.fullmatch(text.strip())
    if ":" in text and not short:
        raise InputError(f"cannot read the opponent {shorten(text)}: write {name}:N or {name}(key=value,...)")
    options = {"simulations": int(short[2][:19])} if short else parse_spec(text, "opponent")[1]
    known = [field.name for field in fields(SEARCHES[name])]
    for key, value in options.items():
        if key not in known:
            raise InputError(f"{name} has no option {key!r} (its options: {', '.join(known)})")
        _check_option(name, key, value)
    return SEARCHES[name](**options)


def _check_option(name: str, key: str, value: object) -> None:
    if key == "simulations":
        whole_number(name, key, value, 1, _MOST_SIMULATIONS[name])
    elif key == "final":
        choice(name, key, value, FINAL_RULES)
    elif key == "solve":
        if not isinstance(value, bool):
            raise InputError(f"{name}: solve must be True or False, not {shorten(value)}")
    elif isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _MOST_EXPLORATION:
        limit = f"{_MOST_EXPLORATION:g}"
        raise InputError(f"{name}: {key} must be a number from 0 to {limit}, not {shorten(value)}")


class MctsOpponent:
    """Searches the world it is in, which everybody sees."""

    def __init__(self, game: AnyGame, settings: MctsSettings) -> None:
        self._game, self._simulations = game, settings.simulations
        self._search = Mcts(game, settings.exploration, settings.solve)
        self._world = game.initial_world()
        self._warm_up()

    def choose(self, num_moves: int, random: Random) -> int:
        """Return the move that a search finds best."""
        actions = self._game.legal_actions(self._world)
        assert len(actions) == num_moves
        return actions.index(
            self._search.choose(self._world, self._simulations, random.randint(0, _MAX_SEED))
        )

    def note(self, move: int) -> None:
        """Follow a move into the world it leads to."""
        self._world = self._game.apply(self._world, self._game.moves(self._world)[move])

    def _warm_up(self) -> None:
        """Compile or load the kernels before the game begins."""
        game, world = self._game, self._world
        while game.actor(world) == CHANCE:
            world = game.apply(world, game.moves(world)[0])
        if game.actor(world) < NUM_PLAYERS:
            self._search.run(world, 2, 0)


class IsMctsOpponent:
    """Searches the infostate it is in, and forgets what it found."""

    def __init__(self, whole: Enumeration, settings: IsMctsSettings) -> None:
        self._position, self._settings = Position(whole), settings
        given = settings.exploration
        self._exploration = whole.store.facts.max_utility if given is None else given
        self._search = IsMcts(whole)
        first = range(min(1, self._search.num_infostates))
        self._search.run(1, self._exploration, 0, first)  # compiles or loads the kernels

    def choose(self, num_moves: int, random: Random) -> int:
        """Draw a move from what a search says by its final rule."""
        slots = self._position.slots()
        assert slots.size == num_moves
        player = self._position.player
        index = self._search.index_of(player, int(slots[0]))
        if index is None:
            return 0
        findings = self._search.run(
            self._settings.simulations, self._exploration, random.randint(0, _MAX_SEED), [index]
        )
        probabilities = self._search.policy(findings, self._settings.final)[player][slots]
        return random.choices(range(num_moves), probabilities.tolist())[0]

    def note(self, move: int) -> None:
        """Follow a move into the public state it leads to."""
        self._position.note(move)
