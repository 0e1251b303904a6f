from itertools import combinations

import pytest

from sog.core.errors import InputError
from sog.games.holdem.cards import NUM_SUITS, parse_board
from sog.games.holdem.flops import NUM_FLOPS, SUBSETS, Flop, all_flops, first_alike, read_flops


def test_there_are_1755_flops_that_stand_for_all() -> None:
    flops = all_flops()
    assert len(flops) == 1755
    assert sum(flop.weight for flop in flops) == NUM_FLOPS
    assert all(first_alike(flop.board) == flop.board for flop in flops)
    by_suits = {number: sum(f.weight for f in flops if _num_suits(f) == number) for number in (1, 2, 3)}
    assert by_suits == {1: 286 * 4, 2: 12_168, 3: 8_788}
    assert flops[0].name == "AsAhAd"


def _num_suits(flop: Flop) -> int:
    return len({card % NUM_SUITS for card in flop.board})


def test_flops_alike_have_one_stand_in() -> None:
    suits = "shdc"
    names = [f"Q{a}J{b}2{b}" for a, b in combinations(suits, 2)]
    assert {first_alike(parse_board(name)) for name in names} == {first_alike(parse_board("Qs2hJh"))}
    assert first_alike(parse_board("QsJs2h")) != first_alike(parse_board("QsJh2h"))


@pytest.mark.parametrize("size", SUBSETS)
def test_subsets_stand_for_all_flops(size: int) -> None:
    flops, known = read_flops(str(size)), {flop.board for flop in all_flops()}
    assert len({flop.board for flop in flops}) == size
    assert {flop.board for flop in flops} <= known
    assert sum(flop.weight for flop in flops) == NUM_FLOPS
    paired = sum(f.weight for f in flops if len({card // NUM_SUITS for card in f.board}) < 3)
    assert paired == 3_796  # as many as there are
    assert sum(flop.weight for flop in flops if _num_suits(flop) == 1) == 286 * 4


def test_flops_by_name() -> None:
    assert read_flops(" QsJh2h:3; AhAd7c,") == [
        Flop(parse_board("QsJh2h"), 3),
        Flop(parse_board("AhAd7c"), 1),
    ]
    assert len(read_flops("ALL")) == 1755


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("26", "subsets of 25, 85 and all, not of 26"),
        ("QsJh", "a board has 0, 3, 4 or 5 cards"),
        ("QsJh2h3d", "has 4 cards, a flop has 3"),
        ("QsJh2h,QsJh2h", "is there twice"),
        ("QsJh2h:0", "a weight is a positive number"),
        ("QsJh2h:x", "a weight is a positive number"),
        (" , ", "give 25, 85, all"),
    ],
)
def test_other_texts_are_refused(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_flops(text)
