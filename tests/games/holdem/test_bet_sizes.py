import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import (
    DEFAULT_STREET,
    BetSizes,
    Limits,
    Menu,
    PlayerSizes,
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
    street = DEFAULT_STREET
    assert parse_bet_sizes(" ") == BetSizes(street, street, street, street)


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


def test_sizes_of_one_player_and_donk_bets() -> None:
    sizes = parse_bet_sizes("50/3x;ip:75;oop turn:25,e/2e;donk river:33;cap:3;threshold:67%;merge:10")
    both = Menu((50,), False), Menu((), False, times=(3,))
    assert (sizes.flop.first, sizes.flop.raises, sizes.flop.oop, sizes.flop.donk) == (*both, None, None)
    assert sizes.turn.oop == PlayerSizes(Menu((25,), False, geometric=(0,)), Menu((), False, geometric=(2,)))
    assert sizes.turn.ip == PlayerSizes(Menu((75,), False), Menu((75,), False))
    assert sizes.river.donk == Menu((33,), False)
    assert sizes.limits == (3, 67, 10)
    assert parse_bet_sizes(format_bet_sizes(sizes)) == sizes


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("river:2x", "times the opponent's bet is a raise"),
        ("river:50/1x", "'1x' is not a raise"),
        ("river:5e", "'5e' is not a size"),
        ("cap:1.5", "cap: a number from 1 to 100"),
        ("merge:-1", "merge: a number from 0 to 100"),
        ("ip rivr:50", "'rivr' is not a street"),
        ("ip:50;ip:60", "ip is there twice"),
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
times = st.lists(st.floats(1.01, 100), max_size=2, unique=True).map(lambda sizes: tuple(sorted(sizes)))
geometric = st.sets(st.integers(0, 4), max_size=2).map(lambda sizes: tuple(sorted(sizes)))
menu = st.builds(Menu, percents, st.booleans(), chips, st.just(()), geometric)
raises = st.builds(Menu, percents, st.booleans(), chips, times, geometric)
own = st.none() | st.builds(PlayerSizes, menu, raises)
street = st.builds(StreetSizes, menu, raises, own, own, st.none() | menu, st.just(()), st.just(()))
limits = st.builds(Limits, st.integers(0, 9), st.sampled_from([0, 1, 67.5]), st.sampled_from([0, 10]))


@settings(deadline=None)
@given(st.builds(BetSizes, street, street, street, street, limits))
def test_sizes_read_back_exactly(sizes: BetSizes) -> None:
    assert parse_bet_sizes(format_bet_sizes(sizes)) == sizes
