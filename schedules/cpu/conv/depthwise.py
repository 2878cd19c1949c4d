"""Reading a depthwise convolution: each channel by itself, of an image that a copy pads.

Image and weights may be of bfloat16 where the channels lie in blocks, and are summed in float32.
Those of bytes are read of the copy, whatever it is padded with, and summed in int32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tvm import tirx
from tvm.ir import Expr, TensorLoad

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.schedules.contraction import Operand, contraction
from tvmfuse.schedules.cpu.gemm.begun_sums import SUMMED
from tvmfuse.schedules.cpu.gemm.contraction_nest import column_axis
from tvmfuse.schedules.cpu.padding import Padded, as_it_is, padded
from tvmfuse.schedules.cpu.vectors import maskable
from tvmfuse.schedules.cpu.widened import BYTES
from tvmfuse.schedules.expressions import coefficient, number, static, substitute, variables
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, analyzer
from tvmfuse.schedules.vector_accesses import MASKED_BITS, MAX_STEP


@dataclass(frozen=True, eq=False)
class Depthwise:
    """A convolution of each channel by itself.

    Attributes:
        group: Reads a padded copy.
        padded: What it reads of it.
        image: An element of the copy.
        weight: What that is multiplied by.
        row: The axis of lines of results.
        along: That of a line of results, where results side by side are channels.
        column: That of results side by side.
        stride: Columns of the image from one of these to the next; 1 where they are channels.
    """

    group: Group
    padded: Padded
    image: TensorLoad
    weight: TensorLoad
    row: Axis
    along: tuple[Axis, ...]
    column: Axis
    stride: int

    @property
    def is_blocked(self) -> bool:
        """Whether results side by side are channels, each of which has weights of its own."""
        return _uses(self.weight, self.column)

    @property
    def line_step(self) -> int:
        """Lines of the image from one line of results to the next."""
        steps = (coefficient(index, self.row.var) for index in self.image.indices)
        return max((static(step) or 0 for step in steps if step is not None), default=1)

    @property
    def widens(self) -> bool:
        """Whether the image is of bfloat16, and summed in float32."""
        return str(self.image.ty.dtype) == BFLOAT16

    @property
    def images(self) -> list[Axis]:
        """The axes of what is convolved by itself."""
        return [a for a in self.group.head.spatial if a not in (self.column, self.row, *self.along)]

    @property
    def taps(self) -> int:
        """How many products are summed up."""
        return math.prod(static(axis.extent) or 1 for axis in self.group.head.reduction)

    @property
    def farthest(self) -> int:
        """Columns of the image from a result's first tap to its last."""
        zeros = {axis.var: number(0) for axis in self.group.head.spatial}
        ends = {a.var: number((static(a.extent) or 1) - 1) for a in self.group.head.reduction}
        last = substitute(self.image.indices[-1], {**zeros, **ends})
        return static(analyzer().simplify(last)) or 0

    @property
    def sums(self) -> str:
        """The type of a sum."""
        return str(self.group.head.store.value.ty.dtype)

    @property
    def bits(self) -> int:
        """Of a sum."""
        return int(self.group.head.store.value.ty.dtype.bits)


def depthwise(parts: Sequence[Group]) -> Depthwise | None:
    """Read groups as a copy that pads and a depthwise convolution; None of anything else.

    Args:
        parts: All groups of a kernel.
    """
    if len(parts) != 2:
        return None
    copy, group = parts
    sums, column = contraction(group.head), column_axis(group.head)
    if sums is None or column is None:
        return None
    first, second = sorted(sums.operands, key=lambda operand: not _reads(operand, copy))
    found = None if first.load is None else padded(first.load, copy)
    what = _of(group, found, first, second, column) if found else None
    return what if what and _has_vectors(what, (first, second)) else None


def depthwise_of_bytes(group: Group) -> Depthwise | None:
    """Read a group as a depthwise convolution of bytes in blocks; None of anything else.

    All that it reads is there: of an image that is padded, its copy.
    """
    sums, column = contraction(group.head), column_axis(group.head)
    if sums is None or column is None:
        return None
    spatial = group.head.spatial
    second, first = sorted(sums.operands, key=lambda operand: sum(map(operand.uses, spatial)))
    if first.load is None or not all(map(_is_byte, (first, second))):
        return None
    what = _of(group, as_it_is(first.load), first, second, column)
    return what if what and what.is_blocked and what.sums == SUMMED else None


def _is_byte(operand: Operand) -> bool:
    """Whether a byte is multiplied as an int32, and is nothing else in between."""
    factor = operand.factor
    is_cast = isinstance(factor, tirx.Cast) and isinstance(factor.value, TensorLoad)
    return is_cast and operand.stored_dtype in BYTES and operand.compute_dtype == SUMMED


def _of(
    group: Group, found: Padded, first: Operand, second: Operand, column: Axis
) -> Depthwise | None:
    """Return the convolution of an image, the first operand, by weights; None of anything else."""
    image, weight = first.load, second.load
    if image is None or weight is None:
        return None
    lines = _lines(group, image, weight, column)
    if not lines:
        return None
    row, *along = lines
    step = static(coefficient(image.indices[-1], column.var) or number(0)) or 0
    if not 1 <= step <= (1 if _uses(weight, column) else MAX_STEP):
        return None
    return Depthwise(group, found, image, weight, row, tuple(along), column, step)


def _has_vectors(what: Depthwise, operands: Sequence[Operand]) -> bool:
    """Whether vectors hold the operands, and masks stop them where they are not of whole lines."""
    stored = {operand.stored_dtype for operand in operands}
    summed = {operand.compute_dtype for operand in operands}
    if summed != {what.sums} or what.bits not in MASKED_BITS:
        return False
    if stored == {BFLOAT16} and summed == {"float32"}:
        fill = what.padded.fill
        return what.is_blocked and isinstance(fill, tirx.FloatImm) and fill.value == 0
    is_plain = all(isinstance(operand.factor, TensorLoad) for operand in operands)
    return is_plain and len(stored) == 1 and maskable(what.group.stages, what.column)


def _reads(operand: Operand, copy: Group) -> bool:
    return operand.load is not None and operand.load.source in copy.stored


def _lines(group: Group, image: TensorLoad, weight: TensorLoad, column: Axis) -> list[Axis]:
    """Return the axis of lines, and that of a line where its results are no neighbours.

    Neither where something else than the window of one image is summed up.
    """
    head, first = group.head, -3 if _uses(weight, column) else -2
    others, lines, place = image.indices[:first], image.indices[first:-1], image.indices[-1]
    if any(a.var in variables(*others) or not static(a.extent) for a in head.reduction):
        return []
    if column.var not in variables(place) or column.var in variables(*others, *lines):
        return []
    axes = list[Axis]()
    for index in lines:
        found = [a for a in head.spatial if a.var in variables(index)]
        move = coefficient(index, found[0].var) if len(found) == 1 else None
        if move is None or not static(move) or _uses(weight, found[0]) or found[0] in axes:
            return []
        axes += found
    return axes


def _uses(factor: Expr, axis: Axis) -> bool:
    return axis.var in variables(factor)
