"""Kernels as the lowering makes them, and their numbers before and after scheduling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
import tvm
import tvm_ffi
from tvm import IRModule, relax, tirx
from tvm.ir import Expr, Var
from tvm.tirx import BufferType, PrimFunc

from tvmfuse.schedules.cpu.isa import AVX2, Isa
from tvmfuse.schedules.schedule import Scheduled, schedule

Shape = Sequence[int | Expr]
TOLERANCE = 1e-5  # of an output's largest magnitude: sums are added up in another order

#: Its PrimFuncs run as TVM lowers them, without any schedule.
PLAIN = tvm.target.Target({"kind": "llvm", "mcpu": "x86-64"})


def lowered(
    operator: Callable[..., Expr], *inputs: tuple[Shape, str], fuse: bool = True
) -> IRModule:
    """Return the kernels of a Relax expression, fused by TVM's rules or one for each operator."""
    builder = relax.BlockBuilder()
    params = [relax.Var(f"p{i}", relax.TensorType(s, d)) for i, (s, d) in enumerate(inputs)]
    with builder.function("main", params):
        with builder.dataflow():
            result = builder.emit_output(builder.normalize(operator(*params)))
        builder.emit_func_output(result)
    passes = [relax.transform.LegalizeOps()]
    if fuse:
        passes += [
            relax.transform.AnnotateTIROpPattern(),
            relax.transform.FuseOps(),
            relax.transform.FuseTIR(),
        ]
    return tvm.transform.Sequential([*passes, relax.transform.DeadCodeElimination()])(builder.get())


def kernels(module: IRModule) -> dict[str, PrimFunc]:
    """Return a module's PrimFuncs by name."""
    return {
        v.name_hint: f for v, f in module.functions_items() if isinstance(f, PrimFunc)
    }


def runnable(function: PrimFunc, target: tvm.target.Target) -> Callable[..., None]:
    """Compile one PrimFunc by itself."""
    module = IRModule({"main": function.with_attr("global_symbol", "main")})
    return tvm.compile(module, target)["main"]


def assembly(function: PrimFunc, isa: Isa) -> str:
    """Return the machine code of one PrimFunc, for a CPU that need not be here."""
    module = IRModule({"main": function.with_attr("global_symbol", "main")})
    return str(tvm.compile(module, isa.target()).mod.inspect_source("asm"))


def arguments(function: PrimFunc, sizes: Mapping[str, int]) -> list[np.ndarray | int]:
    """Return random inputs, garbage for the outputs to overwrite, and sizes."""
    rng = np.random.default_rng(0)
    found: list[np.ndarray | int] = []
    for param in function.params:
        if not isinstance(param.ty, BufferType):
            found.append(sizes[param.name])
            continue
        shape = [_size(d, sizes) for d in param.shape]
        dtype = str(param.dtype)
        if "float" in dtype:
            found.append(rng.standard_normal(shape).astype(dtype))
        else:
            found.append(rng.integers(*((0, 2) if dtype == "bool" else (1, 5)), shape).astype(dtype))
    return found


def assert_same_numbers(
    module: IRModule, isa: Isa = AVX2, *, tolerance: float = TOLERANCE, **sizes: int
) -> Scheduled:
    """Each kernel of a module computes the same after scheduling as before; return them scheduled.

    `sizes` are values for the symbolic dimensions, by name.
    """
    scheduled = schedule(module, isa.target())
    for name, function in kernels(module).items():
        given = arguments(function, sizes)
        before, after = ([_tensor(a) for a in given] for _ in range(2))
        runnable(function, PLAIN)(*before)
        runnable(scheduled.module[name], isa.target())(*after)
        for expected, found in zip(before, after, strict=True):
            if not isinstance(expected, int):
                assert_close(found.numpy(), expected.numpy(), tolerance)
    return scheduled


def _tensor(value: np.ndarray | int) -> tvm.runtime.Tensor | int:
    return value if isinstance(value, int) else tvm.runtime.tensor(value)


def assert_close(found: np.ndarray, expected: np.ndarray, tolerance: float = TOLERANCE) -> None:
    """Equal integers; floats within a share of the largest, NaN and infinities in place."""
    if not np.issubdtype(expected.dtype, np.floating):
        np.testing.assert_array_equal(found, expected)
        return
    finite = np.isfinite(expected)
    largest = np.abs(expected[finite]).max(initial=0)
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * largest)


def _size(extent: Expr, sizes: Mapping[str, int]) -> int:
    values = {v: tirx.const(n, "int64") for v in _variables(extent) for k, n in sizes.items() if v.name == k}
    fixed = tvm_ffi.structural_map(extent, (Var, lambda v: values.get(v, v)))
    return int(tvm.sym.Analyzer().simplify(fixed))


def _variables(expr: Expr) -> list[Var]:
    found: list[Var] = []
    tvm_ffi.structural_walk(expr, (Var, found.append))
    return found
