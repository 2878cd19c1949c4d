"""`main` as one compiled function that takes memory for its results and for all in between.

TVM's virtual machine allocates each tensor by calls of its own, keeps count of who holds it, and
hands results out in an array. Here whoever calls brings the memory, and needs no virtual machine::

    main(x, w):                    main_direct_sizes(x, sizes):
        a = alloc_tensor(n, 8)         sizes[:] = [bytes between, the results' sizes...]
        kernel(x, w, a)
        b = alloc_tensor(n)        main_direct(x, w, b, between):
        other(a, w, b)                 kernel(x, w, between)
        return b,                      other(between, w, b)
                                       return 1

Sizes that are known only later are read from the inputs, in both functions. The first takes the
manifest's inputs; the other one those, the inputs that have a default, the weights, the results and
the memory between, each as the address of a `DLTensor`, and looks at no other type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import tvm_ffi
from tvm import IRModule, relax, sym, tirx
from tvm.ir import Call, Expr, GlobalVar, PointerType, PrimType, TupleGetItem, Var
from tvm.tirx import (
    Bind,
    BufferLoad,
    BufferStore,
    Evaluate,
    PrimFunc,
    Return,
    SeqStmt,
    Stmt,
    op,
)

from tvmfuse.build.arena import Arena, Lifetime
from tvmfuse.build.feed_checks import check, index_checks, size_checks
from tvmfuse.build.kernel_calls import SHAPE, Header, KernelCalls, Place, data_of, elements
from tvmfuse.build.size_divisions import guarded
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.fixed_loops import RESHAPE
from tvmfuse.runtime.direct import DIRECT, MEMORY, SIZES
from tvmfuse.schedules.expressions import number, product, static, variables
from tvmfuse.schedules.loop_nests import SCHEDULED
from tvmfuse.tensor_spec import TensorSpec

ALLOCATE: Final = "relax.builtin.alloc_tensor"

#: Calls of kernels, at most: LLVM takes longer than linearly for one function.
MOST: Final = 4096

#: Elements of a tensor of sizes that are known only later, at most.
MOST_ELEMENTS: Final = 2.0**46
NEGATIVE: Final = "the sizes of inputs ask for a tensor of a negative size"
TOO_LARGE: Final = "the sizes of inputs ask for a tensor of more elements than 2**46"

#: Calls of a model that is quick to run, and bytes of all that it writes: with larger tensors the
#: virtual machine's calls take no part of the time that shows.
FEW: Final = 256
LARGEST: Final = 1 << 18


def compiled_main(module: IRModule, inputs: Sequence[TensorSpec]) -> Mapping[str, PrimFunc]:
    """Return both functions by their names; none if they cannot be.

    They can where `main` calls kernels alone, one after the other, and the sizes of all that it
    computes follow from its inputs'.

    Args:
        module: `main` allocates tensors and calls kernels; the parameters are inputs and weights,
            of which the weights have fixed sizes.
        inputs: What the first of the parameters are to be like; the others are weights.
    """
    try:
        return _Writer(module, inputs).written()
    except _CannotError:
        return {}


class _CannotError(Exception):
    """`main` takes the virtual machine."""


@dataclass(eq=False)
class _Memory:
    """A tensor that `main` is given, or allocates.

    Attributes:
        sizes: Of it.
        dtype: Of its elements.
        used: The calls that it is an operand of.
        described: Who describes it, and by which sizes; None of what lies between.
    """

    sizes: Sequence[Expr]
    dtype: str
    used: list[int] = field(default_factory=list)
    described: tuple[Var, Sequence[Expr]] | None = None

    @property
    def nbytes(self) -> Expr:
        """Bytes of it."""
        return product(self.sizes) * (-(-tvm_ffi.dtype(self.dtype).bits // 8))


@dataclass
class _Sizes:
    """The sizes of inputs that are known only later.

    Attributes:
        read: What reads them.
        named: Those that have a name, as they were read.
        checks: What fails where one that has to be another is not.
    """

    read: list[Stmt] = field(default_factory=list)
    named: dict[str, Expr] = field(default_factory=dict)
    checks: list[Stmt] = field(default_factory=list)


class _Writer:
    """Writes the functions of a module's `main`."""

    def __init__(self, module: IRModule, specs: Sequence[TensorSpec]) -> None:
        self._module, self._main, self._specs = module, module["main"], specs
        self._given = [_memory_of(param.ty) for param in self._main.params]
        self._values: dict[Expr, Expr | _Memory] = {}
        self._values |= zip(self._main.params, self._given, strict=True)
        self._equal: list[tuple[Expr, Expr]] = []
        self._calls = KernelCalls()
        self._between = _handle("between")
        self._places: dict[tuple[_Memory, str], Place] = {}
        self._begins: dict[_Memory, Expr] = {}

    def written(self) -> Mapping[str, PrimFunc]:
        """Write them."""
        bindings = [binding for block in self._main.body.blocks for binding in block.bindings]
        calls = [call for binding in bindings for call in self._read(binding)]
        results = [(self._memory(x), _sizes(x.ty)) for x in self._elements(self._main.body.body)]
        if len(calls) > MOST:
            raise _CannotError
        for nth, call in enumerate(calls):
            for memory in filter(None, map(self._tensor, call.args)):
                memory.used.append(nth)
        count = len(self._given)
        handles = [_handle(f"tensor{place}") for place in range(count + len(results))]
        params, outputs = handles[:count], handles[count:]
        copied = self._describe(params, outputs, results)
        between = [m for m in self._memories() if m.described is None and m.used]
        arena = Arena.of([Lifetime(m.nbytes, min(m.used), max(m.used)) for m in between])
        self._begins = dict(zip(between, arena.begins, strict=True))
        done = [
            self._calls.call(call.op.name_hint, [*map(self._operand, call.args)]) for call in calls
        ]
        inputs = params[: len(self._specs)]
        sizes = self._read_sizes(inputs)
        checked = index_checks(self._specs, inputs, sizes.named)
        body = [*sizes.read, *checked, *self._calls.prologue(), *done, *copied]
        fits = [*sizes.read, *size_checks(self._specs, sizes.named), *sizes.checks]
        fits += _countable([memory.sizes for memory in self._memories()])
        told = [arena.nbytes, *(size for _, each in results for size in each)]
        made = {
            DIRECT: PrimFunc([*handles, self._between], _sequence(body)),
            SIZES: _telling(inputs, fits, told),
        }
        written = sum(static(m.nbytes) or LARGEST for m in self._memories())
        if not sizes.read and len(calls) <= FEW and written <= LARGEST:
            made[MEMORY] = PrimFunc([], Return(arena.nbytes))
        return {name: guarded(function).with_attr(SCHEDULED, 1) for name, function in made.items()}

    def _describe(
        self,
        params: Sequence[Var],
        outputs: Sequence[Var],
        results: Sequence[tuple[_Memory, Sequence[Expr]]],
    ) -> list[Stmt]:
        """Note who describes which memory; return the copies of results that are another's, too."""
        copied = list[Stmt]()
        for param, memory in zip(params, self._given, strict=True):
            memory.described = param, memory.sizes
        for param, (memory, sizes) in zip(outputs, results, strict=True):
            if memory.described is None:
                memory.described = param, sizes
                continue
            source = data_of(memory.described[0])
            copy = op.call_extern("handle", "memcpy", data_of(param), source, memory.nbytes)
            copied.append(Evaluate(copy))
        return copied

    def _read(self, binding: relax.Binding) -> Iterator[Call]:
        """Take note of a binding; yield the call of a kernel."""
        var, value = binding.var, binding.value
        if isinstance(binding, relax.MatchCast):  # of sizes that are said to be others
            self._equal += zip(_sizes(value.ty), _sizes(var.ty), strict=True)
            self._values[var] = value
        elif op_name(value) == ALLOCATE:
            self._values[var] = _memory_of(var.ty)
        elif op_name(value) == RESHAPE:
            self._values[var] = value.args[0]
        elif isinstance(value, relax.Var | relax.Tuple | TupleGetItem):
            self._values[var] = value
        elif isinstance(value, Call) and isinstance(value.op, GlobalVar):
            if not isinstance(self._module[value.op], PrimFunc):
                raise _CannotError
            yield value
        else:
            raise _CannotError

    def _memories(self) -> Iterator[_Memory]:
        yield from (m for m in self._values.values() if isinstance(m, _Memory))

    def _elements(self, value: Expr) -> list[Expr]:
        while isinstance(value, relax.Var):
            value = self._values[value]
        if not isinstance(value, relax.Tuple):
            raise _CannotError
        return [*value.fields]

    def _memory(self, tensor: Expr) -> _Memory:
        while not isinstance(found := self._values.get(tensor), _Memory):
            if isinstance(found, TupleGetItem):
                found = self._elements(found.tuple_value)[found.index]
            if found is None:
                raise _CannotError
            tensor = found
        return found

    def _tensor(self, operand: Expr) -> _Memory | None:
        """Return the memory of an operand, None of a number."""
        return self._memory(operand) if isinstance(operand.ty, relax.TensorType) else None

    def _operand(self, operand: Expr) -> Header | Place | Expr:
        memory = self._tensor(operand)
        if memory is None:
            return operand
        sizes = _sizes(operand.ty)
        if memory.described and _same(sizes, memory.described[1]):
            return Header(memory.described[0])
        key = memory, str(sizes)
        if key not in self._places:
            self._places[key] = Place(self._address(memory), memory.dtype, sizes)
        return self._places[key]

    def _address(self, memory: _Memory) -> Expr:
        if memory.described:
            return data_of(memory.described[0])
        return op.handle_add_byte_offset(data_of(self._between), self._begins[memory])

    def _read_sizes(self, inputs: Sequence[Var]) -> _Sizes:
        """Return what reads the sizes that are known only later, and checks what follows."""
        known, sizes = set[Var](), _Sizes()
        for param, spec, memory in zip(inputs, self._specs, self._given, strict=False):
            if not variables(*memory.sizes) and all(isinstance(n, int) for n in spec.shape):
                continue
            there, rank = op.tvm_struct_get(param, 0, SHAPE, "handle"), number(len(spec.shape))
            buffer, declared = elements(f"{param.name}_sizes", "int64", there, rank)
            sizes.read += declared
            for axis, (name, size) in enumerate(zip(spec.shape, memory.sizes, strict=True)):
                given = BufferLoad(buffer, [number(axis)])
                if isinstance(name, str):
                    sizes.named.setdefault(name, given)
                if isinstance(size, Var) and size not in known:
                    known.add(size)
                    sizes.read.append(Bind(size, given))
                else:
                    words = f"{spec}: expected {size} on axis {axis}, as other inputs have it"
                    sizes.checks.append(check(tirx.EQ(given, size), words))
        for size, other in self._equal:
            words = f"the sizes of inputs do not fit: expected {size} to be {other}"
            sizes.checks.append(check(tirx.EQ(size, other), words))
        named = [*(m.sizes for m in self._memories()), *self._equal]
        if not known >= {var for each in named for var in variables(*each)}:
            raise _CannotError
        return sizes


def _countable(shapes: Sequence[Sequence[Expr]]) -> list[Stmt]:
    """Return the checks that 63 bits count the elements of tensors, as they do where all are small.

    Of an input without elements the other sizes may be anything.
    """
    found = {str(shape): shape for shape in shapes if variables(*shape)}
    return [
        check(product([size.astype("float64") for size in shape]) <= MOST_ELEMENTS, TOO_LARGE)
        for shape in found.values()
    ] + [
        check(size >= 0, NEGATIVE)
        for size in {str(size): size for shape in found.values() for size in shape}.values()
        if variables(size)
    ]


def _telling(inputs: Sequence[Var], fits: Sequence[Stmt], told: Sequence[Expr]) -> PrimFunc:
    """Return the function that tells how much memory there has to be, and the results' sizes."""
    target = _handle("sizes")
    buffer, into = elements("told", "int64", data_of(target), number(len(told)))
    stores = [BufferStore(buffer, size, [number(n)]) for n, size in enumerate(told)]
    return PrimFunc([*inputs, target], _sequence([*fits, *into, *stores]))


def _sequence(statements: Sequence[Stmt]) -> SeqStmt:
    return SeqStmt([*statements, Return(tirx.const(1, "int32"))])


def _memory_of(ty: relax.Type) -> _Memory:
    return _Memory(_sizes(ty), str(ty.dtype.dtype))


def _sizes(ty: relax.Type) -> list[Expr]:
    if not isinstance(ty, relax.TensorType) or not isinstance(ty.shape, relax.ShapeExpr):
        raise _CannotError
    return [*ty.shape.values]


def _same(left: Sequence[Expr], right: Sequence[Expr]) -> bool:
    known = sym.Analyzer()
    return len(left) == len(right) and all(
        known.can_prove_equal(a, b) for a, b in zip(left, right, strict=True)
    )


def _handle(name: str) -> Var:
    return Var(name, PointerType(PrimType("void")))
