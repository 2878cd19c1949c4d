"""Non-maximum suppression: of boxes that overlap, the one with the best score stays.

Each class of each image sorts those of its boxes that score enough, digit by digit, and holds every
box in turn against the chosen ones, a vector of them at a time. Sources: Neubeck and Van Gool,
"Efficient non-maximum suppression", 2006; the sort is LSD radix sort, which is stable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr
from tvm.relax import BlockBuilder
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.sym import Analyzer
from tvm.tirx import Buffer, Stmt

from tvmfuse.ir.sizes import LARGEST
from tvmfuse.ir.types import numbers_of
from tvmfuse.ops.lowering.half import Legalize
from tvmfuse.ops.lowering.written import INT64, int64, local

FLOAT: Final = "float32"

LANES: Final = 16
"""Chosen boxes that are looked at together, in one vector or several."""

BLOCK: Final = 4 * LANES
"""Chosen boxes after which is asked whether one of them overlaps."""

DIGIT: Final = 8
"""Bits by which one pass of the sort orders."""

KEY: Final = 32
"""Bits of a score. A key's low bits are the box: of equal scores the first one is better."""


def _suppress(bb: BlockBuilder, call: Call) -> Expr:
    boxes, scores, most, overlap, least = call.args
    images, classes, count = scores.ty.shape.values
    limit = numbers_of(most)
    asked = LARGEST if limit is None else int(limit.item())
    chosen = count if asked >= LARGEST else tirx.min(tirx.const(asked, INT64), count)
    chosen = Analyzer().simplify(tirx.max(chosen, int64(0)))
    groups, room = images * classes, tirx.floordiv(chosen + (BLOCK - 1), BLOCK) * BLOCK
    shapes: list[tuple[Any, ...]] = [
        (groups * chosen, 3),
        (1,),
        (images, 5, count),
        (groups, 5, room),
        (groups, 2, count),
        (groups, chosen),
        (groups,),
    ]
    dtypes = [INT64, INT64, FLOAT, FLOAT, INT64, "int32", INT64]

    def compute(*operands: te.Tensor) -> list[te.Tensor]:
        made = te.extern(
            shapes,
            [*operands],
            lambda ins, outs: _kernel([*ins, *outs], (images, classes, count, chosen, room)),
            dtype=dtypes,
            name="suppress",
        )
        return [*made]

    found = bb.emit(
        bb.call_te(compute, boxes, scores, overlap, least, primfunc_name_hint="suppress")
    )
    return relax.Tuple([bb.emit(relax.TupleGetItem(found, i)) for i in range(2)])


def _kernel(buffers: list[Buffer], sizes: tuple[Expr, Expr, Expr, Expr, Expr]) -> Stmt:
    with IRBuilder() as builder:
        with write.seq_scope():
            parts: list[Any] = [*map(write.buffer_proxy, buffers), sizes]
            _Writer(*parts).write()
        return builder.get()


@dataclass(frozen=True, eq=False)
class _Writer:
    """Writes the kernel.

    Attributes:
        boxes: (N, B, 4), two corners each.
        scores: (N, C, B).
        overlap: From which share of their union on a box gives way, ().
        least: What a score has to exceed, ().
        rows: Image, class and box, (N * C * K, 3), of which the first `total` ones are written.
        total: (1,).
        corners: Least and greatest coordinates and areas of the boxes, (N, 5, B).
        kept: Likewise of the chosen ones, (N * C, 5, L), where L is K up to a whole block.
        keys: Of each class, (N * C, 2, B): scores and boxes, in two places by turns.
        chosen: Boxes, (N * C, K).
        counts: How many, (N * C,).
        sizes: N, C, B, K and L.
    """

    boxes: Any
    scores: Any
    overlap: Any
    least: Any
    rows: Any
    total: Any
    corners: Any
    kept: Any
    keys: Any
    chosen: Any
    counts: Any
    sizes: tuple[Expr, Expr, Expr, Expr, Expr]

    def write(self) -> None:
        """Write its statements."""
        images, classes, boxes, _, _ = self.sizes
        with write.serial(0, images) as image, write.serial(0, boxes) as box:
            self._measure(image, box)
        with write.parallel(0, images * classes) as group:
            self._class(group)
        self.total[0] = int64(0)
        with write.serial(0, images * classes) as group:
            with write.serial(0, self.counts[group]) as place:
                row = self.total[0] + place
                self.rows[row, 0] = tirx.floordiv(group, classes)
                self.rows[row, 1] = tirx.floormod(group, classes)
                self.rows[row, 2] = tirx.Cast(INT64, self.chosen[group, place])
            self.total[0] = self.total[0] + self.counts[group]

    def _measure(self, image: Expr, box: Expr) -> None:
        low, high = (
            [combine(self.boxes[image, box, i], self.boxes[image, box, i + 2]) for i in range(2)]
            for combine in (tirx.min, tirx.max)
        )
        area = (high[0] - low[0]) * (high[1] - low[1])
        for place, number in enumerate((*low, *high, area)):
            self.corners[image, place, box] = number

    def _class(self, group: Expr) -> None:
        candidates = local(1, INT64)
        self._gather(group, candidates)
        self._sort(group, candidates[0])
        nowhere = (
            *(tirx.const(float("inf"), FLOAT),) * 2,
            *(tirx.const(-float("inf"), FLOAT),) * 2,
        )
        for part, number in enumerate((*nowhere, tirx.const(0, FLOAT))):
            with write.serial(0, self.sizes[4]) as place:
                self.kept[group, part, place] = number
        self.counts[group] = int64(0)
        with (
            write.serial(0, candidates[0]) as place,
            write.If(self.counts[group] < self.sizes[3]),
            write.Then(),
        ):
            box = tirx.bitwise_and(self.keys[group, 0, place], int64(2**KEY - 1))
            self._choose(group, box)

    def _gather(self, group: Expr, candidates: Any) -> None:
        """Write the keys of boxes that score enough; a better score is a smaller key."""
        _, classes, boxes, _, _ = self.sizes
        image, kind = tirx.floordiv(group, classes), tirx.floormod(group, classes)
        candidates[0] = int64(0)
        with write.serial(0, boxes) as box:
            score = self.scores[image, kind, box]
            with write.If(score > self.least[()]), write.Then():
                # Zeros are equal, whatever their signs.
                same = tirx.Select(score == tirx.const(0, FLOAT), tirx.const(0, FLOAT), score)
                bits = tirx.Cast(INT64, tirx.reinterpret("int32", same))
                # Negative numbers are better the smaller their bits are, and after all others.
                above = int64(2 ** (KEY - 1) - 1)
                order = tirx.Select(
                    bits < int64(0), tirx.bitwise_and(bits, int64(2**KEY - 1)), above - bits
                )
                self.keys[group, 0, candidates[0]] = order * int64(2**KEY) + box
                candidates[0] = candidates[0] + int64(1)

    def _sort(self, group: Expr, candidates: Expr) -> None:
        starts = local(2**DIGIT, INT64)
        for number in range(KEY // DIGIT):
            come, go = number % 2, 1 - number % 2
            with write.serial(0, 2**DIGIT) as digit:
                starts[digit] = int64(0)
            with write.serial(0, candidates) as place:
                digit = _digit(self.keys[group, come, place], number)
                starts[digit] = starts[digit] + int64(1)
            before = local(2, INT64)
            before[0] = int64(0)
            with write.serial(0, 2**DIGIT) as digit:
                before[1] = before[0] + starts[digit]
                starts[digit] = before[0]
                before[0] = before[1]
            with write.serial(0, candidates) as place:
                digit = _digit(self.keys[group, come, place], number)
                self.keys[group, go, starts[digit]] = self.keys[group, come, place]
                starts[digit] = starts[digit] + int64(1)

    def _choose(self, group: Expr, box: Expr) -> None:
        """Add a box to the chosen ones unless one of them overlaps it too much."""
        image = tirx.floordiv(group, self.sizes[1])
        own = local(5, FLOAT)
        for part in range(5):
            own[part] = self.corners[image, part, box]
        hits = local(LANES, "int32")
        hit = local(1, "int32")
        seen = local(1, INT64)
        hit[0], seen[0] = tirx.const(0, "int32"), int64(0)
        with write.While(tirx.And(hit[0] == 0, seen[0] < self.counts[group])):
            with write.vectorized(0, LANES) as lane:
                hits[lane] = tirx.const(0, "int32")
            for vector in range(BLOCK // LANES):
                with write.vectorized(0, LANES) as lane:
                    other = [self.kept[group, p, seen[0] + vector * LANES + lane] for p in range(5)]
                    hits[lane] = tirx.bitwise_or(hits[lane], self._overlaps(own, other))
            for lane in range(LANES):
                hit[0] = tirx.bitwise_or(hit[0], hits[lane])
            seen[0] = seen[0] + int64(BLOCK)
        with write.If(hit[0] == 0), write.Then():
            for part in range(5):
                self.kept[group, part, self.counts[group]] = own[part]
            self.chosen[group, self.counts[group]] = tirx.Cast("int32", box)
            self.counts[group] = self.counts[group] + int64(1)

    def _overlaps(self, a: Any, b: list[Expr]) -> Expr:
        zero = tirx.const(0, FLOAT)
        sides = [
            tirx.max(tirx.min(a[2 + i], b[2 + i]) - tirx.max(a[i], b[i]), zero) for i in range(2)
        ]
        both = sides[0] * sides[1]
        # No multiply-add, which rounds once: boxes that are the same would overlap by more than 1.
        union = a[4] + b[4] - tirx.min(both, a[4])
        return tirx.Select(
            tirx.And(union > zero, both / union >= self.overlap[()]),
            tirx.const(1, "int32"),
            tirx.const(0, "int32"),
        )


def _digit(key: Expr, number: int) -> Expr:
    shifted = tirx.shift_right(key, int64(KEY + number * DIGIT))
    return tirx.bitwise_and(shifted, int64(2**DIGIT - 1))


SUPPRESSION: Final[Mapping[str, Legalize]] = {
    "relax.vision.all_class_non_max_suppression": _suppress,
}
