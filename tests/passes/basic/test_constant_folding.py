"""ConstantFolding: what depends on constants only is computed at compile time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm
from graphs import graph, onnx_model, ops, run, tensor
from onnx import helper
from tvm import IRModule, relax, tirx
from tvm.ir import GenericConst
from tvm.relax import op
from tvm.relax.op import nn
from tvm.script import ir as I, relax as R

from tvmfuse.frontend.onnx.importer import import_model
from tvmfuse.ir.provenance import with_nodes
from tvmfuse.ir.types import constant
from tvmfuse.ops import dropout
from tvmfuse.passes.basic.constant_folding import ConstantFolding
from tvmfuse.passes.basic.dead_code_elimination import DeadCodeElimination
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites, assert_same_numbers

PASS = ConstantFolding()
X = tensor(2, 3)
CELLS = R.Tensor((2, 3), "float32")


def const(*values: float, dtype: str = "float32") -> GenericConst:
    return constant(np.array(values, dtype))


def test_a_chain_becomes_its_value() -> None:
    assert_rewrites(
        PASS,
        graph(lambda x, _: op.divide(x, op.sqrt(op.add(const(32), const(32)))), X),
        graph(lambda x, _: op.divide(x, const(8)), X),
    )


def test_what_several_read_is_computed_once() -> None:
    def before(x: Any, emit: Any) -> Any:
        a = emit(op.add(const(1), const(2)))
        return [op.add(x, a), op.multiply(x, emit(op.negative(a)))]

    def after(x: Any, _: Any) -> Any:
        return [op.add(x, const(3)), op.multiply(x, const(-3))]

    assert_rewrites(PASS, graph(before, X), graph(after, X))
    trace = Trace()
    PASS(graph(before, X), trace)
    assert len(trace.fired) == 2


def test_an_element_of_a_tuple() -> None:
    def before(x: Any, emit: Any) -> Any:
        parts = emit(op.split(const(1, 2, 4), 3))
        return op.add(x, op.concat([parts[2], parts[0], const(8)]))

    assert_rewrites(PASS, graph(before, X), graph(lambda x, _: op.add(x, const(4, 1, 8)), X))


def test_a_tuple_that_is_read_as_a_whole() -> None:
    def module(parts: Any) -> Any:
        return graph(lambda x, emit: [x, op.concat(emit(parts))], X)

    # The limit lets the split fold, and not its reader.
    folded = PASS(module(op.split(const(1, 2), 2)), Trace(limit=1))
    tvm.ir.assert_structural_equal(folded, module(relax.Tuple([const(1), const(2)])))


def test_a_value_that_is_an_output() -> None:
    module = PASS(graph(lambda x, _: [x, op.exp(const(0, 0))], X))
    (output,) = module["main"].body.blocks[0].bindings
    assert isinstance(output.value, GenericConst)
    _, folded = run(module, np.zeros((2, 3), "float32"))
    np.testing.assert_array_equal(folded, [1, 1])


def test_operands_without_elements() -> None:
    empty = relax.const(np.zeros((0, 3), "float32"))
    assert_rewrites(
        PASS,
        graph(lambda x, _: op.concat([x, op.exp(empty)], axis=0), X),
        graph(lambda x, _: op.concat([x, empty], axis=0), X),
    )


def test_an_operator_that_numpy_does_not_have() -> None:
    image = np.arange(16, dtype="float32").reshape(1, 1, 4, 4)
    largest = np.array([[[[5, 7], [13, 15]]]], "float32")
    assert_rewrites(
        PASS,
        graph(
            lambda x, _: op.add(x, nn.max_pool2d(relax.const(image), (2, 2), (2, 2))), tensor(2, 2)
        ),
        graph(lambda x, _: op.add(x, relax.const(largest)), tensor(2, 2)),
    )


def test_the_places_that_are_not_zero() -> None:
    module = PASS(graph(lambda x, _: [x, op.nonzero(const(0, 3, 0, 5))], X))
    (output,) = module["main"].body.blocks[0].bindings
    np.testing.assert_array_equal(output.value.value.numpy(), [[1, 3]])


@pytest.mark.parametrize("of", [op.exp, lambda x: dropout(x, ratio=0.5, training=True)])
def test_the_shape_of_a_static_tensor(of: Any) -> None:
    module = graph(lambda x, _: op.shape_to_tensor(op.shape_of(of(x))), X)
    (output,) = DeadCodeElimination()(PASS(module))["main"].body.blocks[0].bindings
    np.testing.assert_array_equal(output.value.value.numpy(), [2, 3])


def test_the_size_of_a_static_tensor() -> None:
    (output,) = PASS(graph(lambda x, _: op.size(x), X))["main"].body.blocks[0].bindings
    assert output.value.value.numpy() == 6


def test_ignores_the_shape_of_a_symbolic_tensor() -> None:
    symbolic = tensor(tirx.Var("n", "int64"), 3)
    assert_ignores(PASS, graph(lambda x, _: op.shape_to_tensor(op.shape_of(x)), symbolic))


def test_ignores_what_depends_on_an_input() -> None:
    assert_ignores(PASS, graph(lambda x, _: op.exp(op.add(x, const(1))), X))


def test_the_trace_names_the_nodes() -> None:
    def module(x: Any, emit: Any) -> Any:
        a = emit(with_nodes(op.exp(const(0)), ["exp_3"]))
        return op.add(x, emit(with_nodes(op.negative(a), ["neg_4"])))

    trace = Trace()
    PASS(graph(module, X), trace)
    assert trace.fired == [("exp_3",), ("neg_4",)]


def test_stops_at_the_limit() -> None:
    def module(x: Any, emit: Any) -> Any:
        a = emit(op.exp(const(0)))
        return op.add(x, emit(op.negative(a)))

    trace = Trace(limit=1)
    after = PASS(graph(module, X), trace)
    assert len(trace.fired) == 1
    tvm.ir.assert_structural_equal(after, graph(lambda x, _: op.add(x, op.negative(const(1))), X))


@pytest.mark.parametrize("limit", [47, 48, 0])
def test_a_result_above_the_limit_is_left_to_the_run(limit: int) -> None:
    module = graph(lambda x, _: op.add(x, op.broadcast_to(const(1), (2, 2, 3))), X)
    rule = ConstantFolding(max_output_bytes=limit)
    if limit == 47:
        assert_declines(rule, module, because="the result takes at most 47 bytes")
    else:
        assert rule(module) is not module


def test_a_result_of_unknown_size_is_checked_when_it_is_there() -> None:
    module = graph(lambda x, _: [x, op.nonzero(const(1, 1))], X)
    rule = ConstantFolding(max_output_bytes=8)
    assert_declines(rule, module, because="the result takes at most 8 bytes")


def matching(compute: Any) -> IRModule:
    """Return a module of what ``compute(x, emit, match_cast)`` returns."""
    builder = relax.BlockBuilder()
    x = relax.Var("x", X)
    with builder.function("main", [x]):
        with builder.dataflow():
            result = builder.emit_output(compute(x, builder.emit, builder.match_cast))
        builder.emit_func_output(result)
    return builder.get()


def test_dimensions_read_off_a_constant_are_known() -> None:
    n = tirx.Var("n", "int64")

    def compute(x: Any, emit: Any, match: Any) -> Any:
        places = match(emit(op.nonzero(const(0, 3, 0, 5))), tensor(1, n, dtype="int64"))
        return op.add(x, op.astype(op.sum(places), "float32"))

    after = DeadCodeElimination()(PASS(matching(compute)))
    assert ops(after) == ["add"]
    assert_same_numbers(matching(compute), after)


def test_dimensions_computed_from_constants_are_known() -> None:
    n = tirx.Var("n", "int64")

    def compute(x: Any, emit: Any, match: Any) -> Any:
        dims = op.add(const(1, 0, dtype="int64"), const(2, 2, dtype="int64"))
        match(emit(op.tensor_to_shape(emit(dims))), relax.ShapeType([n, 2]))
        return op.negative(op.reshape(x, (n, 2)))

    after = DeadCodeElimination()(PASS(matching(compute)))
    assert [int(d) for d in after["main"].ret_ty.shape] == [3, 2]
    assert_same_numbers(matching(compute), after)


def test_declines_random_numbers() -> None:
    module = graph(lambda x, _: op.add(x, dropout(const(1), ratio=0.5, training=True)), X)
    assert_declines(PASS, module, because="the operator draws no random numbers")


def test_declines_an_operator_without_evaluator() -> None:
    module = graph(lambda x, _: [x, op.slice_scatter(const(3, 1), const(2), 0, 1, 1)], X)
    assert_declines(PASS, module, because="no evaluator for relax.slice_scatter")


def test_declines_where_the_evaluator_raises() -> None:
    zero = const(0, dtype="int32")
    module = graph(lambda x, _: op.divide(x, op.divide(zero, zero)), tensor(2, dtype="int32"))
    because = "relax.divide cannot be evaluated: an integer is divided by zero"
    assert_declines(PASS, module, because=because)


def test_folds_what_is_around_a_failure() -> None:
    def module(zero: Any) -> Any:
        one = const(1, dtype="int32")
        return graph(lambda x, _: op.add(x, op.divide(one, zero)), tensor(2, dtype="int32"))

    zero = const(0, dtype="int32")
    tvm.ir.assert_structural_equal(PASS(module(op.add(zero, zero))), module(zero))


SCALE, ZERO = const(0.5), relax.const(np.zeros(1, "int8"))
WEIGHT = relax.const(np.array([4, -2, 8], "int8"))


def test_a_dequantize_stays() -> None:
    module = graph(lambda x, _: op.add(x, op.dequantize(WEIGHT, SCALE, ZERO)), X)
    because = "what is computed from the dequantized constant is quantized again"
    assert_declines(PASS, module, because=because)


def test_a_dequantize_whose_result_is_quantized_again_folds() -> None:
    def before(x: Any, _: Any) -> Any:
        y = op.negative(op.dequantize(WEIGHT, SCALE, ZERO))
        return op.add(x, op.quantize(y, const(1), ZERO, out_dtype="int8"))

    expected = relax.const(np.array([-2, 1, -4], "int8"))
    ty = tensor(2, 3, dtype="int8")
    assert_rewrites(PASS, graph(before, ty), graph(lambda x, _: op.add(x, expected), ty))


def test_a_dequantize_stays_for_its_other_reader() -> None:
    def build(x: Any, emit: Any, quantized: Any = None) -> Any:
        y = emit(op.dequantize(WEIGHT, SCALE, ZERO))
        q = op.quantize(y, const(1), ZERO, out_dtype="int8") if quantized is None else quantized
        return [op.add(x, y), op.negative(q)]

    after = PASS(graph(build, X), Trace(limit=1))
    expected = relax.const(np.array([2, -1, 4], "int8"))
    tvm.ir.assert_structural_equal(after, graph(lambda x, e: build(x, e, expected), X))


@I.ir_module
class Decided:
    @R.function
    def main(x: CELLS) -> R.Tuple(CELLS, CELLS):
        y = R.exp(x)
        condition = R.less(R.const(1.0), R.const(2.0))
        if condition:
            a = R.add(y, R.add(R.const(1.0), R.const(2.0)))
            r = R.exp(a)
        else:
            r = R.negative(y)
        with R.dataflow():
            z = R.exp(r)
            gv = (z, y)
            R.output(gv)
        return gv


@I.ir_module
class Taken:
    @R.function
    def main(x: CELLS) -> R.Tuple(CELLS, CELLS):
        with R.dataflow():
            y = R.exp(x)
            a = R.add(y, R.const(3.0))
            r = R.exp(a)
            z = R.exp(r)
            gv = (z, y)
            R.output(gv)
        return gv


@I.ir_module
class Undecided:
    @R.function
    def main(x: CELLS, condition: R.Tensor((), "bool")) -> R.Tensor((2, 3), "float32"):
        one = R.exp(R.const(0.0))
        if condition:
            a = R.add(x, R.add(R.const(1.0), one))
            r = R.exp(a)
        else:
            r = R.negative(x)
        return r


def test_a_constant_if_becomes_the_branch_it_takes() -> None:
    module = DeadCodeElimination()(PASS(Decided))
    tvm.ir.assert_structural_equal(module, Taken)
    assert_same_numbers(module, Decided)


def test_folds_inside_a_branch_from_constants_around_it() -> None:
    module = PASS(Undecided)
    (branch,) = [
        b.value.true_branch
        for b in module["main"].body.blocks[0].bindings
        if isinstance(b.value, relax.If)
    ]
    constants = [b.value for b in branch.blocks[0].bindings if isinstance(b.value, GenericConst)]
    assert [c.value.numpy().item() for c in constants] == [2.0]
    assert_same_numbers(module, Undecided)


def fold(nodes: Any, inputs: Any, outputs: Any, constants: Any = None) -> Any:
    """Import a model, fold it, drop what is dead."""
    module = import_model(onnx_model(nodes, inputs, outputs, constants)).module
    return DeadCodeElimination()(PASS(module))


node = helper.make_node
IMAGE = {"x": ("float32", (1, 1, 4, 4))}


@pytest.mark.parametrize(
    ("nodes", "constants", "left"),
    [
        ([node("Dropout", ["c"], ["d"]), node("Add", ["x", "d"], ["y"])], [2.0], ["add"]),
        ([node("Resize", ["i", "", "s"], ["d"]), node("Add", ["x", "d"], ["y"])],
         {"i": np.ones((1, 1, 2, 2), "float32"), "s": np.array([1, 1, 2, 2], "float32")}, ["add"]),
        ([node("NonZero", ["c"], ["d"]), node("Cast", ["d"], ["f"], to=1),
          node("ReduceSum", ["f"], ["p"], keepdims=0), node("Add", ["x", "p"], ["y"])],
         [0.0, 1.0, 2.0], ["add"]),
        ([node("Size", ["x"], ["d"]), node("Cast", ["d"], ["f"], to=1),
          node("Div", ["x", "f"], ["y"])], [], ["divide"]),
        ([node("DequantizeLinear", ["q", "scale", "zero"], ["d"]), node("Relu", ["d"], ["r"]),
          node("QuantizeLinear", ["r", "scale", "zero"], ["e"]), node("Cast", ["e"], ["f"], to=1),
          node("Add", ["x", "f"], ["y"])],
         {"q": np.array([3], "int8"), "scale": np.float32(0.5), "zero": np.int8(1)}, ["add"]),
        ([node("DequantizeLinear", ["q", "scale", "zero"], ["d"]), node("Add", ["x", "d"], ["y"])],
         {"q": np.array([3], "int8"), "scale": np.float32(0.5), "zero": np.int8(1)},
         ["dequantize", "add"]),
    ],
    ids=["dropout", "resize", "nonzero", "size", "quantized again", "dequantize"],
)  # fmt: skip
def test_constant_nodes_of_a_model(nodes: Any, constants: Any, left: list[str]) -> None:
    if isinstance(constants, list):
        constants = {"c": np.array(constants, "float32")}
    assert ops(fold(nodes, IMAGE, {"y": "float32"}, constants)) == left


def test_a_part_of_a_shape_whose_rest_is_symbolic() -> None:
    nodes = [
        node("Shape", ["x"], ["s"], start=1),
        node("Cast", ["s"], ["f"], to=1),
        node("ReduceProd", ["f"], ["p"], keepdims=0),
        node("Div", ["x", "p"], ["y"]),
    ]
    assert ops(fold(nodes, {"x": ("float32", ("n", 3, 4))}, {"y": "float32"})) == ["divide"]


def test_a_constant_condition_of_a_model() -> None:
    def branch(name: Any, op_type: Any) -> Any:
        y = helper.make_tensor_value_info("b", 1, ["n"])
        return helper.make_graph([node(op_type, ["x"], ["b"])], name, [], [y])

    nodes = [
        node("Greater", ["one", "zero"], ["c"]),
        node("If", ["c"], ["r"], then_branch=branch("t", "Relu"), else_branch=branch("e", "Neg")),
        node("Exp", ["r"], ["y"]),
    ]
    given = {"one": np.float32(1), "zero": np.float32(0)}
    left = fold(nodes, {"x": ("float32", ("n",))}, {"y": "float32"}, given)
    assert ops(left) == ["relu", "exp"]


def test_folds_a_model() -> None:
    nodes = [
        node("Constant", [], ["eight"], value_float=8.0),
        node("Sqrt", ["sixtyfour"], ["root"]),
        node("Mul", ["eight", "root"], ["scale"]),
        node("Transpose", ["w"], ["wt"], perm=[1, 0]),
        node("MatMul", ["x", "wt"], ["xw"]),
        node("Mul", ["xw", "scale"], ["y"]),
    ]
    w = np.arange(6, dtype="float32").reshape(2, 3)
    constants = {"w": w, "sixtyfour": np.array(64, "float32")}
    module = fold(nodes, {"x": ("float32", (4, 3))}, {"y": "float32"}, constants)
    assert ops(module) == ["matmul", "multiply"]
    x = np.ones((4, 3), "float32")
    np.testing.assert_allclose(run(module, x)[0], x @ w.T * 64)
