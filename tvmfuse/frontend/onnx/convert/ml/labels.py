"""LabelEncoder: numbers for numbers, by a table."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import onnx
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers
from tvmfuse.frontend.onnx.graph import array_of
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_shape
from tvmfuse.ir.types import constant, dtype_of

DTYPES: Final = {"int64s": np.int64, "floats": np.float32}
"""Attributes that list numbers -> their dtype."""

DEFAULTS: Final = {"int64s": ("default_int64", -1), "floats": ("default_float", -0.0)}


def label_encoder(op: Operation) -> Expr:
    """Convert LabelEncoder of numbers: each key's value, and the default for all others.

    Keys are sorted and looked for by bisection; of equal keys the first one counts, and from opset
    4 on NaN is a key like others.
    """
    keys, _ = _listed(op, "keys")
    values, kind = _listed(op, "values")
    op.require(len(keys) == len(values) > 0, f"it has {len(keys)} keys and {len(values)} values")
    x = Numbers(op, op.tensor(0))
    dtype = dtype_of(x.expr)
    sorted_keys, first = np.unique(keys.astype(dtype), return_index=True)
    default = Numbers(op, constant(_default(op, kind, values.dtype)))
    flat = x.reshaped([op.symbols.product(require_shape(x.expr))])
    numbers, unordered = sorted_keys, np.isnan(sorted_keys)
    table = values[first]
    found = Numbers(op, relax.op.broadcast_to(default.expr, require_shape(flat.expr)))
    if not unordered.all():
        numbers, own = sorted_keys[~unordered], table[~unordered]
        place = relax.op.bucketize(flat.expr, constant(numbers), out_int32=True)
        at = Numbers(op, place)
        met = Numbers(op, relax.op.take(constant(numbers), at.expr, 0, mode="clip"))
        value = Numbers(op, relax.op.take(constant(own), at.expr, 0, mode="clip"))
        found = met.equals(flat).where(value, default)
    if unordered.any() and op.opset >= 4:
        of_nan = Numbers(op, constant(table[unordered][:1]))
        found = Numbers(op, relax.op.isnan(flat.expr)).where(of_nan, found)
    return found.reshaped(require_shape(x.expr)).expr


def _listed(op: Operation, side: str) -> tuple[np.ndarray, str]:
    """Return keys or values as a vector, and which attribute they come from."""
    op.require(not op.attribute(f"{side}_strings"), f"its {side} are strings ({side}_strings)")
    tensor = op.attribute(f"{side}_tensor")
    if tensor is not None:
        numbers = array_of(tensor, f"{side}_tensor").reshape(-1)
        op.require(numbers.dtype.kind in "iuf", f"its {side} are strings ({side}_tensor)")
        return numbers, "tensor"
    given = [kind for kind in DTYPES if op.attribute(f"{side}_{kind}")]
    op.require(given, f"it has no {side}")
    return np.array(op.attribute(f"{side}_{given[0]}"), DTYPES[given[0]]), given[0]


def _default(op: Operation, kind: str, dtype: Any) -> np.ndarray:
    """Return what stands for other keys, as a vector of one number."""
    tensor = op.attribute("default_tensor")
    if kind == "tensor" or isinstance(tensor, onnx.TensorProto):
        op.require(tensor is not None, "it has no default_tensor")
        return array_of(tensor, "default_tensor").reshape(-1)[:1].astype(dtype)
    name, otherwise = DEFAULTS[kind]
    given = op.attribute(name)
    return np.array([otherwise if given is None else given], dtype)
