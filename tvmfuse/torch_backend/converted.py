"""Which operators are compiled, and why others are not."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch.fx import Node

from tvmfuse.frontend.refusals import CannotConvertError
from tvmfuse.frontend.symbols import Symbols
from tvmfuse.frontend.torch.convert.table import CONVERTERS
from tvmfuse.frontend.torch.dtypes import NAMES
from tvmfuse.frontend.torch.sizes import Sizes
from tvmfuse.torch_backend.effects import is_operator, is_random

RANDOM = "it draws random numbers, which torch's generator does"


def why_not_converted(node: Node) -> str | None:
    """Return why an operator is not compiled; None for one that is, as far as its types tell."""
    if not is_operator(node) or node.target not in CONVERTERS:
        return RANDOM if is_random(node) else "tvmfuse has no converter for this operator"
    values = (value for one in (node, *node.all_input_nodes) for value in _values(one))
    return next(filter(None, map(_why_not, values)), None)


def _values(node: Node) -> Iterator[object]:
    """Yield what a node makes; of several results, those that are read."""
    value = node.meta.get("val")
    if isinstance(value, (tuple, list)):
        yield from (user.meta.get("val") for user in node.users if user.users)
    else:
        yield value


def _why_not(value: object) -> str | None:
    """Return why no kernel reads or writes a value; None where one does."""
    if value is None or isinstance(value, (int, torch.SymInt)):
        return None
    if not isinstance(value, torch.Tensor):
        return f"it takes or makes a {type(value).__name__}"
    if value.device.type != "cpu" or value.layout is not torch.strided:
        return f"it is on {value.device}, of layout {value.layout}"
    if value.dtype not in NAMES:
        return f"tensors of {value.dtype} are not compiled"
    if any(isinstance(size, int) and size == 0 for size in value.shape):
        return "a tensor of it has no elements"
    try:
        for size in value.shape:
            Sizes(Symbols(), {}, {}).dim(size)
    except CannotConvertError as error:
        return str(error)
    return None
