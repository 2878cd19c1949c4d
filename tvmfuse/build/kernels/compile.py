"""Scheduling and compiling the kernels of a module: each once, and several at a time."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final

from tvm import IRModule
from tvm.target import Target
from tvm.tirx import PrimFunc

from tvmfuse.background import Background, completed
from tvmfuse.build.kernels.cache import Entry, KernelCache
from tvmfuse.build.kernels.key import compiling_for, kernel_key
from tvmfuse.build.kernels.machine_code import KernelCode, llvm_module, object_file
from tvmfuse.errors import CompilationError, KernelError, ScheduleError, first_line
from tvmfuse.progress import Progress, Step
from tvmfuse.schedules.plan_keys import check_plans, content_of, plan_key
from tvmfuse.schedules.schedule import (
    TUNED,
    Decision,
    ScheduleReport,
    leave_out,
    plan_kernel,
    schedule_kernel,
    without_tuned,
)
from tvmfuse.schedules.settings import ScheduleSettings
from tvmfuse.schedules.specialize import SIZES, SPECIALIZE
from tvmfuse.schedules.views import viewed

#: Digits of a kernel's key that its symbol ends with.
DIGITS: Final = 16


@dataclass(frozen=True)
class Compiled:
    """A module whose kernels are compiled.

    Attributes:
        module: Its kernels are not scheduled.
        code: Each kernel's name -> its code.
        report: How each was scheduled.
    """

    module: IRModule
    code: Mapping[str, KernelCode]
    report: ScheduleReport


@dataclass(frozen=True, eq=False)
class _Kernel:
    """What one piece of machine code is made from.

    Attributes:
        name: In the module.
        symbol: In its code, which kernels that are the same share.
        key: Of its entry in the cache.
        plan_key: By which a plan may be for it.
    """

    name: str
    symbol: str
    key: str
    plan_key: str
    function: PrimFunc


def compile_kernels(
    module: IRModule,
    target: Target,
    cache: KernelCache | None = None,
    progress: Progress = lambda _: None,
    settings: ScheduleSettings | None = None,
) -> Compiled:
    """Schedule and compile every PrimFunc of a module for a CPU.

    LLVM works in threads, one for each core: it does not hold Python's lock. Schedules, which do,
    are made meanwhile. Ctrl-C leaves behind what LLVM has begun.

    Args:
        module: Stays as it is.
        target: Of kind ``llvm``.
        cache: Where compiled kernels are looked for and kept.
        progress: Told which kernel is next and how much is done.
        settings: The steps that are not taken, and the plans that are followed.

    Raises:
        CompilationError: A schedule failed, or TVM refuses a kernel, and the settings are strict or
            there is no simpler schedule.
        ConfigurationError: A plan does not fit its kernel, or there is no such kernel.
    """
    module, settings = viewed(module), settings or ScheduleSettings()
    kernels = _kernels(module, target, settings, cache)
    once = {kernel.key: kernel for kernel in kernels}
    if cache is not None:
        cache.fetch(once)
    entries = {k: e for k in once if (e := _kept(k, cache)) is not None}
    missing = [kernel for key, kernel in once.items() if key not in entries]
    made = _entries(missing, target, progress, settings)
    # A schedule that fails is tried again the next time, and is warned of again.
    if cache is not None and (sound := {k: e for k, e in made.items() if not e.header["failed"]}):
        cache.put(sound)
    entries |= made
    return Compiled(
        module,
        {k.name: KernelCode(k.symbol, entries[k.key].code) for k in kernels},
        ScheduleReport(
            {k.name: Decision.from_json(entries[k.key].header) for k in kernels},
            {k.name: k.plan_key for k in kernels},
        ),
    )


def _kept(key: str, cache: KernelCache | None) -> Entry | None:
    """Return what the cache keeps of a kernel, if it says how that runs."""
    if cache is None or (entry := cache.get(key)) is None:
        return None
    try:
        Decision.from_json(entry.header)
    except (LookupError, TypeError, ValueError) as error:
        cache.skipped(key, f"it does not say how the kernel runs: {error}")
        return None
    return entry


def _kernels(
    module: IRModule, target: Target, settings: ScheduleSettings, cache: KernelCache | None
) -> list[_Kernel]:
    context, kernels = compiling_for(target), []
    for var, function in module.functions_items():
        if isinstance(function, PrimFunc):
            name, content = var.name_hint, content_of(function)
            own = plan_key(function, content)
            stem = re.sub(r"\W|\d", "", name)
            key = kernel_key(stem, content, context)
            said = settings.digest_for(name, own)
            if said and (
                settings.plan_for(name, own) or _takes(settings, key, function, target, cache)
            ):
                key = kernel_key(stem, content, f"{context}{said}")
            kernels.append(_Kernel(name, f"{stem}_{key[:DIGITS]}", key, own, function))
    check_plans(settings, {kernel.name: kernel.plan_key for kernel in kernels})
    return kernels


def _takes(
    settings: ScheduleSettings,
    key: str,
    function: PrimFunc,
    target: Target,
    cache: KernelCache | None,
) -> bool:
    """Whether a kernel takes a step that is disabled; else its code is what it is without that."""
    if not settings.disabled_steps:
        return False
    if SIZES in function.attrs:
        return True  # the code for some sizes may
    kept = _kept(key, cache)
    decision = Decision.from_json(kept.header) if kept else plan_kernel(key, function, target)
    return not settings.disabled_steps.isdisjoint(decision.plan.steps)


def _entries(
    kernels: Sequence[_Kernel], target: Target, progress: Progress, settings: ScheduleSettings
) -> Mapping[str, Entry]:
    """Schedule kernels and compile them; return what the cache keeps of each, by its key."""
    decisions: dict[_Kernel, Decision] = {}
    begun: dict[Future[bytes], _Kernel] = {}
    made: dict[str, Entry] = {}

    def report(what: str, done: int) -> None:
        progress(Step(f"{what} ({len(kernels)} kernels)", done / (2 * len(kernels))))

    def begin(kernel: _Kernel, failed: Mapping[str, str] = MappingProxyType({})) -> None:
        scheduled, decisions[kernel] = schedule_kernel(
            kernel.name, kernel.function, target, settings, failed
        )
        begun[threads.submit(partial(_machine_code, kernel, scheduled, target))] = kernel

    # One for each core.
    with Background(len(os.sched_getaffinity(0))) as threads:
        for count, kernel in enumerate(kernels):
            report(f"schedule {kernel.name}", count)
            begin(kernel)
        while begun:
            for future in completed(begun):
                kernel = begun.pop(future)
                report(f"compiled {kernel.name}", len(kernels) + len(made))
                try:
                    code = future.result()
                except CompilationError as error:
                    begin(kernel, _without(error, kernel, decisions[kernel], target, settings))
                else:
                    made[kernel.key] = Entry(decisions[kernel].to_json(), code)
    return made


def _without(
    error: CompilationError,
    kernel: _Kernel,
    decision: Decision,
    target: Target,
    settings: ScheduleSettings,
) -> Mapping[str, str]:
    """Return the schedules, or sizes of their own, to leave out of a kernel that TVM refuses.

    Raises:
        CompilationError: None can be.
    """
    names = kernel.name, kernel.plan_key
    if settings.strict or settings.given(*names) is not None:
        raise error
    if settings.plan_for(*names) is not None and TUNED not in decision.failed:
        return {**decision.failed, TUNED: without_tuned(error)}
    special = SIZES in kernel.function.attrs and SPECIALIZE not in decision.failed
    name, why = SPECIALIZE if special else decision.schedule, first_line(error)
    failure = ScheduleError(name, kernel.name, why)
    failure.__cause__ = error
    return {**decision.failed, name: leave_out(failure, settings, target)}


def _machine_code(kernel: _Kernel, scheduled: PrimFunc, target: Target) -> bytes:
    try:
        return object_file(llvm_module({kernel.symbol: scheduled}, target))
    except Exception as error:
        reason = f"{type(error).__name__}: {first_line(error)}"
        raise KernelError(
            f"TVM cannot compile the kernel {kernel.name} for {target}: {reason}", kernel.name
        ) from error
