from collections import deque
from itertools import pairwise
from typing import Any

import pytest

from sog.core.errors import InputError
from sog.games.base import CHANCE, TERMINAL
from sog.games.registry import load
from sog.games.scotland_yard.board import TRANSPORTS, Board, load_board
from sog.games.scotland_yard.game import BLACK, TICKETS, ScotlandYard, ScotlandYardWorld
from sog.games.scotland_yard.tables import CAUGHT, ESCAPED, STUCK
from tests.games.sequence_form import solve
from tests.games.walks import Sizes, histories, sizes

LONDON = load_board("scotland_yard")
LINES = [*TRANSPORTS[:3]]  # without the boat


def _edges(board: Board, transport: str) -> set[tuple[int, int]]:
    return {(a, b) for a in range(1, board.num_stations + 1) for b in board.lines[transport][a - 1] if a < b}


def _neighbours(board: Board, transports: list[str]) -> list[set[int]]:
    stations = range(board.num_stations)
    return [{end for kind in transports for end in board.lines[kind][station]} for station in stations]


def _distances(board: Board, transports: list[str], start: int) -> dict[int, int]:
    neighbours, distances, queue = _neighbours(board, transports), {start: 0}, deque([start])
    while queue:
        station = queue.popleft()
        for end in neighbours[station - 1] - set(distances):
            distances[end] = distances[station] + 1
            queue.append(end)
    return distances


def _diameter(board: Board, transports: list[str]) -> int:
    return max(
        max(_distances(board, transports, start).values()) for start in range(1, board.num_stations + 1)
    )


class TestLondonMap:
    def test_counts(self) -> None:
        assert LONDON.num_stations == len(LONDON.positions) == 199
        assert {kind: len(_edges(LONDON, kind)) for kind in TRANSPORTS} == {
            "taxi": 346,
            "bus": 99,
            "underground": 20,
            "boat": 3,
        }
        assert _edges(LONDON, "boat") == {(157, 194), (115, 157), (108, 115)}

    def test_stations_of_the_lines_are_nested(self) -> None:
        bus, underground = ({end for edge in _edges(LONDON, kind) for end in edge} for kind in LINES[1:])
        assert (len(bus), len(underground)) == (62, 14)
        assert underground < bus

    def test_degrees(self) -> None:
        pairs = set().union(*(_edges(LONDON, kind) for kind in TRANSPORTS))
        assert len(pairs) == 436
        assert len(pairs - _edges(LONDON, "boat")) == 433
        degrees = [len(ends) for ends in _neighbours(LONDON, list(TRANSPORTS))]
        assert (min(degrees), max(degrees), degrees.index(max(degrees)) + 1) == (2, 13, 67)

    def test_distances(self) -> None:
        assert len(_distances(LONDON, ["taxi"], 1)) == 199
        assert _diameter(LONDON, ["taxi"]) == 20
        assert _diameter(LONDON, LINES) == _diameter(LONDON, list(TRANSPORTS)) == 10

    def test_no_line_leads_to_where_it_starts(self) -> None:
        for kind in TRANSPORTS:
            assert all(station not in ends for station, ends in enumerate(LONDON.lines[kind], 1))

    def test_positions(self) -> None:
        assert len(set(LONDON.positions)) == 199
        assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in LONDON.positions)


def test_glasses_map() -> None:
    board = load_board("glasses")
    assert board.num_stations == 11
    assert len(_edges(board, "taxi")) == 12
    assert not any(_edges(board, kind) for kind in TRANSPORTS[1:])
    assert _diameter(board, ["taxi"]) == 8


class TestGlasses:
    def test_sizes(self) -> None:
        expected = Sizes(26_951, 12_280, (2_541, 748), public_decisions=1_005, public_terminals=2_015)
        assert sizes(ScotlandYard()) == expected

    def test_value(self) -> None:
        assert solve(ScotlandYard()).value == pytest.approx(-7 / 9)

    def test_being_shown_is_worse_for_the_hider(self) -> None:
        always = solve(ScotlandYard(rounds=4, reveals=(1, 2, 3, 4))).value
        never = solve(ScotlandYard(rounds=4)).value
        assert always < never - 0.05

    def test_ends(self) -> None:
        game = ScotlandYard()
        ends = [trace for trace in histories(game) if game.actor(trace.world) == TERMINAL]
        publics = {turn: {end.public for end in ends if end.world.turn == turn} for turn in (ESCAPED, CAUGHT)}
        assert {turn: len(seen) for turn, seen in publics.items()} == {ESCAPED: 673, CAUGHT: 1_342}
        assert {end.world.turn for end in ends} == {ESCAPED, CAUGHT}
        for end in ends:
            assert (end.world.turn == CAUGHT) == (end.world.hider in end.world.detectives)

    def test_the_hiders_infostate_is_the_station(self) -> None:
        """Where the public state is the same, worlds differ in Mr. X's station alone."""
        game = ScotlandYard()
        worlds: dict[object, set[ScotlandYardWorld]] = {}
        for trace in histories(game):
            worlds.setdefault(trace.public, set()).add(trace.world)
        for together in worlds.values():
            assert len({world._replace(hider=0) for world in together}) == 1


def _world(game: ScotlandYard, **changes: Any) -> ScotlandYardWorld:
    """Return a world of the London game with the given facts."""
    tickets = ((10, 8, 4, 0),) * game.num_detectives
    stations = (174, 13, 26, 29, 34)[: game.num_detectives]
    world = ScotlandYardWorld(0, 100, stations, (4, 3, 3, 5), tickets, doubles=2, double=0, moves=0)
    return world._replace(**changes)


def _action(game: ScotlandYard, world: ScotlandYardWorld, name: str) -> int:
    return {game.action_name(world, action): action for action in game.legal_actions(world)}[name]


def _play(game: ScotlandYard, world: ScotlandYardWorld, name: str) -> tuple[ScotlandYardWorld, str]:
    action = _action(game, world, name)
    after = game.apply(world, action)
    return after, str(game.public_observation(world, action, after))


class TestLondon:
    game = ScotlandYard("london")

    def test_starts_are_drawn_from_eighteen_stations(self) -> None:
        world = self.game.initial_world()
        for left in (18, 17, 16, 15, 14, 13):
            assert self.game.actor(world) == CHANCE
            outcomes = self.game.chance_outcomes(world)
            assert len(outcomes) == left
            before, (station, _) = world, outcomes[0]
            world = self.game.apply(world, station)
            seen = self.game.public_observation(before, station, world)
            private = [self.game.private_observation(player, before, station, world) for player in (0, 1)]
        assert seen == "Mr. X hides"
        assert private == ["at 53", None]
        assert self.game.actor(world) == 0
        assert (world.hider, world.detectives) == (53, (13, 26, 29, 34, 50))

    def test_a_detectives_ticket_goes_to_mr_x(self) -> None:
        world = _world(self.game, turn=2)
        after, seen = _play(self.game, world, "bus 14")
        assert seen == "detective 2: bus 14"
        assert after.detective_tickets[1] == (10, 7, 4, 0)
        assert after.hider_tickets == (4, 4, 3, 5)
        assert after.turn == 3

    def test_mr_xs_ticket_is_gone(self) -> None:
        after, seen = _play(self.game, _world(self.game), "taxi 101")
        assert seen == "taxi"
        assert (after.hider, after.hider_tickets, after.moves) == (101, (3, 3, 3, 5), 1)

    def test_mr_x_is_shown_after_his_third_move(self) -> None:
        assert _play(self.game, _world(self.game, moves=2), "taxi 101")[1] == "taxi 101"
        assert _play(self.game, _world(self.game, moves=2), "black 101")[1] == "black 101"

    def test_the_boat_needs_a_black_ticket(self) -> None:
        names = self._names(_world(self.game, hider=194))
        assert "black 157" in names
        assert not {f"{ticket} 157" for ticket in TICKETS[:BLACK]} & names
        assert "black 157" not in self._names(_world(self.game, hider=194, hider_tickets=(4, 3, 3, 0)))

    def test_a_black_ticket_pays_for_every_line(self) -> None:
        names = self._names(_world(self.game, hider=67, detectives=(174, 1, 26, 29, 34)))
        ends = {name.split()[1] for name in names if name != "double"}
        assert {name.split()[1] for name in names if name.startswith("black")} == ends
        assert len(ends) == 13

    def test_detectives_have_no_black_tickets(self) -> None:
        names = self._names(_world(self.game, turn=1, detectives=(194, 13, 26, 29, 34)))
        assert not [name for name in names if name.startswith(("black", "double"))]

    def test_nobody_enters_a_detectives_station(self) -> None:
        assert "taxi 101" not in self._names(_world(self.game, detectives=(101, 13, 26, 29, 34)))
        neighbours = _world(self.game, turn=1, detectives=(100, 101, 26, 29, 34), hider=1)
        assert not [name for name in self._names(neighbours) if name.endswith(" 101")]

    def test_a_double_move_is_two_moves(self) -> None:
        world, seen = _play(self.game, _world(self.game, moves=6), "double")
        assert (seen, world.doubles, world.moves, self.game.actor(world)) == ("double", 1, 6, 0)
        assert "double" not in self._names(world)
        world, seen = _play(self.game, world, "taxi 101")
        assert (seen, world.moves, world.turn) == ("taxi", 7, 0)
        assert "double" not in self._names(world)
        world, seen = _play(self.game, world, "taxi 100")
        assert (seen, world.moves, world.turn) == ("taxi 100", 8, 1)  # shown after the eighth move
        assert world.hider_tickets == (2, 3, 3, 5)

    def test_a_double_move_needs_room_in_the_log(self) -> None:
        assert "double" in self._names(_world(self.game, moves=22))
        assert "double" not in self._names(_world(self.game, moves=23))
        assert "double" not in self._names(_world(self.game, doubles=0))

    def test_capture_wins_at_once(self) -> None:
        world = _world(self.game, turn=1, detectives=(101, 13, 26, 29, 34))
        after, seen = _play(self.game, world, "taxi 100")
        assert seen == "detective 1: taxi 100, Mr. X is caught"
        assert self.game.actor(after) == TERMINAL
        assert self.game.returns(after) == (-1.0, 1.0)

    def test_a_detective_who_cannot_move_is_skipped(self) -> None:
        tickets = ((10, 8, 4, 0), (0, 0, 0, 0), (1, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
        world = _world(self.game, turn=1, detective_tickets=tickets)
        world, _ = _play(self.game, world, "taxi 173")
        assert world.turn == 3
        world, _ = _play(self.game, world, "taxi 15")
        assert world.turn == 0

    def test_mr_x_wins_if_no_detective_can_move(self) -> None:
        world, seen = _play(self.game, _world(self.game, detective_tickets=((0, 0, 0, 0),) * 5), "taxi 101")
        assert seen == "taxi, Mr. X escapes"
        assert self.game.returns(world) == (1.0, -1.0)

    def test_mr_x_wins_after_the_last_round(self) -> None:
        world = _world(self.game, turn=5, moves=24)
        after, seen = _play(self.game, world, "taxi 22")
        assert seen == "detective 5: taxi 22, Mr. X escapes"
        assert self.game.returns(after) == (1.0, -1.0)
        assert _play(self.game, _world(self.game, moves=23), "taxi 101")[0].turn == 1  # one more hunt

    def test_mr_x_loses_if_he_cannot_move(self) -> None:
        """Station 8 has three neighbours: 1, 18 and 19."""
        world = _world(self.game, turn=5, hider=8, detectives=(1, 18, 26, 29, 9))
        after, seen = _play(self.game, world, "taxi 19")
        assert seen == "detective 5: taxi 19, Mr. X cannot move"
        assert after.turn == STUCK
        assert self.game.returns(after) == (-1.0, 1.0)

    def test_rounds_alternate(self) -> None:
        world, turns = _world(self.game), [0]
        for _ in range(12):
            world = self.game.apply(world, self.game.legal_actions(world)[0])
            turns.append(world.turn)
        assert all(later == (now + 1) % 6 for now, later in pairwise(turns))

    def _names(self, world: ScotlandYardWorld) -> set[str]:
        return {self.game.action_name(world, action) for action in self.game.legal_actions(world)}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"map": "paris"}, "map must be one of glasses, london, london_small, not 'paris'"),
        ({"map": 3}, "map must be one of glasses, london, london_small, not 3"),
        ({"detectives": 3}, "detectives must be a whole number from 1 to 2, not 3"),
        ({"detectives": 0}, "detectives must be a whole number from 1 to 2, not 0"),
        ({"map": "london", "detectives": "all"}, "detectives must be a whole number from 1 to 5, not 'all'"),
        ({"rounds": 0}, "rounds must be a whole number from 1 to 100, not 0"),
        ({"rounds": True}, "rounds must be a whole number from 1 to 100, not True"),
        ({"reveals": 3}, "reveals must be a list of moves, not 3"),
        ({"reveals": "123"}, "reveals must be a list of moves, not '123'"),
        ({"reveals": [6]}, "each of reveals must be a whole number from 1 to 5, not 6"),
        ({"reveals": [1.5]}, "each of reveals must be a whole number from 1 to 5, not 1.5"),
    ],
)
def test_illegal_parameters(arguments: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        ScotlandYard(**arguments)
    assert str(caught.value) == f"scotland_yard: {complaint}"


def test_names_tell_only_what_differs_from_the_map() -> None:
    assert ScotlandYard(rounds=5, detectives=2).info.name == "scotland_yard(map=glasses)"
    assert ScotlandYard("london", rounds=10).info.name == "scotland_yard(map=london,rounds=10)"
    game = load("scotland_yard(map=london,rounds=10,reveals=[9,2,2],detectives=1)")
    assert isinstance(game, ScotlandYard)
    assert game.info.name == "scotland_yard(map=london,detectives=1,rounds=10,reveals=[2,9])"
    assert (game.setup.reveals, game.setup.rounds) == ((2, 9), 10)
