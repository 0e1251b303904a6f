"""What can be typed after `sog`: every command's options and help texts.

This module must stay light: it is imported before anything is known about what the user wants. A command's
work is in its own module, with a class `Options` whose fields are the options declared here, and a function
`run`. What makes a hold'em spot is one field, `spot`.

Verified: tests/interfaces/test_cli.py.
"""

import argparse
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from sog import __version__
from sog.core.errors import InputError

INTERRUPTED = 130  # exit status that shells report for a program ended by Ctrl-C
DEFAULT_MAX_STATES = 200_000
DEFAULT_ITERATIONS = 1000
DEFAULT_ROWS = 30
DEFAULT_EPISODES = 10_000
_MAX_SEED = 2**63 - 1

GAME_HELP = (
    "a game by name, with parameters in parentheses where it has any: leduc, 'liars_dice(dice=1,faces=4)',"
    " 'openspiel:dark_hex(board_size=2)'; sog games lists them"
)
AGENT_HELP = "a trained agent: a training run's directory, an agent's FILE.npz, or a shipped agent's name"
ALGORITHM_HELP = (
    "cfr, cfr+, lcfr, lcfr+, dcfr, pcfr+, fp, linear-fp, flop, mccfr, linear-mccfr, outcome-mccfr or vanilla,"
    " with options in parentheses: 'dcfr(alpha=1.5,beta=0,gamma=2)'"
)


class Command(NamedTuple):
    """One word after `sog`."""

    module: str
    summary: str  # one line in `sog --help`
    description: str
    examples: tuple[str, ...]
    add_options: Callable[[argparse.ArgumentParser], None]


class Until(NamedTuple):
    """An exploitability to stop at."""

    amount: float
    is_pot_percent: bool  # of a hold'em pot; otherwise in the game's own units


class SpotOptions(NamedTuple):
    """The options that make a hold'em spot; None where nothing was said."""

    board: str | None = None
    pot: int | None = None
    stack: int | None = None
    range_oop: str | None = None
    range_ip: str | None = None
    bets: str | None = None
    big_blind: int | None = None
    small_blind: int | None = None
    history: str | None = None
    add_bet: list[str] | None = None
    libratus: Path | None = None


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line that says where help is."""

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


def group_options(parsed: argparse.Namespace) -> dict[str, Any]:
    """Return what was typed, the options of a spot taken together where the command has them."""
    options = vars(parsed)
    if SpotOptions._fields[0] in options:
        options["spot"] = SpotOptions(**{name: options.pop(name) for name in SpotOptions._fields})
    return options


def count(text: str) -> int:
    """Read a whole number of at least 1.

    >>> count("1000")
    1000
    """
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number, 1 or more, not {text[:40]!r}")
    return number


def whole(text: str) -> int:
    """Read a whole number, zero or more.

    >>> whole("0")
    0
    """
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"must be a whole number, 0 or more, not {text[:40]!r}")
    return number


def positive(text: str) -> float:
    """Read a positive, finite number.

    >>> positive("1e-3")
    0.001
    """
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < inf:  # refuses NaN too
        raise argparse.ArgumentTypeError(f"must be a positive number, not {text[:40]!r}")
    return number


def until(text: str) -> Until:
    """Read an exploitability, plain or as a percentage of the pot.

    >>> until("0.3%")
    Until(amount=0.3, is_pot_percent=True)
    """
    return Until(positive(text.removesuffix("%")), text.endswith("%"))


def seed(text: str) -> int:
    """Read the number that random choices start from."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number <= _MAX_SEED:
        raise argparse.ArgumentTypeError(f"must be a whole number from 0 to {_MAX_SEED}, not {text[:40]!r}")
    return number


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the figures as JSON, and nothing else")


def _add_max_states(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-states",
        metavar="N",
        type=count,
        default=DEFAULT_MAX_STATES,
        help=f"give up on a tree of more than N public states (default {DEFAULT_MAX_STATES}), or with more"
        " than ten times as many moves",
    )


def _add_numbers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dtype",
        choices=("int16", "float32", "float64"),
        help="precision; float32 halves the memory, int16 halves it again for hold'em spots of several"
        " streets (default float64, float32 for spots, or that of the file resumed from)",
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=seed,
        help="start of the random choices of sampling algorithms (default 0)",
    )


def _games_options(parser: argparse.ArgumentParser) -> None:
    _add_json(parser)


def _show_options(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    _add_json(parser)
    parser.add_argument("--depth", metavar="N", type=count, help="look at the first N moves only")
    parser.add_argument(
        "--tree", metavar="FILE", type=Path, help="draw the public tree: FILE ends in .svg, .png or .pdf"
    )
    _add_max_states(parser)


def _play_options(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
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
    _add_max_states(parser)


def _solve_options(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    parser.add_argument("--algorithm", metavar="NAME", help=f"{ALGORITHM_HELP} (default dcfr)")
    parser.add_argument(
        "--iterations",
        metavar="N",
        type=count,
        help=f"stop after N iterations in total (default {DEFAULT_ITERATIONS} if no other limit is given)",
    )
    parser.add_argument(
        "--until",
        metavar="X",
        type=until,
        help="stop once the exploitability is X or less; for holdem also a percentage of the pot: 0.3%%",
    )
    parser.add_argument("--seconds", metavar="S", type=positive, help="stop after S seconds of iterations")
    parser.add_argument("--save", metavar="FILE.npz", type=Path, help="write the solution, to play or resume")
    parser.add_argument("--resume", metavar="FILE.npz", type=Path, help="go on from a saved solution")
    _add_json(parser)
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw the exploitability: FILE ends in .png, .svg or .pdf"
    )
    parser.add_argument("--strategy", action="store_true", help="print how every infostate plays")
    parser.add_argument(
        "--rows",
        metavar="N",
        type=count,
        default=DEFAULT_ROWS,
        help=f"with --strategy: print at most N infostates of each player (default {DEFAULT_ROWS};"
        " JSON has all)",
    )
    _add_numbers(parser)
    _add_max_states(parser)
    _add_spot(parser)


def _add_spot(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("a hold'em spot (GAME is holdem)")
    group.add_argument(
        "--board", metavar="CARDS", help="three to five cards: 9s7c5s4h3c (default none: before the flop)"
    )
    group.add_argument(
        "--pot",
        metavar="CHIPS",
        type=count,
        help="chips in the pot at the start of the street, half from each player",
    )
    group.add_argument(
        "--stack",
        metavar="CHIPS",
        type=count,
        help="chips that each player has left at the start of the street; before the flop, of the hand"
        " (default there 20000)",
    )
    for player, words in (("oop", "the player out of position, who acts first"), ("ip", "the other player")):
        group.add_argument(
            f"--range-{player}",
            metavar="RANGE",
            help=f"hands of {words}: 'TT+,AKs,A5s-A2s:0.5,AhKh' (default all)",
        )
    group.add_argument(
        "--bets",
        metavar="SIZES",
        help="percentages of the pot, or chips such as 150c, by street, raises after a slash:"
        " 'turn:50,allin;river:75,allin/100' (default 100,allin)",
    )
    group.add_argument(
        "--big-blind",
        metavar="CHIPS",
        type=count,
        help="the smallest bet (default 100, or half a smaller pot)",
    )
    group.add_argument(
        "--small-blind", metavar="CHIPS", type=count, help="before the flop (default half the big blind)"
    )
    group.add_argument(
        "--history",
        metavar="MOVES",
        help="moves made on this street before the spot starts: 'check,bet75', 'bet150c'; ranges are those"
        " after them",
    )
    group.add_argument(
        "--add-bet",
        metavar="MOVES",
        action="append",
        help="add one bet to the tree, after the moves that lead to it: 'check,bet60'; may be given again",
    )
    group.add_argument(
        "--libratus",
        metavar="FILE",
        type=Path,
        help="take board, pot and ranges from a Libratus subgame file (default bets 50,100,allin/100,allin)",
    )


def _show_strategy_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "solution", metavar="SOLUTION.npz", type=Path, help="written by sog solve holdem --save"
    )
    parser.add_argument(
        "--node",
        metavar="MOVES",
        default="",
        help="moves and cards that lead there: 'check,bet100', 'check,check,Ah,bet50' (default: the start)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print every hand's probabilities, reach, EV and equity as JSON"
    )
    parser.add_argument("--all", action="store_true", help="with --json: the strategy at every node")
    parser.add_argument("--png", metavar="FILE", type=Path, help="draw it: FILE ends in .png, .svg or .pdf")


def _compare_options(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    parser.add_argument(
        "--algorithms",
        metavar="LIST",
        default="cfr,cfr+,lcfr,dcfr",
        help="separated by commas (default cfr,cfr+,lcfr,dcfr); see sog solve --help for names and options",
    )
    parser.add_argument(
        "--iterations",
        metavar="N",
        type=count,
        help=f"of each algorithm (default {DEFAULT_ITERATIONS} if --seconds is not given)",
    )
    parser.add_argument("--seconds", metavar="S", type=positive, help="stop each algorithm after S seconds")
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw all curves: FILE ends in .png, .svg or .pdf"
    )
    _add_json(parser)
    _add_numbers(parser)
    _add_max_states(parser)
    _add_spot(parser)


def _evaluate_options(parser: argparse.ArgumentParser) -> None:
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
        "--search",
        metavar="S,C",
        nargs="+",
        default=["100,1"],
        help="simulations of each search, and simulations for each regret update, one setting or several:"
        " 33,1 100,1 10,0.01 (default 100,1); 1000,2%% for an update after 2 simulations per 100 nodes",
    )
    parser.add_argument(
        "--seeds", metavar="N", type=count, default=10, help="how often to measure (default 10)"
    )
    parser.add_argument(
        "--first-seed", metavar="N", type=seed, default=0, help="seeds are N, N+1 and so on (default 0)"
    )
    parser.add_argument(
        "--unsafe", action="store_true", help="re-solve without the gadget, to see what it is good for"
    )
    parser.add_argument(
        "--at-once",
        action="store_true",
        help="both players learn at once instead of in turns: half the queries, more iterations needed",
    )
    parser.add_argument(
        "--warm",
        metavar="SHARE",
        type=positive,
        help="start searches from the regrets and averages of the search before, as if SHARE of its"
        " iterations (at most 1) had been played",
    )
    _add_json(parser)
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw the exploitability: FILE ends in .png, .svg or .pdf"
    )
    _add_max_states(parser)


def _baselines_options(parser: argparse.ArgumentParser) -> None:
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
    parser.add_argument(
        "--seed", metavar="N", type=seed, default=0, help="start of the random choices (default 0)"
    )
    parser.add_argument(
        "--save", metavar="FILE.json", type=Path, help="write the curves, to lay beside others"
    )
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw the curves: FILE ends in .png, .svg or .pdf"
    )
    parser.add_argument(
        "--beside",
        metavar="FILE.json",
        type=Path,
        nargs="+",
        default=[],
        help="curves of other learners, to be drawn, printed and saved with them (written by --save)",
    )
    _add_json(parser)


def _train_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", help=f"{GAME_HELP}; with --resume none")
    parser.add_argument(
        "--config",
        metavar="F",
        help="a TOML file, or the name of one that comes with the package (default: the one for the game);"
        " docs/training.md explains every key",
    )
    parser.add_argument(
        "--method",
        choices=("sog", "rebel"),
        help="what makes the examples: sound self-play with growing trees (sog), or ReBeL's with subgames of"
        " a fixed depth (default: what the configuration says, which is sog unless it says so)",
    )
    parser.add_argument("--steps", metavar="N", type=count, help="stop after N gradient steps in total")
    parser.add_argument("--minutes", metavar="M", type=positive, help="stop after M minutes of training")
    parser.add_argument(
        "--workers",
        metavar="N",
        type=whole,
        default=0,
        help="processes that play and solve while this one learns (default 0: one process does it all, and"
        " the same seed gives the same weights)",
    )
    parser.add_argument("--seed", metavar="N", type=seed, help="start of all random choices")
    parser.add_argument("--out", metavar="DIR", type=Path, help="a new folder for everything that is written")
    parser.add_argument(
        "--resume",
        metavar="DIR",
        type=Path,
        help="go on with the run in this folder, from its last checkpoint",
    )


def _engine_options(parser: argparse.ArgumentParser) -> None:
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


COMMANDS: dict[str, Command] = {
    "games": Command(
        module="sog.interfaces.games_command",
        summary="list the games",
        description="List the games, their parameters and sizes.",
        examples=("sog games", "sog games --json"),
        add_options=_games_options,
    ),
    "show": Command(
        module="sog.interfaces.show_command",
        summary="count a game's histories, infostates and public states; draw its tree",
        description="Build a game's public tree, print how large it is, and draw it if asked to.",
        examples=(
            "sog show leduc",
            "sog show kuhn --tree kuhn.svg",
            "sog show leduc --depth 5 --tree leduc.png",
            "sog show 'scotland_yard(map=london)' --depth 3 --json",
        ),
        add_options=_show_options,
    ),
    "play": Command(
        module="sog.interfaces.play_command",
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
        add_options=_play_options,
    ),
    "solve": Command(
        module="sog.interfaces.solve_command",
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
            "sog solve teh --until 0.5% --save teh.npz",
        ),
        add_options=_solve_options,
    ),
    "show-strategy": Command(
        module="sog.interfaces.show_strategy_command",
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
        add_options=_show_strategy_options,
    ),
    "evaluate": Command(
        module="sog.interfaces.evaluate_command",
        summary="measure how exploitable an agent is that searches",
        description=(
            "Search every decision of a game by growing-tree CFR with safe re-solving, as Student of Games\n"
            "plays, compose what the searches play, and measure its exact exploitability, seed by seed.\n"
            "What leaves of a search are worth is told by a trained agent, or by a rule that learns nothing."
        ),
        examples=(
            "sog evaluate runs/leduc --search 33,1 100,1 300,1 1000,1 --seeds 10 --plot leduc.png",
            "sog evaluate runs/leduc --checkpoints --search 33,1 100,1 --seeds 4 --plot training.png",
            "sog evaluate --game leduc --evaluator exact --search 100,1 --seeds 10 --json",
            "sog evaluate --game kuhn --search 10,1 100,1 1000,1 --plot kuhn.png",
            "sog evaluate --game leduc --evaluator 'noisy(of=exact,epsilon=0.1)' --search 33,1 --seeds 8",
        ),
        add_options=_evaluate_options,
    ),
    "train": Command(
        module="sog.interfaces.train_command",
        summary="learn a game by sound self-play",
        description=(
            "Learn a game from nothing: play against oneself by search, solve what the searches asked, and\n"
            "train the network that answers. Ctrl-C stops and saves; --resume goes on, also after a crash."
        ),
        examples=(
            "sog train kuhn --out runs/kuhn",
            "sog train leduc --minutes 10 --workers 2 --out runs/leduc",
            "sog train --resume runs/leduc --minutes 20",
            "sog train 'liars_dice(dice=1,faces=4)' --config liars_dice --steps 1000 --out runs/liars",
        ),
        add_options=_train_options,
    ),
    "compare": Command(
        module="sog.interfaces.compare_command",
        summary="draw the convergence of several algorithms",
        description="Solve a game by several algorithms, and draw exploitability against iterations.",
        examples=(
            "sog compare leduc --iterations 1000 --plot leduc.png",
            "sog compare goofspiel --algorithms 'dcfr(alpha=1.5,beta=0),cfr+' --seconds 10 --plot curves.svg",
            "sog compare holdem --board 9s7c5s4h3c --pot 200 --stack 19900 --plot river.png",
        ),
        add_options=_compare_options,
    ),
    "baselines": Command(
        module="sog.interfaces.baselines_command",
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
        add_options=_baselines_options,
    ),
    "uci": Command(
        module="sog.interfaces.uci_command",
        summary="a chess engine for other programs (UCI)",
        description=(
            "Play chess with programs that speak the Universal Chess Interface, on standard input and\n"
            "output: every move is searched by GT-CFR with the agent's network."
        ),
        examples=("sog uci", "sog uci --agent runs/chess --search 800,1"),
        add_options=_engine_options,
    ),
    "gtp": Command(
        module="sog.interfaces.gtp_command",
        summary="a Go engine for other programs (GTP)",
        description=(
            "Play Go with programs that speak the Go Text Protocol, version 2, on standard input and\n"
            "output: every move is searched by GT-CFR with the agent's network."
        ),
        examples=("sog gtp", "sog gtp --agent runs/go9 --search 800,1"),
        add_options=_engine_options,
    ),
}
