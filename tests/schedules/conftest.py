"""Kernels as the lowering makes them, their numbers before and after scheduling, their code."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import libraries
import numpy as np
import pytest
import tvm
import tvm_ffi
from tvm import IRModule, relax, te, tirx
from tvm.ir import Expr, Var
from tvm.tirx import BufferType, PrimFunc

from tvmfuse.schedules.cpu.gemm.blocks_nest import tiled
from tvmfuse.schedules.cpu.gemm.contraction_schedule import packed
from tvmfuse.schedules.cpu.nest import Scope
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import read
from tvmfuse.schedules.plans import ContractionPlan
from tvmfuse.schedules.schedule import Scheduled, schedule
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.target.machine import AVX2, Machine

Shape = Sequence[int | Expr]
TOLERANCE = 1e-5  # of an output's largest magnitude: sums are added up in another order

#: Integers to compute with, from the first to before the last; those of words are any bits.
BOUNDS = {"bool": (0, 2), "int8": (-128, 128), "uint8": (0, 256), "uint32": (0, 2**32)}

#: Its PrimFuncs run as TVM lowers them, without any schedule and without LLVM's optimizations.
PLAIN = tvm.target.Target({"kind": "llvm", "mcpu": "x86-64", "opt-level": 0})


@pytest.fixture(scope="session")
def lab() -> SimpleNamespace:
    """Return the functions of this file."""
    return SimpleNamespace(
        lowered=lowered,
        kernels=kernels,
        function_of=function_of,
        assert_same_numbers=assert_same_numbers,
        assert_close=assert_close,
        assembly=assembly,
        runnable=runnable,
        hottest_block=hottest_block,
        planned=planned,
        tune=tune,
    )


def tune(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """Give every machine other parameters of the reckoning, for the rest of the test."""
    of = Machine.of

    def changed(target: tvm.target.Target) -> Machine:
        machine = of(target)
        return replace(machine, tuning=replace(machine.tuning, **changes))

    monkeypatch.setattr(Machine, "of", changed)


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
    return {v.name_hint: f for v, f in module.functions_items() if isinstance(f, PrimFunc)}


def function_of(*tensors: te.Tensor) -> PrimFunc:
    """Return the PrimFunc of inputs and outputs in TE."""
    return te.create_prim_func(tensors)


def planned(
    operator: Callable[..., Expr], *shapes: Shape, machine: Machine = AVX2
) -> ContractionPlan | str:
    """Return the plan of the one sum of products of an operator on float32, or why it has none."""
    (function,) = kernels(lowered(operator, *((s, "float32") for s in shapes))).values()
    kernel, _ = packed(inline(read(function)), Scope(machine))
    group = next(g for g in groups(kernel) if g.head.reduces)
    nest = tiled(group, Scope(machine))
    return nest if isinstance(nest, str) else nest.plan()


def assembly(function: PrimFunc, machine: Machine) -> str:
    """Return the machine code of one PrimFunc, for a CPU that need not be here."""
    return libraries.assembly(function, machine.target)


def runnable(function: PrimFunc, machine: Machine = AVX2) -> Callable[..., None]:
    """Return one PrimFunc, compiled; it takes its inputs and then its outputs.

    The test is skipped where this CPU lacks instructions that the machine's code may use.
    """
    libraries.needs_cpu(machine.target)
    return libraries.compiled(function, machine.target)


def hottest_block(code: str, instruction: str) -> list[str]:
    """Return the basic block with the most of an instruction."""
    blocks = re.split(r"^[.\w]+:|^\tj\w+.*$", code, flags=re.MULTILINE)
    return max(blocks, key=lambda block: block.count(instruction)).splitlines()


def assert_same_numbers(
    module: IRModule,
    machine: Machine = AVX2,
    *,
    tolerance: float = TOLERANCE,
    settings: ScheduleSettings | None = None,
    runs_on: Machine | None = None,
    each: Sequence[Mapping[str, int]] = (),
    **sizes: int,
) -> Scheduled:
    """Each kernel of a module computes the same after scheduling as before; return them scheduled.

    `sizes` are values for the symbolic dimensions, by name; `each` of several are tried in turn.
    What is scheduled for a CPU that is not here may run on another one: LLVM halves its vectors.
    """
    scheduled = schedule(module, machine.target, settings)
    for name, function in kernels(module).items():
        plain = libraries.compiled(function, PLAIN)
        ours = runnable(scheduled.module[name], runs_on or machine)
        for values in each or (sizes,):
            given = _arguments(function, values)
            before, after = ([_tensor(a) for a in given] for _ in range(2))
            plain(*before)
            ours(*after)
            for expected, found in zip(before, after, strict=True):
                if not isinstance(expected, int) and not isinstance(found, int):
                    assert_close(found.numpy(), expected.numpy(), tolerance)
    return scheduled


def assert_close(found: np.ndarray, expected: np.ndarray, tolerance: float = TOLERANCE) -> None:
    """Equal integers; floats within a share of the largest, NaN and infinities in place."""
    if not np.issubdtype(expected.dtype, np.floating):
        np.testing.assert_array_equal(found, expected)
        return
    finite = np.isfinite(expected)
    largest = np.abs(expected[finite]).max(initial=0)
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * largest)


def _tensor(value: np.ndarray | int) -> tvm.runtime.Tensor | int:
    return value if isinstance(value, int) else tvm.runtime.tensor(value)


def _arguments(function: PrimFunc, sizes: Mapping[str, int]) -> list[np.ndarray | int]:
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
            bounds = BOUNDS.get(dtype, (1, 5))
            found.append(rng.integers(*bounds, shape).astype(dtype))
    return found


def _size(extent: Expr, sizes: Mapping[str, int]) -> int:
    def value(var: Var) -> Expr:
        return tirx.const(sizes[var.name], var.ty.dtype)

    fixed = tvm_ffi.structural_map(extent, (Var, value))
    return int(tvm.sym.Analyzer().simplify(fixed))
