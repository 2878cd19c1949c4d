"""Operands of an attention, looked through what only moves or scales them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from tvm import relax
from tvm.ir import Expr
from tvm.relax import Var

from tvmfuse.ir import dataflow
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import Dim, same_dims, scalar_of, shape_of

Resolve = Callable[[Expr], Expr]


@dataclass(frozen=True)
class View:
    """A tensor, and how another one is read off it.

    Attributes:
        base: The tensor.
        axes: For each of its dimensions the letters of what it holds, outermost first: of batch,
            sequence, head and element; ``"hd"`` are heads side by side. Letters of size 1 may be
            missing.
        sizes: Of each letter. A digit stands for equal parts of which that one is read.
        factor: What it is multiplied by.
        looked_through: The variables between this tensor and the operand, last first.
    """

    base: Expr
    axes: tuple[str, ...]
    sizes: Mapping[str, Dim]
    factor: float = 1.0
    looked_through: tuple[Var, ...] = ()

    @property
    def order(self) -> str:
        """The letters of the operand's dimensions."""
        there = "".join(self.axes)
        return "".join(letter for letter in self.sizes if letter not in there) + there

    @property
    def shape(self) -> tuple[Dim, ...]:
        """The size of each letter, in order."""
        return tuple(self.sizes[letter] for letter in self.order)


def operands_of(views: Sequence[View]) -> list[Expr]:
    """Return each view's base with one dimension for each letter; what is the same is made once."""
    made: dict[tuple[Expr, str], Expr] = {}
    for view in views:
        same = same_dims(shape_of(view.base), view.shape)
        operand = view.base if same else in_shape(view.base, view.shape)
        made.setdefault((view.base, str(view.shape)), operand)
    return [made[view.base, str(view.shape)] for view in views]


def view_of(
    operand: Expr, axes: str, resolve: Resolve, *, scaled: bool = True, shared: bool = False
) -> View:
    """Return the tensor farthest up that an operand of four dimensions is a view of.

    Args:
        operand: Its dimensions are known or symbols.
        axes: What they are, ``"bhsd"``.
        resolve: Returns the expression that a variable stands for.
        scaled: Whether to read past a factor.
        shared: Whether to read past copies of heads that lie side by side; the view then has
            fewer heads than the operand, of which each stands for as many neighbours.
    """
    view = View(operand, tuple(axes), dict(zip(axes, shape_of(operand) or (), strict=True)))
    while (further := _further(view, resolve, shared=shared)) is not None:
        if not scaled and further.factor != view.factor:
            break
        view = further
    return view


def _further(view: View, resolve: Resolve, *, shared: bool) -> View | None:
    found: View | None = None
    value = resolve(view.base)
    match op_name(value):
        case "relax.permute_dims":
            found = _transposed(view, value)
        case "relax.multiply" | "relax.divide":
            found = _scaled(view, value, resolve)
        case "relax.reshape" | "relax.expand_dims":
            repeated = _repeated(view, value.args[0], resolve) if shared else None
            found = repeated or _reshaped(view, value.args[0])
        case dataflow.TUPLE_GET_ITEM:
            found = _one_part(view, value, resolve)
    if found is None or not isinstance(view.base, Var):
        return None
    return replace(found, looked_through=(*found.looked_through, view.base))


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


def _one_part(view: View, value: Expr, resolve: Resolve) -> View | None:
    """Read past a split into equal parts, such as a packed projection's."""
    split = resolve(value.tuple_value)
    if op_name(split) != "relax.split":
        return None
    shapes = [shape_of(relax.Var("part", field)) for field in split.ty.fields]
    if not all(same_dims(shapes[0], shape) for shape in shapes):
        return None
    part, axis = str(value.index), int(split.attrs.axis) % len(view.axes)
    if len(part) > 1 or part in view.sizes:
        return None
    axes = tuple(part + group if d == axis else group for d, group in enumerate(view.axes))
    sizes = {**view.sizes, part: len(shapes)}
    return replace(
        view,
        base=split.args[0],
        axes=axes,
        sizes=sizes,
        looked_through=(*view.looked_through, value.tuple_value),
    )


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


def _repeated(view: View, copies: Expr, resolve: Resolve) -> View | None:
    """Read past copies of each head, as many of every one, that a reshape joins to more heads."""
    value, shape = resolve(copies), shape_of(copies)
    if op_name(value) != "relax.broadcast_to" or shape is None or "h" not in view.axes:
        return None
    place = view.axes.index("h")
    if len(shape) != len(view.axes) + 1 or not isinstance(copies, Var):
        return None
    before, (heads, number), behind = shape[:place], shape[place : place + 2], shape[place + 2 :]
    if not isinstance(heads, int) or not isinstance(number, int):
        return None
    one_each, joined = (*before, heads, 1, *behind), (*before, heads * number, *behind)
    if not same_dims(shape_of(value.args[0]), one_each):
        return None
    if not same_dims(shape_of(view.base), joined):
        return None
    return replace(
        view,
        base=value.args[0],
        axes=(*view.axes[: place + 1], "", *view.axes[place + 1 :]),
        sizes={**view.sizes, "h": heads},
        looked_through=(*view.looked_through, copies),
    )


def _fills(group: str, size: Dim, sizes: Mapping[str, Dim]) -> bool:
    """Whether letters make up a dimension."""
    return same_dims((prod(sizes[letter] for letter in group),), (size,))
