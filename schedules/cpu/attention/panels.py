"""Panels: copies of a head's keys or values as the register tile reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, BufferLoad, Stmt, Var

from tvmfuse.ir.bfloat16 import BFLOAT16, cast_to_bfloat16
from tvmfuse.schedules.cpu.attention.formulas import Formulas
from tvmfuse.schedules.cpu.attention.pairs import PAIR, PairPanels, multiplies_pairs, pairs_of
from tvmfuse.schedules.cpu.gemm.tile import best_tile
from tvmfuse.schedules.cpu.group_nest import inner_nest
from tvmfuse.schedules.cpu.nest import Scope
from tvmfuse.schedules.cpu.pointwise import inner_pointwise
from tvmfuse.schedules.cpu.square import Square
from tvmfuse.schedules.cpu.vectors import steps
from tvmfuse.schedules.expressions import number, static, substitute
from tvmfuse.schedules.groups import Group
from tvmfuse.schedules.kernels import Axis, Stage, Store, without_unit_axes
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence


@dataclass(frozen=True, eq=False)
class Strips:
    """Columns of panels, some beside each other at a time.

    Attributes:
        first: The first panel.
        count: How many strips: each is of the next panel, or they are beside each other in one.
        columns: How many columns each has.
        in_one: Whether they are in one panel.
    """

    first: Expr
    count: Expr
    columns: Expr
    in_one: bool = False

    def at(self, nth: Expr, column: Expr) -> tuple[Expr, Expr]:
        """Return the panel, and the place in it, of a column of a strip."""
        if self.in_one:
            return self.first, nth * self.columns + column
        return self.first + nth, column


@dataclass(frozen=True, eq=False)
class Panels:
    """A copy of keys or values, in panels of as many columns as a register tile has.

    Attributes:
        buffer: Shape (panels, depth, width), or in pairs (panels, depth / 2, width, 2).
        columns: How many columns there are; the last panel may have more.
        depth: How many numbers are summed up.
    """

    buffer: Buffer
    columns: Expr
    depth: Expr

    @property
    def width(self) -> int:
        """Columns of a panel."""
        return static(self.buffer.shape[2]) or 1

    @property
    def whole(self) -> Expr:
        """How many panels are full."""
        return tirx.floordiv(self.columns, self.width)

    @property
    def rest(self) -> Expr:
        """How many columns the last panel has; 0 for none."""
        return tirx.floormod(self.columns, self.width)

    def filled(self, lanes: int) -> tuple[Strips, ...]:
        """Return all columns, and what else is in the last vector of so many."""
        vectors, full = _quotient(self.rest, lanes), Strips(number(0), self.whole, self._columns)
        if static(self.columns) is None:
            return full, Strips(self.whole, vectors, number(lanes), in_one=True)
        last = _quotient(self.rest, self.width)
        return full, Strips(self.whole, last, vectors * lanes)

    @property
    def exact(self) -> tuple[Strips, ...]:
        """The full panels, and the last with the columns that it has."""
        last = _quotient(self.rest, self.width)
        full = Strips(number(0), self.whole, self._columns)
        return full, Strips(self.whole, last, self.rest)

    @property
    def _columns(self) -> Expr:
        return number(self.width)


@dataclass(frozen=True, eq=False)
class AttentionEmitter:
    """What every part of the kernel needs: where to write, for what, and the formulas."""

    builder: LoopNestBuilder
    scope: Scope
    formulas: Formulas

    @cached_property
    def paired(self) -> bool:
        """Whether products are of pairs of bfloat16."""
        return multiplies_pairs(self.formulas, self.scope.machine)

    def panels(self, name: str, rows: int, columns: str, depth: str, keys: Expr) -> Panels:
        """Return panels for keys (`columns` is j) or values (`depth` is j) of so many keys."""
        sizes = {**self.formulas.sizes, "j": keys}
        row, column = self.formulas.axis("i", number(rows)), Axis(Var("x", "int64"), sizes[columns])
        tile = best_tile(
            self.scope.machine, self.scope.machine.isa.float_lanes, row, column, shared=True
        )
        width = tile.columns
        count = self.builder.simplify(tirx.floordiv(sizes[columns] + (width - 1), width))
        if self.paired:
            shape = [count, pairs_of(sizes[depth]), number(width), number(PAIR)]
        else:
            shape = [count, sizes[depth], number(width)]
        dtype = BFLOAT16 if self.paired else "float32"
        buffer = self.builder.local_buffer(name, dtype, shape)
        return Panels(buffer, sizes[columns], sizes[depth])

    def packed(self, panels: Panels, element: Expr, columns: str, depth: str) -> Stmt | None:
        """Fill panels; what the last one has beyond the columns is any number."""
        buffer, width = panels.buffer, panels.width
        panel, lane = (Axis(Var(name, "int64"), number(1)) for name in ("panel", "lane"))
        step = self.formulas.axis(depth, panels.depth)
        column = self.formulas.variables[columns]
        if self.paired:
            return self._packed_pairs(panels, element, columns)
        whole, rest = map(self.builder.simplify, (panels.whole, panels.rest))

        def stage(panels: Expr, lanes: Expr, place: Expr, value: Expr) -> Stmt | None:
            if static(panels) == 0:
                return None
            axes = (Axis(panel.var, panels), step, Axis(lane.var, lanes))
            store = Store(buffer, (place, step.var, lane.var), value)
            copy = Stage(buffer.name, axes, (store,))
            return inner_pointwise(self.builder, copy, self.scope)

        def elements(place: Expr) -> Expr:
            return substitute(element, {column: place * width + lane.var})

        if squares := self._squares(panels, element, step, column):
            return squares
        # One panel where something is left, none where not.
        last = self.builder.simplify(_quotient(rest, width))
        behind = whole + panel.var
        zero = tirx.const(0, "float32")
        return sequence(
            [
                stage(whole, number(width), panel.var, elements(panel.var)),
                stage(last, number(width), behind, zero),
                stage(last, rest, behind, elements(behind)),
            ]
        )

    def _packed_pairs(self, panels: Panels, element: Expr, columns: str) -> Stmt | None:
        c, d, j = (self.formulas.variables[letter] for letter in "cdj")
        keys = panels.columns if columns == "j" else panels.depth
        packed = PairPanels(self.builder, panels.buffer, keys, self.scope.machine.isa.float_lanes)
        if columns == "j":
            return packed.of_keys(element, j, c)
        return packed.of_values(element, j, d, static(panels.columns) or 1)

    def _squares(self, panels: Panels, element: Expr, step: Axis, column: Var) -> Stmt | None:
        """Fill panels from squares of vectors; None where none lie along the depth.

        The last square has the last column again and again. There is none of bfloat16, which TVM
        forgets to widen where it has a name.
        """
        lanes, builder = self.scope.machine.isa.float_lanes, self.builder
        depth = static(step.extent) or 1
        store = Store(panels.buffer, (number(0), step.var, number(0)), element)
        # The element, of which the depth is to be the last dimension.
        moves, *_ = steps(Stage("copy", (step,), (store,)), step)
        load = element.value if isinstance(element, tirx.Cast) else element
        if depth % lanes or moves != 1 or not isinstance(load, TensorLoad):
            return None
        if str(load.ty.dtype) == BFLOAT16:
            return None
        dtype = str(element.ty.dtype)
        down = Axis(Var("down", "int64"), number(depth // lanes))
        whole = tirx.floordiv(panels.columns, lanes)
        last = _quotient(panels.columns, lanes) - whole

        def some(begin: Expr, count: Expr, most: Expr | None) -> Stmt | None:
            across = Axis(Var("across", "int64"), builder.simplify(count))

            def one(at: Values) -> Stmt | None:
                first, key = at[down.var] * lanes, (begin + at[across.var]) * lanes
                names = [key + n if most is None else tirx.min(key + n, most) for n in range(lanes)]
                rows = [substitute(load, {column: name, step.var: first}) for name in names]
                vectors = [builder.vector(row, lanes).astype(f"{dtype}x{lanes}") for row in rows]
                square = Square(vectors, dtype)
                panel, place = tirx.floordiv(key, panels.width), tirx.floormod(key, panels.width)
                stores = [
                    builder.store_vector(panels.buffer, (panel, first + n, place), vector, lanes)
                    for n, vector in enumerate(square.columns)
                ]
                return sequence([*square.binds, *stores])

            return builder.nest([across, down], one)

        return sequence([some(number(0), whole, None), some(whole, last, panels.columns - 1)])

    def multiplied(
        self,
        left: Expr,
        right: Panels,
        part: Strips,
        place: Callable[[Expr], tuple[Expr, ...]],
        *,
        rows: Expr,
        depth: str,
        into: Buffer,
        decay: Expr | None = None,
        divisor: Expr | None = None,
    ) -> Stmt | None:
        """Multiply matrices on the register tile.

        Args:
            left: An element of the strip, by the row i and the depth.
            right: The other matrix.
            part: Of its columns.
            place: Returns an element's indices in `into`, for its column.
            rows: Of the strip.
            depth: The letter of what is summed up.
            into: Where the products go.
            decay: The share of what is there that products are added to; None for nothing.
            divisor: What products are divided by; None for nothing.
        """
        count, columns = map(self.builder.simplify, (part.count, part.columns))
        if static(count) == 0:
            return None
        strip, lane = (Axis(Var(n, "int64"), e) for n, e in (("strip", count), ("lane", columns)))
        panel, inside = part.at(strip.var, lane.var)
        at = place(panel * right.width + inside)
        summed, term = self._term(left, right, panel, inside, depth)
        rounds = str(into.dtype) == BFLOAT16
        direct = decay is None and divisor is None and not rounds
        product = into if direct else tirx.decl_buffer(into.shape, "float32", "product")
        store = Store(product, at, BufferLoad(product, at) + term, tirx.const(0.0, "float32"))
        spatial = (self.formulas.axis("i", rows), strip, lane)
        head = without_unit_axes(Stage(into.name, (*spatial, *summed), (store,)))
        group = Group(head, members=(head,), stored=frozenset([into]))
        if not direct:
            value = BufferLoad(product, at)
            value = value if divisor is None else value / divisor
            value = value if decay is None else BufferLoad(into, at) * decay + value
            sums = Store(into, at, cast_to_bfloat16(value) if rounds else value)
            added = without_unit_axes(Stage(into.name, spatial, (sums,)))
            group = replace(group, epilogue=(added,))
        return inner_nest(self.builder, group, self.scope)

    def _term(
        self, left: Expr, right: Panels, panel: Expr, inside: Expr, depth: str
    ) -> tuple[tuple[Axis, ...], Expr]:
        """Return the axes that products are summed up over, and one of them."""
        step = self.formulas.axis(depth, right.depth)
        if not self.paired:
            product = left * BufferLoad(right.buffer, [panel, step.var, inside])
            return (replace(step, reduces=True),), product
        pair = Axis(Var("pair", "int64"), pairs_of(right.depth), reduces=True)
        near = Axis(Var("near", "int64"), number(PAIR), reduces=True)
        other = BufferLoad(right.buffer, [panel, pair.var, inside, near.var])
        left = substitute(left, {step.var: pair.var * PAIR + near.var})
        return (pair, near), left * other.astype("float32")


def _quotient(number: Expr, divisor: int) -> Expr:
    """Return the quotient, rounded up."""
    return tirx.floordiv(number + (divisor - 1), divisor)
