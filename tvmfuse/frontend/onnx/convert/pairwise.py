"""Einsum of several operands, two at a time: at once, each term of the result is a sum over all."""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np
from tvm import relax
from tvm.ir import Expr

from tvmfuse.frontend.onnx.operation import Operation
from tvmfuse.frontend.require import require_shape

#: What a symbolic size counts as where an order of the operands is chosen.
USUAL: Final = 64


def pairwise(op: Operation, tensors: list[Expr], equation: str) -> Expr:
    """Return the sum of products, whose operands are contracted in the cheapest order.

    Args:
        op: The node, which the steps are emitted for.
        tensors: Its operands.
        equation: In ONNX's notation, without spaces. With an ellipsis all are taken at once.
    """
    terms, arrow, result = equation.partition("->")
    labels = terms.split(",")
    if len(tensors) <= 2 or "." in equation:
        return relax.op.einsum(relax.Tuple(tensors), equation)
    if not arrow:
        result = "".join(
            sorted(name for name, n in Counter(terms).items() if n == 1 and name != ",")
        )
    *first, last = _order(tensors, labels, result)
    for chosen in first:
        left = [place for place in range(len(labels)) if place not in chosen]
        wanted = set(result).union(*(labels[place] for place in left))
        made = "".join(sorted(wanted & set("".join(labels[place] for place in chosen))))
        step = _step([labels[place] for place in chosen], made)
        product = op.emit(relax.op.einsum(relax.Tuple([tensors[i] for i in chosen]), step))
        tensors = [*(tensors[place] for place in left), product]
        labels = [*(labels[place] for place in left), made]
    return relax.op.einsum(
        relax.Tuple([tensors[i] for i in last]), _step([labels[i] for i in last], result)
    )


def _step(labels: list[str], result: str) -> str:
    return f"{','.join(labels)}->{result}"


def _order(tensors: list[Expr], labels: list[str], result: str) -> list[tuple[int, ...]]:
    """Return which operands are taken next; what they make stands behind those that are left."""
    sizes: dict[str, int] = {}
    for tensor, names in zip(tensors, labels, strict=True):
        for name, dim in zip(names, require_shape(tensor), strict=True):
            sizes[name] = max(sizes.get(name, 1), int(dim) if isinstance(dim, int) else USUAL)
    shapes = [np.broadcast_to(np.float32(0), [sizes[name] for name in names]) for names in labels]
    _, *steps = np.einsum_path(_step(labels, result), *shapes, optimize="greedy")[0]
    return [tuple(step) for step in steps]
