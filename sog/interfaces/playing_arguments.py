"""Options of the commands that play: with people, with other programs, and matches.

This module must stay light: it is imported before anything is known about what the user wants.

Verified: tests/interfaces/test_cli.py.
"""

import argparse

from sog.interfaces.option_types import (
    AGENT_HELP,
    add_game,
    add_max_states,
    seed,
)


def play_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog play`."""
    add_game(parser)
    parser.add_argument(
        "--seat", metavar="0|1", type=int, choices=(0, 1), default=0, help="which player you are (default 0)"
    )
    parser.add_argument(
        "--opponent",
        metavar="WHO",
        help="uniform (any legal move), solved (solves the game first), mcts:N (N simulations a move, where"
        " nothing is hidden), is-mcts:N (where something is), or a FILE.npz written by sog solve --save"
        " (default: the trained agent that is shipped for the game, or else uniform)",
    )
    parser.add_argument("--agent", metavar="AGENT", help=f"instead of --opponent: {AGENT_HELP}")
    parser.add_argument(
        "--search",
        metavar="S,C",
        help="of a trained agent: simulations of each search, and simulations for each regret update"
        " (default 100,1)",
    )
    parser.add_argument("--seed", metavar="N", type=seed, help="repeat a game's deals (default: new ones)")
    add_max_states(parser)


def engine_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog uci` and `sog gtp`."""
    parser.add_argument(
        "--agent",
        metavar="AGENT",
        default="untrained",
        help=f"untrained (the default), or {AGENT_HELP}",
    )
    parser.add_argument(
        "--search",
        metavar="S,C",
        default="800,1",
        help="simulations of each search, and simulations for each regret update (default 800,1)",
    )
