"""Values before the river by a network, and by solving all rivers: `python -m benchmarks.teh_values AGENT`.

The states are all leaves with more to bet of turn searches of games that training would draw, under the
average ranges of the search. Errors are in pots, hands weighed by how likely they come there.
"""

import sys

import numpy as np

from sog.core.arrays import F64
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.cards import board_name
from sog.games.holdem.teh import make_teh
from sog.nets.agents import load_agent
from sog.poker.composed import Stops
from sog.poker.river_stops import ask_stops
from sog.poker.streets import Level, Street
from sog.poker.teh_agent import SpotEvaluation, network_of_agent
from sog.poker.turn_boards import NUM_LEFT, NUM_RIVERS
from sog.poker.turn_search import CARDS_TO_COME, TurnSearch

FIRST_SEED, SPOTS, RIVER = 1_000, 8, 300


def main(name: str) -> None:
    network, seed = network_of_agent(load_agent(name)), FIRST_SEED
    lines: list[tuple[float, ...]] = []
    print(f"{'board, stack':30} states    Huber   MAE (checking down: MAE), pots")
    while len(lines) < SPOTS:
        spot, seed = make_teh(seed=seed), seed + 1
        evaluation = SpotEvaluation(spot, 1)
        root = evaluation.play.root
        level = root.below[0].level
        if len(level.boards) < NUM_RIVERS:  # suits that are alike: rows stand for several hands
            continue
        search, values = evaluation.search(network, 100)
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
        unit = 2 * CARDS_TO_COME * search.in_chips(np.maximum(met, 1e-9))
        weights = beliefs.reach * met
        weights /= np.maximum(weights.sum(axis=0), 1e-30)
        errors = {"network": (asked - exact) / unit, "down": (down - exact) / unit}
        found = [
            (weights * measure)[:, :, search.live_leaves].sum(axis=0).mean()
            for measure in (
                errors["network"] ** 2 / 2,
                np.abs(errors["network"]),
                np.abs(errors["down"]),
            )
        ]
        lines.append((search.live_leaves.size, *found))
        title = f"{board_name(spot.board)}, {spot.betting.stack:,}"
        print(f"{title:30} {lines[-1][0]:6} {found[0]:9.5f} {found[1]:6.4f} ({found[2]:.4f})", flush=True)
    counts, *columns = np.array(lines).T
    means = [float((counts * column).sum() / counts.sum()) for column in columns]
    print(f"{'all':30} {int(counts.sum()):6} {means[0]:9.5f} {means[1]:6.4f} ({means[2]:.4f})")


def add_up(search: TurnSearch, street: Street, level: Level, stops: Stops) -> F64:
    """Return the sum over all rivers: [1128, 2, leaves of the search]."""
    place = np.zeros(street.layout.frontier.size, np.intp)
    place[search.numbers] = np.arange(search.numbers.size)
    found = np.zeros((NUM_LEFT, NUM_PLAYERS, search.numbers.size))
    for link, pair in zip(street.below, stops, strict=True):
        for number in range(len(level.boards)):
            for player in range(NUM_PLAYERS):
                rows, starts = level.rows[number][player], link.leaves.size
                first = int(level.lists[player].first_row[number]) * starts
                block = pair[player][first : first + starts * rows.size].reshape(starts, rows.size)
                hands = search.board.row_of(rows.hands)
                found[hands[:, None], player, place[link.leaves]] += block[:, rows.row].T
    return found


if __name__ == "__main__":
    main(sys.argv[1])
