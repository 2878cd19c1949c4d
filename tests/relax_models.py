"""Small lowered modules for the tests of building and running, and processes to run them in."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tvm import IRModule, relax, s_tir, tirx
from tvm.ir import Expr

from tvmfuse.build.artifact import Artifact
from tvmfuse.build.assemble import build
from tvmfuse.manifest import Manifest
from tvmfuse.target.resolve import resolve
from tvmfuse.tensor_spec import TensorSpec

N = tirx.Var("n", "int64")


@dataclass(frozen=True)
class Model:
    """A lowered module, how its tensors are called, and what it computes."""

    module: IRModule
    manifest: Manifest
    reference: Callable[..., Sequence[np.ndarray]]

    def build(self, target: str = "avx2") -> Artifact:
        return build(self.module, resolve(target), self.manifest)


def model(
    compute: Any,
    reference: Any = None,
    *,
    name: str = "model",
    outputs: Sequence[str] = ("y",),
    **inputs: relax.TensorType,
) -> Model:
    """Return the model that computes ``compute(emit, *inputs)``, a list of expressions."""
    params = [relax.Var(n, ty) for n, ty in inputs.items()]
    builder = relax.BlockBuilder()
    with builder.function("main", params):
        with builder.dataflow():
            results = compute(builder.emit, *params)
            result = builder.emit_output(relax.Tuple(results))
        builder.emit_func_output(result)
    module = relax.transform.LegalizeOps()(builder.get())
    specs = tuple(spec(p.name, p.ty) for p in params)
    gives = tuple(spec(n, r.ty) for n, r in zip(outputs, results, strict=True))
    return Model(module, Manifest(name, specs, gives), reference)


def spec(name: str, ty: relax.TensorType) -> TensorSpec:
    shape = tuple(d.value if isinstance(d, tirx.IntImm) else str(d) for d in ty.shape)
    return TensorSpec(name, str(ty.dtype), shape)


def affine(rows: int | Expr = N, *, depth: int = 16, columns: int = 8) -> Model:
    """Return ``y = x @ W + b``, by default for any number of rows."""
    rng = np.random.default_rng(0)
    weight = rng.standard_normal((depth, columns), dtype="float32")
    bias = rng.standard_normal(columns, dtype="float32")
    return model(
        lambda emit, x: [emit(relax.op.add(relax.op.matmul(x, const(weight)), const(bias)))],
        lambda x: [x @ weight + bias],
        name="affine",
        x=relax.TensorType((rows, depth), "float32"),
    )


def const(value: np.ndarray) -> Expr:
    return relax.const(value, str(value.dtype))


def in_parallel(model: Model, *, lanes: int = 8) -> Model:
    """Return the model, of two-dimensional kernels, with parallel rows and vectorized columns."""
    functions = dict(model.module.functions_items())
    for name, function in functions.items():
        if isinstance(function, tirx.PrimFunc):
            schedule = s_tir.Schedule(function)
            (block,) = schedule.get_child_blocks(schedule.get_sblock("root"))
            row, column, *reduction = schedule.get_loops(block)
            _, lane = schedule.split(column, [None, lanes])
            schedule.reorder(*reduction, lane)
            schedule.vectorize(lane)
            schedule.parallel(row)
            functions[name] = schedule.mod["main"].with_attr("global_symbol", name.name_hint)
    return Model(IRModule(functions), model.manifest, model.reference)


#: Keeps TVM's FFI from importing torch, which takes seconds and plays no part here.
WITHOUT_TORCH = "import sys; sys.modules['torch'] = None\n"


def python(code: str, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own."""
    command = [sys.executable, "-c", WITHOUT_TORCH + code, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120, cwd="/", **options
    )


def succeeds(process: subprocess.CompletedProcess[str]) -> str:
    assert process.returncode == 0, f"exit {process.returncode}: {process.stdout}{process.stderr}"
    return process.stdout


def saved(model: Model, folder: Path, name: str = "model.so") -> Path:
    path = folder / name
    model.build().save(path)
    return path
