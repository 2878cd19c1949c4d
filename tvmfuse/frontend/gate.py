"""The gate: whatever makes a model larger asks here first, and is refused by a named limit."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from tvmfuse.errors import LimitExceededError
from tvmfuse.frontend.symbols import Dim
from tvmfuse.limits import Limits

SYMBOLIC_BITS: Final = 8 * 4096
"""What an element takes that is an expression of symbolic dimensions, and no number."""

FREE: Final = 8
"""Constants may take so many times the bytes of the weights: fp16 becomes fp32, is transposed."""


class Gate:
    """What one model asks for, held against the limits.

    Each method takes `who`, which names a node or a value in the error, and raises
    `LimitExceededError` where a limit is exceeded.

    Args:
        limits: What is admitted.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._constants: dict[str, int] = {}
        self._total = 0
        self._weights = 0
        self._external = 0

    def nodes(self, who: str, count: int) -> None:
        """Ask for this many nodes in the model."""
        self._hold("nodes", count, f"{who} brings the model to {count} nodes")

    def nesting(self, who: str, depth: int) -> None:
        """Ask for a graph that lies this deep in functions and branches."""
        self._hold("nesting", depth, f"{who} lies in {depth} functions, If, Loop or Scan")

    def inlined(self, who: str, size: int) -> None:
        """Ask for this many bytes that functions add to the model."""
        self._hold("inlined_bytes", size, f"{who} brings what functions add to {size} bytes")

    def size(self, who: str, what: str, number: float) -> None:
        """Ask for a size, a count or a distance that a node states."""
        size, elements = self.limits.size, self.limits.elements
        if abs(number) > size:
            least = (
                f"beside elements={elements} a size is at most {size}, or shapes would wrap around"
            )
            remedy = self._remedy("elements", elements) if size == elements else least
            raise LimitExceededError(f"{who}: {what} is {number}; {remedy}")

    def rank(self, who: str, rank: int) -> None:
        """Ask for a tensor of this many dimensions."""
        self._hold("rank", rank, f"{who} has {rank} dimensions")

    def tensor(self, who: str, dims: Iterable[Dim], bits: int) -> int:
        """Ask for a tensor; return its bytes, with each symbolic dimension counted as 1.

        Args:
            who: The value or the node.
            dims: The tensor's.
            bits: Of an element.
        """
        shape = list(dims)
        self.rank(who, len(shape))
        # A 0 hides how far the others reach: strides are made of them.
        elements = math.prod(max(d, 1) for d in shape if isinstance(d, int))
        said = f"{who} has the shape [{', '.join(map(str, shape))}]"
        self._hold("elements", elements, f"{said}, {elements} elements")
        size = -(-elements * bits // 8)
        self._hold("bytes", size, f"{said}, {size} bytes")
        return size

    def weights(self, who: str, dims: Iterable[Dim], bits: int) -> None:
        """Ask for a tensor that the file stores."""
        self._weights += self.tensor(who, dims, bits)

    def external(self, who: str, dims: Iterable[Dim], bits: int) -> None:
        """Ask for a tensor whose numbers lie in another file."""
        self._external += self.tensor(who, dims, bits)
        said = f"{who} brings what lies in files beside the model to {self._external} bytes"
        self._hold("external_bytes", self._external, said)

    def constant(self, who: str, dims: Iterable[Dim], bits: int, *, key: str = "") -> None:
        """Ask for a tensor that is computed of constants.

        One that has been asked for, as `who` or under the same key, does not count again.
        """
        size = self.tensor(who, dims, bits)
        self._total += size - self._constants.get(key or who, 0)
        self._constants[key or who] = size
        beside = max(0, self._total - FREE * self._weights)
        self._hold(
            "constant_bytes",
            beside,
            f"{who} brings what is computed of constants to {beside} bytes",
        )

    def _hold(self, name: str, asked: int, said: str) -> None:
        limit = getattr(self.limits, name)
        if asked > limit:
            raise LimitExceededError(f"{said}; {self._remedy(name, limit)}")

    def _remedy(self, name: str, limit: int) -> str:
        return (
            f"the limit is {name}={limit}: if you trust this model, compile with "
            f"limits=tvmfuse.Limits({name}=...) or --limit {name}=..."
        )
