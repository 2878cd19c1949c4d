"""Calls of a model on TVM's virtual machine: tensors of any library, and what watches kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import tvm_ffi

from tvmfuse.arrays import stored
from tvmfuse.errors import DamagedArtifactError
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.apart import check_apart, check_shares
from tvmfuse.runtime.arguments import Arguments
from tvmfuse.runtime.failures import FAILURES, failure
from tvmfuse.runtime.results import listed
from tvmfuse.runtime.threads import Workers
from tvmfuse.runtime.virtual_machine import Machines, Program, Timed
from tvmfuse.tensors import CPU, as_array, as_tensor, moved_to


class MachineCalls:
    """A program on virtual machines, which any number of threads may call.

    Attributes:
        program: What runs.
        arguments: What it takes.
    """

    def __init__(self, manifest: Manifest, program: Program, workers: Workers) -> None:
        self._manifest, self.program = manifest, program
        self._machines = Machines(program, workers, manifest)
        device, taken = program.device, set(manifest.shared.values())
        defaults = [moved_to(tensor, device) for tensor in program.defaults]
        further = () if program.direct is None else program.beside_inputs(manifest.outputs)
        specs = manifest.inputs, manifest.overridable
        self.arguments = Arguments(*specs, defaults, device, further)
        self._count: int | None = None  # as a run has shown
        self._overwritten = {i for i, spec in enumerate(manifest.inputs) if spec.name in taken}

    def tensors(self, arrays: Sequence[np.ndarray]) -> list[tvm_ffi.Tensor]:
        """Return checked arrays as the machine takes them.

        Raises:
            TvmfuseError: There is no memory for a copy.
        """
        try:
            return [moved_to(as_tensor(stored(a)), self.program.device) for a in arrays]
        except (RuntimeError, MemoryError) as error:
            raise failure(self._manifest.name, error) from error

    def call(self, tensors: Sequence[Any] | Mapping[str, Any], *, share: bool) -> list[Any]:
        """Run on tensors that are checked, unless they are like those of another call.

        Args:
            tensors: See `Executable.call`.
            share: Whether outputs take the memory of inputs.
        """
        if share:
            return self._call_sharing(tensors)
        quick = self.arguments.at_a_glance(tensors)
        outputs = None if quick is None else self.run_known(quick)
        return self.run(self._checked(tensors)) if outputs is None else outputs

    def _call_sharing(self, tensors: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        """Run, and write into the memory of inputs."""
        check_shares(self._manifest)
        quick = self.arguments.at_a_glance(tensors)
        are_known = quick is not None and self.arguments.are_known(quick)
        arguments = quick if quick is not None and are_known else self._checked(tensors)
        specs = (*self._manifest.inputs, *self._manifest.overridable)
        check_apart(specs, arguments, self._overwritten)
        return self.run(arguments, share=True)

    def run(self, tensors: Sequence[Any], *, share: bool = False) -> list[Any]:
        """Run on tensors that fit; return all outputs."""
        try:
            outputs = listed(self._machines.run(tensors, share=share))
        except FAILURES as error:
            raise failure(self._manifest.name, error) from error
        if len(outputs) != len(self._manifest.outputs):
            raise DamagedArtifactError(
                f"{self._manifest.name} says that it returns {len(self._manifest.outputs)} "
                f"tensors, and returned {len(outputs)}; compile the model again"
            )
        self._count = len(outputs)
        return outputs

    def run_known(self, tensors: Sequence[Any]) -> list[Any] | None:
        """Run on tensors if they are like those of an earlier call; else return None."""
        try:
            outputs = self._machines.run(tensors, known=self.arguments.known)
        except (*FAILURES, BufferError) as error:
            if self.arguments.are_known(tensors):
                raise failure(self._manifest.name, error) from error
            return None  # a tensor that has no memory, a sparse one say
        return None if outputs is None else listed(outputs, self._count)

    def run_direct(self, tensors: Sequence[Any], results: Sequence[Any]) -> bool:
        """Run likewise, and write outputs into tensors; return whether that was done."""
        try:
            return self._machines.run_direct(tensors, results, self.arguments.known_direct)
        except (*FAILURES, BufferError) as error:
            if self.arguments.are_known(tensors):
                raise failure(self._manifest.name, error) from error
            return False

    def bound(self, tensors: Sequence[Any]) -> Callable[[], object]:
        """Return a function that runs on tensors that fit."""
        run = self._machines.run

        def once() -> object:
            try:
                return run(tensors)
            except FAILURES as error:
                raise failure(self._manifest.name, error) from error

        return once

    def timed(self, tensors: Sequence[tvm_ffi.Tensor]) -> Timed:
        """Run, and return each kernel that was launched."""
        try:
            return self._machines.timed(tensors)
        except FAILURES as error:
            raise failure(self._manifest.name, error) from error

    def watch(
        self,
        tensors: Sequence[tvm_ffi.Tensor],
        seen: Callable[[str, Callable[[], list[np.ndarray]]], None],
    ) -> None:
        """Run; tell each function's name, and what returns the arrays that it wrote."""

        def called(symbol: str, written: Sequence[tvm_ffi.Tensor]) -> None:
            seen(symbol, lambda: [as_array(moved_to(tensor, CPU)) for tensor in written])

        self._machines.watch(tensors, called)

    def _checked(self, tensors: Sequence[Any] | Mapping[str, Any]) -> Sequence[Any]:
        try:
            return self.arguments.closely(tensors)
        except (RuntimeError, MemoryError) as error:
            raise failure(self._manifest.name, error) from error
