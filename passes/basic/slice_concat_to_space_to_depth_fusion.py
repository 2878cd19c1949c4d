"""Four interleaved slices that become channels are one rearrangement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tvm import IRModule, relax
from tvm.ir import Expr
from tvm.relax import Var
from tvm.relax.op import permute_dims, reshape

from tvmfuse.ir.dataflow import Dataflow, op_name
from tvmfuse.ir.map_functions import map_functions
from tvmfuse.ir.provenance import nodes_of, with_nodes
from tvmfuse.ir.replace import replace
from tvmfuse.ir.types import rank_of, same_dims, shape_of
from tvmfuse.passes.contract import GraphPass
from tvmfuse.passes.trace import Trace

SLICE: Final = "relax.strided_slice"
CHANNELS, ROWS, COLUMNS = 1, 2, 3
# Reshaped, the axes are N, C, row of blocks, row in block, column of blocks, column in block.
ORDERS: Final[Mapping[tuple[tuple[int, int], ...], Sequence[int]]] = {
    ((0, 0), (0, 1), (1, 0), (1, 1)): (0, 3, 5, 1, 2, 4),
    ((0, 0), (1, 0), (0, 1), (1, 1)): (0, 5, 3, 1, 2, 4),
}


class SliceConcatToSpaceToDepthFusion(GraphPass):
    """Move the four pixels of each block of 2 x 2 into the channels in one go.

    Before, x of shape (N, C, H, W)::

        concat(x[..., 0::2, 0::2], x[..., 1::2, 0::2], x[..., 0::2, 1::2], x[..., 1::2, 1::2])

    After::

        y = reshape(x, (N, C, H / 2, 2, W / 2, 2))
        y = permute_dims(y, (0, 5, 3, 1, 2, 4))
        reshape(y, (N, 4 C, H / 2, W / 2))

    That is ONNX ``SpaceToDepth``; the order of the slices, by rows or by columns, is the order of
    the permutation. A slice may come as two, one for each axis.

    Pays because the input is read once and in a single kernel without branches, where a fused
    concatenation asks for each element which slice it comes from. It is how YOLOv5 begins.
    """

    name = "SliceConcatToSpaceToDepthFusion"
    aliases = ("Slice Concat To Space To Depth Fusion", "Focus Fusion")

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Rewrite every concatenation of strided slices for which it is sound."""
        trace = Trace() if trace is None else trace
        trace.declined.clear()
        return map_functions(module, lambda function: _rewritten(function, trace))


def _rewritten(function: relax.Function, trace: Trace) -> relax.Function:
    flow = Dataflow.of(function)
    plan: dict[Var, Expr] = {}
    unread: set[Var] = set()
    for root in flow.calls("relax.concat"):
        if not _joins_strided_slices(flow.values[root], flow):
            continue
        focus = _Focus(root, flow)
        failed = next((words for holds, words in focus.requires() if not holds), None)
        if failed is not None:
            trace.decline(failed, focus.nodes)
        elif not trace.exhausted:
            plan[root] = focus.rearrangement()
            unread |= focus.slices
            trace.fire(focus.nodes)
    return replace(function, plan, drop=unread) if plan else function


def _joins_strided_slices(concat: Expr, flow: Dataflow) -> bool:
    parts = flow.resolve(concat.args[0])
    return isinstance(parts, relax.Tuple) and all(
        any((stride or 1) > 1 for *_, stride in _ranges(flow.resolve(part)))
        for part in parts.fields
    )


class _Focus:
    """A concatenation of strided slices."""

    def __init__(self, root: Var, flow: Dataflow) -> None:
        self.concat = flow.values[root]
        self.flow = flow
        self.parts: Sequence[Expr] = flow.resolve(self.concat.args[0]).fields
        self.phases = [phase for part in self.parts if (phase := _phase(part, flow)) is not None]
        self.slices = {s for phase in self.phases for s in phase.slices}

    @property
    def nodes(self) -> tuple[str, ...]:
        """The ONNX nodes of the slices and of the concatenation."""
        slices = [value for var, value in self.flow.bindings if var in self.slices]
        return tuple(dict.fromkeys(n for value in (*slices, self.concat) for n in nodes_of(value)))

    def requires(self) -> Iterator[tuple[bool, str]]:
        yield len(self.parts) == 4, "four slices are concatenated"
        found = len(self.phases)
        yield found == 4, "each slice takes every second row and column of an even number of them"
        yield len({p.source for p in self.phases}) == 1, "the slices are of one tensor"
        yield self.concat.attrs.axis in (CHANNELS, CHANNELS - 4), "the slices become channels"
        yield self._order() in ORDERS, "the slices come row by row or column by column"
        yield all(map(self._is_ours, self.slices)), "the concatenation is the slices' only reader"

    def _order(self) -> tuple[tuple[int, int], ...]:
        return tuple(phase.start for phase in self.phases)

    def _is_ours(self, slice_: Var) -> bool:
        reads = [*self.parts, *(self.flow.values[s].args[0] for s in self.slices)]
        return self.flow.num_uses(slice_) == sum(bool(read.same_as(slice_)) for read in reads)

    def rearrangement(self) -> Expr:
        """Return the same tensor, made by one permutation."""
        source = self.phases[0].source
        batch, channels, rows, columns = shape_of(source) or ()
        split = (batch, channels, rows // 2, 2, columns // 2, 2)
        blocks = with_nodes(reshape(source, split), self.nodes)
        moved = with_nodes(permute_dims(blocks, ORDERS[self._order()]), self.nodes)
        joined = (batch, channels * 4, rows // 2, columns // 2)
        return with_nodes(reshape(moved, joined), self.nodes)


@dataclass(frozen=True)
class _Phase:
    """Every second row and every second column of a tensor.

    Attributes:
        source: The tensor.
        start: The first row and the first column.
        slices: The slices that take them: one, or one for each axis.
    """

    source: Expr
    start: tuple[int, int]
    slices: tuple[Var, ...]


def _phase(part: Expr, flow: Dataflow) -> _Phase | None:
    """Follow the slices of one part up to the tensor whose rows and columns they take."""
    start: dict[int, int] = {}
    slices: list[Var] = []
    while len(start) < 2:
        value = flow.resolve(part)
        begins = _halved(value)
        if not begins or start.keys() & begins.keys():
            return None
        start |= begins
        slices.append(flow.var(value))
        part = value.args[0]
    return _Phase(part, (start[ROWS], start[COLUMNS]), tuple(slices))


def _halved(value: Expr) -> dict[int, int]:
    """Return the first index on each axis that a slice halves; none if it does anything else."""
    if op_name(value) != SLICE or rank_of(value) != 4:
        return {}
    before, after = shape_of(value.args[0]) or (), shape_of(value) or ()
    begins: dict[int, int] = {}
    for axis, begin, stride in _ranges(value):
        size = before[axis]
        if stride == 1 and same_dims([size], [after[axis]]):
            continue  # the whole axis
        halves = isinstance(size, int) and size % 2 == 0 and after[axis] == size // 2
        if axis not in (ROWS, COLUMNS) or stride != 2 or begin not in (0, 1) or not halves:
            return {}
        begins[axis] = begin
    return begins


def _ranges(value: Expr) -> list[tuple[int, int | None, int | None]]:
    """Return axis, first index and stride for each axis that a slice names; None if not known."""
    if op_name(value) != SLICE:
        return []
    axes = [int(axis.value) % value.ty.ndim for axis in value.args[1].fields]
    begins, _, *rest = ([_known(n) for n in operand.fields] for operand in value.args[2:])
    strides = rest[0] if rest else [1] * len(axes)
    return list(zip(axes, begins, strides, strict=True))


def _known(number: Expr) -> int | None:
    """Return a dimension's value; None where it is symbolic."""
    return getattr(number, "value", None)
