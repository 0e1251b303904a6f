"""Analyses of tic-tac-toe, where every value is known."""

import pytest

from sog.games.registry import load
from sog.nets.cvpn import make_network
from sog.nets.evaluator import NetworkEvaluator
from sog.nets.spec import NetworkSpec, sizes_of
from sog.search.analysis import Analyst, Method, Progress
from sog.search.puct import PuctSettings
from sog.search.settings import SearchSettings

GAME = load("tictactoe")
BOTH = pytest.mark.parametrize("method", [SearchSettings(300), PuctSettings(300)], ids=["gtcfr", "puct"])
WINNING = (0b000_000_011, 0b000_011_000)  # crosses complete the first row, noughts threaten the second


def make_analyst(method: Method) -> Analyst:
    assert GAME.encoding is not None
    network = make_network(NetworkSpec("resnet", layers=1, width=8), sizes_of(GAME.encoding), seed=0)
    return Analyst(GAME, NetworkEvaluator(network), method)


@BOTH
def test_a_win_is_found_and_proven(method: Method) -> None:
    found = make_analyst(method).analyse(WINNING, 50, seed=1, lines=9)
    assert (found.best.action, found.best.end, found.best.value, found.value) == (2, 1, 1.0, 1.0)
    assert [move.action for move in found.moves[-1:]] != [2]
    assert {move.action for move in found.moves} == set(GAME.legal_actions(WINNING))
    assert sum(move.weight for move in found.moves) == pytest.approx(1.0)
    # All that leaves noughts their row loses in two; as far as that is known, it comes last.
    lost = [place for place, move in enumerate(found.moves) if move.end == -2]
    assert lost == list(range(len(found.moves) - len(lost), len(found.moves)))


@BOTH
def test_among_some_moves(method: Method) -> None:
    analyst = make_analyst(method)
    found = analyst.analyse(WINNING, 100, seed=1, among=[5, 8], lines=2)
    assert {move.action for move in found.moves} == {5, 8}
    assert found.best.action == 5  # it stops noughts, which is proven for neither
    assert found.best.end is None
    assert found.moves[1].end == -2
    assert found.moves[1].variation == [8, 5]
    assert analyst.analyse(WINNING, 50, seed=1).best.action == 2  # the next search has all moves again


@BOTH
def test_lines_are_legal(method: Method) -> None:
    found = make_analyst(method).analyse(GAME.initial_world(), 200, seed=1, lines=4)
    for move in found.moves:
        world = GAME.initial_world()
        assert move.variation[0] == move.action
        for action in move.variation:
            assert action in GAME.legal_actions(world)
            world = GAME.apply(world, action)
    assert max(len(move.variation) for move in found.moves[4:]) == 1


@BOTH
def test_searches_stop_when_told(method: Method) -> None:
    looks = list[int]()

    def stop(progress: Progress) -> bool:
        looks.append(progress.look().simulations)
        return progress.simulations >= 20

    found = make_analyst(method).analyse(GAME.initial_world(), 10_000, 1, stop)
    assert 20 <= found.simulations < 60
    assert looks == sorted(looks)


@BOTH
def test_a_search_goes_on_in_the_next_position(method: Method) -> None:
    analyst, world = make_analyst(method), GAME.initial_world()
    first = analyst.analyse(world, 100, seed=1)
    known = analyst.num_bytes
    after = GAME.apply(world, first.best.action)
    reply = GAME.legal_actions(after)[0]
    analyst.analyse(GAME.apply(after, reply), 10, seed=1)
    assert analyst.num_bytes >= known
    analyst.drop_beyond(0)
    assert analyst.num_bytes == 0
