"""target.isa: dot products, which kernels of low precision ask a machine for."""

from typing import Any

import pytest
from tvm import tirx
from tvm.target import Target

from tvmfuse.target.isa import (
    BFDOT,
    BFMMLA,
    PMADDUBSW,
    PMADDUBSW_512,
    PMADDWD,
    PMADDWD_128,
    PMADDWD_512,
    SDOT,
    USDOT,
    USMMLA,
    VDPBF16PS,
    VPDPBUSD,
    VPDPBUSD_512,
    VPERMI2B,
    VPSHUFB,
    VPSHUFB_512,
)
from tvmfuse.target.machine import AVX2, NEOVERSE_N1, ZEN4, Machine
from tvmfuse.target.resolve import resolve

SIXTEEN_BITS = (PMADDUBSW_512, PMADDWD_512)
DOTS = [PMADDUBSW, PMADDWD, PMADDWD_128, *SIXTEEN_BITS, VPDPBUSD, VPDPBUSD_512, VDPBF16PS]
DOTS += [SDOT, USDOT, BFDOT]
TWO_ROWS = [USMMLA, BFMMLA]
INTRINSICS = sorted({n for dot in (*DOTS, *TWO_ROWS) for _, names in dot.intrinsics for n in names})


@pytest.mark.parametrize(
    ("mcpu", "dots"),
    [
        ("x86-64", (PMADDWD_128,)),
        ("haswell", (PMADDUBSW, PMADDWD)),
        ("znver3", (PMADDUBSW, PMADDWD)),
        ("alderlake", (VPDPBUSD, PMADDUBSW, PMADDWD)),
        ("knl", ()),
        ("skylake-avx512", SIXTEEN_BITS),
        ("icelake-server", (VPDPBUSD_512, *SIXTEEN_BITS)),
        ("znver4", (VPDPBUSD_512, *SIXTEEN_BITS, VDPBF16PS)),
    ],
)
def test_a_machine_has_what_its_cpu_has_the_fastest_first(mcpu: str, dots: Any) -> None:
    assert Machine.of(Target({"kind": "llvm", "mcpu": mcpu})).dot == dots


@pytest.mark.parametrize(
    ("cpu", "dots"),
    [
        ("cortex-a57", ()),
        ("neoverse-n1", (SDOT,)),
        ("apple-m1", (SDOT,)),
        ("neoverse-v1", (USDOT, SDOT, BFDOT, USMMLA, BFMMLA)),
        ("neoverse-n2", (USDOT, SDOT, BFDOT, USMMLA, BFMMLA)),
        ("apple-m2", (USDOT, SDOT, BFDOT, USMMLA, BFMMLA)),
    ],
)
def test_so_has_one_of_aarch64(cpu: str, dots: Any) -> None:
    machine = Machine.of(resolve(cpu))
    assert machine.dot == Machine.of(machine.target).dot == dots
    assert (machine.narrowing is not None) == (BFDOT in dots)


def test_a_feature_that_is_switched_off_is_none() -> None:
    target = Target({"kind": "llvm", "mcpu": "znver4", "mattr": ["-avx512vnni"]})
    assert Machine.of(target).dot == (*SIXTEEN_BITS, VDPBF16PS)


@pytest.mark.parametrize(
    ("mcpu", "lookups"),
    [
        ("x86-64", ()),
        ("haswell", (VPSHUFB,)),
        ("knl", (VPSHUFB,)),
        ("skylake-avx512", (VPSHUFB_512, VPSHUFB)),
        ("icelake-server", (VPERMI2B, VPSHUFB_512, VPSHUFB)),
        ("znver4", (VPERMI2B, VPSHUFB_512, VPSHUFB)),
    ],
)
def test_a_machine_looks_bytes_up_as_its_cpu_does(mcpu: str, lookups: Any) -> None:
    assert Machine.of(Target({"kind": "llvm", "mcpu": mcpu})).lookups == lookups
    off = Target({"kind": "llvm", "mcpu": mcpu, "mattr": ["-avx512vbmi"]})
    assert Machine.of(off).lookups == tuple(one for one in lookups if one is not VPERMI2B)


def test_what_is_multiplied_as_such() -> None:
    assert [d for d in ("float32", "bfloat16", "int8", "uint8", "float16") if ZEN4.supports(d)] == [
        *("float32", "bfloat16", "int8", "uint8")
    ]
    assert not AVX2.supports("bfloat16")
    assert AVX2.supports("int8")
    assert NEOVERSE_N1.supports("int8")
    assert not NEOVERSE_N1.supports("uint8")


@pytest.mark.parametrize("name", INTRINSICS)
def test_llvm_knows_the_intrinsics(name: str) -> None:
    tirx.call_llvm_pure_intrin("int32x8", name, tirx.const(0, "int32"))


@pytest.mark.parametrize("dot", DOTS, ids=lambda dot: dot.feature)
def test_a_group_of_elements_is_as_wide_as_its_sum(dot: Any) -> None:
    bits = {"uint8": 8, "int8": 8, "int16": 16, "bfloat16": 16, "int32": 32, "float32": 32}
    assert bits[dot.a] * dot.k_group == bits[dot.b] * dot.k_group == bits[dot.acc]
    assert list(dot.lanes) == sorted(dot.lanes, reverse=True)


@pytest.mark.parametrize("dot", TWO_ROWS, ids=lambda dot: dot.feature)
def test_what_multiplies_two_rows_has_a_half_that_multiplies_one(dot: Any) -> None:
    assert dot.half in DOTS
    assert (dot.a, dot.b, dot.acc, dot.feature) == (
        *(dot.half.a, dot.half.b, dot.half.acc, dot.half.feature),
    )
    assert dot.k_group == 2 * dot.half.k_group
    assert dot.lanes == dot.half.lanes == (4,)
