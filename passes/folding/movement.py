"""Relax operators that move elements or make new ones, on numpy arrays.

See `arithmetic` for what a kernel is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from tvm.ir import Call

from tvmfuse.passes.folding.arithmetic import Array, Kernel, axes_of, plain

PADS: Final[Mapping[str, Any]] = {
    "constant": "constant",
    "reflect": "reflect",
    "replicate": "edge",
    "circular": "wrap",
}
BOUNDS: Final[Mapping[str, Any]] = {"fast": "raise", "clip": "clip", "wrap": "wrap"}

REDUCTIONS: Final[Mapping[str, np.ufunc]] = {
    "add": np.add,
    "max": np.maximum,
    "min": np.minimum,
    "mul": np.multiply,
}


def _astype(call: Call, x: Array) -> Any:
    return x.astype(str(call.ty.dtype))


def _expand_dims(call: Call, x: Array) -> Any:
    return np.expand_dims(x, tuple(call.attrs.axis))


def _squeeze(call: Call, x: Array) -> Any:
    return np.squeeze(x, axes_of(call.attrs.axis))


def _permute_dims(call: Call, x: Array) -> Any:
    return np.transpose(x, axes_of(call.attrs.axes))


def _concat(call: Call, tensors: Sequence[Array]) -> Any:
    return np.concatenate(tensors, call.attrs.axis)


def _stack(call: Call, tensors: Sequence[Array]) -> Any:
    return np.stack(tensors, call.attrs.axis)


def _split(call: Call, x: Array) -> tuple[Array, ...]:
    parts, axis = call.attrs.indices_or_sections, int(call.attrs.axis)
    if hasattr(parts, "value"):
        # The last part is the smaller one where the axis is no multiple.
        size = -(-x.shape[axis] // int(parts))
        cuts = [min(size * i, x.shape[axis]) for i in range(1, int(parts))]
    else:
        cuts = [int(i) for i in parts]
    return tuple(np.split(x, cuts, axis))


def _take(call: Call, x: Array, indices: Array | int) -> Any:
    mode = str(call.attrs.mode)
    if mode not in BOUNDS:
        raise ValueError(f"take has no mode {mode!r} here")
    return np.take(x, indices, call.attrs.axis, mode=BOUNDS[mode])


def _strided_slice(
    _call: Call,
    x: Array,
    axes: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None = None,
) -> Any:
    index = [slice(None)] * x.ndim
    for i, axis in enumerate(axes):
        step = 1 if strides is None else strides[i]
        stop: int | None = end[i]
        if step < 0 and end[i] < -x.shape[axis]:
            stop = None  # before the first element
        index[axis] = slice(begin[i], stop, step)
    return x[tuple(index)]


def _gather_elements(call: Call, x: Array, indices: Array) -> Any:
    index: list[Array] = list(np.indices(indices.shape, sparse=True))
    index[int(call.attrs.axis)] = indices
    return x[tuple(index)]


def _gather_nd(call: Call, x: Array, indices: Array) -> Any:
    batch = int(call.attrs.batch_dims)
    grid = np.indices(indices.shape[:batch] + (1,) * (indices.ndim - 1 - batch), sparse=True)
    return x[(*grid[:batch], *np.moveaxis(indices, -1, 0))]


def _scatter_elements(call: Call, x: Array, indices: Array, updates: Array) -> Any:
    index: list[Array] = list(np.indices(indices.shape, sparse=True))
    index[int(call.attrs.axis)] = indices
    return _updated(call, x, tuple(index), updates)


def _scatter_nd(call: Call, x: Array, indices: Array, updates: Array) -> Any:
    return _updated(call, x, tuple(np.moveaxis(indices, -1, 0)), updates)


def _updated(call: Call, x: Array, index: tuple[Array, ...], updates: Array) -> Any:
    reduction, y = str(call.attrs.reduction), x.copy()
    if reduction == "update":
        y[index] = updates
    elif reduction in REDUCTIONS:
        REDUCTIONS[reduction].at(y, index, updates)
    else:
        raise ValueError(f"scatter has no reduction {reduction!r} here")
    return y


def _write_rows(call: Call, x: Array, places: Array, rows: Array) -> Any:
    axis, y = int(call.attrs["axis"]), x.copy()
    np.moveaxis(y, axis, 0)[places] = np.moveaxis(rows, axis, 0)
    return y


def _order(x: Array, axis: int, *, descending: bool) -> Any:
    """Return the indices that sort; of equal elements, the first comes first."""
    if not descending:
        return np.argsort(x, axis, kind="stable")
    from_back = np.argsort(np.flip(x, axis), axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - from_back, axis)


def _sort(call: Call, x: Array) -> Any:
    axis = int(call.attrs.axis)
    order = _order(x, axis, descending=bool(call.attrs.descending))
    return np.take_along_axis(x, order, axis)


def _argsort(call: Call, x: Array) -> Any:
    order = _order(x, int(call.attrs.axis), descending=bool(call.attrs.descending))
    return order.astype(str(call.ty.dtype))


def _topk(call: Call, x: Array) -> Any:
    axis = int(call.attrs.axis)
    order = _order(x, axis, descending=bool(call.attrs.largest))
    order = np.take(order, np.arange(int(call.attrs.k)), axis)
    values, order = np.take_along_axis(x, order, axis), order.astype(str(call.attrs.dtype))
    return {"both": (values, order), "values": values, "indices": order}[str(call.attrs.ret_type)]


def _unique(call: Call, x: Array, by_value: int, *asked: Any) -> Any:
    """Return the values, then what is asked for of: first place, inverse, count."""
    *flags, axis = asked if len(asked) == 4 else (*asked, None)
    values, first, inverse, count = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, axis=axis
    )
    order = np.arange(first.size) if by_value else np.argsort(first)
    rest = first[order], np.argsort(order)[inverse.ravel()], count[order]
    found = [np.take(values, order, axis or 0)]
    found += [array for array, wanted in zip(rest, flags, strict=True) if wanted]
    return tuple(found) if len(found) > 1 else found[0]


def _pad(call: Call, x: Array) -> Any:
    widths = np.reshape([int(w) for w in call.attrs.pad_width], (-1, 2))
    mode = PADS[str(call.attrs.pad_mode)]
    if mode == "constant":
        return np.pad(x, widths, constant_values=float(call.attrs.pad_value))
    return np.pad(x, widths, mode)


def _repeat(call: Call, x: Array) -> Any:
    return np.repeat(x, int(call.attrs.repeats), call.attrs.axis)


def _tile(call: Call, x: Array) -> Any:
    return np.tile(x, [int(r) for r in call.attrs.repeats])


def _flip(call: Call, x: Array) -> Any:
    return np.flip(x, int(call.attrs.axis))


# Making tensors.


def _full(call: Call, shape: Sequence[int], value: Array) -> Any:
    return np.full(shape, value, str(call.ty.dtype))


def _filled(number: int) -> Kernel:
    def kernel(call: Call, *_operands: Any) -> Any:
        return np.full([int(d) for d in call.ty.shape], number, str(call.ty.dtype))

    return kernel


def _arange(call: Call, start: float, _stop: float, step: float) -> Any:
    return start + np.arange(int(call.ty.shape[0])) * step


def _one_hot(call: Call, indices: Array, on: float, off: float) -> Any:
    axis = int(call.attrs.axis)
    hot = np.expand_dims(indices, axis) == np.arange(int(call.attrs.depth)).reshape(
        [-1 if i == axis % (indices.ndim + 1) else 1 for i in range(indices.ndim + 1)]
    )
    return np.where(hot, on, off).astype(str(call.ty.dtype))


def _size(call: Call, *_operands: Any) -> Any:
    return np.asarray([int(d) for d in call.args[0].ty.shape], np.int64).prod()


MOVEMENT: Final[Mapping[str, Kernel]] = {
    "relax.arange": _arange,
    "relax.argsort": _argsort,
    "relax.astype": _astype,
    "relax.broadcast_to": plain(np.broadcast_to),
    "relax.concat": _concat,
    "relax.expand_dims": _expand_dims,
    "relax.flatten": plain(np.ravel),
    "relax.flip": _flip,
    "relax.full": _full,
    "relax.full_like": lambda call, x, value: _full(call, x.shape, value),
    "relax.gather_elements": _gather_elements,
    "relax.gather_nd": _gather_nd,
    "relax.nn.pad": _pad,
    "relax.nonzero": plain(lambda x: np.stack(np.nonzero(x))),
    "relax.one_hot": _one_hot,
    "relax.ones": _filled(1),
    "relax.ones_like": _filled(1),
    "relax.permute_dims": _permute_dims,
    "relax.repeat": _repeat,
    "relax.reshape": plain(np.reshape),
    "relax.scatter_elements": _scatter_elements,
    "relax.scatter_nd": _scatter_nd,
    "relax.shape_to_tensor": plain(lambda dims: np.asarray(dims, np.int64)),
    "relax.size": _size,
    "relax.sort": _sort,
    "relax.split": _split,
    "relax.squeeze": _squeeze,
    "relax.stack": _stack,
    "relax.strided_slice": _strided_slice,
    "relax.take": _take,
    "relax.tensor_to_shape": plain(lambda dims: tuple(int(d) for d in dims)),
    "relax.tile": _tile,
    "relax.topk": _topk,
    "relax.tril": plain(np.tril),
    "relax.triu": plain(np.triu),
    "relax.unique": _unique,
    "relax.where": plain(np.where),
    "relax.zeros": _filled(0),
    "relax.zeros_like": _filled(0),
    "tvmfuse.barrier": plain(lambda x: x),
    "tvmfuse.dropout": plain(lambda x: x),
    "tvmfuse.identity": plain(lambda x: x),
    "tvmfuse.write_rows": _write_rows,
}
