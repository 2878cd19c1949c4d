"""A group's call as one function of machine code: see ``build/native/quick_calls.c``.

The structures here are those of that file. Their memory lives as long as the function.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from ctypes import POINTER, c_char_p, c_int64, c_uint32, c_void_p
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

import torch
import tvm_ffi

from tvmfuse.arrays import address, aligned_bytes
from tvmfuse.manifest import Kernel
from tvmfuse.runtime.launcher import current
from tvmfuse.runtime.on_cpu import FixedMain
from tvmfuse.runtime.structures import CPU, TENSOR, DLTensor, TaggedValue

# What inductor's code calls, too.
guards: Final[Any] = torch._C._dynamo.guards

Call: TypeAlias = Callable[[list[Any]], "list[Any] | None"]

LIGHT: Final = 1 << 18
"""Operations and bytes of a call that takes one thread some tens of microseconds."""


def is_light(kernels: Sequence[Kernel]) -> bool:
    """Whether kernels are known to do so little that other threads of Python may wait for it."""
    amounts = [n for k in kernels for n in ((k.work.flop, k.work.nbytes) if k.work else (None,))]
    known = [amount for amount in amounts if isinstance(amount, int)]
    return len(known) == len(amounts) and sum(known) <= LIGHT


def never(_arguments: list[Any]) -> None:
    """Compute nothing: what stands for a quick call where there is none."""


@dataclass(frozen=True)
class Input:
    """A tensor that a call is given.

    Attributes:
        place: Among the arguments.
        shape: What it has to be; sizes of 1 may have any stride.
        strides: Of it.
        seen: Its shape for kernels, which read it in rows.
        dtype: Of its elements, for kernels.
    """

    place: int
    shape: Sequence[int]
    strides: Sequence[int]
    seen: Sequence[int]
    dtype: str


@dataclass(frozen=True)
class Weight:
    """A tensor that a call is given, and kernels read where it was.

    Attributes:
        place: Among the arguments.
        tensor: As it lies now; whoever makes the call keeps it if `only_that`.
        only_that: Whether another one of the same memory is not as good.
    """

    place: int
    tensor: torch.Tensor
    only_that: bool


@dataclass(frozen=True)
class Result:
    """A tensor that a call allocates.

    Attributes:
        allocated: The arguments of `guards._empty_strided_cpu`.
        seen: Its shape for kernels, which write it in rows.
        dtype: Of its elements, for kernels.
    """

    allocated: tuple[Any, ...]
    seen: Sequence[int]
    dtype: str


def quick_call(
    main: FixedMain,
    inputs: Sequence[Input],
    weights: Sequence[Weight],
    results: Sequence[Result],
    outputs: Sequence[int],
) -> Call | None:
    """Return a function of the list of all arguments; None where there can be none.

    It returns the list of all outputs; None, and has done nothing, where an argument is not as it
    should be. Whether numbers have another sign than those in memory it does not ask. It keeps
    Python's lock and computes on one thread.

    Args:
        main: What computes.
        inputs: In its order.
        weights: Arguments that lie where they are read.
        results: In its order.
        outputs: Places among the results, then the arguments; -1 for None.
    """
    method = _method()
    if method is None:
        return None
    memory = aligned_bytes(max(main.nbytes, 1))
    tensors = [_tensor(0, i.seen, i.dtype) for i in inputs]
    tensors += [_tensor(begin, shape, "uint8") for begin, shape in main.weights.located()]
    made = [_tensor(0, r.seen, r.dtype) for r in results]
    tensors += [*made, _tensor(address(memory), memory.shape, "uint8")]
    operands = [TaggedValue(TENSOR, 0, ctypes.addressof(tensor)) for tensor in tensors]
    operands.append(TaggedValue(0, 0, 0))  # nobody is told of kernels
    taken = [
        _Input(i.place, _tensor(0, i.shape, i.dtype, i.strides), ctypes.pointer(tensor))
        for i, tensor in zip(inputs, tensors, strict=False)
    ]
    watched = [_Weight(w.place, id(w.tensor), w.only_that, w.tensor.data_ptr()) for w in weights]
    given = [
        _Result(id(r.allocated), ctypes.pointer(tensor))
        for r, tensor in zip(results, made, strict=False)
    ]
    quick = _Quick(
        main.address, _array(TaggedValue, operands), len(operands), _alone(),
        len(inputs), len(weights), len(results), len(outputs),
        _array(_Input, taken), _array(_Weight, watched), _array(_Result, given),
        _array(c_int64, [*outputs]),
    )  # fmt: skip
    found: Call = method_with(method, quick, (tensors, taken, memory, main, results))
    return found


class _Input(ctypes.Structure):
    _fields_ = (("place", c_int64), ("expected", DLTensor), ("header", POINTER(DLTensor)))


class _Weight(ctypes.Structure):
    _fields_ = (
        ("place", c_int64),
        ("tensor", c_void_p),
        ("only_that", c_int64),
        ("data", c_void_p),
    )


class _Result(ctypes.Structure):
    _fields_ = (("allocated", c_void_p), ("header", POINTER(DLTensor)))


class _Quick(ctypes.Structure):
    _fields_ = (
        ("function", c_void_p),
        ("operands", POINTER(TaggedValue)),
        ("operand_count", c_int64),
        ("pool", c_void_p),
        ("input_count", c_int64),
        ("weight_count", c_int64),
        ("result_count", c_int64),
        ("output_count", c_int64),
        ("inputs", POINTER(_Input)),
        ("weights", POINTER(_Weight)),
        ("results", POINTER(_Result)),
        ("outputs", POINTER(c_int64)),
    )


class _Address(int):
    """The address of a structure; what it points to lives as long.

    Attributes:
        held: What that is.
    """

    held: object


_new_function: Final = ctypes.pythonapi.PyCFunction_NewEx
_new_function.argtypes = (c_void_p, ctypes.py_object, c_void_p)
_new_function.restype = ctypes.py_object

_pointer_of: Final = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.argtypes = (ctypes.py_object, c_char_p)
_pointer_of.restype = c_void_p

#: What Python offers, in the order of the structure `python`.
_PYTHONS: Final = (
    "PyList_GetItem",
    "PyList_New",
    "PyList_SetItem",
    "PyObject_CallObject",
    "PyLong_AsVoidPtr",
    "Py_IncRef",
    "Py_DecRef",
    "PyErr_Clear",
)

#: Where DLPack's DLPackExchangeAPI of major version 1 has `dltensor_from_py_object_no_sync`.
_DESCRIBE: Final = 5


def method_with(method: int, structure: ctypes.Structure, held: object) -> Any:
    """Return a function that is given a structure by its address.

    Args:
        method: The address of Python's PyMethodDef.
        structure: What it works on.
        held: What that points to, and lives as long.
    """
    address = _Address(ctypes.addressof(structure))
    address.held = (structure, held)
    return _new_function(method, address, None)


@cache
def _method() -> int | None:
    """Return the address of Python's PyMethodDef; None where there is none."""
    return method_of("tvmfuse_quick_call")


def method_of(name: str) -> int | None:
    """Return the address of a method of the launcher's that has to know Python's and torch's code.

    Args:
        name: Of what takes the address of what these offer.

    Returns:
        None where these do not offer all of it.
    """
    data_of = getattr(guards, "_torchinductor_pyobject_tensor_data_ptr", None)
    exchange = getattr(torch.Tensor, "__dlpack_c_exchange_api__", None)
    has_lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    if data_of is None or exchange is None or not has_lock:
        return None
    offered = _pointer_of(exchange, b"dlpack_exchange_api")
    if c_uint32.from_address(offered).value != 1:
        return None
    describe = (c_void_p * (_DESCRIBE + 1)).from_address(offered)[_DESCRIBE]
    pythons = [ctypes.cast(getattr(ctypes.pythonapi, n), c_void_p).value for n in _PYTHONS]
    allocate = id(guards._empty_strided_cpu)
    offers = _array(c_void_p, [describe, data_of, allocate, id(None), *pythons])
    return current().find(name)(ctypes.addressof(offers)) or None


@cache
def _alone() -> int:
    """Return a pool of the calling thread alone: a child of `os.fork` has all of it."""
    return current().make_pool(1, spin=False)


def _tensor(
    data: int, shape: Sequence[int], dtype: str, strides: Sequence[int] | None = None
) -> DLTensor:
    kind = tvm_ffi.dtype(dtype)
    return DLTensor(
        data, CPU, 0, len(shape),
        kind.type_code, kind.bits, kind.lanes,
        _array(c_int64, [*shape]), None if strides is None else _array(c_int64, [*strides]),
    )  # fmt: skip


def _array(kind: Any, values: Sequence[Any]) -> Any:
    return (kind * len(values))(*values)
