"""Sums of products by instructions that add up several: dot products of neighbours in memory.

::

    out[i, j] += a[i, 4 * k + n] * b[k, j, n]         n reduces, over 4 neighbours

is read as a sum over k alone, of words that hold four numbers each::

    out[i, j] += a'[i, k] * b'[k, j]                  a' and b' are words, * is a dot product

so that all that is known of sums of products (tiles, panels, blocks, prefetch) holds for them. A
word of `a` is copied to all lanes of a vector, and a vector has words of neighbouring columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Final

from tvm import tirx
from tvm.ir import Expr, TensorLoad
from tvm.tirx import Buffer, BufferLoad, Stmt

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.ops.summed_in import BOUNDED
from tvmfuse.schedules.contraction import Operand, contraction
from tvmfuse.schedules.cpu.gemm.bfloat16_dot import Bits, call_with_words
from tvmfuse.schedules.cpu.gemm.k_unroll import together
from tvmfuse.schedules.cpu.gemm.row_pairs import by_halves
from tvmfuse.schedules.expressions import coefficient, flat, static, substitute, variables
from tvmfuse.schedules.fence import fenced
from tvmfuse.schedules.kernels import Axis, Stage, analyzer
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder, Values
from tvmfuse.target.isa import DotProduct
from tvmfuse.target.machine import Machine
from tvmfuse.target.register_tile import Sliding

#: What is as wide as the numbers that a dot product adds up: those of two rows are twice as many.
WORD: Final = "int32"
LONG_WORD: Final = "int64"

#: Registers for dot products that are added to the sums by another instruction: of 16, a product of
#: matrices with vpmaddwd has 3 x 24 sums for 4 x 24, and 168 GOP/s for 134 (AVX2, Zen 4).
PRODUCTS: Final = 2


@dataclass(frozen=True, eq=False)
class Words:
    """An operand in words.

    Attributes:
        load: The word, of a buffer that is nowhere: the memory is the first number's.
        first: The word's first number.
        group: How many numbers a word has.
    """

    load: TensorLoad
    first: TensorLoad
    group: int

    @property
    def buffer(self) -> Buffer:
        """The words."""
        return self.load.source

    def over(self, at: Values) -> Words:
        """Return the operand over other axes."""
        return replace(self, load=substitute(self.load, at), first=substitute(self.first, at))

    def numbers(self, builder: LoopNestBuilder, words: int, at: Values) -> TensorLoad:
        """Return the numbers of so many words side by side as a vector."""
        return builder.vector(self.first, words * self.group, at)

    def each(self, builder: LoopNestBuilder, dtype: str, at: Values) -> Iterator[Expr]:
        """Yield the numbers of one word, one by one, in a type."""
        *outer, last = self.first.indices
        for n in range(self.group):
            number = BufferLoad(self.first.source, [*outer, last + n])
            yield builder.value(number.astype(dtype), at)


@dataclass(frozen=True, eq=False)
class Dot:
    """A sum of dot products.

    Attributes:
        instruction: What computes them.
        number: The operand that is copied to all lanes.
        vector: The operand that vectors are loaded from.
        bits: What is read as bits; None where numbers are.
        clips: Whether the instruction clips sums of pairs, unless a `PairCheck` says otherwise.
        together: Of how many words products are added up in 16 bits; 0 for no two products.
        signed: Whether the copied numbers are the signed ones, which the instruction takes last.
    """

    instruction: DotProduct
    number: Words
    vector: Words
    bits: Bits | None = None
    clips: bool = False
    together: int = 1
    signed: bool = False

    @property
    def widths(self) -> tuple[int, ...]:
        """The numbers of columns that can be computed at once, the most first."""
        return (*self.instruction.lanes, 1)

    def over(self, at: Values) -> Dot:
        """Return the sum over other axes, of which `at` says what those so far are."""
        return replace(self, number=self.number.over(at), vector=self.vector.over(at))

    def beside(self, machine: Machine) -> Machine:
        """Return a machine with the registers that the dot products leave for sums and operands."""
        if self.instruction.accumulates:
            return machine
        registers = machine.isa.registers - PRODUCTS
        return replace(machine, isa=replace(machine.isa, registers=registers))

    def sliding(self, row: Axis, reduction: Sequence[Axis]) -> Sliding | None:
        """Return how rows share words: each is copied to all lanes by an instruction of its own.

        None where they share none, or where the last steps of a sum are no one body of code.
        """
        window = together(reduction)
        if window is None:
            return None
        offset = flat(self.number.buffer.shape, self.number.load.indices)
        steps = [coefficient(offset, axis.var) for axis in (row, reduction[-1])]
        down, along = (None if step is None else static(step) for step in steps)
        if not down or not along or down % along or down // along >= window:
            return None
        return Sliding(down // along, window)

    def stored(self, load: TensorLoad) -> tuple[TensorLoad, int]:
        """Return the first number of a word in memory, and how many numbers a word has."""
        words = self.vector if load.source.same_as(self.vector.buffer) else self.number
        return words.first, words.group

    def update(
        self, builder: LoopNestBuilder, places: Sequence[Values], kept: LocalElement, columns: int
    ) -> Stmt:
        """Return the statement that adds dot products to as many sums side by side.

        Args:
            builder: Of the function.
            places: Where the words are; as many as come `together`, or one.
            kept: The first sum.
            columns: How many sums.
        """
        number, vector, acc = self.number, self.vector, self.instruction.acc
        if columns == 1:
            total = builder.load_local(kept)
            for at in places:
                both = number.each(builder, acc, at), vector.each(builder, acc, at)
                for left, right in zip(*both, strict=True):
                    total = total + left * right
            return builder.store_local(kept, total)
        sums = BufferLoad(kept.buffer, [kept.offset])
        if self.instruction.half is not None:
            (at,) = places
            one, some = (
                self.in_words(operand, builder, count, at)
                for operand, count in ((number, 1), (vector, columns))
            )
            value = by_halves(self.instruction, builder.vector(sums, columns), one, some)
            return builder.store_vector(sums.source, sums.indices, value, columns)
        words = [
            (number.numbers(builder, 1, at), vector.numbers(builder, columns, at)) for at in places
        ]
        value = self._added(builder.vector(sums, columns), words, columns)
        return builder.store_vector(sums.source, sums.indices, value, columns)

    def in_words(self, operand: Words, builder: LoopNestBuilder, words: int, at: Values) -> Expr:
        """Return so many words of an operand side by side as a vector of int32, two of each."""
        numbers = operand.numbers(builder, words, at)
        bits = self.bits.of(numbers) if self.bits else numbers
        return tirx.reinterpret(f"{WORD}x{2 * words}", bits)

    def _added(self, sums: Expr, words: Sequence[tuple[Expr, Expr]], columns: int) -> Expr:
        (one, some), *_ = words
        if self.bits is not None:
            word = tirx.reinterpret(WORD, self.bits.of(one))
            weights = tirx.reinterpret(f"{WORD}x{columns}", self.bits.of(some))
            copied = tirx.Broadcast(word, columns)
            return call_with_words(self.instruction, sums, copied, weights, columns)

        def operands(word: Expr, vector: Expr) -> tuple[Expr, Expr]:
            dtype = self.instruction.b if self.signed else self.instruction.a
            copied = tirx.Broadcast(tirx.reinterpret(WORD, word), columns)
            copied = tirx.reinterpret(f"{dtype}x{columns * self.instruction.k_group}", copied)
            return (vector, copied) if self.signed else (copied, vector)

        if self.together == 0:
            return added_apart(self.instruction, sums, *operands(one, some), columns)
        return added(self.instruction, sums, [operands(*both) for both in words], columns)

    def around(self, loops: Stmt) -> Stmt:
        """Return loops in which sums are updated, with what they refer to."""
        half = self.instruction.half
        called = [self.instruction] if half is None else [half, self.instruction]
        return loops if self.bits is None else self.bits.around(loops, *called)


def added(
    instruction: DotProduct, sums: Expr, operands: Sequence[tuple[Expr, Expr]], columns: int
) -> Expr:
    """Return sums to which an instruction adds dot products of bytes, or of pairs of them.

    Args:
        instruction: It has intrinsics for so many columns.
        sums: A vector of its sums.
        operands: As many groups of its first operand, side by side, and of its second one; several
            of an instruction that adds up pairs in sixteen bits, where the sums of all fit.
        columns: How many.
    """
    names = dict(instruction.intrinsics)[columns]
    to = f"{instruction.acc}x{columns}"
    *first, last = names
    if not first:
        ((a, b),) = operands
        if instruction.accumulates:
            return tirx.call_llvm_pure_intrin(to, last, sums, a, b)
        return fenced(sums + tirx.call_llvm_pure_intrin(to, last, a, b))
    lanes = f"int16x{2 * columns}"
    narrow = [tirx.call_llvm_pure_intrin(lanes, first[0], a, b) for a, b in operands]
    ones = tirx.Broadcast(tirx.const(1, "int16"), 2 * columns)
    return fenced(sums + tirx.call_llvm_pure_intrin(to, last, reduce(add, narrow), ones))


def added_apart(instruction: DotProduct, sums: Expr, a: Expr, b: Expr, columns: int) -> Expr:
    """Return what `added` does, by products of the even and of the odd bytes in 16 bits.

    They clip nothing. Where the instruction clips, its last intrinsic adds up pairs of 16 bits.
    """
    *_, name = dict(instruction.intrinsics)[columns]
    pairs, eight = 2 * columns, f"int16x{2 * columns}"
    unsigned, signed = tirx.reinterpret(f"u{eight}", a), tirx.reinterpret(eight, b)
    by = [tirx.Broadcast(tirx.const(8, dtype), pairs) for dtype in ("uint16", "int16")]
    low = tirx.Broadcast(tirx.const(0xFF, "uint16"), pairs)
    even = tirx.bitwise_and(unsigned, low), tirx.shift_right(tirx.shift_left(signed, by[1]), by[1])
    odd = tirx.shift_right(unsigned, by[0]), tirx.shift_right(signed, by[1])
    for left, right in (even, odd):
        left = tirx.reinterpret(eight, left)
        wide = tirx.call_llvm_pure_intrin(f"{instruction.acc}x{columns}", name, left, right)
        sums = fenced(sums + wide)
    return sums


def dot_product(stage: Stage, column: Axis, machine: Machine) -> tuple[Stage, Dot] | None:
    """Read a sum of products as one of dot products.

    Args:
        stage: The sum.
        column: The axis along which its results lie side by side.
        machine: Whose instructions there are.

    Returns:
        The sum over words, and how it is computed; None where no instruction computes it.
    """
    product = contraction(stage)
    if product is None or len(stage.reduction) < 2:
        return None
    number, vector = sorted(product.operands, key=lambda operand: operand.uses(column))
    if number.uses(column) or not vector.uses(column):
        return None
    group = static(stage.reduction[-1].extent)
    for instruction in machine.dot:
        stored, takes = (number.stored_dtype, vector.stored_dtype), (instruction.a, instruction.b)
        signed = instruction.saturates and stored == takes[::-1]
        summed = str(stage.store.buffer.dtype) == instruction.acc
        if (signed or stored == takes) and summed and instruction.k_group == group:
            return _in_words(stage, number, vector, instruction, signed=signed)
    return None


def _in_words(
    stage: Stage, number: Operand, vector: Operand, instruction: DotProduct, *, signed: bool
) -> tuple[Stage, Dot] | None:
    left, right = (_words(stage, operand, instruction.k_group) for operand in (number, vector))
    if left is None or right is None:
        return None
    store, near = stage.store, stage.reduction[-1]
    sums = BufferLoad(store.buffer, list(store.indices))
    value = sums + left.load.astype(instruction.acc) * right.load.astype(instruction.acc)
    axes = tuple(axis for axis in stage.axes if axis is not near)
    summed = replace(stage, axes=axes, stores=(replace(store, value=value),))
    bits = Bits() if instruction.a == BFLOAT16 else None
    clips = instruction.saturates and stage.name != BOUNDED
    # Sums of signed numbers have no check for all of a tile: `SplitWords` says which are clipped.
    together = int(not (clips and signed))
    return summed, Dot(instruction, left, right, bits, clips, together, signed)


def _words(stage: Stage, operand: Operand, group: int) -> Words | None:
    """Return an operand in words; None where the last axis does not count a word's numbers."""
    load, near, known = operand.load, stage.reduction[-1].var, analyzer(stage.axes)
    if load is None:
        return None
    *outer, last = load.indices
    *sizes, size = load.source.shape
    offset = known.simplify(flat(load.source.shape, load.indices))
    step, length = coefficient(offset, near), static(size)
    first = known.simplify(substitute(last, {near: tirx.const(0, near.ty.dtype)}))
    whole = known.can_prove_equal(tirx.floormod(first, group), 0)
    if step is None or static(step) != 1 or not length or length % group or not whole:
        return None
    if near in variables(*outer):
        return None
    shape = [*sizes, tirx.const(length // group, size.ty.dtype)]
    long = group * load.ty.dtype.bits > tirx.const(0, WORD).ty.dtype.bits
    words = tirx.decl_buffer(shape, LONG_WORD if long else WORD, f"{load.source.name}_words")
    place = known.simplify(tirx.floordiv(first, group))
    return Words(
        BufferLoad(words, [*outer, place]), BufferLoad(load.source, [*outer, first]), group
    )
