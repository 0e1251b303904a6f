from collections import Counter
from collections.abc import Iterator

import pytest

from sog.core.errors import InputError
from sog.core.rng import make_rng
from sog.games.base import CHANCE, TERMINAL
from sog.games.holdem.bet_sizes import FLOP, PREFLOP, RIVER, TURN, BetSizes, parse_bet_sizes
from sog.games.holdem.betting import (
    IP,
    NOBODY,
    OOP,
    Betting,
    Move,
    MoveKind,
    actor,
    apply,
    at_stake,
    deal,
    exact_move,
    find_move,
    is_showdown,
    legal_moves,
    pot_size,
    start_hand,
    start_street,
)

POT_AND_ALL_IN = parse_bet_sizes("")

# Each node of the river tree: history, who acts or how it ended, both commitments, moves.
# f fold, c check or call, p pot, a all-in; P0 acts, F0 has folded, S showdown.
RIVER_TREE = """
-:P0:100,100:cpa c:P1:100,100:cpa cc:S:100,100: cp:P0:100,300:fcpa cpf:F0:100,300: cpc:S:300,300:
cpp:P1:900,300:fcpa cppf:F1:900,300: cppc:S:900,900: cppp:P0:900,2700:fcpa cpppf:F0:900,2700:
cpppc:S:2700,2700: cpppp:P1:8100,2700:fca cppppf:F1:8100,2700: cppppc:S:8100,8100: cppppa:P0:8100,20000:fc
cppppaf:F0:8100,20000: cppppac:S:20000,20000: cpppa:P1:20000,2700:fc cpppaf:F1:20000,2700:
cpppac:S:20000,20000: cppa:P0:900,20000:fc cppaf:F0:900,20000: cppac:S:20000,20000: cpa:P1:20000,300:fc
cpaf:F1:20000,300: cpac:S:20000,20000: ca:P0:100,20000:fc caf:F0:100,20000: cac:S:20000,20000:
p:P1:300,100:fcpa pf:F1:300,100: pc:S:300,300: pp:P0:300,900:fcpa ppf:F0:300,900: ppc:S:900,900:
ppp:P1:2700,900:fcpa pppf:F1:2700,900: pppc:S:2700,2700: pppp:P0:2700,8100:fca ppppf:F0:2700,8100:
ppppc:S:8100,8100: ppppa:P1:20000,8100:fc ppppaf:F1:20000,8100: ppppac:S:20000,20000: pppa:P0:2700,20000:fc
pppaf:F0:2700,20000: pppac:S:20000,20000: ppa:P1:20000,900:fc ppaf:F1:20000,900: ppac:S:20000,20000:
pa:P0:300,20000:fc paf:F0:300,20000: pac:S:20000,20000: a:P1:20000,100:fc af:F1:20000,100: ac:S:20000,20000:
"""
LETTERS = {"fold": "f", "check": "c", "call": "c", "allin": "a", "bet100": "p", "raise100": "p"}


def describe_tree(state: Betting, sizes: BetSizes, history: str = "") -> Iterator[str]:
    player = actor(state)
    moves = legal_moves(state, sizes) if player in (OOP, IP) else []
    kind = f"P{player}" if moves else f"F{state.folded}" if state.folded != NOBODY else "S"
    letters = "".join(LETTERS[move.label] for move in moves)
    yield f"{history or '-'}:{kind}:{state.committed[0]},{state.committed[1]}:{letters}"
    for letter, move in zip(letters, moves, strict=True):
        yield from describe_tree(apply(state, move), sizes, history + letter)


def test_the_river_tree_node_by_node() -> None:
    nodes = list(describe_tree(start_street(RIVER, 200, 19_900), parse_bet_sizes("river:100,allin")))
    assert nodes == RIVER_TREE.split()
    kinds = [node.split(":")[1][0] for node in nodes]
    assert (len(nodes), kinds.count("P"), kinds.count("S"), kinds.count("F")) == (57, 20, 19, 18)
    assert sum(len(node.split(":")[3]) for node in nodes) == 56


def count_moves(state: Betting, sizes: BetSizes) -> Counter[int]:
    """How many moves the decisions of each street have together, cards told apart only by street."""
    if actor(state) == TERMINAL:
        return Counter()
    if actor(state) == CHANCE:
        return count_moves(deal(state), sizes)
    moves = legal_moves(state, sizes)
    return sum(
        (count_moves(apply(state, move), sizes) for move in moves), Counter({state.street: len(moves)})
    )


def test_the_size_of_a_turn_spot() -> None:
    """109.5 million hand-action entries: 48 rivers, 1,128 hands on the turn and 1,081 on the river."""
    moves = count_moves(start_street(TURN, 1_000, 19_000), parse_bet_sizes("50,100,allin"))
    assert moves == {TURN: 320, RIVER: 2_104}
    assert moves[TURN] * 1_128 + moves[RIVER] * 48 * 1_081 == 109_533_312


def play(state: Betting, sizes: BetSizes, path: str) -> Betting:
    """Follow labels; a slash deals the next street."""
    for label in path.split(","):
        if label == "/":
            state = deal(state)
        else:
            state = apply(state, find_move(state, legal_moves(state, sizes), label))
    return state


def labels(state: Betting, sizes: BetSizes, exact: tuple[int, ...] = ()) -> list[str]:
    return [move.label for move in legal_moves(state, sizes, exact)]


def totals(state: Betting, sizes: BetSizes, exact: tuple[int, ...] = ()) -> list[int]:
    return [move.total for move in legal_moves(state, sizes, exact) if move.kind == MoveKind.BET]


def test_the_button_acts_first_before_the_flop_and_last_after_it() -> None:
    state = start_hand()
    assert (state.committed, actor(state), state.stack) == ((100, 50), IP, 20_000)
    assert legal_moves(state, POT_AND_ALL_IN) == [
        Move(MoveKind.FOLD, 50, "fold"),
        Move(MoveKind.CALL, 100, "call"),
        Move(MoveKind.BET, 300, "raise100"),
        Move(MoveKind.BET, 20_000, "allin"),
    ]
    limped = play(state, POT_AND_ALL_IN, "call")
    assert actor(limped) == OOP
    assert labels(limped, POT_AND_ALL_IN) == ["check", "raise100", "allin"]
    checked = play(limped, POT_AND_ALL_IN, "check")
    assert (actor(checked), checked.street, checked.committed) == (CHANCE, PREFLOP, (100, 100))
    flop = deal(checked)
    assert (actor(flop), flop.street, flop.last_raise, flop.num_raises) == (OOP, FLOP, 0, 0)


def test_the_big_blind_may_raise_a_limp_and_a_call_ends_the_round() -> None:
    state = play(start_hand(), POT_AND_ALL_IN, "call,raise100")
    assert (actor(state), state.committed) == (IP, (300, 100))
    assert actor(play(state, POT_AND_ALL_IN, "call")) == CHANCE
    assert actor(play(start_hand(), POT_AND_ALL_IN, "raise100,call")) == CHANCE


def test_the_first_raise_before_the_flop_is_the_first_bet() -> None:
    sizes = parse_bet_sizes("preflop:50/100")
    assert totals(start_hand(), sizes) == [200]
    assert totals(play(start_hand(), sizes, "raise50"), sizes) == [600]


def test_check_check_goes_to_the_next_street_and_ends_on_the_river() -> None:
    state = start_street(TURN, 1_000, 19_500)
    after = play(state, POT_AND_ALL_IN, "check,check")
    assert actor(after) == CHANCE
    river = deal(after)
    assert (river.street, actor(river), is_showdown(river)) == (RIVER, OOP, False)
    done = play(river, POT_AND_ALL_IN, "check,check")
    assert (actor(done), is_showdown(done), at_stake(done)) == (TERMINAL, True, 500)


def test_a_fold_ends_the_hand() -> None:
    state = play(start_street(FLOP, 200, 900), POT_AND_ALL_IN, "bet100,fold")
    assert (actor(state), state.folded, is_showdown(state)) == (TERMINAL, IP, False)
    assert (at_stake(state), pot_size(state)) == (100, 400)


def test_after_all_in_the_cards_are_dealt_without_betting() -> None:
    state = play(start_street(FLOP, 200, 900), POT_AND_ALL_IN, "allin")
    assert labels(state, POT_AND_ALL_IN) == ["fold", "call"]
    state = play(state, POT_AND_ALL_IN, "call")
    streets = []
    while actor(state) == CHANCE:
        state = deal(state)
        streets.append(state.street)
    assert streets == [TURN, RIVER]
    assert is_showdown(state)
    assert at_stake(state) == 1_000


def test_blinds_that_are_the_whole_stack() -> None:
    state = start_hand(stack=100)
    assert labels(state, POT_AND_ALL_IN) == ["fold", "call"]
    assert actor(play(state, POT_AND_ALL_IN, "call")) == CHANCE
    assert actor(deal(play(state, POT_AND_ALL_IN, "call"))) == CHANCE


def test_a_big_blind_that_exceeds_the_stack_leaves_the_button_fold_or_call() -> None:
    state = start_hand(stack=80)
    assert (state.committed, actor(state)) == ((80, 50), IP)
    assert legal_moves(state, POT_AND_ALL_IN) == [
        Move(MoveKind.FOLD, 50, "fold"),
        Move(MoveKind.CALL, 80, "call"),
    ]
    assert at_stake(play(state, POT_AND_ALL_IN, "fold")) == 50
    called = play(state, POT_AND_ALL_IN, "call,/,/,/")
    assert (is_showdown(called), at_stake(called)) == (True, 80)


@pytest.mark.parametrize("stack", [1, 30, 50])
def test_a_small_blind_that_takes_the_stack_leaves_nothing_to_do(stack: int) -> None:
    state = start_hand(stack=stack)
    assert (state.committed, actor(state), pot_size(state)) == ((stack, stack), CHANCE, 2 * stack)
    for _ in range(3):
        state = deal(state)
    assert (is_showdown(state), at_stake(state)) == (True, stack)


def test_the_smallest_raises_before_the_flop() -> None:
    assert exact_move(start_hand(), 200) == Move(MoveKind.BET, 200, "raise200c")
    with pytest.raises(InputError, match="raise199c: from 200c to 20000c"):
        exact_move(start_hand(), 199)
    raised = apply(start_hand(), exact_move(start_hand(), 350))  # a raise of 250
    with pytest.raises(InputError, match="from 600c"):
        exact_move(raised, 599)
    short = start_hand(stack=150)
    assert totals(short, POT_AND_ALL_IN) == [150]  # all-in is less than a raise
    assert labels(play(short, POT_AND_ALL_IN, "allin"), POT_AND_ALL_IN) == ["fold", "call"]
    with pytest.raises(InputError, match="from 150c to 150c"):
        exact_move(short, 149)


def test_a_start_without_chips_behind_has_no_betting() -> None:
    assert actor(start_street(TURN, 200, 0)) == CHANCE
    assert is_showdown(start_street(RIVER, 200, 0))


def test_sizes_are_percentages_of_the_pot_after_the_call() -> None:
    sizes = parse_bet_sizes("river:33,75/50")
    state = start_street(RIVER, 1_000, 19_500)
    assert totals(state, sizes) == [500 + 330, 500 + 750]
    assert labels(state, sizes) == ["check", "bet33", "bet75"]
    raised = play(state, sizes, "bet75")
    assert totals(raised, sizes) == [1_250 + 1_250]
    assert labels(raised, sizes) == ["fold", "call", "raise50"]


def test_sizes_are_rounded_to_the_nearest_chip() -> None:
    state = start_street(RIVER, 205, 10_000, big_blind=1)
    assert totals(state, parse_bet_sizes("33,50")) == [102 + 68, 102 + 103]  # 67.65 and 102.5


def test_an_odd_chip_of_the_pot_counts() -> None:
    state = start_street(RIVER, 205, 10_000, big_blind=1)
    assert (state.committed, pot_size(state), state.stack) == ((102, 102), 205, 10_102)
    assert totals(state, parse_bet_sizes("100")) == [102 + 205]
    assert at_stake(state) == 102.5


def test_a_size_that_reaches_the_stack_is_all_in() -> None:
    for text in ("50,100,200,allin", "50,100,200", "50,100", "50,100.5"):
        assert labels(start_street(RIVER, 200, 200), parse_bet_sizes(text)) == ["check", "bet50", "allin"]
    assert labels(start_street(RIVER, 200, 200), parse_bet_sizes("50")) == ["check", "bet50"]


def test_sizes_below_the_minimum_are_lifted_and_collapse() -> None:
    state = start_street(RIVER, 200, 19_900)
    assert totals(state, parse_bet_sizes("10,33,50,75")) == [200, 250]
    assert labels(state, parse_bet_sizes("10,33,50,75")) == ["check", "bet50", "bet75"]
    assert labels(state, parse_bet_sizes("10,33")) == ["check", "bet100c"]  # named as what it is
    assert find_move(state, legal_moves(state, parse_bet_sizes("10,33")), "bet33").label == "bet100c"


def test_a_raise_is_at_least_the_previous_raise_of_the_round() -> None:
    sizes = parse_bet_sizes("200/10,100")
    state = play(start_street(TURN, 200, 19_900), sizes, "bet200")
    assert totals(state, sizes) == [500 + 400, 500 + 1_000]  # 10 % would be 100
    state = play(state, sizes, "raise10")
    assert (state.last_raise, state.num_raises) == (400, 2)
    assert min(totals(state, sizes)) == 900 + 400
    river = deal(play(state, sizes, "call"))
    assert totals(river, parse_bet_sizes("1")) == [900 + 100]  # a new round starts from the big blind


def test_all_in_may_be_less_than_the_minimum_raise() -> None:
    sizes = parse_bet_sizes("100")
    state = play(start_street(RIVER, 200, 300), sizes, "bet100")
    assert totals(state, sizes) == [400]
    assert labels(state, sizes) == ["fold", "call", "allin"]


def test_a_menu_may_be_empty() -> None:
    state = start_street(RIVER, 200, 19_900)
    assert labels(state, parse_bet_sizes("none")) == ["check"]
    sizes = parse_bet_sizes("50/none")
    assert labels(play(state, sizes, "bet50"), sizes) == ["fold", "call"]


def test_sizes_in_chips_are_put_in_during_the_round() -> None:
    sizes = parse_bet_sizes("50,300c,20000c/900c,1500c")
    state = start_street(RIVER, 1_000, 19_500)
    assert labels(state, sizes) == ["check", "bet300c", "bet50", "allin"]
    assert totals(state, sizes) == [800, 1_000, 20_000]
    assert totals(play(state, sizes, "bet300c"), sizes) == [1_400, 2_000]
    assert labels(play(state, sizes, "bet300c,raise900c"), sizes) == ["fold", "call", "raise1500c"]
    assert totals(start_hand(), parse_bet_sizes("250c")) == [250]


def test_chips_below_the_minimum_are_lifted_for_a_bet_and_left_out_for_a_raise() -> None:
    sizes = parse_bet_sizes("20c,500c/700c,1200c")
    state = start_street(RIVER, 1_000, 19_500)
    assert labels(state, sizes) == ["check", "bet100c", "bet500c"]
    assert labels(play(state, sizes, "bet500c"), sizes) == ["fold", "call", "raise1200c"]
    short = start_street(RIVER, 200, 60, big_blind=100)
    assert labels(short, parse_bet_sizes("20c")) == ["check", "allin"]


def test_chips_and_percentages_that_agree_are_one_move() -> None:
    assert labels(start_street(RIVER, 1_000, 19_500), parse_bet_sizes("50,500c")) == ["check", "bet50"]


def test_an_exact_bet_joins_the_menu() -> None:
    sizes = parse_bet_sizes("50,100,allin")
    state = start_street(RIVER, 1_000, 19_500)
    assert labels(state, sizes, (325, 700)) == ["check", "bet325c", "bet50", "bet700c", "bet100", "allin"]
    assert labels(state, sizes, (500, 19_500)) == ["check", "bet50", "bet100", "allin"]
    after = apply(state, exact_move(state, 325))
    assert (after.committed, after.last_raise) == ((825, 500), 325)
    assert exact_move(after, 650) == Move(MoveKind.BET, 1_150, "raise650c")


@pytest.mark.parametrize("chips", [0, 99, 19_501])
def test_exact_bets_obey_the_rules(chips: int) -> None:
    with pytest.raises(InputError, match=f"bet{chips}c: from 100c to 19500c"):
        exact_move(start_street(RIVER, 1_000, 19_500), chips)


def test_nobody_raises_an_all_in() -> None:
    state = play(start_street(RIVER, 200, 300), POT_AND_ALL_IN, "allin")
    with pytest.raises(InputError, match="all-in"):
        exact_move(state, 300)


def test_exact_raises_reach_the_minimum_or_the_stack() -> None:
    state = play(start_street(RIVER, 1_000, 1_500), POT_AND_ALL_IN, "bet100")
    assert exact_move(state, 1_500).label == "allin"
    with pytest.raises(InputError, match="from 1500c to 1500c"):
        exact_move(state, 1_499)


def test_moves_are_found_as_people_write_them() -> None:
    state = start_street(RIVER, 1_000, 19_500)
    moves = legal_moves(state, parse_bet_sizes("33.5,75,allin"), (325,))
    texts = {"Check": "check", "bet 75%": "bet75", "bet33.5": "bet33.5", "all-in": "allin", "ALLIN": "allin"}
    texts |= {"bet=325": "bet325c", "Bet 325c": "bet325c", "bet = 750": "bet75", "bet19500c": "allin"}
    assert {text: find_move(state, moves, text).label for text in texts} == texts


def test_a_bet_that_is_all_in_has_both_names() -> None:
    state = start_street(RIVER, 1_000, 900)
    moves = legal_moves(state, parse_bet_sizes("50,100"))
    assert [move.label for move in moves] == ["check", "bet50", "allin"]
    assert [find_move(state, moves, text).label for text in ("bet100", "allin", "bet900c")] == ["allin"] * 3


@pytest.mark.parametrize("text", ["", "call", "bet50", "bet=100", "bet=0", "raise75", "bet"])
def test_other_moves_are_refused_with_those_possible(text: str) -> None:
    state = start_street(RIVER, 1_000, 19_500)
    with pytest.raises(InputError, match="the moves are check, bet75, allin"):
        find_move(state, legal_moves(state, parse_bet_sizes("75,allin")), text)


@pytest.mark.parametrize(
    ("street", "pot", "stack", "big_blind", "reason"),
    [
        (PREFLOP, 200, 100, 100, "street"),
        (4, 200, 100, 100, "street"),
        (RIVER, 1, 100, 1, "pot"),
        (RIVER, 200, -1, 100, "stack"),
        (RIVER, 198, 100, 100, "big blind must be a whole number from 1 to 99"),
    ],
)
def test_impossible_starts_are_refused(
    street: int, pot: int, stack: int, big_blind: int, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        start_street(street, pot, stack, big_blind)


def test_impossible_hands_are_refused() -> None:
    for stack, small_blind, big_blind in ((0, 50, 100), (200, 101, 100), (200, 0, 0)):
        with pytest.raises(InputError):
            start_hand(stack, small_blind, big_blind)


def test_promises_of_random_hands() -> None:
    rng = make_rng(5)
    texts = ["", "33,75,allin", "1,50/1", "100/none", "10,20,30,40,50,allin/25,300"]
    for _ in range(400):
        sizes = parse_bet_sizes(texts[rng.integers(len(texts))])
        state = start_hand(stack=int(rng.integers(100, 5_000)))
        while (player := actor(state)) != TERMINAL:
            if player == CHANCE:
                state = deal(state)
                continue
            moves = legal_moves(state, sizes)
            assert len({move.label for move in moves}) == len(moves)
            bets = [move.total for move in moves if move.kind == MoveKind.BET]
            assert bets == sorted(set(bets))
            for total in bets:
                raised = total - max(state.committed)
                assert raised >= max(100, state.last_raise) or (total == state.stack and raised > 0)
            before, state = state, apply(state, moves[rng.integers(len(moves))])
            for old, new in zip(before.committed, state.committed, strict=True):
                assert old <= new <= state.stack
        assert is_showdown(state) == (state.folded == NOBODY)
        assert not is_showdown(state) or state.committed[0] == state.committed[1]
        assert state.street == RIVER or state.folded != NOBODY


def test_each_player_has_its_own_sizes_and_donk_bets_are_apart() -> None:
    sizes = parse_bet_sizes("oop:50;ip:75;donk turn:25")
    flop = start_street(FLOP, 100, 1_000, 1)
    assert labels(flop, sizes) == ["check", "bet50"]
    checked = play(flop, sizes, "check")
    assert labels(checked, sizes) == ["check", "bet75"]
    after_bet = deal(play(play(checked, sizes, "bet75"), sizes, "call"))
    assert labels(after_bet, sizes) == ["check", "bet25"]  # into the one who bet last
    assert labels(deal(play(checked, sizes, "check")), sizes) == ["check", "bet50"]
    river = deal(play(play(after_bet, sizes, "check"), sizes, "check"))
    assert labels(river, sizes) == ["check", "bet50"]


def test_raises_in_times_of_the_bet() -> None:
    sizes = parse_bet_sizes("50/2.5x,4x")
    state = play(start_street(RIVER, 100, 1_000, 1), sizes, "bet50")
    assert labels(state, sizes) == ["fold", "call", "raise2.5x", "raise4x"]
    assert totals(state, sizes) == [50 + 125, 50 + 200]
    again = play(state, sizes, "raise4x")
    assert labels(again, sizes) == ["fold", "call", "raise2.5x", "raise4x"]
    assert totals(again, sizes) == [50 + 500, 50 + 800]
    assert totals(play(again, sizes, "raise2.5x"), sizes) == [1_050]  # 1,250 and 2,000 are all-in


@pytest.mark.parametrize(("size", "streets"), [("e", 3), ("2e", 2), ("3e", 3), ("1e", 1)])
def test_geometric_bets_are_all_in_after_equal_shares_of_the_pot(size: str, streets: int) -> None:
    sizes, state = parse_bet_sizes("e" if size == "e" else size), start_street(FLOP, 1_000, 13_000, 1)
    shares = []
    for street in range(streets):
        if size == "2e" and street == 1:
            sizes = parse_bet_sizes("1e")  # one street is left of two
        if size == "3e" and street > 0:
            sizes = parse_bet_sizes(f"{3 - street}e")
        (total,) = totals(state, sizes)
        shares.append((total - state.committed[0]) / pot_size(state))
        state = apply(state, legal_moves(state, sizes)[-1])
        state = apply(state, find_move(state, legal_moves(state, sizes), "call"))
        if street + 1 < streets:
            state = deal(state)
    assert state.committed == (13_500, 13_500)
    assert shares == pytest.approx([shares[0]] * streets, rel=1e-3)


def test_a_cap_a_threshold_and_merging() -> None:
    state = start_street(RIVER, 100, 1_000, 1)
    capped = parse_bet_sizes("100;cap:2")
    raised = play(play(state, capped, "bet100"), capped, "raise100")
    assert labels(raised, capped) == ["fold", "call"]
    assert labels(state, parse_bet_sizes("100,600,700;threshold:67")) == [
        "check",
        "bet100",
        "bet600",
        "allin",
    ]
    # From the largest down: 105 stays, (100 + 105) / (100 + 100) < 1.1, then 80.
    assert labels(state, parse_bet_sizes("80,100,105;merge:10")) == ["check", "bet80", "bet105"]


def test_antes_are_in_the_pot_and_out_of_the_stacks() -> None:
    state = start_hand(1_000, 5, 10, ante=2)
    assert (pot_size(state), state.stack, state.committed) == (19, 998, (10, 5))
    folded = apply(state, legal_moves(state, parse_bet_sizes(""))[0])
    assert at_stake(folded) == 5 + 2
