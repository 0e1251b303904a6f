"""Run benchmarks: `python -m benchmarks [NAME …]`, all of them by default."""

import importlib
import sys

BENCHMARKS = (
    *(
        "exploitability",
        "cfr",
        "mccfr",
        "is_mcts",
        "mcts",
        "cores",
        "holdem",
        "holdem_pruning",
        "holdem_variants",
        "london",
        "pimbot",
        "search",
        "startup",
        "teh",
    ),
    *(
        "chess_rules",
        "go_rules",
        "inference",
        "training",
        "cluster",
        "examples",
        "checkpoints",
        "selfplay",
        "boards",
        "rebel",
        "table2",
        "puzzles",
    ),
)


def main(names: list[str]) -> int:
    """Run the named benchmarks and return the exit status."""
    for name in names or BENCHMARKS:
        if name not in BENCHMARKS:
            print(f"unknown benchmark {name!r}: choose from {', '.join(BENCHMARKS)}", file=sys.stderr)
            return 2
        importlib.import_module(f"benchmarks.{name}").main()
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
