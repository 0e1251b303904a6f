"""`sog.make_bot`: players by how they are written; `sog.play_match` lets them play (`sog.matches.match`).

Verified: tests/test_api.py.
"""

from sog.agents.bot import Bot
from sog.agents.making import BotMaker
from sog.agents.specs import parse_bot
from sog.api.results import as_game
from sog.games.base import AnyGame
from sog.public.limits import enumerate_within


def make_bot(text: str, game: str | AnyGame) -> Bot:
    """Return a bot, ready to play: `solved`, `runs/leduc@gtcfr:300,1`, `mcts:1000`, as in `sog match`.

    >>> bot = make_bot("uniform", "kuhn")
    >>> bot.begin(as_game("kuhn"), seat=0, seed=1)
    >>> bot.act(["pass", "bet"]) in (0, 1)
    True
    """
    return BotMaker(as_game(game), enumerate_whole=enumerate_within).make(parse_bot(text))[0]
