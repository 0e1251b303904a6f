"""Trained agents as files: a network's weights, its architecture, and the game it has learned.

A file is a `.npz` archive of float32 arrays, one for each of the network's parameters, and a JSON text with
everything else. An agent is named by its file, by the directory of the training run that keeps it as
`agent.npz`, or by the name of one that is shipped in the folder `shipped` beside this module.

Reading and writing need no torch, which is slow to import, nor does answering with small perceptrons.

Verified: tests/nets/test_agents.py.
"""

import json
import os
import re
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sog.core.errors import InputError
from sog.core.files import read_arrays, whole_file
from sog.games.base import AnyGame
from sog.games.own_files import warn_if_changed
from sog.games.registry import SPOTS, load
from sog.nets.evaluator import KeptNetwork, NetworkEvaluator, as_float32
from sog.nets.perceptron import WIDEST_FOR_ONE_CORE, shapes_of
from sog.nets.spec import NetworkSpec, sizes_of
from sog.public.opening import encoding_of

if TYPE_CHECKING:
    import torch

FORMAT = 2
RUN_FILE = "agent.npz"  # the newest agent of a training run
SNAPSHOTS = "agents"  # folder of a run with the agents that it had on the way
SHIPPED = Path(__file__).parent / "shipped"
_SNAPSHOT = re.compile(r"step-(\d{8,})\.npz")
_META, _WEIGHT = "meta", "weight:"
_LATER_FIELDS = "row_units", "row_embeds", "row_odds", "row_near"
_META_FIELDS = {"format": int, "game": str, "steps": int, "network": dict}


class Agent(NamedTuple):
    """What a network has learned of a game."""

    game: str  # the text that loads it
    spec: NetworkSpec
    weights: dict[str, Any]  # by the network's own names: arrays, or tensors on any device
    steps: int  # of gradient descent
    rebel: dict[str, Any] | None = None  # settings of the subgames that it solves, where it plays ReBeL
    source: str = ""  # hash of the user's file that the game is in
    search: str = ""  # that it plays with unless told otherwise, as for `gtcfr:`; none: the usual one


def save_agent(path: Path, agent: Agent) -> None:
    """Write an agent, all or nothing."""
    meta: dict[str, Any] = {
        "format": FORMAT,
        "game": agent.game,
        "steps": agent.steps,
        "network": asdict(agent.spec),
        "source": agent.source,
    }
    if agent.rebel is not None:
        meta["rebel"] = agent.rebel
    if agent.search:
        meta["search"] = agent.search
    arrays: dict[str, Any] = {_META: np.array(json.dumps(meta))}
    arrays |= {f"{_WEIGHT}{name}": as_float32(weight) for name, weight in agent.weights.items()}
    with whole_file(path) as file:
        np.savez_compressed(file, **arrays)


def load_agent(text: str) -> Agent:
    """Return the agent that a file, a training run's directory or a shipped agent's name stands for."""
    return read_agent(_find(text))


def load_shipped_agent(name: str) -> Agent:
    """Return an agent that comes with the package, whatever files there may be of that name."""
    return read_agent(SHIPPED / f"{name}.npz")


def read_agent(path: Path) -> Agent:
    """Read an agent's file and check that it is whole."""
    content = read_arrays(path, "an agent file")
    if _META not in content:
        hint = ": it is a solution of sog solve" if "algorithm" in content else ""
        raise InputError(f"{path} is not an agent file{hint}")
    meta = _read_meta(path, content[_META])
    weights = {key.removeprefix(_WEIGHT): value for key, value in content.items() if key.startswith(_WEIGHT)}
    for name, weight in weights.items():
        if weight.dtype != np.float32 or not np.isfinite(weight).all():
            raise InputError(f"{path} is damaged: its weights {name} are not all numbers")
    spec = _read_spec(path, meta["network"])
    source, search = str(meta.get("source", "")), str(meta.get("search", ""))
    return Agent(meta["game"], spec, weights, meta["steps"], meta.get("rebel"), source, search)


def make_network_evaluator(agent: Agent, game: AnyGame, has_priors: bool = True) -> NetworkEvaluator:
    """Return an evaluator that asks the agent's network: small perceptrons on one core of the processor.

    Other networks are asked on the first GPU if there is one.

    has_priors: False leaves the policy head out, for searches that have no use for priors.
    """
    warn_if_changed(agent.source, game.info.name, "the agent")
    spec, sizes = agent.spec, sizes_of(encoding_of(game))
    name = f"network({agent.game},steps={agent.steps})"
    if spec.kind == "mlp" and spec.width <= WIDEST_FOR_ONE_CORE and not sizes.is_board:
        weights = {name: as_float32(weight) for name, weight in agent.weights.items()}
        _check_shapes(agent, game.info.name, shapes_of(spec, sizes))
        return NetworkEvaluator(KeptNetwork(spec, sizes, weights), name, has_priors=has_priors)
    import torch  # slow to import

    from sog.nets.cvpn import make_network

    network = make_network(spec, sizes, seed=0)
    load_weights(network, agent, game.info.name)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu" and spec.kind == "mlp" and spec.width <= WIDEST_FOR_ONE_CORE:
        torch.set_num_threads(1)
    return NetworkEvaluator(network.to(device), name, device == "cpu", has_priors)


def load_weights(network: "torch.nn.Module", agent: Agent, game: str) -> None:
    """Give a network an agent's weights, or say in one line why they do not fit.

    game: the name of what the network is for.
    """
    import torch  # slow to import

    shapes = {name: tuple(weight.shape) for name, weight in network.state_dict().items()}
    _check_shapes(agent, game, shapes)
    network.load_state_dict({name: torch.as_tensor(weight) for name, weight in agent.weights.items()})


def _check_shapes(agent: Agent, game: str, shapes: dict[str, tuple[int, ...]]) -> None:
    """Refuse weights of another network."""
    if {name: tuple(weight.shape) for name, weight in agent.weights.items()} != shapes:
        raise InputError(
            f"the agent's network has other sizes than {game} asks for"
            f" ({agent.spec.kind} with {agent.spec.layers} layers of {agent.spec.width}, of {agent.game})"
        )


def snapshot_path(run: Path, steps: int) -> Path:
    """Return where a run keeps the agent that it had after so many steps.

    >>> snapshot_path(Path("runs/leduc"), 1500).name
    'step-00001500.npz'
    """
    return run / SNAPSHOTS / f"step-{steps:08d}.npz"


def find_snapshots(run: Path) -> list[Path]:
    """Return the files of all agents that a run had on the way, by steps."""
    try:
        found = [path for path in (run / SNAPSHOTS).iterdir() if _SNAPSHOT.fullmatch(path.name)]
    except OSError as error:
        raise InputError(f"{run} has no agents of training on the way: {error.strerror or error}") from None
    if not found:
        raise InputError(f"{run / SNAPSHOTS} has no file step-XXXXXXXX.npz")
    return sorted(found, key=lambda path: (len(path.name), path.name))


def shipped_agents() -> list[str]:
    """Return the names of the agents that come with the package."""
    return sorted(path.stem for path in SHIPPED.glob("*.npz"))


def shipped_agent_of(game: str) -> Agent | None:
    """Return the agent that comes with the package for the game of that name, if there is one."""
    for name in shipped_agents():
        agent = load_shipped_agent(name)
        if agent.game not in SPOTS and load(agent.game).info.name == game:
            return agent
    return None


def _find(text: str) -> Path:
    """Return the file that a text stands for; files come before names."""
    path = Path(text)
    if os.path.isfile(path):  # unlike Path.is_file, no error for texts that can be no path
        return path
    if os.path.isfile(path / RUN_FILE):
        return path / RUN_FILE
    shipped = shipped_agents()
    if text in shipped:
        return SHIPPED / f"{text}.npz"
    if os.path.isdir(path):
        raise InputError(f"{text} has no {RUN_FILE}: it is not the directory of a training run")
    names = f" (shipped: {', '.join(shipped)})" if shipped else ""
    raise InputError(f"{text[:80]!r} is neither a file nor a directory nor a shipped agent{names}")


def _read_meta(path: Path, text: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Return everything but the weights, with the types it must have."""
    try:
        meta = json.loads(str(text))
    except (ValueError, RecursionError):
        raise InputError(f"{path} is damaged: what it says of itself is not JSON") from None
    if not isinstance(meta, dict) or "format" not in meta:
        raise InputError(f"{path} is not an agent file")
    if meta["format"] != FORMAT:
        raise InputError(f"{path} has format {str(meta['format'])[:20]}, this program reads format {FORMAT}")
    for name, kind in _META_FIELDS.items():
        if type(meta.get(name)) is not kind:
            raise InputError(f"{path} is damaged: it does not say its {name}")
    if not isinstance(meta.get("rebel", {}), dict):
        raise InputError(f"{path} is damaged: it does not say how it plays ReBeL")
    if meta["steps"] < 0:
        raise InputError(f"{path} is damaged: it says that it has learned for {meta['steps']} steps")
    return meta


def _read_spec(path: Path, network: dict[str, Any]) -> NetworkSpec:
    known = {field.name: type(field.default) for field in fields(NetworkSpec)}
    later = {name: getattr(NetworkSpec, name) for name in _LATER_FIELDS}  # agents of before have none
    network = {**later, **network}
    if {name: type(value) for name, value in network.items()} != known:
        raise InputError(f"{path} is damaged: its network has not exactly {', '.join(known)}")
    try:
        return NetworkSpec(**network)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
