"""Two versions of the program, or two kinds of network, trained from the same seeds and measured alike.

    OMP_NUM_THREADS=1 python -m benchmarks.paired_seeds FOLDER --plan leduc --seeds 10 --against CHECKOUT
    OMP_NUM_THREADS=1 python -m benchmarks.paired_seeds FOLDER --plan leduc_kinds --seeds 5
    python -m benchmarks.paired_seeds FOLDER

Each side trains the plan's preset in one process for the same number of gradient steps; the two sides
of a seed run one after the other, so that whatever is there is paired. Then
`sog evaluate` composes each agent's searches and measures exact exploitability, with the training's seed.
FOLDER/results.jsonl has a line for each run; what it holds already is not run again. Without --plan the
program only prints the table: means, extremes, and the mean difference with its standard error.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parents[1]
SEARCHES = ("33,1", "100,1", "300,1", "1000,1")


class Plan(NamedTuple):
    """What is trained."""

    preset: str
    game: str
    steps: int
    searches: tuple[str, ...]
    kinds: tuple[str, str] | None = None  # of network, instead of two versions


GLASSES, DICE = "scotland_yard(map=glasses)", "liars_dice(dice=1,faces=6)"
PLANS = {
    "leduc": Plan("leduc", "leduc", 2_500, SEARCHES),
    "glasses": Plan("glasses", GLASSES, 600, SEARCHES[:3]),
    "leduc_kinds": Plan("leduc", "leduc", 2_500, SEARCHES, ("mlp", "rows")),
    "dice_kinds": Plan("liars_dice", DICE, 2_500, SEARCHES[:2], ("mlp", "rows")),
}


class Side(NamedTuple):
    """One of the two that are compared."""

    name: str
    checkout: Path
    lines: str  # of the configuration, before those of the checkout's preset


def find_sides(plan: Plan, against: Path | None) -> list[Side]:
    """Return what is compared."""
    if plan.kinds is not None:
        return [Side(kind, HERE, f'[network]\nkind = "{kind}"\n') for kind in plan.kinds]
    if against is None:
        raise SystemExit("--against CHECKOUT: the version to compare with")
    return [Side("before", against.resolve(), ""), Side("after", HERE, "")]


def configure(plan: Plan, side: Side) -> str:
    """Return the checkout's preset, without measurements on the way."""
    preset = (side.checkout / "sog" / "configs" / f"{plan.preset}.toml").read_text("utf-8")
    kept = [line for line in preset.splitlines() if not line.startswith(("evaluate_minutes", "game"))]
    text = "\n".join(kept).replace("[run]", "[run]\nevaluate_minutes = 10000.0")
    if "[run]" not in text or (side.lines and "[network]" in text):
        raise SystemExit(f"{plan.preset}: a preset of another form")
    return f'game = "{plan.game}"\n{side.lines}{text}\n'


def run(side: Side, *arguments: str) -> tuple[str, float]:
    """Run `sog` of a checkout; return what it printed and the processor seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "sog", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(side.checkout)}
    # In its own folder, which comes before PYTHONPATH.
    done = subprocess.run(
        command, cwd=side.checkout, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def train_and_measure(name: str, plan: Plan, side: Side, seed: int, folder: Path) -> dict[str, Any]:
    """Return a line of results."""
    out = (folder / f"{name}_{side.name}_{seed}").resolve()
    config = out.with_suffix(".toml")
    config.write_text(configure(plan, side), "utf-8")
    training = ("--config", str(config), "--steps", str(plan.steps), "--seed", str(seed), "--out", str(out))
    _, seconds = run(side, "train", *training)
    searches = ("--search", *plan.searches, "--seeds", "1", "--first-seed", str(seed))
    printed, _ = run(side, "evaluate", str(out), *searches, "--json")
    line = {"plan": name, "side": side.name, "seed": seed, "cpu_seconds": round(seconds, 1)}
    return {**line, "exploitability": read_evaluation(json.loads(printed))}


def read_evaluation(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Return the exploitability of each search, as `sog evaluate --json` says it."""
    return {row["search"]: row["exploitability"]["mean"] for row in rows}


def tabulate(lines: list[dict[str, Any]]) -> list[str]:
    """Return the table of a plan: each side's means and extremes, then second minus first, pair by pair.

    >>> def line(side, seed, value):
    ...     return {"side": side, "seed": seed, "cpu_seconds": 60.0, "exploitability": {"SoG(33,1)": value}}
    >>> four = [line("before", 0, 100), line("after", 0, 90), line("before", 1, 80), line("after", 1, 76)]
    >>> for text in tabulate(four):
    ...     print(text)
    before: 2 seeds, 60 CPU-seconds each; SoG(33,1) 90 (80-100)
    after: 2 seeds, 60 CPU-seconds each; SoG(33,1) 83 (76-90)
    after - before: SoG(33,1) -7 ± 3
    """
    sides = list(dict.fromkeys(line["side"] for line in lines))
    runs = {side: {line["seed"]: line for line in lines if line["side"] == side} for side in sides}
    seeds = sorted(set.intersection(*(set(runs[side]) for side in sides)))
    searches = list(lines[0]["exploitability"])

    def values(side: str, search: str) -> list[float]:
        return [runs[side][seed]["exploitability"][search] for seed in seeds]

    texts = []
    for side in sides:
        seconds = statistics.fmean(runs[side][seed]["cpu_seconds"] for seed in seeds)
        figures = ", ".join(
            f"{search} {statistics.fmean(found):.4g} ({min(found):.4g}-{max(found):.4g})"
            for search in searches
            for found in [values(side, search)]
        )
        texts.append(f"{side}: {len(seeds)} seeds, {seconds:.0f} CPU-seconds each; {figures}")
    if len(sides) == 2 and len(seeds) > 1:
        first, second = sides
        pairs = {
            search: zip(values(first, search), values(second, search), strict=True) for search in searches
        }
        changes = {search: [after - before for before, after in pairs[search]] for search in searches}
        figures = ", ".join(
            f"{search} {statistics.fmean(change):+.3g} ± {statistics.stdev(change) / len(change) ** 0.5:.2g}"
            for search, change in changes.items()
        )
        texts.append(f"{second} - {first}: {figures}")
    return texts


def read_results(file: Path) -> list[dict[str, Any]]:
    """Return what has been measured."""
    return [json.loads(text) for text in file.read_text("utf-8").splitlines()] if file.exists() else []


def main() -> None:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--plan", choices=PLANS)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--steps", type=int, help="gradient steps of each training instead of the plan's")
    parser.add_argument("--against", type=Path, help="checkout of the version to compare with")
    given = parser.parse_args()
    file = given.folder / "results.jsonl"
    if given.plan:
        given.folder.mkdir(parents=True, exist_ok=True)
        plan = PLANS[given.plan]._replace(steps=given.steps or PLANS[given.plan].steps)
        sides = find_sides(plan, given.against)
        done = {(line["plan"], line["side"], line["seed"]) for line in read_results(file)}
        for seed in range(given.seeds):
            for side in sides:
                if (given.plan, side.name, seed) not in done:
                    line = train_and_measure(given.plan, plan, side, seed, given.folder)
                    with file.open("a", encoding="utf-8") as opened:
                        opened.write(json.dumps(line) + "\n")
    lines = read_results(file)
    for name in dict.fromkeys(line["plan"] for line in lines):
        print(name, *tabulate([line for line in lines if line["plan"] == name]), sep="\n    ")


if __name__ == "__main__":
    main()
