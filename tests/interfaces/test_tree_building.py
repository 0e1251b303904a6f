import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.interfaces import tree_building
from sog.interfaces.tree_building import TreeTooLargeError, build_limited_tree
from sog.public.derived import DerivedView
from sog.public.enumeration import enumerate_game
from sog.solvers.checkpoint import fingerprint


@pytest.mark.parametrize("name", ["leduc", "scotland_yard", "openspiel:dark_hex(board_size=2)"])
@pytest.mark.parametrize("depth", [None, 4])
def test_builds_the_same_tree(name: str, depth: int | None) -> None:
    game = load(name)
    limited, plain = build_limited_tree(game, 10_000, depth), enumerate_game(game, depth)
    assert fingerprint(limited.layout) == fingerprint(plain.layout)
    assert limited.layout.nodes.tolist() == plain.layout.nodes.tolist()
    assert limited.layout.num_children.tolist() == plain.layout.num_children.tolist()


def test_another_view_may_be_asked() -> None:
    game = load("scotland_yard")
    merged = build_limited_tree(game, 10_000)
    unmerged = build_limited_tree(game, 10_000, view=DerivedView(game, merge=False))
    assert merged.layout.infostates(0) < unmerged.layout.infostates(0)


def test_limits_are_exact() -> None:
    game = load("leduc")
    assert build_limited_tree(game, 467).layout.num_nodes == 467
    with pytest.raises(TreeTooLargeError, match="more than 466 public states"):
        build_limited_tree(game, 466)


def test_worlds_are_limited_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    # Goofspiel has few public states with many worlds: after two hidden bids 25 worlds, in 3 public states.
    monkeypatch.setattr(tree_building, "LEAST_MOVES", 300)
    game = load("goofspiel(cards=5)")
    apply, num_made = game.apply, 0

    def counting(world: object, action: int) -> object:
        nonlocal num_made
        num_made += 1
        return apply(world, action)

    monkeypatch.setattr(game, "apply", counting)
    with pytest.raises(TreeTooLargeError, match="300 moves"):
        build_limited_tree(game, 30)
    assert 0 < num_made <= 300


def test_unsound_views_are_refused_as_by_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("openspiel:dark_hex(board_size=2)")
    # Two public states in which the same infostate decides.
    monkeypatch.setattr("sog.public.derived.DerivedView.name_infostate", lambda *_: "always the same")
    with pytest.raises(InputError, match="no sound public view"):
        build_limited_tree(game, 10_000)
