"""Figure 2 of the ReBeL paper on turn endgame hold'em: exploitability by iterations of the turn's search.

`python -m benchmarks.teh LABEL=AGENT ... [--turns 12 25 50 100 200] [--river 300] [--plot FILE.png]` measures
tabular linear CFR, the same with its rivers thrown away and solved anew, and agents. Everything is exact.
With `--save FILE.json` what is in the file already is not measured again.
Without agents it says what a search of the turn costs, by depth of the stacks, what the network costs for
several searches side by side, and what a river costs: `python -m benchmarks teh`.
"""

import argparse
import cProfile
import json
import pstats
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from pathlib import Path

import numpy as np

from sog.core.rng import make_rng
from sog.games.base import NUM_PLAYERS
from sog.games.holdem.cards import NUM_HANDS
from sog.games.holdem.teh import make_teh
from sog.interfaces.plots.picture_file import write_figure
from sog.interfaces.plots.plot_style import add_legend, draw_curve, open_axes
from sog.nets.agents import load_agent
from sog.nets.ladder_forward import LadderForward
from sog.poker.composed import ComposedPlay
from sog.poker.regret_storage import Sums
from sog.poker.river_queries import list_rivers, make_plan, solve_rivers
from sog.poker.spot_solver import SpotSolver
from sog.poker.teh_agent import SpotEvaluation, StreetSearch, network_of_agent
from sog.poker.turn_boards import TurnBoard
from sog.poker.turn_search import TurnSearch, check_down

TURNS = [12, 25, 50, 100, 200]
CHIPS = 10  # thousandths of a big blind in a chip
DEPTHS = {2_000: 0.5, 10_000: 4.5, 20_000: 9.5}  # pots behind, by the stacks of the hand
SEARCHES = 16
QUERIES, BATCHES = 9 * 48, 30  # leaves with more to bet at 4.5 pots, rivers
RIVER_STACKS, RIVERS = (20_000, 6_600, 1_500), 8

Curve = list[tuple[float, float]]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("agents", nargs="*", metavar="LABEL=AGENT")
    parser.add_argument("--turns", nargs="+", type=int, default=TURNS)
    parser.add_argument("--river", type=int, default=300)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args(arguments or [])
    if not options.agents:
        print_times()
        return
    rows = json.loads(options.save.read_text()) if options.save and options.save.exists() else []
    for label, turn, measure in _questions(options.agents, sorted(options.turns), options.river):
        if not any(row[:3] == [label, turn, options.river] for row in rows):
            rows.append([label, turn, options.river, measure()])
            print(f"{label:40} {turn:5} iterations   {rows[-1][3]:8.1f} mbb/h", flush=True)
            if options.save is not None:
                options.save.write_text(json.dumps(rows))
    if options.plot is not None:
        curves: dict[str, Curve] = {}
        for label, turn, _, found in rows:
            curves.setdefault(label, []).append((turn, found))
        draw(curves, options.plot)


def _questions(
    agents: list[str], turns: list[int], river: int
) -> Iterator[tuple[str, int, Callable[[], float]]]:
    """Go through label, iterations on the turn, and what measures mbb a hand."""
    tabular = Tabular()
    for turn in turns:
        yield "tabular linear CFR", turn, partial(tabular.exploitability, turn)
        yield "its turn, rivers solved anew", turn, partial(tabular.solve_anew, turn, river)
    evaluation = SpotEvaluation(make_teh(), 1)
    for text in agents:
        label, _, name = text.partition("=")
        network = network_of_agent(load_agent(name))
        for turn in turns:
            yield label, turn, partial(_exploitability, evaluation, network, StreetSearch(turn, river))


def _exploitability(evaluation: SpotEvaluation, network: LadderForward, how: StreetSearch) -> float:
    return evaluation.report(network, how).exploitability


class Tabular:
    """Linear CFR on the whole tree."""

    def __init__(self) -> None:
        self._solver, self._play = SpotSolver(make_teh(), "lcfr", threads=1), ComposedPlay(make_teh(), 1)

    def exploitability(self, iterations: int) -> float:
        """Return mbb a hand."""
        self._solver.advance(iterations - self._solver.iterations)
        return CHIPS * self._solver.exploitability()

    def solve_anew(self, iterations: int, river: int) -> float:
        """Return the same with rivers thrown away."""
        self._solver.advance(iterations - self._solver.iterations)
        first, second = self._solver.root.sums
        assert isinstance(first, Sums)
        assert isinstance(second, Sums)
        self._play.take_turn(self._solver.levels[0], (first.average, second.average))
        self._play.solve_rivers(river)
        return CHIPS * self._play.exploitability()


def draw(curves: dict[str, Curve], path: Path) -> None:
    figure, axes = open_axes(
        "Turn endgame hold'em, 3s7hTdKs", "iterations on the turn", "exploitability, mbb/h"
    )
    for number, (label, points) in enumerate(curves.items()):
        draw_curve(axes, points, number, label)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter(lambda count, _: f"{count:,.0f}")
    axes.yaxis.set_major_formatter(lambda count, _: f"{count:,.0f}")
    axes.axhline(229, color="#606060", linewidth=1, linestyle=":")
    axes.annotate("ReBeL's network, as the paper reports", (turns_of(curves)[0], 235), fontsize=8)
    add_legend(axes)
    write_figure(figure, path)


def turns_of(curves: dict[str, Curve]) -> list[float]:
    return sorted({turn for points in curves.values() for turn, _ in points})


def print_times() -> None:
    """Print the CPU time of a search of the turn with the shipped agent, and where it goes."""
    network = network_of_agent(load_agent("teh"))
    print(
        "a search of the turn, 100 iterations, CPU-ms on one core, mean of 16; asked every time / every third"
    )
    for stack, depth in DEPTHS.items():
        evaluation, taken = SpotEvaluation(make_teh(stack=stack), 1), []
        for every in (1, 3):
            evaluation.search(network, 2, every)
            start = time.process_time()
            for _ in range(SEARCHES):
                evaluation.search(network, 100, every)
            taken.append(1e3 * (time.process_time() - start) / SEARCHES)
        print(f"  stacks of {depth:4} pots   {taken[0]:6.0f}   {taken[1]:6.0f}", flush=True)
    print_batches(network)
    print_rivers()
    evaluation = SpotEvaluation(make_teh(), 1)
    evaluation.search(network, 2)
    with cProfile.Profile(time.process_time) as profile:
        evaluation.search(network, 100)
    pstats.Stats(profile).sort_stats("tottime").print_stats(9)


def print_batches(network: LadderForward) -> None:
    """Print what a query costs by how many are asked at once: one search at 4.5 pots asks 432."""
    print("the network, microseconds a query, best of many:")
    for searches in (1, 4, SEARCHES):
        inputs, best = np.ones((searches * QUERIES, network.num_inputs), np.float32), inf
        for _ in range(BATCHES):
            start = time.perf_counter()
            network(inputs)
            best = min(best, time.perf_counter() - start)
        print(f"  {searches:2} searches side by side   {1e6 * best / len(inputs):6.2f}", flush=True)


def print_rivers() -> None:
    """Print the CPU time of a river, 150 iterations, its board's tables included."""
    print("a river, 150 iterations, CPU-ms, best of four; its betting laid out before / laid out anew")
    rng = make_rng(0)
    for stack in RIVER_STACKS:
        spot = make_teh(stack=stack)
        search = TurnSearch(spot, TurnBoard(spot.board, 2), check_down)
        leaf = max((leaf for leaf in search.leaves if not leaf.is_over), key=lambda leaf: leaf.depth)
        boards, best = search.board.rivers[:RIVERS], [inf, inf]
        ranges = rng.random((RIVERS, NUM_PLAYERS, NUM_HANDS))
        for _ in range(5):  # the first compiles
            start = time.process_time()
            solve_rivers(leaf.start, spot.sizes, list_rivers(boards), ranges, 150)
            solved = time.process_time()
            make_plan.cache_clear()
            make_plan(leaf.start, spot.sizes)
            known = 1e3 * (solved - start) / RIVERS
            best = [min(best[0], known), min(best[1], known + 1e3 * (time.process_time() - solved))]
        print(f"  stacks of {leaf.depth:4.2g} pots   {best[0]:6.1f}   {best[1]:6.1f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
