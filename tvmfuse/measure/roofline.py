"""The loops whose times are the machine's peaks, and what they say of a kernel."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmfuse.measure.interleave import Samples
from tvmfuse.measure.results.profile import Bound, Copy, Peaks, Product

#: Copies are measured at powers of 4 between these: what fits the first cache, and what fits none.
SMALLEST: Final = 1 << 14
LARGEST: Final = 1 << 26

#: Bytes that a sample of a copy moves: about a millisecond.
MOVED: Final = 1 << 24

FLOAT32: Final = "float32"

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Amount:
    """What one launch does on some inputs; None where that is not known.

    Attributes:
        operations: Of its arithmetic; a multiply-add is two.
        nbytes: Of its operands and results, each once.
        operands: What its products multiply.
    """

    operations: int | None = None
    nbytes: int | None = None
    operands: str = FLOAT32


@dataclass
class Roofline:
    """Loops of products and copies, timed in turn with a model's runs.

    Attributes:
        first: The place of the first loop among all that is timed.
        loops: To be timed.
        missing: Why there are none, or nothing.
    """

    first: int
    loops: list[Callable[[], object]] = field(default_factory=list)
    missing: str = ""
    _operations: dict[str, float] = field(default_factory=dict)
    _copies: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, amounts: Iterable[Amount], target: str, threads: int, *, first: int) -> Roofline:
        """Return the loops that some kernels are held to; none without the compiler."""
        found = cls(first)
        try:
            from tvmfuse.measure import peak
        except ImportError as error:
            found.missing = f"peaks are compiled here, and TVM's compiler is not there ({error})"
            return found
        amounts = list(amounts)
        for operands in (FLOAT32, *sorted({a.operands for a in amounts} - {FLOAT32})):
            loop, operations = (
                peak.multiply_adds(target, threads)
                if operands == FLOAT32
                else peak.dot_products(operands, target, threads)
            )
            found.loops.append(loop)
            found._operations[operands] = operations
        found._copies = sorted({_rounded(a.nbytes) for a in amounts if a.nbytes})
        for nbytes in found._copies:
            times = max(1, MOVED // nbytes)
            found.loops.append(peak.copy(nbytes, threads, target, times))
        return found

    def bound(
        self, amount: Amount, took: Floats, samples: Samples
    ) -> tuple[Bound | None, float | None]:
        """Return the roofline bound, and the share of it; each round has its own peaks."""
        if not self.loops or not amount.nbytes:
            return None, None
        at = self.first + list(self._operations).index(amount.operands)
        done = (amount.operations or 0) / self._operations[amount.operands]
        arithmetic = 1e3 * samples.milliseconds[:, at] * done
        size = _rounded(amount.nbytes)
        at = self.first + len(self._operations) + self._copies.index(size)
        copied = samples.milliseconds[:, at]
        copy = 1e3 * copied * amount.nbytes / (size * max(1, MOVED // size))
        bound: Bound = "compute" if np.median(arithmetic) > np.median(copy) else "memory"
        return bound, float(np.median((arithmetic if bound == "compute" else copy) / took))

    def peaks(self, samples: Samples) -> Peaks | None:
        """Return what the loops reached."""
        if not self.loops or not len(samples.milliseconds):
            return None
        medians = np.median(samples.milliseconds[:, self.first :], axis=0).tolist()
        amounts = [*self._operations.values()]
        amounts += [nbytes * max(1, MOVED // nbytes) for nbytes in self._copies]
        fma, *speeds = (n / ms / 1e6 for n, ms in zip(amounts, medians, strict=True))
        narrow = list(self._operations)[1:]
        return Peaks(
            fma,
            tuple(map(Copy, self._copies, speeds[len(narrow) :])),
            tuple(map(Product, narrow, speeds)),
        )


def _rounded(nbytes: int) -> int:
    """Return the size of the copy that so many bytes are compared with.

    >>> [_rounded(n) >> 10 for n in (1, 16384, 16385, 300_000, 1 << 40)]
    [16, 16, 64, 1024, 65536]
    """
    return min(LARGEST, 1 << 2 * math.ceil(math.log(max(nbytes, SMALLEST), 4) - 1e-9))
