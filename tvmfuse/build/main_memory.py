"""Where the tensors of a compiled `main` lie.

===========  =======================================================================================
in an arena  those whose sizes follow from the inputs': one piece of memory, planned beforehand
in blocks    those whose sizes a run tells, of branches and loops whatever is no number, and what an
             iteration passes on: each in memory of its own, replaced where it is too little
as it shows  those that are one of several: a run notes the address
===========  =======================================================================================

Blocks are listed at the beginning of what `main` is given for what lies between: address and bytes
of each, two tagged values. Whoever calls frees them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from tvm import tirx
from tvm.ir import Expr, PointerType, PrimType, Var
from tvm.tirx import Bind, Evaluate, IfThenElse, SeqStmt, Stmt, op

from tvmfuse.arrays import ALIGNMENT
from tvmfuse.build.arena import Arena, Lifetime
from tvmfuse.build.feed_checks import check
from tvmfuse.build.kernel_calls import VALUE, data_of
from tvmfuse.build.main_steps import Memory
from tvmfuse.runtime.frame import ENTRY
from tvmfuse.schedules.expressions import number, product, variables

#: Elements of a tensor of sizes that are known only later, at most.
MOST_ELEMENTS: Final = 2.0**46
NEGATIVE: Final = "the sizes of inputs ask for a tensor of a negative size"
TOO_LARGE: Final = "the sizes of inputs ask for a tensor of more elements than 2**46"
NO_MEMORY: Final = "out of memory: the model asks for more than there is"


class Places:
    """The places of all tensors.

    Args:
        memories: All of them.
        described: Those that somebody else has memory for, and the address of their `DLTensor`.
        between: The address of the `DLTensor` of what lies between.
        early: The variables of sizes that are known from the start.
        reuse: Whether a tensor may lie in the arena where another one lay.

    Attributes:
        blocks: How many there are.
        nbytes: Of the arena, and the list of blocks.
    """

    def __init__(
        self,
        memories: Sequence[Memory],
        described: dict[Memory, Var],
        between: Var,
        early: Collection[Var],
        *,
        reuse: bool,
    ) -> None:
        self._described, self._between, self._early = described, between, early
        own = [m for m in memories if m.is_own and m not in described and m.used]
        planned = [m for m in own if self.is_planned(m)]
        self._blocks = _shared([m for m in own if not self.is_planned(m)])
        self.blocks = max(self._blocks.values(), default=-1) + 1
        joined = [m for m in memories if m.among is not None]
        self._blocks |= {m: self.blocks + n for n, m in enumerate(j for j in joined if _moves(j))}
        self.blocks += sum(map(_moves, joined))
        self._noted = {memory: place for place, memory in enumerate(joined)}
        self._notes = Var("notes", PointerType(PrimType("void")))
        last = max((max(m.used) for m in planned), default=0)
        arena = Arena.of(
            [Lifetime(m.nbytes, min(m.used), max(m.used) if reuse else last) for m in planned]
        )
        listed = -(-self.blocks * ENTRY // ALIGNMENT) * ALIGNMENT
        self._begins = {m: begin + listed for m, begin in zip(planned, arena.begins, strict=True)}
        self.nbytes = arena.nbytes + listed

    def is_planned(self, memory: Memory) -> bool:
        """Whether a tensor that `main` allocates lies in the arena.

        A branch that is not taken may ask for sizes that there are not, such as less than none.
        """
        if memory.changes_hands or (memory.is_nested and variables(*memory.sizes)):
            return False
        return self.is_early(*memory.sizes)

    def is_early(self, *sizes: Expr) -> bool:
        """Whether sizes are known from the start."""
        return variables(*sizes) <= {*self._early}

    def is_fixed(self, memory: Memory) -> bool:
        """Whether the address is known from the start."""
        return memory in self._described or memory in self._begins

    def prologue(self) -> Iterator[Stmt]:
        """Yield what comes before all steps."""
        if self._noted:
            yield Bind(self._notes, op.tvm_stack_alloca("tvm_ffi_any", len(self._noted)))

    def address(self, memory: Memory) -> Expr:
        """Return where a tensor's elements begin."""
        if memory in self._described:
            return data_of(self._described[memory])
        if memory in self._noted:
            return op.tvm_struct_get(self._notes, self._noted[memory], VALUE, "handle")
        if memory in self._begins:
            return op.handle_add_byte_offset(data_of(self._between), self._begins[memory])
        return self._entry(self._blocks[memory], "handle")

    def note(self, memory: Memory, address: Expr) -> Stmt:
        """Return what notes where a tensor lies that is one of several."""
        return Evaluate(op.tvm_struct_set(self._notes, self._noted[memory], VALUE, address))

    def take(self, memory: Memory) -> list[Stmt]:
        """Return what allocates a tensor; nothing where it has its memory."""
        if memory not in self._blocks:
            return []
        block, needed = self._blocks[memory], Var("needed", "int64")
        new = Var("block", PointerType(PrimType("void")))
        allocated = op.call_extern("handle", "aligned_alloc", number(ALIGNMENT), needed)
        old = self._entry(block, "handle")
        more = [
            Evaluate(op.call_extern("int32", "free", old)),
            self._set(block, "int64", number(0)),
            Bind(new, allocated),
            self._set(block, "handle", new),
            check(tirx.Not(op.isnullptr(new)), NO_MEMORY, "MemoryError"),
            self._set(block, "int64", needed),
        ]
        too_small = self._entry(block, "int64") < needed
        return [
            *countable(memory.sizes),
            Bind(needed, tirx.floordiv(memory.nbytes + ALIGNMENT, ALIGNMENT) * ALIGNMENT),
            IfThenElse(too_small, SeqStmt(more), None),
        ]

    def hand_over(self, source: Memory, state: Memory) -> list[Stmt]:
        """Return what gives a loop's state the memory of what was computed, and that the other."""
        blocks = [self._blocks[source], self._blocks[state]]
        read = [(at, dtype) for at in blocks for dtype in ("handle", "int64")]
        types = {"handle": PointerType(PrimType("void")), "int64": PrimType("int64")}
        held = [Var("held", types[dtype]) for _, dtype in read]
        reads = [
            Bind(var, self._entry(at, dtype)) for var, (at, dtype) in zip(held, read, strict=True)
        ]
        others = [(at, dtype) for at in reversed(blocks) for dtype in ("handle", "int64")]
        sets = [self._set(*other, var) for other, var in zip(others, held, strict=True)]
        return [*reads, *sets, self.note(state, held[0])]

    def _entry(self, block: int, dtype: str) -> Expr:
        at = 2 * block + (dtype == "int64")
        return op.tvm_struct_get(data_of(self._between), at, VALUE, dtype)

    def _set(self, block: int, dtype: str, value: Expr) -> Stmt:
        at = 2 * block + (dtype == "int64")
        return Evaluate(op.tvm_struct_set(data_of(self._between), at, VALUE, value))


def countable(sizes: Sequence[Expr]) -> list[Stmt]:
    """Return the checks that 63 bits count a tensor's elements, as they do where all are small.

    Of an input without elements the other sizes may be anything.
    """
    later = [size for size in sizes if variables(size)]
    if not later:
        return []
    elements = product([size.astype("float64") for size in sizes])
    return [
        check(elements <= MOST_ELEMENTS, TOO_LARGE),
        *(check(size >= 0, f"{NEGATIVE} ({size})") for size in later),
    ]


def _moves(state: Memory) -> bool:
    """Whether a loop's state takes over what an iteration computes."""
    return state.among is not None and state.changes_hands


def _shared(memories: Sequence[Memory]) -> dict[Memory, int]:
    """Return a block for each tensor; one serves several, one after the other."""
    free_from, blocks = list[int](), dict[Memory, int]()
    for memory in sorted(memories, key=lambda m: m.born):
        free = (n for n, at in enumerate(free_from) if at <= memory.born)
        block = next(free, len(free_from))
        free_from[block : block + 1] = [max(memory.used) + 1]
        blocks[memory] = block
    return blocks
