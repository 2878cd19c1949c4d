"""Where a tensor is not zero: counted part by part, then written part by part.

A block of zeros is passed over after one test of a vector. Of any other block each element's place
is written behind those before it, and stays if it is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any, Final

from tvm import DataType, relax, te, tirx
from tvm.ir import Call, Expr, register_op_attr
from tvm.relax import BlockBuilder
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt, Var

from tvmfuse.ops.lowering.half import Legalize
from tvmfuse.ops.lowering.written import INT64, folded, int32, int64, local, variable

LANES: Final = 16

BLOCK: Final = 4 * LANES
"""Elements after which is asked whether one of them is not zero."""

PART: Final = 64 * BLOCK
"""Elements that are counted together."""


def _non_zero(bb: BlockBuilder, call: Call) -> Expr:
    [x] = call.args
    rank = max(len(x.ty.shape.values), 1)

    def count(x: te.Tensor) -> list[te.Tensor]:
        made = te.extern(
            [(1,), (_parts(x.shape),)],
            [x],
            lambda ins, outs: _counted(ins[0], outs[0], outs[1], x.shape),
            dtype=[INT64, INT64],
            name="count",
        )
        return [*made]

    counted = bb.emit(bb.call_te(count, x, primfunc_name_hint="count_non_zero"))
    total, starts = (bb.emit(relax.TupleGetItem(counted, i)) for i in range(2))
    found = Var("found", INT64)
    bb.match_cast(bb.emit(relax.op.tensor_to_shape(total)), relax.ShapeType([found]))

    def places(x: te.Tensor, starts: te.Tensor) -> te.Tensor:
        return te.extern(
            [(rank, found)],
            [x, starts],
            lambda ins, outs: _written([*ins, *outs], x.shape),
            dtype=INT64,
            name="places",
        )

    written = bb.emit(bb.call_te(places, x, starts, primfunc_name_hint="non_zero"))
    # Where sizes are known, TVM does not compute others that a reader casts them to.
    return bb.match_cast(written, relax.TensorType(dtype=INT64, ndim=2))


def _size(shape: Sequence[Expr]) -> Expr:
    return prod(shape, start=int64(1))


def _parts(shape: Sequence[Expr]) -> Expr:
    return tirx.floordiv(_size(shape) + (PART - 1), int64(PART))


def _counted(x: Buffer, total: Buffer, starts: Buffer, shape: Sequence[Expr]) -> Stmt:
    """Write where each part's places begin, and how many there are."""
    size, parts = _size(shape), _parts(shape)
    with IRBuilder() as builder:
        with write.seq_scope():
            first, sums, elements = (write.buffer_proxy(b) for b in (total, starts, x))
            with write.parallel(0, parts) as part:
                begin = part * PART
                length = tirx.min(int64(PART), size - begin)
                counts = local(LANES, "int32")
                with write.vectorized(0, LANES) as lane:
                    counts[lane] = int32(0)
                whole = tirx.floordiv(length, int64(LANES))
                with write.serial(0, whole) as vector, write.vectorized(0, LANES) as lane:
                    hit = _hit(elements, begin + vector * LANES + lane)
                    counts[lane] = counts[lane] + hit
                with write.serial(0, length - whole * LANES) as rest:
                    counts[0] = counts[0] + _hit(elements, begin + whole * LANES + rest)
                sums[part] = tirx.Cast(INT64, folded(counts, LANES, lambda a, b: a + b))
            before = variable(int64(0))
            with write.serial(0, parts) as part:
                own = variable(sums[part])
                sums[part] = before[0]
                before[0] = before[0] + own[0]
            first[0] = before[0]
        return builder.get()


def _written(buffers: Sequence[Buffer], shape: Sequence[Expr]) -> Stmt:
    with IRBuilder() as builder:
        with write.parallel(0, _parts(shape)) as part:
            x, starts, places = map(write.buffer_proxy, buffers)
            _Part(x, starts, places, shape, part).write()
        return builder.get()


@dataclass(frozen=True, eq=False)
class _Part:
    """Writes what is done for one part.

    Attributes:
        x: The tensor.
        starts: Where the places of each part begin.
        places: Indices along each axis.
        shape: The tensor's.
        part: Which one.
    """

    x: Any
    starts: Any
    places: Any
    shape: Sequence[Expr]
    part: Expr

    def write(self) -> None:
        """Write its statements."""
        begin, count = self.part * PART, variable(self.starts[self.part])
        length = tirx.min(int64(PART), _size(self.shape) - begin)
        whole = tirx.floordiv(length, int64(BLOCK))
        with (
            write.serial(0, whole) as block,
            self._if_some(begin + block * BLOCK, BLOCK),
            write.serial(0, BLOCK // LANES) as vector,
        ):
            first = begin + block * BLOCK + vector * LANES
            with self._if_some(first, LANES):
                self._take(first, count)
        with write.serial(0, length - whole * BLOCK) as rest:
            at = begin + whole * BLOCK + rest
            with write.If(_hit(self.x, at) != int32(0)), write.Then():
                self._put(count, at)

    def _take(self, first: Expr, count: Any) -> None:
        taken, found = local(LANES, INT64), variable(int64(0))
        for lane in range(LANES):
            taken[found[0]] = first + lane
            found[0] = found[0] + tirx.Cast(INT64, _hit(self.x, first + lane))
        with write.serial(0, found[0]) as number:
            self._put(count, taken[number])

    def _put(self, count: Any, at: Expr) -> None:
        rest = at
        for axis in reversed(range(len(self.shape))):
            size = self.shape[axis]
            self.places[axis, count[0]] = tirx.floormod(rest, size) if axis else rest
            rest = tirx.floordiv(rest, size)
        if not self.shape:
            self.places[0, count[0]] = at
        count[0] = count[0] + int64(1)

    @contextmanager
    def _if_some(self, begin: Expr, count: int) -> Iterator[None]:
        """Do what is written inside if one of some elements is not zero."""
        hits = local(LANES, "int32")
        for vector in range(count // LANES):
            with write.vectorized(0, LANES) as lane:
                hit = _hit(self.x, begin + vector * LANES + lane)
                hits[lane] = hit if vector == 0 else tirx.bitwise_or(hits[lane], hit)
        with write.If(folded(hits, LANES, tirx.bitwise_or) != 0), write.Then():
            yield


def _hit(x: Any, at: Expr) -> Expr:
    """Return 1 where an element is not zero, and 0 where it is."""
    element = x[at]
    dtype = str(element.ty.dtype)
    if dtype == "bool":
        return tirx.Cast("int32", element)
    if dtype.startswith(("float", "bfloat")):
        # A comparison of floats, as TVM makes it, takes no NaN for different from zero.
        bits = DataType(dtype).bits
        dtype = f"int{bits}"
        element = tirx.reinterpret(dtype, element) & tirx.const(2 ** (bits - 1) - 1, dtype)
    return tirx.Select(element != tirx.const(0, dtype), int32(1), int32(0))


# TVM lowers what says of itself that its result's size depends on numbers; this operator does not.
register_op_attr("relax.nonzero", "FDataDependent", True)  # noqa: FBT003

NON_ZERO: Final[Mapping[str, Legalize]] = {"relax.nonzero": _non_zero}
