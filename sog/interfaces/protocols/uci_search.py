"""What a UCI engine does with positions: reads them, searches within the client's limits, and reports.

Limits: `nodes` are simulations; `movetime` and clocks are time; `depth` is the length of the best line;
`mate` is a proven mate in so many moves, looked for with no more simulations than usual. A search that has
filled `Hash` ends as if it had been told to. A pondering search has no limits until `ponderhit`.

Verified: tests/interfaces/protocols/test_uci.py.
"""

from collections.abc import Callable
from math import log10

from sog.agents.making import make_evaluator
from sog.agents.methods import parse_method
from sog.agents.specs import find_agent
from sog.core.errors import InputError
from sog.games.base import TERMINAL
from sog.games.chess.board import CLOCK, PLY, REPETITIONS
from sog.games.chess.fen import read_fen
from sog.games.chess.game import STARTPOS, Chess, ChessWorld
from sog.games.chess.moves import in_check, legal_moves
from sog.games.chess.notation import write_uci
from sog.games.chess.outcome import FIFTY_MOVES, REPETITION
from sog.interfaces.protocols.uci import MOST_SIMULATIONS, NO_MOVE, Control, Go, Settings
from sog.nets.torch_forward import use_threads
from sog.public.evaluator import Evaluator
from sog.search.analysis import Analysis, Analyst, Method, Progress, RootMove

LONGEST_GAME = 10_000  # half moves: a referee may have other limits than self-play
_MEGABYTE = 1 << 20
_MOVES_TO_GO = 30  # that a game is thought to last
_OVERHEAD = 0.03  # seconds between our clock and the referee's
_INFO_SECONDS = 1.0
_LOOKING_SHARE = 0.05  # of a search's time, spent on looking whether depth or mate is reached
_FASTEST = 20_000  # simulations a second: no search does more


class ChessEngine:
    """A position, and searches of it."""

    def __init__(self, evaluator: Evaluator, method: Method) -> None:
        self._game = Chess(max_moves=LONGEST_GAME)
        self._analyst = Analyst(self._game, evaluator, method)
        self._usual = method.simulations
        self._world: ChessWorld | None = self._game.initial_world()
        self._heard: tuple[list[str], list[str], ChessWorld] | None = None  # start and moves of the position

    @classmethod
    def load(cls, agent: str, search: str) -> "ChessEngine":
        """Return the engine of a command line, compiled: its first search must not lose time."""
        game = Chess(max_moves=LONGEST_GAME)
        engine = cls(make_evaluator(find_agent(agent, "chess"), game), parse_method(search))
        engine._analyst.analyse(game.initial_world(), 2, seed=0)
        engine.new_game()
        return engine

    def set_up(self, settings: Settings) -> None:
        """Take over what the client has set."""
        use_threads(settings["Threads"])

    def new_game(self) -> None:
        """Begin anew."""
        self._world, self._heard = self._game.initial_world(), None
        self._analyst.forget()

    def set_position(self, words: list[str]) -> None:
        """Take over a position; after one that cannot be read there is none."""
        heard, self._heard, self._world = self._heard, None, None
        split = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:split], words[split + 1 :]
        if heard is not None and heard[0] == start and heard[1] == moves[: len(heard[1])]:
            number, world = len(heard[1]), heard[2]
        else:
            number, world = 0, self._read_start(start)
        for place in range(number, len(moves)):
            world = self._play(world, moves[place], place)
        self._heard, self._world = (start, moves, world), world

    def _read_start(self, words: list[str]) -> ChessWorld:
        if words == [STARTPOS]:
            return self._game.initial_world()
        if words[:1] == ["fen"]:
            return ChessWorld((read_fen(" ".join(words[1:])).tobytes(),))
        raise InputError("a position is startpos or fen, then moves")

    def _play(self, world: ChessWorld, text: str, number: int) -> ChessWorld:
        game, world = self._game, self._claim_nothing(world)
        for action in game.legal_actions(world):
            if game.action_name(world, action) == text:
                return game.apply(world, action)
        raise InputError(f"{text[:20]!r} is no legal move after {number} moves")

    def _claim_nothing(self, world: ChessWorld) -> ChessWorld:
        """Return a position as if it were new, if it is a draw that no player has claimed."""
        if self._game.outcome(world) not in (FIFTY_MOVES, REPETITION):
            return world
        position = world.position.copy()
        position[CLOCK] = position[REPETITIONS] = 0
        return ChessWorld((position.tobytes(),))

    def search(self, go: Go, settings: Settings, control: Control, write: Callable[[str], None]) -> None:
        """Search, report, and answer with a move in any case."""
        if self._world is None:
            write("info string there is no position to search: the last one could not be read")
            write(f"bestmove {NO_MOVE}")
            return
        world = self._claim_nothing(self._world)
        names = {
            write_uci(int(move), int(world.position[PLY]) % 2): move for move in legal_moves(world.position)
        }
        if self._game.actor(world) == TERMINAL:
            score = "mate 0" if not names and in_check(world.position) else "cp 0"
            write(f"info depth 0 score {score}")
            write(f"bestmove {next(iter(names), NO_MOVE)}")
            return
        among = [name for name in go.moves if name in names]
        if go.moves and not among:
            write("info string none of the searchmoves is legal: all moves are searched")
        _Run(self._analyst, world, go, settings, control, write, self._usual).search(among)


class _Run:
    """One `go`."""

    def __init__(
        self,
        analyst: Analyst,
        world: ChessWorld,
        go: Go,
        settings: Settings,
        control: Control,
        write: Callable[[str], None],
        usual: int,
    ) -> None:
        self._analyst, self._world, self._settings = analyst, world, settings
        self._control, self._write, self._go = control, write, go
        self._usual = settings["Simulations"] or usual
        self._seconds = _seconds(go.numbers, int(world.position[PLY]) % 2 == 0)
        self._most_bytes = settings["Hash"] * _MEGABYTE
        self._is_open = go.is_infinite or go.ponders  # no limit holds yet
        self._clock_start = 0.0  # seconds of the search at which the clock began to run
        self._told = self._looking = self._looked = (
            0.0  # seconds: of the last report; spent; of the last look
        )

    def search(self, among: list[str]) -> None:
        """Search and answer."""
        game, world, control = self._analyst.game, self._world, self._control
        names = {game.action_name(world, action): action for action in game.legal_actions(world)}
        self._analyst.drop_beyond(self._most_bytes // 2)  # there must be room for the next search as well
        analysis = self._analyst.analyse(
            world,
            MOST_SIMULATIONS if self._is_open else self._simulations(),
            self._settings["Seed"],
            self._should_stop,
            [names[name] for name in among],
            self._settings["MultiPV"],
        )
        while self._is_open and not (control.is_stopped or control.has_ended or self._has_been_hit()):
            control.listen(waits=True)
        self._report(analysis)
        line = self._names(analysis.best)
        self._write(f"bestmove {line[0]}" + (f" ponder {line[1]}" if len(line) > 1 else ""))

    def _should_stop(self, progress: Progress) -> bool:
        control = self._control
        control.listen()
        if progress.seconds - self._told >= _INFO_SECONDS:
            self._report(progress.look())
            self._told = progress.seconds
        if self._is_open and self._has_been_hit():
            self._is_open, self._clock_start = self._go.is_infinite, progress.seconds
        if control.is_stopped or self._analyst.num_bytes > self._most_bytes:
            return True
        return control.has_ended if self._is_open else self._is_reached(progress)

    def _has_been_hit(self) -> bool:
        return self._control.is_hit and self._go.ponders and not self._go.is_infinite

    def _simulations(self) -> int:
        """Return after how many simulations to stop, whatever the other limits."""
        numbers = self._go.numbers
        if "nodes" in numbers:
            return min(max(1, numbers["nodes"]), MOST_SIMULATIONS)
        if self._seconds is not None:
            return min(MOST_SIMULATIONS, max(self._usual, round(_FASTEST * self._seconds)))
        return MOST_SIMULATIONS if "depth" in numbers else self._usual

    def _is_reached(self, progress: Progress) -> bool:
        """Return whether a limit is reached."""
        if self._seconds is not None and progress.seconds - self._clock_start >= self._seconds:
            return True
        if progress.simulations >= self._simulations():
            return True
        numbers = self._go.numbers
        is_time_to_look = self._looking <= _LOOKING_SHARE * (progress.seconds - self._looked)
        if not ({"depth", "mate"} & set(numbers)) or not is_time_to_look:
            return False
        analysis = progress.look()
        now = analysis.seconds
        self._looking, self._looked = now - progress.seconds, now
        depth, mate, end = numbers.get("depth"), numbers.get("mate"), analysis.best.end
        is_deep = depth is not None and len(analysis.best.variation) >= depth
        return is_deep or (mate is not None and end is not None and abs(end) <= 2 * mate)

    def _report(self, analysis: Analysis) -> None:
        full = min(1000, 1000 * self._analyst.num_bytes // self._most_bytes)
        rate = round(analysis.simulations / max(analysis.seconds, 1e-3))
        for number, move in enumerate(analysis.moves[: self._settings["MultiPV"]], start=1):
            names = self._names(move)
            self._write(
                f"info depth {len(names)} multipv {number} score {score(move)} nodes {analysis.simulations}"
                f" nps {rate} hashfull {full} time {round(1000 * analysis.seconds)} pv {' '.join(names)}"
            )

    def _names(self, move: RootMove) -> list[str]:
        names, world = [], self._world
        for action in move.variation:
            names.append(self._analyst.game.action_name(world, action))
            world = self._analyst.game.apply(world, action)
        return names


def _seconds(numbers: dict[str, int], is_white: bool) -> float | None:
    """Return how long to think, by what the referee says of clocks; None without clocks."""
    own = "w" if is_white else "b"
    if "movetime" in numbers:
        seconds = numbers["movetime"] / 1000
    elif f"{own}time" in numbers:
        left = numbers[f"{own}time"] / 1000
        share = left / max(1, numbers.get("movestogo", _MOVES_TO_GO)) + numbers.get(f"{own}inc", 0) / 1250
        seconds = min(share, left / 2)
    else:
        return None
    return max(0.0, seconds - _OVERHEAD)


def score(move: RootMove) -> str:
    """Return a move's score as UCI writes it: centipawns, or moves to mate where one is proven.

    >>> score(RootMove(0, 1.0, 0.5, [], None)), score(RootMove(0, 1.0, 1.0, [], 3))
    ('cp 191', 'mate 2')
    """
    if move.end is None:
        return f"cp {centipawns(move.value)}"
    return f"mate {(move.end + 1) // 2}" if move.end > 0 else f"mate {-(-move.end // 2)}"


def centipawns(value: float) -> int:
    """Return an expected result as a score: by Elo's curve, a pawn for every 100 points.

    >>> centipawns(0.0), centipawns(0.5), centipawns(-1.0)
    (0, 191, -1320)
    """
    bounded = min(0.999, max(-0.999, value))
    return round(400 * log10((1 + bounded) / (1 - bounded)))
