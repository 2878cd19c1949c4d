"""`main` as steps on pieces of memory: what a compiled `main` is written from.

A step calls a kernel, gives a size its name, or holds steps of its own: a branch, a loop. Bodies of
loops are read where they are called::

    lv = nonzero(x)                     Call(nonzero, x, lv)
    match_cast(lv.shape, (k,))          Match(sizes of lv, k)
    z = If(c): exp(lv) else: lv         Branch(c, [Call(exp, lv, p)], [], z = p or lv)

What tensors lie in is decided when all is read: see `build.main_memory`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import tvm_ffi
from tvm import relax
from tvm.ir import Expr

from tvmfuse.schedules.expressions import product


def bytes_of(sizes: Sequence[Expr], dtype: str) -> Expr:
    """Return how many bytes a tensor has."""
    return product(sizes) * (-(-tvm_ffi.dtype(dtype).bits // 8))


@dataclass(eq=False)
class Memory:
    """A tensor that `main` is given or allocates, or one of several that a run decides among.

    Attributes:
        sizes: Of it.
        dtype: Of its elements.
        born: The step that makes it.
        used: The steps that it is an operand of.
        is_own: Whether `main` allocates it.
        is_nested: Whether a branch or a loop does.
        changes_hands: Whether a loop's next iteration takes it over.
        among: Those that a run decides among; None of a single one.
    """

    sizes: Sequence[Expr]
    dtype: str
    born: int
    used: list[int] = field(default_factory=list)
    is_own: bool = False
    is_nested: bool = False
    changes_hands: bool = False
    among: list[Memory] | None = None

    @property
    def nbytes(self) -> Expr:
        """Bytes of it."""
        return bytes_of(self.sizes, self.dtype)


@dataclass(frozen=True, eq=False)
class View:
    """A tensor: its memory, and what its sizes are said to be."""

    memory: Memory
    sizes: Sequence[Expr]


@dataclass(frozen=True, eq=False)
class Numbers:
    """Sizes that are a tensor's numbers."""

    memory: Memory


Value: TypeAlias = "View | Numbers | Sequence[Value] | relax.ShapeExpr"


@dataclass(frozen=True, eq=False)
class Call:
    """A kernel's call with tensors and numbers.

    Attributes:
        kernel: Its symbol.
        operands: In its order.
        written: The places of those that nothing wrote before; one behind the other.
    """

    kernel: str
    operands: Sequence[View | Expr]
    written: Sequence[int] = ()


@dataclass(frozen=True, eq=False)
class Take:
    """What allocates a tensor, if its memory is none that is there from the start."""

    memory: Memory


@dataclass(frozen=True, eq=False)
class Match:
    """Sizes that are found, and what they are: a variable that is new, or what they have to be.

    Attributes:
        found: The sizes, or the memory that holds them.
        wanted: One for each.
        is_new: Whether it is a new variable.
    """

    found: Sequence[Expr] | Memory
    wanted: Sequence[Expr]
    is_new: Sequence[bool]


@dataclass(frozen=True, eq=False)
class Branch:
    """Two lists of steps, of which one is done.

    Attributes:
        condition: A bool.
        sides: Where it is true, and where it is not.
        results: Of each side.
        joined: What they are after it.
    """

    condition: Memory
    sides: Sequence[Sequence[Step]]
    results: Sequence[Sequence[View]]
    joined: Sequence[Memory]


@dataclass(frozen=True, eq=False)
class Loop:
    """Steps that are done as long as the first state is true.

    Attributes:
        begin: What the states are at first.
        states: What they are in each iteration, and after the last one.
        steps: Of an iteration.
        results: What the states are in the next iteration; each a state that stays, or memory that
            changes hands.
        last: What the states are after the last one; their sizes are variables of their own.
    """

    begin: Sequence[View]
    states: Sequence[Memory]
    steps: Sequence[Step]
    results: Sequence[View]
    last: Sequence[View]


@dataclass(frozen=True, eq=False)
class Copy:
    """What copies a tensor into memory of the same sizes."""

    source: View
    into: Memory


Step: TypeAlias = Call | Take | Match | Branch | Loop | Copy


@dataclass(frozen=True, eq=False)
class Steps:
    """All of `main`.

    Attributes:
        steps: In order.
        given: The parameters.
        memories: All of them.
        results: What it returns.
        calls: How many calls of kernels there are.
    """

    steps: Sequence[Step]
    given: Sequence[Memory]
    memories: Sequence[Memory]
    results: Sequence[View]
    calls: int
