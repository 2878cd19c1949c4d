"""QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear.

Where a scale of float32 is one number or one for each element of an axis, and integers have 8 or 16
bits, that is one operator of Relax, which passes know. All other forms are written out.
"""

from __future__ import annotations

from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import with_dim
from tvmfuse.frontend.onnx.convert.casts import narrowed, numbers
from tvmfuse.frontend.onnx.convert.required_dims import require_equal
from tvmfuse.frontend.onnx.operation import Operation, scalar
from tvmfuse.frontend.onnx.value_movement import dtype_name
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.frontend.symbols import Dim
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, dtype_of, numbers_of, scalar_of
from tvmfuse.narrow_types import MINIFLOATS, NARROW_INTEGERS, limits_of, stored_as
from tvmfuse.ops import dequantize_blocks

PLAIN: Final = ("int8", "uint8", "int16", "uint16")
"""What Relax's operators quantize to."""

BITS_OF: Final = {"int8": 8, "uint8": 8, **NARROW_INTEGERS}

SCALE: Final = 1
ZERO_POINT: Final = 2


def quantize_linear(op: Operation) -> Expr:
    """Convert QuantizeLinear: ``saturate(round(x / scale) + zero_point)``.

    Of half precision the quotient is computed in float32, as onnxruntime does.
    """
    dtype = _quantized_type(op)
    op.result_type = dtype
    x, scale = op.tensor(0), numbers(op, SCALE)
    # TVM computes with a number that is known, and refuses to divide by 0.
    by_zero = scalar_of(scale) == 0
    if dtype in PLAIN and dtype_of(x) == "float32" and _is_plain(op) and not by_zero:
        return relax.op.quantize(x, *_parameters(op, dtype), axis=_axis(op), out_dtype=dtype)
    wide = _precision(op)
    quotient = relax.op.divide(_as(op, x, wide), _as(op, _laid(op, scale), wide))
    quotient = op.emit(quotient)
    if dtype.startswith("float8"):
        # Its zero point says the type, and is zero.
        saturate = op.flag("saturate", default=True)
        return narrowed(op, quotient, dtype, saturate=saturate)
    whole = quotient if dtype in MINIFLOATS else op.emit(relax.op.round(quotient))
    if op.has(ZERO_POINT):
        zero = _as(op, _laid(op, numbers(op, ZERO_POINT)), wide)
        whole = op.emit(relax.op.add(whole, zero))
    if dtype in MINIFLOATS:
        return narrowed(op, whole, dtype)
    low, high = (scalar(limit, wide) for limit in limits_of(dtype))
    # NaN is above nothing: it is the least number, as onnxruntime has it.
    above = op.emit(relax.op.where(op.emit(relax.op.greater(whole, low)), whole, low))
    inside = op.emit(relax.op.minimum(above, high))
    return relax.op.astype(inside, stored_as(dtype))


def dequantize_linear(op: Operation) -> Expr:
    """Convert DequantizeLinear: ``(x - zero_point) * scale``, in float32, rounded once."""
    given = op.element_type(0)
    stated = op.attribute("output_dtype")
    dtype = dtype_name(stated) if stated else op.element_type(SCALE)
    op.require(
        dtype in ("float16", "bfloat16", "float32"),
        f"its result would be {dtype}; expected float16, bfloat16 or float32: set output_dtype",
    )
    op.result_type = dtype
    if given in (*PLAIN, "int32") and dtype == "float32" and _is_plain(op):
        parameters = _parameters(op, given)
        return relax.op.dequantize(op.tensor(0), *parameters, axis=_axis(op), out_dtype="float32")
    if _is_blocks(op, given) and dtype == "float32":
        return _dequantized_blocks(op, given)
    x = numbers(op, 0)
    if op.has(ZERO_POINT) and not given.startswith("float8"):
        # Integers are subtracted as such: float32 has fewer digits than int32.
        wide = "float32" if given in MINIFLOATS else "int32"
        zero = _as(op, _laid(op, numbers(op, ZERO_POINT)), wide)
        x = op.emit(relax.op.subtract(_as(op, x, wide), zero))
    scale = _as(op, _laid(op, numbers(op, SCALE)), "float32")
    product = relax.op.multiply(_as(op, x, "float32"), scale)
    return product if dtype == "float32" else relax.op.astype(op.emit(product), dtype)


def _is_blocks(op: Operation, given: str) -> bool:
    """Whether a tensor of integers has float32 scales of blocks, and all sizes are known."""
    if given not in BITS_OF or op.element_type(SCALE) != "float32":
        return False
    parameters = [op.tensor(n) for n in (SCALE, ZERO_POINT) if op.has(n)]
    shapes = [require_shape(x) for x in (op.tensor(0), *parameters)]
    known = all(isinstance(dim, int) for shape in shapes for dim in shape)
    return known and bool(op.integer("block_size", 0)) and not any(map(_is_one, parameters))


def _dequantized_blocks(op: Operation, given: str) -> Expr:
    axis, block = _axis(op), op.integer("block_size", 0)
    parameters = [op.tensor(n) for n in (SCALE, ZERO_POINT) if op.has(n)]
    for parameter in parameters:
        _require_blocks(op, parameter)
    return dequantize_blocks(
        op.tensor(0), *parameters, axis=axis, block_size=block, bits=BITS_OF[given]
    )


def dynamic_quantize_linear(op: Operation) -> list[Expr]:
    """Convert DynamicQuantizeLinear to uint8; the range has 0 in it, and if it is 0 the scale is 1.

    The specification divides zero by zero there; onnxruntime has this scale.
    """
    x = op.tensor(0)
    zero, most = scalar(0, "float32"), scalar(255, "float32")
    high = op.emit(relax.op.maximum(op.emit(relax.op.max(x)), zero))
    low = op.emit(relax.op.minimum(op.emit(relax.op.min(x)), zero))
    step = op.emit(relax.op.divide(op.emit(relax.op.subtract(high, low)), most))
    nothing = op.emit(relax.op.equal(step, zero))
    scale = op.emit(relax.op.where(nothing, scalar(1, "float32"), step))
    offset = op.emit(relax.op.negative(op.emit(relax.op.divide(low, scale))))
    zero_point = _to_bytes(op, op.emit(relax.op.round(offset)))
    whole = op.emit(relax.op.round(op.emit(relax.op.divide(x, scale))))
    shifted = op.emit(relax.op.add(whole, op.emit(relax.op.astype(zero_point, "float32"))))
    return [_to_bytes(op, shifted), scale, zero_point]


def _to_bytes(op: Operation, x: Expr) -> Expr:
    return op.emit(relax.op.astype(op.emit(relax.op.clip(x, 0, 255)), "uint8"))


def _quantized_type(op: Operation) -> str:
    """Return what a QuantizeLinear makes: its zero point's type, or the one that it states."""
    number = op.attribute("output_dtype")
    stated = dtype_name(number) if number else ""
    if not op.has(ZERO_POINT):
        return stated or "uint8"
    own = op.element_type(ZERO_POINT)
    op.require(
        stated in ("", own), f"its zero point is {own}, and its output_dtype {stated}: they are one"
    )
    return own


def _precision(op: Operation) -> str:
    """Return in which dtype a QuantizeLinear divides."""
    stated = op.attribute("precision")
    dtype = dtype_name(stated) if stated else op.element_type(SCALE)
    # int32 by int32 is no integer, and has more digits than float32.
    return "float64" if dtype in ("int32", "float64") else "float32"


def _is_plain(op: Operation) -> bool:
    """Whether a scale of float32 is one number, or one for each element of an axis."""
    return (
        op.element_type(SCALE) == "float32"
        and require_rank(op.tensor(SCALE)) <= 1
        and not op.integer("block_size", 0)
        and not op.attribute("precision")
    )


def _parameters(op: Operation, dtype: str) -> list[Expr]:
    """Return the scale and the zero point, one number each or one for each element of the axis."""
    zero = op.tensor(ZERO_POINT) if op.has(ZERO_POINT) else scalar(0, dtype)
    given = [op.tensor(SCALE), zero]
    for parameter in given:
        if require_rank(parameter) == 1 and not _is_one(parameter):
            own = require_shape(op.tensor(0))[_axis(op)]
            require_equal(op, own, require_shape(parameter)[0])
    return [one_number(op, parameter) for parameter in given]


def _is_one(parameter: Expr) -> bool:
    """Whether a parameter is one number: ONNX has it in both forms, (1,) and ()."""
    return all(isinstance(dim, int) and dim == 1 for dim in require_shape(parameter))


def one_number(op: Operation, parameter: Expr) -> Expr:
    """Return a scale or a zero point of one element as a 0-d tensor, others as they are.

    ONNX has one number in both forms, and onnxruntime's tools write a scale in the one and its zero
    point in the other.
    """
    if require_rank(parameter) and _is_one(parameter):
        known = numbers_of(parameter)
        if known is not None:
            return constant(known.reshape(()))
        return op.emit(in_shape(parameter, []))
    return parameter


def _axis(op: Operation) -> int:
    """Return the axis of a parameter; a vector has one, whatever is stated."""
    rank = require_rank(op.tensor(0))
    return require_axis(op.integer("axis", 1), rank) if rank > 1 else 0


def _laid(op: Operation, parameter: Expr) -> Expr:
    """Return a scale or a zero point in a shape that broadcasts to the first operand's.

    One number stays one; one for each element of the axis lies along it; one for each block is
    repeated.
    """
    shape, rank = require_shape(op.tensor(0)), require_rank(parameter)
    if _is_one(parameter):
        return one_number(op, parameter)
    axis, block = _axis(op), op.integer("block_size", 0)
    if not block:
        op.require(
            rank == 1,
            f"its scale or zero point has {rank} dimensions; expected one number, one for each "
            "element of the axis, or a block_size",
        )
        require_equal(op, shape[axis], require_shape(parameter)[0])
        trailing = list(range(1, len(shape) - axis))
        return op.emit(relax.op.expand_dims(parameter, trailing)) if trailing else parameter
    _require_blocks(op, parameter)
    return _repeated(op, parameter, axis, block, shape[axis])


def _require_blocks(op: Operation, parameter: Expr) -> None:
    """Refuse a parameter that has not one number for each block along the axis."""
    shape, found = require_shape(op.tensor(0)), require_shape(parameter)
    axis, block = _axis(op), op.integer("block_size", 0)
    op.require(
        len(found) == len(shape),
        f"its scale or zero point of blocks has {len(found)} dimensions; expected {len(shape)}",
    )
    for place, (own, dim) in enumerate(zip(shape, found, strict=True)):
        if place != axis:
            require_equal(op, own, dim)
    length, count = shape[axis], found[axis]
    if isinstance(length, int) and isinstance(count, int):
        op.require(
            (count - 1) * block < length <= count * block,
            f"{count} blocks of {block} do not make {length} elements of axis {axis}",
        )


def _repeated(op: Operation, parameter: Expr, axis: int, block: int, length: Dim) -> Expr:
    """Return each number of a parameter as often as a block has elements, the last perhaps less."""
    count = require_shape(parameter)[axis]
    whole = for_each_of_block(op, parameter, axis, block)
    if isinstance(length, int) and isinstance(count, int):
        if length < count * block:
            return op.emit(relax.op.strided_slice(whole, [axis], [0], [length]))
        return whole
    return with_dim(op, whole, axis, length)


def for_each_of_block(op: Operation, x: Expr, axis: int, block: int) -> Expr:
    """Return each number along an axis as often as a block has elements."""
    shape = require_shape(x)
    before, count, behind = shape[:axis], shape[axis], shape[axis + 1 :]
    wide = op.emit(relax.op.expand_dims(x, [axis + 1]))
    copies = op.emit(relax.op.broadcast_to(wide, [*before, count, block, *behind]))
    return op.emit(in_shape(copies, [*before, count * block, *behind]))


def _as(op: Operation, x: Expr, dtype: str) -> Expr:
    return x if dtype_of(x) == dtype else op.emit(relax.op.astype(x, dtype))
