"""The CPU, its caches, and how much of it this process may use; nothing of TVM is loaded."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Final

from tvmfuse.doctor.diagnosis import Check
from tvmfuse.target import caches, host_cpu
from tvmfuse.target.caches import Caches

#: What the oldest CPU with kernels of its own shows, by processor.
NEEDED: Final = {"x86_64": {"avx2", "fma"}, "aarch64": {"neon"}}

#: What changes how many threads compute, or how they wait.
VARIABLES: Final = ("TVM_NUM_THREADS", "TVM_THREAD_POOL_SPIN_COUNT", "TVM_BIND_THREADS")


@dataclass(frozen=True)
class Hardware:
    """What this process sees of its machine.

    Attributes:
        processor: As `platform.machine` has it.
        cpu: The CPU's name.
        features: By LLVM's names.
        caches: Of a core.
        cpus: How many CPUs this process may run on.
        quota: How many CPUs' time its container may use; None for all.
        cores: How many threads compute by default.
        variables: Those of `VARIABLES` that are set.
    """

    processor: str
    cpu: str
    features: frozenset[str]
    caches: Caches
    cpus: int
    quota: int | None
    cores: int
    variables: Mapping[str, str]

    @classmethod
    def here(cls) -> Hardware:
        """Look at this machine."""
        return cls(
            platform.machine(),
            host_cpu.cpu_name(),
            host_cpu.cpu_features(),
            caches.find(sysconf=os.sysconf),
            len(os.sched_getaffinity(0)),
            host_cpu.cpu_quota(),
            host_cpu.usable_cores(),
            {name: os.environ[name] for name in VARIABLES if name in os.environ},
        )


def check_hardware(machine: Hardware) -> Iterator[Check]:
    """Yield what the machine has, with what kernels lack there."""
    yield Check("hardware", "CPU", machine.cpu, _processor(machine))
    yield Check("hardware", "features", " ".join(sorted(machine.features)), _features(machine))
    yield Check("hardware", "caches", _sizes(machine.caches))
    quota = "none" if machine.quota is None else f"{machine.quota} CPUs' time"
    yield Check("hardware", "CPUs", f"{machine.cpus} may be used; cgroup quota: {quota}")
    yield Check("hardware", "threads", f"{machine.cores} compute by default")
    for name, value in machine.variables.items():
        whole = value.isdecimal()
        problem = "" if whole else f"expected a whole number: unset {name}, or correct it"
        yield Check("hardware", name, value, problem)


def _processor(machine: Hardware) -> str:
    if machine.processor in NEEDED:
        return ""
    return f"expected x86_64 or aarch64, found {machine.processor}: there are no kernels for it"


def _features(machine: Hardware) -> str:
    lacking = NEEDED.get(machine.processor, set()) - machine.features
    if not lacking:
        return ""
    return (
        f"lacks {', '.join(sorted(lacking))}, without which kernels use short vectors and are "
        "slow: if the CPU has them, let the hypervisor pass them on"
    )


def _sizes(found: Caches) -> str:
    sizes = {k.removesuffix("_bytes"): n for k, n in asdict(found).items() if n is not None}
    words = [f"{k} {n} B" if n < 1024 else f"{k} {n >> 10} KiB" for k, n in sizes.items()]
    return ", ".join(words) or "not told; the smallest of its kind are reckoned with"
