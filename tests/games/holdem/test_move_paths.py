import pytest

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import RIVER, TURN, parse_bet_sizes
from sog.games.holdem.betting import (
    IP,
    OOP,
    Betting,
    actor,
    apply,
    legal_moves,
    start_hand,
    start_street,
)
from sog.games.holdem.move_paths import add_bet, play_history, read_move, remove_move
from tests.games.holdem.test_betting import labels, play

POT = parse_bet_sizes("100")


def river(stack: int = 19_900) -> Betting:
    return start_street(RIVER, 200, stack)


@pytest.mark.parametrize(
    ("text", "total", "label"),
    [
        ("check", 100, "check"),
        ("bet60", 220, "bet60"),
        ("Bet 62.5 %", 225, "bet62.5"),
        ("bet123c", 223, "bet123c"),
        ("bet=123", 223, "bet123c"),
        ("bet1", 200, "bet100c"),  # lifted to the big blind, as on a menu
        ("bet10000", 20_000, "allin"),
        ("bet19900c", 20_000, "allin"),
        ("All-in", 20_000, "allin"),
    ],
)
def test_any_legal_bet_may_be_written(text: str, total: int, label: str) -> None:
    move = read_move(river(), text)
    assert (move.total, move.label) == (total, label)


def test_a_history_is_played_move_by_move() -> None:
    state, path = play_history(river(), "check, bet 75, raise900c")
    assert path == ("check", "bet75", "raise900c")
    assert (state.committed, state.last_raise, actor(state)) == ((1_000, 250), 750, IP)
    assert play_history(river(), " ") == (river(), ())


def test_a_history_before_the_flop_starts_with_the_button() -> None:
    state, path = play_history(start_hand(), "call,raise100")
    assert (path, state.committed, actor(state)) == (("call", "raise100"), (300, 100), IP)
    assert play_history(start_hand(), "raise250c").state.committed == (100, 250)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bet", "'bet' is not a move here; write check, allin, bet75 or bet300c"),
        ("call", "'call' is not a move here"),
        ("check,raise75", "after 'check': 'raise75' is not a move here; it is a bet here"),
        ("bet75,bet100", "after 'bet75': 'bet100' is not a move here; it is a raise here"),
        ("bet99c", "bet99c: from 100c to 19900c are possible here"),
        ("bet0", "'bet0': a percentage is from 1 to 10000"),
        ("bet75,raise299c", "from 300c"),
        ("allin,raise75", "after 'allin': 'raise75': the opponent is all-in; the moves are fold, call"),
        ("check,,bet75", "an empty place between commas"),
        ("check,", "an empty place"),
        ("bet75,fold", "the hand is over after 'bet75,fold'"),
        ("check,check", "the hand is over after 'check,check'"),
    ],
)
def test_impossible_histories_are_refused(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        play_history(river(), text)


def test_a_history_stays_on_its_street() -> None:
    with pytest.raises(
        InputError, match="the turn round is over after 'bet75,call': start on the next board"
    ):
        play_history(start_street(TURN, 200, 19_900), "bet75,call,check")


@pytest.mark.parametrize("start", [start_hand(stack=50), start_street(TURN, 200, 0)])
def test_nobody_moves_where_both_are_all_in(start: Betting) -> None:
    for refused in (lambda: play_history(start, "check"), lambda: add_bet(POT, start, "bet60")):
        with pytest.raises(InputError, match="both players are all-in, and only cards come"):
            refused()


def test_a_street_without_chips_behind_has_no_bets() -> None:
    turn = start_street(TURN, 200, 100)
    with pytest.raises(InputError, match="after 'allin,call': 'bet60' comes after the hand is over"):
        add_bet(parse_bet_sizes("50"), turn, "bet50,call,bet60")


def test_an_added_bet_stands_at_its_point_alone() -> None:
    sizes = add_bet(POT, river(), "check,bet60")
    after_check = play(river(), sizes, "check")
    assert labels(after_check, sizes) == ["check", "bet60", "bet100"]
    assert labels(river(), sizes) == ["check", "bet100"]
    answered = play(after_check, sizes, "bet60")
    assert (answered.committed, actor(answered)) == ((100, 220), OOP)
    assert labels(answered, sizes) == ["fold", "call", "raise100"]
    assert play(after_check, sizes, "bet120c") == answered  # the same chips
    assert sizes.added_paths == ["check,bet60"]


def test_an_added_bet_may_follow_another() -> None:
    sizes = add_bet(POT, river(), "bet325c")
    with pytest.raises(InputError, match="after 'bet325c': raise1000c is not in the tree; add it first"):
        add_bet(sizes, river(), "bet325c,raise1000c,allin")
    sizes = add_bet(add_bet(sizes, river(), "bet325c,raise1000c"), river(), "bet325c,raise1000c,allin")
    assert labels(play(river(), sizes, "bet325c,raise1000c"), sizes) == [
        "fold",
        "call",
        "raise100",
        "allin",
    ]
    assert sizes.added_paths == ["bet325c", "bet325c,raise1000c", "bet325c,raise1000c,allin"]


def test_an_added_bet_on_a_later_street_is_there_whatever_card_comes() -> None:
    turn = start_street(TURN, 200, 19_900)
    sizes = add_bet(POT, turn, "check,bet100,call,bet50")
    assert labels(play(turn, sizes, "check,bet100,call,/"), sizes) == ["check", "bet50", "bet100"]
    assert labels(play(turn, sizes, "check,check,/"), sizes) == ["check", "bet100"]


def test_a_bet_of_the_menu_adds_nothing() -> None:
    for path in ("bet100", "check,bet100", "bet200c", "bet100,raise100"):
        assert add_bet(POT, river(), path) == POT


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "no bet: write the moves"),
        ("check", "'check' ends with check: only bets can be added"),
        ("bet60,call", "after|bet60 is not in the tree; add it first"),
        ("check,check,bet60", "after 'check,check': 'bet60' comes after the hand is over"),
        ("check,Ah", "after 'check': 'Ah' is not a move here"),
        ("bet20000c", "from 100c to 19900c"),
    ],
)
def test_what_cannot_be_added_is_refused(path: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        add_bet(POT, river(), path)


def test_moves_are_removed_where_a_path_leads() -> None:
    start, sizes = start_street(TURN, 200, 400), parse_bet_sizes("50,allin")
    fewer = remove_move(sizes, start, "check,bet50")
    checked = apply(start, legal_moves(start, fewer)[0])
    assert [move.label for move in legal_moves(checked, fewer)] == ["check", "allin"]
    assert [move.label for move in legal_moves(start, fewer)] == ["check", "bet50", "allin"]
    assert fewer.removed_paths == ["check,bet50"]
    later = remove_move(fewer, start, "check,check,check")  # on the river, whatever card comes
    assert later.removed_paths == ["check,bet50", "check,check,check"]
    for path, reason in [("check,bet50", "'bet50' is not a move here"), ("", "no move"), ("fold", "'fold'")]:
        with pytest.raises(InputError, match=reason):
            remove_move(fewer, start, path)
    facing = remove_move(sizes, start, "allin,fold")
    with pytest.raises(InputError, match="call is the only move left"):
        remove_move(facing, start, "allin,call")
