"""Which vectors of an image's line a step joins, and where in them the columns of each tap are.

::

    of the vectors::    |-----|-----|-----|     as many results as these are enough for
                        results: |----  |       a store has a mask
    of the results::    |-----|-----|-----|     as many vectors as all results of one need
                        results: |------|       steps may overlap

Where a store under a mask is quick, few vectors are best. Where it is not, each step has as many
results as a vector.
"""

from __future__ import annotations

from dataclasses import dataclass

from tvmfuse.schedules.cpu.window import Window


@dataclass(frozen=True)
class Columns:
    """What a step reads of a line.

    Attributes:
        lanes: Of a vector of results.
        results: How many of these a step has.
        vector: Lanes of a vector of the image.
        vectors: How many of these there are, side by side.
        picks: For each tap the column of each result, counted from the step's first.
    """

    lanes: int
    results: int
    vector: int
    vectors: int
    picks: tuple[tuple[int, ...], ...]

    @classmethod
    def of_vectors(cls, window: Window, lanes: int, vectors: int) -> Columns:
        """Return as many results of one vector as some vectors are enough for."""
        results = window.results(lanes, vectors)
        return cls(lanes, results, lanes, vectors, _picks(window, lanes, results))

    @classmethod
    def of_results(cls, window: Window, lanes: int, vector: int) -> Columns:
        """Return one vector of results, of so many lanes, and what that needs."""
        vectors = -(-((lanes - 1) * window.stride + window.span) // vector)
        return cls(lanes, lanes, vector, vectors, _picks(window, lanes, lanes))

    @property
    def all(self) -> int:
        """How many columns are read."""
        return self.vectors * self.vector


def _picks(window: Window, lanes: int, results: int) -> tuple[tuple[int, ...], ...]:
    """Return the columns of each tap; lanes without a result have those of the last one."""
    nth = [window.stride * min(lane, results - 1) for lane in range(lanes)]
    return tuple(
        tuple(tap * window.dilation + column for column in nth) for tap in range(window.taps)
    )
