"""`sog match`: a round robin between agents, searches and engines, with Elo ratings.

Verified: tests/interfaces/test_match_command.py.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sog.core.errors import InputError
from sog.core.files import write_file
from sog.evaluation.sprt import Sprt, parse_sprt
from sog.games.base import AnyGame
from sog.games.chess.fen import START
from sog.games.notation import GameRecord, export_moves
from sog.games.registry import load
from sog.interfaces.arguments import INTERRUPTED
from sog.interfaces.match_table import LiveTable, cross_lines, forfeit_line, note_lines, table_lines
from sog.interfaces.output import PICTURES, check_output, print_json
from sog.interfaces.progress import preparing
from sog.matches.curves import arrange
from sog.matches.hall import Setting, open_board, play_all
from sog.matches.kinds import open_game
from sog.matches.openings import digest_openings, draw_openings, read_openings
from sog.matches.play import Opening
from sog.matches.players import Entrant, check_entrant, find_game, parse_entrants
from sog.matches.records import Ledger
from sog.matches.schedule import schedule
from sog.matches.tables import Table, count_pairs, make_table

_MOST_FAILURES = 3  # of one player in a row: then there is no point in going on


class Options(NamedTuple):
    """What was asked for."""

    players: list[str]
    game: str | None
    games: int
    openings: Path | None
    opening_moves: int
    max_moves: int | None
    seed: int
    concurrency: int
    patience: float
    out: Path | None
    pgn: Path | None
    sgf: Path | None
    moves: Path | None
    plot: Path | None
    anchor: str | None
    sprt: str | None
    json: bool


class _Match(NamedTuple):
    """Everything about a match that is known before its first game."""

    options: Options
    entrants: list[Entrant]
    game: AnyGame
    openings: list[Opening]
    sprt: Sprt | None
    anchor: int

    @property
    def names(self) -> list[str]:
        return [entrant.name for entrant in self.entrants]

    def table(self, records: Sequence[GameRecord]) -> Table:
        return make_table(self.names, records, self.anchor)


def run(options: Options) -> int:
    """Play a match and return the exit status."""
    match = _prepare(options)
    ledger = Ledger(options.out, _facts(match))
    try:
        end = _play(match, ledger)
    finally:
        ledger.close()
    records = sorted(
        (record for record in ledger.records if {record.first, record.second} <= set(match.names)),
        key=lambda record: (record.round, match.names.index(record.first), match.names.index(record.second)),
    )
    _export(match, records)
    if options.json:
        print_json(_figures(match, records))
    else:
        _print_table(match, records)
    if isinstance(end, str):
        raise InputError(end)
    return end


def _prepare(options: Options) -> _Match:
    """Check everything that can be checked before anything is played."""
    if options.games % 2:
        raise InputError(f"--games must be even, since colours are swapped, not {options.games}")
    entrants = parse_entrants(options.players)
    game = find_game(entrants) if options.game is None else load(options.game)
    game = open_game(game, options.max_moves)
    sprt = None if options.sprt is None else parse_sprt(options.sprt)
    if sprt is not None and len(entrants) != 2:
        raise InputError(f"--sprt is for two players, not {len(entrants)}")
    names = [entrant.name for entrant in entrants]
    if options.anchor is not None and options.anchor not in names:
        raise InputError(
            f"--anchor: there is no player {options.anchor[:80]!r} (there are {', '.join(names)})"
        )
    for option, path, suffixes in (
        ("--pgn", options.pgn, [".pgn"]),
        ("--sgf", options.sgf, [".sgf"]),
        ("--moves", options.moves, [".txt"]),
        ("--plot", options.plot, PICTURES),
    ):
        check_output(option, path, suffixes)
    _exports(options, game, "", [])
    if options.openings is not None:
        openings = read_openings(game, options.openings)
    else:
        openings = draw_openings(game, options.games // 2, options.opening_moves, options.seed)
    anchor = 0 if options.anchor is None else names.index(options.anchor)
    return _Match(options, entrants, game, openings, sprt, anchor)


def _facts(match: _Match) -> dict[str, object]:
    """Return what must be the same when a match goes on."""
    options, game = match.options, match.game
    drawn = f"{options.opening_moves} random moves"
    return {
        "game": game.info.name,
        "openings": drawn if options.openings is None else f"file {digest_openings(match.openings)}",
        "seed": options.seed,
        "players": {
            entrant.name: [entrant.spelling, check_entrant(entrant, game)] for entrant in match.entrants
        },
    }


def _play(match: _Match, ledger: Ledger) -> int | str:
    """Play what is still to be played; return the exit status, or why no more could be played."""
    options = match.options
    rounds = options.games // 2
    pairings = schedule(match.names, rounds, match.openings, options.seed, ledger.keys)
    total = rounds * len(match.names) * (len(match.names) - 1)
    if total > len(pairings) and not options.json:
        print(f"{total - len(pairings)} of {total} games were played before", file=sys.stderr)
    setting = Setting(match.game.info.name, tuple(match.entrants), options.patience)
    live, failures = LiveTable(total, options.json), Counter[str]()
    if not pairings or _is_decided(match, ledger.records):
        return 0
    with preparing("two minutes"):
        board = open_board(setting)
    try:
        with closing(play_all(setting, board, pairings, options.concurrency)) as games:
            for played, record in enumerate(games, total - len(pairings) + 1):
                ledger.add(record)
                if record.forfeit is not None and not options.json:
                    live.say(forfeit_line(record))
                for player, name in enumerate((record.first, record.second)):
                    failures[name] = failures[name] + 1 if record.forfeit == player else 0
                    if failures[name] == _MOST_FAILURES:
                        live.clear()
                        return f"{name} failed {_MOST_FAILURES} times in a row: {record.reason}"
                if live.is_due:
                    live.show(match.table(ledger.records), played, _sprt_note(match, ledger.records))
                if _is_decided(match, ledger.records):
                    break
    except InputError as error:  # what was played before is shown first
        live.clear()
        return str(error)
    except KeyboardInterrupt:
        live.clear()
        hint = f"; the same command goes on from {options.out}" if options.out else ""
        print(f"sog: interrupted{hint}", file=sys.stderr)
        return INTERRUPTED
    live.clear()
    return 0


def _sprt_note(match: _Match, records: Sequence[GameRecord]) -> str:
    if match.sprt is None:
        return ""
    low, high = match.sprt.bounds
    return f", SPRT {_ratio(match, records):.2f} ({low:.2f} to {high:.2f})"


def _ratio(match: _Match, records: Sequence[GameRecord]) -> float:
    assert match.sprt is not None
    return match.sprt.ratio(count_pairs(match.names[0], match.names[1], records))


def _is_decided(match: _Match, records: Sequence[GameRecord]) -> bool:
    return match.sprt is not None and match.sprt.decision(_ratio(match, records)) is not None


def _exports(options: Options, game: AnyGame, start: str, records: Sequence[GameRecord]) -> dict[Path, str]:
    """Return the contents of the files that were asked for."""
    files = {}
    if options.pgn is not None:
        files[options.pgn] = game.notation.write_games("pgn", start, records)
    if options.sgf is not None:
        files[options.sgf] = game.notation.write_games("sgf", start, records)
    if options.moves is not None:
        files[options.moves] = export_moves(records)
    return files


def _export(match: _Match, records: Sequence[GameRecord]) -> None:
    start = str(match.game.initial_world())
    usual = "" if start == START else start
    for path, text in _exports(match.options, match.game, usual, records).items():
        write_file(path, text.encode())
    if match.options.plot is not None:
        from sog.interfaces.match_plot import draw_match  # matplotlib is slow to import

        title = f"{match.game.info.name}: {len(records)} games"
        anchor, curves = match.names[match.anchor], arrange(match.entrants)
        draw_match(title, anchor, match.table(records), curves, match.options.plot)


def _print_table(match: _Match, records: Sequence[GameRecord]) -> None:
    table = match.table(records)
    openings = {(record.position, *record.moves.split()[: record.opening]) for record in records}
    print(f"{match.game.info.name}: {len(records)} games, {len(openings)} openings\n")
    print("\n".join([*table_lines(table), *note_lines(table)]))
    if lines := cross_lines(table):
        print("\n" + "\n".join(lines))
    if match.sprt is not None:
        ratio = _ratio(match, records)
        print(f"\n{match.names[0]} against {match.names[1]}{_sprt_note(match, records)}:"
              f" {match.sprt.decision(ratio) or 'not decided'}")  # fmt: skip


def _figures(match: _Match, records: Sequence[GameRecord]) -> dict[str, object]:
    table = match.table(records)
    figures: dict[str, object] = {
        "game": match.game.info.name,
        "games": len(records),
        "anchor": match.names[match.anchor],
        "players": [
            {
                "name": line.name,
                "elo": line.rating.elo,
                "low": line.rating.low,
                "high": line.rating.high,
                "games": line.games,
                "wins": line.wins,
                "draws": line.draws,
                "losses": line.losses,
                "forfeits": line.forfeits,
                "seconds_per_game": line.seconds,
            }
            for line in table.lines
        ],
        "points": table.points.tolist(),
    }
    if match.sprt is not None:
        ratio = _ratio(match, records)
        figures["sprt"] = {
            "log_ratio": ratio,
            "bounds": list(match.sprt.bounds),
            "pairs": count_pairs(match.names[0], match.names[1], records).tolist(),
            "decision": match.sprt.decision(ratio),
        }
    return figures
