"""An image with a border, in the form in which convolutions read it."""

from __future__ import annotations

from collections.abc import Sequence

from tvm import te, tirx, topi


def padded(x: te.Tensor, begins: Sequence[int], ends: Sequence[int], value: int) -> te.Tensor:
    """Pad the axes of an image.

    Args:
        x: Shape (N, C, D1..Dr, ...).
        begins: Elements before each of r axes.
        ends: Elements behind.
        value: Of the border.
    """
    inner = [0] * (len(x.shape) - 2 - len(begins))
    widths = [0, 0, *begins, *inner], [0, 0, *ends, *inner]
    return topi.nn.pad(x, *widths, tirx.const(value, x.dtype), name="padded")
