"""`tvmfuse.dequantize_blocks`: integers as floats, each block along an axis by a scale of its own.

It keeps ONNX's DequantizeLinear of blocks whole, so that what multiplies by its result finds the
integers.
"""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.traits import Kind, Traits


def _infer(node: Call) -> Type:
    return relax.TensorType(node.args[0].ty.shape, node.args[1].ty.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    axis, block = int(node.attrs["axis"]), int(node.attrs["block_size"])

    def compute(x: te.Tensor, scales: te.Tensor, *zeros: te.Tensor) -> te.Tensor:
        def element(*i: Expr) -> Expr:
            place = [*i[:axis], tirx.floordiv(i[axis], block), *i[axis + 1 :]]
            number = tirx.Cast("int32", x(*i))
            if zeros:
                number = number - tirx.Cast("int32", zeros[0](*place))
            return tirx.Cast(scales.dtype, number) * scales(*place)

        return te.compute(x.shape, element, name="dequantize_blocks")

    return bb.call_te(compute, *node.args, primfunc_name_hint="dequantize_blocks")


DEQUANTIZE_BLOCKS: Final = define(
    "tvmfuse.dequantize_blocks",
    traits=Traits(kind=Kind.OTHER, why="it divides an axis"),
    infer=_infer,
    legalize=_legalize,
    doc="Integers as floats, each block by a scale of its own.",
)


def dequantize_blocks(
    x: Expr, scales: Expr, zeros: Expr | None = None, *, axis: int, block_size: int, bits: int
) -> Call:
    """Return ``(x - zero point) * scale``.

    Args:
        x: Integers of `bits` bits, as bytes of their values, int8 or uint8.
        scales: As many along the axis as there are blocks, float32; else of the shape of `x`.
        zeros: Zero points, of the shape of the scales and the dtype of `x`; None for zero.
        axis: That is in blocks.
        block_size: How many elements along it share a scale; the last block may have fewer.
        bits: Of what `x` holds.
    """
    return call(DEQUANTIZE_BLOCKS, [x, scales, zeros], axis=axis, block_size=block_size, bits=bits)
