"""schedules.cpu.vector_math.quotients: quotients by a constant are rounded without a division."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import IRModule, te, tirx
from tvm.target import Target

from tvmfuse.schedules.cpu.vector_math.quotients import inverse
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, SSE2, Machine
from tvmfuse.target.resolve import resolve

HERE = Machine.of(resolve("llvm"))
DIVISORS = [0.1340804398059845, 0.02, 1 / 3, 7.0, 0.25, 1e-3, 123.456]
EXTREMES = [np.inf, -np.inf, np.nan, 3e38, -3e38, -0.0, 1e-45, -1e-45, 3e9, -3e9]


def kernel(lab: Any, divisor: float, count: int, dtype: str, zero: int) -> Any:
    """Return a kernel that quantizes numbers."""
    x, limits = te.placeholder((count,), name="x"), np.iinfo(dtype)

    def element(i: Any) -> Any:
        steps = tirx.round(x[i] / tirx.const(divisor, "float32")) + tirx.const(zero, "float32")
        low, high = (tirx.const(float(bound), "float32") for bound in (limits.min, limits.max))
        return tirx.max(tirx.min(steps, high), low).astype(dtype)

    return IRModule({"main": lab.function_of(x, te.compute(x.shape, element))})


def near_halves(divisor: float) -> Any:
    """Return the numbers whose quotients are next to halves, more of them than are ever in doubt."""
    halves = (np.arange(-300, 300) + 0.5) * np.float64(np.float32(divisor))
    bits = halves.astype("float32").view("int32")[:, None] + np.arange(-8, 9, dtype="int32")
    return np.concatenate([bits.view("float32").ravel(), np.array(EXTREMES, "float32")])


@pytest.mark.parametrize("divisor", DIVISORS)
@pytest.mark.parametrize("machine", [HERE, AVX2, SSE2], ids=["here", "avx2", "sse2"])
@pytest.mark.parametrize(("dtype", "zero"), [("uint8", 121), ("int8", -5)])
def test_bytes_are_onnx_s(
    lab: Any, divisor: float, machine: Machine, dtype: str, zero: int
) -> None:
    x = near_halves(divisor)
    module = schedule(kernel(lab, divisor, len(x), dtype, zero), machine.target).module
    found = tvm.runtime.tensor(np.zeros(len(x), dtype))
    lab.runnable(module["main"], machine)(tvm.runtime.tensor(x), found)
    limits = np.iinfo(dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        expected = np.clip(np.rint(x / np.float32(divisor)) + zero, limits.min, limits.max)
    expected[np.isnan(x)] = limits.max  # by the order in which it is clipped
    np.testing.assert_array_equal(found.numpy(), expected.astype(dtype))


def code_of(lab: Any, divisor: float, mcpu: str, *features: str) -> str:
    said = {"kind": "llvm", "mcpu": mcpu, **({"mattr": list(features)} if features else {})}
    target = Target(said)
    module = schedule(kernel(lab, divisor, 64, "uint8", 3), target).module
    code: str = lab.assembly(module["main"], replace(Machine.of(target), mcpu=mcpu))
    return code


@pytest.mark.parametrize("mcpu", ["znver4", "haswell"])
def test_nothing_is_divided(lab: Any, mcpu: str) -> None:
    code = code_of(lab, 0.02, mcpu)
    assert "vfmadd" in code
    assert "vdivps" not in code


def test_a_power_of_two_is_one_product(lab: Any) -> None:
    code = code_of(lab, 0.25, "haswell")
    assert "vmulps" in code
    assert "vfmadd" not in code


@pytest.mark.parametrize("divisor", [0.0, -0.02, np.inf, np.nan, 1e-30])
def test_other_divisors_divide(lab: Any, divisor: float) -> None:
    assert inverse(divisor, 0, 255) is None
    if np.isfinite(divisor) and divisor:
        assert "vdivps" in code_of(lab, divisor, "haswell")


def test_a_cpu_without_fma_divides(lab: Any) -> None:
    assert "divps" in code_of(lab, 0.02, "x86-64")
    assert not Machine.of(Target({"kind": "llvm", "mcpu": "haswell", "mattr": ["-fma"]})).isa.fused


def test_inverses_are_those_that_were_tried() -> None:
    """Of float64, whose digits suffice: each rounds next to each half as the quotient does."""
    draw = np.random.default_rng(1)
    for divisor in np.exp(draw.uniform(-9, 2, 50)).astype("float32"):
        by = inverse(float(divisor), -128, 127)
        assert by is not None
        assert 0 <= by[1] < by[0] * 2.0**-22
        assert abs((by[0] + by[1]) * float(divisor) - 1) < 2.0**-45
