"""Agents of turn endgame hold'em: they search the turn with a network at its leaves, and solve every river.

How exploitable such an agent is on a spot is exact (`sog.poker.composed`), in thousandths of a big blind a
hand. Say how many iterations rivers had with every figure: of 60 alone they cost more than most networks.

Verified: tests/interfaces/cli/test_evaluate_spot.py.
"""

import time
from dataclasses import dataclass
from typing import Any

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import TURN
from sog.games.holdem.betting import pot_size
from sog.games.holdem.move_paths import add_bet
from sog.games.holdem.ranges import count_deals
from sog.games.holdem.spot import Spot
from sog.games.holdem.teh import make_teh
from sog.nets.agents import Agent
from sog.nets.ladder_forward import LadderForward
from sog.nets.spec import NetworkSpec
from sog.poker.average_values import AverageValues
from sog.poker.composed import ComposedPlay
from sog.poker.grafting import graft
from sog.poker.off_tree import answer_bet
from sog.poker.river_examples import SIZES, RiverBatchMaker
from sog.poker.river_stops import ask_stops
from sog.poker.river_values import RiverValues
from sog.poker.solved_spot import SolvedSpot
from sog.poker.teh_training import TehGenerator, check_config
from sog.poker.turn_boards import TurnBoard
from sog.poker.turn_search import TurnSearch
from sog.training.config import Config
from sog.training.context import Weights
from sog.training.queries import QueryTraining

UNIT = "mbb/h"
DEFAULT_SEARCH = "100,300"
_MOST_ITERATIONS = 1_000_000
UNSAFE = ""
CFR_AVE = "cfr-ave"
# Of the turn's search: in a hundred iterations at once it is steadier than the DCFR of self-play.
PLAYED_ALGORITHM = "cfr+(updates=simultaneous,gamma=2)"
_REBEL = {"cfr-d": "lcfr(updates=simultaneous)", CFR_AVE: "lcfr(updates=simultaneous)"}  # appendix E
ANSWER_ALGORITHM = "dcfr(gamma=3)"  # of bets that are not on the menu
_AVERAGED = 2.0  # weights of the usual algorithm's averages
# Share of the opponent's range that is its choice to enter: a network's stop values have errors, which steer
# that choice (docs/results.md).
NETWORK_MIX = 0.25
STOPS = NETWORK, SOLVED = "network", "solved"


@dataclass(frozen=True)
class StreetSearch:
    """Iterations on the turn and on every river."""

    turn: int
    river: int
    every: int = (
        1  # iterations of the turn for which a network's answers are used; about averages, if several
    )
    stops: str = UNSAFE  # where the stop values of rivers come from
    algorithm: str = ""  # of the turn: a variant of CFR, cfr-d or cfr-ave; none: the usual one

    @property
    def name(self) -> str:
        """As figures say it."""
        every = f",every({self.every})" if self.every > 1 else ""
        how = f",{self.algorithm}" if self.algorithm else ""
        safe = f",safe({self.stops})" if self.stops else ""
        return f"turn({self.turn}{how}),river({self.river}){every}{safe}"


@dataclass(frozen=True)
class SpotReport:
    """How exploitable an agent is on a spot."""

    search: StreetSearch
    exploitability: float  # mbb a hand
    percent_of_pot: float
    seconds: float  # of searching and solving
    turn_seconds: float  # of these, of searching the turn


@dataclass(frozen=True)
class AnswerReport:
    """What a bet that an agent does not know wins against its answer, an exact and safe solve."""

    moves: str  # that lead to the bet, and the bet
    iterations: int
    gain: float  # mbb a hand: what the opponent wins at best, less what it won at best without the bet
    bound: float  # what the gain may be at most
    seconds: float


def parse_street_search(text: str) -> StreetSearch:
    """Return iterations of turn and river, written `100,300`, or `100,300,2` to ask every second time.

    >>> parse_street_search("100,300,2").name
    'turn(100),river(300),every(2)'
    """
    parts = [part.strip() for part in text.split(",")]
    if not 2 <= len(parts) <= 3 or not all(map(_is_count, parts)):
        raise InputError(
            f"--search {text[:40]!r}: with --spot the iterations of the turn and of each river, such as"
            f" {DEFAULT_SEARCH}, and for how many of the turn's an answer of the network is used: 100,300,2"
        )
    turn, river, *every = map(int, parts)
    return StreetSearch(turn, river, every[0] if every else 1)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 0 < int(text) <= _MOST_ITERATIONS


def network_of(spec: NetworkSpec, weights: dict[str, Any]) -> LadderForward:
    """Return a network that answers about rivers; refuse one that cannot."""
    inputs, rungs = SIZES.num_features + 2 * spec.row_units, 2 * spec.row_units
    first, last = weights.get("layers.0.weight"), weights.get("value.weight")
    if (
        spec.kind != "ladder"
        or first is None
        or last is None
        or first.shape != (spec.width, inputs)
        or last.shape != (rungs, spec.width)
    ):
        raise InputError("the agent's network knows nothing of rivers: train one with sog train teh")
    return LadderForward(spec, SIZES.num_features, weights)


class SpotEvaluation:
    """Measures agents on one spot of the turn."""

    def __init__(self, spot: Spot, threads: int | None = None) -> None:
        if spot.betting.street != TURN or spot.history:
            raise InputError("agents of teh are measured on spots that start with the turn")
        self.spot = spot
        self.play = ComposedPlay(spot, threads)  # what was measured last
        self._boards: dict[int, TurnBoard] = {}

    def search(
        self, network: LadderForward, iterations: int, every: int = 1, algorithm: str = ""
    ) -> tuple[TurnSearch, RiverValues]:
        """Return a search of the turn, and what valued its leaves."""
        board = self._boards.setdefault(network.rungs, TurnBoard(self.spot.board, network.rungs))
        # What is used again and again has to be about averages: those of an iteration swing.
        values = RiverValues(network, self.spot.sizes, every, _AVERAGED if every > 1 else None)
        variant = _REBEL.get(algorithm, algorithm or PLAYED_ALGORITHM)
        leaves = AverageValues(values, 1) if algorithm == CFR_AVE else values
        search = TurnSearch(self.spot, board, leaves, variant)
        search.run(iterations)
        return search, values

    def report(self, network: LadderForward, how: StreetSearch) -> SpotReport:
        """Return how exploitable it is to search the turn and to solve all rivers."""
        started = time.perf_counter()
        search, values = self.search(network, how.turn, how.every, how.algorithm)
        turn_seconds = time.perf_counter() - started
        first, second = search.sums
        self.play.take_turn(search.level, (first.average, second.average), how.turn)
        self._play_rivers(search, values, how)
        seconds = time.perf_counter() - started
        chips = self.play.exploitability()
        return SpotReport(
            search=how,
            exploitability=1_000 * chips / self.spot.betting.big_blind,
            percent_of_pot=100 * chips / pot_size(self.spot.betting),
            seconds=seconds,
            turn_seconds=turn_seconds,
        )

    def answer(self, moves: str, iterations: int) -> AnswerReport:
        """Return what a bet on the turn wins against the play that was measured last.

        moves: those that lead to the bet, and the bet: `check,bet60`. Whoever does not make it answers.
        """
        started = time.perf_counter()
        solved = SolvedSpot(self.spot, self.play)
        larger = self.spot._replace(sizes=add_bet(self.spot.sizes, self.spot.betting, moves))
        solver = answer_bet(solved, moves, algorithm=ANSWER_ALGORITHM)
        solver.advance(iterations)
        seconds = time.perf_counter() - started
        whole = ComposedPlay(larger)
        graft(whole, self.play, solver.resolver)
        graft(whole, solver, solver.resolver, ",".join(solver.spot.history))
        before = self.play.best_value(solver.opponent)
        share = count_deals(solver.spot.ranges) / count_deals(self.spot.ranges)
        unit = 1_000 / self.spot.betting.big_blind
        return AnswerReport(
            moves=moves,
            iterations=iterations,
            gain=unit * (whole.best_value(solver.opponent) - before),
            bound=unit * share * solver.excess(),
            seconds=seconds,
        )

    def _play_rivers(self, search: TurnSearch, values: RiverValues, how: StreetSearch) -> None:
        """Solve all rivers that the search leads to."""
        if how.stops == NETWORK:
            beside = values.river_by_river(search.live(search.average_beliefs()))
            root = self.play.root
            stops = ask_stops(search, root.street, root.below[0].level, beside)
            self.play.resolve_rivers(how.river, stops, NETWORK_MIX)
            return
        self.play.solve_rivers(how.river)
        if how.stops == SOLVED:
            self.play.resolve_rivers(how.river, self.play.best_answers())


class TehMonitor:
    """Measures the agents of a training run on the paper's test spot."""

    unit = UNIT

    def __init__(self, config: Config) -> None:
        self._spec, self._how = config.network, StreetSearch(100, 150)
        self._evaluation: SpotEvaluation | None = None

    def prepare(self) -> None:
        """Build the spot; what it needs is compiled on the way."""
        self._evaluation = SpotEvaluation(make_teh())

    def measure(self, weights: Weights) -> dict[str, float]:
        """Return the exploitability by the name of the search."""
        assert self._evaluation is not None
        report = self._evaluation.report(network_of(self._spec, weights), self._how)
        return {self._how.name: report.exploitability}


def network_of_agent(agent: Agent) -> LadderForward:
    """Return an agent's network."""
    return network_of(agent.spec, agent.weights)


TRAINING = QueryTraining(
    SIZES, RiverBatchMaker(), check_config, TehGenerator, TehMonitor, measured="sog evaluate DIR --spot teh"
)
