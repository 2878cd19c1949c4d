"""onnxruntime itself, also in a process where `tvmfuse.replace_onnxruntime` has taken its name."""

from __future__ import annotations

import importlib
import importlib.util
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

NAME: Final = "onnxruntime"

set_aside: Final[dict[str, ModuleType]] = {}
"""Its package and that of its native code, by their names, where ours has those names."""

replaced: Final[list[ModuleSpec | None]] = []
"""Its own specification, None where it is not installed; empty where nothing was replaced."""


def import_onnxruntime() -> ModuleType:
    """Return onnxruntime's package.

    Raises:
        ImportError: It is not installed, or cannot be imported.
    """
    if not replaced:
        return importlib.import_module(NAME)
    if NAME not in set_aside:
        raise ModuleNotFoundError(f"No module named {NAME!r}", name=NAME)
    return set_aside[NAME]


def is_installed() -> bool:
    """Whether there is an onnxruntime to import."""
    spec = replaced[0] if replaced else importlib.util.find_spec(NAME)
    return spec is not None
