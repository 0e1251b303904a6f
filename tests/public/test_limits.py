import pytest

from sog.core.errors import InputError
from sog.games.registry import load
from sog.public import limits
from sog.public.derived import DerivedView
from sog.public.enumeration import enumerate_game
from sog.public.limits import TreeTooLargeError, enumerate_within
from sog.solvers.checkpoint import fingerprint


@pytest.mark.parametrize("name", ["leduc", "scotland_yard", "openspiel:dark_hex(board_size=2)"])
@pytest.mark.parametrize("depth", [None, 4])
def test_builds_the_same_tree(name: str, depth: int | None) -> None:
    game = load(name)
    limited, plain = enumerate_within(game, 10_000, depth), enumerate_game(game, depth)
    assert fingerprint(limited.layout) == fingerprint(plain.layout)
    assert limited.layout.nodes.tolist() == plain.layout.nodes.tolist()
    assert limited.layout.num_children.tolist() == plain.layout.num_children.tolist()


def test_another_view_may_be_asked() -> None:
    game = load("scotland_yard")
    merged = enumerate_within(game, 10_000)
    unmerged = enumerate_within(game, 10_000, view=DerivedView(game, merge=False))
    assert merged.layout.infostates(0) < unmerged.layout.infostates(0)


def test_limits_are_exact() -> None:
    game = load("leduc")
    assert enumerate_within(game, 467).layout.num_nodes == 467
    with pytest.raises(TreeTooLargeError, match="more than 466 public states"):
        enumerate_within(game, 466)


def test_worlds_are_limited_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    # Goofspiel has few public states with many worlds: after two hidden bids 25 worlds, in 3 public states.
    monkeypatch.setattr(limits, "LEAST_MOVES", 300)
    game = load("goofspiel(cards=5)")
    apply, num_made = game.apply, 0

    def counting(world: object, action: int) -> object:
        nonlocal num_made
        num_made += 1
        return apply(world, action)

    monkeypatch.setattr(limits, "refuse_hopeless", lambda *_: None)
    monkeypatch.setattr(game, "apply", counting)
    with pytest.raises(TreeTooLargeError, match="300 moves"):
        enumerate_within(game, 30)
    assert 0 < num_made <= 300


def test_unsound_views_are_refused_as_by_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("openspiel:dark_hex(board_size=2)")
    # Two public states in which the same infostate decides.
    monkeypatch.setattr("sog.public.derived.DerivedView.name_infostate", lambda *_: "always the same")
    with pytest.raises(InputError, match="no sound public view"):
        enumerate_within(game, 10_000)


@pytest.mark.parametrize(
    "name",
    ["chess", "go(size=19)", "connect_four", "tictactoe", "openspiel:tic_tac_toe",
     "liars_dice(dice=5,faces=9)", "openspiel:connect_four",
     "openspiel:phantom_ttt", "goofspiel(cards=13)"],
)  # fmt: skip
def test_hopeless_sizes_are_refused_before_anything_is_listed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sog.public.limits.StateStore", None)
    with pytest.raises(TreeTooLargeError, match=r"has far more than (250,000|2,500,000) histories: do less"):
        enumerate_within(load(name), cure="do less")


@pytest.mark.parametrize(
    "name",
    ["leduc", "liars_dice(dice=1,faces=6)", "goofspiel(cards=5)", "scotland_yard",
     "openspiel:nim(pile_sizes=1;2;2)", "openspiel:hex(board_size=2)", "openspiel:leduc_poker"],
)  # fmt: skip
def test_what_may_fit_is_not_refused(name: str) -> None:
    limits.refuse_hopeless(load(name), 250_000, 2_500_000, None, "")


def test_a_depth_makes_a_large_game_small() -> None:
    assert enumerate_within(load("connect_four"), max_depth=3).layout.num_nodes == 1 + 7 + 49 + 343


def test_histories_are_called_so_where_nothing_is_hidden() -> None:
    game = load("openspiel:hex(board_size=2)")
    count = enumerate_game(game).layout.num_nodes
    assert enumerate_within(game, count).layout.num_nodes == count
    with pytest.raises(TreeTooLargeError, match=f"has more than {count - 1} histories"):
        enumerate_within(game, count - 1)
