"""What is done to features before a model reads them."""

from __future__ import annotations

from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.ml.scores import FLOAT32, array, one_of
from tvmfuse.frontend.onnx.convert.runtime_numbers import INT64, Numbers
from tvmfuse.frontend.onnx.convert.runtime_shapes import ensure
from tvmfuse.frontend.onnx.convert.scatter import safe_indices
from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype, scalar
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of

NORMS: Final = ("MAX", "L1", "L2")


def _each_feature(op: Operation, x: Expr, numbers: np.ndarray, what: str) -> Numbers:
    """Return one number for all features, or one for each, beside the last axis of a tensor."""
    width = require_shape(x)[-1] if require_rank(x) else 1
    op.require(
        len(numbers) == 1 or op.same(width, len(numbers)),
        f"{what} has {len(numbers)} numbers; expected 1, or as many as there are features",
    )
    return Numbers(op, constant(numbers))


def scaler(op: Operation) -> Expr:
    """Convert Scaler: ``(x - offset) * scale``, in float64 where `x` is."""
    x = Numbers(op, op.tensor(0))
    wide = "float64" if dtype_of(x.expr) == "float64" else FLOAT32
    offset, scale = (
        _each_feature(op, x.expr, numbers.astype(wide), name)
        for name in ("offset", "scale")
        for numbers in [array(op, name)]
    )
    return ((x.astype(wide) - offset) * scale).astype(FLOAT32).expr


def normalizer(op: Operation) -> Expr:
    """Convert Normalizer: rows over their norm; a row whose norm is 0 stays.

    MAX is the largest number, not that of largest magnitude.
    """
    x = Numbers(op, op.tensor(0)).astype(FLOAT32)
    axis = require_rank(x.expr) - 1
    op.require(axis in (0, 1), "its input is no row or matrix of features")
    kind = one_of(op, "norm", "MAX", NORMS)
    if kind == "MAX":
        norm = x.largest(axis)
    else:
        parts = x.abs() if kind == "L1" else x * x
        norm = Numbers(op, relax.op.sum(parts.expr, axis, keepdims=True))
        norm = norm if kind == "L1" else norm.sqrt()
    return norm.equals(0).where(x, x / norm).expr


def binarizer(op: Operation) -> Expr:
    """Convert Binarizer: 1 above the threshold, else 0."""
    x = Numbers(op, op.tensor(0))
    threshold = op.number("threshold", 0.0)
    if is_float_dtype(dtype_of(x.expr)):
        return (x > threshold).astype(dtype_of(x.expr)).expr
    return (x.astype("float64") > threshold).astype(dtype_of(x.expr)).expr


def array_feature_extractor(op: Operation) -> Expr:
    """Convert ArrayFeatureExtractor: columns by their numbers; a vector is one row."""
    x, places = op.tensor(0), op.tensor(1)
    op.require(require_rank(x) > 0, "its input has no features")
    if require_rank(x) == 1:
        x = op.emit(relax.op.expand_dims(x, [0]))
    count = op.symbols.product(require_shape(places))
    flat = op.emit(in_shape(places, [count]))
    places = safe_indices(op, flat, [require_shape(x)[-1]], from_back=False)
    return relax.op.take(x, places, require_rank(x) - 1)


def imputer(op: Operation) -> Expr:
    """Convert Imputer: another number in the place of what stands for a missing one."""
    x = Numbers(op, op.tensor(0))
    dtype = dtype_of(x.expr)
    if is_float_dtype(dtype):
        values, kind = array(op, "imputed_value_floats").astype(dtype), "float"
        replaced: float = op.number("replaced_value_float", 0.0)
    else:
        values, kind = np.array(op.integers("imputed_value_int64s") or [], dtype), "int64"
        replaced = op.integer("replaced_value_int64", 0)
    op.require(len(values), f"imputed_value_{kind}s is empty, and its input is {dtype}")
    given = _each_feature(op, x.expr, values, f"imputed_value_{kind}s")
    missing = Numbers(op, relax.op.isnan(x.expr)) if np.isnan(replaced) else x.equals(replaced)
    return missing.where(given, x).expr


def one_hot_encoder(op: Operation) -> Expr:
    """Convert OneHotEncoder of integers; floats are cut to integers.

    With zeros=0 it is checked, while the model runs, that each is a category.
    """
    op.require(not op.attribute("cats_strings"), "its categories are strings (cats_strings)")
    categories = np.array(op.integers("cats_int64s") or [], np.int64)
    op.require(len(categories), "cats_int64s is empty")
    x = Numbers(op, op.tensor(0)).astype(INT64)
    rank = require_rank(x.expr)
    found = x.expanded(rank).equals(Numbers(op, constant(categories)))
    if not op.flag("zeros", default=True):
        ensure(found.astype(INT64).sum(rank) > 0, "each value is one of its categories (zeros=0)")
    return found.astype(FLOAT32).expr


def feature_vectorizer(op: Operation) -> Expr:
    """Convert FeatureVectorizer: features side by side, each tensor's cut or filled with zeros."""
    widths = op.integers("inputdimensions") or []
    op.require(
        len(widths) == len(op), f"inputdimensions has {len(widths)} entries; it has {len(op)}"
    )
    tensors = [Numbers(op, op.tensor(i)).astype(FLOAT32) for i in range(len(op))]
    op.require(all(require_rank(t.expr) for t in tensors), "an input is a scalar")
    rows = next((r for t in tensors if isinstance(r := require_shape(t.expr)[0], int)), None)
    first: Dim = require_shape(tensors[0].expr)[0] if rows is None else rows
    parts = [_fitted(op, t, first, width) for t, width in zip(tensors, widths, strict=True)]
    return relax.op.concat(parts, 1)


def _fitted(op: Operation, x: Numbers, rows: Dim, width: int) -> Expr:
    """Return features of a fixed number: (rows, width)."""
    _, *rest = require_shape(x.expr)
    [count] = rest if len(rest) == 1 else [op.symbols.product(rest)]
    if not isinstance(count, int):
        op.refuse(f"how many features an input has is not fixed: {count}")
    flat = agree(op, x.reshaped([require_shape(x.expr)[0], count]).expr, [rows, count])
    if count > width:
        return op.emit(relax.op.strided_slice(flat, [1], [0], [width], assume_inbound=True))
    if count < width:
        zeros = relax.op.full([rows, width - count], scalar(0, FLOAT32), FLOAT32)
        return op.emit(relax.op.concat([flat, op.emit(zeros)], 1))
    return flat
