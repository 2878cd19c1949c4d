"""A model on the CPU: its compiled `main`, called with arrays or tensors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tvmfuse.arrays import located, restored, stored
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.apart import check_apart, check_shares
from tvmfuse.runtime.arguments import Arguments
from tvmfuse.runtime.compiled_main import CompiledMain
from tvmfuse.runtime.failures import FAILURES, failure
from tvmfuse.runtime.frame import Located, Make, Weights
from tvmfuse.runtime.functions import MAIN, Functions
from tvmfuse.runtime.hooks import Timed, timed, watched
from tvmfuse.runtime.results import Kind, as_kind, maker
from tvmfuse.runtime.threads import Workers


@dataclass(frozen=True)
class FixedMain:
    """The `main` of a model of fixed sizes, for whoever calls it from C.

    Attributes:
        functions: What has to last as long.
        address: Where it begins.
        weights: What it takes behind the inputs.
        nbytes: How many bytes lie between inputs and results.
    """

    functions: Functions | None
    address: int
    weights: Weights
    nbytes: int


class OnCpu:
    """A model's calls; see `Executable`.

    Args:
        manifest: What it takes and gives.
        functions: Its machine code.
        weights: Without those of overridable inputs.
        defaults: Of the overridable inputs; aligned.
        workers: Which threads compute.

    Attributes:
        functions: Its machine code.
        weights: See above.
        defaults: See above.
    """

    def __init__(
        self,
        manifest: Manifest,
        functions: Functions,
        weights: Weights,
        defaults: Sequence[np.ndarray],
        workers: Workers,
    ) -> None:
        self.functions, self.weights, self.defaults = functions, weights, defaults
        self._manifest, self._specs = manifest, (*manifest.inputs, *manifest.overridable)
        try:
            self._main = CompiledMain(functions, manifest, weights, workers)
        except FAILURES as error:
            raise failure(manifest.name, error) from error
        self._arguments = Arguments(manifest.inputs, manifest.overridable, defaults)
        self._makers: dict[Kind, Make] = {}
        names = [spec.name for spec in manifest.inputs]
        self._shared = {
            place: names.index(manifest.shared[spec.name])
            for place, spec in enumerate(manifest.outputs)
            if spec.name in manifest.shared
        }

    def run(self, arrays: Sequence[np.ndarray], places: Sequence[int]) -> list[np.ndarray]:
        """Run on arrays that fit; return some outputs, of one that is asked for twice two."""
        _kept, lie = self._located(arrays)
        made = self._ran(lie, self._maker("numpy"))
        found = [restored(made[place], self._manifest.outputs[place].dtype) for place in places]
        return [
            array.copy() if place in places[:n] else array
            for n, (place, array) in enumerate(zip(places, found, strict=True))
        ]

    def call(
        self, tensors: Sequence[Any] | Mapping[str, Any], kind: Kind, *, share: bool
    ) -> list[Any]:
        """Run on tensors; return the outputs as tensors of a kind."""
        written: Collection[int] = ()
        if share:
            check_shares(self._manifest)
            written = self._shared.values()
        held, lie = self._arguments.on_cpu(tensors, written)
        if share:
            check_apart(self._specs, [*zip(lie, map(_nbytes, held), strict=True)], written)
        outputs = self._ran(lie, self._maker(kind), share=share)
        if share:
            for place, taken in self._shared.items():
                outputs[place] = as_kind(held[taken], kind)
        return self._restored(outputs) if kind == "numpy" else outputs

    def call_located(self, inputs: Sequence[Located], make: Make) -> list[Any]:
        """Run on tensors that are known to fit, but for their shapes; see `Executable`."""
        self._arguments.check_shapes(tuple([shape for _, shape in inputs]))
        return self._ran(inputs, make)

    def of_fixed_sizes(self) -> FixedMain | None:
        """Return `main`, if all sizes are fixed and it can be called from C."""
        specs = (*self._specs, *self._manifest.outputs)
        begin = self.functions.address(MAIN)
        if not begin or any(isinstance(size, str) for spec in specs for size in spec.shape):
            return None
        nbytes = self._main.bytes_between([spec.shape for spec in self._specs])
        return None if nbytes is None else FixedMain(self.functions, begin, self.weights, nbytes)

    def bound(self, arrays: Sequence[np.ndarray]) -> Callable[[], object]:
        """Return a function that runs on arrays that fit."""
        kept, lie = self._located(arrays)
        try:
            run = self._main.bound(lie, self._maker("numpy"))
        except FAILURES as error:
            raise failure(self._manifest.name, error) from error

        def once() -> object:
            assert kept is not None  # they last as long as this function
            try:
                return run()
            except FAILURES as error:
                raise failure(self._manifest.name, error) from error

        return once

    def timed(self, arrays: Sequence[np.ndarray]) -> Timed:
        """Run on arrays that fit; return each kernel's time."""
        _kept, lie = self._located(arrays)
        return timed(lambda hook: self._ran(lie, self._maker("numpy"), hook=hook))

    def watch(
        self,
        arrays: Sequence[np.ndarray],
        seen: Callable[[str, Callable[[], Sequence[np.ndarray]]], None],
    ) -> None:
        """Run on arrays that fit; tell each kernel's name, and what returns what it wrote."""
        _kept, lie = self._located(arrays)
        watched(lambda hook: self._ran(lie, self._maker("numpy"), hook=hook), seen)

    def _maker(self, kind: Kind) -> Make:
        if kind not in self._makers:
            self._makers[kind] = maker(kind, self._manifest.outputs)
        return self._makers[kind]

    def _located(self, arrays: Sequence[np.ndarray]) -> tuple[list[np.ndarray], list[Located]]:
        """Return arrays that fit as kernels read them, copies where need be, and where they lie."""
        try:
            found = [located(stored(array)) for array in arrays]
        except MemoryError as error:
            raise failure(self._manifest.name, error) from error
        return [array for array, _ in found], [(begin, array.shape) for array, begin in found]

    def _ran(
        self, inputs: Sequence[Located], make: Make, *, share: bool = False, hook: int = 0
    ) -> list[Any]:
        try:
            return self._main.run(inputs, make, share=share, hook=hook)
        except FAILURES as error:
            raise failure(self._manifest.name, error) from error

    def _restored(self, outputs: Sequence[np.ndarray]) -> list[np.ndarray]:
        pairs = zip(outputs, self._manifest.outputs, strict=True)
        return [restored(output, spec.dtype) for output, spec in pairs]


def _nbytes(tensor: Any) -> int:
    """Return how many bytes an array or a tensor of torch's has."""
    return int(tensor.nbytes)
