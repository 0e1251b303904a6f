"""An engine that goes wrong in the way its argument says; it speaks as much UCI and GTP as it takes.

With a file as its second argument it starts only once.
"""

import sys
import time
from pathlib import Path

MANNER = sys.argv[1]


def say(line: str) -> None:
    print(line, flush=True)


for name in sys.argv[2:]:
    if Path(name).exists():
        sys.exit("used up")
    Path(name).touch()
if MANNER == "mute":
    time.sleep(60)
if MANNER == "dies-at-once":
    sys.exit("no such file: network.bin")
for text in sys.stdin:
    command = text.split()[0]
    if command == "uci":
        say("id name fake\noption name Hash type spin default 16 min 1 max 99\nuciok")
    elif command == "isready":
        say("readyok")
    elif command == "quit":
        break
    elif command in ("go", "genmove"):
        if MANNER == "crashes":
            sys.exit("segmentation fault, so to speak")
        if MANNER == "sleeps":
            time.sleep(60)
        while MANNER == "chatters":
            say("info nodes 1" if command == "go" else "# thinking")
            time.sleep(0.01)
        move = {"cheats": ("e2e5", "Z99"), "babbles": ("", ""), "resigns": ("0000", "resign")}[MANNER]
        say(f"bestmove {move[0]}" if command == "go" else f"= {move[1]}\n")
    elif command == "play" and MANNER == "refuses":
        say("? illegal move\n")
    elif command in ("protocol_version", "boardsize", "clear_board", "komi", "play"):
        say("=\n")
