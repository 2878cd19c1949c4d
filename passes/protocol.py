"""What a pass is."""

from __future__ import annotations

from typing import Protocol

from tvm import IRModule
from tvm.target import Target

from tvmfuse.passes.trace import Trace


class Pass(Protocol):
    """One named change of a module: it can be switched off, and says what it did.

    Attributes:
        name: Unique; ONNX Runtime's where it has one.
        aliases: Other names that documents use; compared without case, space and underscore.
        default: Whether the pass runs unless it is asked for by name.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def aliases(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def default(self) -> bool: ...  # noqa: D102

    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the changed module; the given one stays as it is."""
        ...


class LayoutPass(Pass, Protocol):
    """A pass that arranges tensors for the registers of a CPU."""

    def for_target(self, target: Target) -> Pass:
        """Return the pass as it is for this target, of kind ``llvm``."""
        ...
