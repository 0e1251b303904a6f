"""Golden playthroughs: one play of each registered game in words, in tests/golden/playthroughs.

`python -m tests.games.playthroughs --write` writes them anew; the test replays them line by line.
"""

import argparse
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.games.registry import GAMES, load
from tests.games.walks import moves

FOLDER = Path(__file__).parents[1] / "golden" / "playthroughs"
ACTORS = {0: "player 0", 1: "player 1", CHANCE: "chance"}
NUM_PLAYS = 20
MAX_LINES = 250  # a golden file should be read
MOVE = "  moves:     "
VARIANTS = {"breakthrough": "breakthrough(rows=6,columns=4)", "go": "go(size=4)"}  # plays on fewer pages

Choose = Callable[[list[str]], str]


def render(game: AnyGame, choose: Choose) -> Iterator[str]:
    """Yield the lines of a play; `choose` picks one of the names of the possible moves."""
    info = game.info
    kind = "perfect" if info.is_perfect_information else "imperfect"
    yield f"{info.name}: {kind} information"
    yield f"{info.num_actions} actions, payoffs up to {info.max_utility:g}, at most {info.max_length} moves"
    world, number = game.initial_world(), 0
    while game.actor(world) != TERMINAL:
        number += 1
        options = {game.action_name(world, action): action for action, _ in moves(game, world)}
        yield ""
        yield f"{number}. {ACTORS[game.actor(world)]}"
        yield f"  world:     {world}"
        yield from _options(game, world)
        name = choose(list(options))
        yield MOVE + name
        after = game.apply(world, options[name])
        yield f"  all see:   {game.public_observation(world, options[name], after)}"
        for player in (0, 1):
            seen = game.private_observation(player, world, options[name], after)
            if seen is not None:
                yield f"  {player} sees:    {seen}"
        world = after
    yield ""
    yield f"end: {world}"
    yield "returns: {:g}, {:g}".format(*game.returns(world))


def _options(game: AnyGame, world: Any) -> Iterator[str]:
    if game.actor(world) == CHANCE:
        named = [f"{game.action_name(world, move)} ({chance:.4f})" for move, chance in moves(game, world)]
        yield f"  outcomes:  {', '.join(named)}"
    else:
        named = [game.action_name(world, move) for move, _ in moves(game, world)]
        yield f"  legal:     {', '.join(named)}"


def replay(game: AnyGame, text: str) -> list[str]:
    """Return the lines of the play that makes the moves in `text`."""
    made = iter([line.removeprefix(MOVE) for line in text.splitlines() if line.startswith(MOVE)])

    def choose(names: list[str]) -> str:
        name = next(made, names[0])
        return name if name in names else names[0]

    return list(render(game, choose))


def write() -> None:
    """Write the longest of some random plays of each game that is not too long."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in GAMES:
        game = load(VARIANTS.get(name, name))
        plays = [list(render(game, random.Random(seed).choice)) for seed in range(NUM_PLAYS)]
        lines = max((play for play in plays if len(play) <= MAX_LINES), key=len)
        (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", required=True)
    parser.parse_args()
    write()
