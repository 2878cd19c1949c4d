"""Rules of moving: an operator on a transposed tensor, or a transpose of the moved operator."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from tvm import relax, tirx
from tvm.ir import Call, Expr, GenericConst
from tvm.relax import op
from tvm.relax.op import nn

from tvmfuse.ir.types import constant
from tvmfuse.ops import write_rows
from tvmfuse.ops.traits import Kind, operators
from tvmfuse.passes.folding.evaluate import Evaluator
from tvmfuse.passes.transposes.permutation import Permutation, unpermuted
from tvmfuse.passes.transposes.rules import BY_KIND, BY_NAME, Each, Layout, move, operands

RNG = np.random.default_rng(0)
P = (0, 2, 3, 1)
# What a transpose by P makes of a tensor of shape (2, 4, 3, 5).
X = RNG.standard_normal((2, 3, 5, 4)).astype("float32")
UNIT = RNG.standard_normal((2, 1, 5, 1)).astype("float32")
CHANNEL = constant(RNG.uniform(1, 2, 4).astype("float32"))
PLACES = constant(RNG.integers(0, 5, (2, 3, 2, 4)))
INDICES = constant(np.array([2, 0], "int64"))
INT8 = constant(np.zeros(4, "int8"))


def value(expr: Expr) -> Any:
    """Evaluate an expression of constants."""
    if isinstance(expr, GenericConst):
        return expr.value.numpy()
    if isinstance(expr, relax.Tuple):
        return tuple(value(f) for f in expr.fields)
    if isinstance(expr, relax.ShapeExpr):
        return tuple(int(d) for d in expr.values)
    if not isinstance(expr, Call):
        return expr.value
    typed = relax.BlockBuilder().normalize(expr)
    return Evaluator()(typed, [value(a) for a in expr.args])


def typed(expr: Expr) -> Call:
    builder = relax.BlockBuilder()
    with builder.function("main", []):
        call = builder.normalize(expr)
        builder.emit_func_output(relax.const(0))
    return call


CASES: dict[str, Callable[[Expr], Call]] = {
    "relu": nn.relu,
    "clip": lambda x: op.clip(x, -0.5, 0.5),
    "add a constant for each channel": lambda x: op.add(x, CHANNEL),
    "subtract from a matrix": lambda x: op.subtract(constant(X[0, 0]), x),
    "where": lambda x: op.where(constant(X > 0), x, constant(X[:1] + 1)),
    "softmax": lambda x: nn.softmax(x, -1),
    "log_softmax": lambda x: nn.log_softmax(x, 1),
    "cumsum": lambda x: op.cumsum(x, 2, exclusive=True),
    "cumprod": lambda x: op.cumprod(x, -1),
    "sort": lambda x: op.sort(x, 1),
    "sort from the greatest": lambda x: op.sort(x, -1, descending=True),
    "argsort": lambda x: op.argsort(x, 2),
    "topk": lambda x: op.topk(x, 2, 3),
    "topk, the least": lambda x: op.topk(x, 2, 1, "values", largest=False),
    "gather_elements": lambda x: op.gather_elements(x, PLACES, 2),
    "scatter_elements": lambda x: op.scatter_elements(x, PLACES, constant(X[:, :, :2] * 2), 2),
    "flip": lambda x: op.flip(x, 1),
    "repeat": lambda x: op.repeat(x, 2, 3),
    "tile": lambda x: op.tile(x, (1, 2, 1, 3)),
    "concat": lambda x: op.concat([x, constant(X + 1)], -1),
    "split": lambda x: op.split(x, [1, 3], 3),
    "split in three": lambda x: op.split(x, 3, 1),
    "pad": lambda x: nn.pad(x, [0, 0, 1, 2, 0, 3, 4, 0], "constant", 7.0),
    "pad by reflection": lambda x: nn.pad(x, [0, 0, 1, 2, 0, 3, 1, 0], "reflect"),
    "strided_slice": lambda x: op.strided_slice(x, [-1, 1], [0, 2], [9, 0], [2, -1]),
    "take one": lambda x: op.take(x, constant(np.array(1, "int64")), 1),
    "take some": lambda x: op.take(x, INDICES, 2),
    "write_rows": lambda x: write_rows(x, INDICES, constant(X[:, :, :2] * 2), 2),
    "broadcast_to": lambda x: op.broadcast_to(x, (2, 3, 5, 4)),
    "batch_norm": lambda x: nn.batch_norm(x, *[CHANNEL] * 4, axis=-1, training=False),
    "quantize": lambda x: op.quantize(x, CHANNEL, INT8, axis=3, out_dtype="int8"),
    "argmax": lambda x: op.argmax(x, 3),
    "argmin": lambda x: op.argmin(x, 1, keepdims=True),
    **{
        f"{name} over {axes}{' kept' if keep else ''}": partial(
            getattr(op, name), axis=axes, keepdims=keep
        )
        for name in ("sum", "mean", "max", "min", "prod", "std", "variance")
        for axes, keep in (([1, 2], False), ([-1], True), (None, False))
    },
}  # fmt: skip
WITH_UNIT_AXES: dict[str, Callable[[Expr], Call]] = {
    "squeeze": lambda x: op.squeeze(x, [1, 3]),
    "squeeze one": lambda x: op.squeeze(x, [3]),
    "expand_dims": lambda x: op.expand_dims(x, [1, -1]),
    "reshape": lambda x: op.reshape(x, (1, 2, 5)),
    "batch_flatten": nn.batch_flatten,
    "broadcast_to": lambda x: op.broadcast_to(x, (2, 6, 5, 7)),
}


def check(build: Callable[[Expr], Call], array: np.ndarray, p: Permutation) -> None:
    call = typed(build(constant(array)))
    moved = move(call, p)
    assert moved is not None
    read = [
        unpermuted(o, p) if place in moved.data else o for place, o in enumerate(operands(call))
    ]
    same_later(value(call), value(moved.build(read)), moved.result)


def same_later(expected: Any, found: Any, layout: Layout) -> None:
    if isinstance(layout, Each):
        for triple in zip(expected, found, layout.layouts, strict=True):
            same_later(*triple)
        return
    later = found if layout is None else found.transpose(layout)
    np.testing.assert_allclose(later, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("build", CASES.values(), ids=CASES)
@pytest.mark.parametrize("p", [P, (3, 1, 0, 2)])
def test_computes_the_same(build: Callable[[Expr], Call], p: Permutation) -> None:
    check(build, X, p)


@pytest.mark.parametrize("build", WITH_UNIT_AXES.values(), ids=WITH_UNIT_AXES)
@pytest.mark.parametrize("p", [P, (3, 2, 1, 0)])
def test_computes_the_same_with_axes_of_extent_1(
    build: Callable[[Expr], Call], p: Permutation
) -> None:
    check(build, UNIT, p)


@pytest.mark.parametrize("p", [P, (3, 2, 1, 0)])
def test_flatten_of_one_axis_computes_the_same(p: Permutation) -> None:
    check(op.flatten, UNIT[:1], p)


def dequantize(x: Expr) -> Call:
    return op.dequantize(x, CHANNEL, INT8, axis=3)


@pytest.mark.parametrize("p", [P, (3, 1, 0, 2)])
def test_dequantize_computes_the_same(p: Permutation) -> None:
    check(dequantize, (X * 9).astype("int8"), p)


def test_every_rule_but_the_unary_and_binary_ones_has_a_case() -> None:
    built = [typed(b(constant(X))) for b in CASES.values()]
    built.append(typed(dequantize(constant(X.astype("int8")))))
    built += [typed(b(constant(UNIT))) for b in WITH_UNIT_AXES.values()]
    built.append(typed(op.flatten(constant(UNIT))))
    names = {str(c.op.name) for c in built}
    ruled = {Kind.ELEMENTWISE} ^ BY_KIND.keys()
    assert {*operators(lambda traits: traits.kind in ruled), *BY_NAME} <= names


@pytest.mark.parametrize(
    "build",
    [
        lambda x: op.reshape(x, (6, 20)),
        lambda x: op.argmax(x),
        lambda x: op.cumsum(x),
        lambda x: op.repeat(x, 2),
        lambda x: op.tile(x, (2, 1, 1, 1, 1)),
        lambda x: op.take(x, constant(np.zeros((2, 2), "int64")), 1),
        lambda x: op.matmul(x, constant(np.ones((4, 2), "float32"))),
        lambda x: op.add(x, constant(np.ones((2, 1, 1, 1, 1), "float32"))),
    ],
)
def test_does_not_move_what_depends_on_the_order_of_axes(build: Callable[[Expr], Call]) -> None:
    assert move(typed(build(constant(X))), P) is None


def test_does_not_move_what_has_no_known_shape() -> None:
    x = relax.Var("x", relax.TensorType(dtype="float32", ndim=3))
    assert move(typed(op.exp(x)), (0, 2, 1)) is None
    n, c = tirx.Var("n", "int64"), tirx.Var("c", "int64")
    y = relax.Var("y", relax.TensorType((n, c, 5), "float32"))
    scale = constant(np.ones(4, "float32"))  # TVM cannot tell whether `c` is 4
    norm = typed(nn.batch_norm(y, scale, scale, scale, scale, axis=1, training=False))
    assert move(norm, (0, 2, 1)) is None


def test_a_symbolic_dimension_keeps_its_axis() -> None:
    n = tirx.Var("n", "int64")
    x = relax.Var("x", relax.TensorType((n, 3, 1, 4), "float32"))
    moved = move(typed(op.squeeze(x, [2])), (0, 2, 3, 1))
    assert moved is not None
    assert moved.result == (0, 2, 1)
