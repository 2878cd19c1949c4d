"""Overloads of torch's operators, by their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch


def named(namespace: Any, names: str) -> Iterator[torch._ops.OpOverload]:
    """Yield the overloads of a namespace that are named: `add.Tensor relu`."""
    for said in names.split():
        name, _, overload = said.partition(".")
        yield getattr(getattr(namespace, name), overload or "default")
