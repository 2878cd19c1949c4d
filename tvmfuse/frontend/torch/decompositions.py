"""Which ATen operators are taken apart before they are converted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

import torch

from tvmfuse.frontend.torch.composites.table import COMPOSITES

_LSTM: Final = torch.ops.aten.lstm.input

#: How torch takes an LSTM apart into its steps.
_STEPS: Final = _LSTM.py_kernels[torch._C.DispatchKey.CompositeImplicitAutograd]

Decompositions = Mapping[torch._ops.OperatorBase, Callable[..., Any]]
"""Operator -> what it is taken apart by, which returns NotImplemented where it stays whole."""


def decompositions(whole: Collection[str]) -> dict[torch._ops.OperatorBase, Callable[..., Any]]:
    """Return torch's decompositions into its core, without what we convert whole, and our own.

    Attention stays whole, too: torch's own decomposition of it views what cannot be viewed.

    Args:
        whole: The names of the operators that are converted, see `convert.table.CONVERTED`.
    """
    table = dict(torch.export.default_decompositions())
    kept = {target: function for target, function in table.items() if str(target) not in whole}
    return {**kept, **OWN}


def _lstm(x: Any, states: Sequence[torch.Tensor], *rest: Any, **named: Any) -> Any:
    """Take an LSTM apart into its steps where its states are projected: ONNX has no such one."""
    hidden, cell = states
    whole = hidden.shape[-1] == cell.shape[-1]
    return NotImplemented if whole else _STEPS(x, states, *rest, **named)


OWN: Final[Decompositions] = {_LSTM: _lstm, **COMPOSITES}
