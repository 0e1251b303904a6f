"""`sog.search`: one public state, searched by growing-tree CFR, with beliefs of one's own if there are any.

Verified: tests/test_api.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sog.api.results import AnyPath, Printed, policy_of
from sog.core.arrays import F64
from sog.core.errors import InputError
from sog.games.base import CHANCE, NUM_PLAYERS, AnyGame, Game
from sog.games.registry import load
from sog.games.view import PublicView
from sog.nets.agents import load_agent, make_network_evaluator, shipped_agent_of
from sog.public.beliefs import weigh_opponents
from sog.public.evaluator import Evaluator
from sog.public.opening import open_store
from sog.public.store import ROOT, StateStore
from sog.search.evaluators import make_evaluator
from sog.search.gtcfr import Searcher, Task
from sog.search.resolving import first_task
from sog.search.result import SearchResult as RawResult
from sog.search.settings import SearchSettings, parse_search
from sog.solvers.policies import Choice

_MOST_LINES = 12

Beliefs = Mapping[str, float] | Sequence[float] | F64
"""Weights of a player's infostates: by name (those left out have none), or all in the order of the names."""


@dataclass(repr=False)
class SearchResult(Printed):
    """What a search has found at one public state."""

    game: str
    search: str
    actor: int
    strategy: list[Choice]  # how each infostate of the acting player plays
    value: float  # what player 0 expects there
    values: tuple[dict[str, float], dict[str, float]]  # what each infostate of each player expects there
    beliefs: tuple[dict[str, float], dict[str, float]]  # the ranges, as shares
    nodes: int  # of the tree
    seconds: float
    raw: RawResult = field(compare=False)

    def policy(self, infostate: str) -> dict[str, float]:
        """Return how an infostate plays, by its name."""
        return policy_of(self.strategy, infostate)

    def __str__(self) -> str:
        lines = [
            f"{self.game}, {self.search}: player {self.actor} to move, value for player 0 {self.value:.4g}",
            f"  {self.nodes:,} public states in {self.seconds:.3g} s",
        ]
        for choice in self.strategy[:_MOST_LINES]:
            shares = (
                f"{action} {share:.0%}"
                for action, share in zip(choice.actions, choice.probabilities, strict=True)
            )
            lines.append(f"  {choice.infostate.strip() or 'at the start'}:  {'  '.join(shares)}")
        if len(self.strategy) > _MOST_LINES:
            lines.append(f"  … and {len(self.strategy) - _MOST_LINES:,} more infostates")
        return "\n".join(lines)


def search(
    game: str | AnyGame | PublicView,
    moves: Sequence[str | int] = (),
    *,
    search: str = "100,1",
    beliefs: tuple[Beliefs | None, Beliefs | None] | None = None,
    agent: AnyPath | None = None,
    evaluator: str | None = None,
    seed: int = 0,
) -> SearchResult:
    """Search one public state by growing-tree CFR.

    moves: public observations that lead there, or numbers of children; cards that everybody only sees being
    dealt may be left out. search: as for `sog evaluate --search`. beliefs: both players' ranges there; the
    search then begins there, otherwise at the last state where nothing was hidden. agent: whose network tells
    what leaves are worth (default: the shipped one, if the game has one); evaluator: a rule instead.

    >>> found = search("kuhn", ["bet"], evaluator="exact")
    >>> [choice.actions for choice in found.strategy]
    [['pass', 'bet'], ['pass', 'bet'], ['pass', 'bet']]
    """
    settings = parse_search(search)
    own = load(game) if isinstance(game, str) else game
    store = open_store(own)
    node = _find_node(store, moves)
    if store.actor(node) >= NUM_PLAYERS:
        raise InputError(
            f"{store.facts.name}: no player moves after {' '.join(map(str, moves)) or 'nothing'}"
        )
    task = first_task(store, node) if beliefs is None else Task(node, node, _ranges(store, node, beliefs))
    searcher = Searcher(store, _choose_evaluator(own, agent, evaluator), settings)
    return _describe(store, settings, searcher.search(task, seed))


def _find_node(store: StateStore, moves: Sequence[str | int]) -> int:
    """Follow public observations from the root; chance with one public outcome is followed unasked."""
    node = ROOT
    for move in moves:
        found = _step(store, node, move)
        while found is None and _is_silent(store, node):
            node = store.children(node)[0]
            found = _step(store, node, move)
        if found is None:
            seen = [store.named.observation(store, child) for child in store.children(node)]
            raise InputError(f"{store.facts.name}: {move!r} cannot be seen here, but {', '.join(seen)}")
        node = found
    while _is_silent(store, node):
        node = store.children(node)[0]
    return node


def _is_silent(store: StateStore, node: int) -> bool:
    return store.actor(node) == CHANCE and not store.num_outcomes(node) and len(store.children(node)) == 1


def _step(store: StateStore, node: int, move: str | int) -> int | None:
    if store.actor(node) > CHANCE:
        return None
    children = store.all_children(node)
    if isinstance(move, int):
        return children[move] if 0 <= move < len(children) else None
    return next((child for child in children if store.named.observation(store, child) == move), None)


def _names(store: StateStore, node: int, player: int) -> list[str]:
    """Return what the infostates of a player are called."""
    count = store.num_infostates(node)[player]
    return [store.named.infostate_name(store, node, player, row).strip() for row in range(count)]


def _ranges(store: StateStore, node: int, beliefs: tuple[Beliefs | None, Beliefs | None]) -> tuple[F64, F64]:
    ranges = []
    for player, (own, alive) in enumerate(zip(beliefs, store.alive(node), strict=True)):
        names = _names(store, node, player)
        weights = alive.astype(np.float64)
        if isinstance(own, Mapping):
            unknown = [name for name in own if name not in names]
            if unknown:
                raise InputError(f"beliefs: player {player} has no infostate {unknown[0]!r}, but {names}")
            weights *= [float(own.get(name, 0.0)) for name in names]
        elif own is not None:
            if len(own) != len(names):
                raise InputError(f"beliefs: player {player} has {len(names)} infostates, not {len(own)}")
            weights *= np.asarray(own, np.float64)
        if not (np.isfinite(weights).all() and weights.min() >= 0 and weights.sum() > 0):
            raise InputError(f"beliefs: weights of player {player} must be numbers of 0 or more, not all 0")
        ranges.append(weights / weights.sum())
    return ranges[0], ranges[1]


def _choose_evaluator(
    game: AnyGame | PublicView, agent: AnyPath | None, evaluator: str | None
) -> Evaluator | None:
    if agent is not None and evaluator is not None:
        raise InputError("say an agent or an evaluator, not both")
    if evaluator is not None:
        return make_evaluator(evaluator)
    if not isinstance(game, Game):
        if agent is not None:
            raise InputError("an agent knows games by name: say an evaluator for a view")
        return None
    found = shipped_agent_of(game.info.name) if agent is None else load_agent(str(agent))
    return None if found is None else make_network_evaluator(found, game)


def _describe(store: StateStore, settings: SearchSettings, raw: RawResult) -> SearchResult:
    node, actor = raw.current, store.actor(raw.current)
    names = _names(store, node, 0), _names(store, node, 1)
    place = raw.find(node)
    assert place is not None
    ranges, sums = raw.summary(place)
    start = np.array([0, ranges[0].size]), np.array([0, ranges[1].size])
    masses = weigh_opponents(store.arrays(), np.array([node], np.int32), start, ranges)
    total = float(ranges[0] @ masses[0])
    values = [
        _by_name(names[player], np.divide(own, mass, out=np.zeros_like(own), where=mass > 0))
        for player, (own, mass) in enumerate(zip(sums, masses, strict=True))
    ]
    shares = [_by_name(names[player], own / max(own.sum(), 1e-300)) for player, own in enumerate(ranges)]
    legal, waiting = store.legal(node), store.waiting(node)
    strategy = [
        Choice(
            actor, name, store.named.action_names(store, node, row), raw.policy[: legal[row], row].tolist()
        )
        for row, name in enumerate(names[actor])
        if not waiting[row]
    ]
    return SearchResult(
        game=store.facts.name,
        search=settings.name,
        actor=actor,
        strategy=strategy,
        value=float(ranges[0] @ sums[0]) / total if total > 0 else 0.0,
        values=(values[0], values[1]),
        beliefs=(shares[0], shares[1]),
        nodes=raw.statistics.nodes,
        seconds=raw.statistics.seconds,
        raw=raw,
    )


def _by_name(names: list[str], numbers: F64) -> dict[str, float]:
    return dict(zip(names, numbers.tolist(), strict=True))
