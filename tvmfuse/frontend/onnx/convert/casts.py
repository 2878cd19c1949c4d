"""Cast and CastLike, also to and from types that lie in bytes."""

from __future__ import annotations

from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.dims import DTYPES
from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype, scalar
from tvmfuse.frontend.onnx.value_movement import dtype_name
from tvmfuse.ir.types import dtype_of
from tvmfuse.narrow_types import EXPONENT_ONLY, MINIFLOATS, NARROW_INTEGERS, stored_as
from tvmfuse.ops import bit_cast as tvmfuse_bit_cast, decode_minifloat, encode_minifloat
from tvmfuse.ops.minifloats import ROUND_MODES

CODES: Final = frozenset({*MINIFLOATS, EXPONENT_ONLY})
"""Types whose bytes are codes, and no numbers."""


def cast(op: Operation) -> Expr:
    """Convert Cast."""
    return _cast(op, dtype_name(op.attribute("to")))


def cast_like(op: Operation) -> Expr:
    """Convert CastLike."""
    return _cast(op, op.element_type(1))


def bit_cast(op: Operation) -> Expr:
    """Convert BitCast; that both types have as many bits is checked with all types."""
    source, dtype = op.element_type(0), dtype_name(op.attribute("to"))

    narrow = {source, dtype} & NARROW_INTEGERS.keys()
    op.require(not narrow, f"numbers of {' and '.join(narrow)} lie in whole bytes")
    op.result_type = dtype
    return tvmfuse_bit_cast(op.tensor(0), stored_as(dtype))


def _cast(op: Operation, dtype: str) -> Expr:
    source = op.element_type(0)
    for known in (source, dtype):
        op.require(known in DTYPES, f"casts between {source} and {dtype} are not compiled")
    op.result_type = dtype
    mode = op.text("round_mode", "up")
    op.require(
        mode in ROUND_MODES, f"its round_mode is {mode!r}; expected {', '.join(ROUND_MODES)}"
    )
    if source == dtype:
        return relax.op.astype(op.tensor(0), stored_as(dtype))
    saturate = op.flag("saturate", default=True)
    return narrowed(op, numbers(op, 0), dtype, saturate=saturate, round_mode=mode)


def numbers(op: Operation, position: int) -> Expr:
    """Return an operand as numbers that kernels compute with: codes as float32."""
    x, source = op.tensor(position), op.element_type(position)
    return op.emit(decode_minifloat(x, source)) if source in CODES else x


def narrowed(
    op: Operation, x: Expr, dtype: str, *, saturate: bool = True, round_mode: str = "up"
) -> Expr:
    """Return numbers in another type, as its tensors hold them.

    Args:
        op: The node.
        x: Of any shape, of a type that kernels compute with.
        dtype: A dtype, or one of `narrow_types`.
        saturate: See `encode_minifloat`.
        round_mode: See `encode_minifloat`.
    """
    if dtype in CODES:
        wide = "float64" if dtype_of(x) in ("float64", *WIDE_INTEGERS) else "float32"
        x = op.emit(relax.op.astype(x, wide)) if dtype_of(x) != wide else x
        return encode_minifloat(x, dtype, saturate=saturate, round_mode=round_mode)
    if dtype in NARROW_INTEGERS:
        return _lowest_bits(op, x, dtype)
    return relax.op.astype(x, dtype)


WIDE_INTEGERS: Final = ("int32", "uint32", "int64", "uint64")
"""Those that have more digits than float32."""


def _lowest_bits(op: Operation, x: Expr, dtype: str) -> Expr:
    """Return integers of few bits, with their sign: of what is out of range the lowest bits."""
    if is_float_dtype(dtype_of(x)):
        x = op.emit(relax.op.astype(x, "int32"))
    bytes_of = op.emit(relax.op.astype(x, stored_as(dtype)))
    unused = scalar(8 - NARROW_INTEGERS[dtype], stored_as(dtype))
    return relax.op.right_shift(op.emit(relax.op.left_shift(bytes_of, unused)), unused)
