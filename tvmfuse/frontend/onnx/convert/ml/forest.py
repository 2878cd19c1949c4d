"""Decision trees as arrays, whatever they compare by.

Each comparison becomes one of "at most": ``x < v`` is ``x <= w`` with the next number below `v`,
``x > v`` is the opposite of ``x <= v``, and ``x == v`` is ``x <= v`` and not ``x <= w``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tvmfuse.ops.tree_leaves import MOST_LANES

LEQ, LT, GTE, GT, EQ, NEQ, MEMBER = range(7)
"""How a node compares; the numbers are those of TreeEnsemble."""

BELOW, ABOVE, MISSING = range(3)


@dataclass(frozen=True)
class Node:
    """A node that compares.

    Attributes:
        mode: One of the above.
        feature: Which one.
        values: What it is compared with: one number, or of a MEMBER as many as it has.
        yes: Where to go if it holds: a node's position in the list of all, or ``~leaf``.
        no: Where else.
        missing: Whether NaN counts as if it held.
    """

    mode: int
    feature: int
    values: Sequence[float]
    yes: int
    no: int
    missing: bool = False


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees as `ops.tree_leaves` takes them: the first places are the leaves.

    Attributes:
        roots: (T,), int32. Behind the trees stand some of one leaf: whole vectors.
        trees: Which tree each of them is, (T,); -1 of those that only fill a vector.
        depths: (G,), int32.
        features: (P,), int32.
        limits: (P,), of the features' dtype.
        children: (P, 2) or (P, 3), int32.
    """

    roots: np.ndarray
    trees: np.ndarray
    depths: np.ndarray
    features: np.ndarray
    limits: np.ndarray
    children: np.ndarray


@dataclass
class _Comparisons:
    """Comparisons by "at most", each at its position; children as in `Node`."""

    dtype: str
    features: list[int] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    children: list[tuple[int, int, int]] = field(default_factory=list)

    def add(self, feature: int, limit: float, below: int, above: int, missing: int) -> None:
        self.features.append(feature)
        self.limits.append(limit)
        self.children.append((below, above, missing))

    def before(self, value: float) -> float:
        """Return the next number below; NaN, which nothing is below, where there is none."""
        least = np.array(-np.inf, self.dtype)
        found = np.nextafter(np.array(value, self.dtype), least)
        return float("nan") if value == least else float(found)


def forest(nodes: Sequence[Node], roots: Sequence[int], leaves: int, dtype: str) -> Forest:
    """Return trees as arrays.

    Args:
        nodes: All that compare; each is of one tree.
        roots: Where the trees begin, positions of nodes or ``~leaf``.
        leaves: How many there are.
        dtype: Of the features.

    Raises:
        ValueError: A tree goes in a circle.
    """
    heads = np.cumsum([0, *(_count(node) for node in nodes)])
    made = _Comparisons(dtype)
    for node in nodes:
        _compare(made, node, *(int(heads[c]) if c >= 0 else c for c in (node.yes, node.no)))
    children = np.array(made.children, np.int64).reshape(-1, 3)
    begins = np.array([heads[r] if r >= 0 else r for r in roots], np.int64)
    steps = _depths(children, begins)
    order = np.argsort(-steps, kind="stable")
    lanes = min(MOST_LANES, 1 << max(0, len(roots) - 1).bit_length())
    nobody = -len(roots) % lanes
    trees = np.concatenate([order, np.full(nobody, -1)])
    places = np.concatenate([begins[order], np.full(nobody, ~leaves)])
    return Forest(
        roots=_placed(places, leaves),
        trees=trees,
        depths=np.pad(steps[order], (0, nobody)).reshape(-1, lanes).max(1).astype(np.int32),
        features=np.pad(np.array(made.features, np.int32), (leaves + 1, 0)),
        limits=np.pad(np.array(made.limits, dtype), (leaves + 1, 0)),
        children=_with_leaves(_placed(children, leaves), leaves + 1),
    )


def _count(node: Node) -> int:
    """Return how many comparisons by "at most" a node takes."""
    return 2 * max(1, len(node.values)) if node.mode in (EQ, NEQ, MEMBER) else 1


def _compare(made: _Comparisons, node: Node, yes: int, no: int) -> None:
    missing = yes if node.missing or node.mode == NEQ else no
    if node.mode in (EQ, NEQ, MEMBER):
        among, others = (no, yes) if node.mode == NEQ else (yes, no)
        _compare_members(made, node, among, others, missing)
        return
    [value] = node.values
    limit = value if node.mode in (LEQ, GT) else made.before(value)
    below, above = (yes, no) if node.mode in (LEQ, LT) else (no, yes)
    made.add(node.feature, limit, below, above, missing)


def _compare_members(made: _Comparisons, node: Node, among: int, others: int, missing: int) -> None:
    """Look for the first member that is not below the feature; it has to be the feature."""
    members = sorted(node.values) or [float("nan")]
    for place, value in enumerate(members):
        own = len(made.features)
        behind = others if place + 1 == len(members) else own + 2
        made.add(node.feature, value, own + 1, behind, missing)
        made.add(node.feature, made.before(value), others, among, missing)


def _depths(children: np.ndarray, roots: np.ndarray) -> np.ndarray:
    """Return how many comparisons the longest way through each tree has."""
    depths = np.zeros(len(roots), np.int64)
    at = np.unique(np.stack([np.arange(len(roots)), roots], 1)[roots >= 0], axis=0)
    for step in range(len(children) + 1):
        if not len(at):
            return depths
        depths[at[:, 0]] = step + 1
        following = np.stack([np.repeat(at[:, 0], 3), children[at[:, 1]].reshape(-1)], 1)
        at = np.unique(following[following[:, 1] >= 0], axis=0)
    raise ValueError("a tree goes in a circle")


def _placed(positions: np.ndarray, leaves: int) -> np.ndarray:
    """Return places: leaves come first, then one that is nobody's, then comparisons."""
    return np.where(positions < 0, ~positions, positions + leaves + 1).astype(np.int32)


def _with_leaves(children: np.ndarray, leaves: int) -> np.ndarray:
    """Put leaves before comparisons, and leave out where NaN goes if that is above each limit."""
    own = np.repeat(np.arange(leaves, dtype=np.int32)[:, None], 3, 1)
    whole = np.concatenate([own, children])
    plain = np.array_equal(whole[:, ABOVE], whole[:, MISSING])
    return whole[:, : MISSING if plain else MISSING + 1].copy()


NODE_MODES: Final = {
    "BRANCH_LEQ": LEQ,
    "BRANCH_LT": LT,
    "BRANCH_GTE": GTE,
    "BRANCH_GT": GT,
    "BRANCH_EQ": EQ,
    "BRANCH_NEQ": NEQ,
    "BRANCH_MEMBER": MEMBER,
}
"""The words of TreeEnsembleRegressor and TreeEnsembleClassifier."""
