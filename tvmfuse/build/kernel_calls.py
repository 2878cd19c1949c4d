"""Calls of kernels from compiled code: what is known of their operands is put together once.

A kernel is a C function of TVM's calling convention: it takes an array of tagged values, of which a
tensor's is the address of a `DLTensor`, and returns 0 unless it failed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr, PointerType, PrimType, Var
from tvm.tirx import (
    Bind,
    Buffer,
    BufferStore,
    DeclBuffer,
    Evaluate,
    IfThenElse,
    SeqStmt,
    Stmt,
    op,
)

from tvmfuse import _tvm

#: TVM's TVMStructFieldKind: the fields of a `DLTensor`, then those of a tagged value.
ADDRESS, DATA, SHAPE, STRIDES, RANK, CODE, BITS, LANES, OFFSET, DEVICE, DEVICE_TYPE = range(11)
TAG, PADDING, VALUE = 13, 14, 15

#: The tags of nothing, of a number and of a tensor.
NOTHING: Final = 0
NUMBER: Final = 1
TENSOR: Final = 7

#: DLPack's kDLCPU.
CPU: Final = 1


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor that a kernel is given.

    Attributes:
        memory: Where its elements lie.
        shape: Its sizes.
    """

    memory: Buffer
    shape: Sequence[Expr]

    @property
    def address(self) -> Expr:
        """Where the first element lies."""
        return op.address_of(self.memory)

    @property
    def dtype(self) -> str:
        """Of the elements."""
        return str(self.memory.dtype)


@dataclass(frozen=True, eq=False)
class Place:
    """A tensor that a kernel is given, of which an address is known.

    Attributes:
        address: Where its first element lies.
        dtype: Of the elements.
        shape: Its sizes.
        is_late: Whether address or sizes are known no earlier than where it is called.
    """

    address: Expr
    dtype: str
    shape: Sequence[Expr]
    is_late: bool = False


@dataclass(frozen=True, eq=False)
class Late:
    """A number that a kernel is given, known no earlier than where it is called."""

    value: Expr


@dataclass(frozen=True, eq=False)
class Header:
    """A tensor that a kernel is given as somebody has described it.

    Attributes:
        address: Of a `DLTensor`.
    """

    address: Expr


class KernelCalls:
    """Writes the calls of one function, and what comes before the first of them."""

    def __init__(self) -> None:
        self._tensors: dict[tuple[Buffer | Place, str], _Described] = {}
        self._operands: list[Stmt] = []
        self._headers = Var("headers", _pointer())
        self._result = Var("result", _pointer())
        self._count, self._counted = Var("sizes_count", "int64"), 0
        self._memory = Var("sizes", PointerType(PrimType("int64")))
        self._sizes = tirx.decl_buffer([self._count], "int64", "sizes", data=self._memory)

    def call(self, kernel: str, given: Sequence[Tensor | Place | Header | Late | Expr]) -> Stmt:
        """Return the call of a kernel with tensors and numbers; if it fails, the function does."""
        operands = Var("operands", _pointer())
        space = op.tvm_stack_alloca("tvm_ffi_any", max(len(given), 1))
        self._operands.append(Bind(operands, space))
        late = list[Stmt]()
        for place, value in enumerate(given):
            if isinstance(value, Header):
                self._operands += _tagged(operands, place, TENSOR, value.address)
            elif isinstance(value, Tensor | Place):
                described = self._described(value)
                header = op.tvm_struct_get(self._headers, described.place, ADDRESS, "handle")
                self._operands += _tagged(operands, place, TENSOR, header)
                late += self._header(described) if described.is_late else []
            elif isinstance(value, Late):
                late += _tagged(operands, place, NUMBER, tirx.Cast("int64", value.value))
            else:
                self._operands += _tagged(operands, place, NUMBER, tirx.Cast("int64", value))
        symbol = f"{_tvm.SYMBOL_PREFIX}{kernel}"
        returned = op.call_extern("int32", symbol, _null(), operands, len(given), self._result)
        failed = tirx.NE(returned, tirx.const(0, "int32"))
        called = IfThenElse(failed, Evaluate(op.tvm_throw_last_error()), None)
        return SeqStmt([*late, called]) if late else called

    def prologue(self) -> Iterator[Stmt]:
        """Yield what the calls that were written rely on."""
        # A buffer of more than 1 KiB TVM would take from a device, of which nothing is said here.
        count = max(self._counted, 1)
        yield Bind(self._count, tirx.const(count, "int64"))
        yield Bind(self._memory, op.tvm_stack_alloca("shape", count))
        yield DeclBuffer(self._sizes, data=self._memory)
        yield Bind(self._headers, op.tvm_stack_alloca("array", max(len(self._tensors), 1)))
        yield Bind(self._result, op.tvm_stack_alloca("tvm_ffi_any", 1))
        yield from _tagged(self._result, 0, NOTHING, tirx.const(0, "int64"))
        for described in self._tensors.values():
            if not described.is_late:
                yield from self._header(described)
        yield from self._operands

    def _described(self, tensor: Tensor | Place) -> _Described:
        memory = tensor.memory if isinstance(tensor, Tensor) else tensor
        key = memory, str([*tensor.shape])
        if key not in self._tensors:
            self._tensors[key] = _Described(len(self._tensors), self._counted, tensor)
            self._counted += len(tensor.shape)
        return self._tensors[key]

    def _header(self, described: _Described) -> Iterator[Stmt]:
        """Yield what describes a tensor."""
        tensor, begin = described.tensor, described.sizes
        for axis, size in enumerate(tensor.shape):
            yield BufferStore(self._sizes, tirx.Cast("int64", size), [begin + axis])
        yield from _header(
            self._headers, described.place, tensor, op.address_of(self._sizes[begin])
        )


@dataclass(frozen=True, eq=False)
class _Described:
    """A tensor's place among headers, and that of its first size among sizes."""

    place: int
    sizes: int
    tensor: Tensor | Place

    @property
    def is_late(self) -> bool:
        return isinstance(self.tensor, Place) and self.tensor.is_late


def data_of(header: Var) -> Expr:
    """Return where the elements of a tensor begin, by the address of its `DLTensor`."""
    data = op.tvm_struct_get(header, 0, DATA, "handle")
    return op.handle_add_byte_offset(data, op.tvm_struct_get(header, 0, OFFSET, "uint64"))


def elements(name: str, dtype: str, address: Expr, count: Expr) -> tuple[Buffer, list[Stmt]]:
    """Return so many elements from an address on as a buffer, and what declares it."""
    pointer = PointerType(PrimType(dtype))
    data = Var(name, pointer)
    buffer = tirx.decl_buffer([count], dtype, name, data=data)
    return buffer, [Bind(data, op.reinterpret(pointer, address)), DeclBuffer(buffer, data=data)]


def _header(headers: Var, place: int, tensor: Tensor | Place, sizes: Expr) -> Iterator[Stmt]:
    """Yield what describes a tensor."""
    dtype = tvm_ffi.dtype(tensor.dtype)
    fields = {
        DATA: tensor.address,
        SHAPE: sizes,
        STRIDES: _null(),
        RANK: tirx.const(len(tensor.shape), "int32"),
        CODE: tirx.const(int(dtype.type_code), "uint8"),
        BITS: tirx.const(int(dtype.bits), "uint8"),
        LANES: tirx.const(1, "uint16"),
        OFFSET: tirx.const(0, "uint64"),
        DEVICE: tirx.const(0, "int32"),
        DEVICE_TYPE: tirx.const(CPU, "int32"),
    }
    for field, value in fields.items():
        yield _set(headers, place, field, value)


def _tagged(values: Var, place: int, tag: int, value: Expr) -> Iterator[Stmt]:
    """Yield what makes a tagged value."""
    yield _set(values, place, TAG, tirx.const(tag, "int32"))
    yield _set(values, place, PADDING, tirx.const(0, "int32"))
    yield _set(values, place, VALUE, value)


def _set(structs: Var, place: int, field: int, value: Expr) -> Stmt:
    return Evaluate(op.tvm_struct_set(structs, place, field, value))


def _null() -> Expr:
    return op.reinterpret("handle", tirx.const(0, "uint64"))


def _pointer() -> PointerType:
    return PointerType(PrimType("void"))
