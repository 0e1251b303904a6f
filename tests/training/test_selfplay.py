from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sog.core.arrays import F64
from sog.core.rng import make_rng
from sog.games.base import NUM_PLAYERS, TERMINAL
from sog.games.registry import load
from sog.public.opening import open_store
from sog.public.store import StateStore
from sog.search.exact import ExactEvaluator
from sog.search.gtcfr import Searcher
from sog.search.result import SearchResult
from sog.search.settings import SearchSettings
from sog.training.config import SelfPlayConfig
from sog.training.examples import OUTCOME, PLAYED, join_examples
from sog.training.records import ExampleWriter, SearchTarget
from sog.training.selfplay import Actor, Advice, Play, SearchAdvisor
from tests.training.dense import dense


def make_actor(seed: int = 0, game: str = "kuhn", **config: Any) -> Actor:
    store = open_store(load(game))
    searcher = Searcher(store, ExactEvaluator(iterations=2), SearchSettings(simulations=5))
    writer = ExampleWriter(store)
    told = SelfPlayConfig(**{"games": 8, "queries": 2.0, **config})
    return Actor(SearchAdvisor(searcher, writer, told.queries), writer, told, make_rng(seed))


def watch_moves(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, float, float]]:
    """Return a list that fills with (moves before, probability of the move, largest probability)."""
    seen: list[tuple[int, float, float]] = []
    follow = actor._follow

    def watched(play: Play, move: int) -> None:
        mover = actor._store.actor(play.node)
        if mover < 2:
            result = play.last[mover]
            assert result is not None
            policy = result.policy[:, play.rows[mover]]
            seen.append((play.moves, float(policy[move]), float(policy.max())))
        follow(play, move)

    monkeypatch.setattr(actor, "_follow", watched)
    return seen


def test_every_round_moves_every_game() -> None:
    actor = make_actor()
    queries = [query for _ in range(6) for query in actor.advance().queries]
    assert actor.counts.searches == actor.counts.moves == 48
    assert actor.counts.games > 8
    assert actor.counts.resigned == 0
    assert 1 < len(queries) / 48 < 3  # two on average
    assert {query.origin for query in queries} == {PLAYED}


def test_outcomes_are_values_of_both_players_where_the_play_went() -> None:
    actor = make_actor(td1_share=1.0)
    lots = [actor.advance().examples for _ in range(8)]
    examples = dense(load("kuhn"), join_examples([one for lot in lots for one in lot]))
    assert np.all(examples.origins == OUTCOME)
    halves = examples.value_weights.reshape(-1, 2, 3)
    assert np.all(halves.sum(axis=2) == 1)  # one infostate of each player
    values = (examples.values * examples.value_weights).reshape(-1, 2, 3).sum(axis=2)
    np.testing.assert_array_equal(values[:, 0], -values[:, 1])
    # One chip or two, as shares of a pot of two or three.
    shares = {round(value, 3) for value in np.abs(values).ravel().tolist()}
    assert shares <= {0.5, 1.0, 0.333, 0.667}
    cards = halves.argmax(axis=2)
    assert np.all(cards[:, 0] != cards[:, 1])
    assert examples.size > actor.counts.games  # more than one decision a game


def test_a_share_of_states_gets_outcomes() -> None:
    counts = []
    for share in (0.0, 0.3, 1.0):
        actor = make_actor(td1_share=share, games=64)
        counts.append(sum(lot.size for _ in range(12) for lot in actor.advance().examples))
    assert counts[0] == 0
    assert 0.2 < counts[1] / counts[2] < 0.4


def test_greedy_play_takes_the_best_move(monkeypatch: pytest.MonkeyPatch) -> None:
    actor = make_actor(greedy_after=1.0, uniform_mix=0.0)
    seen = watch_moves(actor, monkeypatch)
    for _ in range(30):
        actor.advance()
    assert all(chance == best for moves, chance, best in seen if moves >= 1)
    assert any(chance < best for moves, chance, best in seen if moves == 0)


def test_the_uniform_mix_makes_every_move_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    actor = make_actor(uniform_mix=1.0, games=32)
    seen = watch_moves(actor, monkeypatch)
    for _ in range(20):
        actor.advance()
    rare = sum(chance < 0.5 for _, chance, _ in seen) / sum(chance != 0.5 for _, chance, _ in seen)
    assert 0.4 < rare < 0.6  # of two moves, one is as good as the other


class Adviser:
    """Says the same everywhere, without any search."""

    def __init__(self, store: StateStore, policy: F64, value: float) -> None:
        self.store, self._policy, self._value = store, policy, value

    def advise(self, plays: Sequence[Play]) -> list[Advice]:
        found = []
        for play in plays:
            sizes = self.store.num_infostates(play.node)
            ranges = np.ones(sizes[0]), np.ones(sizes[1])
            values = np.zeros(sizes[0]), np.zeros(sizes[1])
            policy = np.repeat(self._policy[:, None], sizes[self.store.actor(play.node)], axis=1)
            target = SearchTarget(play.node, ranges, values, policy, OUTCOME)
            found.append(Advice(self._policy, target, self._value, []))
        return found


def make_advised(policy: F64, value: float, **config: Any) -> Actor:
    store = open_store(load("kuhn"))
    writer = ExampleWriter(store)
    return Actor(Adviser(store, policy, value), writer, SelfPlayConfig(**config), make_rng(0))


def test_the_uniform_policy_has_its_share_of_what_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """(1 − ε) π + ε/n, with ε = 0.4 of n = 2 moves; policies need not sum to one."""
    actor, moves = make_advised(np.array([1.8, 0.2]), 0.0, games=200, uniform_mix=0.4), []
    follow = actor._follow

    def watched(play: Play, move: int) -> None:
        if actor._store.actor(play.node) < NUM_PLAYERS:
            moves.append(move)
        follow(play, move)

    monkeypatch.setattr(actor, "_follow", watched)
    for _ in range(10):
        actor.advance()
    chance = 0.6 * 0.1 + 0.4 / 2
    assert abs(np.mean(moves) - chance) < 5 * np.sqrt(chance * (1 - chance) / len(moves))


@pytest.mark.parametrize(("cuts", "mix"), [(False, 1.0), (True, 1.0), (True, 0.0)])
def test_moves_of_the_uniform_share_may_end_the_trace(cuts: bool, mix: float) -> None:
    """The adviser finds 0 everywhere, games are won and lost."""
    actor = make_advised(
        np.array([0.5, 0.5]), 0.0, games=16, td1_share=1.0, uniform_mix=mix, cuts_traces=cuts
    )
    lots = [one for _ in range(6) for one in actor.advance().examples]
    examples = dense(load("kuhn"), join_examples(lots))
    assert examples.size > 16
    learned = examples.values[examples.value_weights > 0]
    assert np.all(learned == 0) if cuts and mix == 1 else np.all(learned != 0)


def test_a_share_of_games_is_played_without_the_uniform_policy() -> None:
    """The adviser never makes the second move, a uniform policy always may."""
    actor = make_advised(np.array([1.0, 0.0]), 0.0, games=400, uniform_mix=1.0, mixed_games=0.25)
    assert 0.15 < np.mean([play.mix == (1, 1) for play in actor._plays]) < 0.35
    assert all(play.mix in ((0, 0), (1, 1)) for play in actor._plays)
    before = [play.moves for play in actor._plays]
    assert before == [0] * 400
    actor.advance()
    store = actor._store
    second = [
        store.route(play.node)[-1] == 1 for play in actor._plays if play.mix == (1, 1) and play.moves == 1
    ]
    first = [store.route(play.node)[-1] == 0 for play in actor._plays if play.mix == (0, 0)]
    assert all(first)
    assert 0.3 < np.mean(second) < 0.7


def test_player_0_may_have_less_of_the_uniform_policy() -> None:
    actor = make_advised(np.array([1.0, 0.0]), 0.0, games=64, uniform_mix=1.0, first_mix=0.0)
    moves: list[tuple[int, int]] = []
    for _ in range(2):
        actor.advance()
        store = actor._store
        moves += [(play.moves, store.route(play.node)[-1]) for play in actor._plays]
    assert {move for count, move in moves if count == 1} == {0}
    assert {move for count, move in moves if count == 2} == {0, 1}


@pytest.mark.parametrize("moves", [0, 1])
def test_who_resigns_loses_the_most_that_can_be_lost(moves: int) -> None:
    """Player 0 resigns at its first decision, or player 1 once nobody is told to resign before."""
    actor = make_advised(np.array([0.5, 0.5]), -0.9, games=8, td1_share=1.0, never_resigns=0.0,
                         resign_below=-1.0 if moves else -0.5)  # fmt: skip
    if moves:
        assert actor.advance().examples == []
        actor._config = replace(actor._config, resign_below=-0.5)
    examples = dense(load("kuhn"), join_examples(actor.advance().examples))
    assert actor.counts.resigned == 8
    worth = np.array([examples.values[index][weights > 0] for index, weights in
                      enumerate(examples.value_weights)])  # fmt: skip
    np.testing.assert_allclose(np.sign(worth), [[1, -1] if moves else [-1, 1]] * len(worth))
    assert np.abs(worth).max() == 1


def test_advice_tells_values_as_shares_of_the_largest_utility(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a king against a bet player 1 wins 2, the most there is: values come near to one."""
    actor, told = make_actor(games=32), []
    read = SearchAdvisor._read

    def watched(self: SearchAdvisor, play: Play, result: SearchResult) -> Advice:
        advice = read(self, play, result)
        told.append(advice.value)
        return advice

    monkeypatch.setattr(SearchAdvisor, "_read", watched)
    for _ in range(3):
        actor.advance()
    assert 0.5 < max(told) <= 1
    assert -1 <= min(told) < -0.2


def test_games_that_are_too_long_end_without_an_outcome() -> None:
    actor = make_actor(max_moves=1.0, td1_share=1.0)
    for _ in range(5):
        for examples in actor.advance().examples:
            pytest.fail(f"{examples.size} outcomes of games that have none")
    assert actor.counts.games == 32
    assert all(play.moves <= 1 for play in actor._plays)


@pytest.mark.parametrize(("never", "low", "high"), [(0.0, 1.0, 1.0), (1.0, 0.0, 0.0), (0.5, 0.3, 0.75)])
def test_who_has_lost_resigns_unless_the_game_is_played_out(never: float, low: float, high: float) -> None:
    actor = make_actor(resign_below=2.0, never_resigns=never, games=32)  # everybody has lost
    for _ in range(8):
        actor.advance()
    assert low <= actor.counts.resigned / actor.counts.games <= high


def test_nobody_resigns_who_may_win() -> None:
    actor = make_actor(resign_below=-0.99, never_resigns=0.0)
    for _ in range(10):
        actor.advance()
    assert actor.counts.resigned == 0  # a call loses 2 with certainty only where it is not made


def test_resigning_looks_at_the_acting_players_own_value() -> None:
    """With a king against a bet player 1 wins 2 for sure; with a jack it folds and loses 1, half of 2."""
    actor = make_actor(games=64, resign_below=-0.45, never_resigns=0.0)
    for _ in range(10):
        actor.advance()
    assert 0 < actor.counts.resigned < actor.counts.games


def test_a_state_goes_on_alike() -> None:
    one = make_actor()
    for _ in range(3):
        one.advance()
    routes = [one._store.route(play.node) for play in one._plays]
    state = one.state()
    expanded = list(one._store.expanded)
    after = [[query.route for query in one.advance().queries] for _ in range(3)]
    assert len(after[0]) > 0
    assert routes != [one._store.route(play.node) for play in one._plays]
    assert one.state()["plays"] is state["plays"]  # a state is a view: whoever keeps it packs it
    assert expanded[0] == 0
    assert all(one._store.actor(play.node) != TERMINAL or play.moves > 0 for play in one._plays)


def test_the_uniform_policy_may_end_within_a_game() -> None:
    """In a third of games it ends before the first move, in a third before the second."""
    actor = make_advised(np.array([1.0, 0.0]), 0.0, games=900, uniform_mix=1.0, mixed_moves=3.0)
    assert all(0 <= play.mixed_moves <= 3 for play in actor._plays)
    counts = [sum(play.mixed_moves <= moves for play in actor._plays) for moves in (0, 1, 2, 3)]
    assert counts[0] == 0
    assert counts[3] == 900
    assert 250 < counts[1] < 350
    actor.advance()
    store = actor._store
    moves = np.array([store.route(play.node)[-1] for play in actor._plays if play.moves == 1])
    assert 0.4 < moves.mean() < 0.6  # the number drawn is more than none
    actor.advance()
    late = [store.route(play.node)[-1] for play in actor._plays if play.moves == 2 and play.mixed_moves <= 1]
    assert late
    assert not any(late)
