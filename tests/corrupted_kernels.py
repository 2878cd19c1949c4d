"""A compiled model one of whose kernels writes a wrong number: in its memory, before others read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.measure.against import Other, Seen
from tvmfuse.measure.order import restored
from tvmfuse.measure.rounding import OneRounding
from tvmfuse.runtime.executable import Executable

SHARE = {2: 1.0, 4: 1 / 4, 8: 1 / 4}
"""Of the largest magnitude: what is added to one number, by its bytes.

In half precision rounding alone explains some 3 % of a tensor of two layers, and an alarm is more
than 8 times that.
"""


class Corrupted:
    """An executable, as `measure.accuracy.compared` takes it, with one kernel that is wrong.

    Args:
        right: The executable.
        place: The kernel's.
        result: Which of its results is wrong.
        seed: Says which number.
    """

    def __init__(self, right: Executable, place: int, result: int, seed: int) -> None:
        self.manifest = right.manifest
        self._right, self._place, self._result, self._seed = right, place, result, seed

    def watch(
        self, feeds: Mapping[str, Any], seen: Callable[[int, Sequence[np.ndarray]], None]
    ) -> None:
        """Watch the kernels; one writes something else."""

        def corrupting(place: int, arrays: Sequence[np.ndarray]) -> None:
            if place == self._place:
                corrupt(arrays[self._result], np.random.default_rng(self._seed))
            seen(place, arrays)

        self._right.watch(feeds, corrupting)

    def __call__(self, feeds: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """Return the outputs: those that a kernel writes, as it wrote them."""
        found = dict(self._right(feeds))

        def seen(place: int, arrays: Sequence[np.ndarray]) -> None:
            for stored in self.manifest.kernels[place].values:
                if stored.name in found:
                    found[stored.name] = restored(
                        stored, arrays[stored.result], found[stored.name].shape
                    ).copy()

        self.watch(feeds, seen)
        return found


def corrupt(array: np.ndarray, rng: np.random.Generator) -> None:
    """Change one number."""
    at = int(rng.integers(array.size))
    number = array.reshape(-1)[at]
    if array.dtype == np.bool_:
        changed = ~number
    elif np.issubdtype(array.dtype, np.integer):
        changed = number + 1
    else:
        finite = array[np.isfinite(array)].astype(float)
        step = SHARE[array.dtype.itemsize] * float(np.abs(finite).max(initial=0.0)) or 1.0
        changed = (float(number) if np.isfinite(number) else 0.0) + step
    array.reshape(-1)[at] = changed


class Remembered:
    """Another engine that computes each thing once: for many comparisons with the same inputs."""

    def __init__(self, other: Other) -> None:
        self._other = other
        self._outputs: Mapping[str, np.ndarray] | None = None
        self._shown: dict[int | None, list[tuple[str, np.ndarray]]] = {}

    def outputs(self, feeds: Mapping[str, Any]) -> Mapping[str, np.ndarray]:
        """Compute the whole model, the first time."""
        if self._outputs is None:
            self._outputs = self._other.outputs(feeds)
        return self._outputs

    def tensors(
        self,
        graph: SourceGraph,
        feeds: Mapping[str, Any],
        seen: Seen,
        moved: OneRounding | None = None,
    ) -> None:
        """Show each tensor inside, which is computed the first time."""
        key = None if moved is None else moved.seed
        if key not in self._shown:
            listed: list[tuple[str, np.ndarray]] = []
            self._other.tensors(
                graph, feeds, lambda name, array: listed.append((name, array.copy())), moved
            )
            self._shown[key] = listed
        for name, array in self._shown[key]:
            seen(name, array)
