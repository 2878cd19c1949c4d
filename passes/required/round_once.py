"""An ONNX node rounds to half precision once."""

from __future__ import annotations

from tvm import IRModule

from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ops.lowering.rounding import round_once
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.trace import Trace


class RoundOnce(GraphPass):
    """Compute in float32 what the calls of one ONNX node hand to each other in half precision.

    Before, a ReduceL2 in float16::

        y = sqrt(sum(x * x))

    After::

        w = astype(x, "float32")
        y = astype(sqrt(sum(w * w)), "float16")

    Pays because ONNX defines what a node computes, and not how often it rounds on the way: the sum
    of 700 squares of 20 is more than float16 holds. It comes first, before constants are folded.
    """

    name = "RoundOnce"
    required = True

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with such nodes rounded once; it fires nothing that could be undone."""
        del trace
        return map_functions(module, round_once)
