"""Operators of ONNX's own that move elements, or compare them: of strings as of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from tvmfuse.text.node import Run, TextNode


def _identity(_node: TextNode) -> Run:
    return lambda x: x


def _reshape(node: TextNode) -> Run:
    keeps = not node.attributes.get("allowzero", 0)

    def run(x: np.ndarray, shape: np.ndarray) -> np.ndarray:
        sizes = [x.shape[i] if keeps and d == 0 else d for i, d in enumerate(shape.tolist())]
        return x.reshape(sizes)

    return run


def _flatten(node: TextNode) -> Run:
    axis = node.attributes.get("axis", 1)

    def run(x: np.ndarray) -> np.ndarray:
        rows, columns = (np.prod(sizes, dtype=int) for sizes in (x.shape[:axis], x.shape[axis:]))
        return x.reshape(rows, columns)

    return run


def _axes(node: TextNode, given: np.ndarray | None) -> tuple[int, ...] | None:
    axes = node.attributes.get("axes") if given is None else given.tolist()
    return None if axes is None else tuple(axes)


def _squeeze(node: TextNode) -> Run:
    return lambda x, axes=None: np.squeeze(x, _axes(node, axes))


def _unsqueeze(node: TextNode) -> Run:
    return lambda x, axes=None: np.expand_dims(x, _axes(node, axes) or ())


def _transpose(node: TextNode) -> Run:
    return lambda x: np.transpose(x, node.attributes.get("perm"))


def _concat(node: TextNode) -> Run:
    axis = node.attributes.get("axis", 1)
    return lambda *parts: np.concatenate(parts, axis)


def _gather(node: TextNode) -> Run:
    axis = node.attributes.get("axis", 0)
    return lambda x, at: np.asarray(np.take(x, at, axis), x.dtype)


def _gather_elements(node: TextNode) -> Run:
    axis = node.attributes.get("axis", 0)
    return lambda x, at: np.take_along_axis(x, at, axis)


def _slice(node: TextNode) -> Run:
    def run(x: np.ndarray, *given: np.ndarray | None) -> Any:
        said = [None if g is None else g.tolist() for g in (*given, *[None] * 4)][:4]
        if not given:
            said = [node.attributes.get(name) for name in ("starts", "ends", "axes", "steps")]
        starts, ends = said[0] or [], said[1] or []
        places: list[Any] = [slice(None)] * x.ndim
        for i, axis in enumerate(said[2] or range(len(starts))):
            step, end = (said[3] or [1] * len(starts))[i], ends[i]
            before = step < 0 and end < -x.shape[axis]  # numpy reads it from the back
            places[axis] = slice(starts[i], None if before else end, step)
        return x[tuple(places)]

    return run


def _expand(_node: TextNode) -> Run:
    return lambda x, shape: np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(shape.tolist())))


def _tile(_node: TextNode) -> Run:
    return lambda x, repeats: np.tile(x, repeats.tolist())


def _where(_node: TextNode) -> Run:
    return lambda condition, x, y: np.where(condition, x, y)


def _equal(_node: TextNode) -> Run:
    return lambda x, y: np.asarray(x == y, np.bool_)


def _shape(node: TextNode) -> Run:
    begin, end = node.attributes.get("start", 0), node.attributes.get("end")
    return lambda x: np.array(x.shape[begin:end], np.int64)


def _size(_node: TextNode) -> Run:
    return lambda x: np.array(x.size, np.int64)


def array_feature_extractor(_node: TextNode) -> Run:
    """Make ArrayFeatureExtractor: columns by their numbers; a vector is one row."""

    def run(x: np.ndarray, at: np.ndarray) -> np.ndarray:
        rows, places = np.atleast_2d(x), at.reshape(-1)
        if ((places < 0) | (places >= rows.shape[-1])).any():
            raise ValueError(f"a column is not among the {rows.shape[-1]} that there are")
        return rows[..., places]

    return run


MOVEMENT: Final[Mapping[str, Any]] = {
    "Concat": _concat,
    "Equal": _equal,
    "Expand": _expand,
    "Flatten": _flatten,
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "Identity": _identity,
    "Reshape": _reshape,
    "Shape": _shape,
    "Size": _size,
    "Slice": _slice,
    "Squeeze": _squeeze,
    "Tile": _tile,
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
    "Where": _where,
    "ai.onnx.ml.ArrayFeatureExtractor": array_feature_extractor,
}
