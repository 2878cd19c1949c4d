"""build.bytecode: what a run asks of the virtual machine, and no more."""

from typing import Any

import numpy as np
import onnx
import pytest
from bytecode_calls import calls
from onnx import numpy_helper, parser
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.build.native import FITS, SHAPE, SIZED_TENSOR
from tvmfuse.errors import CompilationError


def model(text: str, **constants: Any) -> onnx.ModelProto:
    made = parser.parse_model(f'<ir_version: 8, opset_import: ["": 20]> g {text}')
    made.graph.initializer.extend(
        numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()
    )
    return made


@pytest.mark.parametrize(
    ("inputs", "needed"),
    [
        ("float[2,3] x", ("alloc_storage", "alloc_tensor", "make_tuple")),
        ("float[n,3] x", (SIZED_TENSOR, "make_tuple")),
        ("float[n,m] x", (SIZED_TENSOR, "make_tuple")),
    ],
)
def test_one_kernel_takes_each_builtin_once(inputs: str, needed: tuple[str, ...]) -> None:
    relu = model(f"({inputs}) => (float[] y) {{ y = Relu(x) }}")
    found = calls(tvmfuse.compile(relu, target="avx2"))
    assert sum(found.values()) == len(needed) + 1
    assert all(found[name] == 1 for name in needed)


def test_equal_shapes_are_made_once() -> None:
    text = "(float[n,4] x, float[n,4] z) => (float[n,4] a, float[n] b, float[n,4] c)"
    body = "{ a = Exp(x) b = ReduceSum<keepdims=0>(x, last) c = Neg(z) }"
    built = tvmfuse.compile(model(text + body, last=np.array([1])), target="avx2", level="none")
    assert calls(built)[SHAPE] == 2
    assert "shape_func" not in calls(built)
    feeds = {name: np.arange(12, dtype=np.float32).reshape(3, 4) - 5 for name in "xz"}
    assert_agrees(built.load()(feeds), reference(model(text + body, last=np.array([1])), feeds))


def test_a_shape_that_a_branch_makes_is_not_there_after_it() -> None:
    text = """(float[n] x, bool c) => (float[] y, float[] w) {
        y = If(c) <then_branch = t () => (float[m] u) { k = Concat<axis=0>(x, x) u = Neg(k) },
                   else_branch = e () => (float[m] v) { q = Concat<axis=0>(x, x) v = Sin(q) }>
        w = Concat<axis=0>(x, x)
    }"""
    built = tvmfuse.compile(model(text), target="avx2").load()
    for taken in (True, False):
        feeds = {"x": np.arange(3, dtype=np.float32), "c": np.array(taken)}
        assert_agrees(built(feeds), reference(model(text), feeds))


def test_what_only_a_run_knows_is_checked_in_it() -> None:
    text = "(float[n] x, int64[1] k) => (float[] y) { r = Reshape(x, k) y = Exp(r) }"
    assert calls(tvmfuse.compile(model(text), target="avx2"))[FITS] > 1


def test_inputs_are_not_checked_again() -> None:
    text = "(float[2,3] x, float[n] y) => (float[] z, float[] w) { z = Neg(x) w = Neg(y) }"
    found = calls(tvmfuse.compile(model(text), target="avx2"))
    assert found.keys().isdisjoint({"check_tensor_info", FITS, "match_shape"})


def test_weights_are_checked_where_they_are_bound() -> None:
    weights = {f"w{i}": np.full((3, 5), i, np.float32) for i in range(3)}
    text = "(float[n,3] x) => (float[] a, float[] b, float[] c)"
    body = "{ a = MatMul(x, w0) b = MatMul(x, w1) c = MatMul(x, w2) }"
    built = tvmfuse.compile(model(text + body, **weights), target="avx2", level="none")
    assert "check_tensor_info" not in calls(built)
    assert calls(built, "main_check_weights")["check_tensor_info"] == 3
    code = built.code
    code.weights[1] = code.weights[1][:, :4].copy()  # type: ignore[attr-defined]
    with pytest.raises(CompilationError, match="weight 1"):
        built.load()
