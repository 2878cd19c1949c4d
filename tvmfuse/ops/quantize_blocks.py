"""`tvmfuse.quantize_blocks`: rows of floats as bytes, each block of a row by a scale of its own."""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.lowering.extrema import MAXIMUM
from tvmfuse.ops.traits import Kind, Traits

MOST: Final = 127
LEAST_MAGNITUDE: Final = 1e-36
"""Of what a factor is made; blocks whose largest magnitude is less are zero aside from that."""


def _infer(node: Call) -> Type:
    *rows, depth = node.args[0].ty.shape.values
    block = int(node.attrs["block_size"])
    blocks = -(-int(depth) // block)
    return relax.TupleType(
        [
            relax.TensorType([*rows, blocks, block], "int8"),
            relax.TensorType([*rows, blocks], "float32"),
            relax.TensorType([*rows, blocks], "float32"),
        ]
    )


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    shapes = [tuple(field.shape.values) for field in node.ty.fields]

    def compute(a: te.Tensor) -> list[te.Tensor]:
        depth, (*_, blocks, block) = int(a.shape[-1]), (int(n) for n in shapes[0][-2:])

        def at(*i: Expr) -> Expr:
            """Return an element: of the last block, whose end may be missing, zero for those."""
            *row, place, k = i
            element = a(*row, place * block + k)
            if blocks * block == depth:
                return element
            zero = tirx.const(0, a.dtype)
            return tirx.if_then_else(place * block + k < depth, element, zero)

        k = te.reduce_axis((0, block), name="k")
        largest = te.compute(
            shapes[1], lambda *i: MAXIMUM(tirx.abs(at(*i, k.var)), axis=k), name="largest"
        )
        most = tirx.const(MOST, "float32")
        factors = te.compute(
            shapes[1],
            lambda *i: tirx.Select(
                largest(*i) > tirx.const(LEAST_MAGNITUDE, "float32"),
                most / largest(*i),
                tirx.const(0, "float32"),
            ),
            name="factors",
        )

        def number(*i: Expr) -> Expr:
            # A block of infinities has zeros and these; a NaN is one of its scale.
            x, *_, zero = at(*i), tirx.const(0, "float32")
            end = tirx.Select(x > zero, most, tirx.Select(x < zero, -most, zero))
            near = tirx.round(x * factors(*i[:-1]))
            inside = tirx.abs(x) < largest(*i[:-1])
            return tirx.Cast("int8", tirx.Select(inside, near, end))

        numbers = te.compute(shapes[0], number, name="numbers")
        scales = te.compute(shapes[1], lambda *i: largest(*i) / most, name="scales")
        each = te.reduce_axis((0, block), name="k")
        sums = te.compute(
            shapes[2],
            lambda *i: te.sum(tirx.Cast("float32", numbers(*i, each.var)), axis=each),
            name="sums",
        )
        return [numbers, scales, sums]

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="quantize_blocks",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


QUANTIZE_BLOCKS: Final = define(
    "tvmfuse.quantize_blocks",
    traits=Traits(kind=Kind.OTHER, why="it divides its last axis", reads_memory=True),
    infer=_infer,
    legalize=_legalize,
    doc="Rows as bytes, each block of a row by a scale of its own.",
)


def quantize_blocks(a: Expr, *, block_size: int) -> Call:
    """Quantize each block of a row, so that its largest magnitude is 127.

    A block with an infinity is zero but for its infinities, and the scale of one with a NaN is NaN.

    Args:
        a: Shape (..., K), float32.
        block_size: How many numbers of a row share a scale; the last block is filled up with zeros.

    Returns:
        A tuple: the numbers, (..., blocks, block), int8; their scales, (..., blocks), float32; and
        the sum of each block's numbers, (..., blocks), float32.
    """
    return call(QUANTIZE_BLOCKS, [a], block_size=block_size)
