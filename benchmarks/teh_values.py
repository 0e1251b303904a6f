"""Validation of an agent of turn endgame hold'em on spots that it was not trained on.

`python -m benchmarks.teh_values AGENT [--states 200] [--starts N] [--save FILE.json]` draws games as training
does and searches their turns. It compares what the network says before the river with exact solves of all
rivers, under the average ranges of the search, for all leaves with more to bet; takes the exact
exploitability of the search and these rivers; and, on the first N spots, compares what hands win at the start
of the turn with an exact solve of the whole spot. Errors are in pots; before the river hands are weighed by
how likely they come there. With `--save` spots that are in the file are not measured again.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from sog.core.arrays import F64
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.betting import pot_size
from sog.games.holdem.cards import board_name
from sog.games.holdem.spot import Spot
from sog.games.holdem.teh import make_teh
from sog.nets.agents import load_agent
from sog.nets.ladder_forward import LadderForward
from sog.poker.composed import Stops
from sog.poker.regret_storage import Sums
from sog.poker.river_stops import ask_stops
from sog.poker.spot_solver import SpotSolver
from sog.poker.streets import Level, Street
from sog.poker.teh_agent import SpotEvaluation, network_of_agent
from sog.poker.turn_boards import NUM_LEFT, NUM_RIVERS
from sog.poker.turn_search import TurnSearch

FIRST_SEED, STATES, TURN, RIVER, EXACT = 1_000, 200, 100, 300, 150
COLUMNS = "states", "huber", "error", "down", "percent", "start"


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.teh_values")
    parser.add_argument("agent", nargs="?", default="teh")
    parser.add_argument("--states", type=int, default=STATES, help="compared before the river, at least")
    parser.add_argument("--starts", type=int, default=0, help="spots whose turn is solved exactly as well")
    parser.add_argument("--save", type=Path, help="what was measured; a file that is there is gone on with")
    options = parser.parse_args(arguments)
    network, seed = network_of_agent(load_agent(options.agent)), FIRST_SEED
    rows = json.loads(options.save.read_text()) if options.save and options.save.exists() else []
    print(f"{'board, stack':22} states    Huber   MAE (checking down)  % of the pot   MAE at the start")
    shown = 0
    while sum(row["states"] for row in rows[:shown]) < options.states:
        if shown == len(rows):
            seed = rows[-1]["seed"] + 1 if rows else seed
            evaluation = SpotEvaluation(make_teh(seed=seed), 1)
            if len(evaluation.play.root.below[0].level.boards) < NUM_RIVERS:
                # Suits that are alike: rows stand for several hands.
                rows.append({"seed": seed, "name": "", **dict.fromkeys(COLUMNS, 0.0)})
            else:
                rows.append({"seed": seed, **measure(evaluation, network, shown < options.starts)})
            if options.save is not None:
                options.save.write_text(json.dumps(rows))
        if rows[shown]["states"]:
            print_row(rows[shown]["name"], rows[shown])
        shown += 1
    print_row("all", sum_up([row for row in rows[:shown] if row["states"]]))


def measure(evaluation: SpotEvaluation, network: LadderForward, has_start: bool) -> dict[str, Any]:
    """Return a line of the table; a start that is not measured is -1."""
    spot, root = evaluation.spot, evaluation.play.root
    level = root.below[0].level
    search, values = evaluation.search(network, TURN)
    evaluation.play.take_turn(search.level, (search.sums[0].average, search.sums[1].average))
    beliefs = search.average_beliefs()
    beside = values.river_by_river(search.live(beliefs))
    evaluation.play.solve_rivers(RIVER)
    exact, asked, down = (
        add_up(search, root.street, level, stops)
        for stops in (
            evaluation.play.river_values(),
            ask_stops(search, root.street, level, beside),
            ask_stops(search, root.street, level, None),
        )
    )
    met = search.board.meet(beliefs.reach.reshape(NUM_LEFT, -1))[0].reshape(beliefs.reach.shape)[:, ::-1]
    unit = 2 * search.board.runouts * search.in_chips(np.maximum(met, 1e-9))
    weights = beliefs.reach * met
    weights /= np.maximum(weights.sum(axis=0), 1e-30)
    error = (asked - exact) / unit
    found = [
        float((weights * part)[:, :, search.live_leaves].sum(axis=0).mean())
        for part in (error**2 / 2, np.abs(error), np.abs((down - exact) / unit))
    ]
    percent = 100 * evaluation.play.exploitability() / pot_size(spot.betting)
    start = compare_start(spot, search) if has_start else -1.0
    name = f"{board_name(spot.board)}, {spot.betting.stack:,}"
    figures = dict(zip(COLUMNS, (search.live_leaves.size, *found, percent, start), strict=True))
    return {"name": name, **figures}


def compare_start(spot: Spot, search: TurnSearch) -> float:
    """Return the mean error of what hands win at the start of the turn, in pots; ranges are even."""
    play, solver = SpotEvaluation(spot, 1).play, SpotSolver(spot, threads=1)
    solver.advance(EXACT)
    first, second = solver.root.sums
    assert isinstance(first, Sums)
    assert isinstance(second, Sums)
    errors = []
    play.take_turn(solver.levels[0], (first.average, second.average))
    play.solve_rivers(RIVER)
    for player, own in enumerate(search.average_values()):
        exact = np.zeros_like(own)
        rows = play.levels[0].rows(0)[player]
        exact[rows.hands] = play.start_values(player)[rows.row]
        errors.append(np.abs(own - exact)[search.board.hands].mean())
    return float(np.mean(errors) * NUM_LEFT / pot_size(spot.betting))


def sum_up(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Return means, those of states weighed by their number."""
    counts = np.array([row["states"] for row in rows])
    means = {
        name: float((counts * [row[name] for row in rows]).sum() / counts.sum()) for name in COLUMNS[1:4]
    }
    starts = [row["start"] for row in rows if row["start"] >= 0]
    percent = float(np.mean([row["percent"] for row in rows]))
    return {
        "states": int(counts.sum()),
        **means,
        "percent": percent,
        "start": float(np.mean(starts)) if starts else -1.0,
    }


def print_row(name: str, row: dict[str, Any]) -> None:
    start = f"{row['start']:18.4f}" if row["start"] >= 0 else ""
    print(
        f"{name:22} {row['states']:6.0f} {row['huber']:8.5f} {row['error']:5.3f} ({row['down']:.3f})"
        f" {row['percent']:19.2f} {start}",
        flush=True,
    )


def add_up(search: TurnSearch, street: Street, level: Level, stops: Stops) -> F64:
    """Return the sum over all rivers: [1128, 2, leaves of the search]."""
    place = np.zeros(street.layout.frontier.size, np.intp)
    place[search.numbers] = np.arange(search.numbers.size)
    found = np.zeros((NUM_LEFT, NUM_PLAYERS, search.numbers.size))
    for link, pair in zip(street.below, stops, strict=True):
        for number in range(len(level.boards)):
            for player in range(NUM_PLAYERS):
                rows, starts = level.rows(number)[player], link.leaves.size
                first = int(level.lists[player].first_row[number]) * starts
                block = pair[player][first : first + starts * rows.size].reshape(starts, rows.size)
                hands = search.board.row_of(rows.hands)
                found[hands[:, None], player, place[link.leaves]] += block[:, rows.row].T
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
