"""Options of the commands that train agents and measure how exploitable they are.

This module must stay light: it is imported before anything is known about what the user wants.

Verified: tests/interfaces/cli/test_cli.py.
"""

import argparse
from pathlib import Path

from sog.interfaces.cli.option_types import (
    AGENT_HELP,
    GAME_HELP,
    add_json,
    add_max_states,
    add_plot,
    add_random_start,
    add_ray,
    count,
    positive,
    seed,
    whole,
)

DEFAULT_EPISODES = 10_000


def evaluate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog evaluate`."""
    parser.add_argument("agent", metavar="AGENT", nargs="?", help=AGENT_HELP)
    parser.add_argument(
        "--checkpoints",
        action="store_true",
        help="measure every agent that the training run AGENT kept on the way",
    )
    parser.add_argument("--game", metavar="GAME", help=f"instead of AGENT: {GAME_HELP}")
    parser.add_argument(
        "--evaluator",
        metavar="NAME",
        help="with --game, what leaves are worth: zero (the default), uniform-rollout, exact, or noisy, with"
        " options in parentheses: 'exact(iterations=200)', 'noisy(of=exact,epsilon=0.1)'",
    )
    parser.add_argument(
        "--spot",
        metavar="SPOT",
        help="measure an agent of hold'em on a spot, exactly: teh, \"teh(board='2c3d4h5s',stack=10000)\""
        " or teh(seed=7); --search 100,300 then says the iterations of the turn's search and of every"
        " river's solve",
    )
    parser.add_argument(
        "--safe",
        choices=["network", "solved"],
        help="with --spot, solve every river for each player by itself, under a gadget whose stop values the"
        " network tells (network) or a first solve of the river (solved)",
    )
    parser.add_argument(
        "--off-tree",
        metavar="MOVES",
        action="append",
        help="with --spot, a bet on the turn that is not on the menu, and the moves that lead to it:"
        " check,bet60; the agent answers it by a safe solve of turn and river, of as many iterations as every"
        " river's; may be given again",
    )
    parser.add_argument(
        "--search",
        metavar="S,C",
        nargs="+",
        help="simulations of each search, and simulations for each regret update, one setting or several:"
        " 33,1 100,1 10,0.01 (default 100,1, or ReBeL for an agent trained by it); 1000,2%% for an update"
        " after 2 simulations per 100 nodes",
    )
    parser.add_argument(
        "--playthroughs",
        metavar="N",
        type=count,
        help="instead of --search, play as ReBeL does and average N playthroughs of the whole game (default"
        " 1024 for an agent trained by it): the exploitability found is an upper bound",
    )
    parser.add_argument(
        "--iterations",
        metavar="N",
        type=count,
        help="of ReBeL's subgames (default: what the agent says, or 1024)",
    )
    parser.add_argument("--seeds", metavar="N", type=count, help="how often to measure (default 10)")
    parser.add_argument(
        "--first-seed", metavar="N", type=seed, default=0, help="seeds are N, N+1 and so on (default 0)"
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        type=whole,
        default=0,
        help="processes that measure seeds side by side (default 0: this one; with --ray, as many as the"
        " cluster has room for)",
    )
    add_ray(parser, "measure the seeds")
    parser.add_argument(
        "--unsafe", action="store_true", help="re-solve without the gadget, to see what it is good for"
    )
    parser.add_argument(
        "--at-once",
        action="store_true",
        help="both players learn at once instead of in turns: half the queries, more iterations needed",
    )
    parser.add_argument(
        "--algorithm",
        metavar="NAME",
        help="of the searches' regret updates, such as 'cfr+(gamma=2)' (default dcfr);"
        " with ReBeL how subgames are solved, such as cfr-ave (default: as in training, else cfr-d);"
        " with --spot how the turn is searched: a variant of CFR, cfr-d or cfr-ave",
    )
    add_json(parser)
    add_plot(parser, "draw the exploitability")
    parser.add_argument(
        "--save",
        metavar="FILE",
        type=Path,
        help="with --checkpoints, write the exploitability against seconds of training as FILE.json, to lay"
        " beside others; with --spot, write what was played as FILE.npz, for sog show-strategy and browse",
    )
    _add_beside(parser, "with --checkpoints, curves of other learners, to be drawn against the same seconds")
    add_max_states(parser)


def baselines_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog baselines`."""
    parser.add_argument("game", metavar="GAME", help="kuhn or leduc")
    parser.add_argument(
        "--methods",
        metavar="NAME",
        nargs="*",
        default=["q", "dqn", "a2c"],
        help="q (tabular Q-learning), dqn, a2c (default all); none at all for the curves --beside alone",
    )
    parser.add_argument(
        "--episodes",
        metavar="N",
        type=count,
        default=DEFAULT_EPISODES,
        help=f"games that each method plays against itself (default {DEFAULT_EPISODES})",
    )
    add_random_start(parser, "start of the random choices")
    parser.add_argument(
        "--save", metavar="FILE.json", type=Path, help="write the curves, to lay beside others"
    )
    add_plot(parser, "draw the curves")
    _add_beside(parser, "curves of other learners, to be drawn, printed and saved with them")
    add_json(parser)


def _add_beside(parser: argparse.ArgumentParser, words: str) -> None:
    parser.add_argument(
        "--beside",
        metavar="FILE.json",
        type=Path,
        nargs="+",
        default=[],
        help=f"{words} (written by --save)",
    )


def train_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog train`."""
    parser.add_argument("game", metavar="GAME", nargs="?", help=f"{GAME_HELP}; with --resume none")
    parser.add_argument(
        "--config",
        metavar="F",
        help="a TOML file, or the name of one that comes with the package (default: the one for the game);"
        " docs/training.md explains every key",
    )
    parser.add_argument(
        "--method",
        choices=("sog", "rebel", "alphazero"),
        help="what makes the examples: sound self-play with growing trees (sog), ReBeL's with subgames of a"
        " fixed depth, or AlphaZero's with MCTS on a board without secrets (default: what the configuration"
        " says, which is sog unless it says so)",
    )
    parser.add_argument(
        "--from",
        metavar="AGENT",
        dest="begins_from",
        help="begin with this agent's weights: a file, a run's folder or a shipped agent",
    )
    parser.add_argument("--steps", metavar="N", type=count, help="stop after N gradient steps in total")
    parser.add_argument("--minutes", metavar="M", type=positive, help="stop after M minutes of training")
    parser.add_argument(
        "--workers",
        metavar="N",
        type=whole,
        default=0,
        help="processes that play and solve while this one learns (default 0: one process does it all, and"
        " the same seed gives the same weights; with --ray, as many as the cluster has room for)",
    )
    add_ray(parser, "have the workers")
    parser.add_argument(
        "--generator-cpus",
        metavar="N",
        type=positive,
        help="with --ray, CPUs that each worker is counted for (default 1)",
    )
    parser.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda"),
        default="auto",
        help="what the learner computes on: auto (the default) takes the first GPU if there is one",
    )
    parser.add_argument("--seed", metavar="N", type=seed, help="start of all random choices")
    parser.add_argument("--out", metavar="DIR", type=Path, help="a new folder for everything that is written")
    parser.add_argument(
        "--resume",
        metavar="DIR",
        type=Path,
        help="go on with the run in this folder, from its last checkpoint",
    )


def sweep_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog sweep`."""
    parser.add_argument(
        "config", metavar="CONFIG", help="a TOML file, or the name of one that comes with the package"
    )
    parser.add_argument(
        "--grid",
        metavar="KEY=A,B,C",
        action="append",
        required=True,
        help="values of a key of the configuration, such as learner.batch=64,256; given several times, every"
        " combination is trained; run.seed=0,1,2 repeats each with other seeds",
    )
    parser.add_argument("--game", metavar="GAME", help="instead of the configuration's")
    parser.add_argument("--steps", metavar="N", type=count, help="gradient steps of each training")
    parser.add_argument(
        "--minutes", metavar="M", type=positive, help="minutes of each training; results then depend on speed"
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        type=whole,
        default=0,
        help="trainings side by side, each in a process of its own (default 0: one after the other in this"
        " one; with --ray, as many as the cluster has room for)",
    )
    add_ray(parser, "do the trainings")
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        required=True,
        help="a folder for every training's agent, metrics and result; the same command goes on from there",
    )
    add_plot(parser, "draw what they came to (default sweep.png in DIR)")
    add_json(parser)
