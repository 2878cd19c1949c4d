"""From what a user calls a target to a TVM target, and the CPU features that its code may use.

TVM takes ``llvm`` to mean the oldest x86-64 (SSE2), and compiles for that, too, when it does not
know the CPU named. Here ``llvm`` is this machine, and an unknown CPU is an error.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, Final

from tvm.target import Target, codegen

from tvmfuse.errors import UnknownTargetError, closest, first_line
from tvmfuse.target import caches, calibration, host_cpu, tile_permission
from tvmfuse.target.machine import AVX2, AVX512, NAMED, Machine

#: The vector instruction sets that have schedules, each with the oldest CPU that has it.
VECTOR_SETS: Final[Mapping[str, Machine]] = {machine.name: machine for machine in (AVX2, AVX512)}

#: Processors that have schedules, as LLVM's triples and `platform.machine` begin.
PROCESSORS: Final = ("x86_64", "aarch64")
TRIPLES: Final = tuple(f"{processor}-linux-gnu" for processor in PROCESSORS)

#: Ampere (2020). The PTX beside its machine code lets every later GPU run it.
CUDA_DEFAULTS: Final = {
    # Where no GPU is at hand, TVM would assume sm_50, which CUDA 13 does not compile for.
    "arch": "sm_80",
    # In bytes; any GPU has so much. TVM warns where it is not said.
    "max_shared_memory_per_block": 48 * 1024,
}

#: The code that launches CUDA kernels does no arithmetic worth a newer CPU.
CUDA_HOST_CPU: Final = "x86-64"


def resolve(
    target: str | Mapping[str, Any] | Target, fmas_per_cycle: Callable[[Target], int] | None = None
) -> Target:
    """Return the TVM target that a user means.

    Args:
        target: ``llvm`` (this machine), ``avx2``, ``avx512``, ``cuda``, a CPU that LLVM knows
            (``znver4``), any of TVM's own spellings (a tag, a mapping, JSON), or a kind with
            options, ``llvm -mcpu=znver4 -mattr=+gfni`` or ``cuda -arch=sm_90``. A target of kind
            ``llvm`` that names no CPU is this machine. A CPU of another processor goes by its name
            alone (``neoverse-n1``); with options it takes its ``mtriple``, too.
        fmas_per_cycle: Measures this machine's CPU, where the target means it, and `machine.NAMED`
            does not have it; None: it is taken for the smallest that has its vectors.

    Raises:
        UnknownTargetError: TVM or LLVM does not know it, or tvmfuse does not compile for it.

    >>> resolve("avx2").attrs["mcpu"], resolve("cuda").attrs["arch"]
    ('core-avx2', 'sm_80')
    """
    parsed = _from_name(target.strip()) if isinstance(target, str) else _from_tvm(target)
    kind = parsed.kind.name
    if kind == "llvm":
        _check_triple(parsed)
        named = "mcpu" in parsed.attrs
        return _checked_cpu(parsed if named else _this_machine(parsed, fmas_per_cycle))
    if kind == "cuda":
        return parsed if parsed.host else parsed.with_host(_cpu(CUDA_HOST_CPU))
    raise UnknownTargetError(f"tvmfuse compiles for llvm and cuda, not for TVM's target {kind!r}")


def required_cpu_features(target: Target) -> tuple[str, ...]:
    """Return LLVM's names of the features that code for this target may use, sorted.

    What a CPU lacks of these, it cannot run; what `host_cpu` does not list never fails.
    """
    cpu = target if target.kind.name == "llvm" else target.host
    return tuple(sorted(codegen.llvm_get_cpu_features(cpu) & _checked_features(cpu)))


def _from_name(name: str) -> Target:
    kind, *options = name.split() or [""]
    if name.startswith("{") or "/" in name:
        return _from_tvm(name)
    if options:
        return _from_tvm({"kind": kind, **dict(map(_option, options))})
    if name == "llvm":
        return Target("llvm")
    if name == "cuda":
        return _from_tvm({"kind": "cuda"})
    if name in VECTOR_SETS:
        return VECTOR_SETS[name].target
    if codegen.llvm_is_valid_cpu(name, codegen.llvm_get_system_triple()):
        return _cpu(name)
    if name in NAMED:
        return NAMED[name].target
    if name in Target.list_kinds():
        return Target(name)
    return _of_another_processor(name)


def _of_another_processor(cpu: str) -> Target:
    for triple in TRIPLES:
        if codegen.llvm_is_valid_cpu(cpu, triple):
            return _cpu(cpu, mtriple=triple)
    known = ["llvm", "cuda", *VECTOR_SETS, *NAMED, *chain.from_iterable(map(_cpus, TRIPLES))]
    raise UnknownTargetError(f"no target is called {cpu!r}; {_near(cpu, known)}")


def _option(text: str) -> tuple[str, str | list[str]]:
    """Read ``-key=value``, as TVM's targets were written before 0.20."""
    key, equals, value = text.removeprefix("-").partition("=")
    if not (text.startswith("-") and equals):
        raise UnknownTargetError(f"in a target, expected -key=value after the kind, found {text!r}")
    return key, value.split(",") if key == "mattr" else value


def _from_tvm(target: str | Mapping[str, Any] | Target) -> Target:
    try:
        if isinstance(target, str | Target) and str(target).startswith("{"):
            target = json.loads(str(target))
        if isinstance(target, Mapping) and target.get("kind") == "cuda":
            target = {**CUDA_DEFAULTS, **target}
        return Target(dict(target) if isinstance(target, Mapping) else target)
    except (ValueError, TypeError, KeyError, RuntimeError) as error:
        reason = first_line(error)
        raise UnknownTargetError(f"TVM does not know the target {target!r}: {reason}") from error


def this_machine() -> Machine:
    """Return the machine that this process runs on, with the caches that it shows."""
    return Machine.of(resolve("llvm")).with_caches(caches.find(sysconf=os.sysconf))


def _checked_features(cpu: Target) -> frozenset[str]:
    flags = host_cpu.LINUX_FLAGS if processor(cpu) == "x86_64" else host_cpu.AARCH64_FLAGS
    return frozenset(flags)


def processor(target: Target) -> str:
    """Return the processor that code for an ``llvm`` target is for: ``x86_64`` or ``aarch64``."""
    return _triple(target).partition("-")[0]


def _this_machine(target: Target, fmas_per_cycle: Callable[[Target], int] | None) -> Target:
    """Return the target with this machine's CPU, and with exactly the features that it shows.

    LLVM knows the CPU by its model number, which says nothing about what a hypervisor hides. Caches
    are stated only where they are smaller than what code for that CPU reckons with: so ``llvm`` is
    what the CPU's name is, and makes the same code, but for a machine that cannot run that well.
    With what was measured of a CPU that nobody knows they are stated, too.
    """
    model, present = codegen.llvm_get_system_cpu(), _usable_features()
    implied = codegen.llvm_get_cpu_features(_cpu(model)) & _checked_features(target)
    changes = [f"+{f}" for f in present - implied] + [f"-{f}" for f in implied - present]
    asked = list(target.attrs.get("mattr", ()))
    features = {"mattr": sorted(changes) + asked} if changes or asked else {}
    found = Target({**_attributes(target), "mcpu": model, **features})
    known, shown = Machine.of(found), caches.find(sysconf=os.sysconf)
    if "model" in found.attrs:
        return found
    measured = [] if fmas_per_cycle is None or model in NAMED else [fmas_per_cycle(found)]
    if not measured and known.with_caches(shown).tuning == known.tuning:
        return found
    words = [shown.model, *map(calibration.stating, measured)]
    return Target({**_attributes(found), "model": ",".join(filter(None, words))})


def _usable_features() -> frozenset[str]:
    """Return the CPU's features, without those of a matrix unit that Linux does not give."""
    present = host_cpu.cpu_features()
    if tile_permission.TILES not in present or tile_permission.granted():
        return present
    return frozenset(name for name in present if not name.startswith("amx-"))


def _triple(target: Target) -> str:
    return str(target.attrs.get("mtriple", codegen.llvm_get_system_triple()))


def _check_triple(target: Target) -> None:
    triple = _triple(target)
    if processor(target) not in PROCESSORS or "linux" not in triple:
        raise UnknownTargetError(
            f"tvmfuse compiles for x86-64 and AArch64 Linux, not for the triple {triple!r}; "
            "leave -mtriple out to compile for this machine"
        )
    if processor(target) != platform.machine() and "mcpu" not in target.attrs:
        raise UnknownTargetError(
            f"the triple {triple!r} is not this machine's, and its CPU is not named: "
            "add one, as in -mcpu=generic"
        )


def _checked_cpu(target: Target) -> Target:
    cpu, triple = str(target.attrs["mcpu"]), _triple(target)
    if not codegen.llvm_is_valid_cpu(cpu, triple):
        known = _near(cpu, _cpus(triple))
        raise UnknownTargetError(f"LLVM knows no CPU {cpu!r} for {triple}; {known}")
    if processor(target) == "x86_64" and "64bit" not in codegen.llvm_get_cpu_features(target):
        raise UnknownTargetError(f"the CPU {cpu!r} has no 64-bit mode, which TVM's code needs")
    for change in target.attrs.get("mattr", ()):
        name = str(change)[1:]
        added = _cpu(cpu, mtriple=triple, mattr=[f"+{name}"])
        if name not in codegen.llvm_get_cpu_features(added):
            raise UnknownTargetError(f"LLVM knows no CPU feature {name!r} (in mattr {change!r})")
    return target


def _cpu(name: str, **attributes: object) -> Target:
    return Target({"kind": "llvm", "mcpu": name, **attributes})


def _cpus(triple: str) -> list[str]:
    any_cpu = Target({"kind": "llvm", "mtriple": triple})
    return [str(name) for name in codegen.llvm_get_cpu_archlist(any_cpu)]


def _attributes(target: Target) -> dict[str, Any]:
    return {"kind": target.kind.name, "keys": list(target.keys), **dict(target.attrs)}


def _near(name: str, known: list[str]) -> str:
    words = closest(name, known)
    return words if words.startswith("did") else "known: llvm, avx2, avx512, cuda, and LLVM's CPUs"
