"""Exports that do not compile yet, and why; each of them is refused in words, none is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NOT_COMPILED: Final[Mapping[str, str]] = {}
"""Export, as its test is called -> the reason."""
