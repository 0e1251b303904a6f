"""What a run of `sog train hunl` knows of new hands, by kind: `python -m benchmarks.hunl RUN [HANDS]`.

Hands are drawn and searched with the run's network, as in training but with another seed. For each kind of
state: how many there were, the network's loss (Huber, δ = 1, pots, hands weighed by what they meet), that of
a network that always says zero, and the CPU time of an answer, board included, taken one by one.
"""

import sys
import time
from pathlib import Path

import numpy as np
import torch

from sog.core.rng import make_rng
from sog.nets.agents import load_agent
from sog.nets.cvpn import make_network
from sog.poker.hand_examples import SolvedState, StateBatchMaker, pack_states
from sog.poker.hand_network import KINDS, SIZES, HandNetwork
from sog.poker.hunl_training import HunlGenerator
from sog.poker.street_boards import StreetBoard, places_of
from sog.poker.street_queries import (
    StreetQuery,
    mean_over_cards,
    next_boards,
    search_start,
    solve_river_starts,
)
from sog.training.config import Config
from sog.training.learner import losses, silent_loss
from sog.training.presets import find_config

SEED, HANDS, RIVER_START, HUBER = 1_000_003, 8, 3, 1.0


def answer(solved: SolvedState, network: HandNetwork, config: Config) -> None:
    """Answer a state's query once more, by itself."""
    how, query = config.streets, StreetQuery(solved.state, solved.ranges)
    if solved.kind == RIVER_START:
        solve_river_starts([query], how.river_iterations)
    elif solved.kind < RIVER_START:
        search_start(query, StreetBoard(solved.state.board), network, how.turn_iterations, how.ask_every)
    else:
        boards = next_boards(solved.state.board, how.flops, make_rng(0))
        mean_over_cards([query], boards, np.array([places_of(board) for board in boards]), network)


def main(run: str, hands: int) -> None:
    """Print a line for each kind."""
    agent, config = load_agent(run), find_config(str(Path(run) / "config.toml"))
    network = HandNetwork(agent.spec, agent.weights)
    learned = make_network(agent.spec, SIZES, 0)
    learned.load_state_dict({name: torch.from_numpy(array) for name, array in agent.weights.items()})
    generator, maker, rng = HunlGenerator(config, SEED), StateBatchMaker(), make_rng(0)
    solved = [one for _ in range(hands) for one in generator.play_hand(network)]
    print(f"{hands} hands, network of {agent.steps:,} steps")
    print(f"{'kind':18} states     loss   silent   CPU-ms")
    for kind, name in enumerate(KINDS):
        own = [one for one in solved if one.kind == kind]
        if not own:
            continue
        batch = maker.make(pack_states(own), rng)
        with torch.no_grad():
            value, _ = losses(learned, batch, HUBER)
        answer(own[0], network, config)  # compiles, or loads, what it calls
        started = time.process_time()
        for one in own[:4]:
            answer(one, network, config)
        spent = 1_000 * (time.process_time() - started) / len(own[:4])
        print(f"{name:18} {len(own):6} {float(value):8.4f} {silent_loss(batch, HUBER):8.4f} {spent:8.1f}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else HANDS)
