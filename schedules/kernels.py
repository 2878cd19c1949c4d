"""Reading a kernel: a PrimFunc as the stages that it computes, one after the other.

A stage is one loop nest around one block, as operators are legalized to: it computes each element
of its buffers from its spatial axes, and sums (or joins otherwise) over its reduction axes. What
does not have this form (calls of C functions, loops that depend on data, scatter) is not read, and
the reader says why.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property

from tvm import sym, tirx
from tvm.ir import Expr, Range, TensorLoad, Var
from tvm.s_tir import SBlock, SBlockRealize
from tvm.tirx import (
    Bind,
    Buffer,
    BufferLoad,
    BufferStore,
    BufferType,
    For,
    ForKind,
    IterVar,
    PrimFunc,
    SeqStmt,
    Stmt,
)
from tvm_ffi import structural_equal

from tvmfuse.schedules.expressions import loads, map_loads, static, substitute, variables


class UnreadableError(Exception):
    """A PrimFunc that is no list of stages; the message says what it has instead."""


@dataclass(frozen=True, eq=False)
class Axis:
    """One iteration variable of a stage: 0 <= var < extent."""

    var: Var
    extent: Expr
    reduces: bool = False


@dataclass(frozen=True, eq=False)
class Store:
    """``buffer[indices] = value``, first set to `initial` where the stage reduces."""

    buffer: Buffer
    indices: tuple[Expr, ...]
    value: Expr
    initial: Expr | None = None

    @property
    def values(self) -> tuple[Expr, ...]:
        """What is stored, at first and then."""
        return (self.value,) if self.initial is None else (self.initial, self.value)

    @property
    def parts(self) -> tuple[Expr, ...]:
        """Every expression of the store."""
        return (*self.indices, *self.values)

    def map(self, change: Callable[[Expr], Expr]) -> Store:
        """Return the store with each expression changed."""
        initial = None if self.initial is None else change(self.initial)
        return Store(self.buffer, tuple(map(change, self.indices)), change(self.value), initial)


@dataclass(frozen=True, eq=False)
class Stage:
    """One computation: all its stores happen together, at each point of its axes.

    A stage of more than one store is a reduction of tuples, such as an argmax.
    """

    name: str
    axes: tuple[Axis, ...]
    stores: tuple[Store, ...]

    @property
    def store(self) -> Store:
        """The first store; the only one of most stages."""
        return self.stores[0]

    @property
    def spatial(self) -> tuple[Axis, ...]:
        """The axes with one element of the output for each of their values."""
        return tuple(a for a in self.axes if not a.reduces)

    @property
    def reduction(self) -> tuple[Axis, ...]:
        """The axes whose values are joined."""
        return tuple(a for a in self.axes if a.reduces)

    @property
    def reduces(self) -> bool:
        """Whether the stage accumulates, be it over axes of extent 1 that were dropped."""
        return self.store.initial is not None

    @cached_property
    def buffers(self) -> frozenset[Buffer]:
        """The buffers that the stage writes."""
        return frozenset(s.buffer for s in self.stores)

    @cached_property
    def loads(self) -> tuple[TensorLoad, ...]:
        """What the stage reads, without the elements that it accumulates itself."""
        return tuple(load for load in loads(*self.parts) if load.source not in self.buffers)

    @property
    def parts(self) -> tuple[Expr, ...]:
        """Every expression of the stage."""
        return tuple(part for store in self.stores for part in store.parts)

    def map(self, change: Callable[[Expr], Expr]) -> Stage:
        """Return the stage with each expression changed."""
        return replace(self, stores=tuple(s.map(change) for s in self.stores))

    def bind(self, values: Mapping[Var, Expr]) -> Stage:
        """Return the stage at given values of some axes, which it then no longer has."""
        left = tuple(a for a in self.axes if a.var not in values)
        return replace(self.map(lambda e: substitute(e, values)), axes=left)


@dataclass(frozen=True, eq=False)
class Kernel:
    """A PrimFunc and its stages, in the order in which they run.

    Attributes:
        function: The PrimFunc that was read; its parameters are the inputs and outputs.
        stages: What it computes.
        temporaries: The buffers that live only inside it.
    """

    function: PrimFunc
    stages: tuple[Stage, ...]
    temporaries: tuple[Buffer, ...]

    def readers(self, buffer: Buffer) -> list[Stage]:
        """Return the stages that read a buffer which they do not write."""
        return [*self._readers.get(buffer, ())]

    def writers(self, buffer: Buffer) -> list[Stage]:
        """Return the stages that write a buffer."""
        return [*self._writers.get(buffer, ())]

    @cached_property
    def _readers(self) -> Mapping[Buffer, list[Stage]]:
        return self._by_buffer(lambda stage: {load.source for load in stage.loads})

    @cached_property
    def _writers(self) -> Mapping[Buffer, list[Stage]]:
        return self._by_buffer(lambda stage: stage.buffers)

    def _by_buffer(
        self, buffers: Callable[[Stage], AbstractSet[Buffer]]
    ) -> Mapping[Buffer, list[Stage]]:
        found = defaultdict[Buffer, list[Stage]](list)
        for stage in self.stages:
            for buffer in buffers(stage):
                found[buffer].append(stage)
        return found


def analyzer(axes: Sequence[Axis] = (), sizes: Sequence[Expr] = ()) -> sym.Analyzer:
    """Return a simplifier that knows the range of some axes, and that no size is negative."""
    known = sym.Analyzer()
    for var in variables(*sizes, *(a.extent for a in axes)):
        known.update(var, sym.ConstIntBound(0, sym.ConstIntBound.POS_INF))
    for axis in axes:
        known.bind(axis.var, Range(tirx.const(0, axis.var.ty.dtype), axis.extent))
    return known


def read(function: PrimFunc) -> Kernel:
    """Read a PrimFunc's stages.

    Raises:
        UnreadableError: It is no sequence of perfect loop nests around one block each.
    """
    root = function.body
    if not isinstance(root, SBlockRealize) or root.block.iter_vars:
        raise UnreadableError("its body is no block")
    if root.block.match_buffers:
        raise UnreadableError("it matches buffers inside its body")
    for buffer in (*tensors(function), *root.block.alloc_buffers):
        if len(buffer.strides) or static(buffer.elem_offset) != 0:
            raise UnreadableError(f"the buffer {buffer.name} is strided or starts at an offset")
    stages = tuple(s for nest in statements(root.block.body) for s in stages_of(nest))
    written = set[Buffer]().union(*(stage.buffers for stage in stages))  # others are empty
    return Kernel(function, stages, tuple(b for b in root.block.alloc_buffers if b in written))


def tensors(function: PrimFunc) -> list[Buffer]:
    """Return a function's parameters that are tensors; sizes may be parameters, too."""
    return [p for p in function.params if isinstance(p.ty, BufferType)]


def statements(body: Stmt) -> Sequence[Stmt]:
    """Return what a statement does one after the other."""
    return tuple(body) if isinstance(body, SeqStmt) else (body,)


def stages_of(nest: Stmt, *, repeated: bool = False) -> tuple[Stage, ...]:
    """Read one loop nest: its stage, or what is left of it where an axis is empty.

    Args:
        nest: Loops around one block.
        repeated: Whether a loop around the nest repeats it. An ordered axis of the block then has
            the value that this loop gives it, and is none of the stage's axes.

    Raises:
        UnreadableError: It is something else.
    """
    return _not_empty(_stage(nest, repeated=repeated))


def _stage(nest: Stmt, *, repeated: bool) -> Stage:
    loops: dict[Var, Expr] = {}
    while isinstance(nest, For):
        if nest.kind != ForKind.SERIAL or static(nest.min) != 0 or nest.annotations or nest.step:
            raise UnreadableError("a loop of it is scheduled already")
        loops[nest.loop_var] = nest.extent
        nest = nest.body
    if not isinstance(nest, SBlockRealize):
        raise UnreadableError(f"inside its loops stands a {type(nest).__name__}, not one block")
    block = nest.block
    if static(nest.predicate) != 1 or block.alloc_buffers or block.match_buffers:
        raise UnreadableError(f"the block {block.name_hint} has a predicate or buffers of its own")
    given = {
        own.var: value
        for own, value in zip(block.iter_vars, nest.iter_values, strict=True)
        if repeated and own.iter_type == IterVar.Ordered
    }
    axes = _axes(block, nest.iter_values, loops, given)
    stage = without_unit_axes(Stage(block.name_hint, axes, _stores(block)).bind(given))
    _check(stage)
    return _simplified(stage)


def _axes(
    block: SBlock, values: Sequence[Expr], loops: dict[Var, Expr], given: Mapping[Var, Expr]
) -> tuple[Axis, ...]:
    axes, unused = [], dict(loops)
    for var, value in zip(block.iter_vars, values, strict=True):
        if var.var in given:
            continue
        if var.iter_type not in (IterVar.DataPar, IterVar.CommReduce):
            raise UnreadableError(f"the block {block.name_hint} has an opaque iteration")
        extent = var.dom.extent
        is_loop = value in unused and structural_equal(unused.pop(value), extent)
        if not is_loop and not (static(value) == 0 and static(extent) == 1):
            raise UnreadableError(f"the block {block.name_hint} does not run over whole loops")
        axes.append(Axis(var.var, extent, var.iter_type == IterVar.CommReduce))
    if any(static(extent) != 1 for extent in unused.values()):
        raise UnreadableError(f"the block {block.name_hint} is repeated by a loop around it")
    return tuple(axes)


def _stores(block: SBlock) -> tuple[Store, ...]:
    """Read ``buffer[...] = value``, or several values that are bound first and then stored."""
    bound: dict[Var, Expr] = {}
    stores: list[BufferStore] = []
    for statement in statements(block.body):
        if isinstance(statement, Bind) and not stores:
            bound[statement.var] = substitute(statement.value, bound)
        elif isinstance(statement, BufferStore):
            stores.append(statement)
        else:
            found = type(statement).__name__
            raise UnreadableError(f"the block {block.name_hint} holds a {found}, not only stores")
    initials = {s.buffer: s.value for s in statements(block.init)} if block.init else {}
    # Without the values bound first, a later store could read what an earlier one wrote.
    if len(stores) > 1 and not (initials and all(s.value in bound for s in stores)):
        raise UnreadableError(f"the block {block.name_hint} stores twice")
    return tuple(
        Store(s.buffer, tuple(s.indices), substitute(s.value, bound), initials.get(s.buffer))
        for s in stores
    )


def without_unit_axes(stage: Stage) -> Stage:
    """Return the stage at the one value of each axis that has no other."""
    unit = {a.var: tirx.const(0, a.var.ty.dtype) for a in stage.axes if static(a.extent) == 1}
    return stage.bind(unit)


def _not_empty(stage: Stage) -> tuple[Stage, ...]:
    """Leave out what has no elements, and join no values where there are none to join."""
    if any(static(axis.extent) == 0 for axis in stage.spatial):
        return ()
    if all(static(axis.extent) != 0 for axis in stage.reduction):
        return (stage,)
    initials = [(s.buffer, s.indices, s.initial) for s in stage.stores if s.initial is not None]
    return tuple(Stage(stage.name, stage.spatial, (Store(*initial),)) for initial in initials)


def _check(stage: Stage) -> None:
    """Every element is written once, by an iteration that depends on no other."""
    own = {a.var for a in stage.axes}
    for store in stage.stores:
        used = [i for i in store.indices if own & variables(i)]
        if not all(isinstance(i, Var) for i in used):
            raise UnreadableError(f"the block {stage.name} writes at computed indices")
        if len(used) != len(stage.spatial) or set(used) != {a.var for a in stage.spatial}:
            raise UnreadableError(f"the block {stage.name} writes an element more than once")
        if stage.reduction and not stage.reduces:
            raise UnreadableError(f"the block {stage.name} reduces without an initial value")
    written = {s.buffer: s.indices for s in stage.stores}
    for load in loads(*stage.parts):
        place = written.get(load.source)
        if place is not None and not (
            stage.reduces and structural_equal(place, tuple(load.indices))
        ):
            raise UnreadableError(f"the block {stage.name} reads the buffer that it writes")


def _simplified(stage: Stage) -> Stage:
    """Simplify addresses with the axes' ranges; values stay as they are."""
    known = analyzer(stage.axes)

    def simplify(load: TensorLoad) -> Expr:
        return BufferLoad(load.source, [known.simplify(i) for i in load.indices])

    return stage.map(lambda e: map_loads(e, simplify))
