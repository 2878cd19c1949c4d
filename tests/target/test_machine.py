"""target.machine: which vectors a target has."""

import pytest
from tvm.target import Target

from tvmfuse.target.machine import AVX2, AVX512, SSE2, Machine


@pytest.mark.parametrize(
    ("target", "machine"),
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
def test_is_the_widest_that_the_target_has(target, machine) -> None:
    assert Machine.of(Target({"kind": "llvm", **target})) == machine


@pytest.mark.parametrize("machine", [AVX2, AVX512, SSE2], ids=lambda m: m.name)
def test_a_set_s_target_has_that_set(machine) -> None:
    assert Machine.of(machine.target) == machine


def test_other_machines_have_llvm_s_width() -> None:
    machine = Machine.of(Target({"kind": "llvm", "mtriple": "aarch64-linux-gnu"}))
    assert (machine.isa.float_lanes, machine.isa.registers) == (4, 32)


@pytest.mark.parametrize(("bits", "lanes"), [(8, 32), (16, 16), (32, 8), (64, 4)])
def test_lanes_by_width(bits, lanes) -> None:
    assert AVX2.isa.lanes(bits) == lanes
