"""Whether a loop nest is worth running in threads.

TVM's thread pool takes about 5 us to hand out a parallel loop and to wait for the last worker. Two
threads save half of the serial time, so they gain from 10 us on: 30,000 operations at 3 GHz, if
one vector operation starts in each cycle. That is also about what streaming 160 KB takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvmfuse.schedules.expressions import cost, loads, static
from tvmfuse.schedules.kernels import Stage
from tvmfuse.target.machine import Machine

#: Operations, vector operations where the nest is vectorized.
WORTH: Final = 30_000


def worth_threads(stages: Sequence[Stage], machine: Machine, *, vectorized: bool = True) -> bool:
    """Return whether some stages together are enough work; sizes known only later count as large.

    >>> from tvm import te
    >>> from tvmfuse.target.machine import AVX2
    >>> from tvmfuse.schedules.kernels import read
    >>> def copy(n):
    ...     a = te.placeholder((n,))
    ...     return read(te.create_prim_func([a, te.compute((n,), lambda i: a[i])])).stages
    >>> worth_threads(copy(1000), AVX2), worth_threads(copy(1_000_000), AVX2)
    (False, True)
    """
    total = 0
    for stage in stages:
        points = 1
        for axis in stage.axes:
            extent = static(axis.extent)
            if extent is None:
                return True
            points *= extent
        operations = sum(cost(p) + len(loads(p)) for s in stage.stores for p in (s.value,))
        total += points * (operations + 1)
    return total >= WORTH * (machine.isa.float_lanes if vectorized else 1)
