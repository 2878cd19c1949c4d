"""Equations of Einsum: onnx's shape inference never ends on one with a single dot, say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import onnx

from tvmfuse.errors import MalformedModelError
from tvmfuse.frontend.onnx.graph import STANDARD
from tvmfuse.frontend.onnx.without_weights import all_nodes

#: Letters with one ellipsis among them at most, and spaces anywhere.
TERM: Final = rb"[A-Za-z\s]*(?:\.\.\.[A-Za-z\s]*)?"
EQUATION: Final = re.compile(rb"%b(?:,%b)*(?:->%b)?" % (TERM, TERM, TERM))


def check_equations(nodes: Iterable[onnx.NodeProto]) -> None:
    """Check, before shapes are inferred, that equations are written as ONNX has them.

    Raises:
        MalformedModelError: One is not.
    """
    for node in all_nodes(nodes):
        if node.op_type != "Einsum" or node.domain not in STANDARD:
            continue
        for attribute in node.attribute:
            if attribute.name == "equation":
                _check(f"node {node.name!r} (Einsum): equation is {attribute.s!r:.60}", attribute.s)


def _check(said: str, equation: bytes) -> None:
    if not EQUATION.fullmatch(equation):
        raise MalformedModelError(
            f"{said}: expected terms of letters, each with one '...' at most, between commas, then "
            "'->' and one term"
        )
    result = re.findall(rb"[A-Za-z]", equation.partition(b"->")[2])
    if len(set(result)) < len(result):
        raise MalformedModelError(f"{said}: expected each letter once after '->'")
