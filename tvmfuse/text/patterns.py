r"""Regular expressions in RE2's syntax, as ONNX's are, where Python's finds the same.

RE2 takes letters and digits of ASCII only for `\w` and `\d`, and no vertical tab for `\s`. As
onnxruntime's Tokenizer asks for the longest match, and Python gives the first one, patterns of
tokens are sequences of characters, each repeated as often as it can be: of these both are the same.
"""

from __future__ import annotations

import re
from typing import Final

from tvmfuse.text.node import TextNode

BLANKS: Final = r"\t\n\f\r "
_CLASS: Final = r"\[\^?(?:\\[wdstnr]|\\[^\w\s]|[^\\\[\]])+\]"
_ESCAPED: Final = r"\\[wWdDsStnr]|\\[^\w\s]"
_CHARACTER: Final = rf"(?:{_CLASS}|{_ESCAPED}|[^\\\[\](){{}}|^$*+?])"
_REPEATED: Final = r"(?:[*+?]|\{\d+(?:,\d*)?\})?"
ITEM: Final = re.compile(rf"\\b|{_CHARACTER}{_REPEATED}")
GROUPS: Final = re.compile(rf"\((?:\?:)?|\){_REPEATED}|[|^$]")
"""What may stand between the items where only the whole text is matched."""
ENDS: Final = {"^": r"\A", "$": r"\Z"}


def matching(node: TextNode, pattern: str, *, grouped: bool = False) -> re.Pattern[str]:
    """Return a pattern of RE2's as one of Python's.

    Args:
        node: Whose it is.
        pattern: As RE2 takes it.
        grouped: Whether it may have groups and alternatives, since a text is matched as a whole.

    Raises:
        NotTakenError: It might mean something else in Python.
    """
    place, found = 0, []
    while place < len(pattern):
        item = ITEM.match(pattern, place) or (GROUPS.match(pattern, place) if grouped else None)
        if item is None or not item[0]:
            node.refuse(f"in {pattern!r}, {pattern[place : place + 9]!r} is not taken")
        found.append(_translated(item[0]))
        place = item.end()
    try:
        return re.compile("".join(found), re.ASCII)
    except re.error as error:
        node.refuse(f"{pattern!r} is no regular expression: {error}")


def _translated(item: str) -> str:
    r"""Return an item with RE2's blanks, and its ends of a text.

    >>> _translated(r"\s+") == r"[\t\n\f\r ]+", _translated(r"[\s,]") == r"[\t\n\f\r ,]"
    (True, True)
    """
    if item.startswith("["):
        return re.sub(r"(\\s)|\\.", lambda m: BLANKS if m[1] else m[0], item)
    if item.startswith((r"\s", r"\S")):
        return f"[{'^' if item[1] == 'S' else ''}{BLANKS}]{item[2:]}"
    return ENDS.get(item, item)
