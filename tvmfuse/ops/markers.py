"""Operators that hand their input on: they carry a meaning, not a computation."""

from __future__ import annotations

from typing import Final

from tvm import topi
from tvm.ir import Call, Expr
from tvm.relax import BlockBuilder

from tvmfuse.ops.definition import call, define
from tvmfuse.ops.traits import Kind, Traits


def _copy(bb: BlockBuilder, node: Call) -> Expr:
    return bb.call_te(topi.identity, node.args[0], primfunc_name_hint="identity")


IDENTITY: Final = define(
    "tvmfuse.identity",
    traits=Traits(kind=Kind.ELEMENTWISE, keeps_dtype=True),
    infer=lambda node: node.args[0].ty,
    legalize=_copy,
    doc="ONNX Identity.",
)
DROPOUT: Final = define(
    "tvmfuse.dropout",
    traits=Traits(kind=Kind.ELEMENTWISE, keeps_dtype=True),
    infer=lambda node: node.args[0].ty,
    legalize=_copy,
    doc="ONNX Dropout's first output, in inference mode.",
)
BARRIER: Final = define(
    "tvmfuse.barrier",
    traits=Traits(kind=Kind.ELEMENTWISE, keeps_dtype=True),
    infer=lambda node: node.args[0].ty,
    legalize=_copy,
    doc="Keeps FuseOps from fusing the operand's kernel with its readers.",
)


def identity(x: Expr) -> Call:
    """Return `x`: ONNX ``Identity``."""
    return call(IDENTITY, [x])


def dropout(x: Expr, *, ratio: float, training: bool) -> Call:
    """Return `x`, as ONNX ``Dropout`` does in inference mode.

    Args:
        x: Any tensor.
        ratio: The share of elements that training would zero.
        training: Whether the node asks for training mode, which draws random numbers.
    """
    return call(DROPOUT, [x], ratio=ratio, training=training)


def barrier(x: Expr) -> Call:
    """Return `x`, computed by a kernel that fuses with no reader.

    A fusion pass that the user disabled leaves one at each place where it would have fired:
    else FuseOps would do the same fusion, and timing the pass on and off would show nothing.
    """
    return call(BARRIER, [x])
