"""Loading and calling compiled models. Needs TVM's runtime, and never imports its compiler."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import tvm_ffi

from tvmfuse.arrays import CPU, as_array, as_tensor, moved_to, restored, stored
from tvmfuse.errors import (
    CompilationError,
    DamagedArtifactError,
    InputError,
    OutOfMemoryError,
    TvmfuseError,
    first_line,
)
from tvmfuse.format.file import check_contents, inspect, open_artifact, read_index
from tvmfuse.format.signature import check_open
from tvmfuse.manifest import Kernel, Manifest, TensorSpec
from tvmfuse.out_of_memory import is_out_of_memory
from tvmfuse.runtime.apart import check_apart, check_shares
from tvmfuse.runtime.arguments import Arguments
from tvmfuse.runtime.compatibility import Host, check_runs_on
from tvmfuse.runtime.feeds import check_feeds, check_output_names
from tvmfuse.runtime.library import open_program
from tvmfuse.runtime.results import Kind, as_kind, checked_kind, kind_of
from tvmfuse.runtime.threads import Workers, check_threads
from tvmfuse.runtime.virtual_machine import Machines, Program, Timed

__all__ = ["Executable", "inspect", "load"]

#: What TVM says where a shape that shows as the model runs is not the one that follows from others.
MISMATCH: Final = "ErrorContext(match_cast"
#: What TVM and numpy raise where a run fails, or a copy for it.
FAILURES: Final = (RuntimeError, ValueError, TypeError, MemoryError)


def load(
    path: str | os.PathLike[str],
    *,
    num_threads: int | None = None,
    spin: bool = True,
    sha256: str | None = None,
    key: str | os.PathLike[str] | None = None,
) -> Executable:
    """Load a model that `Artifact.save` wrote.

    The file is checked as a whole before any of its code is touched. Its weights are mapped, so
    that processes which load the same file share them in memory.

    Args:
        path: The file; its name does not matter.
        num_threads: How many threads compute one call, at most one for each CPU: the thread that
            makes it, and workers that all calls with that number share. By default one for each
            physical core.
        spin: Whether a worker may wait actively for its next piece of work, for at most 1 ms, as
            long as it finds that nobody else wants its core.
        sha256: What the file's SHA-256 has to be, in hexadecimal; see `signature.verify`.
        key: The public key that has to have signed it, an ed25519 one in PEM; the signature lies
            beside the file. Takes the extra `sign`.

    Raises:
        ArtifactError: The file cannot be read.
        UnverifiedArtifactError: It has another SHA-256, or is not signed by this key.
        DamagedArtifactError: It is truncated, altered or no tvmfuse file.
        IncompatibleArtifactError: It needs another TVM, CPU features or a GPU that is not there.
    """
    name = str(path)
    with open_artifact(path) as file:
        if not (sha256 is None and key is None):
            check_open(file, name, sha256=sha256, key=key)
        index = read_index(file, name)
        check_runs_on(Host.here(index.manifest), index.manifest, name)
        check_contents(file, index, name)
        program = open_program(file, index, name)
    return Executable(index.manifest, program, num_threads=num_threads, spin=spin)


def _next(calls: deque[Kernel]) -> Kernel:
    """Take the next one of a kernel's calls; the last one stays."""
    return calls.popleft() if len(calls) > 1 else calls[0]


@dataclass(frozen=True)
class TimedRun:
    """One run, timed kernel by kernel.

    Attributes:
        milliseconds: What the whole took.
        launches: Each kernel that ran, in order; the milliseconds after which it began, and those
            that it took.
    """

    milliseconds: float
    launches: Sequence[tuple[Kernel, float, float]]


class Executable:
    """A model that can be called, from any number of threads at once.

    After `os.fork` it works in the child as well, on worker threads of the child's own. On a GPU it
    does not: there the child has to load the model itself.

    Attributes:
        manifest: What the model says of itself.
    """

    def __init__(
        self,
        manifest: Manifest,
        program: Program,
        *,
        num_threads: int | None = None,
        spin: bool = True,
    ) -> None:
        check_threads(num_threads)
        self.manifest = manifest
        self._program = program
        self._machines = Machines(program, Workers(num_threads, spin=spin))
        defaults = [moved_to(tensor, program.device) for tensor in program.defaults]
        self._arguments = Arguments(self.inputs, self.overridable, defaults, program.device)
        taken = set(manifest.shared.values())
        self._overwritten = {i for i, spec in enumerate(self.inputs) if spec.name in taken}

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """Names, dtypes and shapes of the inputs, in the model's order."""
        return self.manifest.inputs

    @property
    def overridable(self) -> tuple[TensorSpec, ...]:
        """The further inputs: initializers, whose values are taken where nothing is fed."""
        return self.manifest.overridable

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """Names, dtypes and shapes of the outputs, in the model's order."""
        return self.manifest.outputs

    def call(
        self,
        tensors: Sequence[Any] | Mapping[str, Any],
        /,
        *,
        like: Kind | None = None,
        share: bool = False,
    ) -> list[Any]:
        """Run the model on tensors that lie on its device, without copying them.

        The numbers are read where they are; a tensor that is not aligned to 64 bytes, or an array
        that must not be written to, which DLPack does not pass on, is copied first.

        Args:
            tensors: One for each input in the model's order, then for as many of the overridable
                ones as there are; or a mapping from names. Each is a numpy array, a torch tensor,
                TVM's, or another one with ``__dlpack__``, of just the dtype and shape that the
                model states, contiguous, on the device that it was compiled for. Of a torch tensor
                that requires gradients the numbers are taken, and nothing is recorded.
            like: What the outputs are: "numpy" (on the CPU), "torch" or "tvm" (both on the
                model's device); by default what the first input is, and numpy without inputs.
                Of a type that has no kernels, such as float8 or int4, numpy's arrays are of
                ml_dtypes', and the others hold its bytes; see `narrow_types`.
            share: Whether the outputs that `manifest.shared` names take the memory of their inputs:
                a cache is not copied, and its tensor holds the new rows after the call. So these
                inputs are overwritten. One that has to be copied first stays as it is, and its
                output has the copy's memory; fed back, that is not copied again.

        Returns:
            All outputs in order. They belong to the caller: no later call changes them but one with
            `share` that is given them.

        Raises:
            InputError: The tensors do not fit the model, or one that is to be overwritten shares
                memory with another one.
            ConfigurationError: `like` is none of these, or torch is not installed; or no output can
                share memory.
        """
        kind = kind_of(tensors) if like is None else checked_kind(like)
        if share:
            check_shares(self.manifest)
        try:
            arguments = self._arguments(tensors)
        except (RuntimeError, MemoryError) as error:
            raise self._failure(error) from error
        if share:
            check_apart((*self.inputs, *self.overridable), arguments, self._overwritten)
        outputs = self._run(arguments, share=share)
        return [self._result(i, outputs[i], kind) for i in range(len(self.outputs))]

    def __call__(
        self, feeds: Mapping[str, Any] | None = None, /, **named: Any
    ) -> dict[str, np.ndarray]:
        """Run the model.

        Args:
            feeds: The inputs by name; see `feeds.check_feeds` for what an input may be. One that
                is overridable may be left out.
            named: Further inputs, those whose names are Python's, too.

        Returns:
            All outputs by name. They belong to the caller: no later call changes them.

        Raises:
            InputError: The inputs do not fit the model.
        """
        given = {} if feeds is None else feeds
        if isinstance(given, Mapping) and named:
            if twice := given.keys() & named.keys():
                raise InputError(
                    f"input {min(twice)!r} is given twice, in the mapping and by keyword"
                )
            given = {**given, **named}
        outputs = self._run(self._tensors(given))
        names = (spec.name for spec in self.outputs)
        return {name: self._result(i, outputs[i], "numpy") for i, name in enumerate(names)}

    def run(self, output_names: Sequence[str] | None, feeds: Mapping[str, Any]) -> list[np.ndarray]:
        """Run the model, as ONNX Runtime's sessions do.

        Args:
            output_names: Which outputs, in which order; None for all.
            feeds: The inputs by name.

        Raises:
            InputError: The inputs do not fit the model, or it has no such output.
        """
        places: Sequence[int] = range(len(self.outputs))
        if output_names is not None:
            places = check_output_names(self.outputs, output_names)
        outputs = self._run(self._tensors(feeds))
        return [self._result(i, outputs[i], "numpy") for i in places]

    def bound(self, feeds: Mapping[str, Any]) -> Callable[[], object]:
        """Check the inputs once, and return a function that runs the model on them.

        What it leaves out are the microseconds in which Python checks inputs and wraps outputs:
        for timing kernels that take no longer than that.

        Args:
            feeds: The inputs by name. Their memory is read at each run where it can be shared.

        Raises:
            InputError: The inputs do not fit the model.
        """
        tensors = self._tensors(feeds)
        run = self._machines.run

        def once() -> object:
            try:
                return run(tensors)
            except FAILURES as error:
                raise self._failure(error) from error

        return once

    def timed(self, feeds: Mapping[str, Any]) -> TimedRun:
        """Run the model once, and return each kernel that it launched with its time.

        In order, as they stand in the model: what a kernel reads is as near or far as it is in any
        run. Python's clock adds about a microsecond to each. Where an `If` skips one of several
        calls of one function, its nodes are named by the call that did not run; where a loop runs
        it again, by its last call.

        Args:
            feeds: The inputs by name.

        Raises:
            InputError: The inputs do not fit the model.
        """
        kernels = {kernel.symbol: deque[Kernel]() for kernel in self.manifest.kernels}
        for kernel in self.manifest.kernels:
            kernels[kernel.symbol].append(kernel)
        seen = self._timed(self._tensors(feeds))
        return TimedRun(
            seen.milliseconds,
            [
                (_next(kernels[launch.symbol]), launch.begin, launch.milliseconds)
                for launch in seen.launches
                if launch.symbol in kernels
            ],
        )

    def sizes(self, feeds: Mapping[str, Any]) -> dict[str, int]:
        """Return what the symbolic dimensions are for some inputs, by their names.

        Raises:
            InputError: The inputs do not fit the model.
        """
        specs = (*self.inputs, *self.overridable)
        shapes = [tensor.shape for tensor in self._tensors(feeds)]
        return {
            name: int(size)
            for spec, shape in zip(specs, shapes, strict=True)
            for name, size in zip(spec.shape, shape, strict=True)
            if isinstance(name, str)
        }

    def watch(
        self,
        feeds: Mapping[str, Any],
        seen: Callable[[int, Sequence[np.ndarray]], None],
    ) -> None:
        """Run the model once, and show what each kernel wrote before the next one runs.

        Nothing is kept and nothing is compiled differently: these are the kernels of any run. Where
        an `If` skips some of the calls of one kernel, or a loop runs them several times, nobody
        knows which is which: none of them is shown.

        Args:
            feeds: The inputs by name.
            seen: Called with the kernel's index in `manifest.kernels`, and with the arrays that it
                wrote, as they lie in memory. On the CPU they are the machine's own, and hold
                something else once the call returns.

        Raises:
            InputError: The inputs do not fit the model.
        """
        tensors = self._tensors(feeds)
        launched = Counter(launch.symbol for launch in self._timed(tensors).launches)
        places: dict[str, deque[int]] = {}
        for place, kernel in enumerate(self.manifest.kernels):
            places.setdefault(kernel.symbol, deque()).append(place)
        places = {s: found for s, found in places.items() if len(found) == launched[s]}

        def called(symbol: str, written: Sequence[tvm_ffi.Tensor]) -> None:
            if places.get(symbol):
                arrays = [as_array(moved_to(tensor, CPU)) for tensor in written]
                seen(places[symbol].popleft(), arrays)

        try:
            self._machines.watch(tensors, called)
        except FAILURES as error:
            if is_out_of_memory(error):
                raise self._failure(error) from error
            raise  # `seen` may raise whatever it likes

    def __repr__(self) -> str:
        takes, gives = (", ".join(map(str, s)) for s in (self.inputs, self.outputs))
        return f"Executable({self.manifest.name!r}, ({takes}) -> ({gives}))"

    def _tensors(self, feeds: Mapping[str, Any]) -> list[tvm_ffi.Tensor]:
        names = (spec.name for spec in self.overridable)
        defaults = dict(zip(names, self._program.defaults, strict=True))
        if defaults and isinstance(feeds, Mapping):
            feeds = {**defaults, **feeds}
        try:
            arrays = check_feeds((*self.inputs, *self.overridable), feeds)
            return [moved_to(as_tensor(stored(a)), self._program.device) for a in arrays]
        except (RuntimeError, MemoryError) as error:
            raise self._failure(error) from error

    def _timed(self, tensors: Sequence[Any]) -> Timed:
        try:
            return self._machines.timed(tensors)
        except FAILURES as error:
            raise self._failure(error) from error

    def _run(self, tensors: Sequence[Any], *, share: bool = False) -> Sequence[Any]:
        try:
            outputs = self._machines.run(tensors, share=share)
        except FAILURES as error:
            raise self._failure(error) from error
        if len(outputs) != len(self.manifest.outputs):
            raise DamagedArtifactError(
                f"{self.manifest.name} says that it returns {len(self.manifest.outputs)} tensors, "
                f"and returned {len(outputs)}; compile the model again"
            )
        return outputs

    def _result(self, place: int, output: tvm_ffi.Tensor, kind: Kind) -> Any:
        try:
            result = as_kind(output, kind, copy=place in self._program.aliased_outputs)
            return restored(result, self.outputs[place].dtype) if kind == "numpy" else result
        except (RuntimeError, MemoryError) as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> TvmfuseError:
        """Return what a failure says, in words of ours."""
        name, reason = self.manifest.name, first_line(error)
        if is_out_of_memory(error):
            return OutOfMemoryError(
                f"{name} ran out of memory on inputs of these sizes: {reason}; "
                "the model is as it was: free memory, or feed it less"
            )
        if MISMATCH in reason:
            return InputError(
                f"{name}: what it computes of these inputs asks for a shape that it cannot have "
                f"({reason}): do sizes and indices fit each other?"
            )
        return CompilationError(f"{name} failed as it ran, on inputs that fit it: {reason}")
