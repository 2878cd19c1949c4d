"""Operators become kernels."""

from __future__ import annotations

from tvm import IRModule

from tvmfuse.ops.lowering.lower import lower
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.trace import Trace


class Lower(GraphPass):
    """Lower every operator to a kernel, a TIR PrimFunc.

    Before::

        y = gemm(a, B, c)

    After::

        y = call_tir(gemm, (a, B, c))    # gemm: a PrimFunc, a loop nest without a schedule

    Pays because passes on kernels and schedules see loops, of whatever operator they came.
    """

    name = "Lower"
    required = True

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module whose `main` calls kernels and nothing else that computes.

        Raises:
            CompilationError: An operator has no lowering.
        """
        del trace
        return lower(module).module
