"""ir.size_variables: kernels with one variable for each symbolic size."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference
from tvm import relax, te, tirx
from tvm.tirx import BufferType

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.kernels import calls_of
from tvmfuse.ir.size_variables import with_one_variable_a_size
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize

PADS = [1] * 4


def halved_twice() -> Any:
    """Return convolutions of images of (h - 1) // 2 + 1 lines, the two in between equal."""
    nodes = [
        helper.make_node("Conv", ["x", "first"], ["a"], strides=[2, 2], pads=PADS),
        helper.make_node("Conv", ["a", "u"], ["b"], pads=PADS),
        helper.make_node("Conv", ["b", "v"], ["c"], pads=PADS),
        helper.make_node("Conv", ["c", "one"], ["d"]),
        helper.make_node(
            "MaxPool", ["d"], ["y"], kernel_shape=[2, 2], strides=[1, 1], pads=[1] * 4
        ),
    ]
    rng = np.random.default_rng(0)
    shapes = {"first": (32, 16, 3, 3), "u": (32, 32, 3, 3), "v": (32, 32, 3, 3)}
    weights = {
        name: rng.standard_normal(shape, "float32")
        for name, shape in {**shapes, "one": (16, 32, 1, 1)}.items()
    }
    return onnx_model(nodes, {"x": ("float32", ("n", 16, "h", "w"))}, {"y": "float32"}, weights)


def sizes_of(kernel: tirx.PrimFunc) -> list[str]:
    """Return the variables of a kernel's shapes, and those that are parameters."""
    tensors = [p for p in kernel.params if isinstance(p.ty, BufferType)]
    used = [v for t in tensors for size in t.shape for v in tirx.analysis.undefined_vars(size)]
    scalars = [p for p in kernel.params if not isinstance(p.ty, BufferType)]
    return [v.name for v in dict.fromkeys([*used, *scalars])]


def test_one_variable_for_each_size() -> None:
    module = optimize(
        import_model(halved_twice()).module, Selection.of("all", "WinogradConv")
    ).kernels
    called = [callee.name_hint for _, _, callee in calls_of(module["main"])]
    kernels = {name: module[name] for name in called if isinstance(module[name], tirx.PrimFunc)}
    assert len(kernels) == len(called) - 1  # the two in between are one
    for kernel in kernels.values():
        assert len(sizes_of(kernel)) == 3, kernel.script()


@pytest.mark.parametrize("target", ["llvm", "avx2"])
@pytest.mark.sampled(3)
def test_the_numbers_stay(target: str) -> None:
    model = halved_twice()
    run = tvmfuse.compile(model, target).load()
    for n, h, w in ((1, 1, 1), (1, 2, 3), (3, 7, 7), (2, 13, 29)):
        feeds = {"x": np.random.default_rng(h).standard_normal((n, 16, h, w), "float32")}
        assert_agrees(run(**feeds), reference(model, feeds))


@pytest.mark.parametrize(("second", "variables"), [("n", ["n"]), ("m", ["n", "m"])])
def test_a_kernel_that_calls_feed_differently_stays(second: str, variables: list[str]) -> None:
    n, m = tirx.Var("n", "int64"), tirx.Var("m", "int64")
    a, b = te.placeholder((n,), "float32", "a"), te.placeholder((m,), "float32", "b")
    total = te.compute((n,), lambda i: a[i] + b[tirx.min(i, m - 1)], "total")
    sizes = {name: tirx.Var(name, "int64") for name in "nm"}
    x = relax.Var("x", relax.TensorType((sizes["n"],), "float32"))
    y = relax.Var("y", relax.TensorType((sizes[second],), "float32"))
    builder = relax.BlockBuilder()
    add = builder.add_func(te.create_prim_func([a, b, total]), "add")
    with builder.function("main", [x, y]):
        with builder.dataflow():
            same = builder.emit(relax.call_tir(add, [x, x], x.ty))
            result = builder.emit_output(relax.call_tir(add, [same, y], x.ty))
        builder.emit_func_output(result)
    module = with_one_variable_a_size(builder.get())
    (kernel,) = (f for f in module.functions.values() if isinstance(f, tirx.PrimFunc))
    assert sizes_of(kernel) == variables
