"""The last stage: a module of scheduled kernels becomes machine code that can run or be saved."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Protocol

import numpy as np
import tvm
from tvm import IRModule, relax, tirx
from tvm.ir import GlobalVar
from tvm.relax.backend.cpu_generic import pipeline
from tvm.target import Target
from tvm_ffi import structural_hash

from tvmfuse import _tvm
from tvmfuse.arrays import CPU, as_array, as_tensor
from tvmfuse.background import interruptible
from tvmfuse.build import cuda_code
from tvmfuse.build.aliasing import aliased_outputs
from tvmfuse.build.bytecode import emit_bytecode
from tvmfuse.build.kernels.machine_code import KernelCode, llvm_module, object_file
from tvmfuse.build.linker import link_shared
from tvmfuse.build.loop_kernels import with_loop_kernels
from tvmfuse.build.loops import bodies_of, with_indirect_calls
from tvmfuse.build.native import native_module, native_object, offer_to_bytecode
from tvmfuse.build.scratch import temporary_folder
from tvmfuse.build.weights import detach
from tvmfuse.errors import ArtifactError, CompilationError, TvmfuseError, first_line
from tvmfuse.format import file as artifact_file
from tvmfuse.ir.fixed_loops import is_compiled
from tvmfuse.ir.live import recipe_of
from tvmfuse.manifest import Manifest
from tvmfuse.recipes import Recipe
from tvmfuse.runtime.compatibility import Host, check_runs_on
from tvmfuse.runtime.executable import Executable, load
from tvmfuse.runtime.launcher import ensure
from tvmfuse.runtime.library import load_library
from tvmfuse.runtime.live_weights import LiveWeights
from tvmfuse.runtime.virtual_machine import Program
from tvmfuse.target.machine import Machine
from tvmfuse.target.resolve import processor, required_cpu_features

#: Distributions whose version a manifest states.
RECORDED: Final = ("tvmfuse", "apache-tvm", "apache-tvm-ffi", "onnx", "numpy")

#: A kernel for a module that has none: TVM makes C code of it, and not LLVM's.
NOTHING: Final = MappingProxyType({"nothing": tirx.PrimFunc([], tirx.Evaluate(0))})


class Code(Protocol):
    """What the compiler made of a model: one library, or several parts."""

    @property
    def nbytes(self) -> int | None:
        """Bytes of libraries and weights; None where they are linked when they are saved."""

    @property
    def weights_nbytes(self) -> int:
        """Bytes of the weights."""

    def save(self, path: str | os.PathLike[str], manifest: Manifest) -> Manifest:
        """Write it as one file; see `Artifact.save`."""

    def load(self, manifest: Manifest, *, num_threads: int | None, spin: bool) -> Executable:
        """Make it callable; see `Artifact.load`."""


@dataclass(frozen=True, eq=False, repr=False)
class Artifact:
    """A compiled model, in memory.

    Attributes:
        manifest: What it says of itself.
        report: What the compiler's stages did.
        launches: What one run launches, in order: of two launches, whether they are the same code;
            then the loops that are compiled.
        code: What runs: one library, or several parts.
    """

    manifest: Manifest
    report: Any
    launches: tuple[str, ...]
    code: Code

    @property
    def nbytes(self) -> int | None:
        """Bytes of its library and its weights; None where it is linked when it is saved."""
        return self.code.nbytes

    @property
    def weights_nbytes(self) -> int:
        """Bytes of its weights."""
        return self.code.weights_nbytes

    @property
    def live_weights(self) -> LiveWeights | None:
        """The weights that follow a module's, in all that is loaded; None if they are fixed."""
        code = self.code
        return code.program.live if isinstance(code, LibraryCode) and code.recipes else None

    def save(self, path: str | os.PathLike[str]) -> Manifest:
        """Write the model as one file, with its weights; return what the file says of itself.

        The file takes its name when it is whole: a failure leaves what stood there.

        Raises:
            ArtifactError: It cannot be written there.
            LinkerNotFoundError: No compiler and no linker is installed.
        """
        return self.code.save(path, self.manifest)

    def load(self, *, num_threads: int | None = None, spin: bool = True) -> Executable:
        """Make the model callable in this process; on the CPU this needs no linker.

        Args:
            num_threads: See `runtime.load`.
            spin: The same.

        Raises:
            IncompatibleArtifactError: It was compiled for a CPU or GPU that is not here.
        """
        return self.code.load(self.manifest, num_threads=num_threads, spin=spin)

    def __repr__(self) -> str:
        said = self.manifest
        takes, gives = (", ".join(map(str, specs)) for specs in (said.inputs, said.outputs))
        others = f", in onnxruntime {said.handed_words}" if said.handed_over else ""
        return (
            f"Artifact({said.name!r}, ({takes}) -> ({gives}), level {said.level}, "
            f"{len(said.kernels)} kernels{others}, "
            f"{self.weights_nbytes / 1e6:.1f} MB of weights, target {said.target})"
        )


@dataclass(frozen=True, eq=False)
class LibraryCode:
    """One library and its weights.

    Attributes:
        target: As `targets.resolve` returns it.
        executable: TVM's; its `main` takes the inputs, then the weights.
        library: What it is linked to, with the kernels that were compiled before it; or None,
            where it holds all of them and TVM can link it in memory.
        weights: Those that are no part of `executable`.
        defaults: Of the manifest's overridable inputs, in order.
        device_code: A GPU's kernels, as TVM's CUDA runtime reads them.
        aliased_outputs: See `virtual_machine.Program`.
        shares: The same.
        recipes: Place of a weight -> how it follows from parameters, for those that do.
    """

    target: Target
    executable: Any
    library: bytes | None
    weights: Sequence[np.ndarray]
    defaults: Sequence[np.ndarray]
    device_code: bytes | None
    aliased_outputs: tuple[int, ...]
    shares: bool
    recipes: Mapping[int, Recipe]

    @property
    def nbytes(self) -> int | None:
        """Bytes of the library and the weights; None where it is linked when it is saved."""
        return None if self.library is None else len(self.library) + self.weights_nbytes

    @property
    def weights_nbytes(self) -> int:
        """Bytes of the weights."""
        return sum(weight.nbytes for weight in self.weights)

    def save(self, path: str | os.PathLike[str], manifest: Manifest) -> Manifest:
        """Write it as one file; see `Artifact.save`."""
        return artifact_file.write(
            path,
            self.library or _linked(self.executable.mod, Target(manifest.target)),
            [(w.dtype.name, w.shape, _bytes(w)) for w in (*self._weights_now(), *self.defaults)],
            self.device_code,
            self.aliased_outputs,
            manifest,
        )

    def load(self, manifest: Manifest, *, num_threads: int | None, spin: bool) -> Executable:
        """Make it callable; see `Artifact.load`."""
        check_runs_on(Host.here(manifest), manifest, manifest.name)
        if self.device_code is None:
            return Executable(manifest, self.program, num_threads=num_threads, spin=spin)
        with working_folder() as folder:
            self.save(folder / "model.so", manifest)
            return load(folder / "model.so", num_threads=num_threads, spin=spin)

    @functools.cached_property
    def program(self) -> Program:
        """The CPU's code, made runnable as it is."""
        weights, defaults = ([as_tensor(w) for w in ws] for ws in (self.weights, self.defaults))
        aliased = frozenset(self.aliased_outputs)
        module = self._jitted() if self.library is None else self._loaded(self.library)
        live = LiveWeights(weights, self.recipes) if self.recipes else None
        return Program(module, weights, CPU, aliased, defaults, shares=self.shares, live=live)

    def _weights_now(self) -> Sequence[np.ndarray]:
        return [as_array(w) for w in self.program.weights] if self.recipes else self.weights

    def _jitted(self) -> Any:
        ensure(lambda: native_module(self.target))
        offer_to_bytecode(self.target)
        return interruptible(self.executable.jit)

    @staticmethod
    def _loaded(library: bytes) -> Any:
        with os.fdopen(os.memfd_create("model"), "wb+") as file:
            file.write(library)
            file.flush()
            return load_library(file, "the compiled model")


def build(
    module: IRModule,
    target: Target,
    manifest: Manifest,
    report: Any = None,
    defaults: Sequence[np.ndarray] = (),
    code: Mapping[str, KernelCode] = MappingProxyType({}),
) -> Artifact:
    """Compile to machine code.

    Args:
        module: PrimFuncs, and the Relax function `main`, which calls them with `R.call_tir` and
            returns a tuple. Those that are not compiled yet are scheduled for `target`.
        target: As `targets.resolve` returns it.
        manifest: What the stages so far know; the target's and the versions' part is stated here.
        report: What the stages so far did; passed on.
        defaults: Of the manifest's overridable inputs, in order.
        code: Of the PrimFuncs that are compiled already; where there are any, all is linked now.

    Raises:
        CompilationError: TVM refuses the module.
        ArtifactError: There is code, and it cannot be linked here.
    """
    manifest = replace(
        manifest,
        target=str(target),
        machine=Machine.of(target).to_json() if target.kind.name == "llvm" else {},
        cpu_features=required_cpu_features(target),
        versions=dict(_versions()),
    )
    try:
        aliased = aliased_outputs(module["main"])
        # Without tensors of its own the executable is small and quick to link, and never changes.
        stripped, weights = detach(module, smallest=0)
        recipes = {i: r for i, w in enumerate(weights) if (r := recipe_of(w)) is not None}
        executable, device_code = _compile(stripped, target, code, len(weights))
    except CompilationError:
        raise
    except Exception as error:
        reason = first_line(error)
        raise CompilationError(
            f"TVM cannot compile {manifest.name} for {target}, a defect of tvmfuse: please report "
            f"it with the model ({type(error).__name__}: {reason})"
        ) from error
    library = _linked(executable.mod, target, code) if code else None
    shares = bool(manifest.shared)
    made = LibraryCode(
        target, executable, library, weights, defaults, device_code, aliased, shares, recipes
    )
    return Artifact(manifest, report, _launches(module, manifest, code), made)


@functools.cache
def _versions() -> Mapping[str, str]:
    """Read them once: that parses each distribution's metadata, which takes 7 ms."""
    return {name: version(name) for name in RECORDED}


def _launches(
    module: IRModule, manifest: Manifest, code: Mapping[str, KernelCode]
) -> tuple[str, ...]:
    def identity(name: str) -> str:
        return code[name].digest if name in code else f"{structural_hash(module[name]):x}"

    compiled = [
        f"compiled {name.name_hint}" for name, f in bodies_of(module).items() if is_compiled(f)
    ]
    return (*(identity(kernel.symbol) for kernel in manifest.kernels), *sorted(compiled))


def _compile(
    module: IRModule, target: Target, code: Mapping[str, KernelCode], weights: int
) -> tuple[relax.VMExecutable, bytes | None]:
    if target.kind.name == "llvm":
        module = with_loop_kernels(module)
    lower, finalize = pipeline.dataflow_lower_passes(target), pipeline.finalize_passes(target)
    if _branches(module):
        finalize = [p for p in finalize if p.info.name != _tvm.UNSOUND_FOR_BRANCHES]
    # A context of our own: what the caller's says about passes is not ours to follow.
    with tvm.transform.PassContext(opt_level=3):
        if target.kind.name == "cuda":
            sequence = tvm.transform.Sequential([*lower, *finalize])
            return cuda_code.build(_with_a_kernel(module), target, sequence)
        with target:
            module = with_indirect_calls(tvm.transform.Sequential(lower)(module))
            builder, rest = emit_bytecode(module, finalize, weights)
    left = _primfuncs(rest)
    lacking = {name: f for name, f in left.items() if name not in code}
    made = interruptible(lambda: llvm_module(lacking, target)) if lacking else _empty(str(target))
    return _tvm.link_bytecode(builder, target, made), None


@functools.cache
def _empty(target: str) -> Any:
    """Return LLVM's module for a model that needs no kernels beside its code."""
    return llvm_module(NOTHING, Target(target))


@functools.cache
def _object_file_of_empty(target: str) -> bytes:
    return object_file(_empty(target))


def _object_file(made: Any, target: Target) -> bytes:
    """Return the object file of what was made for the CPU; of the empty module it is made once."""
    if made.same_as(_empty(str(target))):
        return _object_file_of_empty(str(target))
    return interruptible(lambda: object_file(made))


def _branches(module: IRModule) -> bool:
    """Whether a function holds an If."""
    found: list[bool] = []
    for function in module.functions.values():
        if isinstance(function, relax.Function):
            relax.analysis.post_order_visit(
                function, lambda e: found.append(isinstance(e, relax.If))
            )
    return any(found)


def _primfuncs(module: IRModule) -> dict[str, tirx.PrimFunc]:
    functions = module.functions_items()
    return {s.name_hint: f for s, f in functions if isinstance(f, tirx.PrimFunc)}


def _with_a_kernel(module: IRModule) -> IRModule:
    """Add an empty kernel where there is none: for such a module TVM makes C code, not LLVM's."""
    functions = dict(module.functions_items())
    if not _primfuncs(module):
        functions |= {GlobalVar(s): f.with_attr("global_symbol", s) for s, f in NOTHING.items()}
    return IRModule(functions, attrs=module.attrs)


def _linked(
    module: Any, target: Target, code: Mapping[str, KernelCode] = MappingProxyType({})
) -> bytes:
    """Link the machine code and, as data, the bytecode that calls it; return the library."""
    (rest,) = module.imports
    bytecode = _tvm.bytecode_object(module)
    kernels = {kernel.symbol: kernel.object_file for kernel in code.values()}
    host = target.host or target
    own = [_object_file(rest, host), object_file(bytecode)]
    parts = [*own, native_object(host), *kernels.values()]
    prefix = _tvm.SYMBOL_PREFIX
    symbols = {f"{prefix}{name}": f"{prefix}{kernel.symbol}" for name, kernel in code.items()}
    with working_folder() as folder:
        objects = [folder / f"{number}.o" for number in range(len(parts))]
        for file, part in zip(objects, parts, strict=True):
            file.write_bytes(part)
        library = folder / "model.so"
        link_shared(library, objects, symbols, processor(host))
        return library.read_bytes()


@contextmanager
def working_folder() -> Iterator[Path]:
    """Make a folder for what is put together, and remove it.

    Raises:
        ArtifactError: There is no room for it, or for what is written there.
    """
    try:
        with temporary_folder() as folder:
            yield folder
    except TvmfuseError:
        raise
    except OSError as error:
        raise ArtifactError(f"cannot link the model in a temporary folder: {error}") from error


def _bytes(array: np.ndarray) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
