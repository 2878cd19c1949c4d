"""Operators of `com.microsoft` that ONNX Runtime writes without their domain.

It has norms that ONNX did not have when they were made, and writes them as if ONNX did:
LayerNormalization before opset 17, and SimplifiedLayerNormalization, which is ONNX's
RMSNormalization under its own name.
"""

from __future__ import annotations

from typing import Final

import onnx
from onnx import defs, helper

from tvmfuse.frontend.onnx.graph import STANDARD, canonical, opset_of
from tvmfuse.frontend.onnx.without_weights import all_nodes

DOMAIN: Final = "com.microsoft"
OPERATORS: Final = frozenset({"LayerNormalization", "SimplifiedLayerNormalization"})


def name_domain(model: onnx.ModelProto) -> None:
    """Say the domain of such operators, where ONNX has none of that name in the opset in force.

    Args:
        model: Is changed in place.
    """
    opsets = {canonical(o.domain): int(o.version) for o in model.opset_import}
    found = [
        node
        for node in all_nodes(model.graph.node)
        if node.op_type in OPERATORS
        and node.domain in STANDARD
        and not defs.has(node.op_type, opset_of(node, opsets), "")
    ]
    for node in found:
        node.domain = DOMAIN
    if found and DOMAIN not in opsets:
        model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
