"""Whether a loop nest is worth running in threads.

Handing out a parallel loop, and waiting for the last worker, takes time of its own: from how many
operations on it pays, a machine says (`Tuning.parallel_operations`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tvmfuse.schedules.expressions import cost, loads, static
from tvmfuse.schedules.kernels import Stage
from tvmfuse.target.machine import Machine


def should_parallelize(
    stages: Sequence[Stage], machine: Machine, *, vectorized: bool = True
) -> bool:
    """Return whether some stages together are enough work; sizes known only later count as large.

    >>> from tvm import te
    >>> from tvmfuse.target.machine import AVX2
    >>> from tvmfuse.schedules.kernels import read
    >>> def copy(n):
    ...     a = te.placeholder((n,))
    ...     return read(te.create_prim_func([a, te.compute((n,), lambda i: a[i])])).stages
    >>> should_parallelize(copy(1000), AVX2), should_parallelize(copy(1_000_000), AVX2)
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
    at_once = machine.isa.float_lanes if vectorized else 1
    return total >= machine.tuning.parallel_operations * at_once
