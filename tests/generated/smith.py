"""Graphs by NNSmith 0.1.0 (Liu et al., ASPLOS 2023, https://doi.org/10.1145/3575693.3575707).

It was written for torch 1.13. Of today's it takes the exporter of TorchScript, and its look at all
numbers on the way, for which that exporter has no operator any more, is left out.
"""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np
import torch
from generated.graph import Graph

#: Operators of a graph, at most, and how long its sizes are solved for, in milliseconds.
NODES, PATIENCE = 10, 10_000


@functools.cache
def _model_type() -> Any:
    """Return NNSmith's kind of models, prepared for today's torch."""
    from nnsmith.abstract.extension import activate_ext
    from nnsmith.materialize import Model
    from nnsmith.materialize.torch.symbolnet import SymbolNet
    from nnsmith.util import hijack_patch_requires

    torch.onnx.export = functools.partial(torch.onnx.export, dynamo=False)
    SymbolNet.debug_numeric = lambda _self, _tensor: None
    kind = Model.init("onnx", None)
    kind.add_seed_setter()
    hijack_patch_requires([])
    activate_ext(opset=kind.operators(), factory=None)
    return kind


def generated(seed: int) -> Graph:
    """Return the graph of a seed.

    Raises:
        Exception: NNSmith finds none for this seed; it raises what it likes.
    """
    from nnsmith.graph_gen import model_gen

    kind = _model_type()
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 -- it is this generator that NNSmith draws from
    torch.manual_seed(seed)
    found = model_gen(
        opset=kind.operators(), method="symbolic", max_nodes=NODES, seed=seed, timeout_ms=PATIENCE
    )
    model = kind.from_gir(found.make_concrete())
    model.refine_weights()
    inputs = model.make_oracle().input
    return Graph(model.native_model, {name: np.asarray(x) for name, x in inputs.items()})
