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
from tvm.ir import Expr, PointerType, PrimType, StringImm, Var
from tvm.tirx import (
    AttrStmt,
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

#: What tells whoever watches, a C function by its address, of a kernel: its name, whether it has
#: returned, the tagged values that it is given, and which of these it writes first: the place of
#: the first tensor that nothing wrote before, and how many there are, one behind the other. In
#: LLVM's words, as TIR calls no function by its address.
TELL: Final = "tvmfuse_tell"
TELLS: Final = f"""
define i32 @{TELL}(ptr %hook, ptr %name, i64 %returned, ptr %given, i64 %first, i64 %count) #0 {{
  call void %hook(ptr %name, i64 %returned, ptr %given, i64 %first, i64 %count)
  ret i32 0
}}
attributes #0 = {{ alwaysinline }}
"""


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
    """Writes the calls of one function, and what comes before the first of them.

    Args:
        hook: The function's parameter that says who is told of each call, which may be nobody.
    """

    def __init__(self, hook: Var) -> None:
        self._hook, self._is_watched = hook, Var("is_watched", "bool")
        self._tensors: dict[Place, _Described] = {}
        self._operands: list[Stmt] = []
        self._headers = Var("headers", _pointer())
        self._result = Var("result", _pointer())
        self._count, self._counted = Var("sizes_count", "int64"), 0
        self._memory = Var("sizes", PointerType(PrimType("int64")))
        self._sizes = tirx.decl_buffer([self._count], "int64", "sizes", data=self._memory)

    def call(
        self,
        kernel: str,
        given: Sequence[Place | Header | Late | Expr],
        written: Sequence[int] = (),
    ) -> Stmt:
        """Return the call of a kernel with tensors and numbers; if it fails, the function does.

        Args:
            kernel: Its symbol.
            given: In its order.
            written: The places of those tensors that nothing wrote before; one behind the other.
        """
        operands = Var("operands", _pointer())
        space = op.tvm_stack_alloca("tvm_ffi_any", max(len(given), 1))
        self._operands.append(Bind(operands, space))
        late = list[Stmt]()
        for place, value in enumerate(given):
            if isinstance(value, Header):
                self._operands += _tagged(operands, place, TENSOR, value.address)
            elif isinstance(value, Place):
                described = self._described(value)
                header = op.tvm_struct_get(self._headers, described.place, ADDRESS, "handle")
                self._operands += _tagged(operands, place, TENSOR, header)
                late += self._header(described) if described.is_late else []
            elif isinstance(value, Late):
                late += _tagged(operands, place, NUMBER, tirx.Cast("int64", value.value))
            else:
                self._operands += _tagged(operands, place, NUMBER, tirx.Cast("int64", value))
        symbol = f"{_tvm.SYMBOL_PREFIX}{kernel}"
        returned = op.call_extern("int32", symbol, null(), operands, len(given), self._result)
        failed = tirx.NE(returned, tirx.const(0, "int32"))
        called = IfThenElse(failed, Evaluate(op.tvm_throw_last_error()), None)
        before, after = (
            self._told(kernel, operands, written, has_returned=returned)
            for returned in (False, True)
        )
        return SeqStmt([*late, before, called, after])

    def _told(
        self, kernel: str, operands: Var, written: Sequence[int], *, has_returned: bool
    ) -> Stmt:
        """Return what tells who watches of a call."""
        first = written[0] if written else 0
        returned, begin, count = (
            tirx.const(n, "int64") for n in (int(has_returned), first, len(written))
        )
        what = StringImm(kernel), returned, operands, begin, count
        told = op.call_extern("int32", TELL, self._hook, *what)
        return IfThenElse(self._is_watched, Evaluate(told), None)

    def prologue(self) -> Iterator[Stmt]:
        """Yield what the calls that were written rely on."""
        yield Bind(self._is_watched, tirx.Not(op.isnullptr(self._hook)))
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

    @staticmethod
    def telling(body: Stmt) -> Stmt:
        """Return the function's body with what it tells of calls by."""
        return AttrStmt(tirx.const(0, "int32"), "pragma_import_llvm", StringImm(TELLS), body)

    def _described(self, tensor: Place) -> _Described:
        if tensor not in self._tensors:
            self._tensors[tensor] = _Described(len(self._tensors), self._counted, tensor)
            self._counted += len(tensor.shape)
        return self._tensors[tensor]

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
    tensor: Place

    @property
    def is_late(self) -> bool:
        return self.tensor.is_late


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


def _header(headers: Var, place: int, tensor: Place, sizes: Expr) -> Iterator[Stmt]:
    """Yield what describes a tensor."""
    dtype = tvm_ffi.dtype(tensor.dtype)
    fields = {
        DATA: tensor.address,
        SHAPE: sizes,
        STRIDES: null(),
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


def null() -> Expr:
    """Return the address of nothing."""
    return op.reinterpret("handle", tirx.const(0, "uint64"))


def _pointer() -> PointerType:
    return PointerType(PrimType("void"))
