"""The last stage: a module of scheduled kernels becomes machine code that can run or be saved."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from types import MappingProxyType
from typing import Any, Final, TypeAlias

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
from tvmfuse.build.bytecode import emit_bytecode
from tvmfuse.build.compiled_main import compiled_main
from tvmfuse.build.kernels.cache import KernelCache
from tvmfuse.build.kernels.machine_code import KernelCode, llvm_module, object_file
from tvmfuse.build.large_bounds import hide_large_bounds
from tvmfuse.build.linker import link_shared
from tvmfuse.build.loop_kernels import with_loop_kernels
from tvmfuse.build.loops import bodies_of, with_indirect_calls
from tvmfuse.build.mains_of_sizes import with_mains_of_sizes
from tvmfuse.build.native import native_module, native_object, offer_to_bytecode
from tvmfuse.build.size_divisions import guard_size_divisions
from tvmfuse.build.weights import detach
from tvmfuse.errors import CompilationError, first_line
from tvmfuse.ir.fixed_loops import is_compiled
from tvmfuse.ir.live import recipe_of
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.direct import MEMORY
from tvmfuse.runtime.quick_functions import ensure
from tvmfuse.target.machine import Machine
from tvmfuse.target.resolve import processor, required_cpu_features
from tvmfuse.tensor_spec import TensorSpec

Main: TypeAlias = Callable[[], Mapping[str, tirx.PrimFunc]]

#: A kernel for a module that has none: TVM makes C code of it, and not LLVM's.
NOTHING: Final = MappingProxyType({"nothing": tirx.PrimFunc([], tirx.Evaluate(0))})


@dataclass(frozen=True, eq=False)
class TvmExecutable:
    """Bytecode, and the kernels that are not compiled yet.

    Attributes:
        executable: TVM's; its `main` takes the inputs, then the weights.
        target: As `targets.resolve` returns it.
        main: Returns the functions that run all of it without a virtual machine, if there are any.
        code: The kernels that are compiled already.
        cache: Where the code is kept that each model brings along.
    """

    executable: relax.VMExecutable
    target: Target
    main: Main
    code: Mapping[str, KernelCode] = field(default_factory=dict)
    cache: KernelCache | None = None

    def jitted(self) -> Any:
        """Link it in memory, without a linker; return its module."""
        ensure(lambda: native_module(self.target))
        offer_to_bytecode(self.target)
        return interruptible(self.executable.jit)

    def linked(self, *, whole: bool = True) -> bytes:
        """Link the machine code and, as data, the bytecode that calls it; return the library.

        Args:
            whole: Whether it has `main` in machine code, too.
        """
        (rest,) = self.executable.mod.imports
        bytecode = _tvm.bytecode_object(self.executable.mod)
        kernels = {kernel.symbol: kernel.object_file for kernel in self.code.values()}
        host = self.target.host or self.target
        own = [_object_file(rest, host), object_file(bytecode)]
        if whole and (main := self.main()):
            own.append(interruptible(lambda: object_file(llvm_module(main, _as_written(host)))))
        parts = [*own, native_object(host, self.cache), *kernels.values()]
        prefix = _tvm.SYMBOL_PREFIX
        symbols = {
            f"{prefix}{name}": f"{prefix}{kernel.symbol}" for name, kernel in self.code.items()
        }
        with working_folder() as folder:
            objects = [folder / f"{number}.o" for number in range(len(parts))]
            for file, part in zip(objects, parts, strict=True):
                file.write_bytes(part)
            library = folder / "model.so"
            link_shared(library, objects, symbols, processor(host))
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
        cache: See `TvmExecutable.linked`.
        direct: Whether a model that is quick to run is run without a virtual machine here, too, as
            saved files are where that can be; see `compiled_main`.

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
        compiled = _compile(stripped, target, code, len(weights), manifest.inputs, direct=direct)
        executable, main, device_code = compiled
    except CompilationError:
        raise
    except Exception as error:
        reason = first_line(error)
        raise CompilationError(
            f"TVM cannot compile {manifest.name} for {target}, a defect of tvmfuse: please report "
            f"it with the model ({type(error).__name__}: {reason})"
        ) from error
    unlinked = TvmExecutable(executable, target, main, code, cache)
    library = unlinked.linked(whole=False) if code else None
    shares = bool(manifest.shared)
    made = LibraryCode(unlinked, library, weights, defaults, device_code, aliased, shares, recipes)
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
    module: IRModule,
    target: Target,
    code: Mapping[str, KernelCode],
    weights: int,
    inputs: Sequence[TensorSpec],
    *,
    direct: bool,
) -> tuple[relax.VMExecutable, Main, bytes | None]:
    if target.kind.name == "llvm":
        module = with_loop_kernels(with_mains_of_sizes(module))
    lower, finalize = pipeline.dataflow_lower_passes(target), pipeline.finalize_passes(target)
    if _branches(module):
        finalize = [p for p in finalize if p.info.name != _tvm.UNSOUND_FOR_BRANCHES]
    finalize = [hide_large_bounds, *finalize, guard_size_divisions]
    # A context of our own: what the caller's says about passes is not ours to follow.
    with tvm.transform.PassContext(opt_level=3):
        if target.kind.name == "cuda":
            sequence = tvm.transform.Sequential([*lower, *finalize])
            executable, device_code = cuda_code.build(_with_a_kernel(module), target, sequence)
            return executable, _nothing, device_code
        with target:
            module = with_indirect_calls(tvm.transform.Sequential(lower)(module))
            main: Main = functools.partial(compiled_main, module, inputs)
            quick = main() if direct else {}
            builder, rest = emit_bytecode(module, finalize, weights)
    if MEMORY in quick:  # what surrounds kernels takes a part of a run: LLVM is to look at it
        main = _nothing
    else:
        quick = {}
    left = {**_primfuncs(rest), **quick}
    lacking = {name: f for name, f in left.items() if name not in code}
    made = interruptible(lambda: llvm_module(lacking, target)) if lacking else _empty(str(target))
    return _tvm.link_bytecode(builder, target, made), main, None


def _nothing() -> Mapping[str, tirx.PrimFunc]:
    return {}


def _as_written(target: Target) -> Target:
    """Return a target whose code LLVM does not optimize."""
    return Target({"kind": target.kind.name, **dict(target.attrs), "opt-level": 0})


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
