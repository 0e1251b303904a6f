"""Learn a game of your own, see how exploitable the agent became, and go on.

`python examples/train.py 5` trains for five minutes, and five more.
"""

import sys
import tempfile
from pathlib import Path

import sog

if __name__ == "__main__":  # workers import this file
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 0.1
    game = str(Path(__file__).with_name("coin.py")) + ":Coin"
    folder = Path(tempfile.mkdtemp()) / "coin"
    print(sog.train(game, folder, minutes=minutes, seed=1))
    print(sog.train(resume=folder, minutes=2 * minutes))
    print(sog.evaluate(folder, search=["20,1", "100,1"], seeds=2))
