"""Tables from labels to labels: LabelEncoder and CategoryMapper, of strings and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmfuse.text.node import Run, TextNode, texts

KINDS: Final = {"strings": object, "int64s": np.int64, "floats": np.float32}
"""Attributes that list labels -> their dtype."""

DEFAULTS: Final[Mapping[str, Any]] = {"strings": "_Unused", "int64s": -1, "floats": -0.0}
"""What stands for a key that a table has not."""


def label_encoder(node: TextNode) -> Run:
    """Make LabelEncoder: of equal keys the first one counts; from opset 4 on NaN is a key, too."""
    if node.opset == 1:
        return _by_position(node)
    keys, values = _listed(node, "keys"), _listed(node, "values")
    node.require(len(keys) == len(values) > 0, f"it has {len(keys)} keys and {len(values)} values")
    default = _default(node, values.dtype)
    table: dict[Any, Any] = {}
    for key, value in zip(keys.tolist(), values.tolist(), strict=True):
        if key == key or node.opset >= 4:
            table.setdefault(_key(key), value)
    return _looked_up(table, default, values.dtype, keys.dtype)


def _by_position(node: TextNode) -> Run:
    """Make LabelEncoder of opset 1: labels and their places, whichever is fed."""
    labels = node.attributes.get("classes_strings", [])
    return _both_ways(
        node, dict(zip(labels, range(len(labels)), strict=True)), dict(enumerate(labels))
    )


def category_mapper(node: TextNode) -> Run:
    """Make CategoryMapper: from strings to integers, or back."""
    integers = node.attributes.get("cats_int64s", [])
    labels = node.attributes.get("cats_strings", [])
    node.require(
        len(integers) == len(labels), f"it has {len(labels)} strings for {len(integers)} integers"
    )
    to, back = zip(labels, integers, strict=True), zip(integers, labels, strict=True)
    return _both_ways(node, dict(to), dict(back))


def _both_ways(node: TextNode, to: Mapping[str, int], back: Mapping[int, str]) -> Run:
    default = node.attributes.get("default_int64", DEFAULTS["int64s"])
    text = node.attributes.get("default_string", DEFAULTS["strings"])
    forth = _looked_up(to, default, np.dtype(np.int64), np.dtype(object))
    reverse = _looked_up(back, text, np.dtype(object), np.dtype(np.int64))
    return lambda x: forth(x) if x.dtype == object else reverse(x)


def _looked_up(table: Mapping[Any, Any], default: Any, dtype: Any, fed: Any) -> Run:
    """Return what looks each label up; floats are compared in the dtype of the keys."""
    unusual, of_texts = fed.kind == "f", dtype.kind == "O"

    def run(x: np.ndarray) -> np.ndarray:
        labels = x.astype(fed, copy=False).ravel().tolist()
        if unusual:
            labels = [*map(_key, labels)]
        found = [table.get(label, default) for label in labels]
        return texts(found, x.shape) if of_texts else np.array(found, dtype).reshape(x.shape)

    return run


def _key(label: Any) -> Any:
    """Return what a label is looked for by: NaN, which is not what it is, by a key of its own."""
    return label if label == label else None


def _listed(node: TextNode, side: str) -> np.ndarray:
    """Return the keys or values of a table, as a vector."""
    tensor = node.attributes.get(f"{side}_tensor")
    if tensor is not None:
        return np.asarray(tensor).reshape(-1)
    given = [kind for kind in KINDS if node.attributes.get(f"{side}_{kind}")]
    node.require(len(given) == 1, f"it has {len(given)} lists of {side}; expected one")
    return _array(node.attributes[f"{side}_{given[0]}"], KINDS[given[0]])


def _array(values: Sequence[Any], dtype: Any) -> np.ndarray:
    return texts(values, [len(values)]) if dtype is object else np.array(values, dtype)


def _default(node: TextNode, dtype: np.dtype[Any]) -> Any:
    tensor = node.attributes.get("default_tensor")
    if tensor is not None and tensor.size:
        return tensor.reshape(-1).tolist()[0]
    kinds = {"O": "strings", "i": "int64s", "f": "floats"}
    if dtype.kind not in kinds:
        node.refuse(f"its values are {dtype}")
    kind = kinds[dtype.kind]
    return node.attributes.get(f"default_{kind.removesuffix('s')}", DEFAULTS[kind])
