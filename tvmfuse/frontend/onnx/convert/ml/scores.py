"""What models of ai.onnx.ml share: rows of features, scores, and the labels of classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.ir.types import constant, dtype_of

FLOAT32: Final = "float32"


def rows_of(op: Operation, *, keeps_double: bool = False) -> Numbers:
    """Return the first operand as rows of features, (N, F): a vector is one row.

    Args:
        op: The operation.
        keeps_double: Whether float64 stays; else all numbers become float32.
    """
    x = Numbers(op, op.tensor(0))
    rank = require_rank(x.expr)
    op.require(rank in (1, 2), f"its input has rank {rank}; expected rows of features, rank 2")
    if rank == 1:
        x = x.expanded(0)
    return x if keeps_double and dtype_of(x.expr) == "float64" else x.astype(FLOAT32)


def array(op: Operation, name: str) -> np.ndarray:
    """Return an attribute that lists floats, as float32; nothing where it is absent."""
    return np.array(op.attribute(name) or [], FLOAT32)


def one_of(op: Operation, name: str, default: str, allowed: Sequence[str]) -> str:
    """Return an attribute that is one of some words."""
    word = op.text(name, default)
    op.require(word in allowed, f"its {name} is {word!r}; expected {', '.join(allowed)}")
    return word


def labels_of(op: Operation, name: str, texts: str) -> np.ndarray:
    """Return the classes' labels, which have to be integers."""
    op.require(not op.attribute(texts), f"its classes are strings ({texts}), which no tensor holds")
    labels = np.array(op.integers(name) or [], np.int64)
    op.require(len(labels) > 1, f"{name} has {len(labels)} classes; expected 2 or more")
    return labels


def labelled(places: Numbers, labels: np.ndarray) -> Expr:
    """Return the labels of classes, given by their places, int64."""
    return relax.op.take(constant(labels), places.expr, 0, mode="clip")


def chosen(second: Numbers, labels: np.ndarray) -> Expr:
    """Return the second of two labels where a truth value of shape (N, 1) holds, else the first."""
    return labelled(second.astype("int64").reshaped(require_shape(second.expr)[:1]), labels)


def best(scores: Numbers, labels: np.ndarray) -> Expr:
    """Return the label of each row's highest score, of equal ones the first."""
    return labelled(Numbers(scores.op, relax.op.argmax(scores.expr, 1)), labels)


def of_two(score: Numbers, transform: str, *, opposed: bool) -> Expr:
    """Return scores of two classes, (N, 2), given that of the second, (N, 1), as onnxruntime does.

    Args:
        score: Of float32.
        transform: Only LOGISTIC changes what they are.
        opposed: Whether the first class has the negative score, or what is left of 1.

    Raises:
        CannotConvertError: It is PROBIT, of which onnxruntime makes no second column.
    """
    score.op.require(transform != "PROBIT", "PROBIT of one score for two classes is not compiled")
    if transform == "LOGISTIC":
        first, second = _logistic(-score), _logistic(score)
    else:
        first, second = -score if opposed else -score + 1, score
    return relax.op.concat([first.expr, second.expr], 1)


def _none(scores: Numbers) -> Numbers:
    return scores


def _logistic(scores: Numbers) -> Numbers:
    return Numbers(scores.op, relax.op.sigmoid(scores.expr))


def _softmax(scores: Numbers) -> Numbers:
    return Numbers(scores.op, relax.op.nn.softmax(scores.expr, 1))


def _softmax_zero(scores: Numbers) -> Numbers:
    """Softmax among the scores that are not 0: a 0 stays what it is."""
    top = scores.largest(1)
    counts = scores.abs() > 1e-7
    shares = (scores - top).exp()
    total = counts.where(shares, 0).sum(1).expanded(1)
    return counts.where(shares, scores * (-top).exp()) / total


def _probit(scores: Numbers) -> Numbers:
    """Return quantiles of the normal distribution, by Winitzki's approximation of erf.

    Source: Winitzki, "A handy approximation for the error function and its inverse", 2008.
    """
    x = scores * 2 - 1
    logarithm = ((-x + 1) * (x + 1)).log()
    half = logarithm * 0.5 + 2 / (3.14159 * 0.147)
    size = ((half * half - logarithm * (1 / 0.147)).sqrt() - half).sqrt() * 1.41421356
    return (x < 0).where(-size, size)


TRANSFORMS: Final[Mapping[str, Callable[[Numbers], Numbers]]] = {
    "NONE": _none,
    "SOFTMAX": _softmax,
    "LOGISTIC": _logistic,
    "SOFTMAX_ZERO": _softmax_zero,
    "PROBIT": _probit,
}
"""By `post_transform`; the order is that of TreeEnsemble's numbers."""


def transform_of(op: Operation) -> str:
    """Return what becomes of scores."""
    return one_of(op, "post_transform", "NONE", list(TRANSFORMS))


def transformed(scores: Numbers, transform: str, columns: int) -> Expr:
    """Return transformed scores, (N, columns); onnxruntime leaves one column but for PROBIT."""
    if columns == 1 and transform != "PROBIT":
        return scores.expr
    return TRANSFORMS[transform](scores).expr
