"""target.isa: dot products, which later kernels of low precision ask a machine for."""

from typing import Any

import pytest
from tvm import tirx

from tvmfuse.target.isa import PMADDUBSW, VDPBF16PS, VPDPBUSD, VPMADDUBSW
from tvmfuse.target.machine import AVX2, AVX512, NEOVERSE_N1, SSE2, ZEN3, ZEN4

DOTS = [PMADDUBSW, VPMADDUBSW, VPDPBUSD, VDPBF16PS]


@pytest.mark.parametrize(
    ("machine", "dots"),
    [
        (SSE2, ()),
        (AVX2, (PMADDUBSW,)),
        (ZEN3, (PMADDUBSW,)),
        (AVX512, (VPMADDUBSW,)),
        (NEOVERSE_N1, ()),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_machine_has_what_its_cpu_has(machine: Any, dots: Any) -> None:
    assert machine.dot == dots


def test_zen_4_has_the_dot_products_of_avx512() -> None:
    assert ZEN4.dot == (VPDPBUSD, VPMADDUBSW, VDPBF16PS)
    assert [d for d in ("float32", "bfloat16", "int8", "uint8", "float16") if ZEN4.supports(d)] == [
        *("float32", "bfloat16", "int8", "uint8")
    ]
    assert not AVX512.supports("bfloat16")
    assert AVX2.supports("int8")


@pytest.mark.parametrize("dot", DOTS, ids=lambda dot: dot.intrinsics[0])
def test_llvm_knows_the_intrinsics(dot: Any) -> None:
    for name in dot.intrinsics:
        tirx.call_llvm_pure_intrin("int32x8", name, tirx.const(0, "int32"))


@pytest.mark.parametrize("dot", DOTS, ids=lambda dot: dot.intrinsics[0])
def test_a_group_of_elements_is_as_wide_as_its_sum(dot: Any) -> None:
    bits = {"uint8": 8, "int8": 8, "bfloat16": 16, "int32": 32, "float32": 32}
    assert bits[dot.a] * dot.k_group == bits[dot.b] * dot.k_group == bits[dot.acc]
