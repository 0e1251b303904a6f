"""A restricted view is the view of a game in which only these moves are legal at the start."""

import numpy as np
import pytest

from sog.games.base import AnyGame
from sog.games.board_view import PositionView
from sog.games.registry import load
from sog.games.restricted_view import RestrictedView
from sog.public.opening import open_store, open_view
from sog.public.store import ROOT, StateStore


@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "chess"])
@pytest.mark.parametrize("moves", [[0], [1, 3], [6, 2, 2]])
def test_what_is_left_is_the_views_own(name: str, moves: list[int]) -> None:
    game: AnyGame = load(name)
    view = open_view(game)
    assert isinstance(view, PositionView)
    whole, part = open_store(game), StateStore(RestrictedView(view, moves))
    kept = sorted(set(moves))
    assert part.num_actions(ROOT) == len(part.children(ROOT)) == len(kept)
    whole.children(ROOT)
    for ordinal, child in zip(kept, part.children(ROOT), strict=True):
        twin = whole.children(ROOT)[ordinal]
        assert part.records[child] == whole.records[twin]
        assert part.num_actions(child) == whole.num_actions(twin)
    # Asked about in one batch with others, in any order.
    first = part.children(ROOT)[0]
    both, alone = (
        part.encoded.encode(part, np.array(nodes, np.uint32)) for nodes in ([first, ROOT], [first])
    )
    actions = [game.legal_actions(game.initial_world())[ordinal] for ordinal in kept]
    assert both.choices.tolist() == [*alone.choices.tolist(), *actions]
    assert part.push(first, 0, np.arange(len(kept), dtype=np.float64)).tolist() == [0.0]


def test_expanding_the_root_beside_others() -> None:
    """Children of the others stay where they are."""
    game: AnyGame = load("tictactoe")
    view = open_view(game)
    assert isinstance(view, PositionView)
    part, whole = StateStore(RestrictedView(view, [4, 8])), open_store(game)
    child, twin = part.children(ROOT)[1], whole.children(ROOT)[8]
    found = RestrictedView(view, [4, 8]).successors(part, np.array([child, ROOT], np.uint32))
    assert found.counts.tolist() == [8, 2]
    assert (
        found.states[:8].tolist() == whole.view.successors(whole, np.array([twin], np.uint32)).states.tolist()
    )
    assert found.flows[0].start.tolist() == [0] * 8 + [0, 1]
    assert found.flows[1].start.tolist() == [*range(8), 0, 0]
