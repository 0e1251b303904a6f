"""Seeds: every random choice draws from a generator that was handed in."""

import numpy as np
import numpy.typing as npt

from sog.core.jit import inlined

RngState = npt.NDArray[np.uint64]  # [1], advanced in place by kernels


def make_rng(seed: int | None) -> np.random.Generator:
    """Return a generator for Python code; the same seed gives the same stream on every machine.

    >>> int(make_rng(7).integers(1000)) == int(make_rng(7).integers(1000))
    True
    """
    return np.random.Generator(np.random.PCG64(seed))


def make_rng_state(seed: int) -> RngState:
    """Return the state that kernels draw from."""
    return np.array([seed], np.uint64)


@inlined
def next_uniform(state: RngState) -> float:
    """Return a number in [0, 1) and advance the state in place (SplitMix64, Steele et al. 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * (1.0 / (1 << 53))
