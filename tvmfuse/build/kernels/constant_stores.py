"""Values of bfloat16 that TVM refuses to store in vectors.

Its legalization makes 16 bits of every vector of bfloat16, but not of a number that is repeated in
all lanes: padding's zeros, a gradient that is spread out, what a mask leaves.
"""

from __future__ import annotations

from typing import TypeVar

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import BufferStore, Cast, FloatImm, For, ForKind, PrimFunc, Select, Stmt

from tvmfuse.ir.bfloat16 import BFLOAT16

_Node = TypeVar("_Node", bound=Expr)


def with_stored_constants(function: PrimFunc) -> PrimFunc:
    """Return a kernel that stores such values one by one; LLVM makes vectors of them.

    TVM may find that a choice is always of the same number.
    """

    def storable(loop: For) -> Stmt:
        store = loop.body
        if (
            loop.kind != ForKind.VECTORIZED
            or not isinstance(store, BufferStore)
            or str(store.buffer.dtype) != BFLOAT16
        ):
            return loop
        value = store.value
        if (number := _constant(value)) is not None:
            value = tirx.const(number, BFLOAT16)
        elif loop.loop_var in _found(value, Var) and not _may_be_constant(value):
            return loop
        body = BufferStore(store.buffer, value, store.indices)
        return For(loop.loop_var, loop.min, loop.extent, ForKind.SERIAL, body)

    body = tvm_ffi.structural_map(function.body, (For, storable))
    return function if body.same_as(function.body) else function.with_body(body)


def _constant(value: Expr) -> float | None:
    """Return the number that casts of a constant come to, None for anything else."""
    while isinstance(value, Cast) and "float" in str(value.ty.dtype):
        value = value.value
    return float(value.value) if isinstance(value, FloatImm) else None


def _may_be_constant(value: Expr) -> bool:
    """Whether a value is a choice of a constant by where it is, as a triangle's zeros are."""
    if not isinstance(value, Select) or _found(value.condition, TensorLoad):
        return False
    return any(_constant(one) is not None for one in (value.true_value, value.false_value))


def _found(value: Expr, kind: type[_Node]) -> set[_Node]:
    found: set[_Node] = set()
    tvm_ffi.structural_walk(value, (kind, found.add))
    return found
