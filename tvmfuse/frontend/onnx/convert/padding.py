"""Pad."""

from __future__ import annotations

from typing import Final

from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert import runtime_pads
from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_axis, require_rank, require_shape
from tvmfuse.ir.types import dtype_of

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
    begins, ends = _widths(op, rank)
    x = _cropped(op, x, begins, ends)
    begins, ends = [max(b, 0) for b in begins], [max(e, 0) for e in ends]
    if mode != "constant":
        _check_source(op, require_shape(x), begins, ends, mode)
    widths = [w for pair in zip(begins, ends, strict=True) for w in pair]
    return relax.op.nn.pad(x, widths, MODES[mode], _fill(op, mode))


def _widths(op: Operation, rank: int) -> tuple[list[int], list[int]]:
    """Return what is added before and after each axis."""
    if op.opset < 11:
        pads = op.integers("pads") or op.integers("paddings") or []
    else:
        pads = op.known_integers(1)
    axes = list(range(rank))
    if op.has(3):
        axes = [require_axis(a, rank) for a in op.known_integers(3)]
    count = len(axes)
    op.require(len(pads) == 2 * count, f"{count} axes need {2 * count} pads; found {len(pads)}")
    begins, ends = [0] * rank, [0] * rank
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


def _check_source(
    op: Operation, shape: list[object], begins: list[int], ends: list[int], mode: str
) -> None:
    """Refuse pads that read what is not there; `wrap` and `reflect` read as far as they pad."""
    for size, begin, end in zip(shape, begins, ends, strict=True):
        wide = max(begin, end)
        if not wide:
            continue
        needed = {"edge": 1, "wrap": wide, "reflect": wide + 1}[mode]
        op.require(isinstance(size, int), f"{mode} padding of the symbolic dimension {size}")
        op.require(size >= needed, f"{mode} padding by {wide} of {size} elements")  # type: ignore[operator]


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
