"""Histories of a game with what they look like to the players, by enumeration and by chance."""

import random
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL, AnyGame


class Trace(NamedTuple):
    """A history: where it leads and what was seen on the way."""

    world: Any
    length: int
    public: Hashable  # the sequence of public observations
    known: tuple[Hashable, Hashable]  # each player's sequence of observations and own actions
    chance: float


class Sizes(NamedTuple):
    histories: int
    terminals: int
    infostates: tuple[int, int]  # in which the player acts
    public_decisions: int
    public_terminals: int


def start(game: AnyGame) -> Trace:
    return Trace(game.initial_world(), 0, (), ((), ()), 1.0)


def follow(game: AnyGame, trace: Trace, action: int, chance: float = 1.0) -> Trace:
    before, actor = trace.world, game.actor(trace.world)
    after = game.apply(before, action)
    public = game.public_observation(before, action, after)
    known: list[Hashable] = []
    for player in range(NUM_PLAYERS):
        private = game.private_observation(player, before, action, after)
        known.append((trace.known[player], public, private, action if actor == player else None))
    return Trace(after, trace.length + 1, (trace.public, public), (known[0], known[1]), trace.chance * chance)


def moves(game: AnyGame, world: Any) -> list[tuple[int, float]]:
    """Return what can happen next, with chance's probabilities (1 for a player's actions)."""
    actor = game.actor(world)
    if actor == TERMINAL:
        return []
    if actor == CHANCE:
        return list(game.chance_outcomes(world))
    return [(action, 1.0) for action in game.legal_actions(world)]


def histories(game: AnyGame) -> Iterator[Trace]:
    """Yield every history, the root and the terminal ones included."""
    stack = [start(game)]
    while stack:
        trace = stack.pop()
        yield trace
        stack += [follow(game, trace, action, chance) for action, chance in moves(game, trace.world)]


def random_play(game: AnyGame, rng: random.Random) -> Iterator[Trace]:
    """Yield the histories along one play, moves uniformly drawn."""
    trace = start(game)
    yield trace
    while options := moves(game, trace.world):
        trace = follow(game, trace, *rng.choice(options))
        yield trace


def sizes(game: AnyGame) -> Sizes:
    num_histories = num_terminals = 0
    infostates: tuple[set[Hashable], set[Hashable]] = (set(), set())
    publics: tuple[set[Hashable], set[Hashable]] = (set(), set())  # decisions, terminals
    for trace in histories(game):
        num_histories += 1
        actor = game.actor(trace.world)
        if actor == TERMINAL:
            num_terminals += 1
            publics[1].add(trace.public)
        elif actor != CHANCE:
            infostates[actor].add(trace.known[actor])
            publics[0].add(trace.public)
    counts = len(infostates[0]), len(infostates[1])
    return Sizes(num_histories, num_terminals, counts, len(publics[0]), len(publics[1]))
