"""Many tiny cases of operators in one graph, because each compilation has a price of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import onnx
from graphs import onnx_model
from onnx import helper
from operator_case import Case, K

REFUSED: Final[dict[str, str]] = {}
"""Case -> words of its refusal."""


def model_of(
    cases: Sequence[Case],
) -> tuple[onnx.ModelProto, dict[str, np.ndarray], dict[str, str]]:
    """Return one graph of many cases, what it is fed, and which case an output belongs to."""
    nodes, constants = [], {}
    feeds: dict[str, np.ndarray] = {}
    outputs: dict[str, str] = {}
    owner: dict[str, str] = {}
    for number, one in enumerate(cases):
        names = []
        for place, operand in enumerate(one.operands):
            name = "" if operand is None else f"i{number}_{place}"
            names.append(name)
            if isinstance(operand, K):
                constants[name] = operand.array
            elif operand is not None:
                assert isinstance(operand, np.ndarray)
                feeds[name] = operand
        made = [f"o{number}_{i}" if dtype else "" for i, dtype in enumerate(one.dtypes)]
        domain, _, op = one.op.rpartition("::")
        nodes.append(
            helper.make_node(op, names, made, name=f"n{number}", domain=domain, **one.attributes)
        )
        for name, dtype in zip(made, one.dtypes, strict=True):
            if name:
                outputs[name], owner[name] = dtype, one.name
    inputs = {name: (array.dtype.name, array.shape) for name, array in feeds.items()}
    domains = sorted({node.domain for node in nodes} - {""})
    model = onnx_model(nodes, inputs, outputs, constants, opset=cases[0].opset, domains=domains)
    return model, feeds, owner
