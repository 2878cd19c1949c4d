"""How far a compiled model's numbers are from another engine's."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tvmfuse.measure import words
from tvmfuse.measure.distance import Distance
from tvmfuse.measure.order import AS_IT_IS
from tvmfuse.measure.results.conditions import Conditions
from tvmfuse.result import Result, view

if TYPE_CHECKING:
    from rich.table import Table

ALARM: Final = 8
"""How many times what rounding explains an error has to be to be one: sums in another order, and
exponentials by other polynomials, stayed below 2.2 in what was measured; see decision 0040."""

SKIPPED_SHOWN: Final = 12
"""Tensors of which the notes say why they could not be compared."""


@dataclass(frozen=True)
class TensorError:
    """One tensor, and how far ours is from theirs.

    Attributes:
        name: In the ONNX model.
        node: The name of the node that makes it; empty where none does.
        op: The node's operator.
        dtype: Of theirs, as is `shape`.
        incoming: The largest relative error among the tensors that it is made of: of each, or of
            what that is made of, the nearest that was compared.
        noise: How far rounding alone moves it, absolute (`measure.rounding`); None where nobody
            asked.
        order: How ours lay in memory, in words.
        kernel: Which kernel wrote it; empty where none is known to.
        place: That kernel's place in the manifest; None where none is known to.
        origin: Whether it is an alarm, and nothing that it is made of is one.
        blamed: For an origin, the places of the kernel that wrote it and of those before it whose
            results cannot be compared.
    """

    name: str
    node: str
    op: str
    dtype: str
    shape: tuple[int, ...]
    distance: Distance
    incoming: float = 0.0
    noise: float | None = None
    order: str = AS_IT_IS
    kernel: str = ""
    place: int | None = None
    origin: bool = False
    blamed: tuple[int, ...] = ()

    @property
    def excess(self) -> float | None:
        """How many times what rounding explains the largest error is; None where nobody asked."""
        if self.noise is None or self.noise == math.inf:
            return None
        error = math.inf if self.distance.in_kind else self.distance.max_abs or 0.0
        return error / self.noise if self.noise else (math.inf if error else 0.0)

    @property
    def alarm(self) -> bool:
        """Whether the error is more than rounding explains."""
        return self.excess is not None and self.excess > ALARM

    @property
    def growth(self) -> float | None:
        """By how much the largest relative error is above the incoming one."""
        error = self.distance.max_rel
        return None if error is None else error - self.incoming


@dataclass(frozen=True)
class Accuracy(Result):
    """What was compared, and what could not be.

    Attributes:
        against: What ours was compared with: ``onnxruntime``, ``reference`` or ``none``.
        level: Of ours.
        tolerance: Of the largest error, by the largest magnitude of the reference's output.
        seed: Of the random inputs.
        outputs: In the model's order.
        tensors: Those inside, in the model's order.
        fused: Tensors that ours has not: fusions made them values within a kernel.
        nowhere: Tensors of nodes that no kernel computes: folded, removed, or views of others.
        skipped: Tensor -> why it could not be compared.
        interrupted: Whether Ctrl-C left tensors inside that were not compared.
        conditions: On how many threads, and at which sizes.
    """

    against: str
    level: str
    tolerance: float
    seed: int
    outputs: tuple[TensorError, ...]
    tensors: tuple[TensorError, ...] = ()
    fused: tuple[str, ...] = ()
    nowhere: tuple[str, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    interrupted: bool = False
    conditions: Conditions = field(default_factory=Conditions)

    def table(self, *, everything: bool = False) -> Table:
        """Return outputs, then the tensors inside whose error grows most, at most 100 columns.

        Args:
            everything: All tensors inside, in the model's order.
        """
        drawn: Table = view("terminal").table(self, everything=everything)
        return drawn

    @property
    def agrees(self) -> bool:
        """Whether each output is within the tolerance; tensors inside do not count."""
        return all(row.distance.within(self.tolerance) for row in self.outputs)

    @property
    def alarms(self) -> tuple[TensorError, ...]:
        """The outputs and tensors inside whose error is more than rounding explains."""
        return tuple(row for row in (*self.tensors, *self.outputs) if row.alarm)

    @property
    def origins(self) -> tuple[TensorError, ...]:
        """Those alarms that are made of nothing that is one."""
        return tuple(row for row in self.alarms if row.origin)

    @property
    def sentence(self) -> str:
        """What came out, as a clause without a full stop."""
        wrong = [row for row in self.outputs if not row.distance.within(self.tolerance)]
        if not wrong:
            largest = max((row.distance.max_rel or 0.0 for row in self.outputs), default=0.0)
            error = words.largest_error(largest, self.tolerance)
            return f"level {self.level} and {self.against} agree: {error}"
        parts = [f"output {row.name!r}: {self._why(row)}" for row in wrong]
        return f"level {self.level} and {self.against} differ: {'; '.join(parts)}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not in the table, in sentences without full stops."""
        notes = []
        if self.tensors or self.fused or self.nowhere:
            notes.append(
                f"tensors inside: {len(self.tensors)} compared, {len(self.fused)} fused away, "
                f"{len(self.nowhere)} folded, removed or views, {len(self.skipped)} skipped"
            )
        notes += [
            f"skipped {name}: {why}" for name, why in list(self.skipped.items())[:SKIPPED_SHOWN]
        ]
        notes += [f"an error begins at {row.name}: {_blame(row)}" for row in self.origins]
        if self.interrupted:
            notes.append("interrupted: these are the tensors that were compared until then")
        return (*notes, *self.conditions.notes)

    def _why(self, row: TensorError) -> str:
        if row.distance.problem is not None:
            return row.distance.problem
        return words.largest_error(row.distance.max_rel or 0.0, self.tolerance)


def _blame(row: TensorError) -> str:
    by = f", written by {row.kernel}" if row.kernel else ""
    excess = row.excess or 0.0
    return f"{excess:.2g} times what rounding explains{by}"
