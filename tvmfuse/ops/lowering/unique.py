"""What is unique in a tensor, or among its parts along an axis, without Python.

The places of all parts are put in order by merging, which leaves equal ones in theirs: of each run
of equal ones the first place stands for all. How many there are is known then, and the rest is
written. A NaN is larger than any number and equal to another NaN, as numpy has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import ml_dtypes  # noqa: F401, numpy's names of narrow types
import numpy as np
from tvm import DataType, relax, te, tirx
from tvm.ir import Call, Expr, register_op_attr
from tvm.relax import BlockBuilder
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt, Var

from tvmfuse.ir.reshape import in_shape
from tvmfuse.ops.lowering.half import Legalize
from tvmfuse.ops.lowering.written import INT64, int32, int64, variable

LONGEST: Final = 62
"""Doublings of a run's length, beyond which no tensor is."""


def _unique(bb: BlockBuilder, call: Call) -> Expr:
    x, in_order, *rest = call.args
    *asked, axis = rest if len(rest) == 4 else (*rest, None)
    if axis is None:
        size = prod(x.ty.shape.values, start=int64(1))
        x = bb.normalize(in_shape(x, relax.ShapeExpr([size])))
    along = 0 if axis is None else int(axis.value) % len(x.ty.shape.values)

    def ranked(x: te.Tensor) -> list[te.Tensor]:
        count = x.shape[along]
        made = te.extern(
            [(count,), (count,), (count,), (1,)],
            [x],
            lambda ins, outs: _ranked(_Parts.of(ins[0], along), outs),
            dtype=[INT64] * 4,
            name="ranked",
        )
        return [*made]

    found = bb.emit(bb.call_te(ranked, x, primfunc_name_hint="unique"))
    order, _, firsts, total = (bb.emit(relax.TupleGetItem(found, i)) for i in range(4))
    several = Var("unique", INT64)
    bb.match_cast(bb.emit(relax.op.tensor_to_shape(total)), relax.ShapeType([several]))

    def told(order: te.Tensor, firsts: te.Tensor) -> list[te.Tensor]:
        tell = _in_order if in_order.value else _as_they_come
        made = te.extern(
            [(several,), order.shape, (several,)],
            [order, firsts],
            lambda ins, outs: tell([*ins, *outs], order.shape[0]),
            dtype=[INT64] * 3,
            name="told",
        )
        return [*made]

    said = bb.emit(bb.call_te(told, order, firsts, primfunc_name_hint="unique_places"))
    places, inverse, counts = (bb.emit(relax.TupleGetItem(said, i)) for i in range(3))
    values = bb.emit(relax.op.take(x, places, along))
    rank = len(x.ty.shape.values)
    wanted = [
        values,
        *(t for t, flag in zip((places, inverse, counts), asked, strict=True) if flag.value),
    ]
    # Where sizes are known, TVM does not compute others that a reader casts them to.
    results = [
        bb.match_cast(one, relax.TensorType(dtype=one.ty.dtype, ndim=rank if one is values else 1))
        for one in wanted
    ]
    return relax.Tuple(results) if len(results) > 1 else results[0]


@dataclass(frozen=True, eq=False)
class _Parts:
    """The parts of a tensor along an axis, each as a line of elements.

    Attributes:
        x: The tensor, as one line.
        dtype: Its elements' type.
        count: How many parts there are.
        length: Elements of each.
        after: Elements that lie side by side in one.
    """

    x: Any
    dtype: str
    count: Expr
    length: Expr
    after: Expr

    @classmethod
    def of(cls, x: Buffer, axis: int) -> _Parts:
        """Return the parts of a kernel's operand."""
        before, after = (prod(d, start=int64(1)) for d in (x.shape[:axis], x.shape[axis + 1 :]))
        return cls(write.buffer_proxy(x), str(x.dtype), x.shape[axis], before * after, after)

    def compared(self, part: Expr, other: Expr) -> Any:
        """Return -1 where a part comes first, 1 where the other does, and 0 of equal ones."""
        if isinstance(self.length, tirx.IntImm) and self.length.value == 1:
            return variable(self._sign(part, other, int64(0)))
        found = variable(int32(0))
        with write.serial(0, self.length) as place, write.If(found[0] == 0), write.Then():
            found[0] = self._sign(part, other, place)
        return found

    def _sign(self, part: Expr, other: Expr, place: Expr) -> Expr:
        a, b = (self._element(p, place) for p in (part, other))
        later = tirx.Select(_less(b, a, self.dtype), int32(1), int32(0))
        return tirx.Select(_less(a, b, self.dtype), int32(-1), later)

    def _element(self, part: Expr, place: Expr) -> Expr:
        line = tirx.floordiv(place, self.after)
        element = self.x[(line * self.count + part) * self.after + tirx.floormod(place, self.after)]
        return tirx.Cast("int32", element) if self.dtype == "bool" else element


def _less(a: Expr, b: Expr, dtype: str) -> Expr:
    if "float" not in dtype:
        return a < b
    return tirx.And(tirx.Not(_is_nan(a, dtype)), tirx.Or(a < b, _is_nan(b, dtype)))


def _is_nan(x: Expr, dtype: str) -> Expr:
    """Ask a float's bits: TVM compares floats as if there were none."""
    bits = DataType(dtype).bits
    whole = f"int{bits}"
    magnitude = tirx.reinterpret(whole, x) & tirx.const(2 ** (bits - 1) - 1, whole)
    infinity = int(np.array(np.inf, np.dtype(dtype)).view(whole))
    return magnitude > tirx.const(infinity, whole)


def _ranked(parts: _Parts, outs: Sequence[Buffer]) -> Stmt:
    """Write all places in order, memory for that, the first place of each kind, and how many."""
    with IRBuilder() as builder:
        with write.seq_scope():
            order, spare, firsts, total = map(write.buffer_proxy, outs)
            with write.serial(0, parts.count) as place:
                order[place] = place
            with write.serial(0, LONGEST) as doublings:
                width = int64(1) << doublings
                with write.If(width < parts.count), write.Then():
                    runs = tirx.floordiv(parts.count + (width * 2 - 1), width * 2)
                    with write.serial(0, runs) as run:
                        _merge(parts, order, spare, run * width * 2, width)
                    with write.serial(0, parts.count) as place:
                        order[place] = spare[place]
            first, kinds = variable(int64(0)), variable(int64(0))
            with write.serial(0, parts.count) as place:
                part, new = variable(order[place]), variable(int32(1))
                with write.If(place > 0), write.Then():
                    new[0] = parts.compared(order[place - 1], part[0])[0]
                with write.If(new[0] != 0), write.Then():
                    first[0] = part[0]
                    kinds[0] = kinds[0] + int64(1)
                firsts[part[0]] = first[0]
            total[0] = kinds[0]
        return builder.get()


def _merge(parts: _Parts, order: Any, spare: Any, begin: Expr, width: Expr) -> None:
    """Write two runs of places, one after the other, as one in order."""
    middle, end = (tirx.min(begin + w, parts.count) for w in (width, width * 2))
    left, right = variable(begin), variable(middle)
    with write.serial(0, end - begin) as place:
        later = variable(int32(0))
        with write.If(left[0] >= middle):
            with write.Then():
                later[0] = int32(1)
            with write.Else(), write.If(right[0] < end), write.Then():
                compared = parts.compared(order[right[0]], order[left[0]])
                later[0] = tirx.Select(compared[0] < 0, int32(1), int32(0))
        # Branches: a processor guesses on, where a choice would wait for what was read.
        with write.If(later[0] == 1):
            with write.Then():
                spare[begin + place] = order[right[0]]
                right[0] = right[0] + int64(1)
            with write.Else():
                spare[begin + place] = order[left[0]]
                left[0] = left[0] + int64(1)


def _in_order(buffers: Sequence[Buffer], count: Expr) -> Stmt:
    """Number the kinds by value; write the first place, the inverse, and how many of each."""
    with IRBuilder() as builder:
        with write.seq_scope():
            order, firsts, places, inverse, counts = map(write.buffer_proxy, buffers)
            kind = variable(int64(-1))
            with write.serial(0, count) as place:
                part = variable(order[place])
                with write.If(firsts[part[0]] == part[0]), write.Then():
                    kind[0] = kind[0] + int64(1)
                    places[kind[0]] = part[0]
                    counts[kind[0]] = int64(0)
                inverse[part[0]] = kind[0]
                counts[kind[0]] = counts[kind[0]] + int64(1)
        return builder.get()


def _as_they_come(buffers: Sequence[Buffer], count: Expr) -> Stmt:
    """Number the kinds by their first places, and write the same."""
    with IRBuilder() as builder:
        with write.seq_scope():
            _, firsts, places, inverse, counts = map(write.buffer_proxy, buffers)
            kinds = variable(int64(0))
            with write.serial(0, count) as part:
                with write.If(firsts[part] == part):
                    with write.Then():
                        places[kinds[0]] = part
                        counts[kinds[0]] = int64(0)
                        inverse[part] = kinds[0]
                        kinds[0] = kinds[0] + int64(1)
                    with write.Else():
                        inverse[part] = inverse[firsts[part]]
                counts[inverse[part]] = counts[inverse[part]] + int64(1)
        return builder.get()


# TVM lowers what says of itself that its result's size depends on numbers; this operator does not.
register_op_attr("relax.unique", "FDataDependent", True)  # noqa: FBT003

UNIQUE: Final[Mapping[str, Legalize]] = {"relax.unique": _unique}
