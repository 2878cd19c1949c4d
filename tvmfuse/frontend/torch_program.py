"""A PyTorch program that is to be compiled; torch is imported only where there is one."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch.export import ExportedProgram


@dataclass(frozen=True, eq=False)
class TorchProgram:
    """An exported program.

    Attributes:
        program: What `torch.export.export` returned.
        names: What its symbolic dimensions are called, by torch's names.
        title: The class of the module.
        live: Whether its parameters and buffers may change after it is compiled.
    """

    program: ExportedProgram
    names: Mapping[str, str] = field(default_factory=dict)
    title: str = "model"
    live: bool = False


def is_torch(model: object) -> bool:
    """Whether it is a module or an exported program."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module | torch.export.ExportedProgram)
