"""Tokenizer of com.microsoft: strings to the tokens in them, padded to one length."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from tvmfuse.text.node import Run, TextNode, texts
from tvmfuse.text.patterns import matching

BEGIN: Final = "\x02"
END: Final = "\x03"
"""What stands behind the tokens of a string where they are to be marked, and `BEGIN` before."""


def tokenizer(node: TextNode) -> Run:
    """Make Tokenizer: (C,) or (N, C) to a further axis of tokens, with pad_value behind them."""
    split = _splitting(node)
    pad, mark = node.attributes.get("pad_value", ""), bool(node.attributes.get("mark", 0))

    def run(x: np.ndarray) -> np.ndarray:
        if x.ndim not in (1, 2):
            raise ValueError(f"expected strings of rank 1 or 2, found rank {x.ndim}")
        rows = [split(text) for text in x.ravel()]
        width = max(map(len, rows), default=0)
        if mark and width:
            rows, width = [[BEGIN, *row, END] for row in rows], width + 2
        padded = [token for row in rows for token in (*row, *[pad] * (width - len(row)))]
        return texts(padded, (*x.shape, width))

    return run


def _splitting(node: TextNode) -> Callable[[str], list[str]]:
    least = node.attributes.get("mincharnum", 0)
    node.require(least > 0, f"its mincharnum is {least}")
    expression, separators = (node.attributes.get(n) for n in ("tokenexp", "separators"))
    node.require(
        bool(expression) != bool(separators), "expected either tokenexp or separators, found other"
    )
    if expression:
        token = _never_empty(node, expression)
        return lambda text: [*_tokens(token, text, least)]
    if separators == [""]:
        return list
    patterns = [_never_empty(node, separator) for separator in separators or ()]

    def split(text: str) -> list[str]:
        parts = [text]
        for pattern in patterns:
            pieces = (piece for part in parts for piece in pattern.split(part))
            parts = [piece for piece in pieces if len(piece) >= least]
        return parts

    return split


def _never_empty(node: TextNode, expression: str) -> re.Pattern[str]:
    pattern = matching(node, expression)
    node.require(pattern.fullmatch("") is None, f"{expression!r} matches an empty string")
    return pattern


def _tokens(token: re.Pattern[str], text: str, least: int) -> Iterator[str]:
    """Yield the tokens of a text; behind one that is too short the search goes on in it."""
    place = 0
    while found := token.search(text, place):
        if len(found[0]) >= least:
            yield found[0]
            place = found.end()
        else:
            place = found.start() + 1
