"""MatMulAddFusion: matmul -> add becomes gemm."""

from collections.abc import Callable

import numpy as np
import pytest
from graphs import graph, onnx_model, ops, run, tensor
from onnx.helper import make_node
from reference import assert_agrees, reference
from tvm import IRModule, relax, tirx
from tvm.ir import Expr
from tvm.relax.op import add, exp, matmul
from tvm.script import ir as I, relax as R

import tvmfuse
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ops import gemm
from tvmfuse.passes.basic.mat_mul_add_fusion import MatMulAddFusion
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_declines, assert_ignores, assert_rewrites

RULE = MatMulAddFusion()
Shape = tuple[int, ...]


def separate(a: Shape, b: Shape, c: Shape, dtype: str = "float32") -> IRModule:
    inputs = [tensor(*shape, dtype=dtype) for shape in (a, b, c)]
    return graph(lambda a, b, c, _: add(matmul(a, b), c), *inputs)


def fused(a: Shape, b: Shape, c: Shape, dtype: str = "float32") -> IRModule:
    inputs = [tensor(*shape, dtype=dtype) for shape in (a, b, c)]
    return graph(lambda a, b, c, _: gemm(a, b, c), *inputs)


@I.ir_module
class BiasFirst:
    @R.function
    def main(
        x: R.Tensor((3, 4), "float32"), w: R.Tensor((4, 5), "float32"), b: R.Tensor((5,), "float32")
    ) -> R.Tuple(R.Tensor((3, 5), "float32")):
        with R.dataflow():
            y = R.matmul(x, w)
            z = R.add(b, y)
            R.output(z)
        return (z,)


@I.ir_module
class Gemm:
    @R.function
    def main(
        x: R.Tensor((3, 4), "float32"), w: R.Tensor((4, 5), "float32"), b: R.Tensor((5,), "float32")
    ) -> R.Tuple(R.Tensor((3, 5), "float32")):
        with R.dataflow():
            z = gemm(x, w, b)
            R.output(z)
        return (z,)


def test_the_bias_may_stand_first() -> None:
    assert_rewrites(RULE, BiasFirst, Gemm)


@pytest.mark.parametrize("c", [(5,), (1, 5), (3, 1), (3, 5), (1,), (), (1, 1)])
def test_addends_that_broadcast_to_the_product(c: Shape) -> None:
    assert_rewrites(RULE, separate((3, 4), (4, 5), c), fused((3, 4), (4, 5), c))


@pytest.mark.parametrize(
    ("a", "c"),
    [((2, 3, 4), (5,)), ((2, 3, 4), (3, 5)), ((2, 3, 4), (2, 1, 1)), ((2, 1, 3, 4), (1, 3, 1))],
)
def test_products_of_more_dimensions(a: Shape, c: Shape) -> None:
    assert_rewrites(RULE, separate(a, (4, 5), c), fused(a, (4, 5), c))


@pytest.mark.parametrize("c", [(5,), (1,), ()])
def test_a_vector_times_a_matrix(c: Shape) -> None:
    assert_rewrites(RULE, separate((4,), (4, 5), c), fused((4,), (4, 5), c))


def test_a_vector_of_a_model() -> None:
    rng = np.random.default_rng(0)
    constants = {
        "w": rng.standard_normal((64, 32)).astype("float32"),
        "b": rng.standard_normal(32).astype("float32"),
    }
    model = onnx_model(
        [make_node("MatMul", ["x", "w"], ["p"]), make_node("Add", ["p", "b"], ["y"])],
        {"x": ("float32", (64,))},
        {"y": "float32"},
        constants,
    )
    x = rng.standard_normal(64).astype("float32")
    artifact = tvmfuse.compile(model)
    assert len(artifact.manifest.kernels) == 1
    assert_agrees(artifact.load()(x=x), reference(model, {"x": x}))


@pytest.mark.parametrize(("dtype", "rtol"), [("float16", 1e-2), ("float64", 1e-12)])
def test_other_dtypes(dtype: str, rtol: float) -> None:
    shapes = (3, 4), (4, 5), (5,)
    assert_rewrites(RULE, separate(*shapes, dtype), fused(*shapes, dtype), rtol=rtol)


def fires(module: IRModule) -> int:
    trace = Trace()
    RULE(module, trace)
    return len(trace.fired)


def test_bfloat16() -> None:
    assert fires(separate((3, 4), (4, 5), (5,), "bfloat16")) == 1


def test_symbolic_dimensions_that_are_provably_the_same() -> None:
    m, n = tirx.Var("m", "int64"), tirx.Var("n", "int64")
    for c in [(n,), (m, n), (1, n), (m, 1)]:
        assert fires(separate((2, m, 4), (4, n), c)) == 1


def test_the_product_that_nobody_else_reads_is_taken() -> None:
    def compute(a: Expr, b: Expr, emit: Callable[[Expr], Expr]) -> list[Expr]:
        first, second = emit(matmul(a, b)), emit(matmul(b, a))
        return [add(first, second), exp(first)]

    def expected(a: Expr, b: Expr, emit: Callable[[Expr], Expr]) -> list[Expr]:
        first = emit(matmul(a, b))
        return [gemm(b, a, first), exp(first)]

    types = tensor(4, 4), tensor(4, 4)
    assert_rewrites(RULE, graph(compute, *types), graph(expected, *types))


@pytest.mark.parametrize(
    ("a", "b", "c"),
    [
        ((3, 4), (4, 5), (2, 3, 5)),
        ((3, 4), (4, 5), (1, 3, 5)),
        ((1, 4), (4, 5), (3, 5)),
        ((3, 4), (4, 1), (3, 5)),
    ],
)
def test_declines_addends_that_grow_the_product(a: Shape, b: Shape, c: Shape) -> None:
    assert_declines(RULE, separate(a, b, c), because="the sum has the product's shape")


def test_declines_dimensions_that_may_differ() -> None:
    m, n = tirx.Var("m", "int64"), tirx.Var("n", "int64")
    assert_declines(
        RULE, separate((m, 4), (4, 5), (n, 5)), because="the sum has the product's shape"
    )


def test_declines_batches_of_matrices() -> None:
    assert_declines(
        RULE,
        separate((2, 3, 4), (2, 4, 5), (5,)),
        because="the right factor is a matrix",
    )


def test_declines_a_vector_on_the_right() -> None:
    assert_declines(RULE, separate((3, 4), (4,), (3,)), because="the right factor is a matrix")


def test_declines_an_addend_that_makes_a_matrix_of_a_vector() -> None:
    for c in [(1, 5), (3, 5), (1, 1)]:
        assert_declines(RULE, separate((4,), (4, 5), c), because="the sum has the product's shape")


def test_declines_integers() -> None:
    assert_declines(
        RULE,
        separate((3, 4), (4, 5), (5,), "int32"),
        because="the product is a floating-point one",
    )


def test_declines_products_in_another_dtype() -> None:
    assert_declines(
        RULE,
        graph(
            lambda a, b, c, _: add(matmul(a, b, out_dtype="float32"), c),
            tensor(3, 4, dtype="float16"),
            tensor(4, 5, dtype="float16"),
            tensor(5),
        ),
        because="the product has its factors' dtype",
    )


@pytest.mark.parametrize("reader", [lambda y: y, exp])
def test_declines_where_something_else_reads_the_product(reader: Callable[[Expr], Expr]) -> None:
    def compute(a: Expr, c: Expr, emit: Callable[[Expr], Expr]) -> list[Expr]:
        y = emit(matmul(a, a))
        return [add(y, c), reader(y)]

    assert_declines(
        RULE,
        graph(compute, tensor(4, 4), tensor(4)),
        because="the sum is the product's only reader",
    )


def test_ignores_sums_of_other_operators() -> None:
    assert_ignores(RULE, graph(lambda a, _: add(exp(a), a), tensor(4, 4)))


@pytest.mark.parametrize("bias_first", [False, True])
def test_a_linear_layer_of_a_model_with_a_symbolic_batch(bias_first: bool) -> None:
    rng = np.random.default_rng(0)
    constants = {
        "w": rng.standard_normal((4, 5)).astype("float32"),
        "b": rng.standard_normal(5).astype("float32"),
    }
    operands = ["b", "p"] if bias_first else ["p", "b"]
    model = onnx_model(
        [make_node("MatMul", ["x", "w"], ["p"]), make_node("Add", operands, ["y"])],
        {"x": ("float32", ("n", 3, 4))},
        {"y": "float32"},
        constants,
    )
    module = RULE(import_model(model).module)
    assert ops(module) == ["gemm"]
    for n in (1, 7):
        x = rng.standard_normal((n, 3, 4)).astype("float32")
        assert_agrees({"y": run(module, x)[0]}, reference(model, {"x": x}))


def test_declines_a_left_factor_of_unknown_rank() -> None:
    unknown = relax.TensorType(dtype="float32")
    module = graph(lambda a, b, c, _: add(matmul(a, b), c), unknown, tensor(4, 5), tensor(5))
    assert_declines(RULE, module, because="the left factor's rank is known")
