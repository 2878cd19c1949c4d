"""The last stage: a module of scheduled kernels becomes machine code that can run or be saved."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import tvm
from tvm import IRModule, relax, tirx
from tvm.ir import GlobalVar
from tvm.relax.backend.cpu_generic import pipeline
from tvm.target import Target
from tvm_ffi import structural_hash

from tvmfuse import _tvm
from tvmfuse.background import interruptible
from tvmfuse.build import cuda_code
from tvmfuse.build.aliasing import aliased_outputs
from tvmfuse.build.artifact import RECORDED, Artifact, LibraryCode, working_folder
from tvmfuse.build.compiled_main import compiled_main
from tvmfuse.build.jitted import WITH_ARRAY, JittedFunctions, with_array
from tvmfuse.build.kernels.cache import KernelCache
from tvmfuse.build.kernels.machine_code import KernelCode, llvm_module, object_file
from tvmfuse.build.large_bounds import hide_large_bounds
from tvmfuse.build.linker import link_shared
from tvmfuse.build.native import native_module, native_object
from tvmfuse.build.size_divisions import guard_size_divisions
from tvmfuse.build.weights import detach
from tvmfuse.errors import CompilationError, first_line
from tvmfuse.ir.live import recipe_of
from tvmfuse.manifest import Manifest
from tvmfuse.target.machine import Machine
from tvmfuse.target.resolve import processor, required_cpu_features

#: A kernel for a module that has none: TVM makes C code of it, and not LLVM's.
NOTHING: Final = MappingProxyType({"nothing": tirx.PrimFunc([], tirx.Evaluate(0))})


@dataclass(frozen=True, eq=False)
class Unlinked:
    """Machine code for the CPU.

    Attributes:
        made: LLVM's module of `main`, and of the kernels that are not compiled yet.
        target: As `targets.resolve` returns it.
        code: The kernels that are compiled already.
        cache: Where the code is kept that each model brings along.
    """

    made: Any
    target: Target
    code: Mapping[str, KernelCode] = field(default_factory=dict)
    cache: KernelCache | None = None

    def jitted(self) -> JittedFunctions:
        """Link it in memory, without a linker; there must be no `code`."""
        return JittedFunctions(self.made, lambda: native_module(self.target))

    def linked(self) -> bytes:
        """Link it to a library, and return that."""
        kernels = {kernel.symbol: kernel.object_file for kernel in self.code.values()}
        prefix = _tvm.SYMBOL_PREFIX
        symbols = {
            f"{prefix}{name}": f"{prefix}{kernel.symbol}" for name, kernel in self.code.items()
        }
        native = native_object(self.target, self.cache)
        made = interruptible(lambda: object_file(self.made))
        return linked([made, native, *kernels.values()], symbols, processor(self.target))


@dataclass(frozen=True, eq=False)
class UnlinkedForGpu:
    """The bytecode of a model for a GPU, and what launches its kernels.

    Attributes:
        executable: TVM's; its `main` takes the inputs, then the weights.
        host: The target of what launches.
    """

    executable: relax.VMExecutable
    host: Target

    def linked(self) -> bytes:
        """Link it to a library, and return that."""
        (launchers,) = self.executable.mod.imports
        parts = [launchers, _tvm.bytecode_object(self.executable.mod)]
        return linked([*map(object_file, parts)], {}, processor(self.host))


def linked(objects: Sequence[bytes], symbols: Mapping[str, str], processor: str) -> bytes:
    """Link object files to a shared library, and return that.

    Args:
        objects: The files.
        symbols: Further names of symbols that they define.
        processor: What they are for.
    """
    with working_folder() as folder:
        files = [folder / f"{number}.o" for number in range(len(objects))]
        for file, part in zip(files, objects, strict=True):
            file.write_bytes(part)
        library = folder / "model.so"
        link_shared(library, files, symbols, processor)
        return library.read_bytes()


def build(
    module: IRModule,
    target: Target,
    manifest: Manifest,
    report: Any = None,
    defaults: Sequence[np.ndarray] = (),
    code: Mapping[str, KernelCode] = MappingProxyType({}),
    *,
    cache: KernelCache | None = None,
    direct: bool = False,
    reuse: bool = True,
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
        cache: See `Unlinked`.
        direct: Whether LLVM looks at what surrounds kernels, too, which takes as long to compile as
            it is much: of a model that is quick to run it is a part of the run.
        reuse: Whether tensors between kernels may lie where others lay.

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
        device_code = None
        if target.kind.name == "llvm":
            made = _compile(stripped, target, code, manifest, direct=direct, reuse=reuse)
            unlinked: Unlinked | UnlinkedForGpu = Unlinked(made, target, code, cache)
        else:
            executable, device_code = _compile_for_gpu(stripped, target, reuse=reuse)
            unlinked = UnlinkedForGpu(executable, target.host or target)
    except CompilationError:
        raise
    except Exception as error:
        reason = first_line(error)
        raise CompilationError(
            f"TVM cannot compile {manifest.name} for {target}, a defect of tvmfuse: please report "
            f"it with the model ({type(error).__name__}: {reason})"
        ) from error
    library = unlinked.linked() if code else None
    left = None if library else unlinked
    made = LibraryCode(left, library, weights, defaults, device_code, aliased, recipes)
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

    return tuple(identity(kernel.symbol) for kernel in manifest.kernels)


def _compile(
    module: IRModule,
    target: Target,
    code: Mapping[str, KernelCode],
    manifest: Manifest,
    *,
    direct: bool,
    reuse: bool,
) -> Any:
    """Return LLVM's module of `main`, and of the kernels that are not compiled yet."""
    # A context of our own: what the caller's says about passes is not ours to follow.
    with tvm.transform.PassContext(opt_level=3), target:
        lower = tvm.transform.Sequential(pipeline.dataflow_lower_passes(target))
        module = lower(module)
        main = compiled_main(module, manifest.inputs, manifest.overridable, reuse=reuse)
        kernels = {name: f for name, f in _primfuncs(module).items() if name not in code}
        made = {**kernels, **main}
        if not code:
            made |= {f"{name}{WITH_ARRAY}": with_array(name, f) for name, f in main.items()}
        taken = target if direct or kernels else _as_written(target)
        return interruptible(lambda: llvm_module(made, taken))


def _compile_for_gpu(
    module: IRModule, target: Target, *, reuse: bool
) -> tuple[relax.VMExecutable, bytes | None]:
    """Return the bytecode with what launches the kernels, and the kernels."""
    lower, finalize = pipeline.dataflow_lower_passes(target), pipeline.finalize_passes(target)
    if _branches(module) or not reuse:
        finalize = [p for p in finalize if p.info.name != _tvm.PLANS_MEMORY]
    finalize = [hide_large_bounds, *finalize, guard_size_divisions]
    with tvm.transform.PassContext(opt_level=3):
        sequence = tvm.transform.Sequential([*lower, *finalize])
        return cuda_code.build(_with_a_kernel(module), target, sequence)


def _as_written(target: Target) -> Target:
    """Return a target whose code LLVM does not optimize."""
    return Target({"kind": target.kind.name, **dict(target.attrs), "opt-level": 0})


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
