"""Linear models and support vector machines."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import with_dim
from tvmfuse.frontend.onnx.convert.ml.scores import (
    array,
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
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_shape
from tvmfuse.ir.types import constant
from tvmfuse.ops import coupled_shares

KERNELS: Final = ("LINEAR", "POLY", "RBF", "SIGMOID")


def _affine(op: Operation, x: Numbers, weights: np.ndarray, offsets: np.ndarray) -> Numbers:
    """Return ``x @ weights.T + offsets``: (N, F), (K, F) and (K,), or one offset for all."""
    x = Numbers(op, with_dim(op, x.expr, 1, weights.shape[1]))
    product = x.times(Numbers(op, constant(np.ascontiguousarray(weights.T))))
    return product + Numbers(op, constant(offsets)) if len(offsets) else product


def _matrix(op: Operation, numbers: np.ndarray, rows: int, what: str) -> np.ndarray:
    op.require(
        rows > 0 and len(numbers) and len(numbers) % rows == 0,
        f"its {len(numbers)} {what} make no {rows} rows",
    )
    return numbers.reshape(rows, -1)


def linear_regressor(op: Operation) -> Expr:
    """Convert LinearRegressor."""
    targets, intercepts = op.integer("targets", 1), array(op, "intercepts")
    op.require(
        len(intercepts) in (0, targets),
        f"it has {len(intercepts)} intercepts and {targets} targets",
    )
    weights = _matrix(op, array(op, "coefficients"), targets, "coefficients")
    scores = _affine(op, rows_of(op), weights, intercepts)
    return transformed(scores, transform_of(op), targets)


def linear_classifier(op: Operation) -> list[Expr]:
    """Convert LinearClassifier: one row of coefficients for each class, or one for two."""
    labels = labels_of(op, "classlabels_ints", "classlabels_strings")
    intercepts, transform = array(op, "intercepts"), transform_of(op)
    rows = len(intercepts) or len(labels)
    weights = _matrix(op, array(op, "coefficients"), rows, "coefficients")
    op.require(rows in (1, len(labels)), f"it has {rows} intercepts and {len(labels)} classes")
    scores = _affine(op, rows_of(op), weights, intercepts)
    if rows > 1:
        return [best(scores, labels), transformed(scores, transform, rows)]
    op.require(len(labels) == 2, f"it has one intercept and {len(labels)} classes")
    return [chosen(scores > 0, labels), of_two(scores, transform, opposed=False)]


def _kernels(op: Operation, x: Numbers, vectors: np.ndarray) -> Numbers:
    """Return the kernel of each row and each support vector: (N, F) and (V, F) to (N, V)."""
    kind = one_of(op, "kernel_type", "LINEAR", KERNELS)
    gamma, shift, degree = (float(p) for p in (*array(op, "kernel_params"), 0, 0, 0)[:3])
    if kind == "RBF":
        x = Numbers(op, with_dim(op, x.expr, 1, vectors.shape[1]))
        apart = x.expanded(1) - Numbers(op, constant(vectors[None]))
        return ((apart * apart).sum(2) * -gamma).exp()
    products = _affine(op, x, vectors, np.zeros(0))
    if kind == "LINEAR":
        return products
    scaled = products * gamma + shift
    return scaled.power(degree) if kind == "POLY" else Numbers(op, relax.op.tanh(scaled.expr))


def svm_regressor(op: Operation) -> Expr:
    """Convert SVMRegressor; without support vectors it is a linear model."""
    coefficients, rho = array(op, "coefficients")[None], array(op, "rho")[:1]
    op.require(len(rho) == 1 and coefficients.size, "it has no rho, or no coefficients")
    count, x = op.integer("n_supports", 0), rows_of(op)
    if count:
        x = _kernels(op, x, _matrix(op, array(op, "support_vectors"), count, "support_vectors"))
    y = _affine(op, x, coefficients, rho)
    if op.flag("one_class"):
        y = (y > 0).astype("float32") * 2 - 1
    return y.expr


def svm_classifier(op: Operation) -> list[Expr]:
    """Convert SVMClassifier: votes between each two classes, and the scores that decide them.

    With prob_a and prob_b it gives the probabilities of classes in the place of these. Without
    support vectors it is linear: one row of coefficients for each class.
    """
    labels = labels_of(op, "classlabels_ints", "classlabels_strings")
    coefficients, rho = array(op, "coefficients"), array(op, "rho")
    transform, counts = transform_of(op), op.integers("vectors_per_class") or []
    if not sum(counts):
        op.require(not op.attribute("prob_a"), "it has probabilities, and no support vectors")
        return _linear_machine(op, labels, coefficients, rho)
    op.require(len(counts) == len(labels), f"{len(counts)} vectors_per_class, {len(labels)} labels")
    pairs = [*combinations(range(len(labels)), 2)]
    op.require(len(rho) == len(pairs), f"it has {len(rho)} rho; expected {len(pairs)}")
    vectors = _matrix(op, array(op, "support_vectors"), sum(counts), "support_vectors")
    kernels = _kernels(op, rows_of(op), vectors)
    weights = _matrix(op, coefficients, len(labels) - 1, "coefficients")
    scores = _affine(op, kernels, _between(weights, counts, pairs), rho)
    elected = best(_votes(scores, pairs, len(labels)), labels)
    if op.attribute("prob_a"):
        shares = _probabilities(op, scores, pairs, len(labels))
        return [elected, transformed(shares, transform, len(labels))]
    if len(pairs) > 1:
        return [elected, transformed(scores, transform, len(pairs))]
    return [elected, of_two(scores, transform, opposed=transform == "NONE")]


def _probabilities(
    op: Operation, scores: Numbers, pairs: list[tuple[int, int]], classes: int
) -> Numbers:
    """Return the probabilities of classes, (N, classes), from the scores of pairs, (N, pairs)."""
    slopes, offsets = array(op, "prob_a"), array(op, "prob_b")
    op.require(
        len(slopes) == len(offsets) == len(pairs),
        f"it has {len(slopes)} prob_a and {len(offsets)} prob_b; expected {len(pairs)}",
    )
    straight = scores * Numbers(op, constant(slopes)) + Numbers(op, constant(offsets))
    second = Numbers(op, relax.op.sigmoid(straight.expr))
    first = (-second + 1).at_least(1e-7).at_most(float(np.float32(1) - np.float32(1e-7)))
    place = {pair: at for at, pair in enumerate(pairs)}
    place |= {(j, i): at + len(pairs) for (i, j), at in place.items()}
    table = [place.get((i, j), 0) for i in range(classes) for j in range(classes)]
    both = op.emit(relax.op.concat([first.expr, (-first + 1).expr], 1))
    among = Numbers(op, relax.op.take(both, constant(np.array(table)), 1, mode="clip"))
    rows = require_shape(among.expr)[0]
    return Numbers(op, coupled_shares(among.reshaped([rows, classes, classes]).expr))


def _linear_machine(
    op: Operation, labels: np.ndarray, coefficients: np.ndarray, rho: np.ndarray
) -> list[Expr]:
    op.require(len(rho) > 0, "it has no rho")
    weights = _matrix(op, coefficients, len(labels), "coefficients")
    scores = _affine(op, rows_of(op), weights, rho[:1])
    top = best(scores, labels)
    if len(labels) == 2:
        limit = 0.5 if (coefficients >= 0).all() else 0.0
        highest = scores.largest(1)
        wins = highest >= limit if limit else highest > limit
        ahead = Numbers(op, relax.op.argmax(scores.expr, 1, keepdims=True)).equals(1)
        top = chosen(wins | ahead, labels)
    return [top, transformed(scores, transform_of(op), len(labels))]


def _between(weights: np.ndarray, counts: list[int], pairs: list[tuple[int, int]]) -> np.ndarray:
    """Return the weights of each pair's classifier, (pairs, V).

    A class has some against each other class: those of i against j, where i is less than j, stand
    in row j - 1, the others in row i.
    """
    ends = np.cumsum([0, *counts])
    found = np.zeros((len(pairs), ends[-1]), np.float32)
    for place, (i, j) in enumerate(pairs):
        for row, own in ((j - 1, i), (i, j)):
            part = slice(ends[own], ends[own + 1])
            found[place, part] = weights[row, part]
    return found


def _votes(scores: Numbers, pairs: list[tuple[int, int]], classes: int) -> Numbers:
    """Return how many votes each class gets, (N, classes): one of each pair."""
    first, second = (
        np.eye(classes, dtype=np.float32)[[pair[side] for pair in pairs]] for side in (0, 1)
    )
    for_first = (scores > 0).astype("float32")
    changes = for_first.times(Numbers(scores.op, constant(first - second)))
    return changes + Numbers(scores.op, constant(second.sum(0)))
