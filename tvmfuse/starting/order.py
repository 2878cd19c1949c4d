"""What a session asks for: a model, and how it is to be compiled."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, is_dataclass
from typing import Any, Final, Self, TypeAlias

Cache: TypeAlias = bool | str | os.PathLike[str]
"""Whether something is kept in the user's folder; or the folder that takes its place."""

#: What a session writes beside running: for these a model is compiled each time, in this process.
WRITES: Final = ("save_optimized", "dump_ir")


@dataclass(frozen=True)
class Order:
    """A compilation that may be done before, here or in another process.

    Attributes:
        model: A path, or the model's bytes.
        place: The path, whatever folder the process works in later; or the bytes.
        settings: Arguments of `tvmfuse.compile`.
        cache: The same one's; it says where whole models are kept, too.
        written: The settings as JSON; None where it has no words for them.
        began: When it was given, as `time.time` says it.
    """

    model: str | bytes
    place: str | bytes
    settings: Mapping[str, Any]
    cache: bool | str
    written: str | None
    began: float = field(default_factory=time.time)

    @classmethod
    def of(
        cls,
        model: str | os.PathLike[str] | bytes,
        settings: Mapping[str, Any],
        cache: Cache,
    ) -> Self:
        """Return the order of a session."""
        given = {name: value for name, value in settings.items() if value is not None}
        try:
            written = json.dumps(given, sort_keys=True, default=_plain)
        except (TypeError, ValueError):
            written = None
        path = os.fspath(model) if isinstance(model, str | os.PathLike) else model
        place = cache if isinstance(cache, bool) else os.fspath(cache)
        absolute = os.path.abspath(path) if isinstance(path, str) else path
        # What is neither a path nor bytes, `compile` refuses.
        return cls(path, absolute, given, place, written)

    @property
    def name(self) -> str:
        """What messages call the model."""
        return self.model if isinstance(self.model, str) else f"{len(self.model)} bytes"

    @property
    def can_be_kept(self) -> bool:
        """Whether what is compiled may serve another session: for the CPU, and nothing else."""
        return (
            self.written is not None
            and isinstance(self.model, str | bytes)
            and self.settings.get("target", "llvm") == "llvm"
            and not any(self.settings.get(name) for name in WRITES)
        )

    @property
    def can_begin_elsewhere(self) -> bool:
        """Whether onnxruntime may run the model meanwhile: none does who shall keep to limits."""
        return self.can_be_kept and self.settings.get("limits") is None


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(value)
