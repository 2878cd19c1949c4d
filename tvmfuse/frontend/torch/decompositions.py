"""Which ATen operators are taken apart before they are converted."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from typing import Any

import torch

from tvmfuse.frontend.torch.composites.table import COMPOSITES


def decompositions(whole: Collection[str]) -> dict[torch._ops.OperatorBase, Callable[..., Any]]:
    """Return torch's decompositions into its core, without what we convert whole, and our own.

    Attention stays whole, too: torch's own decomposition of it views what cannot be viewed.

    Args:
        whole: The names of the operators that are converted, see `convert.table.CONVERTED`.
    """
    table = dict(torch.export.default_decompositions())
    steps = table[torch.ops.aten.lstm.input]
    kept = {target: function for target, function in table.items() if str(target) not in whole}
    lstm = {torch.ops.aten.lstm.input: functools.partial(_lstm, steps)}
    return {**kept, **lstm, **COMPOSITES}


def _lstm(
    steps: Callable[..., Any], x: Any, states: Sequence[torch.Tensor], *rest: Any, **named: Any
) -> Any:
    """Take an LSTM apart into its steps where its states are projected: ONNX has no such one."""
    hidden, cell = states
    whole = hidden.shape[-1] == cell.shape[-1]
    return NotImplemented if whole else steps(x, states, *rest, **named)
