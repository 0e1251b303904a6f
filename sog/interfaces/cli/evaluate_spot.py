"""`sog evaluate AGENT --spot SPOT`: how exploitable an agent of hold'em is on one spot, exactly.

Verified: tests/interfaces/cli/test_evaluate_spot.py.
"""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.games.holdem.move_paths import add_bet, play_history
from sog.games.holdem.spot import Spot
from sog.interfaces.cli.holdem_solves import spot_title
from sog.interfaces.cli.holdem_spots import TEH, describe_spot, is_spot, spot_from_options
from sog.interfaces.cli.progress import counting, preparing
from sog.interfaces.cli.solving_arguments import SpotOptions
from sog.interfaces.output import SOLUTIONS, check_output, columns, print_json_list
from sog.nets.agents import Agent, find_snapshots, load_agent, read_agent
from sog.poker.teh_agent import (
    DEFAULT_SEARCH,
    UNIT,
    AnswerReport,
    SpotEvaluation,
    SpotReport,
    network_of_agent,
    parse_street_search,
)

_HEADER = ("search", UNIT, "% of the pot", "seconds", "of the turn")


class SpotQuestion(NamedTuple):
    """What is asked."""

    agent: str | None
    checkpoints: bool
    spot: str
    search: list[str] | None
    safe: str  # where stop values of rivers come from, see `StreetSearch.stops`
    algorithm: str  # of the turn's search, see the same
    off_tree: list[str]  # bets of the opponent that are not on the menu
    json: bool
    save: Path | None


class _Measured(NamedTuple):
    agent: Agent
    report: SpotReport
    answers: list[AnswerReport]


def measure_spot(question: SpotQuestion) -> int:
    """Measure every agent with every search; print, and save what was played last."""
    check_output("--save", question.save, SOLUTIONS)
    agents, spot = _find_agents(question), _read_spot(question.spot)
    searches = [
        replace(parse_street_search(text), stops=question.safe, algorithm=question.algorithm)
        for text in question.search or [DEFAULT_SEARCH]
    ]
    for moves in question.off_tree:
        _check_bet(spot, moves)
    networks = [network_of_agent(agent) for agent in agents]  # before anything is built: they may not fit
    with preparing("a minute"):
        evaluation = SpotEvaluation(spot)
    measured = []
    with counting("measuring", "searches", len(agents) * len(searches)) as note:
        for agent, network in zip(agents, networks, strict=True):
            for how in searches:
                report = evaluation.report(network, how)
                answers = [evaluation.answer(moves, how.river) for moves in question.off_tree]
                measured.append(_Measured(agent, report, answers))
                note()
    if question.save is not None:
        evaluation.play.save(question.save, describe_spot(spot))
    _print(question, spot, measured)
    return 0


def _find_agents(question: SpotQuestion) -> list[Agent]:
    if question.agent is None:
        raise InputError("--spot measures an agent: sog evaluate AGENT --spot SPOT")
    if question.checkpoints:
        return [read_agent(path) for path in find_snapshots(Path(question.agent))]
    return [load_agent(question.agent)]


def _read_spot(text: str) -> Spot:
    if not is_spot(text) or text.partition("(")[0].strip() != TEH:
        raise InputError(f"--spot: agents are measured on {TEH}, such as teh(seed=7), not on {text[:80]!r}")
    return spot_from_options(text, SpotOptions())


def _check_bet(spot: Spot, moves: str) -> None:
    """Refuse what is no bet on the turn, before anything is searched."""
    try:
        play_history(spot.betting, moves.rpartition(",")[0])
        add_bet(spot.sizes, spot.betting, moves)
    except InputError as error:
        raise InputError(f"--off-tree: {error}") from None


def _figures(question: SpotQuestion, measured: _Measured) -> dict[str, Any]:
    agent, report, answers = measured
    return {
        "steps": agent.steps,
        "spot": question.spot,
        "search": report.search.name,
        "exploitability": {"mean": report.exploitability, "unit": UNIT},
        "percent_of_pot": report.percent_of_pot,
        "seconds": report.seconds,
        "turn_seconds": report.turn_seconds,
        **({"off_tree": [asdict(answer) for answer in answers]} if answers else {}),
    }


def _print(question: SpotQuestion, spot: Spot, measured: list[_Measured]) -> None:
    if question.json:
        print_json_list([_figures(question, each) for each in measured])
        return
    rows = [(*(("steps",) if question.checkpoints else ()), *_HEADER)]
    for agent, report, _ in measured:
        steps = (f"{agent.steps:,}",) if question.checkpoints else ()
        times = f"{report.seconds:.3g}", f"{report.turn_seconds:.3g}"
        figures = f"{report.exploitability:.4g}", f"{report.percent_of_pot:.3g}", *times
        rows.append((*steps, report.search.name, *figures))
    who = "networks on the way" if question.checkpoints else f"network of {measured[0].agent.steps:,} steps"
    title = f"{spot_title(spot)}, {who}: exploitability"
    print("\n".join([title, *(f"  {line}" for line in columns(rows, gap=3))]))
    if question.off_tree:
        rows = [("bet", "search", "iterations", f"{UNIT} gained", "at most", "seconds")]
        for _, report, answers in measured:
            rows += [
                (
                    answer.moves,
                    report.search.name,
                    f"{answer.iterations:,}",
                    f"{answer.gain:.3g}",
                    f"{answer.bound:.3g}",
                    f"{answer.seconds:.3g}",
                )
                for answer in answers
            ]
        title = "bets that are not on the menu, answered by a safe solve of turn and river"
        print("\n".join([title, *(f"  {line}" for line in columns(rows, gap=3))]))
