"""Products of bfloat16 where a model multiplies float32."""

from __future__ import annotations

from tvm import IRModule, relax
from tvm.relax import Var

from tvmfuse.ir.dataflow import Dataflow
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.passes.bfloat16_products import is_product, recast_in_bfloat16, requires
from tvmfuse.passes.contract import CPU, GraphPass
from tvmfuse.passes.recast_products import Recast, recast
from tvmfuse.passes.trace import Trace
from tvmfuse.target.machine import AVX2, Machine


class AutoMixedPrecision(GraphPass):
    """Multiply weights in bfloat16, and add up in float32.

    Before::

        y = relu(conv(x, W, b) + r)                # float32
        z = conv(y, V, c)

    After::

        y' = bfloat16(relu(conv(x', W', b) + float32(r')))
        z = conv(y', V', c)                        # W', V' in bfloat16, and sums in float32

    Attention takes queries, keys and values in bfloat16, and rounds weights of its softmax to it.

    Pays because an instruction multiplies pairs of bfloat16, twice as many as of float32, and
    weights and what lies between products take half the memory. What is added up, normalized,
    activated or computed element by element stays in float32 inside its kernel. So do the products
    of a depthwise convolution, whose image and weights are stored so, too. Convolutions by 3x3 that
    Winograd's algorithm computes faster in float32 stay so. It is off until a caller asks for it,
    ``precision="bf16"``, because bfloat16 holds 8 bits of a number. Source: Kalamkar et al., "A
    Study of BFLOAT16 for Deep Learning Training", 2019.
    """

    name = "AutoMixedPrecision"
    aliases = ("Auto Mixed Precision",)
    default = False
    targets = CPU
    note = "products are of bfloat16: outputs keep two or three decimal digits"

    def __init__(self, machine: Machine = AVX2) -> None:
        self._machine = machine

    def configured(self, machine: Machine) -> AutoMixedPrecision:
        """Return the pass that asks this machine for its instructions."""
        return AutoMixedPrecision(machine)

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with products of bfloat16; each is one rewrite."""
        trace = Trace() if trace is None else trace
        trace.declined.clear()
        return map_functions(module, lambda function: self._narrowed(function, trace))

    def _narrowed(self, function: relax.Function, trace: Trace) -> relax.Function:
        flow = Dataflow.of(function)
        return recast(function, flow, self._chosen(flow, trace))

    def _chosen(self, flow: Dataflow, trace: Trace) -> dict[Var, Recast]:
        found = dict[Var, Recast]()
        for var, value in flow.bindings:
            if not is_product(value, "float32") or trace.exhausted:
                continue
            trace.at = nodes_of(value)
            conditions = requires(value, self._machine)
            why = next((words for holds, words in conditions if not holds), None)
            if why is not None:
                trace.decline(why, trace.at)
            else:
                trace.fire(trace.at)
                found[var] = recast_in_bfloat16(value)
        return found
