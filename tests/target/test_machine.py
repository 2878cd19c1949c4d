"""target.machine: which machine a target is for, its facts, and what code for it reckons with."""

from dataclasses import fields, replace
from typing import Any

import pytest
from tvm.target import Target

from tvmfuse.target.caches import Caches
from tvmfuse.target.core import KIB, MIB, Core, Tuning
from tvmfuse.target.machine import (
    AVX2,
    AVX512,
    CASCADE_LAKE,
    EMERALD_RAPIDS,
    GRANITE_RAPIDS,
    ICELAKE_SERVER,
    NAMED,
    NEOVERSE_N1,
    SAPPHIRE_RAPIDS,
    SSE2,
    ZEN3,
    ZEN4,
    ZEN5,
    Machine,
)


def of(**target: Any) -> Machine:
    return Machine.of(Target({"kind": "llvm", **target}))


@pytest.mark.parametrize(
    ("target", "machine"),
    [
        ({"mcpu": "skylake-avx512"}, AVX512),
        ({"mcpu": "znver3"}, ZEN3),
        ({"mcpu": "znver4"}, ZEN4),
        ({"mcpu": "znver5"}, ZEN5),
        ({"mcpu": "sapphirerapids"}, SAPPHIRE_RAPIDS),
        ({"mcpu": "neoverse-n1", "mtriple": "aarch64-linux-gnu"}, NEOVERSE_N1),
        ({"mcpu": "icelake-server"}, ICELAKE_SERVER),
        ({"mcpu": "emeraldrapids"}, EMERALD_RAPIDS),
        ({"mcpu": "graniterapids"}, GRANITE_RAPIDS),
        ({"mcpu": "cannonlake"}, AVX512),
        ({"mcpu": "cascadelake"}, CASCADE_LAKE),
        ({"mcpu": "x86-64-v3"}, AVX2),
        ({"mcpu": "znver2"}, AVX2),
        ({"mcpu": "x86-64"}, SSE2),
        ({"mcpu": "sandybridge"}, SSE2),
    ],
    ids=str,
)
def test_is_the_cpu_named_or_the_smallest_with_its_vectors(target: Any, machine: Any) -> None:
    assert replace(of(**target), stated_dot=None, stated_lookups=None) == machine


@pytest.mark.parametrize("cpu", ["skylake-avx512", "znver4"])
def test_a_cpu_without_its_vectors_is_no_longer_itself(cpu: str) -> None:
    assert of(mcpu=cpu, mattr=["-avx512f"]) == AVX2


@pytest.mark.parametrize("machine", NAMED.values(), ids=lambda m: m.name)
def test_its_target_is_its_own(machine: Any) -> None:
    assert Machine.of(machine.target) == machine


@pytest.mark.parametrize("machine", NAMED.values(), ids=lambda m: m.name)
def test_blocking_reckons_with_no_more_than_there_is(machine: Any) -> None:
    assert machine.tuning.l1_budget <= machine.core.l1_bytes
    assert machine.tuning.l2_budget <= machine.core.l2_bytes


@pytest.mark.parametrize(
    ("machine", "tuned"),
    [
        (ZEN3, AVX2),
        (ZEN5, ZEN4),
        (AVX512, EMERALD_RAPIDS),
        (CASCADE_LAKE, EMERALD_RAPIDS),
        (ICELAKE_SERVER, EMERALD_RAPIDS),
        (SAPPHIRE_RAPIDS, EMERALD_RAPIDS),
        (GRANITE_RAPIDS, EMERALD_RAPIDS),
    ],
    ids=lambda m: m.name,
)
def test_a_named_cpu_gets_the_kernels_that_were_tuned(machine: Any, tuned: Any) -> None:
    """Facts of a CPU say what it is; what pays on it is changed only by a measurement."""
    assert machine.tuning == tuned.tuning


def test_facts_of_the_cpus() -> None:
    assert ZEN3.core.l2_bytes == 512 * KIB
    assert ZEN4.core.fmas_per_cycle == 1
    assert (ZEN5.core.fmas_per_cycle, ZEN5.core.l1_bytes) == (2, 48 * KIB)
    assert SAPPHIRE_RAPIDS.core.l2_bytes == 2 * MIB


def test_every_aarch64_has_the_same_vectors() -> None:
    for cpu in ("generic", "cortex-a72", "neoverse-v1"):
        machine = of(mtriple="aarch64-linux-gnu", mcpu=cpu)
        assert (machine.isa.name, machine.isa.float_lanes, machine.isa.registers) == ("neon", 4, 32)


def test_a_target_may_state_its_caches() -> None:
    small = of(mcpu="znver4", model="l1d=16384,l2=524288")
    assert (small.core.l1_bytes, small.core.l2_bytes) == (16 * KIB, 512 * KIB)
    assert (small.tuning.l1_budget, small.tuning.l2_budget) == (16 * KIB, 512 * KIB)
    assert replace(small, core=ZEN4.core, tuning=ZEN4.tuning) == ZEN4
    assert of(mcpu="znver4", model="unknown") == ZEN4


def test_a_larger_cache_is_a_fact_and_changes_no_kernel() -> None:
    large = ZEN4.with_caches(Caches(l2_bytes=4 * MIB))
    assert large.core.l2_bytes == 4 * MIB
    assert large.tuning == ZEN4.tuning


@pytest.mark.parametrize("kind", [Core, Tuning])
def test_each_number_says_what_it_is(kind: Any) -> None:
    for field in fields(kind):
        assert f"        {field.name}: " in (kind.__doc__ or ""), field.name


@pytest.mark.parametrize(("bits", "lanes"), [(8, 32), (16, 16), (32, 8), (64, 4)])
def test_lanes_by_width(bits: int, lanes: int) -> None:
    assert AVX2.isa.lanes(bits) == lanes
