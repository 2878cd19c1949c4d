"""What was measured of one core, and what code may depend on of it.

Code depends on numbers that noise does not change: on how many multiply-adds start in a cycle, and
on nothing else. A target states it as its ``model``, beside the caches.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

#: Multiply-adds that start in a cycle, each with the most of them that may be under way at once for
#: it to be so many. CPUs have 4 or 5 (one starts in a cycle, and takes so many), 8 or 10 (two), 16
#: (four): the bounds lie between these, equally far from both, by their ratio.
UNDER_WAY: Final = ((1, math.sqrt(5 * 8)), (2, math.sqrt(10 * 16)), (4, math.inf))


@dataclass(frozen=True)
class Calibration:
    """One core's numbers: of one thread, with float32 vectors as wide as its registers.

    Attributes:
        fma_ns: A multiply-add, where none waits for another.
        chain_ns: A multiply-add that waits for the one before.
        broadcast_ns: A multiply-add by a number from the first-level cache, in all lanes.
        load_ns: A load from the first-level cache.
        instructions_per_ns: Mixed ones: four on integers for a load and a multiply-add.
        l1: Bytes that are read from the first-level cache in a ns, which are GB/s.
        l2: The same from the second level.
        l3: The same from the third level.
        memory: The same from memory.
    """

    fma_ns: float
    chain_ns: float
    broadcast_ns: float
    load_ns: float
    instructions_per_ns: float
    l1: float
    l2: float
    l3: float
    memory: float

    @property
    def fmas_per_cycle(self) -> int:
        """Multiply-adds of whole vectors that start in one cycle: 1, 2 or 4.

        So many as are under way at once, which needs no clock, tell it.
        """
        return next(n for n, most in UNDER_WAY if self.chain_ns / self.fma_ns < most)

    @property
    def words(self) -> str:
        """The numbers in a line."""
        return (
            f"multiply-add {self.fma_ns:.3g} ns ({self.fmas_per_cycle} a cycle), in a chain "
            f"{self.chain_ns:.3g}, by a broadcast number {self.broadcast_ns:.3g}, load "
            f"{self.load_ns:.3g}; {self.instructions_per_ns:.3g} instructions a ns; read "
            f"{self.l1:.0f}/{self.l2:.0f}/{self.l3:.0f}/{self.memory:.0f} GB/s from "
            "L1/L2/L3/memory"
        )

    def to_json(self) -> dict[str, float]:
        """Return the numbers by their names."""
        return asdict(self)

    @classmethod
    def from_json(cls, said: Any) -> Calibration:
        """Return the calibration that `to_json` took apart.

        Raises:
            ValueError: It is not as `to_json` writes it.
        """
        names = {field.name for field in fields(cls)}
        if not isinstance(said, Mapping) or set(said) != names:
            raise ValueError(f"expected the numbers {', '.join(sorted(names))}")
        for name, number in said.items():
            if not isinstance(number, int | float) or not 0 < number < math.inf:
                raise ValueError(f"{name}: expected a number above 0, and finite, found {number!r}")
        return cls(**said)


def stating(fmas_per_cycle: int) -> str:
    """Return what `stated` reads."""
    return f"fmas={fmas_per_cycle}"


def stated(model: str) -> int | None:
    """Return the multiply-adds in a cycle that a target's ``model`` states.

    >>> stated("l2=1048576,fmas=1"), stated("fmas=3"), stated("unknown")
    (1, None, None)
    """
    found = re.search(r"\bfmas=([124])\b", model)
    return int(found[1]) if found else None
