"""Kept values: what would grow too long with all names written out is stored, and loaded again.

TVM's code generator simplifies the value of each `Let`, and writes out the names in it. A name that
is read twice doubles what follows, and a function of a function has dozens of names in a row:
sigmoid of sigmoid took ten seconds, six times tanh never came to an end. A load is not written out.

    Before::  y[i] = Let(x = f(a[i])) in g(x)
    After::   kept[lane] = f(a[i]);  y[i] = g(kept[lane])

What is kept is one vector, which LLVM holds in a register.

TVM takes bfloat16 for 16 bits. What is narrowed to it, it writes out several times, to round it: a
name would then stand for two values. What is widened, it forgets to widen in the value of a `Let`.
So both are kept, the number before and the number after.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

import tvm_ffi
from tvm import tirx
from tvm.ir import Call, Expr, TensorLoad, Var
from tvm.tirx import (
    AllocBuffer,
    Buffer,
    BufferLoad,
    BufferStore,
    Cast,
    For,
    ForKind,
    Let,
    SeqStmt,
    Stmt,
)
from tvm_ffi import StructuralMutator
from tvm_ffi.structural import WalkResult

from tvmfuse.schedules.expressions import (
    IF_THEN_ELSE,
    callee,
    number,
    size,
    variables,
    variables_outside_loads,
)

#: Nodes of an expression whose names are written out; one function of float32 has up to 1,800, and
#: those of angles and powers, whose parts are kept, have more. TVM takes 10 microseconds for each.
LONGEST: Final = 4000

#: What TVM narrows to, and widens, in several steps.
NARROW: Final = "bfloat16"


def with_kept_values(nest: Stmt | None) -> Stmt | None:
    """Return loops in which no value is longer than `LONGEST`, with all names written out."""
    if nest is None or not _has_names(nest):
        return nest
    keeper = _Keeper()
    changed = tvm_ffi.structural_mutate(nest, [(For, keeper.loop), (BufferStore, keeper.store)])
    renamed: Stmt = tvm_ffi.structural_mutate(changed, [(Let, _with_own_name), (Cast, _opaque)])
    return renamed


def _with_own_name(let: Let, mutator: StructuralMutator) -> Let:
    """Name a value anew, since it may stand twice: TVM's analyzer knows one thing of each name."""
    name = Var(let.var.name, let.var.ty.dtype)
    value = mutator.mutate(let.value)
    mutator.var_remap_set(let.var, name)
    return Let(name, value, mutator.mutate(let.body))


def _opaque(cast: Cast, mutator: StructuralMutator) -> Expr:
    """Keep TVM's analyzer from asking between which integers a number with names in it lies.

    It remembers what it found, and fails where it finds something else another time. Of the same
    bits it knows nothing; for LLVM they are the number.
    """
    value = mutator.mutate(cast.value)
    dtype = value.ty.dtype
    if "float" in str(dtype) and "int" in str(cast.ty.dtype) and _has_names(value):
        value = tirx.reinterpret(str(dtype), tirx.reinterpret(f"int{dtype.bits}", value))
    return Cast(cast.ty.dtype, value)


def _in_16_bits(expr: Expr) -> bool:
    """Whether a number that is computed of others is narrowed, or widened, in an expression."""
    found: list[Cast] = []
    tvm_ffi.structural_walk(expr, (Cast, found.append))
    return any(
        NARROW in (str(cast.ty.dtype), str(cast.value.ty.dtype))
        and variables_outside_loads(cast.value)
        for cast in found
    )


def _has_names(nest: Stmt | Expr) -> bool:
    found: list[Let] = []
    tvm_ffi.structural_walk(nest, (Let, found.append))
    return bool(found)


@dataclass
class _Keeper:
    """Stores values before the statement that is changed.

    Attributes:
        lane: The variable of the vectorized loop around, and how many values it has.
        buffers: What was made inside that loop, to be allocated before it.
        kept: The stores before the statement.
        guards: The conditions under which the expression at hand is computed.
        done: What became of each `Let` of this store; an expression may hold one twice.
        lengths: Nodes of the value of each name.
        loops: The variables of the loops around.
    """

    lane: tuple[Expr, Expr] = field(default_factory=lambda: (number(0), number(1)))
    buffers: list[Buffer] = field(default_factory=list)
    kept: list[Stmt] = field(default_factory=list)
    guards: list[Expr] = field(default_factory=list)
    done: dict[Let, Expr] = field(default_factory=dict)
    lengths: dict[Var, int] = field(default_factory=dict)
    loops: set[Var] = field(default_factory=set)

    def loop(self, loop: For, mutator: StructuralMutator) -> Stmt:
        self.loops.add(loop.loop_var)
        if loop.kind != ForKind.VECTORIZED:
            return mutator.default_mutate(loop)
        around, self.lane = self.lane, (loop.loop_var, loop.extent)
        changed = mutator.default_mutate(loop)
        self.lane = around
        return self._allocated(changed)

    def store(self, store: BufferStore, _: StructuralMutator) -> Stmt:
        # A mutator of its own: what stands for a name in one store is not there in the next.
        self.done = {}
        if not _has_names(store.value):
            return store
        value = tvm_ffi.structural_mutate(
            store.value, [(Let, self.let), (Call, self.call), (Cast, self.cast)]
        )
        changed = store
        if self.kept:
            last = BufferStore(store.buffer, value, store.indices)
            changed, self.kept = SeqStmt([*self.kept, last]), []
        return changed if isinstance(self.lane[0], Var) else self._allocated(changed)

    def let(self, let: Let, mutator: StructuralMutator) -> Expr:
        if let not in self.done:
            self.done[let] = self._without_long_names(let, mutator)
        return self.done[let]

    def _without_long_names(self, let: Let, mutator: StructuralMutator) -> Expr:
        value = mutator.mutate(let.value)
        self.lengths[let.var] = self._length(value)
        if self._length(let.body) <= LONGEST and not _in_16_bits(let.body):
            # Under another condition the same `Let` may become another one: it has its own name.
            name = Var(let.var.name, let.var.ty.dtype)
            mutator.var_remap_set(let.var, name)
            self.lengths[name] = self.lengths[let.var]
            return Let(name, value, mutator.mutate(let.body))
        mutator.var_remap_set(let.var, value if _is_leaf(value) else self._keep(value))
        self.lengths[let.var] = 1
        return mutator.mutate(let.body)

    def _length(self, expr: Expr) -> int:
        return _length(expr, self.lengths, self.loops)

    def cast(self, cast: Cast, mutator: StructuralMutator) -> Expr:
        value = mutator.mutate(cast.value)
        if str(cast.ty.dtype) == NARROW and not _is_leaf(value):
            value = self._keep(value)
        changed = Cast(cast.ty.dtype, value)
        return self._keep(changed) if str(value.ty.dtype) == NARROW else changed

    def call(self, call: Call, mutator: StructuralMutator) -> Expr:
        """Keep what a branch computes only where it is taken: elsewhere its loads may be wrong."""
        if callee(call) != IF_THEN_ELSE:
            return mutator.default_mutate(call)
        condition, *sides = call.args
        changed = [mutator.mutate(condition)]
        for guard, side in zip((condition, tirx.Not(condition)), sides, strict=True):
            before, self.done = self.done, {**self.done}
            self.guards.append(guard)
            changed.append(mutator.mutate(side))
            self.guards.pop()
            self.done = before
        return tirx.if_then_else(*changed)

    def _keep(self, value: Expr) -> Expr:
        dtype = str(value.ty.dtype)
        place, extent = self.lane
        buffer = tirx.decl_buffer((extent,), dtype, "kept")
        for guard in reversed(self.guards):
            value = tirx.if_then_else(guard, value, tirx.const(0, dtype))
        self.buffers.append(buffer)
        self.kept.append(BufferStore(buffer, value, [place]))
        return BufferLoad(buffer, [place])

    def _allocated(self, statement: Stmt) -> Stmt:
        if not self.buffers:
            return statement
        allocated, self.buffers = [AllocBuffer(b) for b in self.buffers], []
        return SeqStmt([*allocated, statement])


def _is_leaf(value: Expr) -> bool:
    return isinstance(value, Var | TensorLoad | tirx.FloatImm | tirx.IntImm)


def _length(expr: Expr, lengths: dict[Var, int], loops: Collection[Var]) -> int:
    """Count the nodes of an expression with all names written out.

    A load is one, but where its place is computed of sizes it is as many as that: TVM simplifies it
    under all conditions around it.

    Args:
        expr: The expression.
        lengths: Those of the names around; it gets those inside.
        loops: The variables of the loops around; others in a place are sizes.
    """
    count = 0

    def visit(node: Expr) -> WalkResult:
        nonlocal count
        if isinstance(node, Let):
            lengths[node.var] = _length(node.value, lengths, loops)
            count += _length(node.body, lengths, loops)
            return WalkResult.SKIP
        if isinstance(node, TensorLoad):
            of_sizes = (i for i in node.indices if variables(i).difference(loops))
            count += 1 + sum(map(size, of_sizes))
            return WalkResult.SKIP
        count += lengths.get(node, 1) if isinstance(node, Var) else 1
        return WalkResult.ADVANCE

    tvm_ffi.structural_walk(expr, (Expr, visit), order="pre")
    return count
