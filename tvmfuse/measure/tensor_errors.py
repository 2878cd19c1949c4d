"""The tensors inside a model, compared as its kernels write them.

What a kernel writes is known by proof: each rewrite says which ONNX values its results are
(`Kernel.values`). What nobody says is not compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.manifest import StoredValue
from tvmfuse.measure.against import Other
from tvmfuse.measure.agreement import Array
from tvmfuse.measure.distance import distance
from tvmfuse.measure.order import order_in_words, restored
from tvmfuse.measure.results.accuracy import TensorError
from tvmfuse.measure.rounding import RUNS, OneRounding, one_rounding
from tvmfuse.runtime.executable import Executable


@dataclass
class Waiting:
    """Tensors of theirs that wait for ours, in bounded memory.

    Where the next one would be too much, theirs runs again to find what rounding explains, ours
    runs once, and all that wait are compared and dropped. No tensor of ours is kept: each is
    compared between two kernels.

    Attributes:
        ours: The compiled model.
        other: What it is compared with.
        feeds: Of both.
        graph: Of the ONNX model.
        outputs: Theirs. They wait without being asked for, and are not compared here.
        budget: Bytes that may wait; a tensor above it waits alone.
        rows: The tensors compared so far, by name and kernel.
        noise: Tensor -> how far rounding moves it.
        skipped: Tensor -> why it could not be compared.
        runs: How often ours ran.
    """

    ours: Executable
    other: Other
    feeds: Mapping[str, Array]
    graph: SourceGraph
    outputs: Mapping[str, Array]
    budget: int
    rows: dict[tuple[str, int], TensorError] = field(default_factory=dict)
    noise: dict[str, float] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    runs: int = 0
    _held: dict[str, Array] = field(default_factory=dict)
    _bytes: int = 0

    def __post_init__(self) -> None:
        self._wanted = {
            stored.name for kernel in self.ours.manifest.kernels for stored in kernel.values
        } & (self.graph.producers.keys() - {*self.graph.outputs})

    @property
    def pending(self) -> frozenset[str]:
        """The tensors that ours has, and that were not compared yet."""
        return frozenset(self._wanted | self._held.keys())

    def take(self, name: str, array: Array) -> None:
        """Let a tensor of theirs wait, if ours has it; it is copied."""
        if name not in self._wanted:
            return
        if self._held and self._bytes + array.nbytes > self.budget:
            self.compare()
        self._wanted.remove(name)
        self._held[name] = array.copy()
        self._bytes += array.nbytes

    def finish(self) -> None:
        """Compare the last ones and the outputs' rounding, and note those that never came."""
        self._explain({**self._held, **self.outputs})
        self.compare(explained=True)
        for name in sorted(self._wanted):
            self.skipped[name] = "the other engine does not show it"
        self._wanted.clear()

    def compare(self, *, explained: bool = False) -> None:
        """Run ours, compare what waits, and drop it."""
        if self._held:
            if not explained:
                self._explain(self._held)
            self.runs += 1
            self.ours.watch(self.feeds, self._wrote)
        self._held.clear()
        self._bytes = 0

    def _explain(self, tensors: Mapping[str, Array]) -> None:
        def seen(name: str, array: Array) -> None:
            if name in tensors:
                far = distance(tensors[name], array)
                moved = float("inf") if far.in_kind else far.max_abs or 0.0
                least = one_rounding(str(array.dtype), far.magnitude)
                self.noise[name] = max(self.noise.get(name, least), moved)

        for seed in range(RUNS if tensors else 0):
            self.other.tensors(self.graph, self.feeds, seen, OneRounding(self.graph, seed))

    def _wrote(self, place: int, arrays: Sequence[Array]) -> None:
        for stored in self.ours.manifest.kernels[place].values:
            if stored.name in self._held:
                self._found(stored, place, arrays[stored.result])

    def _found(self, stored: StoredValue, place: int, array: Array) -> None:
        name, expected = stored.name, self._held[stored.name]
        found = restored(stored, array, expected.shape)
        if (found.dtype, found.shape) != (expected.dtype, expected.shape):
            here, there = (f"{a.dtype}{[*map(int, a.shape)]}" for a in (found, expected))
            self.skipped[name] = f"it is {here} here and {there} there"
            return
        node = self.graph.producers[name]
        self.rows[name, place] = TensorError(
            name=name,
            node=node.name,
            op=node.op,
            dtype=str(expected.dtype),
            shape=tuple(map(int, expected.shape)),
            distance=distance(expected, found),
            noise=self.noise.get(name),
            order=order_in_words(stored, array),
            kernel=self.ours.manifest.kernels[place].symbol,
            place=place,
        )
