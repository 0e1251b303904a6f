"""Street by street against the whole tree, card by card."""

from pathlib import Path

import numpy as np
import pytest

from sog.core.errors import InputError
from sog.games.holdem.bet_sizes import parse_bet_sizes
from sog.games.holdem.cards import NUM_HANDS, parse_board, parse_card
from sog.games.holdem.ranges import parse_range
from sog.games.holdem.spot import Spot, make_spot
from sog.poker.scenes import after_card, all_scenes, first_scene, look, node_path
from sog.poker.spot_solver import SpotSolver
from sog.poker.streets import count_rows, make_levels
from sog.solvers.solver import Solver

FEW = "AA:0.9,KK:0.3,A5s,QTo:0.7,76s,22:0.6,9s8s"


def turn_spot(seed: int = 0, bets: str = "turn:60,allin;river:50/allin") -> Spot:
    """Return a spot whose hands all have different weights: ties would let rounding decide."""
    rng = np.random.default_rng(seed)
    return make_spot(parse_board("3s7hTdKc"), 100, 130, parse_bet_sizes(bets), rng.random((2, NUM_HANDS)))


def flop_spot(board: str, ranges: tuple[str, str] = (FEW, FEW)) -> Spot:
    weights = np.array([parse_range(text) for text in ranges])
    return make_spot(parse_board(board), 100, 100, parse_bet_sizes("flop:none;turn:allin;river:50"), weights)


@pytest.mark.parametrize("algorithm", ["cfr", "lcfr", "cfr+", "dcfr", "pcfr+", "cfr(updates=simultaneous)"])
def test_first_iterations_are_those_of_the_whole_tree(algorithm: str) -> None:
    spot = turn_spot()
    streets, whole = SpotSolver(spot, algorithm, np.float64, threads=2), Solver(spot, algorithm)
    for _ in range(3):
        streets.advance(1)
        whole.advance(1)
        assert streets.exploitability() == pytest.approx(whole.exploitability(), rel=1e-11)
        assert streets.value() == pytest.approx(whole.value(), rel=1e-9)
        assert streets.infostates < whole.infostates  # hands that a river blocks have none


def test_normal_hedge_goes_street_by_street_too() -> None:
    spot = turn_spot()
    streets = SpotSolver(spot, "cfr(minimiser=normal-hedge)", np.float64)
    whole = Solver(spot, "cfr(minimiser=normal-hedge)")
    streets.advance(2)
    whole.advance(2)
    assert streets.exploitability() == pytest.approx(whole.exploitability(), rel=1e-11)


def test_three_streets_are_those_of_the_whole_tree() -> None:
    spot = flop_spot("9s7s2h")
    streets, whole = SpotSolver(spot, "lcfr", np.float64, use_suits=False), Solver(spot, "lcfr")
    for solver in (streets, whole):
        solver.advance(2)
    assert streets.exploitability() == pytest.approx(whole.exploitability(), rel=1e-11)
    assert streets.value() == pytest.approx(whole.value(), rel=1e-9)


def test_ranges_with_holes_are_full_ranges_with_weights_of_zero() -> None:
    """Hands outside a range take no part here; in the whole tree they do, with no weight."""
    spot = turn_spot()
    holes = np.random.default_rng(1).random((2, NUM_HANDS)) < np.array([[0.8], [0.5]])
    spot = spot._replace(ranges=np.where(holes, 0.0, spot.ranges))
    streets, whole = SpotSolver(spot, "cfr", np.float64), Solver(spot, "cfr")
    assert streets.levels[1].most_rows(0) < 0.25 * NUM_HANDS
    for count in (1, 3):  # later, regrets that are zero but for rounding decide what is played
        streets.advance(count)
        whole.advance(count)
        assert streets.exploitability() == pytest.approx(whole.exploitability(), rel=1e-9)
        assert streets.value() == pytest.approx(whole.value(), rel=1e-9)
    seen, player = look(streets, first_scene(streets)), 0
    slot, _ = streets.root.street.layout.decision_slots(1)
    rows = streets.levels[0].rows(0)[player]
    for action in range(2):
        own = seen.policy[player][(slot + action) * rows.size + rows.row]
        place = whole.layout.decision_slots(0)[0] + action * spot.hands.size
        row_of = {hand: row for row, hand in enumerate(spot.hands.tolist())}
        theirs = whole.policy()[player][[place + row_of[hand] for hand in rows.hands.tolist()]]
        np.testing.assert_allclose(own, theirs, atol=1e-6)


def test_one_player_may_be_left_without_a_hand() -> None:
    spot = make_spot(
        parse_board("9s7s2h3c"), 100, 100, parse_bet_sizes("allin"),
        np.array([parse_range("AhKh"), parse_range("QQ,JJ:0.5,54s")]),
    )  # fmt: skip
    streets, whole = SpotSolver(spot, "cfr+", np.float64), Solver(spot, "cfr+")
    for solver in (streets, whole):
        solver.advance(5)
    assert streets.exploitability() == pytest.approx(whole.exploitability(), rel=1e-10)


@pytest.mark.parametrize("board", ["9s7s2s", "9s7s2h", "9s9h2d", "7c7d7h"])
def test_alike_suits_change_nothing(board: str) -> None:
    spot = flop_spot(board, ("AA:0.9,KK:0.3,A5s,QTo:0.7,76s", "AA,QQ:0.4,JTs,98o:0.3,22:0.6"))
    short, full = (SpotSolver(spot, "lcfr", np.float64, use_suits=suits) for suits in (True, False))
    assert short.infostates < full.infostates
    for _ in range(3):
        short.advance(1)
        full.advance(1)
        assert short.exploitability() == pytest.approx(full.exploitability(), rel=1e-10)
        assert short.value() == pytest.approx(full.value(), rel=1e-8)


def test_ranges_that_tell_suits_apart_leave_all_boards() -> None:
    alike, apart = flop_spot("9s7s2s", ("AA", "KK")), flop_spot("9s7s2s", ("AA,AhKh", "KK"))
    assert count_rows(alike, 3)[1][0] == 23
    assert count_rows(apart, 3)[1][0] == 36  # hearts are like nothing; diamonds and clubs are alike
    for spot in (alike, apart):
        levels = make_levels(spot, 3, True, np.float64)
        for level, counts in zip(levels, count_rows(spot, 3), strict=True):
            assert counts == (len(level.boards), *(int(own.first_row[-1]) for own in level.lists))
        assert levels[0].deals is not None
        assert levels[0].deals.card.size == 49


def test_looking_at_a_card_that_another_stands_for() -> None:
    """Average policies of hands after a card are those of a run in which every card is there itself."""
    spot = flop_spot("9s7s2s")
    short, full = (SpotSolver(spot, "lcfr", np.float64, use_suits=suits) for suits in (True, False))
    for solver in (short, full):
        solver.advance(3)
    cards = [parse_card(text) for text in ("Ac", "Kd")]
    seen = []
    for solver in (short, full):
        scene = first_scene(solver)
        for card in cards:
            scene = after_card(scene, scene.street_node.below[0], card)
        assert scene.cards == (*spot.board, *cards)
        street, rows = scene.street_node.street, scene.rows(0)
        paths = {node_path(scene, node): node for node in range(1, street.layout.num_nodes)}
        node = paths["check,check,Ac,check,check,Kd"]
        output, _ = street.layout.decision_slots(node)
        at = look(solver, scene)
        slots = slice(output * rows.size, (output + 2) * rows.size)
        by_hand = np.zeros((4, NUM_HANDS))
        by_hand[:2, rows.hands] = at.policy[0][slots].reshape(2, rows.size)[:, rows.row]
        by_hand[2:, rows.hands] = at.values[0][slots].reshape(2, rows.size)[:, rows.row]
        by_hand[2:, rows.hands] /= np.bincount(rows.row)[rows.row]  # a row has the values of all its hands
        seen.append(by_hand)
    np.testing.assert_allclose(seen[0], seen[1], atol=1e-9)
    assert sum(1 for _ in all_scenes(first_scene(short))) == sum(1 for _ in all_scenes(first_scene(full)))


def test_any_number_of_threads_gives_the_same_bits() -> None:
    spot, results = turn_spot(), []
    for threads in (1, 2, 3):
        solver = SpotSolver(spot, "dcfr", np.float32, threads=threads)
        solver.advance(4)
        results.append(solver.arrays())
    for name, array in results[0].items():
        for other in results[1:]:
            np.testing.assert_array_equal(array, other[name])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("board", ["3s7hTdKc", "3s7hTdKc2c"])
def test_resuming_is_bit_identical(board: str, dtype: type[np.floating], tmp_path: Path) -> None:
    weights = np.random.default_rng(0).random((2, NUM_HANDS))
    spot = make_spot(parse_board(board), 100, 130, parse_bet_sizes("allin"), weights)
    straight, first, second = (SpotSolver(spot, "pcfr+", dtype) for _ in range(3))
    straight.advance(6)
    first.advance(2)
    first.exploitability()  # measuring changes nothing
    first.advance(2)
    first.save(tmp_path / "spot.npz")
    second.resume(tmp_path / "spot.npz")
    second.advance(2)
    arrays = second.arrays()
    for name, array in straight.arrays().items():
        np.testing.assert_array_equal(array, arrays[name])


def test_converges_in_single_precision() -> None:
    solver = SpotSolver(turn_spot(), "dcfr")
    assert solver.run(iterations=150).exploitability < 0.6  # chips, of a pot of 100
    assert solver.run(iterations=600).exploitability < 0.06


@pytest.mark.parametrize("algorithm", ["fp", "flop", "mccfr", "vanilla"])
def test_other_algorithms_are_refused(algorithm: str) -> None:
    with pytest.raises(InputError, match=algorithm):
        SpotSolver(turn_spot(), algorithm)


@pytest.mark.parametrize("board", ["9s7c5s4h", "QsJh2h3d"])
@pytest.mark.slow
def test_the_iterations_left_are_right_within_a_factor_of_two(board: str) -> None:
    """From the tenth iteration on, by what a solve says while it runs; the last fifth aside."""
    ranges = np.array(
        [parse_range("55+,A8s+,KTs+,QTs+,JTs,T9s,98s,87s,AQo+"), parse_range("TT-22,ATs+,KQ,76s")]
    )
    spot = make_spot(parse_board(board), 100, 300, parse_bet_sizes("50,allin/60"), ranges)
    solver, told = SpotSolver(spot, "dcfr(gamma=3)"), []
    solver.run(
        until=0.3, on_progress=lambda at: told.append((at.iterations, solver.expected_iterations(0.3)))
    )
    late = [(done, expected - done) for done, expected in told if 10 <= done < 0.8 * solver.iterations]
    assert len(late) > 3
    for done, left in late:
        assert 1 / 2 <= left / (solver.iterations - done) <= 2, (done, left, solver.iterations)
