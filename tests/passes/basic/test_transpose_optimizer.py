"""TransposeOptimizer: transposes cancel, or move to where fewer elements are transposed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm
from graphs import graph, ops, tensor
from tvm import IRModule, relax, tirx
from tvm.ir import Expr
from tvm.relax import op
from tvm.relax.op import nn
from tvm.script import ir as I, relax as R

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ops import identity
from tvmfuse.passes.basic.transpose_optimizer import TransposeOptimizer
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites, assert_same_numbers

PASS = TransposeOptimizer()
X = tensor(2, 3, 5, 4)
LAST = tensor(2, 5, 4, 3)
CHANNELS = np.array([1, 2, 4], "float32")

NO_CALL = "a call next to it works along renamed axes"
NO_GAIN = "moving calls across it saves transposes"
KEEPS = "no graph output becomes a graph input or another output"


def to_last(x: Expr) -> Expr:
    return op.permute_dims(x, [0, 2, 3, 1])


def to_second(x: Expr) -> Expr:
    return op.permute_dims(x, [0, 3, 1, 2])


def check_saves(module: IRModule, left: int) -> IRModule:
    """The pass fires, computes the same, comes to rest, and leaves so many transposes."""
    trace, again = Trace(), Trace()
    after = PASS(module, trace)
    assert trace.fired
    assert ops(after).count("permute_dims") == left
    tvm.ir.assert_structural_equal(PASS(after, again), after)
    assert not again.fired
    assert_same_numbers(module, after)
    return after


@pytest.mark.parametrize(
    "nothing", [lambda x: to_second(to_last(x)), lambda x: op.permute_dims(x, [0, 1, 2, 3])]
)
def test_what_moves_nothing_disappears(nothing: Any) -> None:
    before = graph(lambda x, _: nn.relu(nothing(x)), X)
    assert_rewrites(PASS, before, graph(lambda x, _: nn.relu(x), X))


@pytest.mark.parametrize(
    "call",
    [
        lambda x: op.sort(x, 3),
        lambda x: op.argsort(x, 3),
        lambda x: op.topk(x, 2, 3, "values"),
        lambda x: op.gather_elements(x, op.astype(op.clip(x, 0, 2), "int64"), 3),
        lambda x: op.scatter_elements(x, op.astype(op.clip(x, 0, 2), "int64"), op.exp(x), 3),
    ],
    ids=["sort", "argsort", "topk", "gather_elements", "scatter_elements"],
)
def test_what_works_line_by_line_moves(call: Any) -> None:
    check_saves(graph(lambda x, _: to_second(call(to_last(x))), X), 0)


def test_two_transposes_become_one() -> None:
    assert_rewrites(
        PASS,
        graph(lambda x, _: op.permute_dims(op.permute_dims(x, [2, 0, 3, 1]), [3, 0, 1, 2]), X),
        graph(lambda x, _: op.permute_dims(x, [1, 2, 0, 3]), X),
    )


def test_a_transpose_of_axes_of_extent_1_becomes_a_reshape() -> None:
    assert_rewrites(
        PASS,
        graph(lambda x, _: to_last(x), tensor(2, 1, 5, 4)),
        graph(lambda x, _: op.reshape(x, (2, 5, 4, 1)), tensor(2, 1, 5, 4)),
    )


def test_a_transpose_of_a_constant_is_done_here() -> None:
    w = np.arange(6, dtype="float32").reshape(2, 3)
    assert_rewrites(
        PASS,
        graph(lambda x, _: op.matmul(x, op.permute_dims(relax.const(w))), tensor(4, 3)),
        graph(lambda x, _: op.matmul(x, relax.const(w.T.copy())), tensor(4, 3)),
    )


def test_declines_where_something_else_reads_the_inner_transpose() -> None:
    def module(x: Any, emit: Any) -> Any:
        y = emit(op.permute_dims(x, [2, 0, 3, 1]))
        return [op.reshape(y, (120,)), op.reshape(to_second(y), (120,))]

    trace = Trace()
    assert ops(PASS(graph(module, X), trace)).count("permute_dims") == 2
    assert set(trace.reasons) == {"the inner transpose has no other reader", NO_CALL}


def test_a_transpose_that_undoes_a_shared_one_reads_what_was_there_before() -> None:
    def build(x: Any, emit: Any, *, undo: bool) -> Any:
        y = emit(to_last(x))
        return [op.reshape(y, (120,)), op.reshape(to_second(y) if undo else x, (6, 20))]

    assert_rewrites(
        PASS,
        graph(lambda x, emit: build(x, emit, undo=True), X),
        graph(lambda x, emit: build(x, emit, undo=False), X),
    )


def test_declines_to_return_an_input() -> None:
    module = graph(lambda x, _: op.permute_dims(x, [0, 1, 2, 3]), X)
    assert_declines(PASS, module, because=KEEPS)


# Calls that move.


def test_calls_between_a_transpose_and_its_inverse() -> None:
    def before(x: Any, _: Any) -> Any:
        y = op.add(to_last(op.abs(x)), relax.const(CHANNELS))
        return op.exp(to_second(nn.relu(identity(y))))

    def after(x: Any, _: Any) -> Any:
        y = op.add(op.abs(x), relax.const(CHANNELS.reshape(1, 3, 1, 1)))
        return op.exp(nn.relu(identity(y)))

    assert_rewrites(PASS, graph(before, X), graph(after, X))


def test_constants_of_any_rank_are_laid_anew() -> None:
    constants = [
        np.float32(2), CHANNELS[:1], np.ones((1, 1, 1, 1), "float32"),
        np.arange(12, dtype="float32").reshape(4, 3), np.ones((2, 1, 1, 3), "float32"),
    ]  # fmt: skip

    def module(x: Any, _: Any) -> Any:
        y = to_last(x)
        for c in constants:
            y = op.add(relax.const(c), y)
        return op.exp(to_second(y))

    check_saves(graph(module, X), left=0)


def test_both_operands_transposed_alike() -> None:
    assert_rewrites(
        PASS,
        graph(lambda x, y, _: op.multiply(to_last(x), to_last(y)), X, X),
        graph(lambda x, y, _: to_last(op.multiply(x, y)), X, X),
    )


def test_a_residual_branch() -> None:
    def module(x: Any, emit: Any) -> Any:
        y = emit(to_last(x))
        z = emit(nn.relu(y))
        return to_second(op.add(op.add(op.exp(z), z), y))

    check_saves(graph(module, X), left=0)


def test_a_cheap_operand_is_transposed_instead_of_a_large_one() -> None:
    module = graph(lambda x, y, _: op.exp(to_second(op.multiply(to_last(x), y))), X, tensor(4, 3))
    after = check_saves(module, left=1)
    assert ops(after) == ["reshape", "permute_dims", "multiply", "exp"]


def test_a_bias_that_is_no_constant_is_reshaped() -> None:
    module = graph(lambda x, b, _: op.exp(to_second(op.add(to_last(x), b))), X, tensor(3))
    after = check_saves(module, left=0)
    assert ops(after) == ["reshape", "add", "exp"]


def test_a_reduction_leaves_less_to_transpose() -> None:
    assert_rewrites(
        PASS,
        graph(lambda x, _: op.mean(to_last(x), [1]), X),
        graph(lambda x, _: op.permute_dims(op.mean(x, [2]), [0, 2, 1]), X),
    )


def test_a_reduction_over_all_that_moves_leaves_nothing_to_transpose() -> None:
    assert_rewrites(
        PASS,
        graph(lambda x, _: op.max(to_last(x), [1, 2]), X),
        graph(lambda x, _: op.max(x, [2, 3]), X),
    )


def test_softmax_runs_along_its_axis() -> None:
    assert_rewrites(
        PASS,
        graph(lambda x, _: op.exp(to_second(nn.softmax(to_last(x), -1))), X),
        graph(lambda x, _: op.exp(nn.softmax(x, 1)), X),
    )


def test_split_and_concat() -> None:
    def module(x: Any, emit: Any) -> Any:
        parts = emit(op.split(to_last(x), [1], 3))
        return op.exp(to_second(op.concat([emit(parts[1]), op.exp(emit(parts[0]))], -1)))

    after = check_saves(graph(module, X), left=0)
    assert "reshape" not in ops(after)


def test_a_broadcast_is_transposed_before_it_grows() -> None:
    def before(x: Any, _: Any) -> Any:
        return op.exp(op.permute_dims(op.broadcast_to(x, (7, 2, 3)), [0, 2, 1]))

    def after(x: Any, _: Any) -> Any:
        return op.exp(op.broadcast_to(op.permute_dims(x, [1, 0]), (7, 3, 2)))

    assert_rewrites(PASS, graph(before, tensor(2, 3)), graph(after, tensor(2, 3)))


def test_a_value_that_something_else_reads_is_transposed_for_it_alone() -> None:
    def module(x: Any, emit: Any) -> Any:
        y = emit(nn.relu(to_last(x)))
        return [op.exp(to_second(y)), op.exp(to_second(op.abs(y))), op.reshape(y, (120,))]

    check_saves(graph(module, X), left=1)


def test_an_output_comes_as_it_came() -> None:
    def module(x: Any, emit: Any) -> Any:
        y = emit(nn.relu(to_last(x)), output=True)
        return [y, op.exp(to_second(y)), op.exp(to_second(op.abs(y)))]

    check_saves(graph(module, X), left=1)


def test_transposes_of_both_halves_become_one_of_the_whole() -> None:
    module = graph(lambda x, y, _: op.concat([to_last(x), to_last(y)], 0), X, X)
    check_saves(module, left=1)


def test_symbolic_dimensions() -> None:
    n, h = tirx.Var("n", "int64"), tirx.Var("h", "int64")

    def before(x: Any, _: Any) -> Any:
        y = op.add(to_last(x), relax.const(CHANNELS))
        return op.exp(to_second(op.strided_slice(y, [1], [0], [2])))

    def after(x: Any, _: Any) -> Any:
        y = op.add(x, relax.const(CHANNELS.reshape(1, 3, 1, 1)))
        return op.exp(op.strided_slice(y, [2], [0], [2]))

    ty = tensor(n, 3, h, 4)
    tvm.ir.assert_structural_equal(PASS(graph(before, ty)), graph(after, ty))


def test_a_symbolic_dimension_may_be_more_than_1() -> None:
    n = tirx.Var("n", "int64")
    module = graph(lambda x, _: op.permute_dims(x, [1, 0]), tensor(n, 4))
    assert ops(PASS(module)) == ["permute_dims"]


# Calls that stay.


def test_declines_where_no_call_can_move() -> None:
    module = graph(lambda x, _: op.reshape(to_last(x), (6, 20)), X)
    assert_declines(PASS, module, because=NO_CALL)


def test_declines_where_moving_saves_nothing() -> None:
    module = graph(lambda x, _: op.reshape(nn.relu(to_last(x)), (6, 20)), X)
    assert_declines(PASS, module, because=NO_GAIN)


def test_declines_where_another_operand_would_be_transposed() -> None:
    module = graph(lambda x, y, _: op.add(to_last(x), y), X, LAST)
    assert_declines(PASS, module, because=NO_GAIN)


def test_declines_where_two_outputs_would_be_one_tensor() -> None:
    def module(x: Any, emit: Any) -> Any:
        y = emit(nn.relu(x))
        return [to_last(y), to_last(y)]

    assert_declines(PASS, graph(module, X), because=NO_GAIN)


def test_ignores_a_graph_without_transposes() -> None:
    assert_ignores(PASS, graph(lambda x, _: nn.relu(x), X))


@I.ir_module
class Unknown:
    @R.function
    def main(x: R.Tensor("float32", ndim=2)) -> R.Tensor(dtype="float32", ndim=2):
        with R.dataflow():
            y = R.permute_dims(x, axes=[1, 0])
            z = R.nn.relu(y)
            R.output(z)
        return z


def test_declines_where_the_shape_is_not_known() -> None:
    assert_declines(PASS, Unknown, because="the shape is known")


@I.ir_module
class Blocks:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")) -> R.Tuple(
        R.Tensor((2, 3), "float32"), R.Tensor((2, 3), "float32")
    ):
        with R.dataflow():
            inside = R.exp(x)
            y = R.permute_dims(inside, axes=[1, 0])
            R.output(y)
        between = R.abs(x)
        with R.dataflow():
            z = R.permute_dims(y, axes=[1, 0])
            w = R.negative(z)
            R.output(w)
        return (w, between)


def test_leaves_a_value_in_its_block() -> None:
    after = PASS(Blocks)
    relax.analysis.well_formed(after)
    assert_same_numbers(after, Blocks)


@I.ir_module
class Branches:
    @R.function
    def main(x: R.Tensor((2, 3, 5), "float32"), condition: R.Tensor((), "bool")) -> R.Tensor(
        (2, 3, 5), "float32"
    ):
        if condition:
            a = R.permute_dims(x, axes=[0, 2, 1])
            b = R.nn.relu(a)
            c = R.permute_dims(b, axes=[0, 2, 1])
            r = R.exp(c)
        else:
            d = R.permute_dims(x, axes=[0, 2, 1])
            e = R.permute_dims(d, axes=[0, 2, 1])
            r = R.negative(e)
        return r


def test_inside_branches() -> None:
    after = PASS(Branches)
    assert ops(after) == ["relu", "exp", "negative"]
    assert_ignores(PASS, after)


def test_the_trace_and_the_calls_know_the_nodes() -> None:
    def module(x: Any, emit: Any) -> Any:
        y = emit(with_nodes(to_last(x), ["t1"]))
        z = emit(with_nodes(nn.relu(y), ["relu"]))
        return op.exp(emit(with_nodes(to_second(z), ["t2"])))

    trace = Trace()
    (_, call), *_ = Dataflow.of(PASS(graph(module, X), trace)["main"]).bindings
    assert nodes_of(call) == ("relu",)
    assert trace.fired == [("t1", "relu", "t2")]


@pytest.mark.parametrize("limit", [0, 1, 2, 3])
def test_stops_at_the_limit(limit: int) -> None:
    def module(x: Any, y: Any, _: Any) -> Any:
        values = [to_second(nn.relu(to_last(v))) for v in (x, y)]
        return [op.exp(v) for v in (*values, to_second(to_last(x)))]

    before, trace = graph(module, X, X), Trace(limit=limit)
    after = PASS(before, trace)
    assert len(trace.fired) == min(limit, 3)
    assert_same_numbers(before, after)
