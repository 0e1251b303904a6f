"""The query solver (Player of Games, section 3.4 and algorithm 2).

A query is searched from its own belief with no gadget: nobody comes from anywhere. The average counterfactual
values and the average policy at its root become an example, and some of the search's own queries come back as
recursive ones.

Verified: tests/training/test_solving.py.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sog.search.gtcfr import Searcher, Task
from sog.search.result import SearchResult
from sog.training.examples import PLAYED, RECURSIVE, Examples
from sog.training.records import ExampleWriter, Query, SearchTarget

_SEEDS = 2**63


class Solved(NamedTuple):
    """What came of some queries."""

    examples: Examples
    queries: list[Query]  # recursive


class QuerySolver:
    """Solves queries side by side."""

    def __init__(self, searcher: Searcher, writer: ExampleWriter, recursive_queries: float) -> None:
        self.searcher, self._writer, self._recursive = searcher, writer, recursive_queries

    def solve(self, queries: Sequence[Query], rng: np.random.Generator) -> Solved:
        """Return examples of all queries, and new queries."""
        nodes = [self.searcher.store.locate(query.route) for query in queries]
        tasks = [Task(node, node, query.ranges) for node, query in zip(nodes, queries, strict=True)]
        seeds = rng.integers(_SEEDS, size=len(tasks)).tolist()
        results = self.searcher.search_many(tasks, seeds, self._recursive)
        targets = []
        for query, result in zip(queries, results, strict=True):
            root = result.summary(0)
            targets.append(
                SearchTarget(result.current, query.ranges, root.values, result.policy, query.origin)
            )
        found = [query for result in results for query in read_queries(self.searcher, result, RECURSIVE)]
        return Solved(self._writer.write(targets), found)


def read_queries(searcher: Searcher, result: SearchResult, origin: int = PLAYED) -> list[Query]:
    """Return the queries that a search kept, fit to be solved elsewhere."""
    kept = result.queries
    if kept is None:
        return []
    found = []
    for index, node in enumerate(kept.nodes.tolist()):
        ranges = [kept.ranges[player][slice(*kept.start[player][index : index + 2])] for player in (0, 1)]
        found.append(Query(searcher.store.route(node), (ranges[0], ranges[1]), origin))
    return found
