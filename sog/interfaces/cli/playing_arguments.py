"""Options of the commands that play: with people, with other programs, and matches.

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

MATCH_DESCRIPTION = """\
Play a round robin: every pair of players, every opening or deal from both seats. A player is

  WHO@gtcfr:S,C      an agent of ours: untrained, a training run's directory, an agent's
                     FILE.npz, or a shipped agent's name; it searches every move by GT-CFR
                     with S simulations, C for each regret update; options may follow, as in
                     gtcfr:100,1,puct_share=1 (docs/search.md)
  WHO@mcts:N         the same network with N simulations of AlphaZero's search; mcts:N,B asks
                     the network about B positions a call
  WHO                short for WHO@gtcfr:100,1; an agent of ReBeL plays as it has learned
  uci:COMMAND?NAME=VALUE&NAME=VALUE
                     a chess engine; nodes, depth and movetime (milliseconds; 100 if nothing
                     is said) limit every search, all other names are the engine's options
  gtp:COMMAND        a Go engine
  mcts:N             N random rollouts a move, without a network, where nothing is hidden
  openspiel-mcts:N   the same by OpenSpiel (connect_four, breakthrough, tictactoe)
  is-mcts:N          N simulations of IS-MCTS, where something is hidden
  pimbot:N           Scotland Yard alone: the tree search of the papers, N simulations a move
  solved, FILE.npz   a policy of the whole game: solved first, or saved by sog solve --save
  uniform, random    any legal move

Each player is told what its seat may see. Elo ratings are relative to the first player, with
95 % intervals; where something is hidden the table says what was won. An engine that fails
forfeits the game, and the match goes on; Ctrl-C stops, and --out DIR keeps what was played."""


def play_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog play`."""
    parser.add_argument("game", metavar="GAME", nargs="?", help=GAME_HELP)
    parser.add_argument(
        "--seat", metavar="0|1", type=int, choices=(0, 1), help="which player you are (default 0)"
    )
    parser.add_argument(
        "--opponent",
        metavar="WHO",
        help="any player of sog match: uniform (any legal move), solved (solves the game first), mcts:N (N"
        " rollouts a move, where nothing is hidden), is-mcts:N (where something is), uci:COMMAND, or a"
        " FILE.npz written by sog solve --save (default: the trained agent that is shipped for the game, or"
        " else a search)",
    )
    parser.add_argument("--agent", metavar="AGENT", help=f"instead of --opponent: {AGENT_HELP}")
    parser.add_argument(
        "--search",
        metavar="S,C",
        help="of a trained agent: simulations of each search, and simulations for each regret update"
        " (default 100,1)",
    )
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=positive,
        help="how long the opponent thinks about a move (default: as many simulations as it has; 2 seconds"
        " without a trained agent)",
    )
    parser.add_argument(
        "--replay",
        metavar="FILE",
        type=Path,
        help="show a game that was saved (save FILE, while you play), and go on with it if it is not over;"
        " or one of a match: the folder that sog match --out has kept",
    )
    parser.add_argument(
        "--number", metavar="N", type=count, default=1, help="which game of a match to replay (default 1)"
    )
    parser.add_argument(
        "--picture",
        metavar="FILE",
        type=Path,
        help="draw the game, where it has pictures (Scotland Yard): FILE.svg or FILE.png is drawn anew after"
        " each move; DIR, or 'DIR/*.png', has a picture for every move",
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
        help="simulations of each search, and simulations for each regret update (default 800,1); or mcts:N"
        " for N simulations of AlphaZero's search",
    )
    parser.add_argument(
        "--threads", metavar="N", type=count, default=1, help="cores that the network uses (default 1)"
    )


def match_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `sog match`."""
    parser.add_argument(
        "players",
        metavar="PLAYER",
        nargs="+",
        help="two or more, written as above; NAME=PLAYER gives one a shorter name in tables and records",
    )
    parser.add_argument(
        "--game",
        metavar="GAME",
        help="chess, 'go(size=9,komi=7.5)', connect_four, leduc, or any other (default: what trained agents"
        " have learned, chess with UCI engines, 9x9 Go with GTP engines)",
    )
    parser.add_argument(
        "--games",
        metavar="N",
        type=count,
        default=100,
        help="of every pair of players, half of them in either seat (default 100)",
    )
    parser.add_argument(
        "--openings",
        metavar="FILE",
        type=Path,
        help="what games start from, a line each: moves (in chess as e4 or e2e4), in chess also FEN or EPD;"
        " every opening is played with both colours (default: random moves)",
    )
    parser.add_argument(
        "--opening-moves",
        metavar="N",
        type=whole,
        help="without --openings: moves of both sides together, drawn at random, before players choose"
        " (default 4, and none where cards are dealt or something is hidden)",
    )
    parser.add_argument(
        "--max-moves",
        metavar="N",
        type=count,
        help="moves of both sides together after which a game of chess is a draw and one of Go is scored"
        " as it stands (default 512, and twice the number of points)",
    )
    add_random_start(parser, "start of all our random choices")
    parser.add_argument(
        "--concurrency",
        metavar="N",
        type=count,
        help="games played at once (default 1; with --ray, as many as the cluster has room for)",
    )
    add_ray(parser, "play the games")
    parser.add_argument(
        "--patience",
        metavar="S",
        type=positive,
        default=60.0,
        help="seconds that an engine may need for an answer, beyond its movetime, before it forfeits the"
        " game (default 60)",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        help="keep every finished game in this folder; the same command goes on from there, also with more"
        " --games or players",
    )
    for kind, words in (("pgn", "chess"), ("sgf", "Go")):
        parser.add_argument(
            f"--{kind}", metavar=f"FILE.{kind}", type=Path, help=f"write the games of {words}"
        )
    parser.add_argument(
        "--moves", metavar="FILE.txt", type=Path, help="write the games as lines of moves, whatever the game"
    )
    add_plot(parser, "draw Elo against simulations, or training steps, or in order")
    parser.add_argument("--anchor", metavar="NAME", help="the player who has 0 Elo (default: the first)")
    parser.add_argument(
        "--sprt",
        metavar="ELO0,ELO1[,ALPHA,BETA]",
        help="stop as soon as it is clear that the first of two players is at least ELO1 or at most ELO0"
        " better; errors have probabilities ALPHA and BETA (default 0.05); where something is hidden the"
        " numbers are what is won a game, in the game's unit",
    )
    add_json(parser)
