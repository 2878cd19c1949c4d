"""SliceConcatToSpaceToDepthFusion: slices of [::2, ::2] -> concat becomes a permutation."""

from collections.abc import Callable, Sequence

import numpy as np
import onnx
import pytest
from graphs import graph, onnx_model, ops, run, tensor
from onnx.helper import make_node
from onnx.reference import ReferenceEvaluator
from reference import assert_agrees, reference
from tvm import tirx
from tvm.ir import Expr
from tvm.relax.op import concat, exp, permute_dims, reshape, strided_slice

from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ir.types import same_dims, shape_of
from tvmfuse.passes.basic.slice_concat_to_space_to_depth_fusion import (
    SliceConcatToSpaceToDepthFusion,
)
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import (
    assert_declines,
    assert_ignores,
    assert_rewrites,
    evaluate,
)

RULE = SliceConcatToSpaceToDepthFusion()
SHAPE = (2, 3, 4, 6)
X = tensor(*SHAPE)
BY_ROWS = [(0, 0), (0, 1), (1, 0), (1, 1)]
BY_COLUMNS = [(0, 0), (1, 0), (0, 1), (1, 1)]
END = 2**31 - 1

Emit = Callable[[Expr], Expr]


def phase(x: Expr, row: int, column: int, stride: int = 2) -> Expr:
    return strided_slice(x, [2, 3], [row, column], [END, END], [stride, stride])


def focus(order: Sequence[tuple[int, int]], axis: int = 1) -> Callable[[Expr, Emit], Expr]:
    return lambda x, emit: concat([emit(phase(x, *start)) for start in order], axis)


def moved(*axes: int) -> Callable[[Expr, Emit], Expr]:
    return lambda x, _: reshape(
        permute_dims(reshape(x, (2, 3, 2, 2, 3, 2)), list(axes)), (2, 12, 2, 3)
    )


def test_by_rows_as_onnx_space_to_depth() -> None:
    before = graph(focus(BY_ROWS), X)
    assert_rewrites(RULE, before, graph(moved(0, 3, 5, 1, 2, 4), X))

    x = np.arange(np.prod(SHAPE), dtype="float32").reshape(SHAPE)
    node = onnx.helper.make_node("SpaceToDepth", ["x"], ["y"], blocksize=2)
    (expected,) = ReferenceEvaluator(node).run(None, {"x": x})
    np.testing.assert_array_equal(evaluate(RULE(before), [x])[0], expected)


def test_by_columns_as_in_yolo() -> None:
    assert_rewrites(RULE, graph(focus(BY_COLUMNS), X), graph(moved(0, 5, 3, 1, 2, 4), X))


def test_negative_axes() -> None:
    def compute(x: Expr, emit: Emit) -> Expr:
        parts = [
            emit(strided_slice(x, [-1, -2], [column, row], [6, 4], [2, 2]))
            for row, column in BY_ROWS
        ]
        return concat(parts, -3)

    assert_rewrites(RULE, graph(compute, X), graph(moved(0, 3, 5, 1, 2, 4), X))


def test_slices_that_name_all_axes() -> None:
    def compute(x: Expr, emit: Emit) -> Expr:
        parts = [
            emit(strided_slice(x, [0, 1, 2, 3], [0, 0, *start], [END] * 4, [1, 1, 2, 2]))
            for start in BY_ROWS
        ]
        return concat(parts, 1)

    assert_rewrites(RULE, graph(compute, X), graph(moved(0, 3, 5, 1, 2, 4), X))


@pytest.mark.parametrize("shared", [False, True])
def test_one_slice_for_each_axis(shared: bool) -> None:
    def rows(x: Expr, row: int, emit: Emit) -> Expr:
        return emit(strided_slice(x, [2], [row], [END], [2]))

    def compute(x: Expr, emit: Emit) -> Expr:
        even, odd = rows(x, 0, emit), rows(x, 1, emit)
        rest = [even, odd] if shared else [rows(x, 0, emit), rows(x, 1, emit)]
        halves = [even, odd, *rest]
        return concat(
            [
                emit(strided_slice(half, [3], [column], [END], [2]))
                for half, (_, column) in zip(halves, BY_COLUMNS, strict=True)
            ],
            1,
        )

    assert_rewrites(RULE, graph(compute, X), graph(moved(0, 5, 3, 1, 2, 4), X))


def test_any_dtype_and_a_symbolic_batch() -> None:
    n, trace = tirx.Var("n", "int64"), Trace()
    after = RULE(graph(focus(BY_ROWS), tensor(n, 3, 4, 6, dtype="int8")), trace)
    assert len(trace.fired) == 1
    root = after["main"].body.blocks[-1].bindings[-1].var
    assert same_dims(shape_of(root), (n, 12, 2, 3))


def test_the_result_knows_all_the_nodes() -> None:
    def compute(x: Expr, emit: Emit) -> Expr:
        parts = [
            emit(with_nodes(phase(x, *start), [f"slice_{i}"])) for i, start in enumerate(BY_ROWS)
        ]
        return with_nodes(concat(parts, 1), ["concat"])

    trace = Trace()
    after = RULE(graph(compute, X), trace)
    names = ("slice_0", "slice_1", "slice_2", "slice_3", "concat")
    assert trace.fired == [names]
    bindings = after["main"].body.blocks[0].bindings
    assert [nodes_of(b.value) for b in bindings] == [names] * 3


def test_stops_at_the_limit() -> None:
    def twice(x: Expr, emit: Emit) -> list[Expr]:
        return [focus(BY_ROWS)(x, emit), focus(BY_COLUMNS)(x, emit)]

    trace = Trace(limit=1)
    RULE(graph(twice, X), trace)
    assert len(trace.fired) == 1


def test_declines_other_blocks() -> None:
    starts = [(row, column) for row in range(3) for column in range(3)]
    assert_declines(
        RULE,
        graph(
            lambda x, emit: concat([emit(phase(x, *start, stride=3)) for start in starts], 1),
            tensor(1, 3, 6, 6),
        ),
        because="four slices are concatenated",
    )
    assert_declines(
        RULE,
        graph(
            lambda x, emit: concat([emit(phase(x, *start, stride=3)) for start in BY_ROWS], 1),
            tensor(1, 3, 6, 6),
        ),
        because="each slice takes every second row and column of an even number of them",
    )


@pytest.mark.parametrize(
    ("axes", "begins", "ends", "strides"),
    [
        ([2], [0], [END], [2]),
        ([2, 3], [0, 0], [3, END], [2, 2]),
        ([2, 3], [2, 0], [END, END], [2, 2]),
        ([1, 2, 3], [1, 0, 0], [END] * 3, [1, 2, 2]),
        ([1, 2], [0, 0], [END] * 2, [2, 2]),
    ],
)
def test_declines_other_slices(
    axes: list[int], begins: list[int], ends: list[int], strides: list[int]
) -> None:
    def compute(x: Expr, emit: Emit) -> Expr:
        parts = [emit(strided_slice(x, axes, begins, ends, strides)) for _ in range(4)]
        return concat(parts, 1)

    assert_declines(
        RULE,
        graph(compute, tensor(1, 4, 6, 6)),
        because="each slice takes every second row and column of an even number of them",
    )


def test_declines_sizes_that_are_not_known() -> None:
    h = tirx.Var("h", "int64")
    assert_declines(
        RULE,
        graph(
            lambda x, emit: concat([emit(phase(x, 0, 0))] * 4, 1),
            tensor(1, 3, h, h),
        ),
        because="each slice takes every second row and column of an even number of them",
    )


def test_declines_slices_of_two_tensors() -> None:
    def compute(x: Expr, y: Expr, emit: Emit) -> Expr:
        parts = [
            emit(phase(tensor, *start)) for tensor, start in zip((x, x, x, y), BY_ROWS, strict=True)
        ]
        return concat(parts, 1)

    assert_declines(RULE, graph(compute, X, X), because="the slices are of one tensor")


@pytest.mark.parametrize("axis", [0, 2, 3])
def test_declines_other_axes(axis: int) -> None:
    assert_declines(RULE, graph(focus(BY_ROWS, axis), X), because="the slices become channels")


@pytest.mark.parametrize(
    "order",
    [
        [(0, 0), (1, 1), (0, 1), (1, 0)],
        [(1, 1), (1, 0), (0, 1), (0, 0)],
        [(0, 0), (0, 0), (1, 1), (1, 1)],
    ],
)
def test_declines_other_orders(order: list[tuple[int, int]]) -> None:
    assert_declines(
        RULE,
        graph(focus(order), X),
        because="the slices come row by row or column by column",
    )


@pytest.mark.parametrize("reader", [lambda y: y, exp])
def test_declines_where_something_else_reads_a_slice(reader: Callable[[Expr], Expr]) -> None:
    def compute(x: Expr, emit: Emit) -> list[Expr]:
        parts = [emit(phase(x, *start)) for start in BY_ROWS]
        return [concat(parts, 1), reader(parts[2])]

    assert_declines(
        RULE,
        graph(compute, X),
        because="the concatenation is the slices' only reader",
    )


def test_ignores_other_concatenations() -> None:
    assert_ignores(RULE, graph(lambda x, _: concat([x, exp(x)], 1), X))
    assert_ignores(
        RULE,
        graph(
            lambda x, emit: concat(
                [emit(strided_slice(x, [1], [i], [i + 1])) for i in range(2)], 1
            ),
            X,
        ),
    )


def test_the_focus_layer_as_torch_exports_it() -> None:
    """Two Slice nodes for each ``x[..., i::2, j::2]``."""
    constants = {"end": np.array([2**63 - 1]), "step": np.array([2])}
    constants |= {f"at_{n}": np.array([n]) for n in range(4)}
    nodes = []
    for i, (row, column) in enumerate(BY_COLUMNS):
        bounds = [f"at_{row}", "end", "at_2", "step"], [f"at_{column}", "end", "at_3", "step"]
        nodes.append(make_node("Slice", ["x", *bounds[0]], [f"r_{i}"]))
        nodes.append(make_node("Slice", [f"r_{i}", *bounds[1]], [f"s_{i}"]))
    nodes.append(make_node("Concat", [f"s_{i}" for i in range(4)], ["y"], axis=1))
    shape = ("n", *SHAPE[1:])
    model = onnx_model(nodes, {"x": ("float32", shape)}, {"y": "float32"}, constants)
    x = np.random.default_rng(0).standard_normal(SHAPE).astype("float32")
    module = RULE(import_model(model).module)
    assert ops(module) == ["reshape", "permute_dims", "reshape"]
    assert_agrees({"y": run(module, x)[0]}, reference(model, {"x": x}))
