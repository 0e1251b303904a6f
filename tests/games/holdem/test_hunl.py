"""The whole game: how hands are drawn for training, and what its parameters refuse."""

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.holdem.betting import IP, legal_moves
from sog.games.holdem.hand_records import check_sizes
from sog.games.holdem.hunl import DRAWN_STACKS, draw_hand, make_hunl


def test_hands_are_drawn_with_stacks_and_sizes_of_their_own() -> None:
    rng = np.random.default_rng(0)
    hands = [draw_hand(rng) for _ in range(200)]
    stacks = [hand.betting.stack for hand in hands]
    assert DRAWN_STACKS[0] <= min(stacks) < 6_000 < 19_000 < max(stacks) <= DRAWN_STACKS[1]
    shares = [hand.sizes.flop.first.percents[0] for hand in hands]
    assert 50 <= min(shares) < 55 < 95 < max(shares) <= 100
    for hand in hands:
        check_sizes(hand.sizes)
        assert hand.betting.to_act == IP
        assert hand.betting.committed == (100, 50)


def test_the_menu_is_that_of_the_paper_and_all_in() -> None:
    spot = make_hunl()
    assert [move.label for move in legal_moves(spot.betting, spot.sizes)] == [
        "fold",
        "call",
        "raise75",
        "allin",
    ]
    assert make_hunl(stack=5_000, percent=50).name.startswith(
        "holdem(stack=5000,small_blind=50,big_blind=100"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"stack": 100}, "stack"),
        ({"stack": "x"}, "stack"),
        ({"percent": 0.5}, "percent"),
        ({"percent": "x"}, "percent"),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_hunl(**arguments)  # type: ignore[arg-type]
