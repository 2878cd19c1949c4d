"""schedules.cpu.vector_math.powers: to half a unit in the last place, signs and special values as C's."""

import re
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import IRModule, te, tirx

from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, SSE2, Machine

SPECIAL = np.array(
    [
        np.nan,
        np.inf,
        0.0,
        1.0,
        2.0,
        0.5,
        3.0,
        2.5,
        1e-40,
        1e30,
        3e38,
        2**24,
        2**24 - 1,
        1 - 2**-24,
        1 + 2**-23,
    ],
    "float32",
)

#: Exponent -> units in the last place.
CONSTANT = {
    -1: 0.51,
    0.5: 0.51,
    1: 0,
    2: 0.51,
    3: 1.4,
    4: 2,
    -2: 0.51,
    0: 0,
    1.5: 0.51,
    np.float32(2.4): 0.51,
    -0.5: 0.51,
}


def computed(lab: Any, x: Any, y: Any, machine: Any) -> Any:
    """Return powers and code; the exponent is a number or an array."""
    a, b = (te.placeholder((len(x),), name=name) for name in "ab")
    one = np.ndim(y) == 0
    result = te.compute(
        (len(x),), lambda i: tirx.pow(a[i], tirx.const(float(y), "float32") if one else b[i])
    )
    function = lab.function_of(*([a, result] if one else [a, b, result]))
    scheduled = schedule(IRModule({"main": function}), machine.target).module["main"]
    tensors = [tvm.runtime.tensor(t) for t in ([x] if one else [x, y])]
    out = tvm.runtime.tensor(np.zeros_like(x))
    lab.runnable(scheduled, machine)(*tensors, out)
    return out.numpy(), lab.assembly(scheduled, machine)


def check(found: Any, x: Any, y: Any, ulp: Any) -> None:
    # An array of exponents: numpy takes the root for a power of 0.5, and that of -inf is NaN.
    exact = np.power(x.astype("float64"), np.broadcast_to(y, x.shape).astype("float64"))
    expected = exact.astype("float32")
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(found[~finite], expected[~finite])
    assert np.isfinite(found[finite]).all()
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))
    error = np.abs(found.astype("float64") - exact)[finite] / np.spacing(np.abs(expected[finite]))
    assert error.max() <= ulp


@pytest.mark.parametrize("machine", [AVX2, SSE2], ids=lambda machine: machine.name)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_any_base_to_any_exponent(lab: Any, machine: Machine) -> None:
    rng, count = np.random.default_rng(0), 200_000
    signed = np.concatenate([SPECIAL, -SPECIAL])
    special = np.meshgrid(signed, signed)
    any_bits = rng.integers(0, 2**32, (2, count), dtype="uint32").view("float32")
    pairs: list[Any] = [
        special,
        any_bits,
        (any_bits[0], rng.uniform(-3, 3, count)),
        (1 + rng.uniform(-0.01, 0.01, count), rng.uniform(-8000, 8000, count)),
        (rng.uniform(-10, 10, count), rng.integers(-40, 40, count)),
    ]
    x, y = (
        np.concatenate([np.ravel(pair[side]) for pair in pairs]).astype("float32")
        for side in (0, 1)
    )
    found, _ = computed(lab, x, y, machine)
    check(found, x, y, 0.51)


@pytest.mark.parametrize("exponent", CONSTANT)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_constant_exponents(lab: Any, exponent: Any) -> None:
    x = np.arange(0, 2**32, 4099, dtype="uint32").view("float32")
    x = np.concatenate([x, SPECIAL, -SPECIAL])
    found, _ = computed(lab, x, exponent, AVX2)
    check(found, x, exponent, CONSTANT[exponent])


@pytest.mark.parametrize("exponent", [2.4, 3, np.ones(1024, "float32")], ids=["2.4", "3", "tensor"])
def test_calls_no_function(lab: Any, exponent: Any) -> None:
    _, code = computed(lab, np.ones(1024, "float32"), exponent, AVX2)
    assert not re.search(r"(pow|exp2|exp|log)f?@PLT", code)
    assert "ymm" in code
