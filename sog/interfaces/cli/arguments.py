"""What can be typed after `sog`: every command and its help texts. Options are in modules beside this one.

This module must stay light: it is imported before anything is known about what the user wants. A command's
work is in its own module, with a class `Options` whose fields are the options declared here, and a function
`run`. What makes a hold'em spot is one field, `spot`.

Verified: tests/interfaces/cli/test_cli.py.
"""

import argparse
import re
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from sog import __version__
from sog.core.errors import InputError
from sog.interfaces.cli.learning_arguments import (
    baselines_options,
    evaluate_options,
    sweep_options,
    train_options,
)
from sog.interfaces.cli.playing_arguments import (
    MATCH_DESCRIPTION,
    engine_options,
    match_options,
    play_options,
)
from sog.interfaces.cli.solving_arguments import (
    SpotOptions,
    browse_options,
    check_options,
    compare_options,
    games_options,
    ranges_options,
    report_options,
    show_options,
    show_strategy_options,
    solve_options,
)

FAILED = 1
INTERRUPTED = 130  # exit status that shells report for a program ended by Ctrl-C


class Command(NamedTuple):
    """One word after `sog`."""

    summary: str  # one line in `sog --help`
    description: str
    examples: tuple[str, ...]
    add_options: Callable[[argparse.ArgumentParser], None]


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line that says where help is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._negative_number_matcher = re.compile(r"-\d.*")  # so that --search -1,1 has an argument

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message.removeprefix('argument ')} (see {self.prog} --help)")


class _CommandList(argparse.HelpFormatter):
    """Leaves room for the longest command's name, which argparse measures without its indent."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = 2 + max(len(f"    {name}") for name in COMMANDS)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = _Parser(
        prog="sog",
        description="Student of Games: look at games, solve them, play against the solution.",
        epilog="sog COMMAND --help explains a command, with examples.",
        formatter_class=_CommandList,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"sog {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, command in COMMANDS.items():
        examples = "\n".join(f"  {example}" for example in command.examples)
        child = commands.add_parser(
            name,
            help=command.summary,
            description=command.description,
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_options(child)
    return parser


def module_of(command: str) -> str:
    """Return the name of the module that runs a command."""
    return f"sog.interfaces.cli.{command.replace('-', '_')}_command"


def group_options(parsed: argparse.Namespace) -> dict[str, Any]:
    """Return what was typed, the options of a spot taken together where the command has them."""
    options = vars(parsed)
    if set(SpotOptions._fields) <= set(options):
        options["spot"] = SpotOptions(**{name: options.pop(name) for name in SpotOptions._fields})
    return options


COMMANDS: dict[str, Command] = {
    "games": Command(
        summary="list the games",
        description="List the games, their parameters and sizes.",
        examples=("sog games", "sog games --json"),
        add_options=games_options,
    ),
    "show": Command(
        summary="count a game's histories, infostates and public states; draw its tree",
        description="Build a game's public tree, print how large it is, and draw it if asked to.",
        examples=(
            "sog show leduc",
            "sog show kuhn --tree kuhn.svg",
            "sog show leduc --depth 5 --tree leduc.png",
            "sog show 'scotland_yard(map=london)' --depth 3 --json",
        ),
        add_options=show_options,
    ),
    "check": Command(
        summary="play a game of your own through: does it keep its promises?",
        description=(
            "Play all histories of a game, or many at random if there are too many, and check every promise\n"
            "that a game makes: legality, zero sum, probabilities, observations, recall, worlds that stay\n"
            "as they are. Each broken promise is named with its world and move; the exit status is then 1."
        ),
        examples=(
            "sog check coin.py:Coin",
            "sog check 'coin.py:Coin(stakes=3)' --plays 1000",
            "sog check go",
        ),
        add_options=check_options,
    ),
    "play": Command(
        summary="play a game at the terminal",
        description="Play a game against a trained, uniform, searching or solved opponent. You see what your"
        " seat may see.",
        examples=(
            "sog play leduc --agent runs/leduc --search 300,1",
            "sog play kuhn --opponent solved",
            "sog play leduc --seat 1 --opponent leduc.npz",
            "sog play tictactoe --opponent mcts:1000",
            "sog play leduc --opponent 'is-mcts(simulations=10000,exploration=13,final=max-visits)'",
            "sog play 'scotland_yard(map=london)' --seed 7",
        ),
        add_options=play_options,
    ),
    "solve": Command(
        summary="solve a game: value, exploitability, strategy",
        description=(
            "Solve a game by tabular regret minimisation. Progress goes to standard error; Ctrl-C stops,\n"
            "and what was found so far is printed and saved."
        ),
        examples=(
            "sog solve leduc",
            "sog solve kuhn --iterations 10000 --strategy",
            "sog solve leduc --algorithm cfr+ --until 1e-3 --save leduc.npz",
            "sog solve leduc --resume leduc.npz --iterations 50000 --save leduc.npz --plot leduc.png",
            "sog solve goofspiel --algorithm 'dcfr(beta=-inf)' --seconds 60 --json",
            "sog solve holdem --board 9s7c5s4h3c --pot 200 --stack 19900 --bets river:100,allin --until 0.3%",
            "sog solve holdem --board 9s7c5s4h3c --pot 200 --stack 19900 --history check,bet75",
            "sog solve holdem --hand hand.phh --range-oop 'TT+,AQ+' --range-ip '99-22,AJs' --until 0.5%",
            "sog solve teh --until 0.5% --save teh.npz",
            "sog solve holdem --answer teh.npz --add-bet check,bet60 --iterations 100 --save answer.npz",
        ),
        add_options=solve_options,
    ),
    "ranges": Command(
        summary="count the hands of a hold'em range",
        description="Read a range of hold'em hands; print it short, its combos and percentage, and its grid.",
        examples=("sog ranges 25%", "sog ranges 'TT+,AQs+,[50]A5s-A2s[/50]' --board QsJh2h"),
        add_options=ranges_options,
    ),
    "show-strategy": Command(
        summary="show how every hand plays in a solved hold'em spot",
        description=(
            "Show the strategy at a node of a solved hold'em spot as the 13×13 grid of hands: pairs on the\n"
            "diagonal, suited hands above it, offsuit hands below."
        ),
        examples=(
            "sog show-strategy river.npz",
            "sog show-strategy river.npz --node check,bet100 --png grid.png",
            "sog show-strategy river.npz --node check,bet100 --json",
            "sog show-strategy river.npz --all --json",
        ),
        add_options=show_strategy_options,
    ),
    "browse": Command(
        summary="walk through a solved hold'em spot",
        description="Walk through a solved hold'em spot: type moves and cards, see how every hand plays.",
        examples=("sog browse turn.npz",),
        add_options=browse_options,
    ),
    "report": Command(
        summary="solve one hold'em setting on many flops: one table",
        description=(
            "Solve a hold'em setting on 25, 85 or all 1,755 flops, and put EV, equity and frequencies of\n"
            "one decision into a table: flops.csv in the report's folder, a picture with --plot. A flop is\n"
            "written when it is solved; the same command goes on where a report was stopped."
        ),
        examples=(
            "sog report holdem --flops 25 --pot 180 --stack 910 --range-oop 'TT+,AQ+' --range-ip '99-22,AJs'"
            " --bets 50 --out reports/3bet --plot 3bet.png",
            "sog report holdem --flops QsJh2h,AhAd7c --pot 60 --stack 970 --node check --out reports/two",
        ),
        add_options=report_options,
    ),
    "evaluate": Command(
        summary="measure how exploitable an agent is that searches",
        description=(
            "Search every decision of a game by growing-tree CFR with safe re-solving, as Student of Games\n"
            "plays, compose what the searches play, and measure its exact exploitability, seed by seed.\n"
            "What leaves of a search are worth is told by a trained agent or by a rule that learns nothing.\n"
            "Agents of sog train --method rebel play as ReBeL does, by subgames of a fixed depth."
        ),
        examples=(
            "sog evaluate runs/leduc --search 33,1 100,1 300,1 1000,1 --seeds 10 --plot leduc.png",
            "sog evaluate runs/leduc --checkpoints --search 33,1 100,1 --seeds 4 --plot training.png",
            "sog evaluate runs/rebel --playthroughs 256 --plot rebel.png",
            "sog evaluate runs/sog --checkpoints --seeds 2 --beside runs/rebel/curves.json --plot both.png",
            "sog evaluate --game leduc --evaluator exact --search 100,1 --seeds 10 --json",
            "sog evaluate teh --spot teh --json",
            "sog evaluate teh --spot 'teh(seed=7)' --search 50,150 100,300 --save played.npz",
            "sog evaluate --game kuhn --search 10,1 100,1 1000,1 --plot kuhn.png",
            "sog evaluate --game leduc --evaluator 'noisy(of=exact,epsilon=0.1)' --search 33,1 --seeds 8",
        ),
        add_options=evaluate_options,
    ),
    "train": Command(
        summary="learn a game by sound self-play",
        description=(
            "Learn a game from nothing: play against oneself by search, solve what the searches asked, and\n"
            "train the network that answers. Ctrl-C and SIGTERM stop and save; --resume goes on, also after\n"
            "a crash."
        ),
        examples=(
            "sog train kuhn --out runs/kuhn",
            "sog train leduc --minutes 10 --workers 2 --out runs/leduc",
            "sog train --resume runs/leduc --minutes 20",
            "sog train hunl --minutes 60 --out runs/hunl",
            "sog train leduc --ray auto --workers 16 --out runs/leduc-cluster",
            "sog train 'liars_dice(dice=1,faces=4)' --config liars_dice --steps 1000 --out runs/liars",
        ),
        add_options=train_options,
    ),
    "sweep": Command(
        summary="many short trainings: which settings learn best?",
        description=(
            "Train once for every combination of values of a configuration's keys, then print a table and\n"
            "draw a picture of what they came to. Trainings that are done are kept: the same command goes\n"
            "on, also with more values. With --steps the seed decides everything: workers, a cluster and\n"
            "this process alone find the same."
        ),
        examples=(
            "sog sweep leduc --grid learner.learning_rate=1e-3,3e-3,1e-2 --steps 2000 --out sweeps/rate",
            "sog sweep kuhn --grid network.width=32,128 --grid run.seed=0,1,2 --workers 2 --out sweeps/width",
            "sog sweep my.toml --grid 'search.algorithm=cfr+(gamma=2),dcfr' --ray auto --out sweeps/update",
        ),
        add_options=sweep_options,
    ),
    "compare": Command(
        summary="draw the convergence of several algorithms",
        description="Solve a game by several algorithms, and draw exploitability against iterations.",
        examples=(
            "sog compare leduc --iterations 1000 --plot leduc.png",
            "sog compare goofspiel --algorithms 'dcfr(alpha=1.5,beta=0),cfr+' --seconds 10 --plot curves.svg",
            "sog compare holdem --board 9s7c5s4h3c --pot 200 --stack 19900 --plot river.png",
        ),
        add_options=compare_options,
    ),
    "baselines": Command(
        summary="measure how exploitable plain reinforcement learning stays",
        description=(
            "Let OpenSpiel's tabular Q-learning, DQN and A2C learn a game by self-play, and measure\n"
            "on the way how exploitable they are, exactly. Ctrl-C keeps what was learned."
        ),
        examples=(
            "sog baselines kuhn --plot kuhn.png",
            "sog baselines leduc --methods q a2c --episodes 100000 --save rl.json --plot leduc.png",
            "sog baselines leduc --methods --beside rl.json sog.json --plot leduc.png",
        ),
        add_options=baselines_options,
    ),
    "match": Command(
        summary="a round robin of agents and engines, with Elo ratings",
        description=MATCH_DESCRIPTION,
        examples=(
            "sog match untrained@gtcfr:100,1 untrained@mcts:100 --game 'go(size=5)' --games 20",
            "sog match untrained 'uci:stockfish?Skill Level=0&nodes=1' --games 10 --pgn games.pgn",
            "sog match runs/chess@gtcfr:400,1 runs/chess@mcts:400 'sf=uci:stockfish?movetime=50' --anchor sf",
            "sog match runs/go9 'gtp:gnugo --mode gtp --level 1 --chinese-rules --capture-all-dead'"
            " --sgf games.sgf",
            "sog match runs/four@gtcfr:200,1 openspiel-mcts:1000 --concurrency 2 --out matches/four",
            "sog match untrained@mcts:100 untrained@mcts:400 random --game connect_four --plot scaling.png",
            "sog match new=runs/b old=runs/a --sprt 0,50 --games 1000 --out matches/new-old --json",
            "sog match runs/chess untrained --games 200 --ray auto --out matches/chess",
        ),
        add_options=match_options,
    ),
    "uci": Command(
        summary="a chess engine for other programs (UCI)",
        description=(
            "Play chess with programs that speak the Universal Chess Interface, on standard input and\n"
            "output: every move is searched by GT-CFR with the agent's network."
        ),
        examples=("sog uci", "sog uci --agent runs/chess --search 800,1", "sog uci --search mcts:800"),
        add_options=engine_options,
    ),
    "gtp": Command(
        summary="a Go engine for other programs (GTP)",
        description=(
            "Play Go with programs that speak the Go Text Protocol, version 2, on standard input and\n"
            "output: every move is searched by GT-CFR with the agent's network."
        ),
        examples=("sog gtp", "sog gtp --agent runs/go9 --search 800,1"),
        add_options=engine_options,
    ),
}
