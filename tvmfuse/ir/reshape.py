"""Reshapes to just the shape that is written."""

from __future__ import annotations

from collections.abc import Sequence

from tvm import relax
from tvm.ir import Call, Expr, Op

from tvmfuse.ir.types import Dim


def in_shape(x: Expr, shape: Sequence[Dim]) -> Call:
    """Return a tensor in another shape, of as many elements.

    `relax.op.reshape` reads a 0 as the size that the tensor has there, and -1 as what is left.

    >>> x = relax.Var("x", relax.TensorType((2, 0), "float32"))
    >>> in_shape(x, [0, 3]).args[1], relax.op.reshape(x, [0, 0]).args[1]
    (R.shape([0, 3]), R.shape([2, 0]))
    """
    return Call(Op.get("relax.reshape"), [x, relax.ShapeExpr([*shape])])
