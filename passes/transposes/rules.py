"""How operators work on operands that are not transposed: with their axes renamed.

A rule gets a call and a permutation `p`, and says what computes the same from operands that `p`
has not been applied to: ``op(permute_dims(x, p)) == permute_dims(moved(x), result)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tvm import relax
from tvm.ir import Call, Expr, Tuple
from tvm.relax import op
from tvm.relax.op import nn

from tvmfuse.ir.attributes import with_attributes
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import Dim, rank_of, same_dims, shape_of
from tvmfuse.ops.traits import Kind, traits_of
from tvmfuse.passes.transposes.permutation import Permutation, inverse, permuted

Build = Callable[[Sequence[Expr]], Expr]


@dataclass(frozen=True)
class Each:
    """The layouts of a tuple's elements."""

    layouts: tuple[Permutation | None, ...]


Layout = Permutation | Each | None
"""The permutation by which a value comes later; None for one that stays as it is."""


@dataclass(frozen=True)
class Move:
    """A call on operands that are not transposed.

    Attributes:
        data: The positions of the operands that `p` is taken off.
        result: The layout of the result.
        build: Makes the call from all its operands.
    """

    data: tuple[int, ...]
    result: Layout
    build: Build


Rule = Callable[[Call, Permutation], Move | None]


def operands(call: Call) -> list[Expr]:
    """Return the operands of a call; those in a tuple count one by one."""
    flat: list[Expr] = []
    for arg in call.args:
        flat.extend(arg.fields if isinstance(arg, Tuple) else [arg])
    return flat


def move(call: Call, p: Permutation) -> Move | None:
    """Return the call before the transpose; None where it cannot be moved.

    The shapes of what it reads and computes have to be known.
    """
    rule = _rule(call)
    result = call.ty.fields if isinstance(call.ty, relax.TupleType) else [call.ty]
    types = [
        ty for ty in [*(a.ty for a in operands(call)), *result] if isinstance(ty, relax.TensorType)
    ]
    if rule is None or any(getattr(ty.shape, "values", None) is None for ty in types):
        return None
    return rule(call, p)


def _elementwise(call: Call, p: Permutation) -> Move | None:
    if rank_of(call) != len(p):
        return None
    data = tuple(i for i, a in enumerate(call.args) if rank_of(a))
    return Move(data, p, lambda args: Call(call.op, args, attrs=call.attrs, ty_args=call.ty_args))


def _on_first(change: Callable[[Call, Permutation], tuple[Layout, Build] | None]) -> Rule:
    """Make a rule of a function that returns the result's permutation and the new call.

    The call is made by a function of the operands; only the first one is transposed.
    """

    def rule(call: Call, p: Permutation) -> Move | None:
        changed = change(call, p) if rank_of(call.args[0]) == len(p) else None
        return None if changed is None else Move((0,), *changed)

    return rule


def _along_axis(call: Call, p: Permutation) -> tuple[Layout, Build] | None:
    if call.attrs.axis is None:
        return None  # of the flattened tensor
    axis = p[int(call.attrs.axis) % len(p)]
    result: Layout = p
    if isinstance(call.ty, relax.TupleType):
        result = Each(tuple(p if ty.ndim == len(p) else None for ty in call.ty.fields))
    return result, lambda args: with_attributes(call, args, axis=axis)


def _lines(call: Call, p: Permutation) -> Move | None:
    if any(rank_of(operand) != len(p) for operand in call.args):
        return None
    axis = p[int(call.attrs.axis) % len(p)]
    places = tuple(range(len(call.args)))
    return Move(places, p, lambda args: with_attributes(call, args, axis=axis))


def _dropped(p: Permutation, axes: Sequence[int]) -> Permutation:
    """Return the permutation of what is left when the transposed tensor loses these axes."""
    left = [p[i] for i in range(len(p)) if i not in axes]
    return tuple(sorted(left).index(axis) for axis in left)


def _reduction(call: Call, p: Permutation) -> tuple[Layout, Build]:
    given = range(len(p)) if call.attrs.axis is None else call.attrs.axis
    axes = [int(a) % len(p) for a in given]
    result = p if call.attrs.keepdims else _dropped(p, axes)
    return result, lambda args: with_attributes(call, args, axis=[p[a] for a in axes])


def _arg_reduction(call: Call, p: Permutation) -> tuple[Layout, Build] | None:
    if call.attrs.axis is None:
        return None  # an index into the flattened tensor
    axis = int(call.attrs.axis) % len(p)
    result = p if call.attrs.keepdims else _dropped(p, [axis])
    return result, lambda args: with_attributes(call, args, axis=p[axis])


def _concat(call: Call, p: Permutation) -> Move | None:
    if call.attrs.axis is None or not isinstance(call.args[0], Tuple) or rank_of(call) != len(p):
        return None
    axis = p[int(call.attrs.axis) % len(p)]
    return Move(tuple(range(len(call.args[0].fields))), p, lambda args: op.concat(args, axis))


def _split(call: Call, p: Permutation) -> tuple[Layout, Build]:
    parts, axis = call.attrs.indices_or_sections, p[int(call.attrs.axis) % len(p)]
    cuts = int(parts) if hasattr(parts, "value") else [int(i) for i in parts]
    return Each((p,) * len(call.ty.fields)), lambda args: op.split(args[0], cuts, axis)


def _pad(call: Call, p: Permutation) -> tuple[Layout, Build]:
    attrs, back = call.attrs, inverse(p)
    widths = [int(attrs.pad_width[2 * axis + side]) for axis in back for side in (0, 1)]
    return p, lambda args: nn.pad(args[0], widths, attrs.pad_mode, attrs.pad_value)


def _tile(call: Call, p: Permutation) -> tuple[Layout, Build] | None:
    repeats = [int(r) for r in call.attrs.repeats]
    if len(repeats) != len(p):
        return None
    return p, lambda args: op.tile(args[0], [repeats[axis] for axis in inverse(p)])


def _strided_slice(call: Call, p: Permutation) -> tuple[Layout, Build] | None:
    _, axes, *bounds = call.args
    if not isinstance(axes, Tuple):
        return None
    renamed = Tuple([relax.prim_value(p[int(a) % len(p)]) for a in axes.fields])
    return p, lambda args: Call(call.op, [args[0], renamed, *bounds], attrs=call.attrs)


def _write_rows(call: Call, p: Permutation) -> Move | None:
    if rank_of(call) != len(p):
        return None
    axis = p[int(call.attrs["axis"]) % len(p)]
    return Move((0, 2), p, lambda args: with_attributes(call, args, axis=axis))


def _take(call: Call, p: Permutation) -> tuple[Layout, Build] | None:
    indices, axis = rank_of(call.args[1]), call.attrs.axis
    if axis is None or indices is None or indices > 1:
        return None
    axis = int(axis) % len(p)
    result = p if indices else _dropped(p, [axis])
    return result, lambda args: op.take(args[0], args[1], p[axis], call.attrs.mode)


def _broadcast_to(call: Call, p: Permutation) -> Move | None:
    shape = shape_of(call)
    if shape is None or len(shape) != len(p):
        return None
    return Move((0,), p, lambda args: op.broadcast_to(args[0], permuted(shape, inverse(p))))


def _reshape(call: Call, p: Permutation) -> tuple[Layout, Build] | None:
    """Move a reshape that only adds or drops axes of extent 1."""
    source, target = shape_of(call.args[0]), shape_of(call)
    if source is None or target is None:
        return None
    kept, places = _wide_axes(source), _wide_axes(target)
    if not same_dims([source[i] for i in kept], [target[i] for i in places]):
        return None
    order = sorted(p[axis] for axis in kept)
    result = list(range(len(target)))
    for place, axis in zip(places, kept, strict=True):
        result[place] = places[order.index(p[axis])]
    shape = permuted(target, inverse(tuple(result)))
    return tuple(result), lambda args: in_shape(args[0], shape)


def _wide_axes(shape: Sequence[Dim]) -> list[int]:
    return [axis for axis, dim in enumerate(shape) if not (isinstance(dim, int) and dim == 1)]


BY_KIND: Final[Mapping[Kind, Rule]] = {
    Kind.ALONG_AXIS: _on_first(_along_axis),
    Kind.ARG_REDUCTION: _on_first(_arg_reduction),
    Kind.ELEMENTWISE: _elementwise,
    Kind.LINES: _lines,
    Kind.REDUCTION: _on_first(_reduction),
    Kind.RESHAPE: _on_first(_reshape),
}

BY_NAME: Final[Mapping[str, Rule]] = {
    "relax.broadcast_to": _broadcast_to,
    "relax.concat": _concat,
    "relax.nn.pad": _on_first(_pad),
    "relax.split": _on_first(_split),
    "relax.strided_slice": _on_first(_strided_slice),
    "relax.take": _on_first(_take),
    "relax.tile": _on_first(_tile),
    "tvmfuse.write_rows": _write_rows,
}


def _rule(call: Call) -> Rule | None:
    return BY_NAME.get(op_name(call) or "") or BY_KIND.get(traits_of(call).kind)
