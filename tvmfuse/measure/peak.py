"""The machine's measured peaks: multiply-adds from registers, and bytes copied from memory.

Nominal clocks are not what a loaded, shared machine runs at: shares of a peak are shares of what a
loop of our own reaches in the same run, on as many threads.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np
import tvm
from tvm.script import tirx as T  # noqa: N812 (TVMScript's name)

from tvmfuse.runtime.threads import workers
from tvmfuse.schedules.cpu.isa import Isa
from tvmfuse.targets import resolve

STEPS: Final = 1 << 20

#: Independent accumulators: two units that take four cycles each need eight.
CHAINS: Final = 10


@cache
def multiply_adds(target: str = "llvm") -> tuple[Callable[[], None], float]:
    """Return a loop of independent multiply-adds on registers, and the operations that it does.

    The operations are float32, a multiply-add counts two. One thread.
    """
    device = resolve(target)
    lanes = Isa.of(device).float_lanes

    @T.prim_func
    def loop(  # noqa: ANN202
        out: T.Buffer((CHAINS * lanes,), "float32"), factor: T.Buffer((lanes,), "float32")
    ):
        T.func_attr({"global_symbol": "loop", "tirx.is_scheduled": 1})
        total = T.alloc_buffer((CHAINS * lanes,), "float32")
        for c in T.unroll(CHAINS):
            for i in T.vectorized(lanes):
                total[c * lanes + i] = out[c * lanes + i]
        for _ in range(STEPS):
            for c in T.unroll(CHAINS):
                for i in T.vectorized(lanes):
                    total[c * lanes + i] = total[c * lanes + i] * factor[i] + factor[i]
        for c in T.unroll(CHAINS):
            for i in T.vectorized(lanes):
                out[c * lanes + i] = total[c * lanes + i]

    code = tvm.compile(loop, target=device)["loop"]
    out = tvm.runtime.tensor(np.zeros(CHAINS * lanes, "float32"))
    factor = tvm.runtime.tensor(np.full(lanes, 0.5, "float32"))
    return (lambda: code(out, factor)), 2.0 * STEPS * CHAINS * lanes


def copy(nbytes: int, threads: int = 1, target: str = "llvm") -> Callable[[], None]:
    """Return a loop that reads and writes so many bytes together: a copy of half of them."""
    device = resolve(target)
    lanes = Isa.of(device).float_lanes
    parts = threads
    rows = max(1, round(nbytes / 2 / 4 / lanes / parts))
    source, out = (tvm.runtime.tensor(np.ones((parts, rows, lanes), "float32")) for _ in range(2))
    code = _copier(target, parts)
    run = workers(threads)
    return lambda: run(lambda: code(source, out))


@cache
def _copier(target: str, parts: int) -> Callable[..., None]:
    device = resolve(target)
    lanes = Isa.of(device).float_lanes
    # A loop of one part is run as it is: handing work to a pool takes microseconds.
    over_parts = T.parallel if parts > 1 else T.serial

    @T.prim_func
    def loop(given: T.handle, taken: T.handle):  # noqa: ANN202
        T.func_attr({"global_symbol": "loop", "tirx.is_scheduled": 1})
        rows = T.int64()
        source = T.match_buffer(given, (parts, rows, lanes), "float32")
        out = T.match_buffer(taken, (parts, rows, lanes), "float32")
        for part in over_parts(parts):
            for row in range(rows):
                for i in T.vectorized(lanes):
                    out[part, row, i] = source[part, row, i]

    compiled: Callable[..., None] = tvm.compile(loop, target=device)["loop"]
    return compiled
