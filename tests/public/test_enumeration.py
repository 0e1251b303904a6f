import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.public.derived import DerivedView
from sog.public.enumeration import enumerate_game, enumerate_store
from sog.public.opening import open_store
from sog.public.store import StateStore


def test_enumerating_a_store_keeps_what_it_knows() -> None:
    store = open_store(load("kuhn"))
    found = enumerate_store(store)
    assert found.store is store
    assert found.layout.num_nodes == store.num_nodes == enumerate_game(load("kuhn")).store.num_nodes


def test_moves_are_counted_before_they_are_made() -> None:
    store, layout = enumerate_game(load("kuhn"))
    # The deals of both cards, then two actions of each of the six deals in four decisions.
    moves = [store.num_moves([int(node)]) for node in layout.nodes[layout.num_children > 0]]
    assert moves == [3, 6, 12, 12, 12, 12]


def test_an_infostate_in_two_public_states_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check looks at all states together: give two of them one name."""
    view = DerivedView(load("openspiel:dark_hex(board_size=2)"))
    enumerate_store(StateStore(view))
    monkeypatch.setattr(DerivedView, "name_infostate", lambda *_: "same")
    with pytest.raises(InputError, match="cannot tell in which public state the infostate 'same' is"):
        enumerate_store(StateStore(view))
