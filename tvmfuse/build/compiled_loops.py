"""Compiled loops: a kernel that calls those of a loop's body again and again.

::

    states = first ones
    while goes_on:
        kernels of an iteration, of `states` and into `others`
        kernels of an iteration, of `others` and into `states`, if it goes on

The memory of all tensors is allocated before, and what kernels are given is put together once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tvm import relax, tirx
from tvm.ir import Expr, Var
from tvm.tirx import (
    AllocBuffer,
    Buffer,
    BufferLoad,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    PrimFunc,
    SeqStmt,
    Stmt,
    While,
)
from tvm_ffi import structural_equal

from tvmfuse.build.kernel_calls import KernelCalls, Tensor
from tvmfuse.ir.fixed_loops import Branch, KernelCall, KernelSequence, Key
from tvmfuse.schedules.expressions import product, substitute
from tvmfuse.schedules.loop_nests import SCHEDULED, sequence

#: A body's symbols -> what stands for them.
Sizes = Mapping[Var, Expr]


@dataclass(frozen=True, eq=False)
class CompiledLoop:
    """A kernel that runs a whole loop.

    Attributes:
        function: Takes the body's tensors and its symbols, then the results and the temporaries.
        results: The types of what is carried, then of the temporaries, in the body's symbols.
        symbols: The body's.
    """

    function: PrimFunc
    results: Sequence[relax.TensorType]
    symbols: Sequence[Var]


def compiled_loop(iteration: KernelSequence, unset: Sequence[bool]) -> CompiledLoop:
    """Return the kernel of a loop.

    Args:
        iteration: Of it.
        unset: Whether nobody reads what a carried tensor is at first.
    """
    return _Writer(iteration, unset).written()


class _Writer:
    """Writes the kernel of one loop.

    Attributes:
        states: For each carried tensor where it lies before odd and before even iterations, of
            which the first one is odd; one place twice where it stays.
    """

    def __init__(self, iteration: KernelSequence, unset: Sequence[bool]) -> None:
        self._iteration = iteration
        self._unset = unset
        self._calls = KernelCalls()
        self._symbols = sorted(iteration.symbols, key=str)
        self._sizes = {s: Var(str(s.name), s.ty) for s in self._symbols}
        self._tensors = [p for p in iteration.body.params if isinstance(p.ty, relax.TensorType)]
        self._given = {p: self._buffer(p.ty, str(p.name)) for p in self._tensors}
        self._temporaries: list[tuple[relax.TensorType, Buffer]] = []
        self._ends = [iteration.key(result) for result in iteration.results]
        self._into: dict[Key, int] = {}  # what is computed right where the next iteration looks
        self._stays: set[int] = set()  # the carried tensors that are written over, or not at all
        self._assign()
        results = [self._buffer(p.ty, f"{p.name}_last") for p in iteration.carried]
        self._results = results
        self.states = [
            (result, result if place in self._stays else self._temporary(param.ty))
            for place, (param, result) in enumerate(zip(iteration.carried, results, strict=True))
        ]
        self._kept = [*self._temporaries]  # what lasts longer than an iteration
        self._free: list[tuple[relax.TensorType, Buffer]] = []
        self._views: dict[Buffer, Buffer] = {}
        self._memory: dict[Key, Buffer] = {}

    def _assign(self) -> None:
        """Find which carried tensors stay where they are, and which results go where they belong.

        Any other result is copied there when its iteration ends.
        """
        computed = dict[Key, KernelCall | Branch]()
        for step in self._iteration.steps:
            computed |= {(step.var, place): step for place in range(len(step.types))}
        for place, (param, end) in enumerate(zip(self._iteration.carried, self._ends, strict=True)):
            maker = computed.get(end)
            if end == (param, 0) or self._over(maker) == (param, 0):
                self._stays.add(place)
            elif maker is not None and self._over(maker) is None:
                self._into.setdefault(end, place)

    def _over(self, step: KernelCall | Branch | None) -> Key | None:
        """Return the tensor whose memory a kernel writes over."""
        if not isinstance(step, KernelCall) or step.over is None:
            return None
        return self._iteration.key(step.operands[step.over])

    def written(self) -> CompiledLoop:
        """Write it."""
        odd = tirx.decl_buffer([1], "bool", "odd")
        at_first, later = (self._goes_on(half) for half in (0, 1))
        steps = [self._half(half) for half in (0, 1)]
        again = IfThenElse(later, steps[1], BufferStore(odd, tirx.const(1, "bool"), [0]))
        is_odd = BufferLoad(odd, [0])
        firsts = [
            self._copied(self._given[param], result, param.ty)
            for param, result, unset in zip(
                self._iteration.carried, self._results, self._unset, strict=True
            )
            if not unset
        ]
        lasts = [
            self._copied(other, result, param.ty)
            for param, (result, other) in zip(self._iteration.carried, self.states, strict=True)
            if result is not other
        ]
        body = [
            AllocBuffer(odd),
            *(DeclBuffer(view, data=memory.data) for memory, view in self._views.items()),
            *self._calls.prologue(),
            BufferStore(odd, tirx.const(0, "bool"), [0]),
            *firsts,
            While(tirx.And(tirx.Not(is_odd), at_first), SeqStmt([steps[0], again])),
            IfThenElse(is_odd, _in_order(lasts), None),
        ]
        temporaries = [buffer for _, buffer in self._temporaries]
        sizes = [self._sizes[symbol] for symbol in self._symbols]
        params = [*self._given.values(), *sizes, *self._results, *temporaries]
        types = [param.ty for param in self._iteration.carried]
        types += [ty for ty, _ in self._temporaries]
        function = PrimFunc(params, SeqStmt(body)).with_attr(SCHEDULED, 1)
        return CompiledLoop(function, types, self._symbols)

    def _goes_on(self, half: int) -> Expr:
        return BufferLoad(self._flat(self.states[0][half]), [0])

    def _half(self, half: int) -> Stmt:
        """Return an iteration that reads one side of the states, and writes the other."""
        iteration = self._iteration
        self._memory = {(p, 0): memory for p, memory in self._given.items()}
        for place, param in enumerate(iteration.carried):
            self._memory[param, 0] = self.states[place][half]
        self._free = [pair for pair in self._temporaries if pair not in self._kept]
        last = self._last_reads()
        done: list[Stmt] = []
        for number, step in enumerate(iteration.steps):
            done += self._step(step, half)
            for key in [key for key, read in last.items() if read == number]:
                self._release(key)
        for place, (result, end) in enumerate(zip(iteration.results, self._ends, strict=True)):
            if place not in self._stays and self._into.get(end) != place:
                into = self.states[place][1 - half]
                done.append(self._copied(self._memory[end], into, result.ty))
        return _in_order(done)

    def _last_reads(self) -> dict[Key, int]:
        """Return for tensors that no later iteration needs the step that reads them last."""
        last = dict[Key, int]()
        for number, step in enumerate(self._iteration.steps):
            made = [(step.var, place) for place in range(len(step.types))]
            last |= dict.fromkeys([*made, *map(self._iteration.key, _reads(step))], number)
        return {key: number for key, number in last.items() if key not in self._ends}

    def _step(self, step: KernelCall | Branch, half: int) -> Iterator[Stmt]:
        over = self._over(step)
        for place, ty in enumerate(step.types):
            made = step.var, place
            if over is not None:
                self._memory[made] = self._memory[over]
            elif made in self._into:
                self._memory[made] = self.states[self._into[made]][1 - half]
            else:
                self._memory[made] = self._taken(ty)
        if isinstance(step, Branch):
            yield self._branch(step, half)
            return
        given = [self._operand(operand) for operand in step.operands]
        if over is None:
            results = enumerate(step.types)
            given += [Tensor(self._memory[step.var, n], self._shape(ty)) for n, ty in results]
        yield self._calls.call(step.kernel.name_hint, given)

    def _operand(self, operand: Expr) -> Tensor | Expr:
        if not isinstance(operand.ty, relax.TensorType):
            return substitute(operand, self._sizes)
        return Tensor(self._memory[self._iteration.key(operand)], self._shape(operand.ty))

    def _branch(self, step: Branch, half: int) -> Stmt:
        sides = []
        for steps, results in zip(step.sides, step.results, strict=True):
            done = [one for inner in steps for one in self._step(inner, half)]
            for place, (result, ty) in enumerate(zip(results, step.types, strict=True)):
                source = self._memory[self._iteration.key(result)]
                done.append(self._copied(source, self._memory[step.var, place], ty))
            for inner in steps:
                for place in range(len(inner.types)):
                    self._release((inner.var, place))
            sides.append(_in_order(done))
        condition = BufferLoad(self._flat(self._memory[self._iteration.key(step.condition)]), [0])
        return IfThenElse(condition, *sides)

    def _shape(self, ty: relax.TensorType) -> list[Expr]:
        return [substitute(size, self._sizes) for size in ty.shape.values]

    def _buffer(self, ty: relax.TensorType, name: str) -> Buffer:
        return tirx.decl_buffer(self._shape(ty), str(ty.dtype), name)

    def _temporary(self, ty: relax.TensorType) -> Buffer:
        memory = self._buffer(ty, f"temporary{len(self._temporaries)}")
        self._temporaries.append((ty, memory))
        return memory

    def _taken(self, ty: relax.TensorType) -> Buffer:
        """Return memory for a tensor: some that is free, or more."""
        for place, (other, memory) in enumerate(self._free):
            if structural_equal(other, ty):
                del self._free[place]
                return memory
        return self._temporary(ty)

    def _release(self, key: Key) -> None:
        memory = self._memory[key]
        self._free += [pair for pair in self._temporaries if pair[1] is memory]

    def _flat(self, memory: Buffer) -> Buffer:
        if memory not in self._views:
            size = product(memory.shape)
            self._views[memory] = tirx.decl_buffer(
                [size], memory.dtype, f"{memory.name}_flat", data=memory.data
            )
        return self._views[memory]

    def _copied(self, source: Buffer, into: Buffer, ty: relax.TensorType) -> Stmt:
        place, count = Var("i", "int64"), product(self._shape(ty))
        store = BufferStore(self._flat(into), BufferLoad(self._flat(source), [place]), [place])
        return For(place, tirx.const(0, "int64"), count, ForKind.SERIAL, store)


def _in_order(statements: Sequence[Stmt]) -> Stmt:
    return sequence(statements) or Evaluate(0)


def _reads(step: KernelCall | Branch) -> Iterator[Expr]:
    if isinstance(step, KernelCall):
        yield from (o for o in step.operands if isinstance(o.ty, relax.TensorType))
        return
    yield step.condition
    for steps, results in zip(step.sides, step.results, strict=True):
        yield from results
        for inner in steps:
            yield from _reads(inner)
