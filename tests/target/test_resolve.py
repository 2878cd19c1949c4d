"""targets: names to TVM's targets; what LLVM would take for the oldest CPU is refused."""

import pytest
import tvm
from tvm.target import Target

from tvmfuse.errors import UnknownTargetError
from tvmfuse.target import host_cpu
from tvmfuse.target.host_cpu import cpu_features
from tvmfuse.target.resolve import required_cpu_features, resolve


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
def test_names_a_target(name, kind, attribute, value) -> None:
    target = resolve(name)
    assert target.kind.name == kind
    assert target.attrs[attribute] == value


@pytest.mark.parametrize(
    "name", ["llvm", Target("llvm"), {"kind": "llvm"}, '{"kind": "llvm"}'], ids=str
)
def test_llvm_is_this_machine(name) -> None:
    target = resolve(name)
    assert target.attrs["mcpu"] == tvm.target.codegen.llvm_get_system_cpu()
    assert set(required_cpu_features(target)) == cpu_features()


def test_a_hypervisor_may_hide_what_the_model_number_promises(monkeypatch) -> None:
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
        ("llvm -mtriple=aarch64-linux-gnu", "x86-64 Linux, not for the triple 'aarch64-linux-gnu'"),
        ("llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a72", "not for the triple 'aarch64-linux"),
        ("llvm -mtriple=x86_64-pc-windows-msvc", "x86-64 Linux, not for the triple 'x86_64-pc"),
        ("llvm -mtriple=bogus", "leave -mtriple out to compile for this machine"),
        ("i386", "the CPU 'i386' has no 64-bit mode"),
        ("c", "tvmfuse compiles for llvm and cuda, not for TVM's target 'c'"),
        ({"kind": "lvm"}, 'Target kind "lvm" is not defined'),
        ({"mcpu": "znver4"}, 'Field "kind" is not found'),
        ('{"kind": ', "TVM does not know the target"),
        ("nvidia/nonesuch", "TVM does not know the target 'nvidia/nonesuch'"),
    ],
)
def test_other_names_are_refused_in_words(name, words) -> None:
    with pytest.raises(UnknownTargetError) as error:
        resolve(name)
    assert words in str(error.value)
