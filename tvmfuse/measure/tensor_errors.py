"""The tensors inside a model, compared as its kernels write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.ends import Ends
from tvmfuse.measure.order import LIKELY, Placed, placed
from tvmfuse.measure.results.accuracy import TensorError
from tvmfuse.runtime.executable import Executable


@dataclass
class Waiting:
    """Tensors of theirs that wait for ours, in bounded memory.

    Where the next one would be too much, ours runs once and all that wait are compared and
    dropped. No tensor of ours is kept: each is compared between two kernels.

    The model's outputs are none of them: they are there without looking.

    Attributes:
        ours: The compiled model.
        feeds: Of both.
        graph: Of the ONNX model.
        ends: Of ours.
        budget: Bytes that may wait; a tensor above it waits alone.
        rows: The tensors compared so far.
        skipped: Tensor -> why it could not be compared.
        runs: How often ours ran.
    """

    ours: Executable
    feeds: Mapping[str, Array]
    graph: SourceGraph
    ends: Ends
    budget: int
    rows: dict[str, TensorError] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    runs: int = 0
    _held: dict[str, Array] = field(default_factory=dict)
    _bytes: int = 0

    def __post_init__(self) -> None:
        ends = {name for names in self.ends.of_kernel.values() for name in names}
        self._wanted = ends - {*self.graph.outputs}

    @property
    def pending(self) -> frozenset[str]:
        """The tensors that ours may have, and that were not compared yet."""
        return frozenset(self._wanted | self._held.keys())

    def take(self, name: str, array: Array) -> None:
        """Let a tensor of theirs wait, if ours may have it; it is copied."""
        if name not in self._wanted:
            return
        if self._held and self._bytes + array.nbytes > self.budget:
            self.compare()
        self._wanted.remove(name)
        self._held[name] = array.copy()
        self._bytes += array.nbytes

    def finish(self) -> None:
        """Compare the last ones, and note those that never came."""
        self.compare()
        for name in sorted(self._wanted):
            self.skipped[name] = "the other engine does not show it"
        self._wanted.clear()

    def compare(self) -> None:
        """Run ours, compare what waits, and drop it."""
        if self._held:
            self.runs += 1
            self.ours.watch(self.feeds, self._wrote)
        self._held.clear()
        self._bytes = 0

    def _wrote(self, place: int, arrays: Sequence[Array]) -> None:
        names = self.ends.of_kernel.get(place, ())
        for name in names:
            if name in self._held:
                # Each result is one of the tensors; and of one result the last is what it is.
                surely = len(names) <= len(arrays) or name == names[-1]
                self._found(name, place, arrays, surely=surely)

    def _found(self, name: str, place: int, arrays: Sequence[Array], *, surely: bool) -> None:
        expected = self._held[name]
        tried = [placed(expected, array) for array in arrays]
        fit = [found for found in tried if isinstance(found, Placed)]
        near = [found for found in fit if found.distance.within(LIKELY)]
        if not near and not surely:
            return
        if not fit:
            words = [found for found in tried if isinstance(found, str)]
            self.skipped[name] = words[0] if words else "its kernel writes no tensor"
            return
        best, node = (near or fit)[0], self.graph.producers[name]
        self.rows[name] = TensorError(
            name=name,
            node=node.name,
            op=node.op,
            dtype=str(expected.dtype),
            shape=tuple(map(int, expected.shape)),
            distance=best.distance,
            order=best.order,
            kernel=self.ours.manifest.kernels[place].symbol,
        )


def with_incoming(rows: Iterable[TensorError], graph: SourceGraph) -> tuple[TensorError, ...]:
    """Tell each tensor the error that its operands came with."""
    known = {row.name: row.distance.max_rel for row in rows}
    carried: dict[str, float] = {}
    incoming: dict[str, float] = {}
    for node in graph.nodes:
        came = max((carried.get(name, 0.0) for name in graph.reads(node.name)), default=0.0)
        for name in node.outputs:
            incoming[name] = came
            own = known.get(name)
            carried[name] = came if own is None else own
    return tuple(replace(row, incoming=incoming.get(row.name, 0.0)) for row in rows)
