"""`tvmfuse.matmul_nbits`: a product with a matrix of few bits, which its kernel reads as stored.

A kernel makes floats of the numbers that it multiplies, in registers or panel by panel: the matrix
never lies in memory as floats. A number of few bits becomes one without a conversion: its bits,
where they stand in a word, are the last of a float's, whose exponent gives the first of them the
weight 1. So ``bits | exponent`` is ``2 ** n + number``, and a subtraction leaves the number.
"""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type

from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.traits import Kind, Traits

BYTE: Final = 8
WORD: Final = 32
HALF: Final = 16
"""Bits of a word that are read where they stand: those of the upper half are shifted there."""
MANTISSA: Final = 23
BIAS: Final = 127

PANELS: Final = 4
"""The rank of a matrix that comes in panels."""


def _infer(node: Call) -> Type:
    a, b = node.args[:2]
    panels, *_, width = b.ty.shape.values
    columns = width
    if len(b.ty.shape.values) == PANELS:
        columns = node.attrs["columns"] or panels * width
    return relax.TensorType([*a.ty.shape.values[:-1], columns], a.ty.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    bits, block = int(node.attrs["bits"]), int(node.attrs["block_size"])
    has_zeros = bool(node.attrs["zeros"])
    each = WORD // bits

    def compute(a: te.Tensor, b: te.Tensor, scales: te.Tensor, *more: te.Tensor) -> te.Tensor:
        zeros, bias = more[: int(has_zeros)], more[int(has_zeros) :]
        depth, dtype, shape = int(a.shape[-1]), a.dtype, tuple(node.ty.shape.values)

        def at(x: te.Tensor, place: list[Expr], n: Expr) -> Expr:
            if len(b.shape) < PANELS:
                return x(*place, n)
            width = x.shape[-1]
            return x(tirx.floordiv(n, width), *place, tirx.floormod(n, width))

        def less_zero(word: Expr, k: Expr, place: Expr, n: Expr) -> Expr:
            if not zeros:
                return _number(word, k, bits, tirx.const(float(1 << (bits - 1)), "float32"))
            if zeros[0].dtype == dtype:
                return _number(word, k, bits) - at(zeros[0], [place], n)
            many = BYTE // bits
            byte = at(zeros[0], [tirx.floordiv(place, many)], n)
            zero = _of_byte(byte, tirx.floormod(place, many), bits)
            return _number(word, k, bits, tirx.Cast("float32", zero))

        def weight(place: Expr, word: Expr, k: Expr, n: Expr) -> Expr:
            number = less_zero(at(b, [place, word], n), k, place, n)
            return number * at(scales, [place], n)

        # A loop over each block, before or after which its scales are loaded.
        sizes = -(-depth // block), block // each, each
        place, word, nth = axes = [te.reduce_axis((0, n)) for n in sizes]

        def product(*i: Expr) -> Expr:
            number = _element(a, i[:-1], place * block + word * each + nth, block)
            return te.sum(number * weight(place, word, nth, i[-1]), axis=axes)

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


def _element(a: te.Tensor, row: tuple[Expr, ...], k: Expr, block: int) -> Expr:
    """Return an element of a row, or zero behind its end, where the last block is not whole."""
    depth, element = int(a.shape[-1]), a(*row, k)
    if depth % block == 0:
        return element
    return tirx.if_then_else(k < depth, element, tirx.const(0, a.dtype))


def _number(word: Expr, nth: Expr, bits: int, less: Expr | None = None) -> Expr:
    """Return the n-th number of a word, from its lowest bits on, less a small integer's float."""
    half, nth = tirx.floordiv(nth, HALF // bits), tirx.floormod(nth, HALF // bits)
    first = tirx.Cast("uint32", nth * bits)
    mask = tirx.shift_left(tirx.const((1 << bits) - 1, "uint32"), first)
    exponent = tirx.const(MANTISSA + BIAS, "uint32") - first
    ulp = tirx.shift_left(exponent, tirx.const(MANTISSA, "uint32"))
    low = tirx.shift_right(word, tirx.Cast("uint32", half * HALF))
    together = tirx.reinterpret("float32", tirx.bitwise_or(tirx.bitwise_and(low, mask), ulp))
    offset = tirx.reinterpret("float32", ulp)
    return together - (offset if less is None else offset + less)


def _of_byte(byte: Expr, nth: Expr, bits: int) -> Expr:
    if bits == BYTE:
        return byte
    shift = tirx.Cast("uint8", nth * bits)
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
    accuracy_level: int = 0,
    columns: int = 0,
) -> Call:
    """Multiply by a matrix whose columns are quantized in blocks: ``a @ w + bias``.

    Args:
        a: Shape (..., K).
        b: Numbers of `bits` bits, as many in a word as fit: (blocks, words, N), uint32. Vectors are
            read along the columns. Or in panels of w columns, (N / w, blocks, words, w), and scales
            and zeros with it; the last panel may have more than there are.
        scales: Of each block, (blocks, N), of the dtype of `a`.
        zeros: Zero points: of that shape and dtype, or as many in a byte as fit, (bytes, N), uint8;
            None for half of what the bits can hold.
        bias: Shape (N,), or None.
        bits: 2, 4 or 8.
        block_size: How many of a column's numbers share a scale.
        accuracy_level: What `a` may be rounded to, as MatMulNBits has it: 4 for int8 in blocks, 0
            for nothing that is said.
        columns: N, where panels have more than that; else 0.
    """
    return call(
        MATMUL_NBITS,
        [a, b, scales, zeros, bias],
        bits=bits,
        block_size=block_size,
        accuracy_level=accuracy_level,
        columns=columns,
        zeros=zeros is not None,
    )
