"""The last stage: a module of scheduled kernels becomes machine code that can run or be saved."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
import tvm
from tvm import IRModule, relax, tirx
from tvm.ir import GlobalVar
from tvm.relax.backend.cpu_generic import pipeline
from tvm.target import Target

from tvmfuse.artifact import cuda_code, file as artifact_file
from tvmfuse.artifact.borrowed import borrowed_outputs
from tvmfuse.artifact.linker import link_shared
from tvmfuse.artifact.weights import detach
from tvmfuse.errors import ArtifactError, CompilationError, TvmfuseError, first_line
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.compatibility import Host, check_runs_on
from tvmfuse.runtime.executable import Executable, load
from tvmfuse.runtime.tensors import CPU, as_tensor
from tvmfuse.runtime.virtual_machine import Program
from tvmfuse.targets import required_cpu_features

#: Distributions whose version a manifest states.
RECORDED: Final = ("tvmfuse", "apache-tvm", "apache-tvm-ffi", "onnx", "onnx-ir", "numpy")


@dataclass(frozen=True, eq=False, repr=False)
class Artifact:
    """A compiled model, in memory.

    Attributes:
        manifest: What it says of itself.
        report: What the compiler's stages did.
    """

    manifest: Manifest
    report: Any
    _code: _Code

    def save(self, path: str | os.PathLike[str]) -> Manifest:
        """Write the model as one file, with its weights; return what the file says of itself.

        The file takes its name when it is whole: a failure leaves what stood there.

        Raises:
            ArtifactError: It cannot be written there.
            LinkerNotFoundError: No compiler and no linker is installed.
        """
        with _temporary_folder() as folder:
            return artifact_file.write(
                path,
                _linked(self._code.executable.mod, folder),
                [
                    (w.dtype.name, w.shape, _bytes(w))
                    for w in (*self._code.weights, *self._code.defaults)
                ],
                self._code.device_code,
                self._code.borrowed_outputs,
                self.manifest,
            )

    def load(self, *, num_threads: int | None = None) -> Executable:
        """Make the model callable in this process; on the CPU this needs no linker.

        Args:
            num_threads: See `runtime.load`.

        Raises:
            IncompatibleArtifactError: It was compiled for a CPU or GPU that is not here.
        """
        check_runs_on(Host.here(self.manifest), self.manifest, self.manifest.name)
        if self._code.device_code is None:
            return Executable(self.manifest, self._code.program, num_threads=num_threads)
        with _temporary_folder() as folder:
            self.save(folder / "model.so")
            return load(folder / "model.so", num_threads=num_threads)

    def __repr__(self) -> str:
        said = self.manifest
        takes, gives = (", ".join(map(str, specs)) for specs in (said.inputs, said.outputs))
        size = sum(w.nbytes for w in self._code.weights)
        return (
            f"Artifact({said.name!r}, ({takes}) -> ({gives}), level {said.level}, "
            f"{len(said.kernels)} kernels, {size / 1e6:.1f} MB of weights, target {said.target})"
        )


@dataclass(frozen=True, eq=False)
class _Code:
    """What the compiler made.

    Attributes:
        executable: TVM's; its `main` takes the inputs, then the weights.
        weights: Those that are no part of `executable`.
        defaults: Of the manifest's overridable inputs, in order.
        device_code: A GPU's kernels, as TVM's CUDA runtime reads them.
        borrowed_outputs: See `virtual_machine.Program`.
    """

    executable: Any
    weights: Sequence[np.ndarray]
    defaults: Sequence[np.ndarray]
    device_code: bytes | None
    borrowed_outputs: tuple[int, ...]

    @functools.cached_property
    def program(self) -> Program:
        """The CPU's code, made runnable as it is."""
        weights, defaults = ([as_tensor(w) for w in ws] for ws in (self.weights, self.defaults))
        borrowed = frozenset(self.borrowed_outputs)
        return Program(self.executable.jit(), weights, CPU, borrowed, defaults)


def build(
    module: IRModule,
    target: Target,
    manifest: Manifest,
    report: Any = None,
    defaults: Sequence[np.ndarray] = (),
) -> Artifact:
    """Compile to machine code.

    Args:
        module: PrimFuncs scheduled for `target`, and the Relax function `main`, which calls them
            with `R.call_tir` and returns a tuple.
        target: As `targets.resolve` returns it.
        manifest: What the stages so far know; the target's and the versions' part is stated here.
        report: What the stages so far did; passed on.
        defaults: Of the manifest's overridable inputs, in order.

    Raises:
        CompilationError: TVM refuses the module.
    """
    manifest = replace(
        manifest,
        target=str(target),
        cpu_features=required_cpu_features(target),
        versions={name: version(name) for name in RECORDED},
    )
    try:
        borrowed = borrowed_outputs(module["main"])
        # Without tensors of its own the executable is small and quick to link, and never changes.
        stripped, weights = detach(_with_a_kernel(module), smallest=0)
        executable, device_code = _compile(stripped, target)
    except CompilationError:
        raise
    except Exception as error:
        reason = first_line(error)
        raise CompilationError(
            f"TVM cannot compile {manifest.name} for {target}: {type(error).__name__}: {reason}"
        ) from error
    return Artifact(manifest, report, _Code(executable, weights, defaults, device_code, borrowed))


def _compile(module: IRModule, target: Target) -> tuple[Any, bytes | None]:
    passes = [*pipeline.dataflow_lower_passes(target), *pipeline.finalize_passes(target)]
    if _branches(module["main"]):
        # It lets one branch of an If use memory that only the other one allocates.
        passes = [p for p in passes if p.info.name != "StaticPlanBlockMemory"]
    # A context of our own: what the caller's says about passes is not ours to follow.
    with tvm.transform.PassContext(opt_level=3):
        sequence = tvm.transform.Sequential(passes)
        if target.kind.name == "cuda":
            return cuda_code.build(module, target, sequence)
        return relax.build(module, target, relax_pipeline=sequence), None


def _branches(main: relax.Function) -> bool:
    """Whether a function holds an If."""
    found: list[bool] = []
    relax.analysis.post_order_visit(main, lambda e: found.append(isinstance(e, relax.If)))
    return any(found)


def _with_a_kernel(module: IRModule) -> IRModule:
    """Add an empty kernel where there is none: for such a module TVM makes C code, not LLVM's."""
    functions = dict(module.functions_items())
    if not any(isinstance(f, tirx.PrimFunc) for f in functions.values()):
        nothing = tirx.PrimFunc([], tirx.Evaluate(0)).with_attr("global_symbol", "nothing")
        functions[GlobalVar("nothing")] = nothing
    return IRModule(functions, attrs=module.attrs)


def _linked(module: Any, folder: Path) -> Path:
    """Link the machine code and, as data, the bytecode that calls it; return the library."""
    (code,) = module.imports
    pack = tvm.get_global_func("runtime.ModulePackImportsToLLVM")
    bytecode = pack(module, False, code["_get_target_string"](), "")  # noqa: FBT003
    objects = [folder / "code.o", folder / "bytecode.o"]
    for file, part in zip(objects, (code, bytecode), strict=True):
        file.write_bytes(_object_file(part))
    link_shared(folder / "model.so", objects)
    return folder / "model.so"


def _object_file(module: Any) -> bytes:
    """Return LLVM's object file, made in memory: LLVM ends the process when a disk is full."""
    with os.fdopen(os.memfd_create("object"), "rb") as file:
        module.write_to_file(f"/proc/self/fd/{file.fileno()}", "o")
        return file.read()


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    except TvmfuseError:
        raise
    except OSError as error:
        raise ArtifactError(f"cannot link the model in a temporary folder: {error}") from error


def _bytes(array: np.ndarray) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
