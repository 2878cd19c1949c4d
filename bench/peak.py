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

    code = tvm.compile(loop, target=device)
    out = tvm.runtime.tensor(np.zeros(CHAINS * lanes, "float32"))
    factor = tvm.runtime.tensor(np.full(lanes, 0.5, "float32"))
    return (lambda: code["loop"](out, factor)), 2.0 * STEPS * CHAINS * lanes
