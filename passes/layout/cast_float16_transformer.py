"""Products of float16 and bfloat16, from weights as they are stored."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from tvm import IRModule, relax
from tvm.ir import Call, Expr, GenericConst
from tvm.relax import Var

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.ir.types import dtype_of, rank_of
from tvmfuse.ops import gemm
from tvmfuse.ops.lowering.half import HALF
from tvmfuse.passes.bfloat16_products import (
    ATTENTION,
    CONV,
    GEMM,
    MATMUL,
    MATRIX,
    dot_requires,
    is_product,
    recast_in_bfloat16,
)
from tvmfuse.passes.contract import CPU, GraphPass
from tvmfuse.passes.recast_products import Recast, recast
from tvmfuse.passes.trace import Trace
from tvmfuse.target.machine import AVX2, Machine

SINGLE: Final = "float32"


class CastFloat16Transformer(GraphPass):
    """Multiply weights of float16 and bfloat16 by float32, in which a product is summed anyway.

    Before::

        y = relu(conv(x, W, b))                    # float16
        z = conv(y, V, c)

    After::

        y' = float32(relu(float16(conv(x', W, b))))
        z = float16(conv(y', V, c))                # W, V in float16, x', y' and sums in float32

    Pays because a number of an image or a matrix is multiplied by many weights, and would be
    converted for each register tile of them; here it is once, where it is computed. Weights stay as
    small as they are, and come in panels and blocks as those of float32 do. Each node still rounds
    its results. Where an instruction multiplies pairs of bfloat16, those operands stay as they are.
    ONNX Runtime casts all operands of such nodes.
    """

    name = "CastFloat16Transformer"
    targets = CPU

    def __init__(self, machine: Machine = AVX2) -> None:
        self._machine = machine

    def configured(self, machine: Machine) -> CastFloat16Transformer:
        """Return the pass that asks this machine for its instructions."""
        return CastFloat16Transformer(machine)

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the module with products of float32 by weights of half; each is one rewrite."""
        trace = Trace() if trace is None else trace
        trace.declined.clear()
        return map_functions(module, lambda function: self._widened(function, trace))

    def _widened(self, function: relax.Function, trace: Trace) -> relax.Function:
        flow = Dataflow.of(function)
        return recast(function, flow, self._chosen(flow, trace))

    def _chosen(self, flow: Dataflow, trace: Trace) -> dict[Var, Recast]:
        found = dict[Var, Recast]()
        for var, value in flow.bindings:
            if not is_product(value, *HALF) or trace.exhausted:
                continue
            trace.at = nodes_of(value)
            why = next((words for holds, words in _requires(value) if not holds), None)
            if why is not None:
                trace.decline(why, trace.at)
            else:
                trace.fire(trace.at)
                found[var] = self._recast(value)
        return found

    def _recast(self, product: Call) -> Recast:
        pairs = all(holds for holds, _ in dot_requires(product, self._machine))
        if pairs and dtype_of(product) == BFLOAT16:
            return recast_in_bfloat16(product)
        return Recast(SINGLE, partial(_of_single, product))


def _requires(product: Call) -> Iterator[tuple[bool, str]]:
    name = op_name(product)
    if name == ATTENTION:
        return
    weighted = name in (CONV, GEMM, MATMUL) and isinstance(product.args[1], GenericConst)
    yield weighted, "the product is with constant weights"
    yield name == CONV or rank_of(product.args[1]) == MATRIX, "the weights are a matrix"


def _of_single(product: Call, operand: Expr) -> Call:
    first, *others = product.args
    others = [operand if other.same_as(first) else other for other in others]
    if op_name(product) == MATMUL:
        return gemm(operand, *others)
    return Call(product.op, [operand, *others], attrs=product.attrs)
