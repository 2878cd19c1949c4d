"""Constants of bfloat16 that are stored in vectors, which TVM refuses.

Its legalization makes 16 bits of every vector of bfloat16, but not of a constant that is repeated
in all lanes: padding's zeros, where some channels of a block are padding.
"""

from __future__ import annotations

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import BufferStore, Cast, FloatImm, For, ForKind, PrimFunc

from tvmfuse.ir.bfloat16 import BFLOAT16


def with_stored_constants(function: PrimFunc) -> PrimFunc:
    """Return a kernel that stores constants of bfloat16 one by one; LLVM makes vectors of them."""

    def one_by_one(loop: For) -> For:
        store = loop.body
        if (
            loop.kind != ForKind.VECTORIZED
            or not isinstance(store, BufferStore)
            or str(store.buffer.dtype) != BFLOAT16
            or (value := _constant(store.value)) is None
        ):
            return loop
        body = BufferStore(store.buffer, tirx.const(value, BFLOAT16), store.indices)
        return For(loop.loop_var, loop.min, loop.extent, ForKind.SERIAL, body)

    body = tvm_ffi.structural_map(function.body, (For, one_by_one))
    return function if body.same_as(function.body) else function.with_body(body)


def _constant(value: Expr) -> float | None:
    """Return the number that casts of a constant come to, None for anything else."""
    while isinstance(value, Cast) and "float" in str(value.ty.dtype):
        value = value.value
    return float(value.value) if isinstance(value, FloatImm) else None
