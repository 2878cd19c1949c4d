"""Kernels for each CPU whose facts are known: its vectors, no scalar loops, nothing spilled."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from tvm import relax
from tvm.relax import op as R

from tvmfuse.ops import attention, winograd, winograd_weights
from tvmfuse.passes.nchwc.arrays import blocked_weights
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, NAMED, NEOVERSE_N1, SSE2, Machine


def f32(*shape: Any) -> Any:
    return shape, "float32"


def winograd_of_64_channels(x: Any) -> Any:
    weights = blocked_weights(np.ones((64, 64, 3, 3), "float32"), 16, 16)
    bias = relax.const(np.zeros((4, 16), "float32"))
    return winograd(x, relax.const(winograd_weights(weights, 4)), bias, padding=[1, 1, 1, 1])


#: By name: the operator, its operands, and the schedule that takes it.
KERNELS = {
    "gemm": (R.matmul, [f32(96, 256), f32(256, 240)], "matmul"),
    "conv": (
        lambda x, w: R.nn.conv2d(x, w, padding=1),
        [f32(1, 32, 32, 32), f32(48, 32, 3, 3)],
        "conv",
    ),
    "depthwise": (
        lambda x, w: R.nn.conv2d(x, w, padding=1, groups=32),
        [f32(1, 32, 32, 32), f32(32, 1, 3, 3)],
        "conv",
    ),
    "attention": (
        lambda q, k, v: attention(q, k, v, scale=0.125),
        [f32(1, 96, 4, 64)] * 3,
        "attention",
    ),
    "winograd": (winograd_of_64_channels, [f32(1, 4, 56, 56, 16)], "winograd"),
}

#: By instruction set, the machine that the schedules were written for. LLVM orders the same kernel
#: for another pipeline otherwise, which may not cost registers.
GENERIC = {"avx2": AVX2, "avx512": AVX512, "sse2": SSE2, "neon": NEOVERSE_N1}

#: By instruction set: a multiply-add (SSE2 has none) of whole vectors, and one number's.
WHOLE = {
    "avx512": r"\tvfn?madd\w+ps\t.*%zmm",
    "avx2": r"\tvfn?madd\w+ps\t.*%ymm",
    "sse2": r"\tmulps\t",
    "neon": r"\tfmla\tv\d+\.4s",
}
SINGLE = r"\tvfn?madd\w+ss\t|\tmulss\t|\tfmadd\ts\d"

#: A vector that is stored to the stack, or loaded from it.
SPILLED = r"\tv?mov[ua]ps\t(?:%[xyz]mm\d+, [-\d]*\(%rsp|[-\d]*\(%rsp.*\), %[xyz]mm)|\t(?:st|ld)[rp]\tq\d.*\[sp"


@pytest.fixture(scope="module")
def code(lab: Any) -> Callable[[Machine, str], str]:
    """Return a function that gives the machine code of a kernel for a machine."""

    @cache
    def of(machine: Machine, name: str) -> str:
        operator, operands, by = KERNELS[name]
        scheduled = schedule(lab.lowered(operator, *operands), machine.target)
        assert by in {d.schedule for d in scheduled.report.decisions.values()}
        return "".join(lab.assembly(f, machine) for f in lab.kernels(scheduled.module).values())

    return of


def hottest(text: str, isa: str) -> str:
    """Return the basic block with the most multiply-adds of whole vectors."""
    blocks = re.split(r"^[.\w]+:.*$|^\t(?:j\w+|b\.\w+|cbn?z)\t.*$", text, flags=re.MULTILINE)
    return max(blocks, key=lambda block: len(re.findall(WHOLE[isa], block)))


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("machine", NAMED.values(), ids=lambda m: m.name)
@pytest.mark.sampled(6)
def test_uses_the_vectors_of_the_machine(code: Any, machine: Any, name: str) -> None:
    text = code(machine, name)
    whole, single = (len(re.findall(p, text)) for p in (WHOLE[machine.isa.name], SINGLE))
    assert whole > 4 * single
    assert ("%zmm" in text) == (machine.isa.name == "avx512")
    assert ("%ymm" in text) == (machine.isa.name in ("avx2", "avx512"))
    block = hottest(text, machine.isa.name)
    assert not re.search(SINGLE, block)
    generic = code(GENERIC[machine.isa.name], name)
    spilled, allowed = (
        len(re.findall(SPILLED, hottest(t, machine.isa.name))) for t in (text, generic)
    )
    assert spilled <= allowed
