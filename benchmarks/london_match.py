"""A trained agent against PimBot in London, many games side by side.

`python -m benchmarks.london_match AGENT SEARCH PIMBOT GAMES [SEED]`, such as `runs/london 1,0.02 1000 100`:
every draw of stations is played twice, with roles swapped. The agent re-solves as in play; all its searches
run in one batch, each of which finds what it would find alone.
"""

import sys
from dataclasses import dataclass, field

import numpy as np

from sog.evaluation.shares import wilson
from sog.games.base import CHANCE, TERMINAL
from sog.games.scotland_yard.game import ScotlandYard
from sog.games.scotland_yard.pimbot import PimBot, parse_pimbot
from sog.games.scotland_yard.view import stations_of
from sog.nets.agents import load_agent, make_network_evaluator
from sog.public.evaluator import Evaluator
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.gtcfr import Searcher
from sog.search.resolving import next_task
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings, parse_search
from sog.training.config import SELF_PLAY_SEARCH

GAME = ScotlandYard("london")


@dataclass
class _Game:
    """One game under way; the agent plays one seat."""

    seat: int
    rng: np.random.Generator
    node: int = ROOT
    rows: tuple[int, int] = (0, 0)
    last: SearchResult | None = field(default=None)


def play_match(
    evaluator: Evaluator | None, settings: SearchSettings, bot: PimBot, games: int, seed: int
) -> list[list[bool]]:
    """Return whether the agent won, by its seat and by the draw of stations."""
    store = open_store(GAME)
    searcher = Searcher(store, evaluator, settings)
    playing = [
        _Game(number % 2, np.random.default_rng([seed, number // 2])) for number in range(games // 2 * 2)
    ]
    while waiting := [game for game in playing if _reach_turn(store, game, bot)]:
        tasks = [next_task(store, game.last, game.node, game.seat, settings.is_safe) for game in waiting]
        seeds = [int(game.rng.integers(2**62)) for game in waiting]
        for game, result in zip(waiting, searcher.search_many(tasks, seeds), strict=True):
            game.last, row = result, game.rows[game.seat]
            policy = result.policy[: int(store.legal(game.node)[row]), row]
            move = int(game.rng.choice(policy.size, p=policy / policy.sum()))
            game.node, game.rows = store.follow(game.node, game.rows, move, game.rng)
    won = [(store.utility(game.node, game.rows) > 0) == (game.seat == 0) for game in playing]
    return [won[0::2], won[1::2]]


def _reach_turn(store: StateStore, game: _Game, bot: PimBot) -> bool:
    """Let chance and PimBot move until it is the agent's turn; return False at the end of the game."""
    while (actor := store.actor(game.node)) != game.seat:
        if actor == TERMINAL:
            return False
        move = 0
        if actor != CHANCE:
            record = store.records[game.node]
            station = stations_of(record)[game.rows[0]] if actor == 0 else None
            move = bot.choose(record, station, int(game.rng.integers(2**62)))
        game.node, game.rows = store.follow(game.node, game.rows, move, game.rng)
    return True


def main(name: str, search: str, pimbot: str, games: int, seed: int) -> None:
    """Print the share of games that the agent wins, by role."""
    evaluator = None
    if name != "zero":
        evaluator = make_network_evaluator(load_agent(name), GAME)
    settings = parse_search(search, SELF_PLAY_SEARCH)
    won = play_match(evaluator, settings, PimBot(GAME, parse_pimbot(pimbot)), games, seed)
    parts = [
        f"{who} {100 * np.mean(own):.0f} %"
        for who, own in zip(("as Mr. X", "as detectives"), won, strict=True)
    ]
    total, count = int(np.sum(won)), sum(map(len, won))
    low, high = wilson(total, count)
    print(
        f"{name} {settings.name} against pimbot:{pimbot}: {100 * total / count:.1f} % of {count} games"
        f" ({100 * low:.0f} to {100 * high:.0f} %; {', '.join(parts)})",
        flush=True,
    )


if __name__ == "__main__":
    agent, how, opponent, number, *rest = sys.argv[1:]
    main(agent, how, opponent, int(number), int(rest[0]) if rest else 0)
