import pytest

from sog.games.base import CHANCE, TERMINAL, AnyGame
from sog.games.registry import load
from sog.interfaces.cli.tree_sizes import count_tree, count_worlds, measure
from sog.public.derived import DerivedView
from sog.public.enumeration import enumerate_store
from sog.public.store import StateStore


def _histories(game: AnyGame, world: object) -> int:
    actor = game.actor(world)
    if actor == TERMINAL:
        return 1
    outcomes = [outcome for outcome, _ in game.chance_outcomes(world)] if actor == CHANCE else None
    moves = game.legal_actions(world) if outcomes is None else outcomes
    return 1 + sum(_histories(game, game.apply(world, move)) for move in moves)


@pytest.mark.parametrize(
    ("name", "histories", "terminal", "infostates"),
    [
        ("kuhn", 58, 30, (6, 6)),
        ("leduc", 9457, 5520, (468, 468)),
        ("liars_dice(faces=3)", 1147, 567, (96, 96)),
        ("liars_dice(faces=4)", 8181, 4080, (512, 512)),
        ("goofspiel(cards=5)", 26_931, 14_400, (1062, 1062)),
    ],
)
def test_reference_figures(name: str, histories: int, terminal: int, infostates: tuple[int, int]) -> None:
    sizes = measure(load(name), 30_000)
    assert (sizes.histories, sizes.terminal_histories) == (histories, terminal)
    assert sizes.infostates_by_player == infostates
    assert sizes.infostates == sum(infostates)
    assert sizes.is_complete


@pytest.mark.parametrize("name", ["kuhn", "scotland_yard", "openspiel:dark_hex(board_size=2)", "rps"])
def test_histories_are_those_of_the_game(name: str) -> None:
    # Merged infostates stand for several histories, and waiting ones stand in several public states.
    game = load(name)
    sizes = measure(game, 10_000)
    assert sizes.histories == _histories(game, game.initial_world())
    parts = sizes.public_decision_states, sizes.public_chance_states, sizes.public_terminal_states
    assert sum(parts) == sizes.public_states


@pytest.mark.parametrize(
    "name", ["tictactoe", "openspiel:tic_tac_toe", "openspiel:pig(winscore=5,horizon=6)"]
)
@pytest.mark.parametrize("depth", [1, 3])
def test_counting_worlds_is_counting_the_tree(name: str, depth: int) -> None:
    game = load(name)
    assert game.info.is_perfect_information
    view = DerivedView(game)
    assert count_worlds(game, 10_000, depth) == count_tree(view, enumerate_store(StateStore(view), depth))


def test_tictactoe_is_counted_whole() -> None:
    sizes = count_worlds(load("tictactoe"), 10_000)
    assert (sizes.histories, sizes.terminal_histories, sizes.depth) == (549_946, 255_168, 9)
    assert sizes.is_complete
