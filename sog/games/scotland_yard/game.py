"""Scotland Yard: Mr. X (player 0) hides on a map, player 1 moves all the detectives after him.

Each round Mr. X moves, then the detectives one by one; a move is paid with a ticket of its line, and a
detective's ticket goes to Mr. X. He moves in secret: the others see his ticket, and his station only after
the moves in `reveals`. A black ticket pays for any line, and alone for the boat. A double move, declared
first, is two moves in a row, at most once a round. Nobody enters a detective's station, nobody passes who
can move, and a detective who cannot is skipped. A detective entering Mr. X's station wins at once; Mr. X
loses, too, if he has no move. He wins if no detective can move when it is their turn, or if he is still free
at the end of the round of his last move.

Nothing but Mr. X's station is hidden, so his infostate is his station: infostates merge. On the glasses map
the value for Mr. X is −7/9.

Verified: tests/games/scotland_yard/test_game.py.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from sog.core.arrays import F32, I64
from sog.games.base import CHANCE, TERMINAL, Encoding, Game, GameInfo
from sog.games.drawing import Drawing
from sog.games.notation import Notation
from sog.games.picture import History, Picture
from sog.games.scotland_yard.board import TRANSPORTS, Board, load_board
from sog.games.scotland_yard.encoding import NUM_ROW_FEATURES, Encoder, until_shown
from sog.games.scotland_yard.map_picture import draw_map
from sog.games.scotland_yard.parameters import Changes, customise, name_setup
from sog.games.scotland_yard.picture import draw
from sog.games.scotland_yard.tables import (
    CAUGHT,
    DETECTIVES,
    ESCAPED,
    HIDER,
    PLACING,
    STUCK,
    MapTables,
    Routes,
    make_tables,
)
from sog.games.scotland_yard.view import ScotlandYardView

TICKETS = ("taxi", "bus", "underground", "black")
BLACK = TICKETS.index("black")

_ENDINGS = {ESCAPED: ", Mr. X escapes", CAUGHT: ", Mr. X is caught", STUCK: ", Mr. X cannot move"}


class ScotlandYardWorld(NamedTuple):
    """A position: what matters for the future, the hidden station included."""

    turn: int  # 0 Mr. X, k the k-th detective, or one of the constants above
    hider: int  # station, 0 before he is placed
    detectives: tuple[int, ...]  # stations of those placed
    hider_tickets: tuple[int, ...]  # by kind, as in TICKETS
    detective_tickets: tuple[tuple[int, ...], ...]
    doubles: int  # double moves left
    double: int  # moves to come of a double move that has been declared
    moves: int  # moves in Mr. X's log


class ScotlandYard(Game[ScotlandYardWorld]):
    """Scotland Yard on one of the maps in `SETUPS`; the other parameters replace the map's own."""

    merges_infostates = True

    def __init__(
        self,
        map: str = "glasses",
        detectives: int | None = None,
        rounds: int | None = None,
        reveals: Sequence[int] | None = None,
        starts: Sequence[int] | None = None,
        hider_starts: Sequence[int] | None = None,
        tickets: Sequence[int] | None = None,
        hider_tickets: Sequence[int] | None = None,
        doubles: int | None = None,
    ) -> None:
        changes = Changes(detectives, rounds, reveals, starts, hider_starts, tickets, hider_tickets, doubles)
        self.setup = setup = customise(map, changes)
        self.num_detectives = len(setup.detective_starts)
        board = load_board(setup.board)
        self.num_stations = board.num_stations
        given = zip(setup.hider_tickets, (*setup.detective_tickets, 0), strict=True)
        num_kinds = 1 + max(kind for kind, counts in enumerate(given) if any(counts))
        self.ticket_names = TICKETS[:num_kinds]
        self._double = num_kinds * self.num_stations  # the action that declares a double move
        self._routes = tuple(
            _routes(board, station, num_kinds) for station in range(1, self.num_stations + 1)
        )
        pawns = self.num_detectives
        starts = [pawn * (self.num_stations + len(TICKETS) - 1) for pawn in range(pawns)]
        self.encoding = Encoding(
            features=(
                pawns * (self.num_stations + len(TICKETS) - 1)
                + (len(TICKETS) + 2 + pawns + 2)
                + max(until_shown(setup)),
            ),
            private=(self.num_stations, 1),
            choices=max(len(routes) for routes in self._routes) + bool(setup.doubles),
            row_features=NUM_ROW_FEATURES,
            in_rows=tuple((first, first + self.num_stations) for first in starts),
            near=(*_list_near(self._routes), ()),
        )
        draws = sum(len(pool) > 1 for pool in (*setup.detective_starts, setup.hider_starts))
        self.info = GameInfo(
            name=name_setup(map, setup),
            num_actions=self._double + bool(setup.doubles),
            is_perfect_information=False,
            max_utility=1.0,
            max_length=draws + setup.doubles + setup.rounds * (1 + self.num_detectives),
            is_won_or_lost=True,
        )

    @cached_property
    def tables(self) -> MapTables:
        """The map and the setup, for kernels."""
        return make_tables(self.setup, self._routes)

    @cached_property
    def encoder(self) -> Encoder:
        """What networks are shown, by kernels."""
        return Encoder(self.setup, self.tables)

    def initial_world(self) -> ScotlandYardWorld:
        """Return the world before chance has placed anybody whose start is drawn."""
        setup = self.setup
        tickets = ((*setup.detective_tickets, 0),) * self.num_detectives
        return self._placed(
            ScotlandYardWorld(PLACING, 0, (), setup.hider_tickets, tickets, setup.doubles, 0, 0)
        )

    def actor(self, world: ScotlandYardWorld) -> int:
        """Chance places the pawns; then Mr. X, and each detective that can move, in order."""
        turn = world[0]
        if turn > 0:
            return DETECTIVES
        if turn == 0:
            return HIDER
        return CHANCE if turn == PLACING else TERMINAL

    def legal_actions(self, world: ScotlandYardWorld) -> tuple[int, ...]:
        """Any stop on a line with a ticket for it, detectives' stations excepted; or a double move."""
        turn, hider, detectives, hider_tickets, detective_tickets, doubles, double, moves = world
        if turn:
            return self._moves(detectives[turn - 1], detective_tickets[turn - 1], detectives)
        actions = self._moves(hider, hider_tickets, detectives)
        may_double = doubles and not double and moves + 2 <= self.setup.rounds
        return (*actions, self._double) if may_double else actions

    def chance_outcomes(self, world: ScotlandYardWorld) -> tuple[tuple[int, float], ...]:
        """Any start station not yet taken, equally likely."""
        stations = self._free_starts(world)
        return tuple((station - 1, 1 / len(stations)) for station in stations)

    def apply(self, world: ScotlandYardWorld, action: int) -> ScotlandYardWorld:
        """Place a pawn, move Mr. X or a detective, or declare a double move."""
        turn, hider, detectives, hider_tickets, detective_tickets, doubles, double, moves = world
        if turn == PLACING:
            return self._placed(_with_pawn(world, action + 1, self.num_detectives))
        if action == self._double:
            return ScotlandYardWorld(
                turn, hider, detectives, hider_tickets, detective_tickets, doubles - 1, 2, moves
            )
        kind, station = divmod(action, self.num_stations)
        station += 1
        if turn == 0:
            hider, hider_tickets, moves = station, _changed(hider_tickets, kind, -1), moves + 1
            double = max(double - 1, 0)
        else:
            pawn = turn - 1
            used = _changed(detective_tickets[pawn], kind, -1)
            detective_tickets = (*detective_tickets[:pawn], used, *detective_tickets[turn:])
            detectives = (*detectives[:pawn], station, *detectives[turn:])
            hider_tickets = _changed(hider_tickets, kind, +1)
        after = ScotlandYardWorld(
            turn, hider, detectives, hider_tickets, detective_tickets, doubles, double, moves
        )
        return after._replace(turn=self._next_turn(after))

    def public_observation(
        self, before: ScotlandYardWorld, action: int, after: ScotlandYardWorld
    ) -> Hashable:
        """Everybody sees the detectives, Mr. X's tickets, his station when he is shown, and the end."""
        turn = before.turn
        if turn == PLACING:
            placed = len(before.detectives)
            seen = (
                f"detective {placed + 1} at {action + 1}" if placed < self.num_detectives else "Mr. X hides"
            )
        elif turn > 0:
            seen = f"detective {turn}: {self.action_name(before, action)}"
        elif action == self._double or after.moves in self.setup.reveals:
            seen = self.action_name(before, action)
        else:
            seen = TICKETS[action // self.num_stations]
        return seen + _ENDINGS.get(after.turn, "")

    def private_observation(
        self, player: int, before: ScotlandYardWorld, action: int, after: ScotlandYardWorld
    ) -> Hashable:
        """Mr. X alone sees where he starts."""
        is_hiding = before.turn == PLACING and len(before.detectives) == self.num_detectives
        return f"at {action + 1}" if is_hiding and player == HIDER else None

    def returns(self, world: ScotlandYardWorld) -> tuple[float, float]:
        """Mr. X wins or loses 1."""
        return (1.0, -1.0) if world.turn == ESCAPED else (-1.0, 1.0)

    def action_name(self, world: ScotlandYardWorld, action: int) -> str:
        """Name a start station, a ticket and where it leads, or a double move."""
        if action == self._double:
            return "double"
        kind, station = divmod(action, self.num_stations)
        return str(station + 1) if world.turn == PLACING else f"{TICKETS[kind]} {station + 1}"

    def show(self, history: History, seat: int) -> Picture:
        """Tell pawns, tickets, the log, and where Mr. X may be."""
        return draw(self, history, seat)

    def draw_picture(self, history: History, seat: int) -> Drawing:
        """Draw the map."""
        return draw_map(self, history, seat)

    @property
    def notation(self) -> Notation:
        """Moves by their names."""
        notation = Notation(self)
        notation.seats = ("Mr. X", "the detectives")
        return notation

    def routes(self, station: int) -> tuple[tuple[int, int, int], ...]:
        """Return `(action, ticket, end)` of every line from a station."""
        return self._routes[station - 1]

    def possible_starts(self, detectives: tuple[int, ...]) -> set[int]:
        """Return where Mr. X may have begun, if the detectives are there."""
        return set(self.setup.hider_starts) - set(detectives)

    def is_double(self, action: int) -> bool:
        """Return whether an action declares a double move."""
        return action == self._double

    def public_features(self, world: ScotlandYardWorld) -> list[float]:
        """Return where the detectives are, all tickets, whose turn it is, how far the game has gone, and how
        many moves Mr. X makes until he is shown.
        """
        setup, stations = self.setup, range(1, self.num_stations + 1)
        features: list[float] = []
        for pawn in range(self.num_detectives):
            at = world.detectives[pawn] if pawn < len(world.detectives) else 0
            features += [float(at == station) for station in stations]
            tickets = zip(world.detective_tickets[pawn], setup.detective_tickets, strict=False)
            features += [count / max(start, 1) for count, start in tickets]
        features += [count / (sum(setup.hider_tickets) + 1) for count in world.hider_tickets]
        features += [float(world.doubles), float(world.double)]
        features += [float(world.turn == turn) for turn in range(self.num_detectives + 1)]
        features.append(world.moves / setup.rounds)
        left = until_shown(setup)
        return [*features, *(float(left[world.moves] == moves) for moves in range(1, max(left) + 1))]

    def private_index(self, player: int, world: ScotlandYardWorld) -> int:
        """Return Mr. X's station, which nothing else is hidden but."""
        return max(world.hider - 1, 0) if player == HIDER else 0

    def describe_rows(self, features: F32, owners: I64, columns: I64) -> F32:
        """Return what Mr. X's stations are like, by the map."""
        return self.encoder.describe_rows(features, owners, columns)

    def own_view(self, world: ScotlandYardWorld | None = None) -> ScotlandYardView | None:
        """Return the view by kernels; it begins at the start."""
        return ScotlandYardView(self) if world is None else None

    def choice_index(self, world: ScotlandYardWorld, action: int) -> int:
        """Return the number of the line among those that leave the station."""
        station = world.detectives[world.turn - 1] if world.turn > 0 else world.hider
        routes = self._routes[station - 1]
        return len(routes) if action == self._double else [route[0] for route in routes].index(action)

    def _next_turn(self, world: ScotlandYardWorld) -> int:
        """Return who moves once `world.turn` has moved, or how the game has ended."""
        turn, hider, detectives, hider_tickets, detective_tickets, _, double, moves = world
        if hider in detectives:
            return CAUGHT
        if not double:
            for pawn in range(turn, self.num_detectives):
                if self._moves(detectives[pawn], detective_tickets[pawn], detectives):
                    return pawn + 1
            if turn == 0 or moves == self.setup.rounds:
                return ESCAPED
        return HIDER if self._moves(hider, hider_tickets, detectives) else STUCK

    def _moves(self, station: int, tickets: tuple[int, ...], detectives: tuple[int, ...]) -> tuple[int, ...]:
        """Return the moves from a station, whosever."""
        return tuple(
            action
            for action, kind, end in self._routes[station - 1]
            if tickets[kind] > 0 and end not in detectives
        )

    def _free_starts(self, world: ScotlandYardWorld) -> tuple[int, ...]:
        placed, setup = world.detectives, self.setup
        pool = (
            setup.detective_starts[len(placed)] if len(placed) < self.num_detectives else setup.hider_starts
        )
        return tuple(station for station in pool if station not in placed)

    def _placed(self, world: ScotlandYardWorld) -> ScotlandYardWorld:
        """Place, without asking chance, pawns that have one station to start from; then let Mr. X begin."""
        while not world.hider:
            stations = self._free_starts(world)
            if len(stations) > 1:
                return world
            world = _with_pawn(world, stations[0], self.num_detectives)
        can_move = self._moves(world.hider, world.hider_tickets, world.detectives)
        return world._replace(turn=0 if can_move else STUCK)


def _list_near(routes: Routes) -> Iterator[tuple[int, ...]]:
    """Yield the numbers, from 0, of the stations one move from each."""
    for own in routes:
        yield tuple(sorted({end - 1 for _, _, end in own}))


def _routes(board: Board, station: int, num_kinds: int) -> tuple[tuple[int, int, int], ...]:
    """Return `(action, ticket, end)` of every move from a station, ascending."""
    stops = [board.lines[transport][station - 1] for transport in TRANSPORTS]
    stops[BLACK] = tuple(sorted({end for ends in stops for end in ends}))  # any line, the boat's too
    return tuple(
        (kind * board.num_stations + end - 1, kind, end) for kind in range(num_kinds) for end in stops[kind]
    )


def _with_pawn(world: ScotlandYardWorld, station: int, num_detectives: int) -> ScotlandYardWorld:
    if len(world.detectives) < num_detectives:
        return world._replace(detectives=(*world.detectives, station))
    return world._replace(hider=station)


def _changed(tickets: tuple[int, ...], kind: int, by: int) -> tuple[int, ...]:
    return (*tickets[:kind], tickets[kind] + by, *tickets[kind + 1 :])
