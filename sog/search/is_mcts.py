"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), a baseline of the papers.

A simulation draws an infostate of the opponent that the searching one may face, and plays to the end.
Statistics belong to infostates, so no choice depends on what its player cannot see: an infostate met for the
first time joins the tree and a random rollout says the rest; later visits try every action once, then the one
with the best upper confidence bound `mean + C · √(ln N / n)`. As in OpenSpiel, the first simulation adds the
root alone.

The opponent's infostate is drawn as if the opponent had played uniformly: the weight of a pair of infostates
is chance's probability times the opponent's reach under the uniform policy. Infostates with a single action
have no choice to learn and no statistics. The plays are those of a whole game (`sog.public.pairs`), and what
is found is a policy over its slots, so that searches at all infostates make a profile whose exploitability is
exact.

Verified: tests/search/test_is_mcts.py.
"""

from collections.abc import Iterable
from math import inf
from typing import NamedTuple

import numpy as np

from sog.core.arrays import F64, U32, Records
from sog.core.errors import InputError
from sog.core.jit import ONE, ZERO, inlined, kernel
from sog.core.rng import RngState, make_rng, make_rng_state, next_uniform
from sog.games.base import CHANCE, NUM_PLAYERS, TERMINAL
from sog.public.enumeration import Enumeration
from sog.public.pairs import PairGraph, PairOdds, collect_pairs
from sog.search.uct import bound_width, check_settings, upper_bound
from sog.solvers.evaluation import Profile, uniform_policy
from sog.solvers.traversal import push_reach

VISITS, MAX_VISITS, MAX_VALUE = "visits", "max-visits", "max-value"
FINAL_RULES = (VISITS, MAX_VISITS, MAX_VALUE)  # the papers' mvd, mvis, mval

# What a search knows of one action of one infostate. All fields are zero before the first search.
ACTION = np.dtype(
    [
        ("search", "u4"),  # first action only: the last search that met the infostate, counted from 1
        ("visits", "u4"),
        ("returns", "f8"),  # player 0's utilities, summed over the visits
    ]
)
# An infostate with a choice, as the root of a search.
ROOT = np.dtype(
    [
        ("slot", "u4"),  # of its first action; player 1's slots are numbered after player 0's
        ("stride", "u4"),  # from one action's slot to the next
        ("num_actions", "u4"),
        ("pair_start", "u4"),  # range in pair_row and pair_share
        ("num_pairs", "u4"),
    ]
)


class Roots(NamedTuple):
    """Everything that can be searched. I infostates, W pairs with the opponent's."""

    infostates: Records  # [I] ROOT, by slot
    pair_row: U32  # [W] row of the graph
    pair_share: F64  # [W] probability of this pair or one before it in the infostate


class Findings(NamedTuple):
    """What searches have found at their roots; S slots of both players."""

    visits: F64  # [S] simulations that began with the slot's action
    returns: F64  # [S] the acting player's utilities, summed over them


class IsMcts:
    """Searches the infostates of a game that is wholly enumerated.

    >>> from sog.games.registry import load
    >>> from sog.public.enumeration import enumerate_game
    >>> from sog.solvers.evaluation import Evaluation
    >>> whole = enumerate_game(load("kuhn"))
    >>> search = IsMcts(whole)
    >>> profile = search.policy(search.run(simulations=1000, exploration=2.0, seed=1), "max-visits")
    >>> round(Evaluation(whole.layout, whole.terminals()).exploitability(profile), 3)
    0.167
    """

    def __init__(self, whole: Enumeration) -> None:
        layout = whole.layout
        self.graph, odds = collect_pairs(whole)
        self.num_slots = layout.num_slots
        self._uniform = tuple(
            uniform_policy(own, size) for own, size in zip(layout.players, layout.num_slots, strict=True)
        )
        reach = np.ones(layout.num_slots[0]), np.ones(layout.num_slots[1])
        for player in range(NUM_PLAYERS):
            push_reach(layout.players[player], self._uniform[player], reach[player])
        self.roots = _collect_roots(self.graph, _pair_weights(self.graph, odds, reach), layout.num_slots[0])
        self._index = {int(slot): index for index, slot in enumerate(self.roots.infostates["slot"])}
        self._actions = np.zeros(sum(layout.num_slots), ACTION)
        self._path = np.zeros(int(layout.depth.max()) + 1, np.uint32)
        self._num_searches = 0

    @property
    def num_infostates(self) -> int:
        """How many infostates have a choice."""
        return int(self.roots.infostates.size)

    def index_of(self, player: int, slot: int) -> int | None:
        """Return the number of the infostate whose first action has this slot; `None` if it has no choice."""
        return self._index.get(slot + player * self.num_slots[0])

    def run(
        self, simulations: int, exploration: float, seed: int, infostates: Iterable[int] | None = None
    ) -> Findings:
        """Search each infostate (all by default) on its own, with as many simulations each.

        `exploration` is the constant C of the confidence bound, in units of utility. What an infostate finds
        depends on the seed alone, not on what else is searched.
        """
        check_settings(simulations, exploration)
        chosen = range(self.num_infostates) if infostates is None else infostates
        seeds = make_rng(seed).integers(2**64, size=self.num_infostates, dtype=np.uint64)
        findings = Findings(np.zeros(sum(self.num_slots)), np.zeros(sum(self.num_slots)))
        for index in chosen:
            self._num_searches += 1
            _search(
                np.uint64(index), self._num_searches, simulations, exploration, self.num_slots[0], self.roots,
                self.graph, self._actions, self._path, make_rng_state(int(seeds[index])), findings,
            )  # fmt: skip
        return findings

    def policy(self, findings: Findings, rule: str) -> Profile:
        """Return the profile that plays by one of `FINAL_RULES`, uniformly where there were no visits.

        `visits` plays in proportion to the visits, `max-visits` and `max-value` the most visited action and
        the one with the highest mean; equals share.
        """
        if rule not in FINAL_RULES:
            raise InputError(f"unknown final rule {rule!r}: choose from {', '.join(FINAL_RULES)}")
        policy = np.concatenate(self._uniform)
        for root in self.roots.infostates:
            slots = slice(root["slot"], root["slot"] + root["stride"] * root["num_actions"], root["stride"])
            visits = findings.visits[slots]
            if not visits.any():
                continue
            weights = visits
            if rule == MAX_VISITS:
                weights = visits == visits.max()
            elif rule == MAX_VALUE:
                means = np.divide(
                    findings.returns[slots], visits, out=np.full(visits.size, -inf), where=visits > 0
                )
                weights = means == means.max()
            policy[slots] = weights / weights.sum()
        return policy[: self.num_slots[0]], policy[self.num_slots[0] :]


def _pair_weights(graph: PairGraph, odds: PairOdds, reach: Profile) -> F64:
    """Return, for each row of the graph, how likely its infostate of the acting player finds it; [R].

    Only rows where a player acts have a weight. The other player's `reach` is what the pairs of an infostate
    differ in besides chance, and weights of different infostates are not to be compared.
    """
    weights = np.zeros(graph.rows.size)
    for player in range(NUM_PLAYERS):
        acts = graph.rows["actor"] == player
        weights[acts] = odds.weight[acts] * reach[1 - player][odds.other[acts]]
    return weights


def _collect_roots(graph: PairGraph, weights: F64, first_of_second: int) -> Roots:
    """Gather the rows of every infostate that has a choice; weights: [R]."""
    rows = graph.rows
    choosing = np.flatnonzero((rows["actor"] < NUM_PLAYERS) & (rows["num_moves"] > 1))
    slots = rows["slot"][choosing] + rows["actor"][choosing] * np.uint32(first_of_second)
    order = np.argsort(slots, kind="stable")
    pair_row = choosing[order].astype(np.uint32)
    slot, start, count = np.unique(slots[order], return_index=True, return_counts=True)
    infostates = np.zeros(slot.size, ROOT)
    first = rows[pair_row[start]]
    infostates["slot"], infostates["pair_start"], infostates["num_pairs"] = slot, start, count
    infostates["stride"], infostates["num_actions"] = first["stride"], first["num_moves"]
    share = weights[pair_row]
    for begin, size in zip(start, count, strict=True):
        cumulative = np.cumsum(share[begin : begin + size])
        share[begin : begin + size] = cumulative / cumulative[-1]
    return Roots(infostates, pair_row, share)


@kernel
def _search(
    index: np.uint64,
    search: int,
    simulations: int,
    exploration: float,
    first_of_second: int,
    roots: Roots,
    graph: PairGraph,
    actions: Records,
    path: U32,
    rng: RngState,
    findings: Findings,
) -> None:
    """Run one search and copy what its root has found.

    `search` is this search's number, above all before it. actions [S] ACTION, path [D] (work space), rng and
    the root's slots of findings are modified in place.
    """
    for _ in range(simulations):
        row = _draw_pair(index, roots, rng)
        _simulate(row, search, exploration, np.uint64(first_of_second), graph, actions, path, rng)
    root = roots.infostates[index]
    slot = np.uint64(root["slot"])
    sign = 1.0 if slot < np.uint64(first_of_second) else -1.0
    for _ in range(np.uint64(root["num_actions"])):
        findings.visits[slot] = actions[slot]["visits"]
        findings.returns[slot] = sign * actions[slot]["returns"]
        slot += np.uint64(root["stride"])


@inlined
def _draw_pair(index: np.uint64, roots: Roots, rng: RngState) -> np.uint64:
    """Return the row of a pair that the infostate may be in."""
    root = roots.infostates[index]
    at, left = np.uint64(root["pair_start"]), np.uint64(root["num_pairs"])
    drawn = next_uniform(rng)
    while left > ONE:  # halves what is left: the first pair whose share is above the number drawn
        half = left >> ONE
        if roots.pair_share[at + half - ONE] <= drawn:
            at += half
            left -= half
        else:
            left = half
    return np.uint64(roots.pair_row[at])


@inlined
def _simulate(
    number: np.uint64,
    search: int,
    exploration: float,
    first_of_second: np.uint64,
    graph: PairGraph,
    actions: Records,
    path: U32,
    rng: RngState,
) -> None:
    """Play from a row to the end and count the result on the way back; actions, path, rng in place."""
    length = ZERO
    while True:
        row = graph.rows[number]
        actor, start, count = row["actor"], np.uint64(row["move_start"]), np.uint64(row["num_moves"])
        if actor == TERMINAL:
            break
        if actor == CHANCE or count == ONE:
            number = _draw_move(number, graph, rng)
            continue
        slot, stride = np.uint64(row["slot"]) + np.uint64(actor) * first_of_second, np.uint64(row["stride"])
        if actions[slot]["search"] != search:
            _add_infostate(slot, stride, count, search, actions)
            number = _roll_out(number, graph, rng)
            break
        sign = 1.0 if actor == 0 else -1.0
        chosen = _choose(slot, stride, count, sign, exploration, actions, rng)
        path[length] = slot + chosen * stride
        length += ONE
        number = np.uint64(graph.moves[start + chosen]["row"])
    utility = graph.rows[number]["utility"]
    for step in range(length):
        taken = np.uint64(path[step])
        actions[taken]["visits"] += np.uint32(1)
        actions[taken]["returns"] += utility


@inlined
def _add_infostate(
    slot: np.uint64, stride: np.uint64, count: np.uint64, search: int, actions: Records
) -> None:
    """Forget what earlier searches knew of an infostate; actions modified in place."""
    actions[slot]["search"] = search
    for _ in range(count):
        actions[slot]["visits"] = 0
        actions[slot]["returns"] = 0
        slot += stride


@inlined
def _draw_move(number: np.uint64, graph: PairGraph, rng: RngState) -> np.uint64:
    """Return the row after a random move: chance's by its probabilities, a player's uniformly."""
    row = graph.rows[number]
    start, count = np.uint64(row["move_start"]), np.uint64(row["num_moves"])
    last = count - ONE
    chosen = ZERO
    if count > ONE:
        drawn = next_uniform(rng)
        if row["actor"] != CHANCE:
            chosen = min(np.uint64(drawn * count), last)
        else:
            drawn -= graph.moves[start]["chance"]
            while drawn >= 0 and chosen < last:
                chosen += ONE
                drawn -= graph.moves[start + chosen]["chance"]
    return np.uint64(graph.moves[start + chosen]["row"])


@inlined
def _roll_out(number: np.uint64, graph: PairGraph, rng: RngState) -> np.uint64:
    """Return the terminal row at the end of random play."""
    while graph.rows[number]["actor"] != TERMINAL:
        number = _draw_move(number, graph, rng)
    return number


@inlined
def _choose(
    slot: np.uint64,
    stride: np.uint64,
    count: np.uint64,
    sign: float,
    exploration: float,
    actions: Records,
    rng: RngState,
) -> np.uint64:
    """Return an action not tried yet, or the one with the best confidence bound; equals at random.

    `sign` turns player 0's returns into the acting player's.
    """
    total, untried = ZERO, ZERO
    at = slot
    for _ in range(count):
        visits = np.uint64(actions[at]["visits"])
        total += visits
        if visits == ZERO:
            untried += ONE
        at += stride
    width = bound_width(exploration, float(total)) if untried == ZERO else 0.0
    best, equals, chosen = -inf, 0, ZERO
    at = slot
    for action in range(count):
        visits = np.uint64(actions[at]["visits"])
        bound = inf
        if visits > ZERO:
            bound = upper_bound(sign * actions[at]["returns"], float(visits), width)
        at += stride
        if bound > best:
            best, equals, chosen = bound, 1, np.uint64(action)
        elif bound == best:
            equals += 1
            if next_uniform(rng) * equals < 1:
                chosen = np.uint64(action)
    return chosen
