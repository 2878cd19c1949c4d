"""A reshape of a reshape is one reshape."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from tvm import IRModule
from tvm.ir import Expr
from tvm.relax import Var

from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import same_dims, shape_of
from tvmfuse.ops.traits import Kind, operators
from tvmfuse.passes.chains import KEEPS_OUTPUTS, Chains
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.trace import Trace


class ReshapeFusion(GraphPass):
    """Reshape once where reshapes follow each other, and not at all where the shape is the same.

    Before, with ``x`` of shape (n, 768)::

        a = reshape(x, (n, 12, 64))
        b = expand_dims(a, axis=[0])
        y = reshape(b, (n * 12, 64))

    After::

        y = reshape(x, (n * 12, 64))

    An inner reshape that something else reads is left alone, unless the outer one undoes it.

    Pays because a chain of reshapes hides from other passes what follows what, and because a
    backend that copies would copy at each link.

    Source: ONNX ``Reshape``, ``Flatten``, ``Squeeze``, ``Unsqueeze``; ONNX Runtime's ReshapeFusion.
    Its other half, the shape computed by ``Shape``, ``Gather`` and ``Concat``, is the importer's.
    """

    name = "ReshapeFusion"
    aliases = ("Reshape Fusion",)

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Merge the chains of every function, all in one walk."""
        trace = Trace() if trace is None else trace
        return map_functions(module, lambda function: _Reshapes.merge(function, trace))


class _Reshapes(Chains):
    ops = operators(lambda traits: traits.kind is Kind.RESHAPE)

    def merged(self, links: Sequence[Var]) -> tuple[Expr | None, str]:
        last, *before = links
        final = shape_of(last)
        if final is None:
            return None, "the final shape is known"
        same = [v for v in map(self.operand, links) if same_dims(shape_of(v), final)]
        if same and self.may_become(last, same[-1]):
            return same[-1], ""
        passed = list(takewhile(self.inner.__contains__, before))
        if passed:
            return in_shape(self.operand(passed[-1]), final), ""
        if same:
            return None, KEEPS_OUTPUTS
        return None, "the inner reshape has no other reader" if before else ""
