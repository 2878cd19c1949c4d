"""Results as JSON's types: it has no word for what is not finite, so that is null."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def finite(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with lists for tuples, and None for infinity and NaN, at any depth.

    >>> finite({"errors": (1.5, float("inf")), "worst": {"error": float("nan")}})
    {'errors': [1.5, None], 'worst': {'error': None}}
    """
    return {name: _finite(value) for name, value in record.items()}


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return finite(value)
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
