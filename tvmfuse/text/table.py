"""The operators that are computed here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final

import onnx

from tvmfuse.text import casts, labels, maps, movement, tokens, words
from tvmfuse.text.node import Run, TextNode, operator_of

OPERATORS: Final[Mapping[str, Callable[[TextNode], Run]]] = {
    **movement.MOVEMENT,
    "Cast": casts.cast,
    "RegexFullMatch": words.regex_full_match,
    "StringConcat": words.string_concat,
    "StringNormalizer": words.string_normalizer,
    "StringSplit": words.string_split,
    "ai.onnx.ml.CategoryMapper": labels.category_mapper,
    "ai.onnx.ml.DictVectorizer": maps.dict_vectorizer,
    "ai.onnx.ml.LabelEncoder": labels.label_encoder,
    "ai.onnx.ml.ZipMap": maps.zip_map,
    "com.microsoft.Tokenizer": tokens.tokenizer,
}
"""By operator, what makes the function that computes a node of it."""


def is_taken(node: onnx.NodeProto, numbers: Collection[str]) -> bool:
    """Whether a node is one of these, and not of numbers alone, which are compiled.

    Args:
        node: The node.
        numbers: The values that are known to be tensors of numbers.
    """
    values = [*filter(None, (*node.input, *node.output))]
    return operator_of(node) in OPERATORS and not all(value in numbers for value in values)
