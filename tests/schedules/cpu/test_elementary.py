"""schedules.cpu.elementary: the functions are as exact as promised, and special values right."""

import math

import numpy as np
import pytest
import tvm
from tvm import IRModule, te, tirx

from tvmfuse.schedules.cpu.elementary import FUNCTIONS, elementary
from tvmfuse.schedules.cpu.isa import AVX2, SSE2
from tvmfuse.schedules.schedule import schedule

SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 88.72283, 88.7229, -87.4, -103.9, -104.1, 1e-40, -1e30, 3e38]

EXACT = {
    "exp": np.exp,
    "erf": np.vectorize(math.erf),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "rsqrt": lambda x: 1 / np.sqrt(x),
}

#: Units in the last place, of results that are not denormal.
ULP = {"exp": 2, "erf": 8, "tanh": 8, "sigmoid": 4, "rsqrt": 2}


def computed(lab, name, x, isa):
    a = te.placeholder((len(x),), name="a")
    function = lab.function_of(a, te.compute((len(x),), lambda i: getattr(tirx, name)(a[i])))
    scheduled = schedule(IRModule({"main": function}), isa.target()).module["main"]
    out = tvm.runtime.tensor(np.zeros_like(x))
    module = IRModule({"main": scheduled.with_attr("global_symbol", "main")})
    library = tvm.compile(module, isa.target())
    library["main"](tvm.runtime.tensor(x), out)
    return out.numpy(), library.mod.inspect_source("asm")


@pytest.mark.parametrize("isa", [AVX2, SSE2], ids=lambda isa: isa.name)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_is_right_to_a_few_units_in_the_last_place(lab, name, isa) -> None:
    x = np.concatenate([np.linspace(-105, 90, 9001), np.linspace(-9, 9, 9001), np.linspace(-1e-3, 1e-3, 999)])
    x = np.concatenate([x, SPECIAL]).astype("float32")
    exact = EXACT[name](x.astype("float64"))
    expected = exact.astype("float32")
    found, _ = computed(lab, name, x, isa)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    np.testing.assert_array_equal(np.isposinf(found), np.isposinf(expected))
    normal = np.isfinite(expected) & (np.abs(exact) > 1.2e-38)
    error = np.abs(found.astype("float64") - exact)[normal] / np.spacing(np.abs(expected[normal]))
    assert error.max() <= ULP[name]


@pytest.mark.parametrize("name", ["exp", "erf", "tanh", "sigmoid"])
def test_calls_no_function(lab, name) -> None:
    _, code = computed(lab, name, np.zeros(1024, "float32"), AVX2)
    assert not any(f"{f}f" in code for f in ("exp", "erf", "tanh"))
    assert "ymm" in code


def test_leaves_other_types_and_functions_alone() -> None:
    double, angle = tirx.Var("x", "float64"), tirx.Var("x", "float32")
    for expr in (tirx.exp(double), tirx.atan(angle), tirx.sqrt(angle)):
        assert elementary(expr).same_as(expr)


def test_a_test_for_nan_gets_a_vector_form() -> None:
    x = tirx.Var("x", "float32")
    select = elementary(tirx.Select(tirx.isnan(x), tirx.const(0.0), x))
    assert "isnan" not in str(select)
    assert select.true_value.same_as(x)
