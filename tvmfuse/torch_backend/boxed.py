"""What takes its arguments in one list, as AOTAutograd calls graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

C = TypeVar("C", bound=Callable[..., Any])


def boxed(call: C) -> C:
    """Mark a function or a method so: no other is called around it, which unpacks the list."""
    call._boxed_call = True  # type: ignore[attr-defined]
    return call
