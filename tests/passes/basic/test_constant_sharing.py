"""ConstantSharing: equal small constants are one object."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm
from graphs import graph, tensor
from tvm import IRModule, relax
from tvm.ir import Expr, GenericConst
from tvm.relax import op
from tvm.relax.expr_functor import PyExprVisitor, visitor

from tvmfuse.ir.provenance import with_nodes
from tvmfuse.passes.basic.constant_sharing import MAX_BYTES, ConstantSharing
from tvmfuse.passes.trace import Trace
from tvmfuse.testing import assert_ignores, assert_same_numbers

PASS = ConstantSharing()


@visitor
class Constants(PyExprVisitor):
    def __init__(self) -> None:
        self.found: set[Expr] = set()

    def visit_generic_const_(self, op: GenericConst) -> None:
        self.found.add(op)


def constants(module: IRModule) -> int:
    """Count the constant objects of a module."""
    walk = Constants()
    walk.visit_expr(module["main"])
    return len(walk.found)


def reading(*arrays: np.ndarray) -> IRModule:
    """Return a module that reads each array as a constant of its own."""
    return graph(lambda x, _: [op.negative(relax.const(a)) for a in arrays], tensor(1))


NAN = np.array([0x7FC00000, 0x7FC00001], "uint32").view("float32")
EQUAL = [
    np.array(1.5, "float32"),
    np.array([1, 2, 3], "int64"),
    np.full((4, 1, 1), np.nan, "float16"),
    np.zeros((0, 3), "float32"),
    np.zeros(MAX_BYTES, "int8"),
]
DIFFERENT = {
    "value": (np.array(1, "float32"), np.array(2, "float32")),
    "dtype": (np.array(0, "float32"), np.array(0, "int32")),
    "shape": (np.array(1, "float32"), np.array([1], "float32")),
    "sign of zero": (np.array(0.0, "float32"), np.array(-0.0, "float32")),
    "payload of NaN": (NAN[:1], NAN[1:]),
    "too large": (np.zeros(MAX_BYTES + 1, "int8"), np.zeros(MAX_BYTES + 1, "int8")),
}


@pytest.mark.parametrize("array", EQUAL, ids=lambda a: f"{a.dtype}{list(a.shape)}")
def test_equal_constants_become_one(array: np.ndarray) -> None:
    before, trace = reading(array, array.copy()), Trace()
    after = PASS(before, trace)
    assert (constants(before), constants(after), len(trace.fired)) == (2, 1, 1)
    tvm.ir.assert_structural_equal(after, before)
    assert_ignores(PASS, after)


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT)
def test_ignores_constants_that_differ(pair: tuple[np.ndarray, np.ndarray]) -> None:
    assert_ignores(PASS, reading(*pair))


def test_shares_across_a_tuple_and_computes_the_same() -> None:
    def module(x: Any, _: Any) -> Any:
        one, same = (relax.const(np.ones((1, 3), "float32")) for _ in range(2))
        return op.concat([op.add(x, one), same], axis=0)

    before = graph(module, tensor(2, 3))
    after = PASS(before)
    assert constants(after) == 1
    assert_same_numbers(before, after)


def test_the_trace_names_the_reader() -> None:
    def module(x: Any, emit: Any) -> Any:
        y = emit(with_nodes(op.add(x, relax.const(1.0)), ["add_1"]))
        return op.add(emit(with_nodes(op.multiply(y, relax.const(1.0)), ["mul_2"])), y)

    trace = Trace()
    PASS(graph(module, tensor(2)), trace)
    assert trace.fired == [("mul_2",)]


def test_stops_at_the_limit() -> None:
    after = PASS(reading(*[np.array(1, "int8")] * 4), Trace(limit=2))
    assert constants(after) == 2
