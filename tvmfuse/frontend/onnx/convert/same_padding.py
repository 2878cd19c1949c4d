"""SAME_UPPER and SAME_LOWER: pads by which there are ceil(size / stride) results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_shape
from tvmfuse.frontend.symbols import Dim

#: ONNX's modes; they differ in where the odd element of a pad is, at the end or at the beginning.
SAME: Final = ("SAME_UPPER", "SAME_LOWER")


def halved(totals: list[int], mode: str) -> list[int]:
    """Split total pads into begins and ends; the odd one is at the end for SAME_UPPER."""
    small, large = [t // 2 for t in totals], [t - t // 2 for t in totals]
    return large + small if mode == "SAME_LOWER" else small + large


def same_total(op: Operation, size: Dim, kernel: int, stride: int, dilation: int) -> int:
    """Return by how much an axis is padded, at both ends together."""
    extent = dilation * (kernel - 1) + 1
    if stride == 1 or extent == 1:
        return extent - 1
    if not isinstance(size, int):
        op.refuse(f"auto_pad of a symbolic dimension ({size}) with stride {stride}")
    return max((-(-size // stride) - 1) * stride + extent - size, 0)


@dataclass(frozen=True)
class Padded:
    """An image that was padded by what its sizes tell.

    Attributes:
        image: With its padding.
        begins: How much of that is before the first pixel, along each axis of the image.
    """

    image: Expr
    begins: list[Dim]


def padded_before(
    op: Operation,
    x: Expr,
    kernel: list[int],
    strides: list[int],
    dilation: list[int],
    number: float,
) -> Padded | None:
    """Pad an image with a number by what its sizes tell; None where they are known before.

    It is padded by as much as that may be, and what is too much is cut off again.
    """
    mode = op.text("auto_pad", "NOTSET")
    windows = [*zip(require_shape(x)[2:], kernel, strides, dilation, strict=True)]
    later = [
        mode in SAME and not isinstance(size, int) and stride > 1 and taps > 1
        for size, taps, stride, _ in windows
    ]
    if not any(later):
        return None
    most = [
        step * (taps - 1) if is_later else same_total(op, size, taps, stride, step)
        for is_later, (size, taps, stride, step) in zip(later, windows, strict=True)
    ]
    pads, rank = halved(most, mode), len(kernel)
    begins: list[Dim] = [*pads[:rank]]
    axes, starts, ends = list[int](), list[Dim](), list[Dim]()
    for axis, (is_later, (size, _, stride, _)) in enumerate(zip(later, windows, strict=True)):
        if is_later:
            count = op.symbols.quotient(size + (stride - 1), stride)
            read = (count - 1) * stride + (most[axis] + 1)
            total = read - size
            if most[axis] + 1 < stride:  # the last window may end before the image does
                total = op.symbols.larger(total, 0)
            begins[axis] = op.symbols.quotient(total + (mode == "SAME_LOWER"), 2)
            axes.append(2 + axis)
            starts.append(op.symbols.simplify(pads[axis] - begins[axis]))
            ends.append(op.symbols.simplify(pads[axis] - begins[axis] + read))
    widths = [w for both in zip(pads[:rank], pads[rank:], strict=True) for w in both]
    x = op.emit(relax.op.nn.pad(x, [0, 0, 0, 0, *widths], pad_value=number))
    cut = op.emit(relax.op.strided_slice(x, axes, starts, ends, assume_inbound=True))
    return Padded(cut, begins)
