"""`tvmfuse.integer_matmul_nbits`: a product of bytes with a matrix of few bits, in integers.

Each block of the sum is a dot product of integers, which its scales multiply once. Of the bytes of
a word the lowest bits are four neighbouring numbers, the next bits the next four, so that a mask
makes of a vector of words what instructions for dot products take.
"""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.traits import Kind, Traits

BYTE: Final = 8
BYTES: Final = 4
"""Of a word: as many neighbouring products are one sum's."""

DOTS: Final = "block_dots"
PRODUCT: Final = "integer_matmul_nbits"
STAGES: Final = (DOTS, PRODUCT)
"""What the lowering calls its sums over blocks and over those; its schedule knows them by these."""


def _infer(node: Call) -> Type:
    scales = node.args[0].ty.fields[1]
    return relax.TensorType([*scales.shape.values[:-1], int(node.attrs["columns"])], "float32")


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    bits, has_zeros = int(node.attrs["bits"]), bool(node.attrs["zeros"])
    fields, mask = BYTE // bits, (1 << bits) - 1
    shape = tuple(node.ty.shape.values)

    def compute(
        a: te.Tensor, a_scales: te.Tensor, a_sums: te.Tensor, b: te.Tensor, *more: te.Tensor
    ) -> te.Tensor:
        scales, zeros, bias = more[0], more[1 : 1 + has_zeros], more[1 + has_zeros :]
        blocks, words, width = (int(n) for n in b.shape[1:])

        def at(x: te.Tensor, *i: Expr) -> Expr:
            *place, n = i
            return x(tirx.floordiv(n, width), *place, tirx.floormod(n, width))

        word, field, byte = (
            te.reduce_axis((0, n), name=name)
            for name, n in (("word", words), ("field", fields), ("byte", BYTES))
        )

        def dot(*i: Expr) -> Expr:
            *row, place, n = i
            first = tirx.Cast("uint32", byte * BYTE + field * bits)
            few = tirx.bitwise_and(
                tirx.shift_right(at(b, place, word, n), first), tirx.const(mask, "uint32")
            )
            k = (word * fields + field) * BYTES + byte
            number = tirx.Cast("int32", a(*row, place, k))
            return te.sum(number * tirx.Cast("int32", few), axis=[word, field, byte])

        dots = te.compute((*shape[:-1], blocks, shape[-1]), dot, name=DOTS)
        place = te.reduce_axis((0, blocks), name="place")

        def zero(n: Expr) -> Expr:
            if not zeros:
                return tirx.const(float(1 << (bits - 1)), "float32")
            shift = tirx.Cast("uint8", tirx.floormod(place.var, fields) * bits)
            byte = at(zeros[0], tirx.floordiv(place.var, fields), n)
            few = tirx.bitwise_and(tirx.shift_right(byte, shift), tirx.const(mask, "uint8"))
            return tirx.Cast("float32", few)

        def product(*i: Expr) -> Expr:
            *row, n = i
            whole = tirx.Cast("float32", dots(*row, place.var, n))
            less_zero = whole - a_sums(*row, place.var) * zero(n)
            scale = a_scales(*row, place.var) * at(scales, place.var, n)
            return te.sum(less_zero * scale, axis=place)

        y = te.compute(shape, product, name=PRODUCT)
        if not bias:
            return y
        return te.compute(shape, lambda *i: y(*i) + bias[0](i[-1]), name="bias", tag="broadcast")

    quantized, *stored = node.args
    return bb.call_te(
        compute,
        *(bb.emit(relax.TupleGetItem(quantized, n)) for n in range(len(quantized.ty.fields))),
        *stored,
        primfunc_name_hint=PRODUCT,
        primfunc_attrs={"op_pattern": OUT_ELEMWISE_FUSABLE},
    )


INTEGER_MATMUL_NBITS: Final = define(
    "tvmfuse.integer_matmul_nbits",
    traits=Traits(kind=Kind.OTHER, why="one of its matrices is of few bits"),
    infer=_infer,
    legalize=_legalize,
    doc="A product of bytes with a matrix of few bits, in integers.",
)


def integer_matmul_nbits(
    a: Expr,
    b: Expr,
    scales: Expr,
    zeros: Expr | None = None,
    bias: Expr | None = None,
    *,
    bits: int,
    columns: int,
) -> Call:
    """Multiply what `quantize_blocks` made of rows by a matrix whose columns come in blocks, too.

    Args:
        a: A tuple: numbers, (..., blocks, block), int8; their scales, (..., blocks), float32; the
            sum of each block's numbers, (..., blocks), float32.
        b: In panels of w columns, (panels, blocks, words, w), uint32.
        scales: Of each block of a column, (panels, blocks, w), float32.
        zeros: Zero points, as many in a byte as fit, (panels, bytes, w), uint8; None for half of
            what the bits can hold.
        bias: Shape (columns,), or None.
        bits: 2, 4 or 8.
        columns: Of the matrix; the last panel may have more.
    """
    return call(
        INTEGER_MATMUL_NBITS,
        [a, b, scales, zeros, bias],
        bits=bits,
        columns=columns,
        zeros=zeros is not None,
    )
