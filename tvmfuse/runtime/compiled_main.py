"""A model's compiled `main`, which any number of threads may call: see `build.compiled_main`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tvmfuse.arrays import address
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.frame import Frame, Located, Make, Weights
from tvmfuse.runtime.functions import Functions
from tvmfuse.runtime.threads import Workers
from tvmfuse.runtime.turns import Turns


class FixedWeights:
    """Arrays that stay where they are.

    Args:
        arrays: Aligned.

    Attributes:
        arrays: The same.
    """

    version = 0

    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self.arrays: Sequence[np.ndarray] = arrays
        self.dtypes: Sequence[str] = [array.dtype.name for array in arrays]

    def located(self) -> list[Located]:
        """Return where they lie."""
        return [(address(array), array.shape) for array in self.arrays]


class CompiledMain:
    """A model's `main`.

    Args:
        functions: Its library.
        manifest: What it takes and gives.
        weights: Without those of overridable inputs.
        workers: Which threads compute.
    """

    def __init__(
        self, functions: Functions, manifest: Manifest, weights: Weights, workers: Workers
    ) -> None:
        self._functions, self._weights = functions, weights
        self._manifest, self._workers = manifest, workers
        self._turns = Turns(self._make, workers.use)

    def run(
        self, inputs: Sequence[Located], make: Make, *, share: bool = False, hook: int = 0
    ) -> list[Any]:
        """Run it.

        Args:
            inputs: Those of the model, then all overridable ones; checked, as kernels read them.
            make: Makes the results.
            share: Whether results are written into the memory of inputs, where they can be; None
                stands for such. The manifest has to name some.
            hook: Where a C function begins that is told of each kernel; see `build.kernel_calls`.

        Returns:
            The results, as kernels write them; they belong to the caller.

        Raises:
            StoppedError: It says what is wrong.
            MemoryError: There is none.
        """
        turns = self._in_place if share else self._turns
        frame = turns.begun()
        try:
            return frame.run(frame.bind(inputs, make), make, hook)
        finally:  # An error leaves a frame as good as it was.
            turns.ended(frame)

    def bound(self, inputs: Sequence[Located], make: Make) -> Callable[[], list[Any]]:
        """Return a function that runs it on inputs, and writes the results to one place each time.

        One thread at a time may call it.
        """
        frame, workers = self._make(), self._workers
        made = frame.bind(inputs, make)

        def once() -> list[Any]:
            workers.use()
            return frame.run(made, make)

        return once

    def bytes_between(self, shapes: Sequence[Any]) -> int | None:
        """Return how many bytes lie between inputs of some shapes and results.

        None where data decide a size, or an iteration of a loop passes a tensor on.
        """
        return self._make().bytes_between(shapes)

    @cached_property
    def _in_place(self) -> Turns[Frame]:
        return Turns(lambda: self._make(share=True), self._workers.use)

    def _make(self, *, share: bool = False) -> Frame:
        return Frame(self._functions, self._manifest, self._weights, share=share)
