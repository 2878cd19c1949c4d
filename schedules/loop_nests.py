"""Writing loop nests: the other half of `kernels`, from stages back to a PrimFunc.

TVM's `s_tir.Schedule` splits a loop that the factor does not divide by putting a guard around the
innermost statement. The vectorizer turns a guarded vector into a scalar loop, and LoopPartition
does not see the guard (it waits for a `likely`, which the guard lacks). So a schedule here cuts
the axis itself, into whole vectors and a rest, and writes both loops: no loop has a guard.

Every buffer is written and read through a one-dimensional view, with addresses that are simplified
with the ranges of the loops around them; a vector of a collapsed axis is then one load.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from tvm import sym, tirx
from tvm.ir import Expr, Range, TensorLoad, Var
from tvm.s_tir import SBlock, SBlockRealize
from tvm.tirx import (
    AllocBuffer,
    Bind,
    Buffer,
    BufferLoad,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    PrimFunc,
    SeqStmt,
    Stmt,
)
from tvm.tirx.op import masked_store

from tvmfuse.schedules.expressions import (
    IF_THEN_ELSE,
    callee,
    calls,
    flat,
    map_loads,
    number,
    product,
    static,
    substitute,
    variables,
)
from tvmfuse.schedules.kernels import Axis, Kernel, tensors
from tvmfuse.schedules.local_buffers import LocalElement
from tvmfuse.schedules.prefetch_hints import Hint
from tvmfuse.schedules.tasks import enough, is_one, part_of, pieces_of, unfused
from tvmfuse.schedules.vector_accesses import MAX_STEP, Mask, VectorAccesses, filled_load

#: Elements behind the end of a buffer that a vector may read.
ROOM: Final = 16 * MAX_STEP

SCHEDULED: Final = "tirx.is_scheduled"

Values = Mapping[Var, Expr]

NOWHERE: Final[Values] = MappingProxyType({})


class LoopNestBuilder:
    """Writes one function's loops; one instruction rounds vectors of `narrowed_lanes` floats."""

    def __init__(self, kernel: Kernel, narrowed_lanes: Collection[int] = ()) -> None:
        self.narrowed_lanes = narrowed_lanes
        self._kernel = kernel
        self._known = sym.Analyzer()
        self._views: dict[Buffer, Buffer] = {}
        self._local: dict[Buffer, Buffer] = {}
        self._at: dict[Var, Expr] = {}
        self._roomy: set[Buffer] = set()
        self._vector: VectorAccesses | None = None
        for size in variables(*(e for b in tensors(kernel.function) for e in b.shape)):
            self._known.update(size, sym.ConstIntBound(0, sym.ConstIntBound.POS_INF))

    @property
    def lanes(self) -> int:
        """The lanes of the vectorized loop that is being written; 1 outside any."""
        return self._vector.lanes if self._vector else 1

    def simplify(self, expr: Expr) -> Expr:
        """Simplify an integer expression with the ranges of all loops so far."""
        return self._known.simplify(expr)

    @contextmanager
    def scope(self, at: Values) -> Iterator[None]:
        """Give variables of what is written inside the values that they have there."""
        before, self._at = self._at, {**self._at, **at}
        try:
            yield
        finally:
            self._at = before

    def variable(self, like: Var, extent: Expr) -> Var:
        """Return a new loop variable, 0 <= variable < extent."""
        var = Var(like.name, like.ty.dtype)
        if static(extent) != 0:
            self._known.bind(var, Range(tirx.const(0, var.ty.dtype), extent))
        return var

    def assume(self, var: Var, least: int, most: int) -> None:
        """Take a variable, which is set elsewhere, to be within these bounds."""
        self._known.update(var, sym.ConstIntBound(least, most))

    def named(self, name: str, value: Expr) -> tuple[Var, Bind]:
        """Return a variable of a value that is not negative, and the statement that sets it."""
        var = Var(name, value.ty.dtype)
        return var, *self.set({var: value})

    def set(self, values: Values) -> list[Bind]:
        """Return the statements that set variables, none of which is negative."""
        for var in values:
            self._known.update(var, sym.ConstIntBound(0, sym.ConstIntBound.POS_INF))
        return [Bind(var, value) for var, value in values.items()]

    def sealed(self, name: str, value: Expr) -> tuple[Var, list[Stmt]]:
        """Return a variable of a value that is not negative, and the statements that set it."""
        return (var := Var(name, value.ty.dtype)), self.seal({var: value})

    def seal(self, values: Values) -> list[Stmt]:
        """Return the statements that set variables, none of which is negative.

        TVM puts values in place of their variables and tries each order of what they are the
        maximum of, in every address; but not what was stored. LLVM sees through it.
        """
        found = list[Stmt]()
        for var, value in values.items():
            kept = LocalElement(self.local_buffer(var.name, var.ty.dtype, [number(1)]), number(0))
            found += [AllocBuffer(self._view(kept.buffer)), self.store_local(kept, value)]
            found += self.set({var: self.load_local(kept)})
        return found

    def start(self, value: Expr, *, named: bool) -> tuple[Expr, list[Stmt]]:
        """Return where a step begins; as a variable, and the statement that sets it, if `named`."""
        found = list[Stmt]()
        if named:
            value, *found = self.named("start", value)
        return value, found

    def value(
        self, expr: Expr, at: Values, local: Mapping[Buffer, LocalElement] | None = None
    ) -> Expr:
        """Return an expression at given values of its axes, reading the flat buffers."""
        local, vector = local or {}, self._vector
        # What a branch reads need not be there where the branch is not taken.
        if vector and any(callee(call) == IF_THEN_ELSE for call in calls(expr)):
            vector = None

        def load(node: TensorLoad) -> Expr:
            element = local.get(node.source)
            if element:
                return self.load_local(element)
            offset = self.simplify(flat(node.source.shape, node.indices))
            found = BufferLoad(self._view(node.source), [offset])
            return vector.load(found, whole=self.has_room(node.source)) if vector else found

        return map_loads(self._substituted(expr, at), load)

    def store(self, buffer: Buffer, indices: Sequence[Expr], value: Expr, at: Values) -> Stmt:
        """Return ``buffer[indices] = value`` at given values of the axes; `value` is final."""
        offset = self.at(flat(buffer.shape, indices), at)
        view, vector = self._view(buffer), self._vector
        return vector.store(view, value, offset) if vector else BufferStore(view, value, [offset])

    def at(self, expr: Expr, at: Values) -> Expr:
        """Return an integer expression without loads at given values of its axes."""
        return self.simplify(self._substituted(expr, at))

    def vector(
        self,
        element: TensorLoad,
        lanes: int,
        at: Values = NOWHERE,
        masked: tuple[Expr, Expr] | None = None,
    ) -> Expr:
        """Return so many elements of a buffer from one on, in a vector.

        `masked` is the lanes that are read, and the number in all others.
        """
        view, place = self._place(element.source, element.indices, lanes, at)
        return filled_load(view, place, *masked) if masked else BufferLoad(view, [place])

    def element(self, element: TensorLoad, at: Values = NOWHERE) -> BufferLoad:
        """Return an element of a buffer where its address is what counts."""
        offset = self.at(flat(element.source.shape, element.indices), at)
        return BufferLoad(self._view(element.source), [offset])

    def store_vector(
        self,
        buffer: Buffer,
        indices: Sequence[Expr],
        vector: Expr,
        lanes: int,
        at: Values = NOWHERE,
        mask: Expr | None = None,
    ) -> Stmt:
        """Return the store of a vector, or of what the mask has of it, from an element on."""
        view, place = self._place(buffer, indices, lanes, at)
        if mask is None:
            return BufferStore(view, vector, [place])
        return Evaluate(masked_store(view, vector, place, mask))

    def prefetch(
        self, buffer: Buffer, indices: Sequence[Expr], at: Values, further: Expr, hint: Hint
    ) -> Stmt:
        """Return the request for the line that is some elements behind one, wherever that is."""
        place = self.at(flat(buffer.shape, indices) + further, at)
        address = tirx.address_of(BufferLoad(self._view(buffer), [place]))
        said = (tirx.const(n, "int32") for n in (*hint, 1))
        return Evaluate(tirx.call_llvm_intrin("void", "llvm.prefetch.p0", address, *said))

    def load_local(self, element: LocalElement) -> Expr:
        """Return an element that is kept inside the loops."""
        return BufferLoad(self._view(element.buffer), [element.offset])

    def store_local(self, element: LocalElement, value: Expr) -> BufferStore:
        """Return the assignment of an element that is kept inside the loops."""
        return BufferStore(self._view(element.buffer), value, [element.offset])

    def nest(
        self,
        axes: Sequence[Axis],
        body: Callable[[Values], Stmt | None],
        *,
        parallel: bool = False,
        buffers: Sequence[Buffer] = (),
    ) -> Stmt | None:
        """Return loops over axes around what `body` returns for the values of their variables.

        Args:
            axes: From the outermost to the innermost.
            body: Called once; None where there is nothing to do.
            parallel: Fuse the outermost loops until there are enough tasks for threads.
            buffers: For the inside, see `localize`. No size depends on the axes; of one that is
                known only later each piece has its own.
        """
        if any(static(a.extent) == 0 for a in axes):
            return None
        at: dict[Var, Expr] = {a.var: tirx.const(0, a.var.ty.dtype) for a in axes if is_one(a)}
        axes = [a for a in axes if not is_one(a)]
        fused, parts = enough(axes) if parallel else ((), None)
        serial, tasks, found = axes[len(fused) :], [*fused], list[Stmt]()
        if parts is not None:
            if static(parts) is None:
                parts, found = self.sealed("parts", parts)
            dtype = fused[0].var.ty.dtype
            tasks.append(Axis(Var("part", dtype), parts.astype(dtype)))
        count = product([a.extent for a in tasks])
        if tasks:
            task = self.variable(tasks[0].var, count)
            at |= unfused(task, tasks, self.simplify)
        nth = at.pop(tasks[-1].var) if parts is not None else None
        at |= {axis.var: self.variable(axis.var, axis.extent) for axis in serial}
        later = [b for b in buffers if static(product(b.shape)) is None]
        inner = self.allocate([b for b in buffers if b not in later], [body(at)])
        for axis in reversed(serial):
            inner = inner and _loop(at[axis.var], axis.extent, inner, ForKind.SERIAL)
        if inner is None or not tasks:
            return self.allocate(later, [inner])
        if parts is not None and nth is not None:
            inner = part_of(inner, nth, parts)
        loop = _loop(task, count, inner, ForKind.PARALLEL)
        return sequence([*found, self._in_pieces(loop, later)])

    def _in_pieces(self, loop: For, buffers: Sequence[Buffer]) -> Stmt:
        """Return a parallel loop in about as long pieces, each with buffers of its own, if any."""
        if (count := pieces_of(loop.extent, own_buffers=bool(buffers))) is None:
            return loop
        piece = self.variable(Var("piece", "int64"), count)
        inside = self.allocate(buffers, [part_of(loop, piece, count)])
        return _loop(piece, count, inside, ForKind.PARALLEL)

    def inner(
        self,
        like: Var,
        extent: int,
        kind: ForKind,
        body: Callable[[Expr], Stmt | None],
        mask: Mask | None = None,
    ) -> Stmt | None:
        """Return a vectorized or unrolled loop; no loop at all for an extent of 1.

        Args:
            like: Names the variable.
            extent: Of the loop.
            kind: Of the loop.
            body: Called once.
            mask: Which lanes of a vector there are; None for all.
        """
        if extent == 1:
            return body(tirx.const(0, like.ty.dtype))
        var = self.variable(like, tirx.const(extent, like.ty.dtype))
        if kind is not ForKind.VECTORIZED:
            inside = body(var)
            return inside and _loop(var, tirx.const(extent, like.ty.dtype), inside, kind)
        self._vector = vector = VectorAccesses(var, extent, self.simplify, mask)
        try:
            inside = body(var)
        finally:
            self._vector = None
        loop = inside and _loop(var, tirx.const(extent, like.ty.dtype), inside, kind)
        return loop and sequence(vector.around(loop))

    def vectors(
        self,
        like: Var,
        extent: int,
        lanes: int,
        body: Callable[[Expr], Stmt | None],
        mask: Mask | None = None,
    ) -> Stmt | None:
        """Return whole vectors, unrolled, and a shorter one for what is left.

        The mask is that of the one vector.
        """

        def some(begin: int, count: int, width: int) -> Stmt | None:
            def vector(v: Expr) -> Stmt | None:
                kind, first = ForKind.VECTORIZED, v * width + begin
                return self.inner(like, width, kind, lambda lane: body(first + lane), mask)

            return self.inner(like, count, ForKind.UNROLLED, vector)

        whole, rest = divmod(extent, lanes)
        found = [some(0, whole, lanes)] if whole else []
        return sequence([*found, some(whole * lanes, 1, rest) if rest else None])

    def local_buffer(self, name: str, dtype: str, shape: Sequence[Expr]) -> Buffer:
        """Return a new buffer for the inside of a loop; see `localize`."""
        return self.localize(tirx.decl_buffer(tuple(shape), dtype, name))

    def localize(self, buffer: Buffer, most: int | None = None) -> Buffer:
        """Make a buffer one for the inside of a loop, to be allocated there, of any size.

        What is not `on_stack` comes from a pool. A buffer whose size is known only later has room
        behind its end for the rest of a vector, or that of the `most` elements it may have.
        """
        size = product(buffer.shape) if most is None else number(most)
        if static(size) is None:
            size += ROOM
            self._roomy.add(buffer)
        self._local[buffer] = tirx.decl_buffer((size,), buffer.dtype, buffer.name)
        return buffer

    def has_room(self, buffer: Buffer) -> bool:
        """Whether a vector may reach beyond the end of a buffer; see `localize`."""
        return buffer in self._roomy

    def allocate(self, buffers: Sequence[Buffer], body: Sequence[Stmt | None]) -> Stmt | None:
        """Return a body that has buffers of its own, made by `local_buffer`."""
        inner = sequence(body)
        return inner and sequence([*(AllocBuffer(self._view(b)) for b in buffers), inner])

    def function(self, nests: Sequence[Stmt | None]) -> PrimFunc:
        """Return the function whose body is these nests, marked as scheduled."""
        function = self._kernel.function
        work = sequence(nests) or tirx.Evaluate(0)
        params, views = set(tensors(function)), self._views.items()
        allocated = [view for buffer, view in views if buffer not in params]
        declared = [DeclBuffer(v, data=b.data) for b, v in views if b in params]
        root = SBlock([], [], [], "root", sequence([*declared, work]), None, allocated)
        body = SBlockRealize([], tirx.const(1, "bool"), root)
        return function.with_body(body).with_attr(SCHEDULED, 1)

    def _place(
        self, buffer: Buffer, indices: Sequence[Expr], lanes: int, at: Values
    ) -> tuple[Buffer, Expr]:
        """Return the view of a buffer, and so many offsets of it."""
        offset = self.at(flat(buffer.shape, indices), at)
        return self._view(buffer), tirx.Ramp(offset, number(1), lanes)

    def _substituted(self, expr: Expr, at: Values) -> Expr:
        return substitute(expr, {**self._at, **at})

    def _view(self, buffer: Buffer) -> Buffer:
        if buffer in self._local:
            return self._local[buffer]
        if buffer not in self._views:
            data = buffer.data if buffer in tensors(self._kernel.function) else None
            self._views[buffer] = tirx.decl_buffer(
                (product(buffer.shape),), buffer.dtype, f"{buffer.name}_flat", data=data
            )
        return self._views[buffer]


def sequence(statements: Sequence[Stmt | None]) -> Stmt | None:
    """Return statements one after the other, None for none."""
    there = [s for s in statements if s is not None]
    if len(there) < 2:
        return there[0] if there else None
    return SeqStmt(there)


def _loop(var: Var, extent: Expr, body: Stmt, kind: ForKind) -> Stmt:
    return For(var, tirx.const(0, var.ty.dtype), extent, kind, body)
