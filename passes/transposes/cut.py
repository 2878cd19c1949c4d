"""The minimum cut of a graph: the cheapest of all ways to put its nodes on two sides."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable
from itertools import pairwise
from typing import Final

INFINITE: Final = 1 << 62


class Cut:
    """A graph with capacities: what it costs to have `a` on the first side and `b` on the other.

    Source: Dinic, Algorithm for solution of a problem of maximum flow in networks with power
    estimation, 1970; the cut is what the maximum flow saturates (Ford and Fulkerson, 1956).
    """

    SOURCE: Final = "source"
    SINK: Final = "sink"

    def __init__(self) -> None:
        self._left: dict[Hashable, dict[Hashable, int]] = defaultdict(lambda: defaultdict(int))

    def charge(self, a: Hashable, b: Hashable, capacity: int) -> None:
        """Charge this where `a` is on the source's side and `b` on the sink's."""
        self._left[a][b] += capacity
        self._left[b][a] += 0

    def solve(self) -> tuple[int, set[Hashable]]:
        """Return the cost of the cheapest cut and the nodes on the source's side of it.

        Of several cheapest cuts, it is the one with the fewest nodes on that side. Call it once.
        """
        total = 0
        while self.SINK in (levels := self._levels()):
            edges: dict[Hashable, list[Hashable]] = {}
            while pushed := self._push(levels, edges):
                total += pushed
        return total, set(levels)

    def _levels(self) -> dict[Hashable, int]:
        """Return how far each node is that can still be reached from the source."""
        levels: dict[Hashable, int] = {self.SOURCE: 0}
        queue: deque[Hashable] = deque(levels)
        while queue:
            node = queue.popleft()
            for other, capacity in self._left[node].items():
                if capacity and other not in levels:
                    levels[other] = levels[node] + 1
                    queue.append(other)
        return levels

    def _push(self, levels: dict[Hashable, int], edges: dict[Hashable, list[Hashable]]) -> int:
        """Push flow along one shortest path; `edges` forgets those that lead nowhere."""
        path: list[Hashable] = [self.SOURCE]
        while path[-1] != self.SINK:
            node = path[-1]
            if node not in edges:
                edges[node] = list(self._left[node])
            while out := edges[node]:
                if self._left[node][out[-1]] and levels.get(out[-1], -1) == levels[node] + 1:
                    path.append(out[-1])
                    break
                out.pop()
            else:
                path.pop()
                if not path:
                    return 0
                edges[path[-1]].pop()
        flow = min(self._left[a][b] for a, b in pairwise(path))
        for a, b in pairwise(path):
            self._left[a][b] -= flow
            self._left[b][a] += flow
        return flow
