"""Loading and calling compiled models. Needs TVM's runtime, and never imports its compiler."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import tvm_ffi

from tvmfuse.arrays import CPU, as_array, as_tensor, moved_to, restored, stored
from tvmfuse.errors import DamagedArtifactError, InputError
from tvmfuse.format.file import check_contents, inspect, open_artifact, read_builds
from tvmfuse.format.signature import check_open
from tvmfuse.manifest import Manifest
from tvmfuse.out_of_memory import is_out_of_memory
from tvmfuse.runtime.apart import check_apart, check_shares
from tvmfuse.runtime.arguments import Arguments
from tvmfuse.runtime.compatibility import first_that_runs
from tvmfuse.runtime.failures import FAILURES, failure
from tvmfuse.runtime.feeds import check_feeds, check_output_names
from tvmfuse.runtime.library import open_program
from tvmfuse.runtime.own_process import OfThisProcess
from tvmfuse.runtime.results import Kind, as_kind, checked_kind, kind_of, listed
from tvmfuse.runtime.threads import Workers, check_threads
from tvmfuse.runtime.timed_run import TimedRun, timed_run
from tvmfuse.runtime.virtual_machine import Machines, Program, Timed
from tvmfuse.tensor_spec import TensorSpec

__all__ = ["Executable", "inspect", "load"]


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
        num_threads: How many threads compute one call, at most one for each CPU: the one that makes
            it, and workers that all such calls share. By default one for each physical core.
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
        builds = read_builds(file, name)
        build = builds[first_that_runs([build.manifest for build in builds], name)]
        check_contents(file, build, name)
        program = open_program(file, build, name)
    return Executable(build.manifest, program, num_threads=num_threads, spin=spin)


class Executable(OfThisProcess):
    """A model that can be called, from any number of threads at once.

    After `os.fork` it works in the child as well, on worker threads of the child's own. On a GPU it
    does not: there the child has to load the model itself.

    Attributes:
        manifest: What the model says of itself.
        program: Its machine code.
        is_direct: Whether `call_into` can be called.
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
        self.manifest, self.program = manifest, program
        self._machines = Machines(program, Workers(num_threads, spin=spin), manifest)
        device, taken = program.device, set(manifest.shared.values())
        defaults = [moved_to(tensor, device) for tensor in program.defaults]
        further = () if program.direct is None else program.beside_inputs(self.outputs)
        self.is_direct = program.direct is not None
        self._arguments = Arguments(self.inputs, self.overridable, defaults, device, further)
        self._count: int | None = None  # as a run has shown
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
        outputs = self._call_sharing(tensors) if share else self._call(tensors)
        return [self._result(place, output, kind) for place, output in enumerate(outputs)]

    def call_known(self, tensors: Sequence[Any], /) -> list[Any] | None:
        """Run the model if a glance at its inputs is enough, with as little as can be around it.

        Args:
            tensors: One for each input, in the model's order: TVM's, or torch's whose numbers are
                those in memory (`torch.Tensor.is_neg` is not asked).

        Returns:
            What `call` does, torch's tensors if one of those is, else TVM's. None where it has to
            be asked: no earlier call was given tensors like these.
        """
        outputs = self._run_known(tensors)
        if outputs is None or not self.program.aliased_outputs:
            return outputs
        kind: Kind = "tvm" if isinstance(outputs[0], tvm_ffi.Tensor) else "torch"
        return [self._result(place, output, kind) for place, output in enumerate(outputs)]

    def call_into(self, tensors: Sequence[Any], results: Sequence[Any], /) -> bool:
        """Run the model likewise, and write its outputs into tensors that share no memory.

        Returns:
            Whether that was done. Else `call` has to be asked.
        """
        try:
            return self._machines.run_direct(tensors, results, self._arguments.known_direct)
        except (*FAILURES, BufferError) as error:
            if self._arguments.are_known(tensors):
                raise failure(self.manifest.name, error) from error
            return False

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
        return {
            spec.name: self._result(place, output, "numpy")
            for place, (spec, output) in enumerate(zip(self.outputs, outputs, strict=True))
        }

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
                raise failure(self.manifest.name, error) from error

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
        return timed_run(self.manifest.kernels, self._timed(self._tensors(feeds)))

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
                raise failure(self.manifest.name, error) from error
            raise  # `seen` may raise whatever it likes

    def __repr__(self) -> str:
        takes, gives = (", ".join(map(str, s)) for s in (self.inputs, self.outputs))
        return f"Executable({self.manifest.name!r}, ({takes}) -> ({gives}))"

    def _tensors(self, feeds: Mapping[str, Any]) -> list[tvm_ffi.Tensor]:
        names = (spec.name for spec in self.overridable)
        defaults = dict(zip(names, self.program.defaults, strict=True))
        if defaults and isinstance(feeds, Mapping):
            feeds = {**defaults, **feeds}
        try:
            arrays = check_feeds((*self.inputs, *self.overridable), feeds)
            return [moved_to(as_tensor(stored(a)), self.program.device) for a in arrays]
        except (RuntimeError, MemoryError) as error:
            raise failure(self.manifest.name, error) from error

    def _timed(self, tensors: Sequence[Any]) -> Timed:
        try:
            return self._machines.timed(tensors)
        except FAILURES as error:
            raise failure(self.manifest.name, error) from error

    def _call(self, tensors: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        """Run the model on tensors that are checked, unless they are like those of another call."""
        quick = self._arguments.at_a_glance(tensors)
        outputs = None if quick is None else self._run_known(quick)
        return self._run(self._checked(tensors)) if outputs is None else outputs

    def _run_known(self, tensors: Sequence[Any]) -> list[Any] | None:
        try:
            outputs = self._machines.run(tensors, known=self._arguments.known)
        except (*FAILURES, BufferError) as error:
            if self._arguments.are_known(tensors):
                raise failure(self.manifest.name, error) from error
            return None  # a tensor that has no memory, a sparse one say
        return None if outputs is None else listed(outputs, self._count)

    def _call_sharing(self, tensors: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        """Run the model, which writes into the memory of inputs."""
        check_shares(self.manifest)
        quick = self._arguments.at_a_glance(tensors)
        are_known = quick is not None and self._arguments.are_known(quick)
        arguments = quick if quick is not None and are_known else self._checked(tensors)
        check_apart((*self.inputs, *self.overridable), arguments, self._overwritten)
        return self._run(arguments, share=True)

    def _checked(self, tensors: Sequence[Any] | Mapping[str, Any]) -> Sequence[Any]:
        try:
            return self._arguments.closely(tensors)
        except (RuntimeError, MemoryError) as error:
            raise failure(self.manifest.name, error) from error

    def _run(self, tensors: Sequence[Any], *, share: bool = False) -> list[Any]:
        try:
            outputs = listed(self._machines.run(tensors, share=share))
        except FAILURES as error:
            raise failure(self.manifest.name, error) from error
        if len(outputs) != len(self.manifest.outputs):
            raise DamagedArtifactError(
                f"{self.manifest.name} says that it returns {len(self.manifest.outputs)} tensors, "
                f"and returned {len(outputs)}; compile the model again"
            )
        self._count = len(outputs)
        return outputs

    def _result(self, place: int, output: tvm_ffi.Tensor, kind: Kind) -> Any:
        try:
            result = as_kind(output, kind, copy=place in self.program.aliased_outputs)
            return restored(result, self.outputs[place].dtype) if kind == "numpy" else result
        except (RuntimeError, MemoryError) as error:
            raise failure(self.manifest.name, error) from error
