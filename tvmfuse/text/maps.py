"""Maps: ZipMap makes a list of them, one for each row of scores; DictVectorizer reads one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tvmfuse.text.node import Run, TextNode


def zip_map(node: TextNode) -> Run:
    """Make ZipMap: rows of scores, (N, C), to N dicts from a label to a Python float.

    As in onnxruntime a vector is one row, keys are in ascending order, and of equal labels the
    last one counts.
    """
    labels = node.attributes.get("classlabels_strings") or node.attributes.get(
        "classlabels_int64s", []
    )
    node.require(len(labels) > 0, "it has no labels (classlabels_strings, classlabels_int64s)")
    columns = {label: place for place, label in enumerate(labels)}
    keys = sorted(columns)

    def run(scores: np.ndarray) -> list[dict[Any, float]]:
        if scores.ndim not in (1, 2) or scores.shape[-1] != len(labels):
            raise ValueError(f"expected rows of {len(labels)} scores, found shape {scores.shape}")
        rows = scores.reshape(-1, len(labels))[:, [columns[key] for key in keys]]
        return [dict(zip(keys, row, strict=True)) for row in rows.tolist()]

    return run


def dict_vectorizer(node: TextNode) -> Run:
    """Make DictVectorizer: a dict to one row, (1, C), 0 where a key of the vocabulary is absent."""
    keys = node.attributes.get("string_vocabulary") or node.attributes.get("int64_vocabulary", [])
    node.require(len(keys) > 0, "it has no vocabulary")

    def run(given: Any) -> np.ndarray:
        if not isinstance(given, Mapping):
            raise TypeError(f"expected a dict, found {type(given).__name__}")
        numbers = [given.get(key, 0) for key in keys]
        if not all(isinstance(n, int | float | np.integer | np.floating) for n in numbers):
            raise ValueError("expected a dict of numbers, found other values")
        return np.array([numbers], np.float32)

    return run
