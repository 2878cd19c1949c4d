"""`tvmfuse.winograd`: a 3x3 convolution in NCHW[x]c with fewer multiplications."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from tvm import relax, te, tirx, topi
from tvm.ir import Call, Expr, Type
from tvm.sym import Analyzer

from tvmfuse.ir.bfloat16 import BFLOAT16, cast_to_bfloat16
from tvmfuse.ops.conv_blocked import with_bias
from tvmfuse.ops.cook_toom import minimal_filtering
from tvmfuse.ops.definition import OUT_ELEMWISE_FUSABLE, call, define
from tvmfuse.ops.epilogue import lowering_with_epilogue
from tvmfuse.ops.summed_in import summed_in
from tvmfuse.ops.traits import Kind, Traits

TAPS: Final = 3

SHIFT: Final = 2
"""F(2 x 2)'s weights are whole where each direction is doubled, and so the sums are four times."""

NEAR: Final = 2
"""Integers of 16 bits, or numbers of bfloat16, that a dot product adds up."""

STAGES: Final = tuple(
    f"winograd_{name}" for name in ("columns", "inputs", "products", "rows", "outputs")
)
"""The names of the kernel's stages, by which its schedule knows them."""


def _infer(node: Call) -> Type:
    n, _, *sizes, _ = node.args[0].ty.shape.values
    top, left, bottom, right = node.attrs["padding"]
    # Of the same sizes in other words each kernel is compiled again.
    h, w = (
        Analyzer().simplify(size + pads - (TAPS - 1))
        for size, pads in zip(sizes, (top + bottom, left + right), strict=True)
    )
    u = node.args[1].ty.shape.values
    x, weights = (str(a.ty.dtype) for a in node.args[:2])
    return relax.TensorType([n, u[0], h, w, u[5]], summed_in(x, weights, wide=True))


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    top, left, *_ = node.attrs["padding"]
    groups = int(node.attrs["groups"])

    def compute(x: te.Tensor, u: te.Tensor, *bias: te.Tensor) -> te.Tensor:
        n, chunks, height, width, inner = x.shape
        dtype = node.ty.dtype
        moved = x.dtype if x.dtype == dtype else u.dtype
        computed = transformed_in(moved)
        multiplied = cast_to_bfloat16 if moved == BFLOAT16 else lambda value: value
        near = [te.reduce_axis((0, size), name="near") for size in u.shape[6:]]
        (_, blocks, h, w, block), t = node.ty.shape.values, int(u.shape[1])
        m = t - TAPS + 1
        filtering = minimal_filtering(m, TAPS)
        down, across = (tirx.floordiv(size + (m - 1), m) for size in (h, w))
        # Of size 0 there is no tile, but a compiler may compute a quotient early.
        image, row = (tirx.max(tiles, 1) for tiles in (down, across))
        tiles = n * down * across
        ends = [m * down + TAPS - 1 - top - height, m * across + TAPS - 1 - left - width]
        x = topi.nn.pad(
            x,
            [0, 0, top, left, 0],
            [0, 0, *ends, 0],
            tirx.const(int(node.attrs["pad_value"]), x.dtype),
            name="padded",
        )
        columns = te.compute(
            (chunks, n * down, t, x.shape[3], inner),
            lambda c, q, a, i, k: _product(
                filtering.inputs,
                a,
                lambda j: x(q // image, c, q % image * m + j, i, k).astype(computed),
            ),
            name=STAGES[0],
        )
        inputs = te.compute(
            (chunks, t, t, tiles, inner),
            lambda c, a, b, p, k: multiplied(
                _product(filtering.inputs, b, lambda j: columns(c, p // row, a, p % row * m + j, k))
            ),
            name=STAGES[1],
        )
        chunk, lane = (
            te.reduce_axis((0, u.shape[3]), name="chunk"),
            te.reduce_axis((0, u.shape[4]), name="inner"),
        )

        def product(o: Expr, a: Expr, b: Expr, p: Expr, k: Expr) -> Expr:
            channel = lane * u.shape[6] + near[0] if near else lane
            image = inputs(first_chunk(o, u.shape, groups) + chunk, a, b, p, channel)
            term = image.astype(dtype) * u(o, a, b, chunk, lane, k, *near).astype(dtype)
            return te.sum(term, axis=[chunk, lane, *near])

        products = te.compute((blocks, t, t, tiles, block), product, name=STAGES[2])
        rows = te.compute(
            (blocks, tiles, m, t, block),
            lambda o, p, r, b, k: _product(filtering.outputs, r, lambda a: products(o, a, b, p, k)),
            name=STAGES[3],
        )
        outputs = te.compute(
            (blocks, tiles, m, m, block),
            lambda o, p, r, s, k: _product(filtering.outputs, s, lambda b: rows(o, p, r, b, k)),
            name=STAGES[4],
        )

        def pixel(i: Expr, o: Expr, y: Expr, z: Expr, k: Expr) -> Expr:
            found = outputs(o, (i * down + y // m) * across + z // m, y % m, z % m, k)
            return found if dtype == "float32" else tirx.shift_right(found, SHIFT)

        y = te.compute(node.ty.shape.values, pixel, name="conv")
        return with_bias(y, *bias)

    return bb.call_te(
        compute,
        *node.args,
        primfunc_name_hint="winograd",
        primfunc_attrs={"op_pattern": OUT_ELEMWISE_FUSABLE},
    )


def transformed_in(stored: str) -> str:
    """Return the type in which tiles are transformed that are multiplied in another one.

    >>> transformed_in("bfloat16"), transformed_in("int16"), transformed_in("float32")
    ('float32', 'int16', 'float32')
    """
    return "float32" if stored == BFLOAT16 else stored


def _product(matrix: np.ndarray, row: Expr, value: Callable[[int], Expr]) -> Expr:
    """Return one row of a matrix times a column of values; which row, may be known later."""
    rows = [combination(coefficients, value) for coefficients in matrix.tolist()]
    last = rows.pop()
    for i in reversed(range(len(rows))):
        last = tirx.Select(row == i, rows[i], last)
    return last


def combination(coefficients: Sequence[float], value: Callable[[int], Expr]) -> Expr:
    """Return the sum of coefficients times values: a multiply-add for each but 0, 1 and -1."""
    total: Expr | None = None
    # What needs no product comes first: each further term is one multiply-add.
    for j in sorted(range(len(coefficients)), key=lambda j: abs(coefficients[j]) != 1):
        factor = coefficients[j]
        if factor == 0:
            continue
        if total is None:
            first = value(j)
            total = first if factor == 1 else first * tirx.const(factor, str(first.ty.dtype))
        elif abs(factor) == 1:
            total = total + value(j) if factor == 1 else total - value(j)
        else:
            total = total + value(j) * tirx.const(factor, "float32")
    assert total is not None
    return total


WINOGRAD: Final = define(
    "tvmfuse.winograd",
    traits=Traits(kind=Kind.OTHER, why="a sum of products", epilogue=True),
    infer=_infer,
    legalize=lowering_with_epilogue(_legalize),
    doc="Conv, 3x3, by minimal filtering.",
)


def first_chunk(block: Expr, weights: Sequence[Expr], groups: int) -> Expr:
    """Return the first block of input channels that a block of output channels sums up.

    Args:
        block: Of output channels.
        weights: The shape of transformed weights, (O / b, t, t, I / groups / a, a, b).
        groups: Of channels.
    """
    if groups == 1:
        return tirx.const(0, block.ty.dtype)
    return block // (int(weights[0]) // groups) * int(weights[3])


def winograd(
    x: Expr,
    weight: Expr,
    bias: Expr | None = None,
    *,
    padding: Sequence[int],
    groups: int = 1,
    pad_value: int = 0,
) -> Call:
    """Convolve by 3x3 at stride 1, as F(m x m, 3 x 3).

    A NaN or an infinity of the input reaches all m x m outputs of its tiles. Integers are exact.
    Tiles of bfloat16 are transformed in float32, and rounded to be multiplied.

    Args:
        x: Shape (N, I / a, H, W, a), float32; or uint8, with sums in int32; or bfloat16, with sums
            in float32.
        weight: Shape (O / b, m + 2, m + 2, I / groups / a, a, b), as `winograd_weights` makes it;
            for uint8 as `integer_winograd_weights` does, for bfloat16 as
            `bfloat16_winograd_weights` does.
        bias: Shape (O / b, b), or None.
        padding: Top, left, bottom, right.
        groups: Of channels; a and b divide those of one.
        pad_value: What stands there.

    Returns:
        Shape (N, O / b, H + top + bottom - 2, W + left + right - 2, b).
    """
    return call(
        WINOGRAD,
        [x, weight, bias],
        padding=list(padding),
        groups=groups,
        pad_value=pad_value,
    )


def winograd_weights(weights: np.ndarray, m: int) -> np.ndarray:
    """Return weights as `winograd` reads them, computed in float64.

    Args:
        weights: Shape (O / b, I / groups / a, 3, 3, a, b).
        m: Outputs of a tile in each direction.
    """
    g = minimal_filtering(m, TAPS).weights
    o, c, *taps, a, b = weights.shape
    both = np.kron(g, g)  # A matrix for both directions: one product instead of two.
    numbers = weights.reshape(o, c, math.prod(taps), a * b).astype("float64")
    transformed = (both @ numbers).reshape(o, c, *[m + TAPS - 1] * 2, a, b)
    ordered: np.ndarray = transformed.transpose(0, 2, 3, 1, 4, 5).astype(weights.dtype)
    return ordered


def integer_winograd_weights(weights: np.ndarray) -> np.ndarray:
    """Return four times the weights of F(2 x 2, 3 x 3), which are whole, in int16.

    Args:
        weights: Shape (O / b, I / groups / a, 3, 3, a, b), of bytes or the few bits more that a
            zero point makes of them.

    Returns:
        Shape (O / b, 4, 4, I / groups / a, a / 2, b, 2).
    """
    whole = winograd_weights(weights.astype("float64"), 2) * (1 << SHIFT)
    return _side_by_side(whole).astype("int16")


def bfloat16_winograd_weights(weights: np.ndarray) -> np.ndarray:
    """Return the weights of F(2 x 2, 3 x 3), computed in float64 and rounded to bfloat16.

    Args:
        weights: Shape (O / b, I / groups / a, 3, 3, a, b).

    Returns:
        Shape (O / b, 4, 4, I / groups / a, a / 2, b, 2).
    """
    transformed = _side_by_side(winograd_weights(weights.astype("float64"), 2))
    with np.errstate(over="ignore"):  # What is too large becomes infinite.
        return transformed.astype(BFLOAT16)


def _side_by_side(weights: np.ndarray) -> np.ndarray:
    *outer, a, b = weights.shape
    near: np.ndarray = weights.reshape(*outer, a // NEAR, NEAR, b).swapaxes(-1, -2)
    return near


def integer_winograd_most(transformed: np.ndarray) -> int:
    """Return the greatest magnitude that a sum can have on the way to an output of integers.

    Args:
        transformed: What `integer_winograd_weights` returns.
    """
    points = np.abs(transformed.astype("int64")).sum((3, 4, 6)).max(initial=0)
    # Of two pixels and two lines each, and back from three points in each direction.
    return int(points) * 4 * np.iinfo("uint8").max * TAPS * TAPS
