"""The minimum cut, against all ways to cut small graphs."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from tvmfuse.passes.transposes.cut import Cut


def random_edges(seed: int, nodes: int) -> Counter[tuple[object, object]]:
    rng = random.Random(seed)
    names: list[object] = [Cut.SOURCE, Cut.SINK, *range(nodes)]
    edges: Counter[tuple[object, object]] = Counter()
    for _ in range(rng.randint(1, 14)):
        a, b = rng.sample(names, 2)
        if a != Cut.SINK and b != Cut.SOURCE:
            edges[a, b] += rng.randint(0, 5)
    return edges


@pytest.mark.parametrize("nodes", [1, 2, 3, 5, 6])
def test_finds_the_cheapest_cut_with_the_fewest_nodes_at_the_source(nodes: int) -> None:
    for seed in range(50):
        edges = random_edges(seed, nodes)

        def price(side: set[object], edges: Counter[tuple[object, object]] = edges) -> int:
            return sum(c for (a, b), c in edges.items() if a in side and b not in side)

        sides = [
            {Cut.SOURCE, *chosen}
            for n in range(nodes + 1)
            for chosen in combinations(range(nodes), n)
        ]
        cheapest = min(map(price, sides))
        cut = Cut()
        for (a, b), capacity in edges.items():
            cut.charge(a, b, capacity)
        found, side = cut.solve()
        assert found == price(side) == cheapest
        assert len(side) == min(len(s) for s in sides if price(s) == cheapest)


def test_long_paths_need_no_recursion() -> None:
    cut = Cut()
    cut.charge(Cut.SOURCE, 0, 7)
    for i in range(5000):
        cut.charge(i, i + 1, 9 if i != 2500 else 3)
    cut.charge(5000, Cut.SINK, 8)
    found, side = cut.solve()
    assert (found, len(side)) == (3, 2502)
