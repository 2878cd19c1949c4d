"""Reshapes: views, where an output's memory is its own, and kernels that copy elsewhere."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, tensor
from onnx import helper
from reference import assert_agrees, reference
from tvm import IRModule, relax, tirx
from tvm.error import InternalError
from tvm.relax.op import exp, reshape, split, strided_slice
from tvm_ffi import structural_equal

import tvmfuse
from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.kernels import is_reshape
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.schedules.views import viewed

Returned = Callable[[Any, Any], Any]


def kernels(compute: Returned, *inputs: Any) -> list[str]:
    """Return the kernels that a graph calls, sorted."""
    module = viewed(lower(graph(compute, *(inputs or (tensor(2, 6),)))).module)
    names = {name.name_hint for name in module.get_global_vars()}
    flow = Dataflow.of(module["main"])
    called = [flow.values[v].args[0].name_hint for v in flow.calls("relax.call_tir")]
    assert names == {"main", *called}
    return sorted(called)


def test_a_reshape_between_kernels() -> None:
    assert kernels(lambda x, emit: exp(emit(reshape(emit(exp(x)), (3, 4))))) == [
        "tir_exp",
        "tir_exp1",
    ]


def test_an_output() -> None:
    def before(x: Any, emit: Any) -> Any:
        y = emit(exp(x))
        return [reshape(y, (3, 4)), exp(y)]

    assert kernels(before) == ["tir_exp", "tir_exp"]


def test_a_reshape_of_a_reshape() -> None:
    def before(x: Any, emit: Any) -> Any:
        return [reshape(emit(reshape(emit(exp(x)), (3, 4))), (12,))]

    assert kernels(before) == ["tir_exp"]


def test_results_of_one_kernel() -> None:
    """Each lies in memory of its own."""

    def before(x: Any, emit: Any) -> Any:
        both = emit(split(emit(exp(x)), 2, axis=1))
        return [reshape(emit(both[0]), (6,)), reshape(emit(both[1]), (6,))]

    assert kernels(before) == ["split", "tir_exp"]


def test_sizes_that_are_symbolic() -> None:
    n = tirx.Var("n", "int64")
    assert kernels(lambda x, emit: reshape(emit(exp(x)), (n * 6,)), tensor(n, 6)) == ["tir_exp"]


@pytest.mark.parametrize(
    "outputs",
    [
        lambda x, _: [reshape(x, (3, 4))],
        lambda x, emit: [(y := emit(exp(x), output=True)), reshape(y, (3, 4))],
        lambda x, emit: [reshape(emit(reshape(x, (12,))), (3, 4)), exp(x)],
    ],
    ids=["of an input", "of an output", "of an input's view"],
)
def test_memory_that_others_see(outputs: Returned) -> None:
    assert "reshape" in {name.rstrip("0123456789") for name in kernels(outputs)}


def test_two_outputs_in_one_memory() -> None:
    """The first is the view."""

    def before(x: Any, emit: Any) -> Any:
        y = emit(exp(x))
        return [reshape(y, (3, 4)), reshape(y, (12,))]

    assert kernels(before) == ["reshape1", "tir_exp"]


def test_the_first_elements_alone() -> None:
    """To TVM's analysis a slice from the first one on is a reshape."""
    first = kernels(lambda x, emit: [strided_slice(emit(exp(x)), [0], [0], [1])])
    assert first == ["strided_slice", "tir_exp"]


def test_weights() -> None:
    weight = relax.const(np.ones((2, 6), "float32"))
    assert kernels(lambda x, emit: [reshape(weight, (3, 4)), exp(x)]) == ["reshape", "tir_exp"]


@pytest.mark.parametrize("level", ["none", "all"])
def test_outputs_stay_as_they_were(level: str) -> None:
    """No later call writes to them, and none is in another's memory."""
    model = onnx_model(
        [
            helper.make_node("Exp", ["x"], ["y"]),
            helper.make_node("Reshape", ["y", "shape"], ["flat"]),
            helper.make_node("Softmax", ["y"], ["z"]),
        ],
        {"x": ("float32", ["n", 6])},
        {"flat": "float32", "z": "float32"},
        {"shape": np.array([-1], "int64")},
    )
    run = tvmfuse.compile(model, level=level).load(num_threads=1)
    rng = np.random.default_rng(0)
    feeds = [{"x": rng.standard_normal((n, 6), "float32")} for n in (2, 300, 2, 1)]
    found = [run(fed) for fed in feeds]
    for one, fed in zip(found, feeds, strict=True):
        assert_agrees(one, reference(model, fed))
        assert not np.shares_memory(one["flat"], one["z"])


def test_an_element_of_an_axis_of_one() -> None:
    """A kernel that reads its only element is a view, and no launch that the manifest counts."""
    model = onnx_model(
        [
            helper.make_node("Exp", ["x"], ["y"]),
            helper.make_node("Gather", ["y", "first"], ["z"], axis=2),
            helper.make_node("Transpose", ["z"], ["t"], perm=[1, 0, 2, 3]),
        ],
        {"x": ("float32", ["n", 6, 1])},
        {"t": "float32"},
        {"first": np.zeros((1, 1), "int64")},
    )
    artifact = tvmfuse.compile(model, level="none", strict=True)
    assert [k.nodes for k in artifact.manifest.kernels] == [("Exp_0",), ("Transpose_2",)]
    for n in (1, 5):
        fed = {"x": np.random.default_rng(n).standard_normal((n, 6, 1), "float32")}
        assert_agrees(artifact.load(num_threads=1)(fed), reference(model, fed))


def test_kernels_that_tvm_cannot_tell_from_views(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pass fails on indices for which its analysis finds no answer: it sees none of theirs."""
    real = relax.transform.RewriteDataflowReshape()

    def fails(module: IRModule) -> IRModule:
        kernels = [f for f in module.functions.values() if isinstance(f, tirx.PrimFunc)]
        if any(not is_reshape(f) and not isinstance(f.body, tirx.Evaluate) for f in kernels):
            raise InternalError("no answer")
        return real(module)

    operators = graph(lambda x, emit: exp(emit(reshape(x, (6,)))), tensor(2, 3))
    module = lower(operators).module
    expected = viewed(module)
    monkeypatch.setattr(relax.transform, "RewriteDataflowReshape", lambda: fails)
    assert structural_equal(viewed(module), expected)
    assert sorted(name.name_hint for name in expected.get_global_vars()) == ["main", "tir_exp"]
