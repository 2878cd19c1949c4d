"""What this machine's CPU offers, in LLVM's words and without LLVM.

A compiled file names the features that its code may use as LLVM does; Linux names what the CPU
has in ``/proc/cpuinfo``. `LINUX_FLAGS` translates, so that the check before loading needs neither
TVM's compiler nor LLVM. It holds the features that LLVM uses in ordinary code and those of the
matrix unit. System instructions (``xsave``), what only an intrinsic reaches (``aes``) and tuning
hints (``fast-gather``) are left out: no kernel fails for want of them.

Linux shows a feature only if the kernel enabled it: AVX-512 under a hypervisor that masks it is
absent here, while the CPU's model name would still suggest it.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Final

CPUINFO: Final = Path("/proc/cpuinfo")
CPUS: Final = Path("/sys/devices/system/cpu")
CGROUP_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")

#: LLVM's name -> Linux' name (arch/x86/include/asm/cpufeatures.h).
LINUX_FLAGS: Final[Mapping[str, str]] = {
    "amx-avx512": "amx_avx512",
    "amx-bf16": "amx_bf16",
    "amx-complex": "amx_complex",
    "amx-fp16": "amx_fp16",
    "amx-fp8": "amx_fp8",
    "amx-int8": "amx_int8",
    "amx-movrs": "amx_movrs",
    "amx-tf32": "amx_tf32",
    "amx-tile": "amx_tile",
    "avx": "avx",
    "avx10.1": "avx10_1",
    "avx10.2": "avx10_2",
    "avx2": "avx2",
    "avx512bf16": "avx512_bf16",
    "avx512bitalg": "avx512_bitalg",
    "avx512bw": "avx512bw",
    "avx512cd": "avx512cd",
    "avx512dq": "avx512dq",
    "avx512f": "avx512f",
    "avx512fp16": "avx512_fp16",
    "avx512ifma": "avx512ifma",
    "avx512vbmi": "avx512vbmi",
    "avx512vbmi2": "avx512_vbmi2",
    "avx512vl": "avx512vl",
    "avx512vnni": "avx512_vnni",
    "avx512vp2intersect": "avx512_vp2intersect",
    "avx512vpopcntdq": "avx512_vpopcntdq",
    "avxifma": "avx_ifma",
    "avxneconvert": "avx_ne_convert",
    "avxvnni": "avx_vnni",
    "avxvnniint16": "avx_vnni_int16",
    "avxvnniint8": "avx_vnni_int8",
    "bmi": "bmi1",
    "bmi2": "bmi2",
    "ccmp": "apx",
    "cx16": "cx16",
    "egpr": "apx",
    "f16c": "f16c",
    "fma": "fma",
    "fma4": "fma4",
    "gfni": "gfni",
    "lzcnt": "abm",
    "movbe": "movbe",
    "ndd": "apx",
    "nf": "apx",
    "popcnt": "popcnt",
    "ppx": "apx",
    "prfchw": "3dnowprefetch",
    "push2pop2": "apx",
    "sahf": "lahf_lm",
    "sse3": "pni",
    "sse4.1": "sse4_1",
    "sse4.2": "sse4_2",
    "sse4a": "sse4a",
    "ssse3": "ssse3",
    "tbm": "tbm",
    "xop": "xop",
    "zu": "apx",
}

#: The same for AArch64 (arch/arm64/kernel/cpuinfo.c).
AARCH64_FLAGS: Final[Mapping[str, str]] = {
    "altnzcv": "flagm2",
    "bf16": "bf16",
    "complxnum": "fcma",
    "crc": "crc32",
    "cssc": "cssc",
    "dotprod": "asimddp",
    "flagm": "flagm",
    "fp-armv8": "fp",
    "fp16fml": "asimdfhm",
    "fptoint": "frint",
    "fullfp16": "asimdhp",
    "i8mm": "i8mm",
    "jsconv": "jscvt",
    "lse": "atomics",
    "mops": "mops",
    "neon": "asimd",
    "rcpc": "lrcpc",
    "rcpc-immo": "ilrcpc",
    "rdm": "asimdrdm",
    "sha3": "sha3",
    "sve": "sve",
    "sve2": "sve2",
}

#: Linux' name -> the bit by which it tells a process the same: those of ``AT_HWCAP`` from 0 on,
#: those of ``AT_HWCAP2`` from 64 on (arch/arm64/include/uapi/asm/hwcap.h).
AARCH64_BITS: Final[Mapping[str, int]] = {
    "fp": 0,
    "asimd": 1,
    "crc32": 7,
    "atomics": 8,
    "asimdhp": 10,
    "asimdrdm": 12,
    "jscvt": 13,
    "fcma": 14,
    "lrcpc": 15,
    "sha3": 17,
    "asimddp": 20,
    "sve": 22,
    "asimdfhm": 23,
    "ilrcpc": 26,
    "flagm": 27,
    "sve2": 65,
    "flagm2": 71,
    "frint": 72,
    "i8mm": 77,
    "bf16": 78,
    "cssc": 98,
    "mops": 107,
}

#: By the word that begins their line in ``/proc/cpuinfo``; each processor has one of them.
FLAGS: Final = {"flags": LINUX_FLAGS, "Features": AARCH64_FLAGS}

#: The words that begin the lines about what a CPU is, on either processor, and not how it is doing.
IDENTITY: Final = frozenset({
    *FLAGS, "vendor_id", "cpu family", "model", "model name", "stepping", "CPU implementer",
    "CPU architecture", "CPU variant", "CPU part", "CPU revision",
})  # fmt: skip


def cpu_features(cpuinfo: str | None = None) -> frozenset[str]:
    r"""Return the features that every CPU of this machine has, by LLVM's names.

    Args:
        cpuinfo: What to read instead of this machine's ``/proc/cpuinfo``.

    >>> sorted(cpu_features("processor : 0\nflags : fpu pni ssse3 abm\n"))
    ['lzcnt', 'sse3', 'ssse3']
    """
    text = CPUINFO.read_text() if cpuinfo is None else cpuinfo
    found: set[str] = set()
    for word, names in FLAGS.items():
        lines = {line for line in text.splitlines() if line.partition(":")[0].strip() == word}
        each = [set(line.partition(":")[2].split()) for line in lines]
        flags = set.intersection(*each) if each else set()
        found |= {name for name, flag in names.items() if flag in flags}
    return frozenset(found)


def cpu_name(cpuinfo: str | None = None) -> str:
    r"""Return the CPU's name as Linux has it; the processor's where it has none.

    Args:
        cpuinfo: What to read instead of this machine's ``/proc/cpuinfo``.

    >>> cpu_name("processor : 0\nmodel name : AMD EPYC\n")
    'AMD EPYC'
    """
    if cpuinfo is None:
        cpuinfo = CPUINFO.read_text() if CPUINFO.exists() else ""
    for line in cpuinfo.splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def identity(cpuinfo: str | None = None) -> frozenset[str]:
    r"""Return the lines of ``/proc/cpuinfo`` that say which CPUs there are, and what they offer.

    Args:
        cpuinfo: What to read instead of this machine's ``/proc/cpuinfo``.

    >>> sorted(identity("processor : 0\ncpu MHz : 2400.1\nmodel : 17\nflags : fpu\n"))
    ['flags : fpu', 'model : 17']
    """
    text = CPUINFO.read_text() if cpuinfo is None else cpuinfo
    return frozenset(
        line for line in text.splitlines() if line.partition(":")[0].strip() in IDENTITY
    )


def usable_cores() -> int:
    """Return how many threads can compute at once at full speed: at least 1.

    That is the number of physical cores that this process may run on, or the container's CPU quota
    where that is less. TVM's own default halves the number of CPUs, whether or not two of them
    share a core.
    """
    cores = {_siblings(cpu) for cpu in os.sched_getaffinity(0)}
    return max(1, min(len(cores), cpu_quota() or len(cores)))


def computing(threads: int | None) -> int:
    """Return how many threads compute where so many are asked for; None: one on each core."""
    return min(threads or usable_cores(), len(os.sched_getaffinity(0)))


def _siblings(cpu: int) -> str:
    """Return a name for the core that this CPU is a hardware thread of."""
    topology = CPUS / f"cpu{cpu}" / "topology" / "thread_siblings_list"
    return topology.read_text().strip() if topology.is_file() else str(cpu)


def cpu_quota() -> int | None:
    """Return how many CPUs' time the container may use (cgroup v2), rounded up; None for all."""
    if not CGROUP_QUOTA.is_file():
        return None
    quota, period = CGROUP_QUOTA.read_text().split()
    return None if quota == "max" else -(-int(quota) // int(period))
