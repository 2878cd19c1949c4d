"""targets: names to TVM's targets; what LLVM would take for the oldest CPU is refused."""

from dataclasses import replace
from typing import Any

import pytest
import tvm
from pretended_cpu import be
from tvm.target import Target

from tvmfuse.build.kernels.key import compiling_for
from tvmfuse.errors import UnknownTargetError
from tvmfuse.target import caches, host_cpu
from tvmfuse.target.caches import Caches
from tvmfuse.target.core import KIB, MIB
from tvmfuse.target.host_cpu import cpu_features
from tvmfuse.target.machine import NEOVERSE_N1, ZEN4, Machine
from tvmfuse.target.resolve import processor, required_cpu_features, resolve, this_machine


@pytest.mark.parametrize(
    ("name", "kind", "attribute", "value"),
    [
        ("avx2", "llvm", "mcpu", "core-avx2"),
        ("avx512", "llvm", "mcpu", "skylake-avx512"),
        ("znver4", "llvm", "mcpu", "znver4"),
        (" skylake-avx512 ", "llvm", "mcpu", "skylake-avx512"),
        ("cuda", "cuda", "arch", "sm_80"),
        ("cuda -arch=sm_90", "cuda", "arch", "sm_90"),
        ("nvidia/nvidia-a100", "cuda", "arch", "sm_80"),
        ('{"kind": "cuda"}', "cuda", "arch", "sm_80"),
        ('{"kind": "llvm", "mcpu": "znver2"}', "llvm", "mcpu", "znver2"),
        ({"kind": "llvm", "mcpu": "haswell"}, "llvm", "mcpu", "haswell"),
        (Target({"kind": "llvm", "mcpu": "haswell"}), "llvm", "mcpu", "haswell"),
        ("llvm -mcpu=haswell", "llvm", "mcpu", "haswell"),
        ("llvm -mtriple=x86_64-linux-gnu -mcpu=haswell", "llvm", "mtriple", "x86_64-linux-gnu"),
    ],
)
def test_names_a_target(name: Any, kind: str, attribute: str, value: str) -> None:
    target = resolve(name)
    assert target.kind.name == kind
    assert target.attrs[attribute] == value


@pytest.mark.parametrize(
    "name", ["llvm", Target("llvm"), {"kind": "llvm"}, '{"kind": "llvm"}'], ids=str
)
def test_llvm_is_this_machine(name: Any) -> None:
    target = resolve(name)
    assert target.attrs["mcpu"] == tvm.target.codegen.llvm_get_system_cpu()
    assert set(required_cpu_features(target)) == cpu_features()


def test_a_hypervisor_may_hide_what_the_model_number_promises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = {"sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cx16", "sahf", "avx"}
    monkeypatch.setattr(host_cpu, "cpu_features", lambda: shown)
    assert set(required_cpu_features(resolve("llvm"))) == shown


def test_a_resolved_target_is_its_own_resolution() -> None:
    for name in ("llvm", "avx512", "cuda"):
        target = resolve(name)
        assert str(resolve(target)) == str(target)
        assert str(resolve(str(target))) == str(target)


def test_required_features_grow_with_the_cpu() -> None:
    old, avx2, avx512 = (
        set(required_cpu_features(resolve(name))) for name in ("x86-64", "avx2", "avx512")
    )
    assert old == set()
    assert {"avx2", "fma", "f16c", "bmi2"} <= avx2 < avx512
    assert {"avx512f", "avx512bw", "avx512vl"} <= avx512


def test_features_can_be_added_and_removed() -> None:
    features = required_cpu_features(resolve("llvm -mcpu=znver4 -mattr=+avx512fp16,-gfni"))
    assert "avx512fp16" in features
    assert "gfni" not in features


def test_cuda_code_asks_nothing_of_the_cpu() -> None:
    assert required_cpu_features(resolve("cuda")) == ()


@pytest.mark.parametrize(
    "name",
    [
        "neoverse-n1",
        "llvm -mtriple=aarch64-linux-gnu -mcpu=neoverse-n1",
        {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "neoverse-n1"},
    ],
    ids=str,
)
def test_another_processor_has_its_cpus(name: Any) -> None:
    target = resolve(name)
    assert processor(target) == "aarch64"
    assert str(resolve(str(target))) == str(target) == str(NEOVERSE_N1.target)
    assert {"neon", "dotprod", "lse"} <= set(required_cpu_features(target))


@pytest.mark.parametrize("name", ["cortex-a72", "neoverse-v2", "apple-m1"])
def test_any_cpu_of_another_processor_goes_by_its_name(name: str) -> None:
    target = resolve(name)
    assert (processor(target), target.attrs["mcpu"]) == ("aarch64", name)
    assert str(resolve(str(target))) == str(target)


def test_another_processor_s_cpu_has_to_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    with pytest.raises(UnknownTargetError, match="its CPU is not named: add one"):
        resolve("llvm -mtriple=aarch64-linux-gnu")


def test_llvm_is_the_cpu_s_name_where_its_caches_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """So both make the same code, on any machine."""
    be(monkeypatch, "znver4")
    for shown in (Caches(), Caches(64, 32 * KIB, MIB), Caches(l2_bytes=2 * MIB, l3_bytes=MIB)):
        monkeypatch.setattr(caches, "find", lambda shown=shown, **_: shown)
        assert Machine.of(resolve("llvm")) == ZEN4
        assert resolve("llvm").attrs["mcpu"] == "znver4"
        assert "model" not in resolve("llvm").attrs
        assert "mattr" not in resolve("llvm").attrs


def test_llvm_reckons_with_the_caches_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    be(monkeypatch, "znver4")
    monkeypatch.setattr(caches, "find", lambda **_: Caches(l2_bytes=512 * KIB))
    target = resolve("llvm")
    assert target.attrs["model"] == "l2=524288"
    assert Machine.of(target) == ZEN4.with_caches(Caches(l2_bytes=512 * KIB))
    assert str(resolve(str(target))) == str(target)
    assert compiling_for(target) != compiling_for(resolve("znver4"))


def test_this_machine_has_the_caches_that_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    be(monkeypatch, "znver4")
    monkeypatch.setattr(caches, "find", lambda **_: Caches(l3_bytes=16 * MIB))
    assert this_machine().core == replace(ZEN4.core, l3_bytes=16 * MIB)
    assert this_machine().tuning == ZEN4.tuning


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("avx-512", "no target is called 'avx-512'; did you mean avx512"),
        ("Znver44", "did you mean znver4"),
        ("bogus", "no target is called 'bogus'; known: llvm, avx2, avx512, cuda"),
        ("", "no target is called ''"),
        ("llvm -mcpu=skylake-avx51", "LLVM knows no CPU 'skylake-avx51' for x86_64"),
        ({"kind": "llvm", "mcpu": "bogus"}, "LLVM knows no CPU 'bogus'"),
        ("llvm -mattr=+avx1024", "LLVM knows no CPU feature 'avx1024'"),
        ("llvm mcpu=znver4", "expected -key=value after the kind, found 'mcpu=znver4'"),
        ("llvm -mtriple=aarch64-linux-gnu -mcpu=znver4", "LLVM knows no CPU 'znver4' for aarch64"),
        (
            "llvm -mtriple=riscv64-linux-gnu",
            "AArch64 Linux, not for the triple 'riscv64-linux-gnu'",
        ),
        ("llvm -mtriple=x86_64-pc-windows-msvc", "AArch64 Linux, not for the triple 'x86_64-pc"),
        ("llvm -mtriple=bogus", "leave -mtriple out to compile for this machine"),
        ("i386", "the CPU 'i386' has no 64-bit mode"),
        ("c", "tvmfuse compiles for llvm and cuda, not for TVM's target 'c'"),
        ({"kind": "lvm"}, 'Target kind "lvm" is not defined'),
        ({"mcpu": "znver4"}, 'Field "kind" is not found'),
        ('{"kind": ', "TVM does not know the target"),
        ("nvidia/nonesuch", "TVM does not know the target 'nvidia/nonesuch'"),
    ],
)
def test_other_names_are_refused_in_words(name: Any, words: str) -> None:
    with pytest.raises(UnknownTargetError) as error:
        resolve(name)
    assert words in str(error.value)
