"""If."""

from __future__ import annotations

from collections.abc import Sequence

from tvm import tirx
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.ir.reshape import in_shape


def if_(op: Operation) -> Sequence[Expr | None]:
    """Convert If: where the condition is known, its branch takes the node's place."""
    condition = op.numbers(0)
    branches = (op.attribute("then_branch"), op.attribute("else_branch"))
    counts = [len(branch.output) for branch in branches]
    op.require(counts[0] == counts[1], f"its branches give {counts[0]} and {counts[1]} tensors")
    if condition is not None:
        op.require(condition.size == 1, "its condition is no scalar")
        return op.context.inlined(op.context.graph_of(branches[0 if condition.item() else 1]))
    test = op.tensor(0)
    if require_rank(test):
        op.require(require_shape(test) == [1] * require_rank(test), "its condition is no scalar")
        test = op.emit(in_shape(test, []))
    then, otherwise = map(op.context.graph_of, branches)
    return op.context.chosen(op, test, _of_sizes(op), (then, otherwise))


def _of_sizes(op: Operation) -> Expr | None:
    """Return the condition as one on sizes; None where it is none."""
    value = op.known(0)
    if value is None:
        return None
    [condition] = value.elements
    if str(condition.ty) != "bool":  # a number: what is not 0 is true
        condition = op.symbols.simplify(tirx.NE(condition, tirx.const(0, "int64")))
    return condition if isinstance(condition, Expr) else None
