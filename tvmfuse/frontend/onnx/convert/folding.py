"""Col2Im: blocks are put back to where they were taken from in an image, and added."""

from __future__ import annotations

from dataclasses import dataclass

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.broadcast import agree
from tvmfuse.frontend.onnx.convert.runtime_numbers import Numbers, counting, sizes_of
from tvmfuse.frontend.onnx.convert.runtime_shapes import dims_of, ensure, measured
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.frontend.symbols import Dim


@dataclass(frozen=True)
class _Axis:
    """One axis of the image.

    Attributes:
        size: Pixels of the image.
        block: Pixels of a block.
        stride: Pixels from a block to the next one.
        dilation: Pixels from one of a block's pixels to the next one.
        begin: Pixels of padding before the image.
        end: The same behind it.
    """

    size: Dim
    block: Dim
    stride: int
    dilation: int
    begin: int
    end: int

    @property
    def reach(self) -> Dim:
        """How far the first pixel of the last block can lie from that of the first one."""
        return self.size + self.begin + self.end - self.dilation * (self.block - 1) - 1


def col2im(op: Operation) -> Expr:
    """Convert Col2Im, one axis of the image after the other; its shapes may be fed."""
    x, image, block = op.tensor(0), dims_of(op, 1), dims_of(op, 2)
    rank = len(image)
    op.require(require_rank(x) == 3, "its input is not of three dimensions")
    op.require(len(block) == rank, f"its image has {rank} dimensions, and its blocks {len(block)}")
    strides = op.integers("strides") or [1] * rank
    dilations = op.integers("dilations") or [1] * rank
    pads = op.integers("pads") or [0] * 2 * rank
    axes = [
        _Axis(*of_axis)
        for of_axis in zip(image, block, strides, dilations, pads[:rank], pads[rank:], strict=True)
    ]
    product = op.symbols.product
    batch, rows, _ = require_shape(x)
    channels, *counts = _named(
        op,
        [
            op.symbols.quotient(rows, op.symbols.larger(product(block), 1)),
            *(op.symbols.quotient(axis.reach, axis.stride) + 1 for axis in axes),
        ],
    )
    ensure(sizes_of(op, [*block, *counts]) > 0, "it has blocks and they are not empty")
    x = agree(op, x, [batch, product([channels, *block]), product(counts)])
    found = Numbers(op, x).reshaped([batch, channels, *block, *counts])
    for axis, count in zip(axes, counts, strict=True):
        found = _folded(found, axis, count, rank)
    return found.expr


def _named(op: Operation, dims: list[Dim]) -> list[Dim]:
    """Return dimensions, each a number or a symbol of its own: TVM is slow with more."""
    simple = [op.symbols.simplify(dim) for dim in dims]
    if all(isinstance(dim, int) for dim in simple):
        return simple
    return measured(sizes_of(op, simple), of_one=False)


def _folded(x: Numbers, axis: _Axis, count: Dim, rank: int) -> Numbers:
    """Fold the first axis of the blocks, and the first one that counts them, to one of the image.

    Each pixel gathers, from each place in a block, that of the block which has the pixel there.

    Args:
        x: Shape (batch, channels, blocks' axes, axes that count them, image's axes); as many of
            the first as of the second, and of all three together with what is folded `rank` pairs.
        axis: What is folded.
        count: How many blocks there are along it.
        rank: Of the image.

    Returns:
        The tensor without both axes, and with the image's behind all others.
    """
    op, shape = x.op, require_shape(x.expr)
    left = len(shape) - 2 - rank
    pair = (2, 2 + left)
    others = [i for i in range(len(shape)) if i not in pair]
    flat = op.symbols.product([axis.block, count])
    lines = x.transposed([*others, *pair]).reshaped([*(shape[i] for i in others), flat])
    places = counting(op, axis.block).expanded(0)
    offset = counting(op, axis.size).expanded(1) + axis.begin - places * axis.dilation
    number, counts = offset // axis.stride, sizes_of(op, [count])
    there = (offset % axis.stride).equals(0) & (number >= 0) & (number < counts)
    index = places * counts + number.at_least(0).at_most(counts - 1)
    taken = Numbers(op, relax.op.take(lines.expr, index.expr, len(others), mode="clip"))
    return there.where(taken, 0).sum(len(others) + 1)
