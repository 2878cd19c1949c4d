"""`tvmfuse.matmul_nbits`: a product with a matrix of few bits, which its kernel reads as stored.

A register tile makes floats of the numbers that it multiplies, once for all of its rows: the matrix
never lies in memory as floats.
"""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.traits import Kind, Traits

BYTE: Final = 8


def _infer(node: Call) -> Type:
    a, b = node.args[:2]
    return relax.TensorType([*a.ty.shape.values[:-1], b.ty.shape.values[2]], a.ty.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    bits, block = int(node.attrs["bits"]), int(node.attrs["block_size"])
    has_zeros = bool(node.attrs["zeros"])

    def compute(a: te.Tensor, b: te.Tensor, scales: te.Tensor, *more: te.Tensor) -> te.Tensor:
        zeros, bias = more[: int(has_zeros)], more[int(has_zeros) :]
        depth, dtype, shape = int(a.shape[-1]), a.dtype, tuple(node.ty.shape.values)

        def zero(place: Expr, n: Expr) -> Expr:
            if not zeros:
                return tirx.const(1 << (bits - 1), dtype)
            if zeros[0].dtype == dtype:
                return zeros[0](place, n)
            return tirx.Cast(dtype, _stored(zeros[0], [], place, n, bits))

        def weight(place: Expr, k: Expr, n: Expr) -> Expr:
            stored = _stored(b, [place], k, n, bits)
            return (tirx.Cast(dtype, stored) - zero(place, n)) * scales(place, n)

        # Of whole blocks, a loop over each, before which its scales are loaded.
        extents = [depth // block, block] if depth % block == 0 else [depth]
        summed = [te.reduce_axis((0, extent)) for extent in extents]

        def product(*i: Expr) -> Expr:
            if len(summed) > 1:
                place, k = summed
                return te.sum(a(*i[:-1], place * block + k) * weight(place, k, i[-1]), axis=summed)
            [k] = summed
            place, inside = tirx.floordiv(k, block), tirx.floormod(k, block)
            return te.sum(a(*i[:-1], k) * weight(place, inside, i[-1]), axis=summed)

        y = te.compute(shape, product, name="matmul_nbits")
        if not bias:
            return y
        return te.compute(shape, lambda *i: y(*i) + bias[0](i[-1]), name="bias", tag="broadcast")

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="matmul_nbits",
        primfunc_attrs={"op_pattern": OUT_ELEMWISE_FUSABLE},
    )


def _stored(x: te.Tensor, leading: list[Expr], place: Expr, n: Expr, bits: int) -> Expr:
    """Return a number of few bits: the first ones of a byte are its lowest."""
    each = BYTE // bits
    byte = x(*leading, tirx.floordiv(place, each), n)
    if each == 1:
        return byte
    shift = tirx.Cast("uint8", tirx.floormod(place, each) * bits)
    return tirx.bitwise_and(tirx.shift_right(byte, shift), tirx.const((1 << bits) - 1, "uint8"))


MATMUL_NBITS: Final = define(
    "tvmfuse.matmul_nbits",
    traits=Traits(kind=Kind.OTHER, why="one of its matrices is of few bits", reads_memory=True),
    infer=_infer,
    legalize=_legalize,
    doc="A product with a matrix of few bits.",
)


def matmul_nbits(
    a: Expr,
    b: Expr,
    scales: Expr,
    zeros: Expr | None = None,
    bias: Expr | None = None,
    *,
    bits: int,
    block_size: int,
) -> Call:
    """Multiply by a matrix whose columns are quantized in blocks: ``a @ w + bias``.

    Args:
        a: Shape (..., K).
        b: Numbers of `bits` bits, as many in a byte as fit: (blocks, bytes, N), uint8. Vectors are
            read along the columns.
        scales: Of each block, (blocks, N), of the dtype of `a`.
        zeros: Zero points: of that shape and dtype, or packed like `b`, (bytes, N); None for half
            of what the bits can hold.
        bias: Shape (N,), or None.
        bits: 2, 4 or 8.
        block_size: How many of a column's numbers share a scale.
    """
    return call(
        MATMUL_NBITS,
        [a, b, scales, zeros, bias],
        bits=bits,
        block_size=block_size,
        zeros=zeros is not None,
    )
