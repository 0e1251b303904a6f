from collections.abc import Sequence

import pytest

from sog.core.errors import InputError
from sog.evaluation.monitor import PositionMonitor
from sog.evaluation.positions import Positions, find_positions, greedy_player
from sog.games.base import TERMINAL
from sog.games.registry import load
from sog.nets.cvpn import make_network
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.store import StateStore
from sog.search.settings import SearchSettings


def test_positions_are_all_there() -> None:
    assert Positions(load("tictactoe")).num_positions == 5478
    with pytest.raises(InputError, match="connect_four has more than 2,000 positions"):
        Positions(load("connect_four"), limit=2_000)
    assert find_positions(load("connect_four")) is None
    assert find_positions(load("kuhn")) is None
    assert find_positions(load("tictactoe")) is not None


def test_a_perfect_player_cannot_be_exploited() -> None:
    """Minimax by hand; and a player who takes the first square loses to both sides' best answers."""
    game = load("tictactoe")
    known: dict[object, float] = {}

    def value(world: tuple[int, int]) -> float:
        if world not in known:
            actor = game.actor(world)
            if actor == TERMINAL:
                known[world] = game.returns(world)[0]
            else:
                pick = max if actor == 0 else min
                known[world] = pick(value(game.apply(world, action)) for action in game.legal_actions(world))
        return known[world]

    def perfect(store: StateStore, nodes: Sequence[int]) -> list[int]:
        moves = []
        for node in nodes:
            world = game.initial_world()
            for ordinal in store.route(node):
                world = game.apply(world, game.legal_actions(world)[ordinal])
            values = [value(game.apply(world, action)) for action in game.legal_actions(world)]
            moves.append(values.index(max(values) if store.actor(node) == 0 else min(values)))
        return moves

    positions = Positions(game)
    assert positions.exploitability(perfect) == 0
    assert positions.exploitability(lambda store, nodes: [0] * len(nodes)) == 1


def test_search_makes_up_for_a_network_that_knows_nothing() -> None:
    positions = Positions(load("tictactoe"))
    weak = positions.exploitability(greedy_player(None, SearchSettings(simulations=2), seed=1))
    strong = positions.exploitability(greedy_player(None, SearchSettings(simulations=400), seed=1))
    assert strong < weak


def test_weights_are_measured() -> None:
    game, spec = load("tictactoe"), NetworkSpec(layers=1, width=8)
    monitor = PositionMonitor(Positions(game), spec, "2,1 4,1", seeds=1)
    monitor.prepare()
    assert game.encoding is not None
    found = monitor.measure(dict(make_network(spec, sizes_of(game.encoding), seed=1).state_dict()))
    assert list(found) == ["SoG(2,1)", "SoG(4,1)"]
    assert all(0 < worth <= 1 for worth in found.values())
