"""What a converter has to know of a tensor: it is returned, or the operation is refused.

`ir.types` answers the same questions with None where the answer is not known.
"""

from __future__ import annotations

from collections.abc import Sequence

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.frontend.symbols import Dim, as_dim


def require_shape(expr: Expr) -> list[Dim]:
    """Return the dimensions of an emitted tensor.

    Raises:
        CannotConvertError: They are not known.
    """
    shape = expr.ty.shape
    if not isinstance(shape, relax.ShapeExpr):
        raise CannotConvertError("the shape of its operand is not known")
    return [as_dim(d) for d in shape.values]


def require_static_shape(expr: Expr, what: str, axes: Sequence[int] | None = None) -> list[int]:
    """Return dimensions, all or those of some axes, that have to be numbers.

    Raises:
        CannotConvertError: One of them is symbolic.
    """
    dims = require_shape(expr)
    dims = dims if axes is None else [dims[a] for a in axes]
    for dim in dims:
        if not isinstance(dim, int):
            raise CannotConvertError(f"{what} must have a fixed shape, and has {dims}")
    return [d for d in dims if isinstance(d, int)]


def require_rank(expr: Expr) -> int:
    """Return a tensor's number of dimensions.

    Raises:
        CannotConvertError: It is not known.
    """
    if expr.ty.ndim < 0:
        raise CannotConvertError("the rank of its operand is not known")
    return int(expr.ty.ndim)


def require_axis(axis: int, rank: int) -> int:
    """Return an axis counted from the front.

    Raises:
        CannotConvertError: There is no such axis.
    """
    if not -rank <= axis < rank:
        raise CannotConvertError(f"axis {axis} is out of range for rank {rank}")
    return axis % rank if rank else 0
