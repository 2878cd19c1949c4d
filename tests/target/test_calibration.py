"""target.calibration: from measured numbers to what code depends on, which noise does not change."""

import json
from dataclasses import replace
from typing import Any

import pytest
from pretended_cpu import TWO_A_CYCLE, be
from tvm.target import Target

from tvmfuse.build.kernels.key import compiling_for
from tvmfuse.target import caches
from tvmfuse.target.caches import Caches
from tvmfuse.target.calibration import Calibration
from tvmfuse.target.core import KIB
from tvmfuse.target.machine import AVX2, EMERALD_RAPIDS, ZEN3, ZEN4, Machine
from tvmfuse.target.resolve import resolve


@pytest.mark.parametrize(
    ("cycles", "fmas"),
    [(4, 1), (5, 1), (4, 2), (5, 2), (4, 4)],
    ids=["Ice Lake", "Zen", "Zen 3", "Haswell", "Neoverse V1"],
)
@pytest.mark.parametrize("noise", [0.8, 1.0, 1.2])
@pytest.mark.parametrize("ghz", [1.0, 4.0])
def test_a_fifth_of_noise_changes_nothing(cycles: int, fmas: int, noise: float, ghz: float) -> None:
    """A multiply-add takes so many cycles, and so many start in each."""
    exact = replace(TWO_A_CYCLE, fma_ns=1 / fmas / ghz, chain_ns=cycles / ghz)
    assert replace(exact, chain_ns=exact.chain_ns * noise).fmas_per_cycle == fmas
    assert replace(exact, fma_ns=exact.fma_ns * noise).fmas_per_cycle == fmas


def test_comes_back_from_json() -> None:
    assert Calibration.from_json(json.loads(json.dumps(TWO_A_CYCLE.to_json()))) == TWO_A_CYCLE


@pytest.mark.parametrize(
    "said",
    [
        [],
        {},
        {**TWO_A_CYCLE.to_json(), "l4": 1.0},
        *({**TWO_A_CYCLE.to_json(), "l1": n} for n in (0, -1.0, float("nan"), float("inf"), "1")),
    ],
    ids=str,
)
def test_other_json_is_refused(said: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        Calibration.from_json(said)


@pytest.mark.parametrize(
    ("cpu", "fmas", "like"),
    [
        ("skylake", 2, ZEN3),
        ("znver1", 1, ZEN3),
        ("tigerlake", 1, ZEN4),
        ("cannonlake", 2, EMERALD_RAPIDS),
    ],
)
def test_an_unknown_cpu_is_tuned_as_what_it_measures_like(
    monkeypatch: pytest.MonkeyPatch, cpu: str, fmas: int, like: Machine
) -> None:
    be(monkeypatch, cpu)
    monkeypatch.setattr(caches, "find", lambda **_: Caches())
    target = resolve("llvm", lambda _cpu: fmas)
    machine = Machine.of(target)
    assert target.attrs["model"] == f"fmas={fmas}"
    assert (machine.tuning, machine.tuned_as) == (like.tuning, like.name)
    assert machine.core.fmas_per_cycle == machine.to_json()["fmas_per_cycle"] == fmas
    assert str(resolve(str(target))) == str(target)
    assert compiling_for(target) != compiling_for(resolve("llvm"))


def test_the_caches_that_are_there_are_stated_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    be(monkeypatch, "tigerlake")
    monkeypatch.setattr(caches, "find", lambda **_: Caches(l2_bytes=512 * KIB))
    target = resolve("llvm", lambda _cpu: 1)
    assert target.attrs["model"] == "l2=524288,fmas=1"
    assert Machine.of(target).tuning == replace(ZEN4.tuning, l2_budget=512 * KIB)


def test_a_known_cpu_is_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    be(monkeypatch, "znver4")
    assert str(resolve("llvm", lambda _cpu: pytest.fail("measured"))) == str(resolve("llvm"))
    assert Machine.of(Target({"kind": "llvm", "mcpu": "znver4", "model": "fmas=2"})) == ZEN4


@pytest.mark.parametrize("name", ["avx2", "skylake", "llvm -mcpu=skylake"])
def test_a_cpu_by_name_is_the_smallest_with_its_vectors(name: str) -> None:
    machine = Machine.of(resolve(name, lambda _cpu: pytest.fail("measured")))
    assert (machine.core, machine.tuning, machine.tuned_as) == (AVX2.core, AVX2.tuning, "")
