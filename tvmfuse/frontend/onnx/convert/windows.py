"""Windows of a pool that reach beyond the image and its padding, or never meet the image at all.

Exporters write global pooling as a window of a thousand pixels over an image of seven. A kernel
would visit them all, and most of them are padding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Windows:
    """The windows along one axis.

    Attributes:
        size: Pixels of the image.
        kernel: Taps of a window.
        stride: Pixels from a window to the next one.
        dilation: Pixels from a tap to the next one.
        begin: Pixels of padding before the image.
        end: The same behind it.
        count: How many windows there are.
    """

    size: int
    kernel: int
    stride: int
    dilation: int
    begin: int
    end: int
    count: int

    def clipped(self) -> Windows:
        """Return as many windows without the taps that meet no pixel of the image in any of them.

        All of them lie within their padding: there is nothing to round up.
        """
        last_start = (self.count - 1) * self.stride
        first = max(0, (self.begin - last_start) // self.dilation)
        last = min(self.kernel - 1, (self.size - 1 + self.begin) // self.dilation)
        kernel, begin = last - first + 1, self.begin - first * self.dilation
        end = last_start + (kernel - 1) * self.dilation + 1 - self.size - begin
        return Windows(
            self.size, kernel, self.stride, self.dilation, begin, max(end, 0), self.count
        )

    @property
    def reach(self) -> int:
        """How many windows these paddings have, were there no count."""
        extent = (self.kernel - 1) * self.dilation + 1
        return (self.size + self.begin + self.end - extent) // self.stride + 1

    def divisors(self) -> np.ndarray:
        """Return what an average that counts padding divides by, at each window: int64 (count,).

        A window that was rounded up counts no taps behind the padding.
        """
        starts = np.arange(self.count) * self.stride - self.begin
        return np.minimum(starts + self.kernel, self.size + self.end) - starts


def clipped(windows: Sequence[Windows]) -> list[Windows] | None:
    """Return windows of fewer taps for all axes; None where the given ones have no tap too many."""
    found = [w.clipped() for w in windows]
    fewer = any(new.kernel < old.kernel for new, old in zip(found, windows, strict=True))
    same = all(new.kernel > 0 and new.reach == new.count for new in found)
    return found if fewer and same else None
