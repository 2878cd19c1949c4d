"""Measuring a core: the loops of `tvmfuse.calibrate.loops`, the best of many short runs of each.

Other programs only take time away, so the best is what the core can do. A round has one run of each
loop, so that what disturbs one moment spoils no number.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from tvm.target import Target

from tvmfuse import _tvm
from tvmfuse.build.scratch import temporary_folder
from tvmfuse.calibrate import loops
from tvmfuse.target import caches
from tvmfuse.target.calibration import Calibration
from tvmfuse.target.core import KIB, MIB
from tvmfuse.target.machine import Machine

ROUNDS: Final = 600
#: Of `Calibration.memory`, which throws what the others read out of the caches.
MEMORY_ROUNDS: Final = 10
#: Seconds after which no other round begins.
LIMIT_S: Final = 0.6
#: Instructions, or bytes, of one run: some 0.1 ms.
INSTRUCTIONS: Final = 1 << 19
BYTES: Final = 1 << 23
#: What is read for `Calibration.memory`. To touch more for the first time takes too long in a
#: virtual machine; where a server's last level holds it, that is what answers.
MEMORY: Final = 64 * MIB
PAGE: Final = 4 * KIB
DIGITS: Final = 4


@dataclass(frozen=True)
class _Run:
    """One loop.

    Attributes:
        loop: Its name.
        each: Instructions or bytes of one iteration.
        total: Of the run.
        span: Bytes that `read` walks through.
    """

    loop: str
    each: int
    total: int = INSTRUCTIONS
    span: int = PAGE

    @property
    def times(self) -> int:
        """How often it iterates."""
        return max(1, self.total // self.each)


def measure(target: Target) -> Calibration:
    """Measure the core that this thread runs on, which takes less than 2 s.

    Args:
        target: Of this machine's CPU; its vectors are measured.
    """
    machine = Machine.of(target).with_caches(caches.find(sysconf=os.sysconf))
    runs = dict(_runs(machine))
    with temporary_folder() as folder:
        file = folder / "loops.ll"
        file.write_text(loops.text(target))
        module = _tvm.llvm_from_ir(file)
    memory = np.empty(MEMORY + PAGE, "uint8")
    begin = -memory.ctypes.data % PAGE
    memory[begin:][:MEMORY].view("float32").fill(0.5)
    address = memory.ctypes.data + begin
    of_memory = {"memory": runs.pop("memory")}
    best = {
        **_best(module, address, runs, ROUNDS),
        **_best(module, address, of_memory, MEMORY_ROUNDS),
    }
    rates = ("instructions_per_ns", "l1", "l2", "l3", "memory")
    found = {name: 1 / ns if name in rates else ns for name, ns in best.items()}
    return Calibration(**{name: float(f"{n:.{DIGITS}g}") for name, n in found.items()})


def _best(module: Any, address: int, runs: Mapping[str, _Run], rounds: int) -> dict[str, float]:
    """Return the least ns that an instruction, or a byte, took in each of some runs."""
    functions = {run.loop: module.get_function(run.loop) for run in runs.values()}
    best = dict.fromkeys(runs, math.inf)
    end = time.perf_counter() + LIMIT_S
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.perf_counter_ns()
            functions[run.loop](address, run.times, run.span - 1)
            best[name] = min(best[name], (time.perf_counter_ns() - start) / run.times / run.each)
        if time.perf_counter() > end:
            break
    return best


def _runs(machine: Machine) -> Iterator[tuple[str, _Run]]:
    """Yield the run that each number of a `Calibration` follows from."""
    many = loops.independent(machine)
    yield "fma_ns", _Run("multiply_add", many)
    yield "chain_ns", _Run("chain", loops.CHAINED, INSTRUCTIONS // 4)
    yield "broadcast_ns", _Run("broadcast", many)
    yield "load_ns", _Run("read", loops.READ)
    yield "instructions_per_ns", _Run("mixed", loops.GROUPS * loops.MIXED)
    nbytes = loops.READ * 4 * machine.isa.float_lanes
    yield "l1", _Run("read", nbytes, BYTES, _power(machine.core.l1_bytes // 2))
    yield "l2", _Run("read", nbytes, BYTES, _power(machine.core.l2_bytes // 2))
    yield "l3", _Run("read", nbytes, BYTES, _power(machine.core.l2_bytes * 4))
    yield "memory", _Run("read", nbytes, MEMORY, MEMORY)


def _power(most: int) -> int:
    """Return the largest power of two that is not more, nor more than there is to read."""
    return min(1 << (most.bit_length() - 1), MEMORY)
