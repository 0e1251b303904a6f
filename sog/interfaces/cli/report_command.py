"""`sog report holdem`: one setting solved on many flops, one table of what comes out.

A report is a folder: `settings.json`, what was asked, and `flops.csv`, a row for each flop that is solved,
written again after each. The same command goes on where a report was stopped.

Verified: tests/interfaces/cli/test_report_command.py.
"""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from sog.core.errors import InputError
from sog.core.files import write_file
from sog.games.holdem.bet_sizes import FLOP
from sog.games.holdem.flops import Flop, is_subset, read_flops
from sog.games.holdem.isomorphism import find_symmetries
from sog.games.holdem.move_paths import follow_path
from sog.games.holdem.spot import Spot
from sog.interfaces.cli.holdem_solves import (
    SPOT_ALGORITHM,
    SPOT_DTYPE,
    exploitability_words,
    make_spot_solver,
    pot_percent,
    pot_share,
)
from sog.interfaces.cli.holdem_spots import (
    HOLDEM,
    describe_spot,
    read_ranges,
    refuse_options,
    spot_from_options,
)
from sog.interfaces.cli.option_types import Until
from sog.interfaces.cli.solves import Limits, run_solver
from sog.interfaces.cli.solving_arguments import SpotOptions
from sog.interfaces.output import PICTURES, check_folder, check_output, columns, print_json, shorten
from sog.poker.flop_report import FlopRow, describe_flop, mean_row, read_rows, write_rows
from sog.poker.solved_spot import SolvedSpot
from sog.solvers.algorithms import parse_algorithm

DEFAULT_UNTIL = Until(0.5, True)
_TABLE, _SETTINGS = "flops.csv", "settings.json"
_ALL_RENAMINGS = 24


class Options(NamedTuple):
    """The options of `sog report`."""

    game: str
    flops: str
    out: Path
    node: str
    until: Until | None
    iterations: int | None
    algorithm: str | None
    dtype: str | None
    save_solves: bool
    plot: Path | None
    json: bool
    spot: SpotOptions


def run(options: Options) -> int:
    """Solve each flop that has no row yet; then print the table and draw it."""
    if options.game != HOLDEM:
        raise InputError(f"sog report is for {HOLDEM}, not for {shorten(options.game, 40)}")
    check_output("--plot", options.plot, PICTURES)
    check_folder("--out", options.out)
    flops = read_flops(options.flops)
    rows = _open_report(options, _check(options, flops))
    known, left_out = {row.flop for row in rows}, 0
    try:
        for number, flop in enumerate(flops, 1):
            if flop.name in known:
                continue
            print(f"{flop.name}, {number} of {len(flops)}", file=sys.stderr)
            try:
                spot = _make_spot(options, flop)
            except InputError as error:  # the flop blocks a range
                print(f"{flop.name} is left out: {error}", file=sys.stderr)
                left_out += 1
                continue
            row = _solve(options, flop, spot)
            if row is None:  # interrupted: the rows so far are there
                break
            rows.append(row)
            write_file(options.out / _TABLE, write_rows(rows).encode())
    finally:
        if rows:
            _finish(options, rows, len(flops) - left_out)
    return 0


def _make_spot(options: Options, flop: Flop) -> Spot:
    return spot_from_options(HOLDEM, options.spot._replace(board=flop.name))


def _check(options: Options, flops: list[Flop]) -> Spot:
    """Return the spot of the first flop that leaves hands; refuse what would not hold for all suits."""
    refuse_options(
        options.spot,
        ("board", "libratus", "small_blind", "ante", "hand", "street"),
        "does not go with --flops",
    )
    if is_subset(options.flops) and len(find_symmetries((), read_ranges(options.spot))) < _ALL_RENAMINGS:
        raise InputError(
            "the ranges tell suits apart, and a subset of flops has one for all suits: name flops"
        )
    spot = _first_spot(options, flops)
    try:
        place = follow_path(spot.sizes, spot.betting, options.node)
    except InputError as error:
        raise InputError(f"--node: {error}") from None
    if place.street != FLOP:
        raise InputError(f"--node: {shorten(options.node, 60)!r} is not on the flop any more")
    return spot


def _first_spot(options: Options, flops: list[Flop]) -> Spot:
    reason: InputError | None = None
    for flop in flops:
        try:
            return _make_spot(options, flop)
        except InputError as error:
            reason = reason or error
    assert reason is not None
    raise reason


def _open_report(options: Options, spot: Spot) -> list[FlopRow]:
    """Return the rows that are there; write the settings of a new report, refuse those of another."""
    settings, path = _settings(options, spot), options.out / _SETTINGS
    table = options.out / _TABLE
    options.out.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        if table.exists():
            raise InputError(f"{table} is there without {_SETTINGS}: choose another folder")
        write_file(path, (json.dumps(settings, indent=2) + "\n").encode())
        return []
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        rows = read_rows(table.read_text(encoding="utf-8")) if table.exists() else []
    except (ValueError, InputError):
        raise InputError(f"{options.out} holds no report that can be read: choose another folder") from None
    for name, value in settings.items():
        if known.get(name) != value:
            before, now = shorten(str(known.get(name)), 60), shorten(str(value), 60)
            raise InputError(
                f"{options.out} is a report with {name} {before}, not {now}: choose another folder"
            )
    return rows


def _settings(options: Options, spot: Spot) -> dict[str, Any]:
    """Return what makes the rows of a report what they are; which flops there are may change."""
    said = json.loads(describe_spot(spot))
    del said["board"]
    until = options.until or DEFAULT_UNTIL
    return {
        **said,
        "node": options.node,
        "until": f"{until.amount:g}{'%' if until.is_pot_percent else ''}",
        "iterations": options.iterations,
        "algorithm": options.algorithm or SPOT_ALGORITHM,
        "dtype": options.dtype or SPOT_DTYPE,
    }


def _solve(options: Options, flop: Flop, spot: Spot) -> FlopRow | None:
    """Return the row of a flop; None if the solve was interrupted."""
    until = options.until or DEFAULT_UNTIL
    goal = pot_share(spot, until.amount) if until.is_pot_percent else until.amount
    algorithm = parse_algorithm(options.algorithm or SPOT_ALGORITHM).name
    solver = make_spot_solver(spot, algorithm, options.dtype or SPOT_DTYPE)
    solution = run_solver(solver, Limits(options.iterations, goal), exploitability_words(spot))
    if solution.was_interrupted:
        return None
    if options.save_solves:
        path = options.out / f"{flop.name}.npz"
        solver.save(path, describe_spot(spot), solver.kept_arrays(with_rivers=False))
    share = pot_percent(spot, solution.exploitability)
    return describe_flop(SolvedSpot(spot, solver), flop, options.node, share)


def _finish(options: Options, rows: list[FlopRow], asked: int) -> None:
    whole = mean_row(rows)
    if options.plot is not None:
        from sog.interfaces.plots.report_picture import draw_report  # matplotlib is slow to import

        draw_report(_title(options), rows, whole, options.plot)
    if options.json:
        print_json({"flops_asked": asked, "all": _record(whole), "flops": [_record(row) for row in rows]})
        return
    table = [_header(whole), *(_words(row) for row in [*rows, whole])]
    print("\n".join([_title(options), *columns(table)]))
    if len(rows) < asked:
        print(f"{len(rows)} of {asked} flops are done: the same command goes on", file=sys.stderr)


def _title(options: Options) -> str:
    pot, stack = options.spot.pot, options.spot.stack
    after = f", after {options.node.replace(',', ', ')}" if options.node else ""
    return f"{HOLDEM}, pot {pot:,}, stack {stack:,}{after}"


def _header(row: FlopRow) -> list[str]:
    return ["flop", "weight", f"EV {row.player}", "equity", *row.actions, "exploitable"]


def _words(row: FlopRow) -> list[str]:
    shares = [f"{100 * share:.1f}%" for share in row.frequencies]
    figures = [f"{row.weight:g}", f"{row.ev:.2f}", f"{100 * row.equity:.1f}%"]
    return [row.flop, *figures, *shares, f"{row.exploitability:.2g}%"]


def _record(row: FlopRow) -> dict[str, Any]:
    record = row._asdict()
    shares = zip(record.pop("actions"), record.pop("frequencies"), strict=True)
    return {**record, "frequencies": dict(shares)}
