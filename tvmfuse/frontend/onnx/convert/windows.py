"""Windows of a pool that reach beyond the image and its padding, or never meet the image at all.

Exporters write global pooling as a window of a thousand pixels over an image of seven. A kernel
would visit them all, and most of them are padding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Windows:
    """The windows along one axis.

    Attributes:
        size: Pixels of the image; None where that is known only when the model runs.
        kernel: Taps of a window.
        stride: Pixels from a window to the next one.
        dilation: Pixels from a tap to the next one.
        begin: Pixels of padding before the image.
        end: The same behind it.
        rounds_up: Whether a last window may reach beyond the padding (`ceil_mode`).
    """

    size: int | None
    kernel: int
    stride: int
    dilation: int
    begin: int
    end: int
    rounds_up: bool = False

    @property
    def even(self) -> Windows:
        """The same windows, all within their padding: there is nothing to round up.

        A window is no more rounded up to where it would begin behind the image.
        """
        if not self.rounds_up:
            return self
        end = min(self.end + self.stride, self._extent(self.kernel)) - 1
        return replace(self, end=end, rounds_up=False)

    @property
    def within_padding(self) -> Windows:
        """The same windows, of an image that was padded before, if that had to be rounded up."""
        size = None if self.size is None else self.size + self.begin + self.end
        return replace(self.even, size=size, begin=0, end=self.even.end - self.end)

    @property
    def reach(self) -> int:
        """Pixels that a window spans, and those of padding, beside which an image has a place."""
        return self._extent(self.kernel) + self.begin + self.end

    @property
    def count(self) -> int | None:
        """How many windows there are; None where that is known only when the model runs."""
        if self.size is None:
            return None
        padded = self.size + self.begin + self.even.end
        return (padded - self._extent(self.kernel)) // self.stride + 1

    @property
    def clipped(self) -> Windows:
        """As many windows without the taps that meet no pixel of the image in any of them.

        All of them lie within their padding.
        """
        if self.size is None or self.count is None or self.count < 1:
            return self.even
        last_start = (self.count - 1) * self.stride
        # Padding of less than nothing would be needed for more.
        first = min(
            -(-max(0, self.begin - last_start) // self.dilation), self.begin // self.dilation
        )
        last = min(self.kernel - 1, (self.size - 1 + self.begin) // self.dilation)
        kernel, begin = last - first + 1, self.begin - first * self.dilation
        end = last_start + self._extent(kernel) - self.size - begin
        # From a single window no step leads to another one.
        stride = self.stride if self.count > 1 else max(self.stride, self.size + begin)
        found = Windows(self.size, kernel, stride, self.dilation, begin, max(end, 0))
        return found if kernel > 0 and found.count == self.count else self.even

    def divisors(self) -> np.ndarray:
        """Return what an average that counts padding divides by, at each window.

        A window that was rounded up counts no taps behind the padding.

        Returns:
            int64 of shape (count,); of shape (1,) where the count is not known, and nothing is
            rounded up.
        """
        if self.size is None or self.count is None:
            return np.array([self.kernel])
        starts = np.arange(self.count) * self.stride - self.begin
        ends = np.minimum(starts + self._extent(self.kernel), self.size + self.end)
        return (ends - starts - 1) // self.dilation + 1

    def _extent(self, kernel: int) -> int:
        """Pixels from the first to the last of so many taps."""
        return (kernel - 1) * self.dilation + 1


def clipped(windows: Sequence[Windows]) -> list[Windows] | None:
    """Return windows of fewer taps for all axes; None where the given ones have no tap too many."""
    found = [w.clipped for w in windows]
    fewer = any(new.kernel < old.kernel for new, old in zip(found, windows, strict=True))
    return found if fewer else None


def windows_of(
    sizes: Sequence[object],
    kernel: Sequence[int],
    strides: Sequence[int],
    dilation: Sequence[int],
    pads: Sequence[int],
    *,
    rounds_up: bool = False,
) -> list[Windows]:
    """Return the windows along each axis; a size that is no number is not known yet."""
    known = [size if isinstance(size, int) else None for size in sizes]
    rank = len(kernel)
    axes = zip(known, kernel, strides, dilation, pads[:rank], pads[rank:], strict=True)
    return [Windows(n, k, s, d, begin, end, rounds_up) for n, k, s, d, begin, end in axes]
