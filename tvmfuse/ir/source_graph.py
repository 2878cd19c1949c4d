"""A model as its front end read it: what measuring needs of it, whatever the file format.

Names of nodes are those that reports, kernels and profiles have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.generic]


class SourceNode(Protocol):
    """One node."""

    @property
    def name(self) -> str:
        """Unique in the model."""

    @property
    def op(self) -> str:
        """The operator."""

    @property
    def outputs(self) -> tuple[str, ...]:
        """The results' names; "" where nobody wants one."""


class SourceGraph(Protocol):
    """A whole model, whose parts are models of their own."""

    @property
    def original(self) -> Any:
        """The model as it was given: what is imported."""

    @property
    def source(self) -> Any:
        """The model with this graph's names, as engines that read its format take it."""

    def serialized(self) -> bytes:
        """Return `source` as a file holds it."""

    @property
    def nodes(self) -> Sequence[SourceNode]:
        """The nodes, each after what it reads; constants are none."""

    @property
    def inputs(self) -> Sequence[str]:
        """The names of what a caller feeds."""

    @property
    def outputs(self) -> Sequence[str]:
        """The names of what the model returns."""

    @property
    def weights(self) -> Collection[str]:
        """The names of the constants."""

    @property
    def constants(self) -> Mapping[str, Array]:
        """The constants' values, by name."""

    @property
    def producers(self) -> Mapping[str, SourceNode]:
        """Which node makes a value."""

    def reads(self, name: str) -> tuple[str, ...]:
        """Name what a node reads, each value once, with what its branches capture."""

    def expanded(self) -> SourceGraph:
        """Return the graph as it is imported: functions are inlined, operators expanded."""

    def alone(self, name: str, arrays: Mapping[str, Array]) -> Any:
        """Return a model of the node of this name, whose inputs are all that it reads."""

    def with_outputs(self, names: Iterable[str]) -> Self:
        """Return the model with further outputs; those that are no tensors are left out."""

    def part(
        self,
        inputs: Mapping[str, Array],
        outputs: Mapping[str, Array],
        constants: Mapping[str, Array],
    ) -> Self:
        """Cut out what computes some values from others.

        Args:
            inputs: What is fed to the part, which has these dtypes and shapes.
            outputs: What it computes, likewise.
            constants: What flows in, too, and becomes a constant of the part.

        Raises:
            ValueError: It cannot be cut out.
        """
