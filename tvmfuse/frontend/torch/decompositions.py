"""Which ATen operators are taken apart before they are converted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from tvmfuse.frontend.torch.convert.table import CONVERTERS


def decompositions() -> dict[torch._ops.OperatorBase, Callable[..., Any]]:
    """Return torch's decompositions into its core, without what we convert whole.

    Attention stays whole, too: torch's own decomposition of it views what cannot be viewed.
    """
    table = dict(torch.export.default_decompositions())
    return {target: function for target, function in table.items() if target not in CONVERTERS}
