import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import (
    DEFAULT_STREET,
    BetSizes,
    Menu,
    StreetSizes,
    format_bet_sizes,
    parse_bet_sizes,
)


def test_streets_by_name() -> None:
    sizes = parse_bet_sizes("flop:33,75;turn:75,allin;river:50,100,allin/100,allin")
    assert sizes.flop == StreetSizes(Menu((33, 75), False), Menu((33, 75), False))
    assert sizes.turn == StreetSizes(Menu((75,), True), Menu((75,), True))
    assert sizes.river == StreetSizes(Menu((50, 100), True), Menu((100,), True))
    assert sizes.preflop == DEFAULT_STREET == StreetSizes(Menu((100,), True), Menu((100,), True))


def test_nothing_is_pot_and_all_in_everywhere() -> None:
    assert parse_bet_sizes(" ") == BetSizes(*[DEFAULT_STREET] * 4)


def test_a_part_without_a_street_holds_for_the_rest() -> None:
    sizes = parse_bet_sizes("50,allin/75; turn: none")
    rest = StreetSizes(Menu((50,), True), Menu((75,), False))
    nothing = StreetSizes(Menu((), False), Menu((), False))
    assert sizes == BetSizes(rest, rest, nothing, rest)


def test_sizes_are_sorted_once_each_and_spaces_do_not_matter() -> None:
    sizes = parse_bet_sizes(" River : AllIn , 100 %, 33.5,100 / none ")
    assert sizes.river == StreetSizes(Menu((33.5, 100), True), Menu((), False))


def test_chips_stand_beside_percentages() -> None:
    sizes = parse_bet_sizes("river:300c, 150C,50,allin/900c,150c")
    assert sizes.river.first == Menu((50,), True, (150, 300))
    assert sizes.river.raises == Menu((), False, (150, 900))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("river:0c", "'0c' is not a number of chips from 1c"),
        ("river:9999999999c", "is not a number of chips"),
        ("0.5", "'0.5' is less than 1 % of the pot; half the pot is 50"),
        ("river", "'river': a colon and sizes follow a street, as in river:50,allin"),
        ("turn 50", "'turn 50': a colon and sizes follow a street, as in turn:50,allin"),
        ("50;;75", "a part without a street is there twice"),
        ("river:1.5c", "'1.5c' is not a size"),
        ("river:c", "'c' is not a size"),
        ("rivr:50", "'rivr' is not a street"),
        ("river:50;river:75", "river is there twice"),
        ("50;75", "twice"),
        ("river:50,x", "'x' is not a size"),
        ("river:0", "'0' is not a size"),
        ("river:-5", "'-5' is not a size"),
        ("river:20000", "'20000' is not a size"),
        ("river:inf", "'inf' is not a size"),
        ("river:", "'' is not a size"),
        ("river:50,", "'' is not a size"),
        ("river:50;", "'' is not a size"),
        ("river:50,none", "'none' is not a size"),
        ("river:50/75/100", "'50/75/100' has more than one slash"),
        ("flop:33:75", "'flop:33' is not a street"),
    ],
)
def test_errors_point_at_the_token(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        parse_bet_sizes(text)


percents = st.lists(st.floats(1, 10_000), max_size=4, unique=True).map(lambda sizes: tuple(sorted(sizes)))
chips = st.lists(st.integers(1, 10**9), max_size=3, unique=True).map(lambda sizes: tuple(sorted(sizes)))
menu = st.builds(Menu, percents, st.booleans(), chips)
street = st.builds(StreetSizes, menu, menu, st.just(()))


@settings(deadline=None)
@given(st.builds(BetSizes, street, street, street, street))
def test_sizes_read_back_exactly(sizes: BetSizes) -> None:
    assert parse_bet_sizes(format_bet_sizes(sizes)) == sizes
