"""How far rounding alone moves each tensor of a graph: what an error has to exceed to be one.

The reference is computed again with each of its floating-point results moved by one rounding, up
or down at random; how far that takes a tensor is what its dtype explains there, cancellation and
all: of `x - mean(x)` over one element, zero, as much as a rounding of `x`. This is Monte Carlo
arithmetic with random rounding (Parker, "Monte Carlo Arithmetic", UCLA CSD-970002, 1997; Vignes,
"A stochastic arithmetic for reliable scientific computation", 1993), an operator at a time.

Left as they are: numbers that take at most half of their dtype's bits (a mask's zeros and ones,
and -10000), which whoever computes them computes exactly; those above half of the largest one,
which stand for infinity; and what does not depend on what is fed, sizes among them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import ml_dtypes
import numpy as np
import numpy.typing as npt

from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.distance import chunks
from tvmfuse.measure.ends import NO_READERS

RUNS: Final = 3
"""Of three random directions the largest distance is small by chance once in some ten thousand."""

Mask = npt.NDArray[np.bool_]

Change = Callable[[str, Array], Array]
"""Given a tensor's name and what was computed, what is handed on."""


class OneRounding:
    """Moves each tensor that depends on what is fed by one rounding.

    Args:
        graph: The tensors' graph.
        seed: Of the directions.
    """

    def __init__(self, graph: SourceGraph, seed: int) -> None:
        self.seed = seed
        self._fed = _fed(graph)
        self._random = np.random.default_rng(seed)

    def __call__(self, name: str, array: Array) -> Array:
        """Return the tensor, moved."""
        return moved(array, self._random) if name in self._fed else array

    def feeds(self, feeds: Mapping[str, Array]) -> dict[str, Array]:
        """Return what is fed, moved."""
        return {name: moved(array, self._random) for name, array in feeds.items()}


def moved(array: Array, random: np.random.Generator) -> Array:
    """Move each number by one rounding, up or down at random.

    >>> x = np.float32([1 / 3, 1, 0])
    >>> (moved(x, np.random.default_rng(0)) != x).tolist()
    [True, False, False]
    """
    if not _is_floating(array.dtype):
        return array
    result = np.array(array, order="C")
    for numbers in chunks(result):
        _move(numbers, random)
    return result


def _move(numbers: Array, random: np.random.Generator) -> None:
    limits = _limits(numbers.dtype)
    signs = random.integers(0, 2, numbers.shape) * 2 - 1
    steps = (1 + signs * float(limits.eps)).astype(numbers.dtype)
    moves = ~_is_short(numbers) & (np.abs(numbers) < float(limits.max) / 2)
    with np.errstate(invalid="ignore", over="ignore"):
        np.multiply(numbers, steps, out=numbers, where=moves)


def one_rounding(dtype: str, magnitude: float) -> float:
    """Return how much a number of this magnitude may be rounded; nothing where it is no float."""
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    return float(_limits(kind).eps) * magnitude if _is_floating(kind) else 0.0


def _limits(dtype: np.dtype[Any]) -> Any:
    return ml_dtypes.finfo(dtype)  # type: ignore[no-untyped-call]


def _is_floating(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f" or (hasattr(ml_dtypes, dtype.name) and "float" in dtype.name)


def _is_short(array: Array) -> Mask:
    """Whether the lower half of each number's digits is zero."""
    bits = array.view(f"uint{8 * array.dtype.itemsize}")
    half = (int(_limits(array.dtype).nmant) + 1) // 2
    short: Mask = bits & bits.dtype.type((1 << half) - 1) == 0
    return short


def _fed(graph: SourceGraph) -> frozenset[str]:
    """Return the tensors whose numbers depend on what is fed."""
    found = set(graph.inputs)
    for node in graph.nodes:
        if node.op not in NO_READERS and not found.isdisjoint(graph.reads(node.name)):
            found.update(filter(None, node.outputs))
    return frozenset(found)
