"""Pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import runtime_pads
from tvmfuse.frontend.onnx.convert.movement import filled
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.frontend.symbols import Dim, written
from tvmfuse.ir.types import dtype_of

D = TypeVar("D", int, Dim)

MODES: Final = {
    "constant": "constant",
    "reflect": "reflect",
    "edge": "replicate",
    "wrap": "circular",
}
"""ONNX's name -> Relax's."""


def pad(op: Operation) -> Expr:
    """Convert Pad; negative pads cut off elements."""
    x, rank = op.tensor(0), require_rank(op.tensor(0))
    mode = op.text("mode", "constant")
    op.require(mode in MODES, f"mode {mode!r} is none of ONNX's")
    if op.opset >= 11 and any(op.has(i) and op.known(i) is None for i in (1, 2, 3)):
        return runtime_pads.pad(op, mode)
    if op.opset >= 11 and not op.value(1).is_concrete:
        widths = op.dims(1)
        grows = mode == "constant" and all(map(op.symbols.non_negative, widths))
        return _surrounded(op, x, widths) if grows else runtime_pads.pad(op, mode)
    begins, ends = _widths(op, rank)
    x = _cropped(op, x, begins, ends)
    begins, ends = [max(b, 0) for b in begins], [max(e, 0) for e in ends]
    if mode != "constant" and not _reaches(op, require_shape(x), begins, ends, mode):
        return runtime_pads.pad(op, mode)
    widths = [w for pair in zip(begins, ends, strict=True) for w in pair]
    return relax.op.nn.pad(x, widths, MODES[mode], _fill(op, mode))


def _surrounded(op: Operation, x: Expr, widths: Sequence[Dim]) -> Expr:
    """Put tensors of the fill, of symbolic widths, before and after what is padded."""
    begins, ends = _by_axis(op, require_rank(x), widths)
    number = _fill(op, "constant")
    for axis, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        shape, parts = require_shape(x), [x]
        for place, width in ((0, begin), (2, end)):
            if not op.symbols.equal(width, 0):
                around = [*shape[:axis], width, *shape[axis + 1 :]]
                parts.insert(place, op.emit(filled(around, number, dtype_of(x))))
        x = op.emit(relax.op.concat(parts, axis)) if len(parts) > 1 else x
    return x


def _widths(op: Operation, rank: int) -> tuple[list[int], list[int]]:
    """Return what is added before and after each axis."""
    if op.opset < 11:
        return _by_axis(op, rank, op.integers("pads") or op.integers("paddings") or [])
    return _by_axis(op, rank, op.known_integers(1))


def _by_axis(op: Operation, rank: int, pads: Sequence[D]) -> tuple[list[D], list[D]]:
    axes = list(range(rank))
    if op.has(3):
        axes = [require_axis(a, rank) for a in op.known_integers(3)]
    count = len(axes)
    op.require(len(pads) == 2 * count, f"{count} axes need {2 * count} pads; found {len(pads)}")
    none: Any = 0
    begins, ends = [none] * rank, [none] * rank
    for place, axis in enumerate(axes):
        begins[axis], ends[axis] = pads[place], pads[count + place]
    return begins, ends


def _cropped(op: Operation, x: Expr, begins: list[int], ends: list[int]) -> Expr:
    axes = [a for a in range(len(begins)) if begins[a] < 0 or ends[a] < 0]
    if not axes:
        return x
    shape = require_shape(x)
    stops = [shape[a] + min(ends[a], 0) for a in axes]
    starts = [max(-begins[a], 0) for a in axes]
    for start, stop in zip(starts, stops, strict=True):
        op.require(not isinstance(stop, int) or start <= stop, "it cuts off more than there is")
    return op.emit(relax.op.strided_slice(x, axes, starts, stops, assume_inbound=True))


def _reaches(
    op: Operation, shape: Sequence[Dim], begins: list[int], ends: list[int], mode: str
) -> bool:
    """Refuse pads that read what is not there; return whether none does, of all that is fed."""
    for size, begin, end in zip(shape, begins, ends, strict=True):
        if not (wide := max(begin, end)):
            continue
        needed = {"edge": 1, "wrap": wide, "reflect": wide + 1}[mode]
        if isinstance(size, int):
            op.require(size >= needed, f"{mode} padding by {wide} of {size} elements")
        elif not op.symbols.require_non_negative(size - needed):
            op.require(op.opset >= 11, f"{mode} padding of the dimension {written(size)}")
            return False
    return True


def _fill(op: Operation, mode: str) -> float:
    if mode != "constant":
        return 0.0
    if op.opset < 11:
        return op.number("value", 0.0)
    if not op.has(2):
        return 0.0
    number = op.value(2).elements[0]
    op.require(dtype_of(op.tensor(0)) != "int64" or abs(number) < 2**53, "a fill beyond 2^53")
    return float(number)
