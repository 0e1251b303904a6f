"""What people type for moves."""

import pytest

from sog.games.registry import load
from sog.interfaces.cli.move_reader import Choices, find_name, list_choices, read_move


def read(name: str, answer: str, *moves: str) -> str:
    """Return the move that an answer means after moves, or what is said instead."""
    game = load(name)
    world = game.initial_world()
    for move in moves:
        named = {game.action_name(world, action): action for action in game.moves(world)}
        world = game.apply(world, named[move])
    choices = list_choices(game, world)
    found = read_move(game, world, choices, answer)
    return found if isinstance(found, str) else choices.names[found]


@pytest.mark.parametrize(
    ("game", "moves", "answer", "meant"),
    [
        ("kuhn", "J K", "1", "pass"),
        ("kuhn", "J K", "B", "bet"),
        ("leduc", "Js Ks", "3", "raise"),
        ("leduc", "Js Ks raise", "3", "raise"),  # the number is the same though fold has come before it
        ("leduc", "Js Ks raise", "1", "fold"),
        ("leduc", "Js Ks raise", " FO ", "fold"),
        ("goofspiel(cards=5)", "", "3", "3"),  # names that are numbers
        ("tictactoe", "", "b2", "b2"),
        ("tictactoe", "b2", "1", "a3"),
        ("connect_four", "", "4", "d"),
        ("breakthrough", "", "a7a6", "a7a6"),
        ("chess", "", "e4", "e4"),
        ("chess", "", "e2e4", "e4"),
        ("chess", "", "Nf3", "Nf3"),
        ("chess", "e2e4 f7f5", "exf5", "exf5"),
        ("go", "", "d4", "D4"),
        ("go", "", "PASS", "pass"),
        ("go", "", "p", "pass"),
        ("rps", "", "r", "rock"),
        ("liars_dice", "1 1", "2x6", "2x6"),
    ],
)
def test_moves_by_name_beginning_or_number(game: str, moves: str, answer: str, meant: str) -> None:
    assert read(game, answer, *moves.split()) == meant


def test_scotland_yard_by_ticket_and_station() -> None:
    moves = ("13", "26", "29", "34", "50", "91", "taxi 72")
    assert read("scotland_yard(map=london)", "taxi 23", *moves) == "taxi 23"
    assert read("scotland_yard(map=london)", "t 23", *moves) == "taxi 23"
    assert read("scotland_yard(map=london)", "u 89", *moves) == "underground 89"
    assert "could be" in read("scotland_yard(map=london)", "t", *moves)


@pytest.mark.parametrize(
    ("game", "answer", "said"),
    [
        ("kuhn", "raise", "'raise' is no move here: type pass (1) or bet (2)."),
        ("kuhn", "", "'' is no move here: type pass (1) or bet (2)."),
        ("kuhn", "3", "'3' is no move here: type pass (1) or bet (2)."),
        (
            "chess",
            "e5",
            "'e5' is no move here: type one of 20 moves, such as a3, f3, c4, h4; moves lists all.",
        ),
        ("chess", "e2", "'e2' is no move here"),
        ("go", "Z9", "'Z9' is no move here"),
        ("go", "A", "'A' could be A1 or A2 or A3 or A4 or another."),
    ],
)
def test_what_is_no_move_is_told_what_was_expected(game: str, answer: str, said: str) -> None:
    moves = ("J", "K") if game == "kuhn" else ()
    assert read(game, answer, *moves).startswith(said)


def test_exact_names_come_first() -> None:
    assert find_name(Choices(["a", "A"], ["", ""]), "A") == [1]
    assert find_name(Choices(["a", "ab"], ["", ""]), "a") == [0]
    assert find_name(Choices(["x(0,0)", "x(0,1)"], ["1", "2"]), "x(0,1)") == [1]
    assert find_name(Choices(["x(0,0)", "x(0,1)"], ["1", "2"]), "x") == [0, 1]


def test_many_moves_are_not_listed() -> None:
    go, chess, kuhn = (load(name) for name in ("go", "chess", "rps"))
    assert not list_choices(go, go.initial_world()).are_few
    assert not list_choices(chess, chess.initial_world()).are_few
    assert list_choices(kuhn, kuhn.initial_world()).are_few
    table = list_choices(go, go.initial_world()).table()
    assert sum(len(line.split()) for line in table) == 82
    assert max(map(len, table)) <= 100
