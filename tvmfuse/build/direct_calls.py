"""`main` as one compiled function that writes results where it is told.

TVM's virtual machine allocates each tensor by calls of its own, keeps count of who holds it, and
hands results out in an array. For small kernels that takes longer than they do::

    main(x, w):                    main_direct(x, w, y, memory):
        a = alloc_tensor(m)            kernel(x, w, memory)
        kernel(x, w, a)                other(memory, w, y)
        b = alloc_tensor(m)            return 1
        other(a, w, b)
        return b,

Whoever calls it brings the results' memory, and some for all that lies between.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import tvm_ffi
from tvm import IRModule, relax, tirx
from tvm.ir import Call, Expr, GlobalVar, PointerType, PrimType, TupleGetItem, Var
from tvm.tirx import PrimFunc, Return, SeqStmt, op

from tvmfuse.arrays import ALIGNMENT
from tvmfuse.build.kernel_calls import DATA, OFFSET, Header, KernelCalls, Place
from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.fixed_loops import MOST, RESHAPE
from tvmfuse.runtime.direct import DIRECT, MEMORY
from tvmfuse.schedules.loop_nests import SCHEDULED

ALLOCATE: Final = "relax.builtin.alloc_tensor"

LARGEST: Final = 1 << 18
"""Bytes of all that is written: of larger tensors calls take no part of the time that shows."""


def direct_functions(module: IRModule) -> Mapping[str, PrimFunc]:
    """Return the function, and one that says how many bytes it needs between; none if it cannot be.

    It can where `main` calls kernels alone, one after the other, on tensors of fixed sizes, and
    what it returns is written by them, each result in memory of its own.

    Args:
        module: `main` allocates tensors and calls kernels; the parameters are inputs and weights.
    """
    try:
        return _Writer(module).written()
    except _CannotError:
        return {}


class _CannotError(Exception):
    """`main` takes the virtual machine."""


@dataclass(frozen=True, eq=False)
class _Memory:
    """A tensor of fixed sizes that `main` is given, or allocates.

    Attributes:
        sizes: Of it.
        dtype: Of its elements.
    """

    sizes: tuple[int, ...]
    dtype: str

    @property
    def nbytes(self) -> int:
        """Bytes of it."""
        return math.prod(self.sizes) * -(-tvm_ffi.dtype(self.dtype).bits // 8)


class _Writer:
    """Writes the function of a module's `main`.

    Attributes:
        described: What the function is given: who describes the tensor, and by which sizes.
    """

    def __init__(self, module: IRModule) -> None:
        self._module, self._main = module, module["main"]
        self._inputs = [_memory_of(param.ty) for param in self._main.params]
        self._values: dict[Expr, Expr | _Memory] = dict(
            zip(self._main.params, self._inputs, strict=True)
        )
        self.described: dict[_Memory, tuple[Var, tuple[int, ...]]] = {}
        self._calls = KernelCalls()
        self._between = _handle("between")
        self._places: dict[tuple[_Memory, tuple[int, ...]], Place] = {}
        self._begins: dict[_Memory, int] = {}
        self._end = 0  # of the memory between

    def written(self) -> Mapping[str, PrimFunc]:
        """Write it."""
        bindings = [binding for block in self._main.body.blocks for binding in block.bindings]
        calls = [call for binding in bindings for call in self._read(binding)]
        params = self._params()
        if not calls or len(calls) > MOST or sum(m.nbytes for m in self._allocated()) > LARGEST:
            raise _CannotError
        done = [
            self._calls.call(call.op.name_hint, [*map(self._operand, call.args)]) for call in calls
        ]
        body = SeqStmt([*self._calls.prologue(), *done, Return(tirx.const(1, "int32"))])
        size = Return(tirx.const(self._end, "int64"))
        made = {DIRECT: PrimFunc(params, body), MEMORY: PrimFunc([], size)}
        return {name: function.with_attr(SCHEDULED, 1) for name, function in made.items()}

    def _read(self, binding: relax.Binding) -> Iterator[Call]:
        """Take note of a binding; yield the call of a kernel."""
        var, value = binding.var, binding.value
        if isinstance(binding, relax.MatchCast):
            raise _CannotError
        if op_name(value) == ALLOCATE:
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

    def _params(self) -> list[Var]:
        """Return the function's parameters, and remember what they describe."""
        outputs = self._elements(self._main.body.body)
        results = [*map(self._memory, outputs)]
        if len({*results}) < len(results) or not {*results}.isdisjoint(self._inputs):
            raise _CannotError
        sizes = [memory.sizes for memory in self._inputs] + [_sizes(o.ty) for o in outputs]
        params = [_handle(f"tensor{place}") for place in range(len(sizes))]
        for memory, param, shape in zip([*self._inputs, *results], params, sizes, strict=True):
            self.described[memory] = param, shape
        return [*params, self._between]

    def _allocated(self) -> Iterator[_Memory]:
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

    def _operand(self, operand: Expr) -> Header | Place:
        memory, sizes = self._memory(operand), _sizes(operand.ty)
        if memory in self.described and sizes == self.described[memory][1]:
            return Header(self.described[memory][0])
        if (memory, sizes) not in self._places:
            shape = [tirx.const(size, "int64") for size in sizes]
            self._places[memory, sizes] = Place(self._address(memory), memory.dtype, shape)
        return self._places[memory, sizes]

    def _address(self, memory: _Memory) -> Expr:
        if memory in self.described:
            return _data(self.described[memory][0])
        if memory not in self._begins:
            self._begins[memory] = self._end
            self._end += -(-memory.nbytes // ALIGNMENT) * ALIGNMENT
        return op.handle_add_byte_offset(_data(self._between), self._begins[memory])


def _memory_of(ty: relax.Type) -> _Memory:
    return _Memory(_sizes(ty), str(ty.dtype.dtype))


def _sizes(ty: relax.Type) -> tuple[int, ...]:
    if not isinstance(ty, relax.TensorType) or not isinstance(ty.shape, relax.ShapeExpr):
        raise _CannotError
    if not all(isinstance(size, tirx.IntImm) for size in ty.shape.values):
        raise _CannotError
    return tuple(int(size) for size in ty.shape.values)


def _data(header: Var) -> Expr:
    """Return where the elements of a tensor begin."""
    data = op.tvm_struct_get(header, 0, DATA, "handle")
    return op.handle_add_byte_offset(data, op.tvm_struct_get(header, 0, OFFSET, "uint64"))


def _handle(name: str) -> Var:
    return Var(name, PointerType(PrimType("void")))
