"""Dot products that multiply two rows by two columns in one instruction (`usmmla`, `bfmmla`).

::

    a0 a1        numbers of two rows, a word each         sums of two rows by two columns
    b0 b1        numbers of two columns, a word each      a0.b0 a0.b1 a1.b0 a1.b1

Four columns of two rows are two such vectors. While a sum goes on they lie where the two rows' own
vectors of four sums do, which `exchanged` makes of them, and them of those::

    s00 s01 s02 s03        s00 s01 s10 s11
    s10 s11 s12 s13  <==>  s02 s03 s12 s13

Where rows are multiplied one by one, so they are by the instruction's half, which takes half of the
word of each of four columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tvm import tirx
from tvm.ir import Expr
from tvm.tirx import Bind, BufferLoad, Stmt, Var

from tvmfuse.ir.bfloat16 import BFLOAT16
from tvmfuse.schedules.cpu.gemm.bfloat16_dot import call_with_words
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.loop_nests import LoopNestBuilder
from tvmfuse.target.isa import DotProduct

#: Rows, and columns, that one instruction multiplies.
SIDE: Final = 2

#: Sums of a vector, which have 32 bits each, as half of a word has.
LANES: Final = SIDE * SIDE
HALF: Final = "int32"


def two_rows(
    builder: LoopNestBuilder,
    instruction: DotProduct,
    rows: Sequence[Expr],
    columns: Sequence[Expr],
    places: Sequence[LocalElement],
) -> list[Stmt]:
    """Return what adds products to the sums of two rows by four columns.

    Args:
        builder: Of the function.
        instruction: Of two rows.
        rows: A word of each row, int32x2.
        columns: The words of the first two columns, and those of the others, int32x4.
        places: Where the sums of the first two columns are kept, and those of the others.
    """
    numbers = _picked(rows, range(LANES))
    return [
        _stored(builder, place, _multiplied(instruction, _kept(builder, place), numbers, words))
        for place, words in zip(places, columns, strict=True)
    ]


def by_halves(instruction: DotProduct, sums: Expr, number: Expr, columns: Expr) -> Expr:
    """Return the sums of one row by four columns, with products added.

    Args:
        instruction: Of two rows.
        sums: Of each column.
        number: A word, int32x2.
        columns: A word of each column, int32x8.
    """
    assert instruction.half is not None
    for half in range(SIDE):
        a = _picked([number] * SIDE, [half] * LANES)
        b = _picked([columns], range(half, 2 * LANES, SIDE))
        sums = _multiplied(instruction.half, sums, a, b)
    return sums


def exchanged(builder: LoopNestBuilder, places: Sequence[LocalElement]) -> list[Stmt]:
    """Make the sums of two rows by columns of two vectors of rows, or the other way round."""
    found = [_kept(builder, place) for place in places]
    named = [Var("sums", vector.ty) for vector in found]
    binds = [Bind(var, vector) for var, vector in zip(named, found, strict=True)]
    halves = [_picked(named, (n, n + 1, LANES + n, LANES + n + 1)) for n in (0, SIDE)]
    return [*binds, *(_stored(builder, *both) for both in zip(places, halves, strict=True))]


def _stored(builder: LoopNestBuilder, place: LocalElement, sums: Expr) -> Stmt:
    return builder.store_vector(place.buffer, [place.offset], sums, LANES)


def _kept(builder: LoopNestBuilder, place: LocalElement) -> Expr:
    return builder.vector(BufferLoad(place.buffer, [place.offset]), LANES)


def _multiplied(instruction: DotProduct, sums: Expr, a: Expr, b: Expr) -> Expr:
    """Return sums to which an instruction adds products of words, int32x4."""
    if instruction.a == BFLOAT16:
        return call_with_words(instruction, sums, a, b, LANES)
    ((_, (name,)),) = instruction.intrinsics
    size = LANES * 4
    left, right = (
        tirx.reinterpret(f"{dtype}x{size}", words)
        for dtype, words in ((instruction.a, a), (instruction.b, b))
    )
    return tirx.call_llvm_pure_intrin(f"{instruction.acc}x{LANES}", name, sums, left, right)


def _picked(vectors: Sequence[Expr], lanes: Sequence[int]) -> Expr:
    return tirx.Shuffle([*vectors], [tirx.const(lane, "int32") for lane in lanes])
