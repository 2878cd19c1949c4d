"""`tvmfuse.random_bits`: random numbers that follow from a key and from where they stand.

Philox2x32-10 counts: a number is its place and a key, mixed in ten rounds. So the elements of a
tensor are computed in any order, in vectors and in threads, and are the same each time. Source:
Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

Words of 32 bits are computed in 64: nothing wraps around, which TVM's code generator takes for
impossible.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.traits import Kind, Traits

ROUNDS: Final = 10
MULTIPLIER: Final = 0xD256D193
WEYL: Final = 0x9E3779B9
WORD: Final = 32
MASK: Final = (1 << WORD) - 1

BITS: Final = 31
"""Of each number that `random_bits` gives: all of an int32 but its sign."""

LANES: Final = 8
CHUNK: Final = 4096
"""Elements that a thread makes at a time."""


def round_keys(key: int) -> Iterator[int]:
    """Yield what each round mixes in."""
    for number in range(ROUNDS):
        yield (key + number * WEYL) & MASK


def philox(first: int, second: int, key: int) -> tuple[int, int]:
    """Return both words of a counter of two.

    >>> [hex(word) for word in philox(0, 0, 0)]
    ['0xff1dae59', '0x6cd10df2']
    """
    for mixed in round_keys(key):
        product = first * MULTIPLIER
        first, second = (product >> WORD) ^ mixed ^ second, product & MASK
    return first, second


def key_of(number: int, kind: int) -> int:
    """Return the key of a sequence, of 64 bits: of a seed, or of a number that was counted.

    Args:
        number: From 0 to 2^64 - 1.
        kind: Which numbers are counted; those of one kind have nothing to do with another's.
    """
    first, second = philox(number & MASK, number >> WORD, kind)
    return first << WORD | second


def _infer(node: Call) -> Type:
    return relax.TensorType(node.args[0], "int32")


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    def compute() -> te.Tensor:
        return te.extern(
            [tuple(node.args[0].values)],
            [],
            lambda _, outs: _kernel(node, *outs),
            dtype="int32",
            name="random_bits",
        )

    return bb.call_te(
        compute,
        primfunc_name_hint="random_bits",
        primfunc_attrs={"op_pattern": OPAQUE},
    )


def _kernel(node: Call, result: Buffer) -> Stmt:
    count: Expr = result.shape[0]
    chunks = tirx.floordiv(count + (CHUNK - 1), CHUNK)
    with IRBuilder() as builder:
        bits = write.buffer_proxy(result)
        with write.seq_scope():
            with write.parallel(0, chunks) as chunk:
                size = tirx.min(tirx.const(CHUNK, "int64"), count - chunk * CHUNK)
                with write.serial(0, tirx.floordiv(size, LANES)) as vector:
                    _write(node, bits, chunk * CHUNK + vector * LANES, LANES)
            rest = tirx.floormod(count, LANES)
            with write.serial(0, rest) as place:
                _write(node, bits, count - rest + place, 1)
        return builder.get()


def _write(node: Call, bits: Any, begin: Expr, lanes: int) -> None:
    """Write so many numbers next to each other."""
    first, second, product = (
        write.buffer_proxy(write.decl_buffer([lanes], "uint64", scope="local")) for _ in range(3)
    )
    with write.vectorized(0, lanes) as lane:
        first[lane] = tirx.Cast("uint64", begin + lane)
        second[lane] = _word(int(node.attrs["stream"]))
        for mixed in round_keys(int(node.attrs["key"])):
            product[lane] = first[lane] * _word(MULTIPLIER)
            first[lane] = (product[lane] >> _word(WORD)) ^ _word(mixed) ^ second[lane]
            second[lane] = product[lane] & _word(MASK)
        word = first[lane] if node.attrs["upper"] else second[lane]
        bits[begin + lane] = tirx.Cast("int32", word >> _word(WORD - BITS))


def _word(value: int) -> Expr:
    return tirx.const(value, "uint64")


RANDOM_BITS: Final = define(
    "tvmfuse.random_bits",
    traits=Traits(kind=Kind.OTHER, why="it makes a tensor of a size and a key", random=True),
    infer=_infer,
    legalize=_legalize,
    doc="Random integers.",
)


def random_bits(count: Expr | int, key: int, *, upper: bool) -> Call:
    """Return random integers from 0 to 2^31 - 1, each of them as likely.

    Args:
        count: How many, at most 2^32.
        key: Says which, from 0 to 2^64 - 1.
        upper: Which half of the words they are: both halves of one key are independent.

    Returns:
        Shape (count,), int32.
    """
    return call(
        RANDOM_BITS,
        [relax.ShapeExpr([count])],
        key=key & MASK,
        stream=key >> WORD,
        upper=upper,
    )
