"""TfIdfVectorizer of numbers, against onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from together import Part, agree, together

import tvmfuse
from tvmfuse.errors import UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

POOL: dict[str, Any] = {
    "pool_int64s": [2, 3, 5, 4, 5, 6, 7, 8, 6, 7, 2, 3, 4],
    "ngram_counts": [0, 4, 10],
    "ngram_indexes": [0, 6, 2, 3, 4, 5, 1, 7],
}
X = np.array([[1, 1, 3, 3, 3, 7], [8, 6, 7, 5, 6, 8], [2, 3, 4, 2, 3, 4]])


def vectorizer(x: np.ndarray, least: int, most: int, skips: int, **more: Any) -> Part:
    said = {"min_gram_length": least, "max_gram_length": most, "max_skip_count": skips, **POOL}
    return Part("TfIdfVectorizer", [x], attributes={**said, **more}, symbolic=x.ndim > 1)


def test_counts() -> None:
    weights = [0.5, 1, 2, 3, 4, 5, 6, 7]
    parts = [vectorizer(X[2].astype("int32"), 1, 2, 1, mode="TF")]
    for least, most in ((2, 2), (1, 3)):
        parts.append(vectorizer(X, least, most, 2, mode="IDF"))
        parts.append(vectorizer(X, least, most, 0, mode="TFIDF", weights=weights))
    parts.append(vectorizer(X, 1, 2, 1, mode="TF", ngram_indexes=[0, 1, 1, 0, 2, 2, 1, 0]))
    agree(*together(parts))


def test_rows_shorter_than_its_n_grams() -> None:
    node = helper.make_node(
        "TfIdfVectorizer", ["x"], ["y"], min_gram_length=1, max_gram_length=3, max_skip_count=0, mode="TF", **POOL
    )  # fmt: skip
    loaded = tvmfuse.compile(
        onnx_model([node], {"x": ("int64", ("b", "c"))}, {"y": "float32"}), level="none"
    ).load()
    assert loaded(x=X[:, :1])["y"].sum() == 1
    assert loaded(x=X[:, :0])["y"].tolist() == np.zeros((3, 8)).tolist()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"ngram_counts": [0, 5, 10]}, "do not fit its pool"),
        ({"mode": "DF"}, "expected TF, IDF, TFIDF"),
        ({"pool_int64s": None, "pool_strings": ["a"] * 13}, "pool are strings"),
        ({"weights": [1.0]}, "1 weights for 8 n-grams"),
    ],
)
def test_what_is_refused_in_words(change: dict[str, Any], why: str) -> None:
    said: dict[str, Any] = {
        "min_gram_length": 1,
        "max_gram_length": 1,
        "max_skip_count": 0,
        "mode": "IDF",
    }
    attributes = {k: v for k, v in {**POOL, **said, **change}.items() if v is not None}
    node = helper.make_node("TfIdfVectorizer", ["x"], ["y"], **attributes)
    with pytest.raises(UnsupportedModelError, match=why):
        import_model(onnx_model([node], {"x": ("int64", (2, 3))}, {"y": "float32"}))
