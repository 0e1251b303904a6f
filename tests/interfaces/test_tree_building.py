import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.interfaces import tree_building
from sog.interfaces.tree_building import TreeTooLargeError, build_limited_tree
from sog.public.tree import build_tree


@pytest.mark.parametrize("name", ["leduc", "scotland_yard", "openspiel:dark_hex(board_size=2)"])
@pytest.mark.parametrize("depth", [None, 4])
def test_builds_the_same_tree(name: str, depth: int | None) -> None:
    game = load(name)
    limited, plain = build_limited_tree(game, 10_000, depth), build_tree(game, depth)
    assert limited.observations == plain.observations
    assert limited.parent.values.tolist() == plain.parent.values.tolist()
    assert limited.is_expanded.values.tolist() == plain.is_expanded.values.tolist()


def test_merging_can_be_turned_off() -> None:
    game = load("scotland_yard")
    merged, unmerged = build_limited_tree(game, 10_000), build_limited_tree(game, 10_000, merge=False)
    assert merged.infostates(0) < unmerged.infostates(0)


def test_limits_are_exact() -> None:
    game = load("leduc")
    assert build_limited_tree(game, 467).num_nodes == 467
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
    monkeypatch.setattr("sog.public.derived.DerivedView.infostate_name", lambda *_: "always the same")
    with pytest.raises(InputError, match="no sound public view"):
        build_limited_tree(game, 10_000)
