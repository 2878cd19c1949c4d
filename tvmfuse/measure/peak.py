"""The machine's measured peaks: multiply-adds from registers, and bytes copied from memory.

Nominal clocks are not what a loaded, shared machine runs at: shares of a peak are shares of what a
loop of our own reaches in the same run, on as many threads.
"""

# TVMScript's annotations are values.
# mypy: disable-error-code="no-untyped-def, valid-type"

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final

import numpy as np
import tvm
from tvm import tirx
from tvm.ir import Expr
from tvm.script import tirx as T  # noqa: N812 (TVMScript's name)
from tvm.target import Target
from tvm.tirx import PrimFunc

from tvmfuse.build.jitted import launch_in_tvm
from tvmfuse.build.native import native_module
from tvmfuse.pipeline.compiling import COMPILING
from tvmfuse.runtime.threads import Workers
from tvmfuse.schedules.cpu.gemm.bfloat16_dot import Bits, call_with_words
from tvmfuse.schedules.cpu.gemm.dot_product import added
from tvmfuse.target.isa import DotProduct
from tvmfuse.target.machine import Machine
from tvmfuse.target.resolve import resolve

STEPS: Final = 1 << 20

#: Independent accumulators: two units that take four cycles each need eight.
CHAINS: Final = 10


def multiply_adds(target: str = "llvm", threads: int = 1) -> tuple[Callable[[], None], float]:
    """Return a loop of independent multiply-adds on registers, and the operations that it does.

    The operations are float32, a multiply-add counts two; those of all threads.
    """
    lanes = Machine.of(resolve(target)).isa.float_lanes
    out = tvm.runtime.tensor(np.zeros((threads, CHAINS * lanes), "float32"))
    factor = tvm.runtime.tensor(np.full(lanes, 0.5, "float32"))
    code = _multiplier(target, threads)
    loop = _on(threads, lambda: code(out, factor))
    return loop, 2.0 * STEPS * CHAINS * lanes * threads


@cache
def _multiplier(target: str, parts: int) -> Callable[..., None]:
    device = resolve(target)
    lanes = Machine.of(device).isa.float_lanes
    over_parts = _over_parts(parts)

    @T.prim_func
    def loop(  # noqa: ANN202
        out: T.Buffer((parts, CHAINS * lanes), "float32"), factor: T.Buffer((lanes,), "float32")
    ):
        T.func_attr({"global_symbol": "loop", "tirx.is_scheduled": 1})
        for part in over_parts(parts):
            total = T.alloc_buffer((CHAINS * lanes,), "float32")
            for c in T.unroll(CHAINS):
                for i in T.vectorized(lanes):
                    total[c * lanes + i] = out[part, c * lanes + i]
            for _ in range(STEPS):
                for c in T.unroll(CHAINS):
                    for i in T.vectorized(lanes):
                        total[c * lanes + i] = total[c * lanes + i] * factor[i] + factor[i]
            for c in T.unroll(CHAINS):
                for i in T.vectorized(lanes):
                    out[part, c * lanes + i] = total[c * lanes + i]

    return _compiled(loop, device)


def dot_products(
    operands: str, target: str = "llvm", threads: int = 1
) -> tuple[Callable[[], None], float]:
    """Return a loop of independent dot products on registers, and the operations that it does.

    Where the machine has no such instruction it is the loop of multiply-adds.

    Args:
        operands: ``int8``, of bytes summed in int32, or ``bfloat16``, of pairs summed in float32.
        target: That has the instruction.
        threads: That do as many operations each.
    """
    machine = Machine.of(resolve(target))
    instruction = _instruction(machine, operands)
    if instruction is None:
        return multiply_adds(target, threads)
    lanes = _lanes(machine, instruction)
    out = tvm.runtime.tensor(np.zeros((threads, CHAINS * lanes), instruction.acc))
    words = tvm.runtime.tensor(np.zeros(lanes, "int32"))
    code = _dotter(target, threads, operands)
    each = 2.0 * instruction.k_group * lanes
    return _on(threads, lambda: code(out, words)), STEPS * CHAINS * threads * each


def _instruction(machine: Machine, operands: str) -> DotProduct | None:
    """Return the instruction that multiplies the most: one of two rows, or the first of one."""
    fitting = [dot for dot in machine.dot if dot.b == operands]
    return next((dot for dot in fitting if dot.half in fitting), next(iter(fitting), None))


def _lanes(machine: Machine, instruction: DotProduct) -> int:
    return max(n for n in instruction.lanes if n <= machine.isa.float_lanes)


@cache
def _dotter(target: str, parts: int, operands: str) -> Callable[..., None]:
    device = resolve(target)
    machine = Machine.of(device)
    instruction = _instruction(machine, operands)
    assert instruction is not None
    lanes, acc = _lanes(machine, instruction), instruction.acc
    over_parts, add = _over_parts(parts), partial(_with_dots, instruction, lanes)

    @T.prim_func
    def loop(  # noqa: ANN202
        out: T.Buffer((parts, CHAINS * lanes), acc), words: T.Buffer((lanes,), "int32")
    ):
        T.func_attr({"global_symbol": "loop", "tirx.is_scheduled": 1})
        for part in over_parts(parts):
            total = T.alloc_buffer((CHAINS * lanes,), acc)
            for c in T.unroll(CHAINS):
                for i in T.vectorized(lanes):
                    total[c * lanes + i] = out[part, c * lanes + i]
            for _ in range(STEPS):
                for c in T.unroll(CHAINS):
                    total[T.ramp(c * lanes, 1, lanes)] = add(
                        total[T.ramp(c * lanes, 1, lanes)], words[T.ramp(0, 1, lanes)]
                    )
            for c in T.unroll(CHAINS):
                for i in T.vectorized(lanes):
                    out[part, c * lanes + i] = total[c * lanes + i]

    if operands == "bfloat16":
        loop = loop.with_body(Bits().around(loop.body, instruction))
    return _compiled(loop, device)


def _with_dots(instruction: DotProduct, lanes: int, sums: Expr, words: Expr) -> Expr:
    """Return sums with a dot product each; nothing of it is the same at the next step."""
    if instruction.a == "bfloat16":
        return call_with_words(instruction, sums, words, words, lanes)
    one_row = instruction.half or instruction
    # The sums so far are an operand: of what is the same, LLVM would multiply nothing in the loop.
    a, b = (
        tirx.reinterpret(f"{dtype}x{lanes * one_row.k_group}", vector)
        for dtype, vector in ((instruction.a, sums), (instruction.b, words))
    )
    return added(instruction, sums, [(a, b)], lanes)


def copy(nbytes: int, threads: int = 1, target: str = "llvm", times: int = 1) -> Callable[[], None]:
    """Return a loop that reads and writes so many bytes together: a copy of half of them.

    It does so several `times` in one call: a call alone takes microseconds.
    """
    device = resolve(target)
    lanes = Machine.of(device).isa.float_lanes
    parts = threads
    rows = max(1, round(nbytes / 2 / 4 / lanes / parts))
    source, out = (tvm.runtime.tensor(np.ones((parts, rows, lanes), "float32")) for _ in range(2))
    code = _copier(target, parts)
    return _on(threads, lambda: code(source, out, times))


@cache
def _copier(target: str, parts: int) -> Callable[..., None]:
    device = resolve(target)
    lanes = Machine.of(device).isa.float_lanes
    over_parts = _over_parts(parts)

    @T.prim_func
    def loop(given: T.handle, taken: T.handle, times: T.int64):  # noqa: ANN202
        T.func_attr({"global_symbol": "loop", "tirx.is_scheduled": 1})
        rows = T.int64()
        source = T.match_buffer(given, (parts, rows, lanes), "float32")
        out = T.match_buffer(taken, (parts, rows, lanes), "float32")
        for part in over_parts(parts):
            for _ in range(times):
                for row in range(rows):
                    for i in T.vectorized(lanes):
                        out[part, row, i] = source[part, row, i]

    return _compiled(loop, device)


def _compiled(loop: PrimFunc, device: Target) -> Callable[..., None]:
    launch_in_tvm(lambda: native_module(device))
    with COMPILING:
        compiled: Callable[..., None] = tvm.compile(loop, target=device)["loop"]
    return compiled


def _on(threads: int, work: Callable[[], None]) -> Callable[[], None]:
    workers = Workers(threads, spin=True)

    def run() -> None:
        workers.use()
        work()

    return run


def _over_parts(parts: int) -> Callable[[int], Any]:
    # A loop of one part is run as it is: handing work to a pool takes microseconds.
    chosen: Callable[[int], Any] = T.parallel if parts > 1 else T.serial
    return chosen
