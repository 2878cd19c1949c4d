"""Operands of an attention, read past what only moves or scales them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import prod

from tvm import relax
from tvm.ir import Expr
from tvm.relax import Var

from tvmfuse.passes.dataflow import op_name
from tvmfuse.passes.facts import Dim, same_dims, scalar_of, shape_of

Resolve = Callable[[Expr], Expr]


@dataclass(frozen=True)
class View:
    """A tensor, and how another one is read off it.

    Attributes:
        base: The tensor.
        axes: For each of its dimensions the letters of what it holds, outermost first: of batch,
            sequence, head and element; ``"hd"`` are heads side by side. Letters of size 1 may be
            missing.
        sizes: Of each letter.
        factor: What it is multiplied by.
        passed: What was read past, last first.
    """

    base: Expr
    axes: tuple[str, ...]
    sizes: Mapping[str, Dim]
    factor: float = 1.0
    passed: tuple[Var, ...] = ()

    @property
    def order(self) -> str:
        """The letters of the operand's dimensions."""
        there = "".join(self.axes)
        return "".join(letter for letter in self.sizes if letter not in there) + there

    @property
    def operand(self) -> Expr:
        """The tensor with one dimension for each letter."""
        shape = [self.sizes[letter] for letter in self.order]
        if same_dims(shape_of(self.base), shape):
            return self.base
        return relax.op.reshape(self.base, shape)


def view_of(operand: Expr, axes: str, resolve: Resolve) -> View:
    """Return the tensor farthest up that an operand of four dimensions is a view of.

    Args:
        operand: Its dimensions are known or symbols.
        axes: What they are, ``"bhsd"``.
        resolve: Returns the expression that a variable stands for.
    """
    view = View(operand, tuple(axes), dict(zip(axes, shape_of(operand) or (), strict=True)))
    while (further := _further(view, resolve)) is not None:
        view = further
    return view


def _further(view: View, resolve: Resolve) -> View | None:
    value = resolve(view.base)
    match op_name(value):
        case "relax.permute_dims":
            found = _transposed(view, value)
        case "relax.multiply" | "relax.divide":
            found = _scaled(view, value, resolve)
        case "relax.reshape":
            found = _reshaped(view, value.args[0])
        case _:
            found = None
    if found is None or not isinstance(view.base, Var):
        return None
    return replace(found, passed=(*view.passed, view.base))


def _transposed(view: View, value: Expr) -> View:
    rank = len(view.axes)
    order = value.attrs.axes
    order = range(rank)[::-1] if order is None else [int(a) % rank for a in order]
    axes = dict(zip(order, view.axes, strict=True))
    return replace(view, base=value.args[0], axes=tuple(axes[d] for d in range(rank)))


def _scaled(view: View, value: Expr, resolve: Resolve) -> View | None:
    left, right = value.args
    for base, number in ((left, right), (right, left)):
        factor = scalar_of(resolve(number))
        if factor is None or not same_dims(shape_of(base), shape_of(value)):
            continue
        if op_name(value) == "relax.multiply":
            return replace(view, base=base, factor=view.factor * factor)
        if number is right and factor != 0:
            return replace(view, base=base, factor=view.factor / factor)
    return None


def _reshaped(view: View, base: Expr) -> View | None:
    """Read past a reshape that joins neighbouring dimensions, or takes joined ones apart."""
    left = [x for group in view.axes for x in group if view.sizes[x] != 1]
    groups = []
    for size in shape_of(base) or ():
        group = ""
        while left and not _fills(group, size, view.sizes):
            group += left.pop(0)
        if not _fills(group, size, view.sizes):
            return None
        groups.append(group)
    return None if left else replace(view, base=base, axes=tuple(groups))


def _fills(group: str, size: Dim, sizes: Mapping[str, Dim]) -> bool:
    """Whether letters make up a dimension; of symbols only one for each dimension."""
    known = [sizes[letter] for letter in group]
    if len(known) != 1 and any(not isinstance(s, int) for s in (*known, size)):
        return False
    return same_dims((known[0] if len(known) == 1 else prod(known),), (size,))
