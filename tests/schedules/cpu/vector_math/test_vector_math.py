"""schedules.cpu.vector_math: the functions are as exact as promised, and special values right."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tvm
from graphs import onnx_model
from onnx import helper
from tvm import IRModule, te, tirx

from tvmfuse.frontend.onnx import import_model
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.optimize import optimize
from tvmfuse.schedules.cpu.vector_math import EXP_NONPOSITIVE, FUNCTIONS, vector_math
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, SSE2, Machine

EXACT: dict[str, Callable[..., Any]] = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": np.vectorize(math.erf),
    "exp": np.exp,
    "log": np.log,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sin": np.sin,
    "sinh": np.sinh,
    "tan": np.tan,
    "tanh": np.tanh,
}

#: Units in the last place, of results that are not denormal.
ULP = {
    "acos": 1.4, "acosh": 2.4, "asin": 2.5, "asinh": 3.8, "atan": 2.9, "atanh": 1.5, "cos": 0.51, "cosh": 1.6,
    "erf": 2.8, "exp": 1.2, "log": 0.9, "rsqrt": 1.6, "sigmoid": 2.5, "sin": 0.51, "sinh": 1.8, "tan": 2,
    "tanh": 3.5,
}  # fmt: skip

#: Of those that are, one unit of which is 2**-149.
DENORMAL = 2

SPECIAL = [
    np.nan,
    np.inf,
    -np.inf,
    0.0,
    -0.0,
    1.0,
    -1.0,
    88.72283,
    88.7229,
    89.5,
    -87.4,
    -103.9,
    -104.1,
    1e-40,
    -1e30,
    3e38,
]

#: One of 4099 of all numbers of float32, NaN and infinities among them, and where functions bend.
NUMBERS = np.concatenate(
    [
        np.arange(0, 2**32, 4099, dtype="uint32").view("float32"),
        *(np.linspace(-end, end, 99_999, dtype="float32") for end in (105, 9, 1e-3)),
        np.array(SPECIAL, "float32"),
    ]
)

LIBRARY = re.compile(r"\t(?:call|jmp)q?\t\*?(\w+)@PLT")


def computed(lab: Any, name: Any, x: Any, machine: Any) -> Any:
    return run(lab, getattr(tirx, name), x, machine)


def run(lab: Any, call: Any, x: Any, machine: Any) -> Any:
    a = te.placeholder((len(x),), name="a")
    function = lab.function_of(a, te.compute((len(x),), lambda i: call(a[i])))
    scheduled = schedule(IRModule({"main": function}), machine.target).module["main"]
    out = tvm.runtime.tensor(np.zeros_like(x))
    lab.runnable(scheduled, machine)(tvm.runtime.tensor(x), out)
    return out.numpy(), lab.assembly(scheduled, machine)


def called(code: str) -> set[str]:
    """Return which functions of other libraries the code calls."""
    return {f for f in LIBRARY.findall(code) if not f.startswith("TVM")}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("machine", [AVX2, SSE2], ids=lambda machine: machine.name)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_is_right_to_a_few_units_in_the_last_place(lab: Any, name: Any, machine: Machine) -> None:
    exact = EXACT[name](NUMBERS.astype("float64"))
    expected = exact.astype("float32")
    found, _ = computed(lab, name, NUMBERS, machine)
    special = ~np.isfinite(expected) | (NUMBERS == 0)
    np.testing.assert_array_equal(found[special], expected[special])
    signs = special & ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[signs]), np.signbit(expected[signs]))
    assert np.isfinite(found[~special]).all()
    error = np.abs(found.astype("float64") - exact)[~special] / np.spacing(
        np.abs(expected[~special])
    )
    normal = np.abs(exact[~special]) > 1.2e-38
    assert error[normal].max() <= ULP[name]
    assert error[~normal].max(initial=0) <= DENORMAL


#: Where a function comes to its limit: from, to, the limit.
LIMITS = {
    "erf": (3.0, 4.1, 1.0),
    "sigmoid": (12.0, 19.0, 1.0),
    "tanh": (7.0, 9.2, 1.0),
}


@pytest.mark.parametrize("machine", [AVX2, SSE2], ids=lambda machine: machine.name)
@pytest.mark.parametrize("name", LIMITS)
def test_reaches_its_limit_and_never_turns_back(lab: Any, name: str, machine: Machine) -> None:
    start, end, limit = LIMITS[name]
    first, last = (np.float32(n).view("uint32") for n in (start, end))
    near = np.arange(first, last, dtype="uint32").view("float32")
    found, _ = computed(lab, name, near, machine)
    assert (np.diff(found) >= 0).all()
    assert found[-1] == limit
    far = np.array([end, 20, 1e4, 3e38, np.inf], "float32")
    beyond, _ = computed(lab, name, far, machine)
    np.testing.assert_array_equal(beyond, np.full(len(far), limit, "float32"))


@pytest.mark.parametrize("machine", [AVX2, SSE2], ids=lambda machine: machine.name)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_decay_is_exp_of_what_is_not_above_zero(lab: Any, machine: Machine) -> None:
    x = np.concatenate(
        [
            -np.abs(NUMBERS),
            np.linspace(-110, 0, 4001, dtype="float32"),
            np.array([-np.inf, np.nan, -0.0], "float32"),
        ]
    )
    found, _ = run(lab, lambda x: vector_math(tirx.exp(x), EXP_NONPOSITIVE), x, machine)
    exact = np.exp(x.astype("float64"))
    np.testing.assert_array_equal(np.isnan(found), np.isnan(x))
    normal = exact >= np.finfo("float32").tiny
    error = np.abs(found.astype("float64") - exact)[normal] / np.spacing(
        exact[normal].astype("float32")
    )
    assert error.max() <= ULP["exp"]
    assert (found[exact < 6e-39] == 0).all()
    assert (found[~normal & ~np.isnan(x)] < 1.3e-38).all()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_calls_no_function(lab: Any, name: Any) -> None:
    _, code = computed(lab, name, np.zeros(1024, "float32"), AVX2)
    assert called(code) == set()
    assert "ymm" in code


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "op",
    "Acos Acosh Asin Asinh Atan Atanh Celu Cos Cosh Elu Erf Exp Gelu LogSoftmax LpNormalization Mish ReduceL2 "
    "ReduceLogSum "
    "ReduceLogSumExp Selu Sigmoid Sin Sinh Softmax Softplus Sqrt Tan Tanh".split(),
)
def test_no_kernel_of_an_operator_calls_a_function(lab: Any, op: str) -> None:
    model = onnx_model(
        [helper.make_node(op, ["x"], ["y"])],
        {"x": ("float32", (6, 40))},
        {"y": "float32"},
        opset=20,
    )
    kernels = optimize(import_model(model).module, Selection.of("all")).kernels
    for function in lab.kernels(schedule(kernels, AVX2.target).module).values():
        assert called(lab.assembly(function, AVX2)) == set()


def test_leaves_other_types_and_functions_alone() -> None:
    double, number = tirx.Var("x", "float64"), tirx.Var("x", "float32")
    for expr in (tirx.exp(double), tirx.pow(double, double), tirx.sqrt(number), tirx.floor(number)):
        assert vector_math(expr).same_as(expr)


def test_a_test_for_nan_gets_a_vector_form() -> None:
    x = tirx.Var("x", "float32")
    select = vector_math(tirx.Select(tirx.isnan(x), tirx.const(0.0), x))
    assert "isnan" not in str(select)
    assert select.true_value.same_as(x)
