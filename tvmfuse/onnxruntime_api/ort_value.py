"""Values that sessions take and give: tensors on the CPU, sequences, sparse tensors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmfuse.errors import InputError
from tvmfuse.onnxruntime_api.devices import OrtDevice, OrtMemoryInfo, require_cpu
from tvmfuse.onnxruntime_api.dlpack import CPU, array_of, capsule_of
from tvmfuse.onnxruntime_api.element_types import NUMBERS, numpy_type, words_of_array
from tvmfuse.onnxruntime_api.exceptions import raise_as
from tvmfuse.onnxruntime_api.sparse_tensor import SparseTensor

NOT_TAKEN: Final = "Creation of OrtValues is currently only supported from non-string numpy arrays"


@dataclass(frozen=True)
class _Held:
    """What a new value is made of."""

    held: Any
    words: str

    def value(self) -> Any:
        return self.held

    def data_type(self) -> str:
        return self.words


class OrtValue:
    """A value over memory of the CPU, which it shares wherever that can be.

    Args:
        ortvalue: Another value.
        numpy_obj: The array that it shares memory with; not looked at, since it knows.
        session: Not looked at.
    """

    def __init__(
        self, ortvalue: OrtValue | _Held, numpy_obj: Any = None, session: Any = None
    ) -> None:
        del numpy_obj, session
        if not isinstance(ortvalue, OrtValue | _Held):
            raise ValueError(  # noqa: TRY004, as onnxruntime's
                f"`Provided ortvalue` needs to be an OrtValue, found {type(ortvalue).__name__}: "
                "OrtValue.ortvalue_from_numpy takes arrays"
            )
        self._held: Any = ortvalue.value()
        self._words: str = ortvalue.data_type()

    @classmethod
    def holding(cls, value: Any, words: str = "") -> OrtValue:
        """Return the value that holds an array, a list of arrays, a sparse tensor, or None.

        Args:
            value: That.
            words: Its type, as ``seq(tensor(float))``; of an array that is known.
        """
        if isinstance(value, np.ndarray):
            words = words_of_array(value)
        elif isinstance(value, SparseTensor):
            words = value.data_type()
        return cls(_Held(value, words))

    @classmethod
    def ortvalue_from_numpy(
        cls,
        numpy_obj: np.ndarray,
        /,
        device_type: str | OrtDevice = "cpu",
        device_id: int = 0,
        vendor_id: int = -1,
    ) -> OrtValue:
        """Return a tensor over an array's memory; of one with strides, over a copy.

        Raises:
            InputError: It is no array, or of texts.
            RefusedOptionError: It shall lie elsewhere than on the CPU.
        """
        require_cpu(device_type, device_id, vendor_id)
        if not isinstance(numpy_obj, np.ndarray) or words_of_array(numpy_obj) == "tensor(string)":
            raise_as(InputError(f"{NOT_TAKEN}; found {type(numpy_obj).__name__}"), RuntimeError)
        return cls.holding(np.asarray(numpy_obj, order="C"))

    @classmethod
    def ortvalue_from_numpy_with_onnx_type(
        cls, data: np.ndarray, /, onnx_element_type: int
    ) -> OrtValue:
        """Return a tensor over an array's memory, whose bytes are of another type of that size.

        Args:
            data: An array, of uint16 for bfloat16, say.
            onnx_element_type: The type's number in ``onnx.TensorProto``.

        Raises:
            InputError: There is no such type, or its elements have another size.
        """
        dtype = _dtype(onnx_element_type)
        data = np.asarray(data, order="C")
        if dtype.itemsize != data.dtype.itemsize:
            raise_as(
                InputError(
                    f"Items size in the incoming array: {data.dtype.itemsize} specified by "
                    f"onnxtype: {dtype.itemsize}"
                ),
                RuntimeError,
            )
        return cls.holding(data.view(dtype))

    @classmethod
    def ortvalue_from_shape_and_type(
        cls,
        shape: Sequence[int],
        element_type: Any,
        device_type: str | OrtDevice = "cpu",
        device_id: int = 0,
        vendor_id: int = -1,
        memory_info: OrtMemoryInfo | None = None,
    ) -> OrtValue:
        """Return a tensor in memory of its own, whose numbers are not defined.

        Args:
            shape: Its sizes.
            element_type: numpy's type, or the number in ``onnx.TensorProto``.
            device_type: ``cpu``.
            device_id: Which one.
            vendor_id: Whose.
            memory_info: Not looked at: it is the CPU's.

        Raises:
            InputError: There is no such type, or a size is negative.
            RefusedOptionError: It shall lie elsewhere than on the CPU.
        """
        del memory_info
        require_cpu(device_type, device_id, vendor_id)
        dtype = _dtype(element_type)
        if any(size < 0 for size in shape):
            raise_as(InputError(f"expected sizes of 0 or more, found {[*shape]}"), RuntimeError)
        return cls.holding(np.empty(tuple(shape), dtype))

    ortvalue_from_shape_and_onnx_type = ortvalue_from_shape_and_type

    @classmethod
    def ort_value_from_sparse_tensor(cls, sparse_tensor: SparseTensor) -> OrtValue:
        """Return a value that holds a sparse tensor."""
        return cls.holding(sparse_tensor)

    @classmethod
    def from_dlpack(cls, data: Any, is_bool: bool | None = None, /) -> OrtValue:  # noqa: FBT001
        """Return a tensor over the memory of another library's.

        Args:
            data: Anything with ``__dlpack__`` on the CPU, or the capsule that it gave.
            is_bool: Whether bytes are booleans; by default what its dtype says.

        Raises:
            InputError: It is neither, is not on the CPU, or is not contiguous.
        """
        if is_bool is None:
            is_bool = str(getattr(data, "dtype", "")) in ("bool", "torch.bool")
        return cls.holding(array_of(data, is_bool=is_bool))

    def as_sparse_tensor(self) -> SparseTensor:
        """Return the sparse tensor that it holds.

        Raises:
            InputError: It holds something else.
        """
        held: SparseTensor = self._holds(SparseTensor)
        return held

    def data_ptr(self) -> int:
        """Return the address of the first element."""
        return int(self._tensor().ctypes.data)

    def device_name(self) -> str:
        """Return ``cpu``."""
        return "cpu"

    def shape(self) -> list[int]:
        """Return the sizes of a tensor."""
        if isinstance(self._held, SparseTensor):
            return self._held.dense_shape()
        return list(self._tensor().shape)

    def data_type(self) -> str:
        """Return the type, as ``tensor(int64)``."""
        return self._words

    def element_type(self) -> int:
        """Return the number of a tensor's elements in ``onnx.TensorProto``."""
        return 8 if self._words == "tensor(string)" else NUMBERS[self._tensor().dtype.name]

    def tensor_size_in_bytes(self) -> int:
        """Return how many bytes a tensor of numbers has."""
        return int(self._tensor().nbytes)

    def has_value(self) -> bool:
        """Whether it holds anything: an optional value may not."""
        return self._held is not None

    def is_tensor(self) -> bool:
        """Whether it holds a dense tensor."""
        return isinstance(self._held, np.ndarray)

    def is_sparse_tensor(self) -> bool:
        """Whether it holds a sparse tensor."""
        return isinstance(self._held, SparseTensor)

    def is_tensor_sequence(self) -> bool:
        """Whether it holds a sequence."""
        return isinstance(self._held, list)

    def value(self) -> Any:
        """Return what it holds: an array, a list of arrays, a sparse tensor, or None."""
        return self._held

    def numpy(self) -> np.ndarray:
        """Return the tensor as an array over the same memory; bfloat16 and the like ml_dtypes'.

        Raises:
            InputError: It holds no dense tensor.
        """
        return self._tensor().view()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:  # noqa: FBT001
        if copy is None:
            return np.asarray(self.numpy(), dtype=dtype)
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def __dlpack__(self, *, stream: Any = None, **asked: Any) -> Any:
        return capsule_of(self._tensor(), stream=stream, **asked)

    def to_dlpack(self) -> Any:
        """Return a DLPack capsule over the tensor's memory."""
        return self.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU

    def update_inplace(self, data: Any) -> None:
        """Write other numbers into the tensor's memory.

        Args:
            data: An array or a value of as many elements, of the same dtype.

        Raises:
            InputError: It is something else.
        """
        if isinstance(data, OrtValue):
            data = data.numpy()
        if not isinstance(data, np.ndarray):
            raise_as(InputError("data must be a numpy.ndarray or an OrtValue."), TypeError)
        held = self._tensor()
        if data.dtype != held.dtype or data.size != held.size:
            raise_as(
                InputError(
                    f"expected {held.size} elements of {held.dtype.name}, found {data.size} of "
                    f"{data.dtype.name}: The input size of numpy arrays does not match the size "
                    "of the OrtValue."
                ),
                RuntimeError,
            )
        np.copyto(held, data.reshape(held.shape))

    @property
    def _ortvalue(self) -> OrtValue:
        return self

    @property
    def _is_webgpu_buffer(self) -> bool:
        return False

    def _get_c_value(self) -> OrtValue:
        return self

    def _tensor(self) -> np.ndarray:
        held: np.ndarray = self._holds(np.ndarray)
        return held

    def _holds(self, kind: type[Any]) -> Any:
        if not isinstance(self._held, kind):
            raise_as(
                InputError(
                    f"expected a value of {kind.__name__}, found {self._words or 'nothing'}"
                ),
                RuntimeError,
            )
        return self._held


class OrtValueVector(list[OrtValue]):
    """Values in order."""

    def push_back(self, value: OrtValue) -> None:
        """Add one."""
        self.append(value)

    def reserve(self, count: int) -> None:
        """Do nothing: lists grow."""

    def shrink_to_fit(self) -> None:
        """Do nothing: lists are small."""

    def bool_tensor_indices(self) -> list[int]:
        """Return the places of tensors of booleans."""
        return [place for place, value in enumerate(self) if value.data_type() == "tensor(bool)"]

    def element_type_at(self, idx: int) -> int:
        """Return the number of a tensor's elements in ``onnx.TensorProto``."""
        return self[idx].element_type()

    def dlpack_at(self, idx: int) -> Any:
        """Return a DLPack capsule over one's memory."""
        return self[idx].to_dlpack()

    def to_dlpacks(self, to_tensor: Any = None) -> list[Any]:
        """Return a capsule for each, or what a function makes of each."""
        capsules = [value.to_dlpack() for value in self]
        return capsules if to_tensor is None else [to_tensor(capsule) for capsule in capsules]


def copy_tensors(
    sources: Iterable[OrtValue], destinations: Iterable[OrtValue], stream: Any = None
) -> None:
    """Write each value's numbers into another one's memory.

    Raises:
        InputError: Two do not fit.
    """
    del stream
    for source, destination in zip(sources, destinations, strict=True):
        destination.update_inplace(source)


def _dtype(element: Any) -> np.dtype[Any]:
    try:
        dtype = numpy_type(element)
    except (KeyError, TypeError):
        raise_as(InputError(f"Not a valid ONNX Tensor data type: {element!r}"), RuntimeError)
    if dtype.kind in "USO":
        raise_as(InputError(f"{NOT_TAKEN}; found {element!r}"), RuntimeError)
    return dtype
