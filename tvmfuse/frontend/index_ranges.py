"""Between which numbers a tensor's integers lie, as far as what computes them tells.

Places that a TopK, an ArgMax or a Range gives are of elements that there are: nobody has to look.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from tvm import relax, tirx
from tvm.ir import Call, Expr, Tuple, TupleGetItem

from tvmfuse.frontend.symbols import Dim, Symbols, as_dim
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import dtype_of, numbers_of, rank_of, shape_of
from tvmfuse.ops.traits import Kind, traits_of

#: How far back something is looked for, and among how many constant numbers.
DEPTH: Final = 32
MOST: Final = 1 << 20

WIDE: Final = ("int32", "int64")
NARROW: Final = {"bool": (0, 1), "uint8": (0, 255), "int8": (-128, 127)}


@dataclass(frozen=True)
class Between:
    """Numbers from one on up to another; None where nothing is known of it."""

    least: Dim | None = None
    most: Dim | None = None


ANYTHING: Final = Between()


class IndexRanges:
    """Finds ranges in a function that is being built.

    Args:
        symbols: The model's symbolic dimensions.
        bound: Returns what a variable is bound to; None for a parameter.
    """

    def __init__(self, symbols: Symbols, bound: Callable[[relax.Var], Expr | None]) -> None:
        self._symbols = symbols
        self._bound = bound

    def of_columns(self, x: Expr, count: int) -> list[Between]:
        """Return the range of each column along the last axis, of so many."""
        value = self._value(x)
        if op_name(value) == "relax.concat" and int(value.attrs.axis) in (
            -1,
            (rank_of(x) or 0) - 1,
        ):
            parts = self._fields(value.args[0])
            widths = [(shape_of(part) or (None,))[-1] for part in parts]
            if all(width == 1 for width in widths):
                return [self.of(part) for part in parts]
        return [self.of(x)] * count

    def of(self, x: Expr, depth: int = DEPTH) -> Between:
        """Return the range of all elements of a tensor of integers."""
        numbers = numbers_of(x)
        if numbers is not None:
            some = 0 < numbers.size <= MOST and numbers.dtype.kind in "iub"
            return Between(int(numbers.min()), int(numbers.max())) if some else ANYTHING
        value = self._value(x)
        if not depth or value is x:
            return ANYTHING
        if isinstance(value, TupleGetItem):
            return self._of_result(value, depth)
        if isinstance(value, Call) and traits_of(value).kind is Kind.RESHAPE:
            return self.moved(value, depth - 1)
        rule = RULES.get(op_name(value))
        return ANYTHING if rule is None else rule(self, value, depth - 1)

    def within(self, found: Between, least: Dim, size: Dim) -> bool:
        """Whether a range lies within another one, the end of which is no part of it."""
        if found.least is None or found.most is None:
            return False
        at_most = self._symbols.at_most
        return at_most(least, found.least) and at_most(found.most, self._minus(size, 1))

    def source(self, x: Expr) -> Expr:
        """Return the tensor that has the same numbers, reshaped or of fewer bits at most."""
        while isinstance(x, relax.Var):
            value = self._value(x)
            widens = op_name(value) == "relax.astype" and dtype_of(value.args[0]) in WIDE
            widens = widens and dtype_of(x) in (dtype_of(value.args[0]), "int64")
            reshapes = isinstance(value, Call) and traits_of(value).kind is Kind.RESHAPE
            if not widens and not reshapes:
                break
            x = value.args[0]
        return x

    def _value(self, x: Expr) -> Expr:
        """Return what computes a tensor; itself where nothing does."""
        while isinstance(x, relax.Var):
            bound = self._bound(x)
            if bound is None:
                break
            x = bound
        return x

    def _fields(self, x: Expr) -> Sequence[Expr]:
        value = self._value(x)
        return [*value.fields] if isinstance(value, Tuple) else [value]

    def _of_result(self, item: TupleGetItem, depth: int) -> Between:
        """Return the range of one of several results."""
        made = self._value(item.tuple_value)
        if isinstance(made, Tuple):
            return self.of(made.fields[item.index], depth - 1)
        if op_name(made) == "relax.split":
            return self.of(made.args[0], depth - 1)
        if op_name(made) == "relax.topk" and item.index == 1:
            return self.places(made, depth)
        return ANYTHING

    def moved(self, call: Call, depth: int) -> Between:
        """Return the range of some of the first operand's elements."""
        return self.of(call.args[0], depth)

    def places(self, call: Call, _depth: int) -> Between:
        """Return the range of places along the axis of a call's operand."""
        shape, axis = shape_of(call.args[0]), call.attrs.axis
        if shape is None:
            return ANYTHING
        size = self._symbols.product(shape) if axis is None else shape[int(axis)]
        return Between(0, self._minus(size, 1))

    def ranked(self, call: Call, depth: int) -> Between:
        """Return the range of what a TopK of one result gives."""
        return self.places(call, depth) if str(call.attrs.ret_type) == "indices" else ANYTHING

    def non_zero(self, call: Call, _depth: int) -> Between:
        """Return the range of the places of a vector's elements."""
        shape = shape_of(call.args[0]) or ()
        return Between(0, self._minus(shape[0], 1)) if len(shape) == 1 else ANYTHING

    def counted(self, call: Call, _depth: int) -> Between:
        """Return the range of numbers that are counted up."""
        first, end, step = map(as_dim, call.args)
        ascends = isinstance(step, int) and step > 0
        return Between(first, self._minus(end, 1)) if ascends else ANYTHING

    def sizes(self, call: Call, _depth: int) -> Between:
        """Return the range of some sizes."""
        dims = [*map(as_dim, getattr(call.args[0], "values", []))]
        return self._joined([Between(dim, dim) for dim in dims])

    def checked(self, call: Call, depth: int) -> Between:
        """Return the range of checked indices."""
        most = self.of(call.args[1], depth).most
        return Between(0, None if most is None else self._minus(most, 1))

    def concatenated(self, call: Call, depth: int) -> Between:
        """Return the range of what is put side by side."""
        return self._joined([self.of(part, depth) for part in self._fields(call.args[0])])

    def chosen(self, call: Call, depth: int) -> Between:
        """Return the range of a choice."""
        return self._joined([self.of(side, depth) for side in call.args[1:]])

    def cast(self, call: Call, depth: int) -> Between:
        """Return the range of integers in another dtype, which holds all of them."""
        dtype, found = dtype_of(call.args[0]), self.of(call.args[0], depth)
        if dtype in NARROW and found == ANYTHING:
            found = Between(*NARROW[dtype])
        into = str(call.attrs.dtype)
        if into not in WIDE or not (dtype in NARROW or dtype in WIDE):
            return ANYTHING
        limits = np.iinfo(into)
        fits = dtype in NARROW or dtype == "int32" or into == "int64"
        fits = fits or self.within(found, int(limits.min), int(limits.max) + 1)
        return found if fits else ANYTHING

    def smaller(self, call: Call, depth: int) -> Between:
        """Return the range of the smaller ones of two tensors' elements."""
        a, b = (self.of(side, depth) for side in call.args)
        mosts = [m for m in (a.most, b.most) if m is not None]
        most = self._symbols.smaller(*mosts) if len(mosts) == 2 else next(iter(mosts), None)
        return Between(self._joined([a, b]).least, most)

    def larger(self, call: Call, depth: int) -> Between:
        """Return the range of the larger ones of two tensors' elements."""
        a, b = (self.of(side, depth) for side in call.args)
        leasts = [n for n in (a.least, b.least) if n is not None]
        least = self._symbols.larger(*leasts) if len(leasts) == 2 else next(iter(leasts), None)
        return Between(least, self._joined([a, b]).most)

    def clipped(self, call: Call, _depth: int) -> Between:
        """Return the range of clipped numbers."""
        least, most = (_whole(bound) for bound in call.args[1:])
        return Between(least, most)

    def sum(self, call: Call, depth: int) -> Between:
        """Return the range of sums, which do not wrap around."""
        a, b = (self.of(side, depth) for side in call.args)
        return self._sound(call, Between(self._plus(a.least, b.least), self._plus(a.most, b.most)))

    def difference(self, call: Call, depth: int) -> Between:
        """Return the range of differences, which do not wrap around."""
        a, b = (self.of(side, depth) for side in call.args)
        least, most = self._minus(a.least, b.most), self._minus(a.most, b.least)
        return self._sound(call, Between(least, most))

    def remainder(self, call: Call, depth: int) -> Between:
        """Return the range of remainders of what is not negative, by a number above 0."""
        x, by = (self.of(side, depth) for side in call.args)
        floors = op_name(call) == "relax.floor_mod"
        positive = by.least is not None and self._symbols.at_most(1, by.least)
        counts = floors or (x.least is not None and self._symbols.non_negative(x.least))
        return Between(0, self._minus(by.most, 1)) if positive and counts else ANYTHING

    def _sound(self, call: Call, found: Between) -> Between:
        """Return a range, where its numbers are no larger than sizes are in int64."""
        return found if str(call.ty.dtype) == "int64" else ANYTHING

    def _joined(self, ranges: Sequence[Between]) -> Between:
        least = self._symbols.smaller
        most = self._symbols.larger
        return Between(
            _folded(least, [r.least for r in ranges]), _folded(most, [r.most for r in ranges])
        )

    def _plus(self, a: Dim | None, b: Dim | None) -> Dim | None:
        return None if a is None or b is None else _small(self._symbols.simplify(a + b))

    def _minus(self, a: Dim | None, b: Dim | None) -> Any:
        return None if a is None or b is None else _small(self._symbols.simplify(a - b))


def _small(dim: Dim) -> Dim | None:
    """Return a number that no arithmetic of sizes takes out of int64."""
    return None if isinstance(dim, int) and abs(dim) >= 1 << 62 else dim


def _folded(join: Callable[[Dim, Dim], Dim], dims: Sequence[Dim | None]) -> Dim | None:
    known = [dim for dim in dims if dim is not None]
    if not known or len(known) < len(dims):
        return None
    found = known[0]
    for dim in known[1:]:
        found = join(found, dim)
    return found


def _whole(bound: Expr) -> int | None:
    value = getattr(bound, "value", None)
    whole = isinstance(bound, tirx.IntImm) or (isinstance(value, float) and value.is_integer())
    return int(value) if whole and value is not None else None


#: Operator -> what finds the range of its result.
RULES: Final[Mapping[str | None, Callable[[IndexRanges, Call, int], Between]]] = {
    "relax.add": IndexRanges.sum,
    "relax.arange": IndexRanges.counted,
    "relax.argmax": IndexRanges.places,
    "relax.argmin": IndexRanges.places,
    "relax.argsort": IndexRanges.places,
    "relax.astype": IndexRanges.cast,
    "relax.broadcast_to": IndexRanges.moved,
    "relax.clip": IndexRanges.clipped,
    "relax.concat": IndexRanges.concatenated,
    "relax.flip": IndexRanges.moved,
    "relax.floor_mod": IndexRanges.remainder,
    "relax.gather_elements": IndexRanges.moved,
    "relax.gather_nd": IndexRanges.moved,
    "relax.maximum": IndexRanges.larger,
    "relax.minimum": IndexRanges.smaller,
    "relax.mod": IndexRanges.remainder,
    "relax.nonzero": IndexRanges.non_zero,
    "relax.permute_dims": IndexRanges.moved,
    "relax.repeat": IndexRanges.moved,
    "relax.shape_to_tensor": IndexRanges.sizes,
    "relax.strided_slice": IndexRanges.moved,
    "relax.subtract": IndexRanges.difference,
    "relax.take": IndexRanges.moved,
    "relax.tile": IndexRanges.moved,
    "relax.topk": IndexRanges.ranked,
    "relax.where": IndexRanges.chosen,
    "relax.zeros": lambda *_: Between(0, 0),
    "tvmfuse.checked_indices": IndexRanges.checked,
    "tvmfuse.identity": IndexRanges.moved,
}
