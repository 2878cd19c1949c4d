"""How far a compiled model's numbers are from another engine's, and where that begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table
from rich.text import Text

from tvmfuse.errors import ConfigurationError
from tvmfuse.frontend.onnx.graph import Graph, canonical, read_graph
from tvmfuse.frontend.onnx.importer import prepared
from tvmfuse.frontend.onnx.read import read_model
from tvmfuse.json_safe import finite
from tvmfuse.measure.against import Other, Unoptimized, interpreter
from tvmfuse.measure.agreement import TOLERANCE, Array
from tvmfuse.measure.distance import distance
from tvmfuse.measure.ends import ends_of
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.measure.tensor_errors import TensorError, Waiting, with_incoming
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.compile import Model, compile_model
from tvmfuse.pipeline.settings import CompileSettings, Names
from tvmfuse.progress import Progress, Step, silent

if TYPE_CHECKING:
    from markupsafe import Markup

BUDGET: Final = 256 * 2**20
"""Bytes of tensors that wait to be compared."""

SHOWN: Final = 12
"""Tensors inside, in a table that does not have all."""


@dataclass(frozen=True)
class Accuracy:
    """What was compared, and what could not be.

    Attributes:
        against: What ours was compared with: ``onnxruntime``, ``reference`` or ``none``.
        level: Of ours.
        tolerance: Of an output's largest magnitude.
        seed: Of the random inputs.
        outputs: In the model's order.
        tensors: Those inside, in the model's order.
        fused: Tensors that ours has not: fusions made them values within a kernel.
        nowhere: Tensors of nodes that no kernel computes: folded, removed, or views of others.
        skipped: Tensor -> why it could not be compared.
        interrupted: Whether Ctrl-C left tensors inside that were not compared.
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

    @property
    def agrees(self) -> bool:
        """Whether each output is within the tolerance; tensors inside do not count."""
        return all(row.distance.within(self.tolerance) for row in self.outputs)

    @property
    def sentence(self) -> str:
        """What came out, as a clause without a full stop."""
        wrong = [row for row in self.outputs if not row.distance.within(self.tolerance)]
        if not wrong:
            largest = max((row.distance.max_rel or 0.0 for row in self.outputs), default=0.0)
            return (
                f"level {self.level} and {self.against} agree: the largest error is {largest:.1e} "
                f"of the largest magnitude, and {self.tolerance:.0e} is tolerated"
            )
        parts = [f"output {row.name!r}: {_why(row, self.tolerance)}" for row in wrong]
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
        notes += [f"skipped {name}: {why}" for name, why in list(self.skipped.items())[:SHOWN]]
        if self.interrupted:
            notes.append("interrupted: these are the tensors that were compared until then")
        return tuple(notes)

    def table(self, *, everything: bool = False) -> Table:
        """Return outputs, then the tensors inside whose error grows most, at most 100 columns.

        Args:
            everything: All tensors inside, in the model's order.
        """
        table = Table(title=Text(f"level {self.level} and {self.against}"), title_justify="left")
        table.add_column("tensor", overflow="fold")
        for column in ("max abs", "mean abs", "max rel", "mean rel", "max ulp", "growth"):
            table.add_column(column, justify="right", no_wrap=True)
        for row in self.outputs:
            _add(table, row)
        table.add_section()
        inside = self.tensors if everything else sorted(self.tensors, key=_growth)[:SHOWN]
        for row in inside:
            _add(table, row)
        return table

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON's types; an error that means nothing is None."""
        rows = {
            kind: [{**asdict(row), "growth": row.growth} for row in getattr(self, kind)]
            for kind in ("outputs", "tensors")
        }
        record = {**asdict(self), **rows, "agrees": self.agrees, "sentence": self.sentence}
        return finite(record)

    def to_html(self) -> Markup:
        """Return a fragment for `tvmfuse.views.html.document`, with all tensors."""
        from tvmfuse.views.html import fragment, from_table, paragraph

        words = [paragraph(f"{line}.") for line in (self.sentence, *self.notes)]
        return fragment("Accuracy", *words, from_table(self.table(everything=True)))


def accuracy(
    model: Model,
    *,
    against: str = "onnxruntime",
    intermediates: bool = False,
    level: str | int = "all",
    disabled_pass: Names = (),
    enabled_pass: Names = (),
    target: str = "llvm",
    threads: int | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    tolerance: float = TOLERANCE,
    budget: int = BUDGET,
    cache: bool = True,
    progress: Progress | None = None,
) -> Accuracy:
    """Compare a compiled model's outputs with another engine's; and the tensors inside.

    The tensors inside are compared where kernels write them: ours is compiled as ever, so that
    its fusions are those that are examined, and its kernels are watched as they run
    (`Executable.watch`). What a kernel writes is what its last ONNX node makes; a tensor between
    the nodes of one kernel is nowhere to be seen. Theirs is computed node by node. At most `budget`
    bytes of theirs wait for ours, whose kernels run again for each such batch; beyond that, each
    arm has its weights, what it hands on between nodes, and the tensor that is looked at.

    Args:
        model: A path, the file's bytes, or a ``ModelProto``.
        against: ``onnxruntime`` without its optimizations, ``reference`` (ONNX's evaluator), or
            ``none``: the same model compiled at that level.
        intermediates: Also compare the tensors inside.
        level: Of ours, as are `disabled_pass`, `enabled_pass` and `target`; see `compile`.
        disabled_pass: Passes that do not run.
        enabled_pass: Passes off by default that run.
        target: What ours is compiled for.
        threads: That compute one run; None: one for each core.
        shapes: A shape for an input, by its name.
        dims: A size for a symbolic dimension, by its name; one that is not named is 1.
        inputs: By name; None: random ones.
        seed: Of the random inputs.
        tolerance: Of an output's largest magnitude.
        budget: Bytes.
        cache: Whether compiled kernels are kept.
        progress: Called with the name of each step.

    Raises:
        ConfigurationError: An engine, pass, level, ... does not exist or is not installed.
        ModelError: The model cannot be read or compiled; or `against` cannot compute it.
        InputError: The inputs do not fit the model.
    """
    if not tolerance >= 0 or budget <= 0:
        raise ConfigurationError(
            f"expected tolerance >= 0 and budget > 0, found {tolerance} and {budget}"
        )
    report = progress or silent
    settings = CompileSettings.of(
        target, level, disabled_pass=disabled_pass, enabled_pass=enabled_pass, shapes=shapes,
        dims=dims, cache=cache,
    )  # fmt: skip
    proto = read_model(model)
    other: Other | None = None if against == "none" else interpreter(against, proto, threads)
    ours = compile_model(model, settings, report).load(num_threads=threads)
    if other is None:
        unoptimized = replace(settings, selection=Selection.of("none"))
        plain = compile_model(model, unoptimized, report)
        other = Unoptimized(plain.load(num_threads=threads))

    feeds = random_inputs(ours.inputs, seed=seed) if inputs is None else inputs
    graph, opsets = _graph_of(proto)
    found = ours(feeds)
    report(f"running {against}")
    expected = other.outputs(feeds)
    rows = [_output(name, expected[name], found[name], graph) for name in found]
    ends = ends_of(ours.manifest.kernels, graph)
    waiting = Waiting(ours, feeds, graph, ends, budget)
    whole = not intermediates or _all_inside(waiting, other, opsets, report)
    places = {name: place for place, name in enumerate(graph.producers)}
    inside = sorted(waiting.rows.values(), key=lambda row: places[row.name])
    with_errors = with_incoming([*inside, *rows], graph)
    return Accuracy(
        against=against,
        level=ours.manifest.level,
        tolerance=tolerance,
        seed=seed,
        outputs=with_errors[len(inside) :],
        tensors=with_errors[: len(inside)],
        fused=_fused(waiting) if intermediates else (),
        nowhere=tuple(n for n in ends.nowhere if n not in found) if intermediates else (),
        skipped=waiting.skipped,
        interrupted=not whole,
    )


def _all_inside(
    waiting: Waiting, other: Other, opsets: Mapping[str, int], report: Progress
) -> bool:
    """Compare the tensors inside; return False where Ctrl-C ended that."""
    places = {name: place for place, name in enumerate(waiting.graph.producers, 1)}

    def seen(name: str, array: Array) -> None:
        waiting.take(name, array)
        report(Step("comparing tensors inside", places.get(name, 0) / len(places)))

    report(Step("comparing tensors inside", 0.0))
    with suppress(KeyboardInterrupt):
        other.tensors(waiting.graph, opsets, waiting.feeds, seen)
        waiting.finish()
        return True
    return False


def _graph_of(proto: Any) -> tuple[Graph, Mapping[str, int]]:
    """Read the graph as the importer does, so that nodes have the names that kernels know."""
    checked = prepared(proto)
    opsets = {canonical(o.domain): int(o.version) for o in checked.opset_import}
    return read_graph(checked.graph, proto.graph.initializer, opsets), opsets


def _fused(waiting: Waiting) -> tuple[str, ...]:
    """Name the tensors within kernels, and those that a kernel ends in only by its nodes."""
    known = {*waiting.rows, *waiting.skipped, *waiting.pending, *waiting.graph.outputs}
    ends = waiting.ends.of_kernel.values()
    return (*waiting.ends.inside, *(n for names in ends for n in names if n not in known))


def _output(name: str, expected: Array, found: Array, graph: Graph) -> TensorError:
    node = graph.producers.get(name)
    return TensorError(
        name=name,
        node=node.name if node else "",
        op=node.op if node else "",
        dtype=str(expected.dtype),
        shape=tuple(map(int, expected.shape)),
        distance=distance(expected, found),
    )


def _why(row: TensorError, tolerance: float) -> str:
    if row.distance.problem is not None:
        return row.distance.problem
    return (
        f"the largest error is {row.distance.max_rel:.2g} of the largest magnitude, "
        f"and {tolerance:.2g} is tolerated"
    )


def _growth(row: TensorError) -> float:
    """Order by growth, the largest first; what is wrong in kind comes before all."""
    if row.distance.problem is not None or row.growth is None:
        return float("-inf")
    return -row.growth


def _add(table: Table, row: TensorError) -> None:
    far = row.distance
    words = Text(row.name)
    about = [f"{row.op} {row.node}".strip(), f"{row.dtype}[{', '.join(map(str, row.shape))}]"]
    about += [row.order] if row.order != TensorError.order else []
    words.append(f"\n{', '.join(filter(None, about))}", style="dim")
    if far.problem:
        words.append(f"\n{far.problem}", style="red")
    numbers: Iterable[float | None] = (
        far.max_abs, far.mean_abs, far.max_rel, far.mean_rel, far.max_ulp, row.growth,
    )  # fmt: skip
    table.add_row(words, *("-" if number is None else f"{number:.1e}" for number in numbers))
