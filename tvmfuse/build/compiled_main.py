"""A module's `main` as compiled functions, which are given memory for all that they write.

::

    main(x, w):                    main_sizes(x, sizes):
        a = alloc_tensor(n, 8)         sizes[:] = [bytes between, blocks, results, their sizes...]
        kernel(x, w, a)
        b = alloc_tensor(n)        main(x, w, b, between, hook):
        other(a, w, b)                 kernel(x, w, between)
        return b,                      other(between, w, b)
                                       return 1

Sizes that follow from the inputs' are read from those, in both functions. The first takes the
manifest's inputs; the other one those, the inputs that have a default, the weights, the results and
the memory between, each as the address of a `DLTensor`, and looks at no other type; then who is
told of each kernel (`kernel_calls.TELL`), which may be nobody.

A size that data decide is -1 among the results'. Such a result is not written: the second function
says in its `DLTensor` where it lies and what its sizes are. What it allocates is listed in the
memory between (`build.main_memory`), which has to be zero before, and is freed by whoever calls.

Where some results may take the memory of inputs (`build.sharing`), there are both once more, as
`main_in_place`: that writes them there, and nothing to the places of these results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tvm import IRModule, sym, tirx
from tvm.ir import Expr, PointerType, PrimType, Var
from tvm.tirx import (
    Bind,
    BufferLoad,
    BufferStore,
    Evaluate,
    IfThenElse,
    PrimFunc,
    Return,
    SeqStmt,
    Stmt,
    While,
    op,
)

from tvmfuse.build.feed_checks import check, index_checks, size_check, size_checks
from tvmfuse.build.kernel_calls import (
    DATA,
    SHAPE,
    Header,
    KernelCalls,
    Late,
    Place,
    data_of,
    elements,
)
from tvmfuse.build.main_memory import Places, countable
from tvmfuse.build.main_reader import UnreadableError, steps_of
from tvmfuse.build.main_steps import (
    Branch,
    Call,
    Loop,
    Match,
    Memory,
    Step,
    Steps,
    Take,
    View,
    bytes_of,
)
from tvmfuse.build.size_divisions import guarded
from tvmfuse.build.told_numbers import Told
from tvmfuse.runtime.failures import DAMAGED
from tvmfuse.runtime.functions import IN_PLACE, MAIN, SIZES
from tvmfuse.schedules.expressions import number, variables
from tvmfuse.schedules.loop_nests import SCHEDULED, sequence
from tvmfuse.tensor_spec import TensorSpec

_Spelled: TypeAlias = tuple[str, frozenset[Var]]

OTHERS: Final = "the file states other results than its code has: compile the model again"


def compiled_main(
    module: IRModule,
    inputs: Sequence[TensorSpec],
    overridable: Sequence[TensorSpec] = (),
    *,
    reuse: bool = True,
) -> Mapping[str, PrimFunc]:
    """Return the functions by their names.

    Args:
        module: `main` allocates tensors and calls kernels, in branches and loops, too; the
            parameters are inputs and weights, of which the weights have fixed sizes. So does
            `IN_PLACE`, if there is such a function.
        inputs: What the first of the parameters are to be like; the others are weights.
        overridable: What the first of the weights are to be like: a caller may replace them.
        reuse: Whether a tensor may lie where another one lay.

    Raises:
        UnreadableError: There is something else in it.
    """
    names = [name.name_hint for name in module.functions if name.name_hint in (MAIN, IN_PLACE)]
    made = dict[str, PrimFunc]()
    for name in sorted(names):
        steps, is_in_place = steps_of(module, name), name == IN_PLACE
        writer = _Writer(inputs, overridable, steps, writes_to_inputs=is_in_place, reuse=reuse)
        made |= {f"{name}{end}": function for end, function in writer.written().items()}
    return made


@dataclass
class _Early:
    """The sizes that are known from the start.

    Attributes:
        known: The variables.
        read: What reads them, or computes them from such.
        named: Those that have a name in the manifest, as they were read.
        checks: What fails where one that has to be another is not.
    """

    known: set[Var] = field(default_factory=set)
    read: list[Stmt] = field(default_factory=list)
    named: dict[str, Expr] = field(default_factory=dict)
    checks: list[Stmt] = field(default_factory=list)


class _Writer:
    """Writes the functions of a module's `main`.

    Args:
        specs: The inputs.
        overridable: Those of the weights that a caller may replace, the first ones.
        main: What to do.
        writes_to_inputs: Whether a result that is an input stays there.
        reuse: Whether a tensor may lie where another one lay.
    """

    def __init__(
        self,
        specs: Sequence[TensorSpec],
        overridable: Sequence[TensorSpec],
        main: Steps,
        *,
        writes_to_inputs: bool,
        reuse: bool,
    ) -> None:
        self._specs, self._main, self._writes_to_inputs = specs, main, writes_to_inputs
        self._given = (*specs, *overridable)
        count = len(self._main.given)
        handles = [_handle(f"tensor{n}") for n in range(count + len(self._main.results))]
        self._handles, self._outputs = handles, handles[count:]
        self._inputs = handles[: len(specs)]
        self._between = _handle("between")
        self._early = _Early()
        self._hook = _handle("hook")
        self._calls = KernelCalls(self._hook)
        self._read_sizes()
        self._hoist(self._main.steps, is_first=True)
        self._described = {m: (h, m.sizes) for m, h in zip(self._main.given, handles, strict=False)}
        self._passed_on = self._pass_on()
        memories = self._main.memories
        described = {memory: header for memory, (header, _) in self._described.items()}
        self._places = Places(memories, described, self._between, self._early.known, reuse=reuse)
        self._operands: dict[tuple[Memory, _Spelled], Place] = {}

    def written(self) -> Mapping[str, PrimFunc]:
        """Write them, by the ends of their names."""
        early, places = self._early, self._places
        done = self._written(self._main.steps)
        given = self._handles[: len(self._given)]
        checked = index_checks(self._given, given, early.named)
        passed_on = [stmt for place in self._passed_on for stmt in self._result(place)]
        before = [*early.read, *checked, *self._calls.prologue(), *places.prologue()]
        made = [m for m in self._main.memories if m not in self._main.given]
        early_ones = [m.sizes for m in made if not m.is_nested]
        shapes = {_spelled(sizes): sizes for sizes in early_ones if places.is_early(*sizes)}
        fits = [*early.read, *size_checks(self._specs, early.named), *early.checks]
        fits += [stmt for shape in shapes.values() for stmt in countable(shape)]
        sizes = [size for view in self._main.results for size in view.sizes]
        answers = [size if places.is_early(size) else number(-1) for size in sizes]
        counts = number(places.blocks), number(len(self._main.results))
        params = [*self._handles, self._between, self._hook]
        functions = {
            "": PrimFunc(params, self._calls.telling(_end([*before, *done, *passed_on]))),
            SIZES: _telling(self._inputs, fits, [places.nbytes, *counts, *answers]),
        }
        return {end: guarded(f).with_attr(SCHEDULED, 1) for end, f in functions.items()}

    # --- What is known from the start

    def _read_sizes(self) -> None:
        """Read the sizes of inputs that are known only later, and check what follows."""
        early = self._early
        for param, spec, memory in zip(self._inputs, self._specs, self._main.given, strict=False):
            if not variables(*memory.sizes) and all(isinstance(n, int) for n in spec.shape):
                continue
            there, rank = op.tvm_struct_get(param, 0, SHAPE, "handle"), number(len(spec.shape))
            buffer, declared = elements(f"{param.name}_sizes", "int64", there, rank)
            early.read += declared
            for axis, (name, size) in enumerate(zip(spec.shape, memory.sizes, strict=True)):
                given = BufferLoad(buffer, [number(axis)])
                if isinstance(name, str):
                    early.named.setdefault(name, given)
                if isinstance(size, Var) and size not in early.known:
                    early.known.add(size)
                    early.read.append(Bind(size, given))
                else:
                    words = f"{spec}: expected {size} on axis {axis}, as other inputs have it"
                    early.checks.append(check(tirx.EQ(given, size), words))
        if not early.known >= {v for memory in self._main.given for v in variables(*memory.sizes)}:
            raise UnreadableError("a size of weights that no input has")

    def _hoist(self, steps: Sequence[Step], *, is_first: bool) -> None:
        """Give sizes that follow from such their values; check those that have to be others."""
        early = self._early
        for step in steps:
            for inner in step.sides if isinstance(step, Branch) else ():
                self._hoist(inner, is_first=False)
            if isinstance(step, Loop):
                self._hoist(step.steps, is_first=False)
            if not isinstance(step, Match) or isinstance(step.found, Memory):
                continue
            for found, wanted, is_new in zip(step.found, step.wanted, step.is_new, strict=True):
                if not variables(found) <= early.known:
                    continue
                if is_new:
                    early.known.add(wanted)
                    early.read.append(Bind(wanted, found))
                elif is_first and variables(wanted) <= early.known:
                    early.checks.append(size_check(found, wanted))

    # --- Results

    def _pass_on(self) -> list[int]:
        """Let `main` write results where they belong; return those that it has elsewhere."""
        passed_on = []
        for place, view in enumerate(self._main.results):
            memory = view.memory
            is_early = variables(*memory.sizes, *view.sizes) <= self._early.known
            direct = memory.is_own and not memory.is_nested and not memory.changes_hands
            if direct and is_early and memory not in self._described:
                self._described[memory] = self._outputs[place], view.sizes
            elif not (self._writes_to_inputs and memory in self._main.given[: len(self._specs)]):
                passed_on.append(place)
        return passed_on

    def _result(self, place: int) -> list[Stmt]:
        """Copy a result, or say where it lies."""
        view, output = self._main.results[place], self._outputs[place]
        address = self._places.address(view.memory)
        if self._places.is_early(*view.sizes):
            return [_copied(address, data_of(output), bytes_of(view.sizes, view.memory.dtype))]
        there = op.tvm_struct_get(output, 0, SHAPE, "handle")
        rank = number(len(view.sizes))
        buffer, declared = elements(f"{output.name}_sizes", "int64", there, rank)
        stores = [BufferStore(buffer, size, [number(axis)]) for axis, size in enumerate(view.sizes)]
        return [Evaluate(op.tvm_struct_set(output, 0, DATA, address)), *declared, *stores]

    # --- Steps

    def _written(self, steps: Sequence[Step]) -> list[Stmt]:
        return [statement for step in steps for statement in self._step(step)]

    def _step(self, step: Step) -> Iterator[Stmt]:
        if isinstance(step, Call):
            operands = [*map(self._operand, step.operands)]
            yield self._calls.call(step.kernel, operands, step.written)
        elif isinstance(step, Take):
            yield from self._places.take(step.memory)
        elif isinstance(step, Match):
            yield from self._match(step)
        elif isinstance(step, Branch):
            yield from self._branch(step)
        elif isinstance(step, Loop):
            yield from self._loop(step)
        else:
            address = self._places.address
            yield _copied(address(step.source.memory), address(step.into), step.into.nbytes)

    def _operand(self, operand: View | Expr) -> Header | Place | Late | Expr:
        if not isinstance(operand, View):
            return operand if self._places.is_early(operand) else Late(operand)
        memory, sizes = operand.memory, operand.sizes
        header, shown = self._described.get(memory, (None, ()))
        if header is not None and _same(sizes, shown):
            return Header(header)
        key = memory, _spelled(sizes)
        if key not in self._operands:
            late = not (self._places.is_fixed(memory) and self._places.is_early(*sizes))
            address = self._places.address(memory)
            self._operands[key] = Place(address, memory.dtype, sizes, late)
        return self._operands[key]

    def _match(self, step: Match) -> Iterator[Stmt]:
        found = step.found
        if isinstance(found, Memory):
            count, address = number(len(step.wanted)), self._places.address(found)
            buffer, declared = elements("shape", found.dtype, address, count)
            yield from declared
            found = [BufferLoad(buffer, [number(n)]) for n in range(len(step.wanted))]
        for size, wanted, is_new in zip(found, step.wanted, step.is_new, strict=True):
            if is_new and wanted not in self._early.known:
                yield Bind(wanted, size)
            elif not is_new and not _same([size], [wanted]):
                yield size_check(size, wanted)

    def _branch(self, step: Branch) -> Iterator[Stmt]:
        sizes = [size for memory in step.joined for size in memory.sizes]
        told = Told(sizes)
        sides = []
        for steps, results in zip(step.sides, step.results, strict=True):
            side = self._written(steps)
            for view, memory in zip(results, step.joined, strict=True):
                side.append(self._places.note(memory, self._places.address(view.memory)))
            side += told.tell([size for view in results for size in view.sizes])
            sides.append(sequence(side) or Evaluate(number(0)))
        condition, declared = self._truth(step.condition)
        yield from told.declared()
        yield from declared
        yield IfThenElse(condition, *sides)
        yield from told.named(sizes)

    def _loop(self, step: Loop) -> Iterator[Stmt]:
        own = [size for memory in step.states for size in memory.sizes]
        told = Told([*own, number(0)])
        inner = [*told.named(own), *self._written(step.steps)]
        inner += told.tell([size for view in step.results for size in view.sizes])
        for view, state in zip(step.results, step.states, strict=True):
            if view.memory is not state:
                inner += self._places.hand_over(view.memory, state)
        yield from told.declared()
        for view, state in zip(step.begin, step.states, strict=True):
            yield self._places.note(state, self._places.address(view.memory))
        yield from told.tell([size for view in step.begin for size in view.sizes])
        yield from self._goes_on(step.states[0], told)
        inner += self._goes_on(step.states[0], told)
        yield While(tirx.NE(told.load(len(own)), number(0)), sequence(inner))
        yield from told.named([size for view in step.last for size in view.sizes])

    def _goes_on(self, state: Memory, told: Told) -> list[Stmt]:
        """Return what notes whether there is another iteration."""
        condition, declared = self._truth(state)
        return [*declared, told.store(len(told.sizes) - 1, condition.astype("int64"))]

    def _truth(self, memory: Memory) -> tuple[Expr, list[Stmt]]:
        """Return the value of a bool, and what it takes to read it."""
        address = self._places.address(memory)
        buffer, declared = elements("condition", memory.dtype, address, number(1))
        return BufferLoad(buffer, [number(0)]), declared


def _spelled(sizes: Sequence[Expr]) -> _Spelled:
    """Return what tells sizes apart: two variables may have one name."""
    return str(sizes), frozenset(variables(*sizes))


def _telling(inputs: Sequence[Var], fits: Sequence[Stmt], told: Sequence[Expr]) -> PrimFunc:
    """Return the function that tells how much memory there has to be, and the results' sizes."""
    target = _handle("sizes")
    buffer, into = elements("told", "int64", data_of(target), number(len(told)))
    stores = [BufferStore(buffer, size, [number(n)]) for n, size in enumerate(told)]
    there = op.tvm_struct_get(target, 0, SHAPE, "handle")
    length, declared = elements("length", "int64", there, number(1))
    fits_code = check(tirx.EQ(BufferLoad(length, [number(0)]), number(len(told))), OTHERS, DAMAGED)
    return PrimFunc([*inputs, target], _end([*declared, fits_code, *fits, *into, *stores]))


def _copied(source: Expr, into: Expr, nbytes: Expr) -> Stmt:
    return Evaluate(op.call_extern("handle", "memcpy", into, source, nbytes))


def _end(statements: Sequence[Stmt]) -> SeqStmt:
    return SeqStmt([*statements, Return(tirx.const(1, "int32"))])


def _same(left: Sequence[Expr], right: Sequence[Expr]) -> bool:
    known = sym.Analyzer()
    return len(left) == len(right) and all(
        known.can_prove_equal(a, b) for a, b in zip(left, right, strict=True)
    )


def _handle(name: str) -> Var:
    return Var(name, PointerType(PrimType("void")))
