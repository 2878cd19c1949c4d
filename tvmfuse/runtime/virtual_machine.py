"""Running a compiled module on TVM's virtual machine, from many threads at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar, TypeVarTuple

import tvm_ffi

from tvmfuse.errors import CompilationError, first_line
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.arguments import Known
from tvmfuse.runtime.choices import InputSize, choosing, input_sizes
from tvmfuse.runtime.direct import Direct
from tvmfuse.runtime.forking import STEPS
from tvmfuse.runtime.live_weights import LiveWeights
from tvmfuse.runtime.out_of_range import refuse
from tvmfuse.runtime.quick_functions import functions
from tvmfuse.runtime.threads import Workers
from tvmfuse.runtime.turns import Turns
from tvmfuse.tensor_spec import TensorSpec
from tvmfuse.tensors import CPU, empty
from tvmfuse.tvm_runtime import REFUSES, runtime_function

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

# Kernels call it by its name.
tvm_ffi.register_global_func(REFUSES, refuse, override=True)

#: TVM's kPooled: freed memory is kept for the next call.
POOLED: Final = 2

#: The function beside `main` that writes some outputs into the memory of inputs.
IN_PLACE: Final = "main_in_place"

#: The one whose loops the machine runs itself, so that each kernel is a call of its own.
WATCHED: Final = "main_watched"

#: All functions that take the inputs, then the weights.
TAKE_WEIGHTS: Final = ("main", IN_PLACE, WATCHED)

#: The one that takes weights, and refuses them where they are not what these rely on.
CHECK_WEIGHTS: Final = "main_check_weights"

#: What allocates the tensors that kernels then write, the large ones and those whose sizes only a
#: run tells by code of ours; calls of the machine's own start so.
ALLOCATES: Final = "vm.builtin.alloc_tensor"
ALLOCATES_LARGE: Final = "tvmfuse_tensor"
ALLOCATES_SIZED: Final = "tvmfuse_sized_tensor"
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
        sha256: Of the file that it came from; empty if it came from none.
        shares: Whether the module has the function `IN_PLACE`, too.
        live: What replaces weights that follow from parameters of the caller's; None if none do.
        direct: What writes results where it is told; None where the module has no such function.
    """

    module: Any
    weights: Sequence[tvm_ffi.Tensor]
    device: tvm_ffi.Device
    aliased_outputs: frozenset[int]
    defaults: Sequence[tvm_ffi.Tensor] = ()
    sha256: str = ""
    shares: bool = False
    live: LiveWeights | None = None
    direct: Direct | None = None

    def beside_inputs(self, outputs: Sequence[TensorSpec]) -> list[tvm_ffi.Tensor]:
        """Return what a direct call takes beside inputs, or what is like that."""
        assert self.direct is not None
        results = [empty(tuple(map(int, spec.shape)), spec.dtype) for spec in outputs]
        return [*self.weights, *results, self.direct.memory()]


@dataclass(frozen=True)
class Launch:
    """One call of a function by the virtual machine.

    Attributes:
        symbol: The function's name.
        begin: Milliseconds after the run's begin.
        milliseconds: What it took.
    """

    symbol: str
    begin: float
    milliseconds: float


@dataclass(frozen=True)
class Timed:
    """One run: its begin by `time.perf_counter_ns`, what it took, and its calls in order."""

    begin_ns: int
    milliseconds: float
    launches: Sequence[Launch]


class Machines:
    """Virtual machines over one program: as many as ever ran at once.

    TVM's machine is not thread-safe; machines over one program share its code and weights.
    """

    def __init__(
        self, program: Program, workers: Workers, manifest: Manifest | None = None
    ) -> None:
        """Make the first machine.

        Args:
            program: What runs.
            workers: Which threads compute.
            manifest: For which sizes of inputs there may be code of its own; by default for none.
        """
        self._program = program
        self._sizes: list[list[InputSize]] = []
        if manifest is not None:
            self._sizes = [[*input_sizes(manifest.inputs, some)] for some in manifest.specialized]
        in_child = "" if program.device == CPU else OF_A_GPU
        self._turns = Turns(self._make, workers, in_child)

    def run(self, inputs: Sequence[Any], *, known: Known | None = None, share: bool = False) -> Any:
        """Return what `main` returns for these inputs, as `results.listed` takes it.

        Args:
            inputs: Of the model: TVM's tensors or torch's.
            known: What they have to be like; by default they are checked already.
            share: Whether outputs are written into the inputs that they continue; the program has
                to have such.

        Returns:
            TVM's array of the outputs, or the one that there is: torch's tensors if one of the
            inputs is, else TVM's. None if the inputs are unlike all that is known.

        Raises:
            ArtifactError: The process is a fork of the one that loaded the program.
        """
        return self._on_machine(_Machine.run, inputs, known, share)

    def run_direct(self, inputs: Sequence[Any], results: Sequence[Any], known: Known) -> bool:
        """Write what `main` returns for these inputs into tensors; the program has to be `direct`.

        Args:
            inputs: Of the model: TVM's tensors or torch's.
            results: One for each output.
            known: What the inputs, weights, results and `memory` have to be like.

        Returns:
            Whether they are; else nothing was written.

        Raises:
            ArtifactError: The process is a fork of the one that loaded the program.
        """
        return self._on_machine(_Machine.run_direct, inputs, results, known)

    def timed(self, inputs: Sequence[tvm_ffi.Tensor]) -> Timed:
        """Run `main`, and return each kernel that it launched, in order.

        Raises:
            ArtifactError: The process is a fork of the one that loaded the program.
        """
        return self._on_machine(_Machine.timed, inputs)

    def watch(
        self,
        inputs: Sequence[tvm_ffi.Tensor],
        seen: Callable[[str, Sequence[tvm_ffi.Tensor]], None],
    ) -> None:
        """Run `main`; tell each function's name, and what it wrote, before the next one runs.

        The tensors are the machine's: the next kernel may write over them.

        Raises:
            ArtifactError: The process is a fork of the one that loaded the program.
        """
        self._on_machine(_Machine.watch, inputs, seen)

    def _on_machine(self, work: Callable[[_Machine, *Ts], T], *args: *Ts) -> T:
        machine = self._turns.begun()
        try:
            result = work(machine, *args)
        except BaseException:
            self._turns.dropped(machine)
            raise
        self._turns.ended(machine)
        return result

    def _make(self) -> _Machine:
        try:
            with STEPS:
                return _Machine(self._program, self._sizes)
        except (RuntimeError, ValueError) as error:  # the latter for a function that it lacks
            reason = first_line(error)
            raise CompilationError(f"TVM cannot start the compiled model: {reason}") from error


class _Machine:
    """One of TVM's virtual machines, with the weights bound."""

    def __init__(self, program: Program, sizes: Sequence[Sequence[InputSize]]) -> None:
        machine = program.module["vm_load_executable"]()
        devices = [program.device] if program.device == CPU else [program.device, CPU]
        settings = [(d.dlpack_device_type(), d.index, POOLED) for d in devices]
        machine["vm_initialization"](*[number for device in settings for number in device])
        self._machine = machine
        self._program, self._live, self._sizes = program, program.live, sizes
        self._direct = program.direct
        self._memory = None if self._direct is None else self._direct.memory()
        self._bound = -1
        self.bind()
        self._instrument: Callable[[Callable[..., int] | None], None] = machine["set_instrument"]
        self._call = functions().call
        # A GPU's kernels have only begun when their launch returns.
        self._wait: Callable[[], object] = _accept
        if program.device != CPU:
            self._wait = partial(runtime_function("runtime.Device_StreamSync"), program.device, 0)

    def bind(self) -> None:
        """Take the weights where they lie now."""
        version = 0 if self._live is None else self._live.version
        if version == self._bound:
            return
        machine, weights = self._machine, self._program.weights
        check: Callable[..., object] = _accept
        with suppress(AttributeError):  # that there are no weights, or each run checks them
            check = machine[CHECK_WEIGHTS]
        check(*weights)
        # TVM binds from the last parameter on: `run` takes what is left, the inputs.
        machine["save_function"]("main", "run", 1, *weights)
        self._main: Callable[..., Sequence[tvm_ffi.Tensor]] = machine["run"]
        self._watched = self._in_place = self._main
        if self._program.shares:
            machine["save_function"](IN_PLACE, "run_in_place", 1, *weights)
            self._in_place = machine["run_in_place"]
        # To ask for what is not there is an error, of which TVM's runtime takes a backtrace: among
        # torch's symbols that takes half a second.
        if machine.implements_function(WATCHED):
            machine["save_function"](WATCHED, "run_watched", 1, *weights)
            self._watched = machine["run_watched"]
        self._main = choosing(machine, self._main, self._sizes, weights)
        self._bound = version

    def run(self, inputs: Sequence[Any], known: Known | None, share: bool) -> Any:  # noqa: FBT001
        if self._live is not None and self._live.version != self._bound:
            self.bind()
        function = self._in_place if share else self._main
        return self._call(0 if known is None else known[0], function, *inputs)

    def run_direct(self, inputs: Sequence[Any], results: Sequence[Any], known: Known) -> bool:
        assert self._direct is not None
        if self._live is not None and self._live.version != self._bound:
            self.bind()
        weights = self._program.weights
        given = (*inputs, *weights, *results, self._memory)
        return self._call(known[0], self._direct.call, *given) is not None

    def timed(self, inputs: Sequence[tvm_ffi.Tensor]) -> Timed:
        self.bind()
        found: list[tuple[str, int, int]] = []
        begin = 0

        def called(_: object, name: str, before: bool, *__: object) -> int:  # noqa: FBT001
            nonlocal begin
            if before:
                begin = time.perf_counter_ns()
            else:
                self._wait()
                found.append((name, begin, time.perf_counter_ns()))
            return 0

        self._instrument(called)
        first = time.perf_counter_ns()
        try:
            self._watched(*inputs)
        finally:
            last = time.perf_counter_ns()
            self._instrument(None)
        launches = [Launch(n, (b - first) / 1e6, (end - b) / 1e6) for n, b, end in found]
        return Timed(first, (last - first) / 1e6, launches)

    def watch(
        self,
        inputs: Sequence[tvm_ffi.Tensor],
        seen: Callable[[str, Sequence[tvm_ffi.Tensor]], None],
    ) -> None:
        self.bind()
        unwritten: dict[tvm_ffi.Tensor, None] = {}
        raised: list[BaseException] = []

        def called(
            _: object,
            name: str,
            before: bool,  # noqa: FBT001
            result: object,
            *args: object,
        ) -> int:
            try:
                allocates = name in (ALLOCATES, ALLOCATES_LARGE, ALLOCATES_SIZED)
                if not before and allocates and isinstance(result, tvm_ffi.Tensor):
                    unwritten[result] = None
                elif not before and not name.startswith(BUILT_IN):
                    seen(name, _taken_out(unwritten, args))
            except BaseException as error:
                raised.append(error)  # TVM makes a RuntimeError of what it does not know.
                raise
            return 0

        self._instrument(called)
        try:
            self._watched(*inputs)
        except RuntimeError:
            if raised:
                raise raised[0] from None
            raise
        finally:
            self._instrument(None)


def _accept(*_: object) -> None:
    """Refuse nothing."""


def _taken_out(
    unwritten: dict[tvm_ffi.Tensor, None], args: Sequence[object]
) -> list[tvm_ffi.Tensor]:
    """Return the arguments that nothing wrote before, and forget that."""
    tensors = [arg for arg in args if isinstance(arg, tvm_ffi.Tensor) and arg in unwritten]
    for tensor in tensors:
        del unwritten[tensor]
    return tensors
