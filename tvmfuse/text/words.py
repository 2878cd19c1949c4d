"""Strings to strings: StringNormalizer, StringConcat, StringSplit, and RegexFullMatch to bools."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np

from tvmfuse.text.node import Run, TextNode, texts
from tvmfuse.text.patterns import matching

ASCII_LOCALES: Final = ("C", "POSIX")
OTHER_CASES: Final = ("az", "lt", "tr")
"""Languages whose letters have other cases than Unicode says."""


def _lowered(letter: str) -> str:
    return letter.lower()[:1]


def _raised(letter: str) -> str:
    raised = letter.upper()
    return raised if len(raised) == 1 else letter


CASES: Final[dict[str, Callable[[str], str]]] = {"LOWER": _lowered, "UPPER": _raised}


def _change(action: str, locale: str) -> Callable[[str], str]:
    """Return what changes the case of a text, letter by letter: each becomes one letter."""
    if action == "NONE":
        return lambda text: text
    change, ascii_only = CASES[action], locale in ASCII_LOCALES
    return lambda text: "".join(
        letter if ascii_only and not letter.isascii() else change(letter) for letter in text
    )


def string_normalizer(node: TextNode) -> Run:
    """Make StringNormalizer: without stopwords, in lower or upper case.

    Where nothing is left, the result is one empty string.
    """
    action = node.attributes.get("case_change_action", "NONE")
    node.require(action in ("NONE", *CASES), f"its case_change_action is {action!r}")
    locale = node.attributes.get("locale", "en_US")
    node.require(
        locale[:2].lower() not in OTHER_CASES, f"its locale is {locale}, with cases of its own"
    )
    change = _change(action, locale)
    sensitive = bool(node.attributes.get("is_case_sensitive", 0))
    same = (lambda text: text) if sensitive else _change("LOWER", locale)
    stopwords = frozenset(map(same, node.attributes.get("stopwords", [])))

    def run(x: np.ndarray) -> np.ndarray:
        if x.ndim not in (1, 2) or not x.size or (x.ndim == 2 and len(x) != 1):
            raise ValueError(
                f"expected one string or more, of shape [C] or [1, C], found {list(x.shape)}"
            )
        left = [change(text) for text in x.ravel() if not stopwords or same(text) not in stopwords]
        return texts(left or [""], [1] * (x.ndim - 1) + [max(1, len(left))])

    return run


def string_concat(_node: TextNode) -> Run:
    """Make StringConcat: element by element, with broadcasting."""

    def run(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.asarray(a + b, object)

    return run


def string_split(node: TextNode) -> Run:
    """Make StringSplit: substrings with "" behind them, and how many there are.

    Without a delimiter, blanks separate and do not count at the ends; an empty string has none.
    """
    delimiter = node.attributes.get("delimiter", "")
    most = node.attributes.get("maxsplit", -1)

    def parts(text: str) -> list[str]:
        if delimiter:
            return text.split(delimiter, most) if text else []
        text = text.strip(" ")
        if not text:
            return []
        return [text] if most == 0 else re.split(" +", text, maxsplit=max(most, 0))

    def run(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = [parts(text) for text in x.ravel()]
        counts = np.array([*map(len, found)], np.int64).reshape(x.shape)
        width = max(map(len, found), default=0)
        padded = [part for row in found for part in (*row, *[""] * (width - len(row)))]
        return texts(padded, (*x.shape, width)), counts

    return run


def regex_full_match(node: TextNode) -> Run:
    """Make RegexFullMatch, of patterns that mean the same in RE2 and Python."""
    pattern = matching(node, node.attributes.get("pattern", ""), grouped=True)

    def run(x: np.ndarray) -> np.ndarray:
        met = [pattern.fullmatch(text) is not None for text in x.ravel()]
        return np.array(met, np.bool_).reshape(x.shape)

    return run
