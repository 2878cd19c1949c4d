"""UnsqueezeElimination: a constant is stored with its new axes."""

from typing import Any

import numpy as np
import pytest
from graphs import graph, onnx_model, ops, tensor
from onnx import helper
from tvm import IRModule
from tvm.relax.op import add, exp, expand_dims

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.passes.basic.unsqueeze_elimination import UnsqueezeElimination
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = UnsqueezeElimination()
C = np.arange(6, dtype="float32").reshape(2, 3)


def unsqueezed(array: np.ndarray, axes: list[int]) -> IRModule:
    x = tensor(1, dtype=str(array.dtype))
    return graph(lambda x, _: add(x, expand_dims(constant(array), axes)), x)


def stored(array: np.ndarray) -> IRModule:
    return graph(lambda x, _: add(x, constant(array)), tensor(1, dtype=str(array.dtype)))


@pytest.mark.parametrize("axes", [[0], [1], [0, 3], [-1], [2, -1], [-4, -1], [-3, 2], [0, 1, 4]])
def test_single_multiple_negative_and_boundary_axes(axes: list[int]) -> None:
    assert_rewrites(RULE, unsqueezed(C, axes), stored(np.expand_dims(C, axes)))


@pytest.mark.parametrize("dtype", ["int32", "int64", "float16", "float64"])
def test_any_dtype(dtype: str) -> None:
    assert_rewrites(RULE, unsqueezed(C.astype(dtype), [1]), stored(C.astype(dtype)[:, None]))


def test_scalars_and_empty_tensors() -> None:
    assert_rewrites(RULE, unsqueezed(np.float32(3) * np.ones(()), [0]), stored(np.full((1,), 3.0)))
    assert_rewrites(
        RULE,
        unsqueezed(np.zeros((0, 2), "float32"), [1]),
        stored(np.zeros((0, 1, 2), "float32")),
    )


def test_only_the_constant_of_two_goes() -> None:
    def mixed(x: Any, _: Any) -> Any:
        return add(expand_dims(x, 0), expand_dims(constant(C), 0))

    module = RULE(graph(mixed, tensor(2, 3)))
    assert ops(module) == ["expand_dims", "add"]
    assert_declines(RULE, module, because="the operand is a constant")


def test_declines_what_is_no_constant() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: exp(expand_dims(x, 0)), tensor(2, 3)),
        because="the operand is a constant",
    )


def test_declines_at_a_graph_output() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: [exp(x), expand_dims(constant(C), 0)], tensor(2)),
        because="the result is no graph output",
    )


def test_ignores_other_operators() -> None:
    assert_ignores(RULE, stored(C))


@pytest.mark.parametrize("opset", [11, 17])
def test_a_whole_model(opset: int) -> None:
    operand = {"axes": np.array([0, 2])} if opset > 11 else {}
    attribute: dict[str, Any] = {} if opset > 11 else {"axes": [0, 2]}
    model = onnx_model(
        [
            helper.make_node("Unsqueeze", ["c", *operand], ["u"], **attribute),
            helper.make_node("Add", ["x", "u"], ["y"]),
        ],
        {"x": ("float32", [2, 1, 4])},
        {"y": "float32"},
        {"c": C[0], **operand},
        opset=opset,
    )  # fmt: skip
    imported = import_model(model).module
    assert ops(RULE(imported)) == ["add"]
