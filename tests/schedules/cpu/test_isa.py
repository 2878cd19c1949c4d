"""schedules.cpu.isa: which vectors a target has."""

import pytest
from tvm.target import Target

from tvmfuse.schedules.cpu.isa import AVX2, AVX512, SSE2, Isa


@pytest.mark.parametrize(
    ("target", "isa"),
    [
        ({"mcpu": "skylake-avx512"}, AVX512),
        ({"mcpu": "znver4"}, AVX512),
        ({"mcpu": "x86-64-v3"}, AVX2),
        ({"mcpu": "znver3"}, AVX2),
        ({"mcpu": "x86-64"}, SSE2),
        ({"mcpu": "skylake-avx512", "mattr": ["-avx512f"]}, AVX2),
        ({"mcpu": "sandybridge"}, SSE2),
    ],
    ids=str,
)
def test_is_the_widest_that_the_target_has(target, isa) -> None:
    assert Isa.of(Target({"kind": "llvm", **target})) == isa


@pytest.mark.parametrize("isa", [AVX2, AVX512, SSE2], ids=lambda isa: isa.name)
def test_a_set_s_target_has_that_set(isa) -> None:
    assert Isa.of(isa.target()) == isa


def test_other_machines_have_llvm_s_width() -> None:
    isa = Isa.of(Target({"kind": "llvm", "mtriple": "aarch64-linux-gnu"}))
    assert (isa.float_lanes, isa.registers) == (4, 32)


@pytest.mark.parametrize(("bits", "lanes"), [(8, 32), (16, 16), (32, 8), (64, 4)])
def test_lanes_by_width(bits, lanes) -> None:
    assert AVX2.lanes(bits) == lanes
