"""Equal small constants become one."""

from __future__ import annotations

from typing import Final

from tvm import IRModule, relax
from tvm.ir import Expr, GenericConst
from tvm.relax.expr_functor import PyExprMutator, mutator

from tvmfuse.ir.live import is_live
from tvmfuse.ir.live_array import CHANGES
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of
from tvmfuse.ir.types import bytes_of, dtype_of
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.trace import Trace

# A bias or a scale of every channel is below this; comparing weights would cost more than it saves.
MAX_BYTES: Final = 64 * 1024

Content = tuple[str, tuple[int, ...], bytes]


def content_of(constant: GenericConst) -> Content | None:
    """Return dtype, shape and bytes of a constant; None for one above `MAX_BYTES`, or that changes.

    Equal means equal bits: NaNs of different payload differ, and so do 0.0 and -0.0.

    >>> content_of(relax.const(1.0)) == content_of(relax.const(1.0))
    True
    """
    size = bytes_of(constant.ty)
    if size is None or size > MAX_BYTES or is_live(constant):
        return None
    shape = tuple(int(d) for d in constant.value.shape)
    return dtype_of(constant), shape, constant.value.numpy().tobytes()


class ConstantSharing(GraphPass):
    """Let equal small constants be one object.

    Before::

        y = x + one
        z = y * another_one

    After, for constants of at most `MAX_BYTES`::

        y = x + one
        z = y * one

    Pays because the artifact stores each constant once, and because expressions that read the
    same constant are then the same expression to every pass that compares operands.
    """

    name = "ConstantSharing"
    aliases = ("Constant Sharing",)

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Share the constants of all functions."""
        share = _Share(Trace() if trace is None else trace)
        return map_functions(module, share.visit_expr)


@mutator
class _Share(PyExprMutator):
    def __init__(self, trace: Trace) -> None:
        super().__init__()
        self.trace = trace
        self.kept: dict[Content, GenericConst] = {}
        self.nodes: tuple[str, ...] = ()

    def visit_var_binding_(self, binding: relax.VarBinding) -> None:
        self.nodes = nodes_of(binding.value)
        super().visit_var_binding_(binding)

    def visit_generic_const_(self, op: GenericConst) -> Expr:
        content = content_of(op)
        if content is None:
            if is_live(op):
                self.trace.decline(CHANGES, self.nodes)
            return op
        kept = self.kept.setdefault(content, op)
        if kept.same_as(op) or self.trace.exhausted:
            return op
        self.trace.fire(self.nodes)
        return kept
