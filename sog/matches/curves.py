"""Which players of a match are points of one curve: an agent with more simulations, a run after more steps.

One rule decides for the whole match. If two players are agents of one training run after different steps and
search alike, Elo is a function of training steps: a curve for each run and search. Otherwise, if two players
are the same agent and search alike but for the number of simulations, it is a function of simulations: a
curve for each agent and way to search, as in figure 4 of Student of Games. Whoever has a place on that axis
is on it, if need be as the only point of a curve; all others are not. If neither holds there is no axis.

Verified: tests/matches/test_curves.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sog.agents.making import name_method
from sog.agents.methods import parse_method
from sog.agents.specs import UNTRAINED, USUAL_METHOD, AgentSpec
from sog.matches.players import Player
from sog.nets.agents import RUN_FILE, SNAPSHOTS, load_agent
from sog.search.analysis import Method
from sog.search.puct import PuctSettings

STEPS, SIMULATIONS = "training steps", "simulations of each search"


class Curve(NamedTuple):
    """Players who differ in one number only."""

    who: str  # an agent, or a training run
    how: str  # it searches
    places: dict[str, int]  # by name of player, each at another place


class Arrangement(NamedTuple):
    """How a match can be drawn."""

    axis: str | None  # STEPS, SIMULATIONS, or nothing that players differ in
    curves: list[Curve]
    others: list[str]  # names of players who are on no curve


class _Place(NamedTuple):
    who: str
    how: str
    at: int


def arrange(players: Sequence[Player]) -> Arrangement:
    """Return the curves of a match's players."""
    for axis, find_place in ((STEPS, _by_steps), (SIMULATIONS, _by_simulations)):
        arrangement = _gather(axis, players, find_place)
        if any(len(curve.places) > 1 for curve in arrangement.curves):
            return arrangement
    return Arrangement(None, [], [player.name for player in players])


def _gather(
    axis: str, players: Sequence[Player], find_place: Callable[[AgentSpec], _Place | None]
) -> Arrangement:
    """Put everybody where they belong; a player whose place is taken belongs to the others."""
    curves: dict[tuple[str, str], Curve] = {}
    others = []
    for player in players:
        place = find_place(player.spec) if isinstance(player.spec, AgentSpec) else None
        if place is None:
            others.append(player.name)
            continue
        curve = curves.setdefault((place.who, place.how), Curve(place.who, place.how, {}))
        if place.at in curve.places.values():
            others.append(player.name)
        else:
            curve.places[player.name] = place.at
    return Arrangement(axis, list(curves.values()), others)


def _by_steps(spec: AgentSpec) -> _Place | None:
    run = _find_run(spec.agent)
    if run is None:
        return None
    return _Place(str(run), name_method(_method_of(spec)), load_agent(spec.agent).steps)


def _by_simulations(spec: AgentSpec) -> _Place:
    method = _method_of(spec)
    return _Place(spec.agent, _way(method), method.simulations)


def _method_of(spec: AgentSpec) -> Method:
    return parse_method(USUAL_METHOD) if spec.method is None else spec.method


def _find_run(agent: str) -> Path | None:
    """Return the training run that an agent comes from, if it is still in the run's folder."""
    path = Path(agent)
    if agent == UNTRAINED:
        return None
    if path.parent.name == SNAPSHOTS and path.is_file():
        return path.parent.parent
    if path.name == RUN_FILE and path.is_file():
        return path.parent
    return path if (path / RUN_FILE).is_file() else None


def _way(method: Method) -> str:
    """Return everything about a search but how many simulations it has."""
    if isinstance(method, PuctSettings):
        return "MCTS" if method.batch == 1 else f"MCTS, {method.batch} a call"
    schedule = replace(method, simulations=1).name  # SoG(1,c)
    return f"GT-CFR, c = {schedule.partition(',')[2].removesuffix(')')}"
