"""Decision trees as arrays, whatever they compare by.

Each comparison becomes one of "at most": ``x < v`` is ``x <= w`` with the next number below `v`,
``x > v`` is the opposite of ``x <= v``, and ``x == v`` is ``x <= v`` and not ``x <= w``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tvmfuse.ops.tree_scores import HALF, MISSING_SHIFT, MOST_TREES

LEQ, LT, GTE, GT, EQ, NEQ, MEMBER = range(7)
"""How a node compares; the numbers are those of TreeEnsemble."""

BELOW, ABOVE = range(2)


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
    """Trees as `ops.tree_scores` takes them.

    Attributes:
        roots: (T,), int32. Behind the trees stand some of one more leaf: whole groups.
        depths: (G,), int32.
        places: (P, 2), int64: the roots, then the two children of each comparison.
        features: How many a row has to have.
        tells_missing: Whether NaN is below a limit anywhere.
    """

    roots: np.ndarray
    depths: np.ndarray
    places: np.ndarray
    features: int
    tells_missing: bool


@dataclass
class _Comparisons:
    """Comparisons by "at most", each at its position; children as in `Node`.

    `tells` says which of them NaN is below of.
    """

    dtype: str
    features: list[int] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    children: list[tuple[int, int]] = field(default_factory=list)
    tells: list[bool] = field(default_factory=list)

    def add(self, feature: int, limit: float, below: int, above: int, *, missing: bool) -> None:
        self.features.append(feature)
        self.limits.append(limit)
        self.children.append((below, above))
        self.tells.append(missing)

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
    children = np.array(made.children, np.int64).reshape(-1, 2)
    begins = np.array([heads[r] if r >= 0 else r for r in roots], np.int64)
    steps = _depths(children, begins)
    order = np.argsort(-steps, kind="stable")
    width = min(MOST_TREES, 1 << max(0, len(roots) - 1).bit_length())
    nobody = -len(roots) % width
    at = np.concatenate([begins[order], np.full(nobody, ~leaves)])
    return Forest(
        roots=np.arange(len(at), dtype=np.int32),
        depths=np.pad(steps[order], (0, nobody)).reshape(-1, width).max(1).astype(np.int32),
        places=_places(made, np.concatenate([at, children[:, [ABOVE, BELOW]].reshape(-1)])),
        features=max(made.features, default=0) + 1,
        tells_missing=any(made.tells),
    )


def _count(node: Node) -> int:
    """Return how many comparisons by "at most" a node takes."""
    return 2 * max(1, len(node.values)) if node.mode in (EQ, NEQ, MEMBER) else 1


def _compare(made: _Comparisons, node: Node, yes: int, no: int) -> None:
    if node.mode in (EQ, NEQ, MEMBER):
        among, others = (no, yes) if node.mode == NEQ else (yes, no)
        _compare_members(made, node, among, others)
        return
    [value] = node.values
    limit = value if node.mode in (LEQ, GT) else made.before(value)
    upward = node.mode in (GT, GTE)
    below, above = (no, yes) if upward else (yes, no)
    made.add(node.feature, limit, below, above, missing=node.missing != upward)


def _compare_members(made: _Comparisons, node: Node, among: int, others: int) -> None:
    """Look for the first member that is not below the feature; it has to be the feature.

    NaN, where it is none of the members, is above all of them.
    """
    missing = node.missing and node.mode != NEQ
    members = sorted(node.values) or [float("nan")]
    for place, value in enumerate(members):
        own = len(made.features)
        behind = others if place + 1 == len(members) else own + 2
        made.add(node.feature, value, own + 1, behind, missing=missing)
        made.add(node.feature, made.before(value), others, among, missing=False)


def _depths(children: np.ndarray, roots: np.ndarray) -> np.ndarray:
    """Return how many comparisons the longest way through each tree has."""
    depths = np.zeros(len(roots), np.int64)
    at = np.unique(np.stack([np.arange(len(roots)), roots], 1)[roots >= 0], axis=0)
    for step in range(len(children) + 1):
        if not len(at):
            return depths
        depths[at[:, 0]] = step + 1
        following = np.stack([np.repeat(at[:, 0], 2), children[at[:, 1]].reshape(-1)], 1)
        at = np.unique(following[following[:, 1] >= 0], axis=0)
    raise ValueError("a tree goes in a circle")


def _places(made: _Comparisons, at: np.ndarray) -> np.ndarray:
    """Return the words of places: which comparison, or ``~leaf``, is at each of them.

    The children of comparisons are the last ones.
    """
    begin, here = len(at) - 2 * len(made.features), np.flatnonzero(at >= 0)
    limits = np.full(len(at), np.nan, made.dtype)
    limits[here] = np.array(made.limits, made.dtype)[at[here]]
    bits = limits.view(f"int{limits.itemsize * 8}").astype(np.int64) << 64 - limits.itemsize * 8
    firsts, seconds = np.arange(len(at)) << HALF, np.where(at < 0, bits | ~at, bits)
    looked = np.array(made.features, np.int64) | np.array(made.tells, np.int64) << MISSING_SHIFT
    firsts[here] = begin + 2 * at[here] << HALF | looked[at[here]]
    return np.stack([firsts, seconds], 1)


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
