"""What is known of an operator that has no schema in the onnx package.

onnx's checker lets nodes of other domains pass as they are: an attribute or an operand that a
newer version has would be left out of the numbers. A node that has one is refused by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.stand_in import Converter
from tvmfuse.frontend.onnx.operation import Operation, is_float_dtype
from tvmfuse.ir.types import dtype_of


def known(
    convert: Converter,
    *attributes: str,
    operands: int,
    required: int = 1,
    floats: Sequence[int] = (),
) -> Converter:
    """Return a converter that refuses nodes of which it does not know everything.

    Args:
        convert: Converts all others.
        attributes: Those that it reads.
        operands: How many there may be.
        required: How many of the first have to be there.
        floats: Positions of operands that have one floating-point dtype, where they are there.
    """

    def checked(op: Operation) -> Expr | Sequence[Expr | None]:
        for name in op.node.attributes:
            op.require(name in attributes, f"its attribute {name!r} is not known")
        for position in range(operands, len(op)):
            op.require(not op.has(position), f"its operand {position} is not known")
        for position in range(required):
            op.require(op.has(position), f"its operand {position} is absent")
        _one_float_dtype(op, floats)
        return convert(op)

    return checked


def _one_float_dtype(op: Operation, positions: Sequence[int]) -> None:
    dtypes = [dtype_of(op.tensor(p)) for p in positions if op.has(p)]
    op.require(len(set(dtypes)) <= 1, f"its operands have the dtypes {', '.join(dtypes)}")
    for dtype in dtypes[:1]:
        op.require(is_float_dtype(dtype), f"its operands are of {dtype}; expected floats")


def require_rank_of(op: Operation, position: int, tensor: Expr, *ranks: int) -> None:
    """Refuse an operand that has another number of dimensions."""
    rank = int(tensor.ty.ndim)
    expected = " or ".join(map(str, ranks))
    op.require(rank in ranks, f"its operand {position} has rank {rank}; expected {expected}")


def refusal(why: str) -> Callable[[Operation], Expr]:
    """Return the converter of an operator that is never compiled, and says why."""

    def refuse(op: Operation) -> Expr:
        op.refuse(why)

    return refuse
