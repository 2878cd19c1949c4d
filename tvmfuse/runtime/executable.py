"""Loading and calling compiled models.

On the CPU that needs numpy alone. TVM's runtime is imported for a GPU, and for tensors of other
libraries than numpy and torch.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from tvmfuse.errors import ConfigurationError, InputError
from tvmfuse.format.file import check_contents, read_builds
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.compatibility import first_that_runs
from tvmfuse.runtime.failures import failure
from tvmfuse.runtime.feeds import check_feeds, check_output_names
from tvmfuse.runtime.mapping import bytes_of, pages_of
from tvmfuse.runtime.on_cpu import OnCpu
from tvmfuse.runtime.own_process import OfThisProcess
from tvmfuse.runtime.results import Kind, checked_kind, kind_of
from tvmfuse.runtime.threads import Workers, check_threads
from tvmfuse.runtime.timed_run import TimedRun, timed_run
from tvmfuse.runtime.whole_file import Open, opened
from tvmfuse.tensor_spec import TensorSpec

if TYPE_CHECKING:
    from tvmfuse.runtime.frame import Located, Make
    from tvmfuse.runtime.on_gpu import OnGpu


def load_library(file: BinaryIO, name: str, *, num_threads: int | None, spin: bool) -> Executable:
    """Load a model in one part from an open file; see `loading.load`."""
    builds = read_builds(file, name)
    build = builds[first_that_runs([build.manifest for build in builds], name)]
    check_contents(pages := pages_of(file), build, name)
    memory = bytes_of(pages)
    runs = opened(memory, build, name)
    executable = Executable(build.manifest, runs, num_threads=num_threads, spin=spin)
    executable.content = memory.tobytes
    return executable


class Executable(OfThisProcess):
    """A model that can be called, from any number of threads at once.

    After `os.fork` it works in the child as well, on worker threads of the child's own. On a GPU it
    does not: there the child has to load the model itself.

    It is pickled by the bytes of its file, and checked as a file is where it is unpickled: with the
    digest or the key that it was loaded with, too. Weights that follow a module's are as they are
    then.

    Args:
        manifest: What the model says of itself.
        runs: Makes what runs it, for the threads that compute.
        num_threads: See `loading.load`.
        spin: The same.

    Attributes:
        manifest: What the model says of itself.
        content: Makes the bytes of its file; None of a part of a model.
        reopen: Loads it from these, in another process; None of a part.
    """

    content: Callable[[], bytes] | None = None
    reopen: Callable[[bytes], Executable] | None = None

    def __init__(
        self,
        manifest: Manifest,
        runs: Open,
        *,
        num_threads: int | None = None,
        spin: bool = True,
    ) -> None:
        check_threads(num_threads)
        self.manifest = manifest
        self._runs: OnCpu | OnGpu = runs(Workers(num_threads, spin=spin))

    def __reduce__(self) -> tuple[Callable[[bytes], Executable], tuple[bytes]]:
        """Return what loads it in another process.

        Raises:
            TypeError: It is a part of a model.
            TvmfuseError: What `Artifact.save` raises, where it is not loaded from a file.
        """
        if self.content is None or self.reopen is None:
            raise TypeError(
                f"cannot pickle {self.manifest.name}, a part of a model that was not loaded by "
                "`tvmfuse.load` or `Artifact.load`: pickle the whole model"
            )
        return self.reopen, (self.content(),)

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
        return self._runs.call(tensors, kind, share=share)

    def call_located(self, inputs: Sequence[Located], make: Make) -> list[Any]:
        """Run the model on tensors of which nothing is checked but their shapes, on the CPU.

        Args:
            inputs: Where each lies and its shape: contiguous, at multiples of 64 bytes, of just the
                dtype that the model states; overridable ones too. They last until it has run.
            make: Makes the results, by their places among the outputs and their shapes.

        Returns:
            The results, as `make` returned them.

        Raises:
            InputError: The shapes do not fit the model.
            ConfigurationError: The model is compiled for a GPU.
        """
        return self.on_cpu.call_located(inputs, make)

    @property
    def on_cpu(self) -> OnCpu:
        """What runs the model on the CPU.

        Raises:
            ConfigurationError: It is compiled for a GPU.
        """
        if not isinstance(self._runs, OnCpu):
            raise ConfigurationError(f"{self.manifest.name} is compiled for a GPU")
        return self._runs

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
        outputs = self._run(self._tensors(given), range(len(self.outputs)))
        return {spec.name: output for spec, output in zip(self.outputs, outputs, strict=True)}

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
        return self._run(self._tensors(feeds), places)

    def bound(self, feeds: Mapping[str, Any]) -> Callable[[], object]:
        """Check the inputs once, and return a function that runs the model on them.

        It leaves out what Python takes to check inputs and make outputs: to time kernels by. One
        thread at a time may call it, and the next call writes over its results.

        Args:
            feeds: The inputs by name. Their memory is read at each run where it can be shared.

        Raises:
            InputError: The inputs do not fit the model.
        """
        return self._runs.bound(self._tensors(feeds))

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
        return timed_run(self.manifest.kernels, self._runs.timed(self._tensors(feeds)))

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
        arrays = self._tensors(feeds)
        launched = Counter(launch.symbol for launch in self._runs.timed(arrays).launches)
        places: dict[str, deque[int]] = {}
        for place, kernel in enumerate(self.manifest.kernels):
            places.setdefault(kernel.symbol, deque()).append(place)
        places = {s: found for s, found in places.items() if len(found) == launched[s]}

        def called(symbol: str, written: Callable[[], Sequence[np.ndarray]]) -> None:
            if places.get(symbol):
                seen(places[symbol].popleft(), written())

        self._runs.watch(arrays, called)

    def __repr__(self) -> str:
        takes, gives = (", ".join(map(str, s)) for s in (self.inputs, self.outputs))
        return f"Executable({self.manifest.name!r}, ({takes}) -> ({gives}))"

    def _tensors(self, feeds: Mapping[str, Any]) -> list[Any]:
        """Return the inputs, checked, then the overridable ones: what is fed, or their defaults."""
        if self.overridable and isinstance(feeds, Mapping):
            names = (spec.name for spec in self.overridable)
            feeds = {**dict(zip(names, self._runs.defaults, strict=True)), **feeds}
        try:
            return check_feeds((*self.inputs, *self.overridable), feeds)
        except (RuntimeError, MemoryError) as error:
            raise failure(self.manifest.name, error) from error

    def _run(self, arrays: Sequence[np.ndarray], places: Sequence[int]) -> list[np.ndarray]:
        """Run the model on arrays that fit; return some outputs."""
        return self._runs.run(arrays, places)
