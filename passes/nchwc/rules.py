"""How operators other than convolutions work on tensors whose channels come in blocks.

A rule gets a call and its operands as they are in blocks, None for those that have no such form.
It returns the call on them, `Plain` where that gives the plain tensor, or None where it takes the
plain tensors; or, where somebody would expect it to take blocks, the condition that does not hold,
in words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from tvm import relax
from tvm.ir import Call, Expr, GenericConst, Tuple
from tvm.tirx import IntImm

from tvmfuse.ir.attributes import with_attributes
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.reshape import in_shape
from tvmfuse.ir.types import constant, known_array, rank_of, same_dims, shape_of
from tvmfuse.ops import to_blocked
from tvmfuse.ops.traits import Kind, traits_of
from tvmfuse.passes.nchwc.arrays import blocked
from tvmfuse.passes.per_channel import affine_of, all_finite, is_affine


@dataclass(frozen=True)
class Plain:
    """What reads tensors in blocks and gives the plain one.

    Attributes:
        call: What it calls; operands may be calls, too.
    """

    call: Call


Operands = Sequence[Expr | None]
Found: TypeAlias = Call | Plain | str | None
Rule = Callable[[Call, Operands], Found]

OF_THE_IMAGE: Final = "places are taken along an axis of the image, not among channels"

OF_WHOLE_BLOCKS: Final = "channels are taken in whole blocks, one after the other"

SPATIAL: Final = {1: "W", 2: "HW", 3: "DHW"}


def on_blocks(call: Call, operands: Operands) -> Found:
    """Return the call on operands in blocks; None, or why not, where it has no such form.

    A batch norm becomes one tensor, its first output.
    """
    rule = rule_of(call)
    return rule(call, operands) if rule and any(o is not None for o in operands) else None


def _elementwise(call: Call, operands: Operands) -> Call | None:
    return elementwise(call, operands, _block(operands))


def elementwise(call: Call, operands: Operands, block: int) -> Call | None:
    """Return what is computed element by element, on operands in blocks.

    Args:
        call: On the plain tensors.
        operands: Its operands in blocks, all None where there are none yet.
        block: Channels of a block.
    """
    rank = rank_of(call)
    in_blocks = [a for a, o in zip(call.args, operands, strict=True) if o is not None]
    channels = {_channels(tensor) for tensor in (call, *in_blocks)}
    if rank is None or None in channels or len(channels) > 1:
        return None  # where one channel of a tensor in blocks is spread over all of the result's
    if len({int(o.ty.shape.values[-1]) for o in operands if o is not None}) > 1:
        return None  # a concatenation has its parts' blocks
    args = [
        o if o is not None else beside(a, rank, block)
        for a, o in zip(call.args, operands, strict=True)
    ]
    if any(a is None for a in args):
        return None
    return Call(call.op, args, attrs=call.attrs, ty_args=call.ty_args)


def beside(operand: Expr, rank: int, block: int) -> Expr | None:
    """Return an operand that broadcasts to a plain tensor as one that does to its blocks.

    None for one whose shape is not known.
    """
    if not isinstance(operand.ty, relax.TensorType):
        return operand  # a number
    shape = shape_of(operand)
    if shape is None:
        return None
    if not shape:
        return operand
    full = (*[1] * (rank - len(shape)), *shape)
    if not isinstance(full[1], int):
        return None
    if full[1] == 1:
        new = (*full, 1)
    elif full[1] % block:
        return None
    elif isinstance(operand, GenericConst):
        return constant(blocked(known_array(operand).reshape(full), block))
    elif all(isinstance(d, int) and d == 1 for d in full[2:]):
        new = (full[0], full[1] // block, *full[2:], block)
    else:
        return to_blocked(operand, block) if len(shape) == rank else None
    if isinstance(operand, GenericConst):
        return constant(known_array(operand).reshape(new))
    return in_shape(operand, new)


def _steps(call: Call, operands: Operands) -> Call | None:
    """Quantize, or dequantize, by one scale for all channels."""
    x = operands[0]
    if x is None or any(rank_of(parameter) != 0 for parameter in call.args[1:]):
        return None
    return Call(call.op, [x, *call.args[1:]], attrs=call.attrs)


def _pool(call: Call, operands: Operands) -> Call | None:
    (x,), attrs = operands, call.attrs
    if x is None or not str(attrs.layout).startswith("NC"):
        return None
    layout = f"NC{SPATIAL[len(attrs.pool_size)]}{_block(operands)}c"
    return with_attributes(call, [x], layout=layout, out_layout=layout)


def _reduction(call: Call, operands: Operands) -> Found:
    (x,), rank = operands, rank_of(call.args[0])
    if x is None or rank is None or call.attrs.axis is None:
        return None
    axes = sorted(int(a) % rank for a in call.attrs.axis)
    if 1 in axes:
        return None
    kept = with_attributes(call, [x], axis=axes, keepdims=True)
    if call.attrs.keepdims:
        return kept
    # Of one number for each channel, blocks lie as the plain tensor does.
    whole = set(axes) >= set(range(2, rank))
    return Plain(in_shape(kept, shape_of(call) or ())) if whole else None


def _concat(call: Call, operands: Operands) -> Call | None:
    if call.attrs.axis is None:
        return None
    block = _block(operands)
    given = zip(call.args[0].fields, operands, strict=True)
    tensors = [_constant(a, block) if o is None else o for a, o in given]
    blocks = {None if o is None else int(o.ty.shape.values[-1]) for o in tensors}
    axis = int(call.attrs.axis) % (rank_of(call) or 1)
    return relax.op.concat(tensors, axis) if blocks == {block} else None


def _constant(operand: Expr, block: int) -> Expr | None:
    """Return a constant in blocks; None for what is no constant, or fills no blocks."""
    channels = _channels(operand)
    if not isinstance(operand, GenericConst) or channels is None or channels % block:
        return None
    return constant(blocked(known_array(operand), block))


@np.errstate(over="ignore", invalid="ignore")
def _batch_norm(call: Call, operands: Operands) -> Found:
    """Compute scale and shift of each channel, as ONNX Runtime does: a multiply-add is left."""
    x, rank = operands[0], rank_of(call.args[0])
    if x is None or rank is None:
        return None
    for holds, words in is_affine(call, num_uses=1):
        if not holds:
            return words
    if int(call.attrs.axis) != 1:
        return "the batch norm's channels are the second axis"
    scale, shift = (a.astype("float32") for a in affine_of(call))
    if not all_finite(scale, shift):
        return "the batch norm's scale and shift are finite"
    shape = (1, scale.size, *[1] * (rank - 2))
    factor, term = (constant(blocked(a.reshape(shape), _block(operands))) for a in (scale, shift))
    return relax.op.add(relax.op.multiply(x, factor), term)


def _take(call: Call, operands: Operands) -> Found:
    """Take places along an axis of the image: what Resize does to find nearest neighbours."""
    x, indices = operands[0], call.args[1]
    axis = call.attrs.axis
    if x is None or axis is None or operands[1] is not None:
        return None
    place = int(axis) % (rank_of(call.args[0]) or 1)
    if place < 2:
        return OF_THE_IMAGE
    if rank_of(indices) != 1:
        return "places are taken without an axis more, or less"
    return relax.op.take(x, indices, place, mode=str(call.attrs.mode))


def _slice(call: Call, operands: Operands) -> Found:
    """Slice axes of the image, or whole blocks of channels: halves of them are that, mostly."""
    (_, axes, *bounds), shape = call.args, shape_of(call.args[0])
    if operands[0] is None or shape is None or not isinstance(axes, Tuple):
        return None
    places = [int(a) % len(shape) for a in axes.fields]
    if 0 in places:
        return OF_THE_IMAGE
    if 1 in places:
        at, channels = places.index(1), _channels(call.args[0])
        given = [bound.fields[at] for bound in bounds if isinstance(bound, Tuple)]
        known = [int(n) for n in given if isinstance(n, IntImm)]
        if channels is None or not len(known) == len(given) == len(bounds):
            return OF_WHOLE_BLOCKS
        begin, end, step = slice(*known).indices(channels)
        block = _block(operands)
        if begin % block or end % block or step != 1:
            return OF_WHOLE_BLOCKS
        ends = (begin // block, end // block, step)
        bounds = [_with(bound, at, n) for bound, n in zip(bounds, ends, strict=False)]
    renamed = Tuple([relax.prim_value(place) for place in places])
    return Call(call.op, [operands[0], renamed, *bounds], attrs=call.attrs)


def _with(bounds: Tuple, place: int, bound: int) -> Tuple:
    fields = list(bounds.fields)
    fields[place] = relax.prim_value(bound)
    return Tuple(fields)


def _pad(call: Call, operands: Operands) -> Found:
    widths = [int(width) for width in call.attrs.pad_width]
    if operands[0] is None:
        return None
    if any(widths[:4]):
        return "the pad leaves the batch and the channels as they are"
    return with_attributes(call, [operands[0]], pad_width=[*widths, 0, 0])


def _matmul(call: Call, operands: Operands) -> Found:
    """Multiply an axis of the image by a matrix: what Resize does to mix many places."""
    (a, b), (left, right) = call.args, operands
    if left is not None and right is None and rank_of(b) == 2:
        return relax.op.matmul(_transposed(b), left)
    if right is None or left is not None or rank_of(a) != 2:
        return None
    *outer, width, block = shape_of(right) or ()
    if len(outer) < 3:
        return "the product is along an axis of the image, not over channels"
    rows = relax.op.matmul(a, in_shape(right, (*outer, width * block)))
    return in_shape(rows, (*outer[:-1], (shape_of(a) or ())[0], width, block))


def _transposed(matrix: Expr) -> Expr:
    if isinstance(matrix, GenericConst):
        return constant(known_array(matrix).T)
    return relax.op.permute_dims(matrix, [1, 0])


def _reshape(call: Call, operands: Operands) -> Found:
    """Give an image other sizes, or axes of which one is beside the other."""
    x, before, after = operands[0], shape_of(call.args[0]), shape_of(call)
    if x is None or before is None or after is None or len(after) < 3:
        return None
    if not same_dims(before[:2], after[:2]):
        same_rank = len(before) == len(after)
        return "the batch and the channels stay as they are" if same_rank else None
    chunks = int(x.ty.shape.values[1])
    return in_shape(x, (after[0], chunks, *after[2:], _block(operands)))


def _resample(call: Call, operands: Operands) -> Found:
    """Mix places along axes of the image: what Resize does between its pixels."""
    x, *tables = operands
    if x is None or any(table is not None for table in tables):
        return None
    if min(int(axis) for axis in call.attrs["axes"]) < 2:
        return OF_THE_IMAGE
    return Call(call.op, [x, *call.args[1:]], attrs=call.attrs)


def _weight_gradient(call: Call, operands: Operands) -> Found:
    """Read a gradient whose channels lie side by side already; pixels are read as they are."""
    gradient = operands[1]
    if gradient is None:
        return None
    if int(call.attrs["groups"]) > 1:
        return "the weights whose gradient it is are of one group"
    return Plain(Call(call.op, [call.args[0], gradient], attrs=call.attrs))


def _channels(tensor: Expr) -> int | None:
    shape = shape_of(tensor)
    return shape[1] if shape and len(shape) > 1 and isinstance(shape[1], int) else None


def _block(operands: Operands) -> int:
    return next(int(o.ty.shape.values[-1]) for o in operands if o is not None)


BY_KIND: Final[Mapping[Kind, Rule]] = {
    Kind.AVERAGE_POOL: _pool,
    Kind.ELEMENTWISE: _elementwise,
    Kind.MAX_POOL: _pool,
    Kind.REDUCTION: _reduction,
}

BY_NAME: Final[Mapping[str, Rule]] = {
    "relax.concat": _concat,
    "relax.dequantize": _steps,
    "relax.matmul": _matmul,
    "relax.nn.batch_norm": _batch_norm,
    "relax.nn.pad": _pad,
    "relax.quantize": _steps,
    "relax.reshape": _reshape,
    "relax.strided_slice": _slice,
    "relax.take": _take,
    "tvmfuse.conv_weight_gradient": _weight_gradient,
    "tvmfuse.resample": _resample,
}


def rule_of(call: Expr | None) -> Rule | None:
    """Return the rule of a call, None where it takes no blocks."""
    return BY_NAME.get(op_name(call) or "") or BY_KIND.get(traits_of(call).kind)
