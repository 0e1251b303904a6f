import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.betting import is_showdown
from sog.games.holdem.cards import parse_board
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_preflop_spot, make_spot
from sog.public.holdem import HoldemView
from sog.public.tree import PublicTree, grow_fully

FULL = np.ones((2, 1326))


def river_spot() -> Spot:
    """The spot of the public-state CFR paper."""
    return make_spot(parse_board("9s7c5s4h3c"), 200, 19_900, parse_bet_sizes("river:100,allin"), FULL)


def test_river_tree_has_the_papers_size() -> None:
    tree = grow_fully(PublicTree(HoldemView(river_spot())))
    assert tree.num_nodes == 57
    assert tree.count(0) + tree.count(1) == 20
    ends = [state for state in tree.states if tree.view.actor(state) == 3]
    assert sum(is_showdown(state.betting) for state in ends) == 19
    assert sum(not is_showdown(state.betting) for state in ends) == 18
    assert tree.size[0][0] == 1_081
    assert tree.infostates(0) + tree.infostates(1) == 21_620
    slots = sum(int(steps.num_actions.values.sum()) for steps in tree.steps)
    assert slots == 56
    deals = 1_081 * 990  # hands that two cards and the board leave the opponent
    assert deals == 1_070_190
    assert deals * tree.num_nodes + 1 == 61_000_831


def test_turn_deals_every_river() -> None:
    spot = make_spot(parse_board("3s7hTdKc"), 1_000, 0, parse_bet_sizes("allin"), FULL)
    tree = grow_fully(PublicTree(HoldemView(spot)))
    assert tree.count(2) == 1  # all-in before the spot begins: only a card is missing
    assert tree.num_nodes == 1 + 48


def test_identity_flows_carry_no_maps() -> None:
    layout = grow_fully(PublicTree(HoldemView(river_spot()))).layout()
    assert all(own.map_source.size == 0 for own in layout.players)


@pytest.mark.parametrize(
    ("board", "first", "second"),
    [("9s7c5s4h3c", "9s9h", "AA"), ("AsAhAd4h3c", "AcKc", "AcQc")],
)
def test_spots_in_which_nobody_can_meet_are_refused(board: str, first: str, second: str) -> None:
    ranges = np.array([parse_range(first), parse_range(second)])
    with pytest.raises(InputError):
        make_spot(parse_board(board), 200, 100, parse_bet_sizes("allin"), ranges)


def test_a_name_tells_spots_apart() -> None:
    spot = river_spot()
    other = make_spot(spot.board, 200, 19_900, spot.sizes, np.array([FULL[0], parse_range("AA")]))
    assert spot.name != other.name
    assert "board=9s7c5s4h3c" in spot.name


def test_every_flop_may_come() -> None:
    view = HoldemView(make_preflop_spot(parse_bet_sizes("allin"), FULL))
    tree = PublicTree(view)
    (called,) = (node for node in tree.expand(0) if tree.observations[node] == "call")
    (checked,) = (node for node in tree.expand(called) if tree.observations[node] == "check")
    flops = [child.state.board for child in view.children(tree.states[checked])]
    assert len(set(flops)) == len(flops) == 22_100
    assert all(len(board) == 3 for board in flops)
