"""Keys and values in pairs of bfloat16, as dot products take them.

::

    keys      panels[p, c / 2, column, c % 2]    words of each key, a square of them transposed
    values    panels[p, j / 2, column, j % 2]    two rows of values, interleaved

Queries are read where they lie, and weights are rounded where the softmax leaves them. What is
missing of the last pair is 0 in both factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.tirx import Buffer, BufferLoad, BufferStore, Cast, DeclBuffer, Stmt

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.schedules.cpu.attention.formulas import Formulas
from tvmfuse.schedules.cpu.gemm.bfloat16_dot import BITS, Bits
from tvmfuse.schedules.cpu.square import SIDES, Square
from tvmfuse.schedules.cpu.vectors import segments
from tvmfuse.schedules.expressions import number, static, substitute, variables
from tvmfuse.schedules.kernels import Axis
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values, sequence
from tvmfuse.target.machine import Machine

PAIR: Final = 2
WORD: Final = "int32"

#: Elements of a head come in so many: four words are the smallest square.
MULTIPLE: Final = 8


def multiplies_pairs(formulas: Formulas, machine: Machine) -> bool:
    """Return whether dot products of bfloat16 can compute both products of an attention."""
    operands = ((formulas.query, "c"), (formulas.key, "c"), (formulas.value, "d"))
    sizes = [static(formulas.sizes[letter]) for letter in "cd"]
    return (
        any(dot.a == BFLOAT16 for dot in machine.dot)
        and all(size and size % MULTIPLE == 0 for size in sizes)
        and all(_lies_along(e, formulas.variables[letter]) for e, letter in operands)
    )


def pairs_of(depth: Expr) -> Expr:
    """Return how many pairs hold so many numbers."""
    return tirx.floordiv(depth + (PAIR - 1), PAIR)


@dataclass(frozen=True, eq=False)
class PairPanels:
    """Panels that are filled with pairs.

    Attributes:
        builder: Where to write.
        buffer: Shape (panels, pairs, width, 2).
        keys: How many keys there are.
        lanes: Words of a vector, at most.
        bits: What is read and written as bits.
    """

    builder: LoopNestBuilder
    buffer: Buffer
    keys: Expr
    lanes: int
    bits: Bits = field(default_factory=Bits)

    def of_keys(self, element: Expr, key: Var, place: Var) -> Stmt | None:
        """Fill panels from squares of words; the last one has the last key again and again.

        Args:
            element: Of a key.
            key: The variable of keys.
            place: That of an element's place in a key.
        """
        words, builder = static(self.buffer.shape[1]) or 1, self.builder
        lanes = max(side for side in SIDES if side <= self.lanes and words % side == 0)
        down = Axis(Var("down", "int64"), number(words // lanes))
        whole = builder.simplify(tirx.floordiv(self.keys, lanes))
        last = builder.simplify(tirx.floordiv(self.keys + (lanes - 1), lanes) - whole)

        def some(begin: Expr, count: Expr, most: Expr | None) -> Stmt | None:
            across = Axis(Var("across", "int64"), count)

            def one(at: Values) -> Stmt | None:
                word, first = at[down.var] * lanes, (begin + at[across.var]) * lanes
                names = [
                    first + n if most is None else tirx.min(first + n, most) for n in range(lanes)
                ]
                places = [{key: name, place: word * PAIR} for name in names]
                rows = [self._row(element, at, lanes * PAIR) for at in places]
                square = Square([tirx.reinterpret(f"{WORD}x{lanes}", row) for row in rows], WORD)
                stores = [
                    self._store(word + n, first, tirx.reinterpret(f"{BITS}x{lanes * PAIR}", column))
                    for n, column in enumerate(square.columns)
                ]
                return sequence([*square.binds, *stores])

            return builder.nest([across, down], one)

        return self._declared([some(number(0), whole, None), some(whole, last, self.keys - 1)])

    def of_values(self, element: Expr, key: Var, place: Var, elements: int) -> Stmt | None:
        """Fill panels from two rows of values at a time; beside a last one alone there are zeros.

        Args:
            element: Of a value.
            key: The variable of keys.
            place: That of an element's place in a value.
            elements: How many a value has.
        """
        builder, parts = self.builder, segments(number(elements), self.lanes)
        whole, rest = (builder.simplify(f(self.keys, PAIR)) for f in (tirx.floordiv, tirx.floormod))

        def some(begin: Expr, count: Expr, rows: int) -> Stmt | None:
            axis = Axis(Var("pair", "int64"), count)

            def interleaved(pair: Expr, first: Expr, width: int) -> Stmt:
                places = [{key: pair * PAIR + n, place: first} for n in range(rows)]
                zeros = tirx.Broadcast(tirx.const(0, BITS), width)
                found = [self._row(element, at, width) for at in places]
                order = [n + side * width for n in range(width) for side in range(PAIR)]
                indices = [tirx.const(n, "int32") for n in order]
                return self._store(pair, first, tirx.Shuffle([*found, zeros][:PAIR], indices))

            def one(at: Values) -> Stmt | None:
                pair = begin + at[axis.var]
                starts = [
                    (part, part.start(number(n)))
                    for part in parts
                    for n in range(static(part.count) or 0)
                ]
                return sequence([interleaved(pair, first, part.width) for part, first in starts])

            return builder.nest([axis], one)

        return self._declared([some(number(0), whole, PAIR), some(whole, rest, 1)])

    def _row(self, element: Expr, at: Values, lanes: int) -> Expr:
        """Return so many neighbours from an element on, as bits."""
        load = substitute(element, at)
        load = load.value if isinstance(load, Cast) else load
        return self.bits.of(self.builder.vector(load, lanes))

    def _store(self, pair: Expr, column: Expr, bits: Expr) -> Stmt:
        """Return the store of pairs of neighbouring columns."""
        lanes, width = bits.ty.dtype.lanes, static(self.buffer.shape[2]) or 1
        panel, inside = tirx.floordiv(column, width), tirx.floormod(column, width)
        first = BufferLoad(self.buffer, [panel, pair, inside, number(0)])
        place = self.bits.of(self.builder.vector(first, lanes))
        return BufferStore(place.source, bits, place.indices)

    def _declared(self, loops: Sequence[Stmt | None]) -> Stmt | None:
        """Return loops with the bits that they name."""
        views = self.bits.declared.items()
        return sequence([*(DeclBuffer(bits, data=view.data) for view, bits in views), *loops])


def _lies_along(element: Expr, place: Var) -> bool:
    """Return whether neighbours in a head are neighbours in memory, and bfloat16."""
    load = element.value if isinstance(element, Cast) else element
    if not isinstance(load, TensorLoad) or str(load.ty.dtype) != BFLOAT16:
        return False
    *outer, last = load.indices
    return last.same_as(place) and place not in variables(*outer)
