"""runtime.host_cpu: Linux' words for CPU features in LLVM's, and the number of cores."""

import os
from pathlib import Path
from typing import Any

import pytest
from tvm.target import Target, codegen

from tvmfuse.target import host_cpu
from tvmfuse.target.host_cpu import (
    AARCH64_BITS,
    AARCH64_FLAGS,
    LINUX_FLAGS,
    cpu_features,
    usable_cores,
)

#: LLVM's words that no kernel fails for want of: x86-64 itself, system and cache instructions,
#: and what only intrinsics reach that TVM's kernels do not call.
BASELINE = {"64bit", "64bit-mode", "cmov", "cx8", "fxsr", "mmx", "nopl", "sse", "sse2", "x87"}
SYSTEM = set(
    "cldemote clflushopt clwb clzero enqcmd fsgsbase hreset invpcid kl lwp movdir64b movdiri "
    "mwaitx pconfig pku prefetchi ptwrite rdpid rdpru rdrnd rdseed serialize shstk tsxldtrk uintr "
    "usermsr waitpkg wbnoinvd widekl xsave xsavec xsaveopt xsaves".split()
)
INTRINSICS = set("adx aes cmpccxadd crc32 movrs pclmul sha sha512 sm3 sm4 vaes vpclmulqdq".split())
#: What only says which of two correct codes is faster.
TUNING = set(
    "allow-light-256-bit branch-hint branchfusion ermsb fsrm idivl-to-divb idivq-to-divl lea-sp "
    "lea-uses-ag macrofusion pad-short-functions prefer-256-bit prefer-mask-registers "
    "prefer-movmsk-over-vtest sbb-dep-breaking tuning-fast-imm-vector-shift "
    "use-glm-div-sqrt-costs use-slm-arith-costs vzeroupper".split()
)
TUNING_BEGINNINGS = ("fast-", "faster-", "slow-", "false-deps-", "no-bypass-")


def test_every_feature_that_llvm_knows_has_its_place() -> None:
    def features(cpu: Any) -> Any:
        return codegen.llvm_get_cpu_features(Target({"kind": "llvm", "mcpu": cpu}))

    cpus = codegen.llvm_get_cpu_archlist(Target({"kind": "llvm", "mcpu": "x86-64"}))
    known = set().union(*map(features, map(str, cpus)))
    assert LINUX_FLAGS.keys() <= known
    others = {f for f in known - LINUX_FLAGS.keys() if not f.startswith(TUNING_BEGINNINGS)}
    assert others == BASELINE | SYSTEM | INTRINSICS | TUNING


def test_only_what_all_cpus_have_counts() -> None:
    text = "processor : 0\nflags : avx avx2 avx512f\n\nprocessor : 1\nflags : avx avx2\n"
    assert cpu_features(text) == {"avx", "avx2"}


def test_no_flags_mean_no_features() -> None:
    assert cpu_features("processor : 0\nmodel name : fp asimd avx\n") == frozenset()


def test_aarch64_has_other_words() -> None:
    assert cpu_features("processor : 0\nFeatures : fp asimd atomics\n") == {
        "fp-armv8",
        "neon",
        "lse",
    }
    said = {"kind": "llvm", "mtriple": "aarch64-linux-gnu"}
    cpus = codegen.llvm_get_cpu_archlist(Target(said))
    each = (codegen.llvm_get_cpu_features(Target({**said, "mcpu": str(cpu)})) for cpu in cpus)
    assert AARCH64_FLAGS.keys() <= set().union(*each)
    assert set(AARCH64_FLAGS.values()) == AARCH64_BITS.keys()


def test_this_machine_has_what_llvm_sees_minus_what_linux_hides() -> None:
    assert cpu_features() <= LINUX_FLAGS.keys() | AARCH64_FLAGS.keys()


@pytest.mark.parametrize(
    ("quota", "cores"), [("max 100000", 4), ("150000 100000", 2), ("1000 100000", 1)]
)
def test_a_containers_quota_limits_the_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quota: str, cores: int
) -> None:
    (tmp_path / "cpu.max").write_text(quota + "\n")
    monkeypatch.setattr(host_cpu, "CGROUP_QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(host_cpu, "CPUS", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3})
    assert usable_cores() == cores


def test_two_threads_of_a_core_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for cpu, siblings in enumerate(["0,2", "1,3", "0,2", "1,3"]):
        folder = tmp_path / f"cpu{cpu}" / "topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(siblings + "\n")
    monkeypatch.setattr(host_cpu, "CGROUP_QUOTA", tmp_path / "none")
    monkeypatch.setattr(host_cpu, "CPUS", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3})
    assert usable_cores() == 2
