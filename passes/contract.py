"""What a pass is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Container, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Final

from tvm import IRModule

from tvmfuse.passes.trace import Trace
from tvmfuse.target.machine import Machine

if TYPE_CHECKING:
    from tvmfuse.passes.nchwc.winograd_costs import Layer


class WorksOn(Enum):
    """The form that a module has when a pass gets it."""

    OPERATORS = "operators"
    KERNELS = "kernels"


OPERATORS: Final = WorksOn.OPERATORS
KERNELS: Final = WorksOn.KERNELS


class _Any:
    """Every kind of target."""

    def __contains__(self, kind: object) -> bool:
        return True


ANY: Final[Container[str]] = _Any()
"""A pass for every target."""

CPU: Final[Container[str]] = frozenset({"llvm"})
"""A pass that arranges tensors for the registers of a CPU."""


class GraphPass(ABC):
    """One named change of a module: it can be switched off, and says what it did.

    Attributes:
        name: Unique; ONNX Runtime's where it has one.
        aliases: Other names that documents use; compared without case, space and underscore.
        default: Whether the pass runs unless it is asked for by name.
        required: Whether the pass runs at every level and cannot be switched off.
        note: What a user has to know where the pass fired (`Trace.noted`), for the report.
        works_on: Operators, or the kernels that they are lowered to.
        targets: The kinds of target that the pass is for.
        phase: When a pass from outside runs (`plugged`); where ours do is `catalogue`'s.
        before: A pass of that phase that it runs before; without one it is the first.
        after: A pass of that phase that it runs after.
    """

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    default: ClassVar[bool] = True
    required: ClassVar[bool] = False
    note: ClassVar[str] = ""
    works_on: ClassVar[WorksOn] = OPERATORS
    targets: ClassVar[Container[str]] = ANY
    phase: ClassVar[str] = "extended"
    before: ClassVar[str] = ""
    after: ClassVar[str] = ""

    def configured(self, machine: Machine) -> GraphPass:
        """Return the pass as it is for this machine."""
        del machine
        return self

    def without(self, disabled: Sequence[GraphPass]) -> GraphPass:
        """Return the pass as it is where a caller has disabled these."""
        del disabled
        return self

    def keeping_apart(self, groups: Collection[tuple[str, ...]]) -> GraphPass:
        """Return the pass as it is where no kernel may compute one of these groups of nodes."""
        del groups
        return self

    def timed(self, tiles: Mapping[Layer, int]) -> GraphPass:
        """Return the pass as it is where timing told which Winograd tiles convolutions take."""
        del tiles
        return self

    @abstractmethod
    def __call__(self, module: IRModule, trace: Trace | None = None) -> IRModule:
        """Return the changed module; the given one stays as it is."""
