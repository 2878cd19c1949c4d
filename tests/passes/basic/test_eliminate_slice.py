"""EliminateSlice: the readers of a slice that takes everything read its operand."""

from typing import Any

import numpy as np
import pytest
import tvm
from graphs import graph, onnx_model, ops, tensor
from onnx import helper
from tvm import tirx
from tvm.relax.op import dynamic_strided_slice, exp, strided_slice

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.types import constant
from tvmfuse.passes.basic.eliminate_slice import EliminateSlice
from tvmfuse.testing import assert_declines, assert_rewrites

RULE = EliminateSlice()
X = tensor(3, 5)
SHORT = "the slice is as long as the axis, on every axis"


def sliced(begin: int, end: int, **options: Any) -> tvm.IRModule:
    return graph(lambda x, _: exp(strided_slice(x, [1], [begin], [end], **options)), X)


@pytest.mark.parametrize("end", [5, 7, 2**31 - 1, 2**63 - 1])
@pytest.mark.parametrize("begin", [0, -5, -(2**31)])
def test_takes_everything(begin: int, end: int) -> None:
    assert_rewrites(RULE, sliced(begin, end), graph(lambda x, _: exp(x), X))


def test_several_axes_and_steps_of_one() -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: exp(strided_slice(exp(x), [1, 0], [0, 0], [5, 3], [1, 1])), X),
        graph(lambda x, _: exp(exp(x)), X),
    )


def test_no_axis() -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: exp(strided_slice(x, [], [], [])), X),
        graph(lambda x, _: exp(x), X),
    )


def test_before_a_graph_output() -> None:
    assert_rewrites(
        RULE,
        graph(lambda x, _: strided_slice(exp(x), [1], [0], [5]), X),
        graph(lambda x, _: exp(x), X),
    )


def test_symbolic_lengths() -> None:
    n = tirx.Var("n", "int64")
    for end in (n, n + 1):
        tvm.ir.assert_structural_equal(
            RULE(graph(lambda x, _, e=end: exp(strided_slice(x, [0], [0], [e])), tensor(n, 5))),
            graph(lambda x, _: exp(x), tensor(n, 5)),
        )


def test_declines_where_a_symbolic_axis_may_be_longer() -> None:
    n, m = tirx.Var("n", "int64"), tirx.Var("m", "int64")
    for end in (7, m, n - 1):
        assert_declines(
            RULE,
            graph(
                lambda x, shape, _, e=end: [exp(strided_slice(x, [0], [0], [e])), exp(shape)],
                tensor(n, 5),
                tensor(m),
            ),
            because=SHORT,
        )


@pytest.mark.parametrize(("begin", "end"), [(1, 5), (0, 4), (0, -1), (-3, 5)])
def test_declines_where_a_part_is_missing(begin: int, end: int) -> None:
    assert_declines(RULE, sliced(begin, end), because=SHORT)


@pytest.mark.parametrize("step", [2, -1])
def test_declines_other_steps(step: int) -> None:
    begin, end = (0, 5) if step > 0 else (-1, -6)
    assert_declines(RULE, sliced(begin, end, strides=[step]), because="every step is 1")


def test_declines_a_step_that_reverses_an_axis_of_one() -> None:
    module = graph(lambda x, _: exp(strided_slice(x, [0], [-1], [-2], [-1])), tensor(1))
    assert_declines(RULE, module, because="every step is 1")


def test_declines_bounds_that_come_at_run_time() -> None:
    begin, end, strides = (constant(np.array(v, "int64")) for v in ([0, 0], [3, 5], [1, 1]))
    assert_declines(
        RULE,
        graph(lambda x, _: dynamic_strided_slice(x, begin, end, strides), X),
        because="the bounds are known before the model runs",
    )


def test_declines_between_a_graph_input_and_a_graph_output() -> None:
    assert_declines(
        RULE,
        graph(lambda x, _: strided_slice(x, [1], [0], [5]), X),
        because="no graph output becomes a graph input or another output",
    )


def test_unequal_lists_of_bounds_are_no_relax() -> None:
    with pytest.raises(tvm.error.InternalError, match="same length"):
        graph(lambda x, _: strided_slice(x, [0, 1], [0], [3]), X)


@pytest.mark.parametrize("opset", [1, 10, 11, 13])
@pytest.mark.parametrize(
    ("axis", "end"), [(0, 2**31 - 1), (0, 2**63 - 1), (1, 5), (1, 2**31 - 1), (1, 2**63 - 1)]
)
def test_a_whole_model(opset: int, axis: int, end: int) -> None:
    """The first axis is symbolic; before opset 10, the bounds are attributes."""
    bounds = {"starts": np.array([0]), "ends": np.array([end]), "axes": np.array([axis])}
    attributes = {} if opset >= 10 else {name: v.tolist() for name, v in bounds.items()}
    operands = bounds if opset >= 10 else {}
    model = onnx_model(
        [
            helper.make_node("Slice", ["x", *operands], ["s"], **attributes),
            helper.make_node("Exp", ["s"], ["y"]),
        ],
        {"x": ("float32", ["n", 5])},
        {"y": "float32"},
        operands,
        opset=opset,
    )
    imported = import_model(model).module
    assert ops(imported) == ["strided_slice", "exp"]
    assert ops(RULE(imported)) == ["exp"]
