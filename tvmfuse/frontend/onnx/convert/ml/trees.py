"""Decision trees: TreeEnsembleRegressor, TreeEnsembleClassifier, and TreeEnsemble after both.

`ops.tree_scores` finds the leaves, and adds up what they weigh.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.ml.forest import MEMBER, NODE_MODES, Forest, Node, forest
from tvmfuse.frontend.onnx.convert.ml.scores import (
    TRANSFORMS,
    best,
    chosen,
    labels_of,
    of_two,
    one_of,
    rows_of,
    transform_of,
    transformed,
)
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers
from tvmfuse.frontend.onnx.graph import array_of
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.require import require_shape
from tvmfuse.ir.types import constant, dtype_of
from tvmfuse.ops import tree_scores as tvmfuse_tree_scores
from tvmfuse.ops.tree_scores import AGGREGATES as FOLDS

AGGREGATES: Final = ("AVERAGE", "SUM", "MIN", "MAX")
"""The order is that of TreeEnsemble's numbers."""


@dataclass(frozen=True, eq=False)
class Weights:
    """What leaves weigh: each entry adds a weight of a leaf to a target."""

    leaves: np.ndarray
    targets: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class Trees:
    """All that an operator says of its trees.

    Attributes:
        nodes: Those that compare.
        roots: As in `forest`.
        leaves: How many there are.
        weights: Theirs.
        targets: How many there are.
    """

    nodes: Sequence[Node]
    roots: Sequence[int]
    leaves: int
    weights: Weights
    targets: int


def regressor(op: Operation) -> Expr:
    """Convert TreeEnsembleRegressor."""
    trees = _listed(op, "target", op.integer("n_targets", 1))
    aggregate = one_of(op, "aggregate_function", "SUM", AGGREGATES)
    scores = _sums(op, rows_of(op, keeps_double=True), trees, aggregate)
    base = _numbers(op, "base_values")
    if len(base):
        op.require(len(base) == trees.targets, f"it has {len(base)} base_values")
        scores = scores + Numbers(op, constant(base.astype(dtype_of(scores.expr))))
    return transformed(scores.astype("float32"), transform_of(op), trees.targets)


def ensemble(op: Operation) -> Expr:
    """Convert TreeEnsemble."""
    x = rows_of(op, keeps_double=True)
    trees = _tensors(op)
    scores = _sums(op, x, trees, AGGREGATES[op.integer("aggregate_function", 1)])
    transform = [*TRANSFORMS][op.integer("post_transform", 0)]
    result = Numbers(op, transformed(scores, transform, trees.targets))
    return result.astype(dtype_of(op.tensor(0))).expr


def classifier(op: Operation) -> list[Expr]:
    """Convert TreeEnsembleClassifier; weights of one class alone are those of the second of two.

    The label is that of the highest score, as in ONNX's reference implementation, also of two
    classes that are both rated: there onnxruntime takes the second one if its score is above 0.
    """
    labels = labels_of(op, "classlabels_int64s", "classlabels_strings")
    trees = _listed(op, "class", len(labels))
    own, base = trees.weights, _numbers(op, "base_values")
    op.require(len(base) in (0, 1, len(labels)), f"it has {len(base)} base_values")
    present = sorted({*own.targets.tolist()})
    transform = transform_of(op)
    scores = _sums(op, rows_of(op, keeps_double=True), trees, "SUM").astype("float32")
    if len(labels) == 2 and len(present) == 1:
        positive = bool((own.values >= 0).all())
        return _binary(op, scores, labels, transform, positive=positive, second=present == [1])
    if len(base):
        scores = scores + Numbers(op, constant(base.astype(np.float32)))
    rated = scores
    if len(present) < len(labels) and not len(base):
        absent = np.full((1, len(labels)), -np.inf, np.float32)
        absent[0, present] = 0
        rated = scores + Numbers(op, constant(absent))
    return [best(rated, labels), transformed(scores, transform, len(labels))]


def _binary(
    op: Operation,
    scores: Numbers,
    labels: np.ndarray,
    transform: str,
    *,
    positive: bool,
    second: bool,
) -> list[Expr]:
    """Return label and scores of two classes, of which trees rate one.

    As in onnxruntime, weights of the first class are those of the second, and say what is left for
    the first; beside weights of the second class itself, the first one's score is 0.
    """
    score = Numbers(op, relax.op.sum(scores.expr, 1, keepdims=True))
    base = _numbers(op, "base_values")
    if len(base):
        score = score + float(np.float32(base[-1]))
    label = chosen(score > (0.5 if positive else 0.0), labels)
    if second:
        first = op.emit(relax.op.zeros_like(score.expr))
        both = Numbers(op, relax.op.concat([first, score.expr], 1))
        return [label, transformed(both, transform, 2)]
    return [label, of_two(score, transform, opposed=not positive)]


def _sums(op: Operation, x: Numbers, trees: Trees, aggregate: str) -> Numbers:
    """Return what the leaves weigh together, (N, targets), in the dtype of the features."""
    dtype = dtype_of(x.expr)
    least = min((node.feature for node in trees.nodes), default=0)
    op.require(least >= 0, f"a tree looks at feature {least}")
    try:
        made = forest(trees.nodes, trees.roots, trees.leaves, dtype)
    except ValueError as error:
        op.refuse(str(error))
    folded = "SUM" if aggregate == "AVERAGE" else aggregate
    nothing = FOLDS[folded][0]
    table = _table(op, trees, nothing, dtype)
    found = _scores(op, x, made, table, folded)
    if aggregate == "AVERAGE":
        return found / len(trees.roots)
    zero = Numbers(op, scalar(0, dtype))
    return found.equals(nothing).where(zero, found) if nothing else found


def _scores(op: Operation, x: Numbers, made: Forest, table: Expr, aggregate: str) -> Numbers:
    width, most = require_shape(x.expr)[1], made.features
    op.require(
        op.same(width, op.symbols.larger(width, most)),
        f"a tree looks at feature {most - 1}, and whether a row has so many is not known",
    )
    roots, depths, places = map(constant, (made.roots, made.depths, made.places))
    scores = tvmfuse_tree_scores(
        x.expr, roots, depths, places, table,
        aggregate=aggregate, tells_missing=made.tells_missing,
    )  # fmt: skip
    return Numbers(op, scores)


def _table(op: Operation, trees: Trees, nothing: float, dtype: str) -> Expr:
    """Return what leaves weigh, (leaves + 1, targets); the last one weighs nothing."""
    shape = (trees.leaves + 1, trees.targets)
    op.makes("the weights of leaves", shape, dtype)
    own = trees.weights
    inside = (own.targets >= 0) & (own.targets < trees.targets)
    op.require(inside.all(), f"a leaf has another target than the {trees.targets} that there are")
    fold: np.ufunc = np.add
    if nothing:
        fold = np.minimum if nothing > 0 else np.maximum
    table = np.full(shape, nothing, dtype)
    fold.at(table, (own.leaves, own.targets), own.values.astype(dtype))
    return constant(table)


def _numbers(op: Operation, name: str) -> np.ndarray:
    """Return an attribute that lists floats, or a tensor beside it."""
    tensor = op.attribute(f"{name}_as_tensor")
    if tensor is not None:
        return array_of(tensor, name).reshape(-1)
    return np.array(op.attribute(name) or [], np.float32)


def _columns(op: Operation, *names: str) -> list[list[int]]:
    """Return attributes that list one integer for each of the same things."""
    columns = [op.integers(name) or [] for name in names]
    counts = {len(column) for column in columns}
    op.require(len(counts) == 1, f"{', '.join(names)} have {sorted(counts)} entries")
    return columns


def _listed(op: Operation, kind: str, targets: int) -> Trees:
    """Read trees whose nodes are named by numbers, leaves among them."""
    identities, features, yes, no = _identified(op)
    modes, values = list(op.attribute("nodes_modes") or []), _numbers(op, "nodes_values")
    op.require(len(modes) == len(values) == len(features), "its nodes lack a mode, or a value")
    missing = op.integers("nodes_missing_value_tracks_true") or [0] * len(modes)
    op.require(len(missing) == len(modes), "nodes_missing_value_tracks_true lacks a node")
    comparing = [place for place, mode in enumerate(modes) if mode != "LEAF"]
    leaves = [place for place, mode in enumerate(modes) if mode == "LEAF"]
    position = {place: n for n, place in enumerate(comparing)}
    position |= {place: ~n for n, place in enumerate(leaves)}
    at = {identity: position[place] for place, identity in enumerate(identities)}
    op.require(len(at) == len(identities), "two of its nodes have the same number")

    def child(place: int, number: int) -> int:
        found = at.get((identities[place][0], number))
        if found is None:
            op.refuse(f"tree {identities[place][0]} has no node {number}")
        return found

    nodes = []
    for place in comparing:
        mode = NODE_MODES.get(modes[place])
        if mode is None or mode == MEMBER:
            op.refuse(f"a node has the mode {modes[place]!r}, which is not compiled")
        feature, tracks = features[place], bool(missing[place])
        truly, falsely = child(place, yes[place]), child(place, no[place])
        nodes.append(Node(mode, feature, [float(values[place])], truly, falsely, tracks))
    firsts: dict[int, int] = {}
    for tree, number in identities:
        firsts.setdefault(tree, at[tree, number])
    weights = _weights(op, kind, at)
    return Trees(nodes, [*firsts.values()], len(leaves), weights, targets)


def _identified(
    op: Operation,
) -> tuple[list[tuple[int, int]], list[int], list[int], list[int]]:
    """Return each node's tree and number, its feature, and the numbers of its children."""
    trees, numbers, features, yes, no = _columns(
        op,
        "nodes_treeids",
        "nodes_nodeids",
        "nodes_featureids",
        "nodes_truenodeids",
        "nodes_falsenodeids",
    )
    op.require(trees, "it has no trees")
    return [*zip(trees, numbers, strict=True)], features, yes, no


def _weights(op: Operation, kind: str, at: Mapping[tuple[int, int], int]) -> Weights:
    trees, numbers, targets = _columns(op, f"{kind}_treeids", f"{kind}_nodeids", f"{kind}_ids")
    values = _numbers(op, f"{kind}_weights")
    op.require(len(values) == len(targets), f"{kind}_weights has {len(values)} entries")
    leaves = [~at.get(identity, 0) for identity in zip(trees, numbers, strict=True)]
    op.require(min(leaves, default=0) >= 0, "it gives a weight to what is no leaf")
    return Weights(np.array(leaves, np.int64), np.array(targets, np.int64), values)


def _tensors(op: Operation) -> Trees:
    """Read trees whose children are positions, of leaves or of nodes."""
    features, yes, no, yes_leaf, no_leaf = _columns(
        op,
        "nodes_featureids",
        "nodes_truenodeids",
        "nodes_falsenodeids",
        "nodes_trueleafs",
        "nodes_falseleafs",
    )
    modes, splits, values = (
        array_of(op.attribute(name), name).reshape(-1)
        for name in ("nodes_modes", "nodes_splits", "leaf_weights")
    )
    targets, roots = op.integers("leaf_targetids") or [], op.integers("tree_roots") or []
    missing = op.integers("nodes_missing_value_tracks_true") or [0] * len(features)
    counts = (len(modes), len(splits), len(missing))
    op.require(set(counts) == {len(features)}, f"{len(features)} nodes have {counts} modes, ...")
    op.require(len(values) == len(targets), f"{len(targets)} leaves have {len(values)} weights")
    members = _members(op, int((modes == MEMBER).sum()))
    for ways, are_leaves in ((yes, yes_leaf), (no, no_leaf)):
        limits = (len(values) if leaf else len(features) for leaf in are_leaves)
        inside = all(0 <= way < limit for way, limit in zip(ways, limits, strict=True))
        op.require(inside, "a node has a child that there is not")
    op.require(all(0 <= root < len(features) for root in roots), "a root is no node")
    nodes = [
        Node(
            int(modes[n]),
            features[n],
            next(members) if modes[n] == MEMBER else [float(splits[n])],
            ~yes[n] if yes_leaf[n] else yes[n],
            ~no[n] if no_leaf[n] else no[n],
            bool(missing[n]),
        )
        for n in range(len(features))
    ]
    weights = Weights(np.arange(len(values)), np.array(targets, np.int64), values)
    return Trees(nodes, roots, len(values), weights, op.integer("n_targets", 1))


def _members(op: Operation, count: int) -> Iterator[list[float]]:
    """Yield the members of each set: in one tensor, a NaN behind each set."""
    tensor = op.attribute("membership_values")
    values = np.zeros(0) if tensor is None else array_of(tensor, "membership_values").reshape(-1)
    ends = np.flatnonzero(np.isnan(values))
    op.require(len(ends) == count, f"membership_values has {len(ends)} sets for {count} nodes")
    begins = [0, *(ends + 1)]
    return iter([values[b:e].tolist() for b, e in zip(begins, ends, strict=False)])
