"""If."""

from __future__ import annotations

from collections.abc import Sequence

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_rank, require_shape
from tvmfuse.ir.provenance import span_of
from tvmfuse.ir.reshape import in_shape


def if_(op: Operation) -> Sequence[Expr]:
    """Convert If: where the condition is known, its branch takes the node's place."""
    condition = op.numbers(0)
    branches = [op.attribute("then_branch"), op.attribute("else_branch")]
    if condition is not None:
        op.require(condition.size == 1, "its condition is no scalar")
        return op.context.inlined(branches[0 if condition.item() else 1])
    test = op.tensor(0)
    if require_rank(test):
        op.require(require_shape(test) == [1] * require_rank(test), "its condition is no scalar")
        test = op.emit(in_shape(test, []))
    then, otherwise = (op.context.block(b) for b in branches)
    given = [_types(branch) for branch in (then, otherwise)]
    counts = [len(types) for types in given]
    op.require(counts[0] == counts[1], f"its branches give {counts[0]} and {counts[1]} tensors")
    for a, b in zip(*given, strict=True):
        tensors = isinstance(a, relax.TensorType) and isinstance(b, relax.TensorType)
        op.require(tensors, "its branches give sequences")
        op.require(a.ndim == b.ndim and a.dtype == b.dtype, f"its branches give {a} and {b}")
    result = op.emit(relax.If(test, then, otherwise, span=span_of([op.node.name])))
    count = len(op.node.outputs)
    return [result] if count == 1 else [relax.TupleGetItem(result, i) for i in range(count)]


def _types(branch: relax.SeqExpr) -> Sequence[relax.TensorType]:
    ty = branch.body.ty
    return list(ty.fields) if isinstance(ty, relax.TupleType) else [ty]
