"""`tvmfuse.lookup`: a function of bytes as a table of its 256 values."""

from __future__ import annotations

from typing import Final

import numpy as np
from tvm import relax, te
from tvm.ir import Call, Expr, Type

from tvmfuse.ir.types import constant
from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.traits import Kind, Traits


def _infer(node: Call) -> Type:
    return relax.TensorType(node.args[0].ty.shape, node.attrs["dtype"])


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    table = constant(np.array([*map(int, node.attrs["table"])], node.attrs["dtype"]))

    def compute(x: te.Tensor, table: te.Tensor) -> te.Tensor:
        def element(*index: te.Var) -> Expr:
            return table(x(*index).astype("uint8").astype("int32"))

        return te.compute(x.shape, element, name="lookup")

    return bb.call_te(
        compute,
        node.args[0],
        table,
        primfunc_name_hint="lookup",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


LOOKUP: Final = define(
    "tvmfuse.lookup",
    traits=Traits(kind=Kind.ELEMENTWISE),
    infer=_infer,
    legalize=_legalize,
    computes=False,
    doc="A function of bytes as a table of its 256 values.",
)


def lookup(x: Expr, table: np.ndarray) -> Call:
    """Look each byte up.

    The kernel is fused with no other: vectors of bytes are looked up where they lie in memory.

    Args:
        x: uint8 or int8, of any shape.
        table: uint8 or int8, shape (256,), by the bits of a byte: of int8 the numbers from -128 on
            are the second half.
    """
    return call(LOOKUP, [x], table=table.tolist(), dtype=str(table.dtype))
