"""ConcatAddFusion: what is added to zeros is concatenated."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import tvm
from graphs import graph, onnx_model, ops, run, tensor
from onnx import helper
from reference import assert_agrees, reference
from torch import Tensor, nn
from tvm import tirx
from tvm.relax.op import broadcast_to, concat, exp, full, strided_slice, zeros

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.passes.basic.concat_add_fusion import ConcatAddFusion
from tvmfuse.passes.basic.dead_code_elimination import DeadCodeElimination
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = ConcatAddFusion()
A, B = tensor(3, 2), tensor(3, 4)


def nothing(*shape: int) -> Any:
    return constant(np.zeros(shape, "float32"))


@pytest.mark.parametrize("axis", [1, -1])
def test_parts_beside_each_other(axis: int) -> None:
    assert_rewrites(
        RULE,
        graph(
            lambda a, b, _: concat([a, nothing(3, 4)], axis) + concat([nothing(3, 2), b], axis),
            A,
            B,
        ),
        graph(lambda a, b, _: concat([a, b], 1), A, B),
    )


def test_a_sum_of_three_in_any_order() -> None:
    """The gradient of packed queries, keys and values; an empty part is none."""
    x = tensor(1, 2)

    def before(a: Any, b: Any, c: Any, emit: Any) -> Any:
        last = emit(concat([nothing(2, 2), c, nothing(0, 2)], 0))
        middle = emit(concat([nothing(1, 2), b, nothing(1, 2)], 0))
        return emit(last + middle) + emit(concat([a, nothing(2, 2)], 0))

    tvm.ir.assert_structural_equal(
        DeadCodeElimination()(RULE(graph(before, x, x, x))),
        graph(lambda a, b, c, _: concat([a, b, c], 0), x, x, x),
    )


def test_zeros_that_both_have_are_left() -> None:
    def before(a: Any, b: Any, _: Any) -> Any:
        first = concat([nothing(3, 1), a, nothing(3, 7)], 1)
        return first + concat([nothing(3, 5), b, nothing(3, 1)], 1)

    def after(a: Any, b: Any, _: Any) -> Any:
        made = [zeros((3, n), "float32") for n in (1, 2, 1)]
        return concat([made[0], a, made[1], b, made[2]], 1)

    assert_rewrites(RULE, graph(before, A, B), graph(after, A, B))


@pytest.mark.parametrize(
    "made",
    [
        lambda n: zeros((n, 4), "float32"),
        lambda n: full((n, 4), constant(np.array(0, "float32")), "float32"),
        lambda n: broadcast_to(constant(np.array(-0.0, "float32")), (n, 4)),
        lambda n: strided_slice(zeros((n, 9), "float32"), [1], [2], [6]),
    ],
)
def test_zeros_that_are_computed(made: Callable[[Any], Any]) -> None:
    """Of other axes sizes may be symbolic."""
    n = tirx.Var("n", "int64")
    types = tensor(n, 4), tensor(n, 4)
    after = RULE(graph(lambda a, b, _: concat([a, made(n)], 1) + concat([made(n), b], 1), *types))
    assert "add" not in ops(after)
    assert ops(after)[-1] == "concat"


def test_declines_parts_that_meet() -> None:
    module = graph(
        lambda a, b, _: (
            concat([a, nothing(3, 4)], 1) + concat([nothing(3, 1), b, nothing(3, 1)], 1)
        ),
        A,
        B,
    )
    assert_declines(RULE, module, because="where one operand has a part, the other is zero")


def test_declines_other_axes_and_other_shapes() -> None:
    square, wide = tensor(2, 4), tensor(4, 2)
    because = "both operands are concatenated along one axis"
    module = graph(
        lambda a, b, _: concat([a, nothing(2, 4)], 0) + concat([nothing(4, 2), b], 1), square, wide
    )
    assert_declines(RULE, module, because=because)
    row = graph(
        lambda a, b, _: concat([a, nothing(3, 4)], 1) + concat([nothing(1, 2), b], 1),
        A,
        tensor(1, 4),
    )
    assert_declines(RULE, row, because=because)


def test_declines_sizes_that_are_not_known() -> None:
    n = tirx.Var("n", "int64")
    module = graph(
        lambda a, b, _: concat([a, nothing(2, 4)], 0) + concat([zeros((n, 4), "float32"), b], 0),
        tensor(n, 4),
        tensor(2, 4),
    )
    assert_declines(RULE, module, because="the parts' sizes are known")


@pytest.mark.parametrize("other", [np.ones((3, 4)), np.array([[0, 0, 0, 1]] * 3)])
def test_ignores_what_is_not_zero(other: Any) -> None:
    added = constant(other.astype("float32"))
    assert_ignores(
        RULE, graph(lambda a, b, _: concat([a, added], 1) + concat([nothing(3, 2), b], 1), A, B)
    )


def test_ignores_tensors_that_may_be_zero() -> None:
    assert_ignores(RULE, graph(lambda a, b, _: concat([a, b], 1) + concat([exp(a), b], 1), A, B))


def test_a_whole_model() -> None:
    """With NaN, infinities and a negative zero, which equals zero."""
    model = onnx_model(
        [
            helper.make_node("Concat", ["a", "z4"], ["x"], axis=1),
            helper.make_node("Concat", ["z2", "b"], ["y"], axis=1),
            helper.make_node("Add", ["x", "y"], ["sum"]),
        ],
        {"a": ("float32", [3, 2]), "b": ("float32", [3, 4])},
        {"sum": "float32"},
        {"z2": np.zeros((3, 2), "float32"), "z4": np.zeros((3, 4), "float32")},
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["concat"]
    rng = np.random.default_rng(0)
    feeds = {name: rng.standard_normal((3, n), "float32") for name, n in (("a", 2), ("b", 4))}
    feeds["a"][0], feeds["b"][1] = (np.nan, -np.inf), (np.inf, -0.0, 1, np.nan)
    assert_agrees({"sum": run(module, *feeds.values())[0]}, reference(model, feeds))


class Gradient(nn.Module):
    """That of three parts of one tensor, read one by one."""

    def forward(self, *parts: Tensor) -> Tensor:
        back, shape = torch.ops.aten.select_backward, [4, 3, 5]
        first, second, third = (back(part, shape, 1, n) for n, part in enumerate(parts))
        return torch.relu((third + second) + first)


def test_a_gradient() -> None:
    parts = tuple(torch.randn(3, 4, 5).unbind(0))
    artifact = tvmfuse.compile(Gradient(), example_inputs=parts, target="llvm")
    assert [fired.name for fired in artifact.report.passes if fired.fired].count(RULE.name) == 1
    names = [spec.name for spec in artifact.manifest.inputs]
    (found,) = artifact.load()(dict(zip(names, map(Tensor.numpy, parts), strict=True))).values()
    np.testing.assert_array_equal(found, Gradient()(*parts))
