import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.public.opening import open_store, open_view
from sog.public.store import ROOT


@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("chess", "ChessView"),
        ("go(size=5)", "GoView"),
        ("connect_four", "ConnectFourView"),
        ("tictactoe", "WorldBoardView"),
        ("breakthrough", "WorldBoardView"),
        ("kuhn", "DerivedView"),
    ],
)
def test_games_have_their_own_views_or_those_of_their_worlds(name: str, view: str) -> None:
    store = open_store(load(name))
    assert type(store.view).__name__ == view
    assert store.has_planes == (view != "DerivedView")
    assert store.facts.name == load(name).info.name


def test_boards_are_opened_from_any_world_and_others_from_their_start() -> None:
    game = load("tictactoe")
    store = open_store(game, game.apply(game.initial_world(), 4))
    assert store.actor(ROOT) == 1
    assert store.num_actions(ROOT) == 8
    with pytest.raises(InputError, match="at the start of the game alone"):
        open_view(load("kuhn"), load("kuhn").initial_world())
