"""schedules.cpu.vector_math.rounding: what is rounded and clipped is converted once."""

from typing import Any

import numpy as np
import pytest
import tvm
from tvm import IRModule, te, tirx

from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2

#: Halves, what is next to them, what no int32 holds, and no numbers at all.
HALVES = np.arange(-300, 300, 0.5).astype("float32")
NUMBERS = np.concatenate(
    [HALVES, np.nextafter(HALVES, np.float32(1e9)), np.nextafter(HALVES, np.float32(-1e9))]
)
EXTREMES = np.array([3e9, -3e9, 3e38, np.inf, -np.inf, np.nan, -0.0, 1e-45], "float32")
REALS = np.concatenate([NUMBERS, EXTREMES])


def steps(lab: Any, dtype: str, zero: float, low: float, high: float, widened: str = "") -> Any:
    """Return a kernel that rounds and clips numbers, and perhaps widens what it stores."""
    x = te.placeholder((len(REALS),), name="x")

    def element(i: Any) -> Any:
        rounded = tirx.round(x[i]) + tirx.const(zero, "float32")
        bound = [tirx.const(b, "float32") for b in (high, low)]
        stored = tirx.max(tirx.min(rounded, bound[0]), bound[1]).astype(dtype)
        return stored.astype(widened) if widened else stored

    return IRModule({"main": lab.function_of(x, te.compute(x.shape, element))})


def computed(lab: Any, module: Any, machine: Any, dtype: str) -> Any:
    """Return what a scheduled kernel makes of the numbers, and its code."""
    scheduled = schedule(module, machine.target).module["main"]
    found = tvm.runtime.tensor(np.zeros(len(REALS), dtype))
    lab.runnable(scheduled, machine)(tvm.runtime.tensor(REALS), found)
    return found.numpy(), lab.assembly(scheduled, machine)


@pytest.mark.parametrize(
    ("dtype", "zero", "low", "high", "widened"),
    [
        ("uint8", 0, 0, 255, ""),
        ("uint8", 255, 0, 255, ""),
        ("uint8", 3, 3, 200, "int16"),
        ("int8", -128, -128, 127, ""),
        ("int8", 127, -128, 127, "int32"),
        ("int16", 7, -300, 300, "int32"),
        ("int32", 0, -5, 5, ""),
    ],
)
@pytest.mark.parametrize("machine", [AVX2, SSE2], ids=["avx2", "sse2"])
def test_one_conversion_rounds_halves_to_even(
    lab: Any, machine: Any, dtype: str, zero: int, low: int, high: int, widened: str
) -> None:
    module, result = steps(lab, dtype, zero, low, high, widened), widened or dtype
    found, code = computed(lab, module, machine, result)
    with np.errstate(invalid="ignore"):
        expected = np.clip(np.rint(REALS) + zero, low, high)
    expected[np.isnan(REALS)] = high  # by the order in which it is clipped
    np.testing.assert_array_equal(found, expected.astype(result))
    assert "cvtps2dq" in code
    assert "round" not in code
    assert "pmovzx" not in code  # no byte is widened again


def test_it_is_one_conversion_with_avx512(lab: Any) -> None:
    scheduled = schedule(steps(lab, "uint8", 3, 0, 255), AVX512.target).module["main"]
    code = lab.assembly(scheduled, AVX512)
    assert "vcvtps2dq" in code
    assert "vrndscale" not in code


@pytest.mark.parametrize(
    ("zero", "low", "high"),
    [
        (0.5, 0, 255),  # no whole number is added
        (0, 0.25, 255),  # nor is a bound one
        (2.0**23, 0, 255),  # the sum may not be a float32
        (0, 0, 256),  # not all of them are bytes
    ],
)
def test_others_are_rounded_and_cast(lab: Any, zero: float, low: float, high: float) -> None:
    scheduled = schedule(steps(lab, "uint8", zero, low, high), AVX2.target).module["main"]
    code = lab.assembly(scheduled, AVX2)
    assert "vroundps" in code
    assert "vcvtps2dq" not in code


@pytest.mark.parametrize("machine", [AVX2, SSE2], ids=["avx2", "sse2"])
@pytest.mark.parametrize("stored", ["int32", "uint8"])
def test_what_is_clipped_as_an_integer_is_one_conversion_too(
    lab: Any, machine: Any, stored: str
) -> None:
    """As of sums whose scale is small, which fit int32 before they are clipped."""
    x = te.placeholder((len(NUMBERS),), name="x")

    def element(i: Any) -> Any:
        whole = tirx.round(x[i]).astype("int32") + 3
        clipped = tirx.max(tirx.min(whole, 200), 3).astype(stored)
        return clipped.astype("int32")

    module = IRModule({"main": lab.function_of(x, te.compute(x.shape, element))})
    scheduled = schedule(module, machine.target).module["main"]
    found = tvm.runtime.tensor(np.zeros(len(NUMBERS), "int32"))
    lab.runnable(scheduled, machine)(tvm.runtime.tensor(NUMBERS), found)
    np.testing.assert_array_equal(found.numpy(), np.clip(np.rint(NUMBERS) + 3, 3, 200))
    code = lab.assembly(scheduled, machine)
    assert "cvtps2dq" in code
    assert "round" not in code
    assert "pmovzx" not in code
