"""Continual re-solving in play: either seat, from any state, after any action, by observations alone."""

import numpy as np
import pytest

from sog.agents.bot import Bot, Explanation, Limits
from sog.agents.cursor import Stores
from sog.agents.searching import SearchBot
from sog.agents.seated import UniformBot
from sog.agents.table import Table
from sog.core.errors import InputError
from sog.evaluation.searching import SearchEvaluation, _mix
from sog.games.base import NUM_PLAYERS, TERMINAL, AnyGame
from sog.games.registry import load
from sog.games.view import Heard
from sog.public.enumeration import enumerate_game
from sog.public.store import ROOT, StateStore
from sog.search.evaluators import RolloutEvaluator
from sog.search.gtcfr import Searcher
from sog.search.settings import SearchSettings


def play_out(game: AnyGame, bots: tuple[Bot, Bot], seed: int) -> float:
    """Play one game; return player 0's utility."""
    table = Table(game, bots, seed)
    while not table.is_over:
        table.step()
    return game.returns(table.play.world)[0]


def against_uniform(game: AnyGame, bot: Bot, games: int) -> float:
    """Return the bot's mean utility, from both seats."""
    total, other = 0.0, UniformBot()
    for seed in range(games // 2):
        total += play_out(game, (bot, other), seed)
        total -= play_out(game, (other, bot), seed)
    return total / games


def test_a_searching_bot_beats_random_moves() -> None:
    assert against_uniform(load("leduc"), SearchBot(None, SearchSettings(simulations=100)), 300) > 0.3


def test_tictactoe_is_never_lost() -> None:
    settings = SearchSettings(simulations=3000)
    game, bot, other = load("tictactoe"), SearchBot(None, settings), UniformBot()
    for seed in range(4):
        assert play_out(game, (bot, other), seed) >= 0
        assert play_out(game, (other, bot), seed) <= 0


@pytest.mark.parametrize("name", ["leduc", "openspiel:dark_hex(board_size=2)", "scotland_yard(rounds=3)"])
def test_a_bot_may_sit_down_at_any_point(name: str) -> None:
    """Told everything so far, own moves too, it thinks of its turn."""
    game = load(name)
    stores = Stores()
    for seed in range(3):
        table = Table(game, (UniformBot(), UniformBot()), seed)
        while (turn := table.play.turn) != TERMINAL:
            if turn < NUM_PLAYERS:
                late = SearchBot(None, SearchSettings(simulations=5), stores)
                bots: tuple[Bot, Bot] = (late, UniformBot()) if turn == 0 else (UniformBot(), late)
                Table(game, bots, seed, opening=table.play.actions)
                names = [game.action_name(table.play.world, a) for a in game.legal_actions(table.play.world)]
                assert late.explain().names == names
                assert late.act(names) in range(len(names))
            table.step()


class Client(SearchBot):
    """Seeds its searches as evaluations do."""

    def __init__(self, searcher: Searcher, places: dict[int, int]) -> None:
        super().__init__(None, searcher.settings, _Same(searcher.store))
        self._places = places

    def _seed_at(self) -> int:
        return _mix(self._seed, self._places[self.cursor.node])


class _Same(Stores):
    def __init__(self, store: StateStore) -> None:
        self._whole = store

    def open(self, game: AnyGame) -> StateStore:
        return self._whole


def test_leduc_is_played_as_evaluated_by_a_client_that_never_learns_the_other_card() -> None:
    """Every decision of Leduc, reached by observations of one seat: the policy whose exploitability is told.

    The client is told its own card and what is public; nothing in this test knows the other card.
    """
    game = load("leduc")
    whole = enumerate_game(game)
    evaluation, settings = SearchEvaluation(whole), SearchSettings(simulations=8)
    searcher = Searcher(whole.store, None, settings)
    found = evaluation.policy(searcher, seed=5)
    assert found is not None
    policy, _ = found
    heard = evaluation.exact.uniform_policy()
    places = {int(node): place for place, node in enumerate(whole.layout.nodes)}
    decisions = 0
    for node, seat, row, history in own_turns(whole.store):
        client = Client(searcher, places)
        client.begin(game, seat, seed=5)
        for step in history:
            if step is None:
                client.explain()
            else:
                client.observe(*step)
        slots = whole.layout.slots_of(places[node], row, int(whole.store.legal(node)[row]))
        heard[seat][slots] = client.explain().policy
        decisions += 1
    assert decisions == 936
    for seat in range(NUM_PLAYERS):
        np.testing.assert_allclose(heard[seat], policy[seat], atol=1e-12)
    assert evaluation.exact.exploitability(heard) == pytest.approx(evaluation.exact.exploitability(policy))


def own_turns(store: StateStore) -> list[tuple[int, int, int, list[Heard | None]]]:
    """Return every infostate of every decision, with what its seat was told; None where it had to act."""
    found: list[tuple[int, int, int, list[Heard | None]]] = []

    def walk(node: int, seat: int, row: int, history: list[Heard | None]) -> None:
        actor = store.actor(node)
        if actor == TERMINAL:
            return
        if actor == seat:
            found.append((node, seat, row, history))
            history = [*history, None]
        legal = int(store.legal(node)[row]) if actor == seat else 1
        size = store.num_infostates(node)[seat]
        for move in range(legal):
            for child in store.children(node):
                slots = np.zeros(size * (legal if actor == seat else 1) + size * store.num_actions(node))
                slots[row + size * move] = 1.0
                for after in np.flatnonzero(store.push(child, seat, slots)):
                    step = store.told.hear(store, child, seat, int(after))
                    step = step._replace(move=move if actor == seat else None)
                    walk(child, seat, int(after), [*history, step])

    for seat in range(NUM_PLAYERS):
        walk(ROOT, seat, 0, [])
    return found


def test_values_are_what_the_seat_expects() -> None:
    """In Kuhn poker, by cards: in equilibrium the jack loses, the king wins (OpenSpiel's values)."""
    game, bot = load("kuhn"), SearchBot(None, SearchSettings(simulations=3000))
    values = []
    for card in "JQK":
        bot.begin(game, 0, seed=1)
        bot.observe("deal", card)
        bot.observe("deal", None)
        value = bot.explain().value
        assert value is not None
        values.append(value)
    assert np.mean(values) == pytest.approx(-1 / 18, abs=0.01)
    assert values == sorted(values)


def test_a_search_stops_in_time_and_when_it_is_told() -> None:
    bot = SearchBot(RolloutEvaluator(1), SearchSettings(simulations=40))
    Table(load("leduc"), (bot, UniformBot()), 0, opening=[2, 4])
    moves = ["call", "raise"]
    looks: list[Explanation] = []

    def watch(simulations: int, seconds: float, look: object) -> bool:
        assert callable(look)
        looks.append(look())
        return len(looks) == 2

    bot.act(moves, Limits(simulations=50_000), watch)
    assert len(looks) == 2
    assert bot.explain().simulations < 50_000
    assert looks[0].names == bot.explain().names
    bot.act(moves, Limits(simulations=50_000, seconds=0.0))
    assert bot.explain().simulations < 50_000
    bot.act(moves, Limits(simulations=7))
    assert bot.explain().simulations <= 7


def test_bad_seats_are_refused() -> None:
    bot = SearchBot(None, SearchSettings(simulations=5))
    with pytest.raises(ValueError, match="seat must be 0 or 1"):
        bot.begin(load("kuhn"), 2, seed=0)
    with pytest.raises(InputError, match="hides something"):
        bot.begin(load("kuhn"), 0, seed=0, world=())
