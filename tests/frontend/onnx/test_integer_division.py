"""Divisions of integers by 0, and of the least one by -1: x86 ends the process at both.

onnxruntime refuses the one, and dies of the other: numpy says what is right.
"""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper, numpy_helper, parser

import tvmfuse
from tvmfuse.errors import InputError, ModelError

pytestmark = pytest.mark.sampled(5)

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")


def dividing(dtype: str, b: np.ndarray | None = None) -> onnx.ModelProto:
    nodes = [
        helper.make_node("Div", ["a", "b"], ["quotient"]),
        helper.make_node("Mod", ["a", "b"], ["rest"]),
        helper.make_node("Mod", ["a", "b"], ["truncated"], fmod=1),
    ]
    inputs = {"a": (dtype, ("n",)), "b": (dtype, ("n",))}
    constants = {} if b is None else {"b": b}
    given = {name: inputs[name] for name in inputs if name not in constants}
    outputs = dict.fromkeys(("quotient", "rest", "truncated"), dtype)
    return onnx_model(nodes, given, outputs, constants)


def cut(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return quotients rounded toward 0, in Python's numbers, which never overflow."""
    pairs = zip(a.tolist(), b.tolist(), strict=True)
    whole = [abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in pairs]
    bits = np.iinfo(a.dtype).bits
    return np.array([n % 2**bits for n in whole], f"uint{bits}").astype(a.dtype)


@pytest.mark.parametrize("dtype", [*SIGNED, *UNSIGNED])
def test_integers_by_those_that_trap(dtype: str) -> None:
    run = tvmfuse.compile(dividing(dtype)).load()
    ends = np.iinfo(dtype)
    a = np.array([ends.min, ends.max, 5, 0, 7, ends.min], dtype)
    ones = [-1, 1] if dtype in SIGNED else [1]
    for one in ones:
        b = np.array([one, 2, 3, one, one, 2], dtype)
        found = run(a=a, b=b)
        np.testing.assert_array_equal(found["quotient"], cut(a, b))
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(found["rest"], np.mod(a, b))
            np.testing.assert_array_equal(found["truncated"], np.fmod(a, b))
    for place in (0, 3, 5):
        b = np.ones(6, dtype)
        b[place] = 0
        with pytest.raises(InputError, match="for 'Div_0' it has to hold that no divisor is zero"):
            run(a=a, b=b)


def test_a_constant_that_is_zero_is_refused_at_once() -> None:
    with pytest.raises(ModelError, match="divides integers by 0"):
        tvmfuse.compile(dividing("int32", np.array([1, 0], "int32")))


def model(graph: str, **constants: object) -> onnx.ModelProto:
    made = parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g {graph}')
    arrays = {name: np.array(value) for name, value in constants.items()}
    made.graph.initializer.extend(numpy_helper.from_array(a, n) for n, a in arrays.items())
    return made


SIZES = "s = Shape(x) n = Slice(s, zero, one) m = Slice(s, one, two)"
PLACES = {"zero": [0], "one": [1], "two": [2]}


@pytest.mark.parametrize(
    ("op", "attribute", "expected"), [("Div", "", 2), ("Mod", "", 1), ("Mod", "<fmod = 1>", 1)]
)
def test_a_size_by_a_size(op: str, attribute: str, expected: int) -> None:
    graph = f"""(float[N, M] x) => (float[] y) {{
        {SIZES} q = {op}{attribute}(n, m) y = ConstantOfShape(q) }}"""
    run = tvmfuse.compile(model(graph, **PLACES)).load()
    assert run(x=np.zeros((7, 3), "float32"))["y"].shape == (expected,)
    with pytest.raises(InputError, match=r"M == max\(M, 1\)"):
        run(x=np.zeros((7, 0), "float32"))


def test_a_rest_of_less_than_none_has_the_dividend_s_sign() -> None:
    graph = f"""(float[N, M] x) => (int64[] y) {{
        {SIZES} d = Sub(m, n) y = Mod<fmod = 1>(d, two) }}"""
    run = tvmfuse.compile(model(graph, **PLACES)).load()
    np.testing.assert_array_equal(run(x=np.zeros((4, 1), "float32"))["y"], [-1])


def test_a_division_in_a_branch_that_is_not_taken() -> None:
    graph = f"""(float[N, M] x, bool b) => (float[] y) {{ {SIZES}
        y = If(b) <
            then_branch = t () => (float[] p) {{ q = Div(n, m) p = ConstantOfShape(q) }},
            else_branch = e () => (float[] r) {{ r = ConstantOfShape(m) }}
        > }}"""
    run = tvmfuse.compile(model(graph, **PLACES)).load()
    assert run(x=np.zeros((7, 3), "float32"), b=np.array(True))["y"].shape == (2,)
    empty = np.zeros((7, 0), "float32")
    assert run(x=empty, b=np.array(False))["y"].shape == (0,)
    with pytest.raises(InputError, match="no divisor is zero"):
        run(x=empty, b=np.array(True))
