from typing import Any

import numpy as np
import pytest

from sog.core.rng import make_rng
from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.nets.spec import sizes_of
from sog.public.opening import open_store
from sog.search.exact import ExactEvaluator
from sog.search.gtcfr import Searcher
from sog.search.settings import SearchSettings
from sog.training.config import SelfPlayConfig
from sog.training.records import OUTCOME, PLAYED, ExampleWriter, join_examples
from sog.training.selfplay import Actor, Play, SearchAdvisor


def make_actor(seed: int = 0, game: str = "kuhn", **config: Any) -> Actor:
    store = open_store(load(game))
    searcher = Searcher(store, ExactEvaluator(iterations=2), SearchSettings(simulations=5))
    writer = ExampleWriter(store, sizes_of(store.encoded.encoding))
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
    examples = join_examples([one for lot in lots for one in lot])
    assert np.all(examples.origins == OUTCOME)
    halves = examples.value_weights.reshape(-1, 2, 3)
    assert np.all(halves.sum(axis=2) == 1)  # one infostate of each player
    values = (examples.values * examples.value_weights).reshape(-1, 2, 3).sum(axis=2)
    np.testing.assert_array_equal(values[:, 0], -values[:, 1])
    # One chip or two, as shares of a pot of two or three.
    shares = {round(value, 6) for value in np.abs(values).ravel().tolist()}
    assert shares <= {0.5, 1.0, 0.333333, 0.666667}
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
    charted = list(one._store.expanded)
    after = [[query.route for query in one.advance().queries] for _ in range(3)]
    assert len(after[0]) > 0
    assert routes != [one._store.route(play.node) for play in one._plays]
    assert one.state()["plays"] is state["plays"]  # a state is a view: whoever keeps it packs it
    assert charted[0] == 0
    assert all(one._store.actor(play.node) != TERMINAL or play.moves > 0 for play in one._plays)
