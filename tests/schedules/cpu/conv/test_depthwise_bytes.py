"""schedules.cpu.conv.depthwise_nest: bytes are widened once for all lines that read them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tvm
from tvm import IRModule, tirx
from tvm.target import Target

from tvmfuse.ops import conv_blocked
from tvmfuse.schedules.plans import DepthwisePlan, FusedPaddingPlan, NestPlan
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine

N, H, W = (tirx.Var(name, "int64") for name in "nhw")


def module_of(
    lab: Any,
    size: tuple[Any, Any],
    window: int = 3,
    lanes: int = 16,
    batch: Any = 2,
    stored: tuple[str, str] = ("uint8", "int8"),
    **how: Any,
) -> IRModule:
    """Return a convolution of each channel of two blocks, with a bias."""

    def compute(x: Any, w: Any, b: Any) -> Any:
        options = {"strides": [1, 1], "dilation": [1, 1], "padding": [1] * 4, **how}
        return conv_blocked(x, w, b, groups=2 * lanes, **options)

    shapes = (batch, 2, *size, lanes), (2, 1, window, window, 1, lanes)
    arguments = (*zip(shapes, stored, strict=True), ((2, lanes), "int32"))
    found: IRModule = lab.lowered(compute, *arguments)
    return found


def reader_of(module: IRModule, machine: Machine) -> NestPlan:
    """Return the plan of what reads the padded copy."""
    (decision,) = schedule(module, machine.target).report.decisions.values()
    (plan,) = decision.plan.nests
    assert isinstance(plan, FusedPaddingPlan)
    found: NestPlan = plan.nests[-1]
    return found


@pytest.mark.sampled(6)
@pytest.mark.parametrize("machine", [AVX2, SSE2], ids=lambda machine: machine.name)
@pytest.mark.parametrize(
    ("size", "how"),
    [
        ((7, 7), {"pad_value": 128}),
        ((15, 9), {"strides": [2, 2], "lanes": 24}),
        ((13, 6), {"dilation": [2, 2], "padding": [2, 1, 2, 1], "pad_value": 3}),
        ((1, 1), {"padding": [2] * 4, "lanes": 8}),
        ((29, 5), {"strides": [1, 3], "padding": [0, 2, 1, 0]}),
        ((9, 8), {"window": 4, "padding": [2] * 4}),
        ((8, 4), {"batch": N}),
        ((6, 7), {"window": 2, "padding": [0, 1, 1, 0], "stored": ("uint8", "uint8")}),
    ],
    ids=str,
)
def test_numbers(lab: Any, machine: Machine, size: tuple[int, int], how: dict[str, Any]) -> None:
    module = module_of(lab, size, **how)
    assert isinstance(reader_of(module, machine), DepthwisePlan)
    lab.assert_same_numbers(module, machine, n=3)


@pytest.mark.parametrize("stride", [1, 2])
def test_numbers_of_any_size(lab: Any, stride: int) -> None:
    module = module_of(lab, (H, W), strides=[stride] * 2, pad_value=9)
    assert isinstance(reader_of(module, AVX2), DepthwisePlan)
    sizes = ((1, 1), (2, 3), (7, 7), (15, 5), (8, 12), (33, 2))
    lab.assert_same_numbers(module, AVX2, each=[{"h": h, "w": w} for h, w in sizes])


def test_sums_are_exact_at_their_bounds(lab: Any) -> None:
    """Two products of full bytes are more than 16 bits hold."""
    (function,) = lab.kernels(module_of(lab, (5, 6), batch=1, pad_value=255)).values()
    code = schedule(IRModule({"main": function}), AVX2.target).module["main"]
    rng = np.random.default_rng(0)
    x = np.where(rng.random((1, 2, 5, 6, 16)) < 0.9, 255, 0).astype("uint8")
    w = np.where(rng.random((2, 1, 3, 3, 1, 16)) < 0.5, -128, 127).astype("int8")
    w[0] = -128
    bias = rng.integers(-(1 << 30), 1 << 30, (2, 16)).astype("int32")
    wide = np.pad(x.astype("int64"), [(0, 0)] * 2 + [(1, 1)] * 2 + [(0, 0)], constant_values=255)
    expected = bias[None, :, None, None] + sum(
        wide[:, :, i : i + 5, j : j + 6] * w[None, :, 0, i, j, 0][:, :, None, None]
        for i in range(3)
        for j in range(3)
    )
    found = tvm.runtime.tensor(np.empty(x.shape, "int32"))
    given = [tvm.runtime.tensor(array) for array in (x, w, bias)]
    lab.runnable(code, AVX2)(*given, found)
    assert (found.numpy() == expected).all()


@pytest.mark.parametrize("mcpu", ["haswell", "znver3"])
@pytest.mark.parametrize("stride", [1, 2])
def test_each_vector_is_widened_once(lab: Any, mcpu: str, stride: int) -> None:
    """Of seven lines: as many instructions multiply as there are products, none of 32 bits."""
    machine = replace(Machine.of(Target({"kind": "llvm", "mcpu": mcpu})), mcpu=mcpu)
    module = module_of(lab, (14 * stride, 14 * stride), strides=[stride] * 2)
    (function,) = lab.kernels(schedule(module, machine.target).module).values()
    code = lab.hottest_block(lab.assembly(function, machine), "vpmaddwd")
    assert sum("vpmaddwd" in line for line in code) == 7 * 9
    assert sum("vpmovzxbd" in line for line in code) == 3 * (6 * stride + 3)
    assert not any("vpmulld" in line for line in code)
    stored = [line for line in code if "ymm" in line and "(%rsp)" in line.split(",")[-1]]
    assert len(stored) <= 2, "sums that are not finished"


@pytest.mark.parametrize(
    ("why", "machine", "how"),
    [
        ("longer vectors", AVX512, {}),
        ("more weights than registers", AVX2, {"window": 5, "padding": [2] * 4}),
        ("no whole vectors", AVX2, {"lanes": 4}),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_others_are_tiled(lab: Any, why: str, machine: Machine, how: dict[str, Any]) -> None:
    module = module_of(lab, (12, 12), **how)
    assert not isinstance(reader_of(module, machine), DepthwisePlan), why
