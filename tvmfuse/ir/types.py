"""Reading expressions: shapes, dtypes, constants. None means "not known"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import tvm_ffi
from tvm import relax
from tvm.ir import Expr, GenericConst, Type
from tvm.sym import Analyzer

from tvmfuse.ir.live import constant_of, is_live, live_array_of
from tvmfuse.ir.live_array import LiveArray, standing_in
from tvmfuse.tensors import as_tensor

Dim: TypeAlias = int | Expr


def shape_of(expr: Expr) -> tuple[Dim, ...] | None:
    """Return a tensor's shape: integers, and expressions where a dimension is symbolic.

    >>> from tvm import tirx
    >>> shape_of(relax.Var("x", relax.TensorType((2, tirx.Var("n", "int64")), "float32")))
    (2, n)
    """
    shape = getattr(expr.ty, "shape", None)
    values = getattr(shape, "values", None)
    return None if values is None else tuple(getattr(d, "value", d) for d in values)


def static_shape_of(expr: Expr) -> tuple[int, ...] | None:
    """Return a tensor's shape where every dimension is known."""
    shape = shape_of(expr)
    if shape is None or not all(isinstance(d, int) for d in shape):
        return None
    return tuple(d for d in shape if isinstance(d, int))


def rank_of(expr: Expr) -> int | None:
    """Return a tensor's number of dimensions."""
    ndim = getattr(expr.ty, "ndim", -1)
    return None if ndim < 0 else int(ndim)


def dtype_of(expr: Expr) -> str:
    """Return a tensor's dtype as text, `"float32"`."""
    return str(expr.ty.dtype)


def is_float(expr: Expr) -> bool:
    """Whether a tensor holds floating-point numbers."""
    return dtype_of(expr).startswith(("float", "bfloat"))


def array_of(expr: Expr) -> np.ndarray | None:
    """Return the value of a constant, to compute another constant of.

    Of one that follows from parameters (`tvmfuse.ir.live`) it is a stand-in, which numpy computes
    with: who asks it for a number gets a NumbersChangeError.

    >>> array_of(relax.const(2.0))
    array(2., dtype=float32)
    """
    if not isinstance(expr, GenericConst):
        return None
    live = live_array_of(expr)
    return expr.value.numpy() if live is None else standing_in(live)


def known_array(constant: Expr) -> np.ndarray:
    """Return the same of what is a constant."""
    array = array_of(constant)
    assert array is not None
    return array


def numbers_of(expr: Expr) -> np.ndarray | None:
    """Return the value of a constant that is the same whenever the model runs, to decide by it."""
    return None if is_live(expr) else array_of(expr)


def constant(array: np.ndarray) -> GenericConst:
    """Return a constant of the array's own dtype.

    It shares the array's memory if it can; nobody writes to it any more. What was computed of
    parameters follows from them.

    >>> dtype_of(constant(np.zeros(2)))
    'float64'
    """
    if isinstance(array, LiveArray):
        return constant_of(array)
    return relax.const(as_tensor(np.asarray(array)))


def scalar_of(expr: Expr) -> float | int | None:
    """Return the value of a constant that has one element, whatever its rank, and never changes."""
    if not isinstance(expr, GenericConst) or static_size(expr) != 1 or is_live(expr):
        return None
    return expr.value.numpy().item()  # type: ignore[no-any-return]


def static_size(expr: Expr) -> int | None:
    """Return a tensor's number of elements."""
    shape = static_shape_of(expr)
    return None if shape is None else int(np.prod(shape, dtype=np.int64))


def bytes_of(ty: Type) -> int | None:
    """Return the memory that a tensor of this type takes, or a tuple of them.

    Elements smaller than a byte count as packed.

    >>> bytes_of(relax.TensorType((2, 3), "float16"))
    12
    """
    if isinstance(ty, relax.TupleType):
        fields = [bytes_of(field) for field in ty.fields]
        return None if None in fields else sum(f for f in fields if f is not None)
    values = getattr(getattr(ty, "shape", None), "values", None)
    dims = [int(d.value) for d in values or () if hasattr(d, "value")]
    if values is None or len(dims) < len(values):
        return None
    return int(math.prod(dims) * tvm_ffi.dtype(str(ty.dtype)).bits + 7) // 8


def same_dims(a: Sequence[Dim] | None, b: Sequence[Dim] | None) -> bool:
    """Whether two shapes are provably equal, symbolic dimensions included."""
    if a is None or b is None or len(a) != len(b):
        return False
    analyzer = Analyzer()
    return all(_equal(analyzer, x, y) for x, y in zip(a, b, strict=True))


def _equal(analyzer: Analyzer, x: Dim, y: Dim) -> bool:
    if isinstance(x, int) and isinstance(y, int):
        return x == y
    return bool(analyzer.can_prove_equal(x, y))


def same_shape(a: Expr, b: Expr) -> bool:
    """Whether two tensors provably have the same shape."""
    return same_dims(shape_of(a), shape_of(b))
