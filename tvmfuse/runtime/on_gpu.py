"""A model on a GPU: TVM's virtual machines run it, one for each run at the same time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import tvm_ffi

from tvmfuse.arrays import restored, stored
from tvmfuse.errors import CompilationError, DamagedArtifactError, first_line
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.apart import check_shares
from tvmfuse.runtime.arguments import Arguments
from tvmfuse.runtime.failures import FAILURES, failure
from tvmfuse.runtime.feeds import check_shapes
from tvmfuse.runtime.forking import STEPS
from tvmfuse.runtime.hooks import Launch, Timed
from tvmfuse.runtime.results import Kind, as_kind
from tvmfuse.runtime.shared_tensors import checked_tensor
from tvmfuse.runtime.turns import Turns
from tvmfuse.tensors import CPU, as_array, as_tensor, copied_to, moved_to
from tvmfuse.tvm_runtime import runtime_function

#: TVM's kPooled: freed memory is kept for the next call.
POOLED: Final = 2

#: What allocates the tensors that kernels then write; calls of the machine's own start so.
ALLOCATES: Final = "vm.builtin.alloc_tensor"
BUILT_IN: Final = "vm.builtin."

OF_A_GPU: Final = (
    "this model was loaded before the process forked, and a GPU's state stays with the parent: "
    "load it in the child"
)


@dataclass(frozen=True)
class Program:
    """Machine code with the weights it reads.

    Attributes:
        module: TVM's ``relax.VMExecutable``; its `main` takes the inputs, then the weights.
        weights: On `device`.
        device: Where the kernels run.
        aliased_outputs: Indices of the outputs that may share memory with an input, a weight or
            another output.
        defaults: What the manifest's overridable inputs are where they are not fed; on the CPU.
    """

    module: Any
    weights: Sequence[tvm_ffi.Tensor]
    device: tvm_ffi.Device
    aliased_outputs: frozenset[int]
    defaults: Sequence[tvm_ffi.Tensor] = ()


class OnGpu:
    """A model's calls; see `Executable`.

    Args:
        manifest: What it takes and gives.
        program: Its code.

    Attributes:
        defaults: Of its overridable inputs.
    """

    def __init__(self, manifest: Manifest, program: Program) -> None:
        self.defaults = [as_array(tensor) for tensor in program.defaults]
        self._manifest, self._program = manifest, program
        defaults = [moved_to(tensor, program.device) for tensor in program.defaults]
        self._arguments = Arguments(manifest.inputs, manifest.overridable, defaults)
        self._turns = Turns(partial(_machine, program), lambda: None, OF_A_GPU)

    def run(self, arrays: Sequence[np.ndarray], places: Sequence[int]) -> list[np.ndarray]:
        """Run on arrays that fit; return some outputs."""
        outputs = self._ran(self._moved(arrays))
        return [self._result(place, outputs[place], "numpy") for place in places]

    def call(
        self, tensors: Sequence[Any] | Mapping[str, Any], kind: Kind, *, share: bool
    ) -> list[Any]:
        """Run on tensors; return the outputs as tensors of a kind."""
        if share:
            check_shares(self._manifest)
        specs = (*self._manifest.inputs, *self._manifest.overridable)
        pairs = zip(specs, self._arguments.in_order(tensors), strict=True)
        given = [checked_tensor(spec, tensor, self._program.device) for spec, tensor in pairs]
        check_shapes(specs, [tuple(tensor.shape) for tensor in given])
        outputs = self._ran(given)
        return [self._result(place, output, kind) for place, output in enumerate(outputs)]

    def bound(self, arrays: Sequence[np.ndarray]) -> Callable[[], object]:
        """Return a function that runs on arrays that fit."""
        given = self._moved(arrays)
        return lambda: self._ran(given)

    def timed(self, arrays: Sequence[np.ndarray]) -> Timed:
        """Run on arrays that fit; return each kernel's time."""
        given, found, begin = self._moved(arrays), list[tuple[str, int, int]](), 0
        # A GPU's kernels have only begun when their launch returns.
        wait = partial(runtime_function("runtime.Device_StreamSync"), self._program.device, 0)

        def called(_: object, name: str, before: bool, *__: object) -> int:  # noqa: FBT001
            nonlocal begin
            if before:
                begin = time.perf_counter_ns()
            else:
                wait()
                found.append((name, begin, time.perf_counter_ns()))
            return 0

        first = time.perf_counter_ns()
        self._ran(given, called)
        last = time.perf_counter_ns()
        launches = [Launch(n, (b - first) / 1e6, (end - b) / 1e6) for n, b, end in found]
        return Timed(first, (last - first) / 1e6, launches)

    def watch(
        self,
        arrays: Sequence[np.ndarray],
        seen: Callable[[str, Callable[[], Sequence[np.ndarray]]], None],
    ) -> None:
        """Run on arrays that fit; tell each kernel's name, and what returns what it wrote."""
        unwritten, raised = dict[tvm_ffi.Tensor, None](), list[BaseException]()

        def called(
            _: object,
            name: str,
            before: bool,  # noqa: FBT001
            result: object,
            *args: object,
        ) -> int:
            if before or raised:
                return 0
            try:
                if name == ALLOCATES and isinstance(result, tvm_ffi.Tensor):
                    unwritten[result] = None
                elif not name.startswith(BUILT_IN):
                    written = _taken_out(unwritten, args)
                    seen(name, lambda: [as_array(moved_to(tensor, CPU)) for tensor in written])
            except BaseException as error:
                raised.append(error)  # TVM makes a RuntimeError of what it does not know.
            return 0

        self._ran(self._moved(arrays), called)
        if raised:
            raise raised[0]

    def _moved(self, arrays: Sequence[np.ndarray]) -> list[tvm_ffi.Tensor]:
        try:
            return [moved_to(as_tensor(stored(array)), self._program.device) for array in arrays]
        except (RuntimeError, MemoryError) as error:
            raise failure(self._manifest.name, error) from error

    def _ran(
        self, tensors: Sequence[tvm_ffi.Tensor], called: Callable[..., int] | None = None
    ) -> list[tvm_ffi.Tensor]:
        """Run on tensors that fit; return all outputs."""
        machine = self._turns.begun()
        try:
            outputs = machine.run(tensors, called)
        except BaseException as error:
            self._turns.dropped(machine)
            if isinstance(error, FAILURES):
                raise failure(self._manifest.name, error) from error
            raise
        self._turns.ended(machine)
        if len(outputs) != len(self._manifest.outputs):
            raise DamagedArtifactError(
                f"{self._manifest.name} says that it returns {len(self._manifest.outputs)} "
                f"tensors, and returned {len(outputs)}; compile the model again"
            )
        return outputs

    def _result(self, place: int, output: tvm_ffi.Tensor, kind: Kind) -> Any:
        try:
            if place in self._program.aliased_outputs:
                output = copied_to(output, output.device)
            result = as_kind(output, kind)
            dtype = self._manifest.outputs[place].dtype
            return restored(result, dtype) if kind == "numpy" else result
        except (RuntimeError, MemoryError) as error:
            raise failure(self._manifest.name, error) from error


class _Machine:
    """One of TVM's virtual machines, with the weights bound."""

    def __init__(self, program: Program) -> None:
        machine = program.module["vm_load_executable"]()
        settings = [
            (d.dlpack_device_type(), d.index, POOLED) for d in dict.fromkeys((program.device, CPU))
        ]
        machine["vm_initialization"](*[number for device in settings for number in device])
        # TVM binds from the last parameter on: `run` takes what is left, the inputs.
        machine["save_function"]("main", "run", 1, *program.weights)
        self._run, self._instrument = machine["run"], machine["set_instrument"]

    def run(
        self, tensors: Sequence[tvm_ffi.Tensor], called: Callable[..., int] | None
    ) -> list[tvm_ffi.Tensor]:
        """Run; `called` is told of each call, before and after it."""
        if called is None:
            outputs = self._run(*tensors)
        else:
            self._instrument(called)
            try:
                outputs = self._run(*tensors)
            finally:
                self._instrument(None)
        return [outputs] if isinstance(outputs, tvm_ffi.Tensor) else [*outputs]


def _machine(program: Program) -> _Machine:
    try:
        with STEPS:
            return _Machine(program)
    except (RuntimeError, ValueError) as error:  # the latter for a function that it lacks
        reason = first_line(error)
        raise CompilationError(f"TVM cannot start the compiled model: {reason}") from error


def _taken_out(
    unwritten: dict[tvm_ffi.Tensor, None], args: Sequence[object]
) -> list[tvm_ffi.Tensor]:
    """Return the arguments that nothing wrote before, and forget that."""
    tensors = [arg for arg in args if isinstance(arg, tvm_ffi.Tensor) and arg in unwritten]
    for tensor in tensors:
        del unwritten[tensor]
    return tensors
