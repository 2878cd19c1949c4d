"""How far a compiled model's numbers are from another engine's, and where that begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from tvmfuse.errors import ConfigurationError
from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.limits import Limits
from tvmfuse.measure.against import Other, Unoptimized, interpreter
from tvmfuse.measure.agreement import TOLERANCE, Array, tolerance_for
from tvmfuse.measure.conditions import conditions_of
from tvmfuse.measure.distance import distance
from tvmfuse.measure.ends import Ends, ends_of
from tvmfuse.measure.inputs import random_inputs
from tvmfuse.measure.origins import with_incoming
from tvmfuse.measure.results.accuracy import Accuracy, TensorError
from tvmfuse.measure.tensor_errors import Waiting
from tvmfuse.names import Names
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.compile import Model, compile_model
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.pipeline.source import source_graph
from tvmfuse.progress import Progress, Step, silent
from tvmfuse.runtime.executable import Executable
from tvmfuse.size_ranges import GivenSizes

UNPROVEN: Final = "no rewrite proves that a kernel writes it"

BUDGET: Final = 256 * 2**20
"""Bytes of tensors that wait to be compared."""


def accuracy(
    model: Model,
    *,
    against: str = "onnxruntime",
    intermediates: bool = False,
    level: str | int = "all",
    disabled_pass: Names = (),
    enabled_pass: Names = (),
    precision: str = "f32",
    target: str = "llvm",
    threads: int | None = None,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: GivenSizes | None = None,
    limits: Limits | Mapping[str, int] | None = None,
    inputs: Mapping[str, Array] | None = None,
    seed: int = 0,
    tolerance: float | None = None,
    budget: int = BUDGET,
    cache: bool = True,
    progress: Progress | None = None,
) -> Accuracy:
    """Compare a compiled model's outputs with another engine's; and the tensors inside.

    The tensors inside are compared where kernels write them: ours is compiled as ever, so that
    its fusions are those that are examined, and its kernels are watched as they run
    (`Executable.watch`). What a kernel writes is what rewrites prove that it is (`Kernel.values`);
    a tensor between the nodes of one kernel is nowhere to be seen. Theirs is computed node by node,
    and three times more to know what rounding explains (`measure.rounding`). At most `budget` bytes
    of theirs wait for ours; both run again for each such batch. Beyond that, each arm has its
    weights, what it hands on between nodes, and the tensor that is looked at.

    Args:
        model: A path, the file's bytes, or a ``ModelProto``.
        against: ``onnxruntime`` without its optimizations, ``reference`` (ONNX's evaluator), or
            ``none``: the same model compiled at that level.
        intermediates: Also compare the tensors inside.
        level: Of ours, as are `disabled_pass`, `enabled_pass` and `target`; see `compile`.
        disabled_pass: Passes that do not run.
        enabled_pass: Passes off by default that run.
        precision: Likewise of ours.
        target: What ours is compiled for.
        threads: Threads that compute one run; None: one for each core.
        shapes: A shape for an input, by its name.
        dims: A size or a range for a symbolic dimension, by its name; one that has no size has
            its usual one.
        limits: As `tvmfuse.compile` takes them.
        inputs: By name; None: random ones.
        seed: Seed for random inputs.
        tolerance: Of the largest error, by the largest magnitude of the reference's output; None:
            that of the precision.
        budget: Bytes.
        cache: Whether compiled kernels are kept.
        progress: Called with the name of each step.

    Raises:
        ConfigurationError: An engine, pass, level, ... does not exist or is not installed.
        ModelError: The model cannot be read or compiled; or `against` cannot compute it.
        InputError: The inputs do not fit the model.
    """
    settings = CompileSettings.of(
        target, level, disabled_pass=disabled_pass, enabled_pass=enabled_pass, shapes=shapes,
        dims=dims, cache=cache, limits=limits, precision=precision,
    )  # fmt: skip
    tolerance = tolerance_for(tolerance, precision)
    if not tolerance >= 0 or budget <= 0:
        raise ConfigurationError(
            f"expected tolerance >= 0 and budget > 0, found {tolerance} and {budget}"
        )
    report = progress or silent
    whole = source_graph(model, settings.limits)
    other: Other | None = None if against == "none" else interpreter(against, whole, threads)
    ours = compile_model(model, settings, report).load(num_threads=threads)
    if other is None:
        unoptimized = replace(settings, selection=Selection.of("none"))
        plain = compile_model(model, unoptimized, report)
        other = Unoptimized(plain.load(num_threads=threads))

    feeds = random_inputs(ours.inputs, seed=seed) if inputs is None else inputs
    asked = Asked(against, tolerance, seed, budget, intermediates=intermediates, progress=report)
    conditions = conditions_of([threads], settings, ours.inputs, feeds, assumed=inputs is None)
    return replace(compared(ours, other, whole.expanded(), feeds, asked), conditions=conditions)


@dataclass(frozen=True)
class Asked:
    """What is asked of a comparison; see `accuracy`."""

    against: str
    tolerance: float = TOLERANCE
    seed: int = 0
    budget: int = BUDGET
    intermediates: bool = False
    progress: Progress = silent


def compared(
    ours: Executable,
    other: Other,
    graph: SourceGraph,
    feeds: Mapping[str, Array],
    asked: Asked,
) -> Accuracy:
    """Compare a compiled model with another engine.

    Args:
        ours: The compiled model.
        other: The engine, with the model.
        graph: The model as it is imported, so that nodes have the names that kernels know.
        feeds: The inputs.
        asked: What else is asked.
    """
    found = ours(feeds)
    asked.progress(f"running {asked.against}")
    expected = other.outputs(feeds)
    waiting = Waiting(ours, other, feeds, graph, expected, asked.budget)
    complete = not asked.intermediates or _all_inside(waiting, asked.progress)
    kernels = ours.manifest.kernels
    outputs = [_output(name, expected[name], found[name], waiting) for name in found]
    inside = _in_order(waiting)
    rows = with_incoming([*inside, *outputs], graph, kernels)
    ends = ends_of(kernels, graph) if asked.intermediates else Ends({}, (), ())
    return Accuracy(
        against=asked.against,
        level=ours.manifest.level,
        tolerance=asked.tolerance,
        seed=asked.seed,
        outputs=rows[len(inside) :],
        tensors=rows[: len(inside)],
        fused=_but_compared(ends.inside, waiting),
        nowhere=_but_compared(ends.nowhere, waiting),
        skipped={**waiting.skipped, **_unproven(ends, waiting)},
        interrupted=not complete,
    )


def _in_order(waiting: Waiting) -> list[TensorError]:
    places = {name: place for place, name in enumerate(waiting.graph.producers)}
    return [waiting.rows[key] for key in sorted(waiting.rows, key=lambda k: (places[k[0]], k[1]))]


def _all_inside(waiting: Waiting, report: Progress) -> bool:
    """Compare the tensors inside; return False where Ctrl-C ended that."""
    places = {name: place for place, name in enumerate(waiting.graph.producers, 1)}

    def seen(name: str, array: Array) -> None:
        waiting.take(name, array)
        report(Step("comparing tensors inside", places.get(name, 0) / len(places)))

    report(Step("comparing tensors inside", 0.0))
    with suppress(KeyboardInterrupt):
        waiting.other.tensors(waiting.graph, waiting.feeds, seen)
        waiting.finish()
        return True
    return False


def _but_compared(names: Iterable[str], waiting: Waiting) -> tuple[str, ...]:
    known = {name for name, _ in waiting.rows} | {*waiting.pending, *waiting.graph.outputs}
    return tuple(name for name in names if name not in known)


def _unproven(ends: Ends, waiting: Waiting) -> dict[str, str]:
    """Return what kernels may write by their nodes, and no rewrite says that they do."""
    names = (name for found in ends.of_kernel.values() for name in found)
    left = _but_compared(names, waiting)
    return {name: UNPROVEN for name in left if name not in waiting.skipped}


def _output(name: str, expected: Array, found: Array, waiting: Waiting) -> TensorError:
    node = waiting.graph.producers.get(name)
    row = TensorError(
        name=name,
        node=node.name if node else "",
        op=node.op if node else "",
        dtype=str(expected.dtype),
        shape=tuple(map(int, expected.shape)),
        distance=distance(expected, found),
        noise=waiting.noise.get(name),
    )
    kernels = waiting.ours.manifest.kernels
    for place, kernel in enumerate(kernels):
        if any(stored.name == name for stored in kernel.values):
            row = replace(row, kernel=kernel.symbol, place=place)
    return row
