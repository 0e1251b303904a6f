"""`sog match`: a round robin between bots, with Elo ratings, or with what was won where deals decide much.

Verified: tests/interfaces/cli/test_match_command.py.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, cast

from sog.core.errors import InputError
from sog.core.files import write_file
from sog.evaluation.sprt import ELO, Sprt, parse_sprt
from sog.games.base import AnyGame
from sog.games.chess.fen import START
from sog.games.notation import GameRecord, export_moves
from sog.games.registry import load
from sog.interfaces.cli.arguments import INTERRUPTED
from sog.interfaces.cli.match_table import (
    LiveTable,
    cross_lines,
    forfeit_line,
    note_lines,
    share_lines,
    table_lines,
    winnings_lines,
)
from sog.interfaces.cli.progress import preparing
from sog.interfaces.cli.workplaces import check_cluster, check_workers, open_workplace
from sog.interfaces.output import PICTURES, check_output, print_json
from sog.matches.curves import arrange
from sog.matches.engine_pool import Setting, open_pool, play_all
from sog.matches.openings import (
    Opening,
    digest_openings,
    draw_openings,
    read_openings,
    usual_opening_moves,
)
from sog.matches.players import Player, check_player, find_game, parse_players
from sog.matches.records import Ledger
from sog.matches.schedule import schedule
from sog.matches.tables import Mean, Table, count_pairs, make_table, pair_winnings, whole_rounds

_MOST_FAILURES = 3  # of one player in a row: then there is no point in going on


class Options(NamedTuple):
    """What was asked for."""

    players: list[str]
    game: str | None
    games: int
    openings: Path | None
    opening_moves: int | None
    max_moves: int | None
    seed: int
    concurrency: int | None
    patience: float
    out: Path | None
    pgn: Path | None
    sgf: Path | None
    moves: Path | None
    plot: Path | None
    anchor: str | None
    sprt: str | None
    json: bool
    ray: str | None = None


class _Match(NamedTuple):
    """Everything about a match that is known before its first game."""

    options: Options
    players: list[Player]
    game: AnyGame
    openings: list[Opening]
    sprt: Sprt | None
    anchor: int

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    @property
    def by_winnings(self) -> bool:
        """Whether it counts how much is won, and not only who wins."""
        return not self.game.info.is_perfect_information

    @property
    def unit(self) -> str:
        return f"{self.game.info.unit}" if self.by_winnings else ELO

    def table(self, records: Sequence[GameRecord]) -> Table:
        info = self.game.info
        is_won_or_lost = self.by_winnings and info.is_won_or_lost
        return make_table(self.names, records, self.anchor, info.unit_size, self.by_winnings, is_won_or_lost)


def run(options: Options) -> int:
    """Play a match and return the exit status."""
    check_workers("--concurrency", options.concurrency or 0)
    check_cluster(options.ray)
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
    players = parse_players(options.players)
    game = find_game(players) if options.game is None else load(options.game)
    game = game.notation.open("", options.max_moves)
    is_open = game.info.is_perfect_information
    sprt = None if options.sprt is None else parse_sprt(options.sprt, ELO if is_open else game.info.unit)
    if sprt is not None and len(players) != 2:
        raise InputError(f"--sprt is for two players, not {len(players)}")
    if options.plot is not None and not is_open:
        raise InputError(f"--plot draws Elo ratings, and {game.info.name} hides something: leave it out")
    names = [player.name for player in players]
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
        moves = usual_opening_moves(game) if options.opening_moves is None else options.opening_moves
        openings = draw_openings(game, options.games // 2, moves, options.seed)
    anchor = 0 if options.anchor is None else names.index(options.anchor)
    return _Match(options, players, game, openings, sprt, anchor)


def _facts(match: _Match) -> dict[str, object]:
    """Return what must be the same when a match goes on."""
    options, game = match.options, match.game
    drawn = f"{len(match.openings[0].actions)} random moves"
    return {
        "game": game.info.name,
        "openings": drawn if options.openings is None else f"file {digest_openings(match.openings)}",
        "seed": options.seed,
        "players": {player.name: [player.spelling, check_player(player, game)] for player in match.players},
    }


def _play(match: _Match, ledger: Ledger) -> int | str:
    """Play what is still to be played; return the exit status, or why no more could be played."""
    options = match.options
    rounds = options.games // 2
    pairings = schedule(match.names, rounds, match.openings, options.seed, ledger.keys)
    total = rounds * len(match.names) * (len(match.names) - 1)
    if total > len(pairings) and not options.json:
        print(f"{total - len(pairings)} of {total} games were played before", file=sys.stderr)
    setting = Setting(match.game.info.name, tuple(match.players), options.patience)
    live = LiveTable(total, options.json, match.unit, match.game.notation.seats)
    failures = Counter[str]()
    if not pairings or _is_decided(match, ledger.records):
        return 0
    with preparing("two minutes"):
        pool = open_pool(setting)
    try:
        with (
            open_workplace(options.ray, options.concurrency or 0) as place,
            closing(play_all(setting, pool, pairings, place.workers or 1, place.cluster, live.say)) as games,
        ):
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
    first, second = match.names
    records = whole_rounds(records)
    if match.by_winnings:
        won = pair_winnings(first, second, records, match.game.info.unit_size)
        return match.sprt.ratio_of_means(won)
    return match.sprt.ratio(count_pairs(first, second, records))


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
        from sog.interfaces.plots.match_plot import draw_match  # matplotlib is slow to import

        title = f"{match.game.info.name}: {len(records)} games"
        anchor, curves = match.names[match.anchor], arrange(match.players)
        draw_match(title, anchor, match.table(records), curves, match.options.plot)


def _print_table(match: _Match, records: Sequence[GameRecord]) -> None:
    table = match.table(records)
    openings = {(record.position, *record.moves.split()[: record.opening]) for record in records}
    rounds = len({record.round for record in records})
    kinds = f"{rounds} deals from both seats" if match.by_winnings else f"{len(openings)} openings"
    print(f"{match.game.info.name}: {len(records)} games, {kinds}\n")
    lines = table_lines(table)
    if table.shares:
        lines = share_lines(table, match.game.notation.seats)
    elif match.by_winnings:
        lines = winnings_lines(table, match.unit)
    print("\n".join([*lines, *([] if match.by_winnings else note_lines(table))]))
    if lines := cross_lines(table, match.unit):
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
                "winnings": _mean_figures(won.total),
                "winnings_by_seat": [_mean_figures(seat) for seat in won.seats],
            }
            for line, won in zip(table.lines, table.winnings, strict=True)
        ],
        "seats": list(match.game.notation.seats),
        "unit": match.game.info.unit,  # of winnings
        "points": table.points.tolist(),
        "won": table.won.tolist(),
    }
    for figure, won in zip(cast(list[dict[str, object]], figures["players"]), table.shares, strict=False):
        figure["win_rate"] = _mean_figures(won.total)
        figure["win_rate_by_seat"] = [_mean_figures(seat) for seat in won.seats]
    if match.sprt is not None:
        ratio = _ratio(match, records)
        figures["sprt"] = {
            "log_ratio": ratio,
            "bounds": list(match.sprt.bounds),
            "unit": match.sprt.unit,
            "pairs": count_pairs(match.names[0], match.names[1], whole_rounds(records)).tolist(),
            "decision": match.sprt.decision(ratio),
        }
    return figures


def _mean_figures(mean: Mean) -> dict[str, float]:
    return {"mean": mean.value, "low": mean.low, "high": mean.high}
