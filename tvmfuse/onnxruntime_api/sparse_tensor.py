"""Sparse tensors as onnxruntime holds them; no model that is compiled takes or gives one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from tvmfuse.errors import InputError
from tvmfuse.onnxruntime_api.devices import OrtDevice, require_cpu
from tvmfuse.onnxruntime_api.element_types import words_of_array
from tvmfuse.onnxruntime_api.enums import OrtSparseFormat
from tvmfuse.onnxruntime_api.exceptions import RefusedOptionError, raise_as


@dataclass(frozen=True)
class SparseCooView:
    """Where the values are: places in order, or pairs of row and column."""

    _indices: np.ndarray

    def indices(self) -> np.ndarray:
        """Return the places, of int64; they cannot be written to."""
        return self._indices


@dataclass(frozen=True)
class SparseCsrView:
    """Where the values are: each one's column, and where each row begins."""

    _inner: np.ndarray
    _outer: np.ndarray

    def inner(self) -> np.ndarray:
        """Return the columns, of int64; they cannot be written to."""
        return self._inner

    def outer(self) -> np.ndarray:
        """Return where rows begin, of int64, and where the last ends; they cannot be written to."""
        return self._outer


@dataclass(frozen=True)
class SparseBlockSparseView:
    """Where blocks of values are."""

    _indices: np.ndarray

    def indices(self) -> np.ndarray:
        """Return the blocks' places, of int32; they cannot be written to."""
        return self._indices


View = TypeVar("View", SparseCooView, SparseCsrView, SparseBlockSparseView)


class SparseTensor:
    """The values of a tensor that are not zero, and where they are, on the CPU.

    The class methods make them.

    Args:
        dense_shape: Of the whole tensor.
        values: Of one dimension.
        form: How it is said where they are.
        view: Where they are.
    """

    def __init__(
        self, dense_shape: Sequence[int], values: Any, form: OrtSparseFormat, view: Any
    ) -> None:
        self._shape = [int(size) for size in dense_shape]
        self._values = _fixed(values)
        self._form, self._view = form, view

    @classmethod
    def sparse_coo_from_numpy(
        cls,
        dense_shape: Sequence[int],
        values: np.ndarray,
        coo_indices: np.ndarray,
        ort_device: OrtDevice,
    ) -> SparseTensor:
        """Make one of its values and their places.

        Args:
            dense_shape: Of the whole tensor.
            values: Of one dimension.
            coo_indices: int64, a place for each value, counted over the whole tensor, or a pair.
            ort_device: Where they lie: on the CPU.

        Raises:
            InputError: There are not as many places as values.
            RefusedOptionError: It is another device.
        """
        require_cpu(ort_device)
        indices = _fixed(coo_indices)
        if indices.size not in (np.size(values), 2 * np.size(values)):
            raise_as(InputError(f"{np.size(values)} values, and {indices.size} places for them"))
        form = OrtSparseFormat.ORT_SPARSE_COO
        return cls(dense_shape, values, form, SparseCooView(indices))

    @classmethod
    def sparse_csr_from_numpy(
        cls,
        dense_shape: Sequence[int],
        values: np.ndarray,
        inner_indices: np.ndarray,
        outer_indices: np.ndarray,
        ort_device: OrtDevice,
    ) -> SparseTensor:
        """Make one of its values, their columns, and where rows begin.

        Args:
            dense_shape: Rows and columns.
            values: Of one dimension.
            inner_indices: int64, a column for each value.
            outer_indices: int64, one more than there are rows.
            ort_device: Where they lie: on the CPU.

        Raises:
            InputError: There are not as many columns as values, or rows.
            RefusedOptionError: It is another device.
        """
        require_cpu(ort_device)
        inner, outer = _fixed(inner_indices), _fixed(outer_indices)
        if inner.size != np.size(values) or outer.size not in (0, int(dense_shape[0]) + 1):
            raise_as(
                InputError(
                    f"{np.size(values)} values in {int(dense_shape[0])} rows, and {inner.size} "
                    f"columns for them, {outer.size} ends of rows"
                )
            )
        form = OrtSparseFormat.ORT_SPARSE_CSRC
        return cls(dense_shape, values, form, SparseCsrView(inner, outer))

    def values(self) -> np.ndarray:
        """Return the values; they cannot be written to."""
        return self._values

    def as_coo_view(self) -> SparseCooView:
        """Return the places; only of a tensor that was made of them."""
        return self._viewed(SparseCooView)

    def as_csrc_view(self) -> SparseCsrView:
        """Return columns and rows; only of a tensor that was made of them."""
        return self._viewed(SparseCsrView)

    def as_blocksparse_view(self) -> SparseBlockSparseView:
        """Return the blocks' places; only of a tensor that was made of them."""
        return self._viewed(SparseBlockSparseView)

    get_coo_data, get_csrc_data = as_coo_view, as_csrc_view
    get_blocksparse_data = as_blocksparse_view

    def to_cuda(self, ort_device: OrtDevice) -> SparseTensor:
        """Refuse: sparse tensors stay on the CPU.

        Raises:
            RefusedOptionError: Always.
        """
        del ort_device
        raise RefusedOptionError("sparse tensors stay on the CPU here: make a dense one first")

    def format(self) -> OrtSparseFormat:
        """Return what it was made of."""
        return self._form

    def dense_shape(self) -> list[int]:
        """Return the shape of the whole tensor."""
        return list(self._shape)

    def data_type(self) -> str:
        """Return the type, as ``sparse_tensor(float)``."""
        return f"sparse_{words_of_array(self._values)}"

    def device_name(self) -> str:
        """Return ``cpu``."""
        return "cpu"

    def _get_c_tensor(self) -> SparseTensor:
        return self

    def _viewed(self, kind: type[View]) -> View:
        if not isinstance(self._view, kind):
            raise RefusedOptionError(f"this sparse tensor is of {self._form.name}")
        view: View = self._view
        return view


def _fixed(array: Any) -> np.ndarray:
    """Return a view that cannot be written to."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view
