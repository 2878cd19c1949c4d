"""What a GPU's threads do, one after the other on a CPU: it shows a schedule that misses something.

It shows nothing of what threads tell each other in a warp, nor of what nvcc makes of the code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import onnx
import tvm
import tvm_ffi
from onnx import parser
from onnx.reference import ReferenceEvaluator
from tvm import IRModule, relax
from tvm.tirx import For, ForKind, PrimFunc

from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.schedules.schedule import Scheduled, schedule
from tvmfuse.target.resolve import resolve

CUDA: Final = resolve("cuda")
CPU: Final = tvm.target.Target({"kind": "llvm", "mcpu": "x86-64", "opt-level": 0})


def model_of(graph: str) -> onnx.ModelProto:
    return parser.parse_model(f'<ir_version: 8, opset_import: ["" : 20]> g {graph}')


def kernels_of(model: onnx.ModelProto) -> IRModule:
    imported = import_model(model)
    return optimize(imported.module, Selection.of("all", (), ""), target=CUDA).kernels


def feeds_of(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    rng, fed = np.random.default_rng(0), {}
    for value in model.graph.input:
        shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
        whole = value.type.tensor_type.elem_type == onnx.TensorProto.INT64
        fed[value.name] = (
            rng.integers(0, 9, shape) if whole else rng.standard_normal(shape, "float32")
        )
    return fed


def assert_numbers(graph: str) -> Scheduled:
    """Compare a model's kernels with ONNX's reference; return them as they were scheduled."""
    model = model_of(graph)
    scheduled, feeds = schedule(kernels_of(model), CUDA), feeds_of(model)
    found = _run(scheduled.module, feeds)
    expected = ReferenceEvaluator(model).run(None, feeds)
    for one, other in zip(found, expected, strict=True):
        # Sums are added up in another order: of hundreds of terms 1e-5 of the largest result.
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-5 * max(np.abs(other).max(), 1))
    return scheduled


def _run(module: IRModule, feeds: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    functions = {
        symbol: _in_turn(f) if isinstance(f, PrimFunc) else f
        for symbol, f in module.functions_items()
    }
    built = tvm.compile(IRModule(functions, attrs=module.attrs), CPU)
    main = relax.VirtualMachine(built, tvm.cpu())["main"]
    return [y.numpy() for y in main(*(tvm.runtime.tensor(x) for x in feeds.values()))]


def _in_turn(function: PrimFunc) -> PrimFunc:
    def serial(loop: For) -> For:
        if loop.kind != ForKind.THREAD_BINDING:
            return loop
        return For(loop.loop_var, loop.min, loop.extent, ForKind.SERIAL, loop.body)

    return tvm_ffi.structural_map(function, (For, serial))
