"""Calls of kernels from compiled code: their operands are put together once, not at each call.

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
from tvm.tirx import Bind, Buffer, BufferStore, DeclBuffer, Evaluate, IfThenElse, Stmt, op

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
    """

    address: Expr
    dtype: str
    shape: Sequence[Expr]


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
        self._tensors: dict[tuple[Buffer | Place, str], tuple[int, Tensor | Place]] = {}
        self._operands: list[Stmt] = []
        self._headers = Var("headers", _pointer())
        self._result = Var("result", _pointer())

    def call(self, kernel: str, given: Sequence[Tensor | Place | Header | Expr]) -> Stmt:
        """Return the call of a kernel with tensors and numbers; if it fails, the function does."""
        operands = Var("operands", _pointer())
        space = op.tvm_stack_alloca("tvm_ffi_any", max(len(given), 1))
        self._operands.append(Bind(operands, space))
        for place, value in enumerate(given):
            if isinstance(value, Header):
                self._operands += _tagged(operands, place, TENSOR, value.address)
            elif isinstance(value, Tensor | Place):
                header = op.tvm_struct_get(self._headers, self._place(value), ADDRESS, "handle")
                self._operands += _tagged(operands, place, TENSOR, header)
            else:
                self._operands += _tagged(operands, place, NUMBER, tirx.Cast("int64", value))
        symbol = f"{_tvm.SYMBOL_PREFIX}{kernel}"
        returned = op.call_extern("int32", symbol, _null(), operands, len(given), self._result)
        failed = tirx.NE(returned, tirx.const(0, "int32"))
        return IfThenElse(failed, Evaluate(op.tvm_throw_last_error()), None)

    def prologue(self) -> Iterator[Stmt]:
        """Yield what the calls that were written rely on."""
        known = [tensor for _, tensor in self._tensors.values()]
        # A buffer of more than 1 KiB TVM would take from a device, of which nothing is said here.
        memory = Var("sizes", PointerType(PrimType("int64")))
        count = sum(len(tensor.shape) for tensor in known) or 1
        sizes = tirx.decl_buffer([count], "int64", "sizes")
        yield Bind(memory, op.tvm_stack_alloca("shape", count))
        yield DeclBuffer(sizes, data=memory)
        yield Bind(self._headers, op.tvm_stack_alloca("array", max(len(known), 1)))
        yield Bind(self._result, op.tvm_stack_alloca("tvm_ffi_any", 1))
        yield from _tagged(self._result, 0, NOTHING, tirx.const(0, "int64"))
        begin = 0
        for place, tensor in enumerate(known):
            for axis, size in enumerate(tensor.shape):
                yield BufferStore(sizes, tirx.Cast("int64", size), [begin + axis])
            yield from _header(self._headers, place, tensor, op.address_of(sizes[begin]))
            begin += len(tensor.shape)
        yield from self._operands

    def _place(self, tensor: Tensor | Place) -> int:
        memory = tensor.memory if isinstance(tensor, Tensor) else tensor
        key = memory, str([*tensor.shape])
        place, _ = self._tensors.setdefault(key, (len(self._tensors), tensor))
        return place


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
