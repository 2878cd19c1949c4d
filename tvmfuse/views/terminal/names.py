"""Names of nodes, few and short."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

NODES_SHOWN: Final = 3


def listed(nodes: Sequence[str], shown: int = NODES_SHOWN) -> str:
    """Name the first few nodes, and what all names begin with only once.

    >>> listed(("/layer.0/query/MatMul", "/layer.0/query/Add"))
    '/layer.0/query/: MatMul, Add'
    >>> listed(("conv", "relu"))
    'conv, relu'
    >>> listed("abcdef")
    'a, b, c and 3 more'
    """
    parts = [node.split("/")[:-1] for node in nodes]
    shared = takewhile(lambda names: len(set(names)) == 1, zip(*parts, strict=False))
    prefix = "".join(f"{name}/" for name, *_ in shared) if len(nodes) > 1 else ""
    rest = len(nodes) - shown
    names = ", ".join(node[len(prefix) :] for node in nodes[:shown])
    head = f"{prefix}: " if len(prefix) > 1 else prefix
    return head + names + (f" and {rest} more" if rest > 0 else "")
