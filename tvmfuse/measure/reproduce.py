"""Files that show a wrong rewrite: a reduced model, its inputs, and the command."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from tvm.target import Target

from tvmfuse.errors import ConfigurationError, PassError, TvmfuseError
from tvmfuse.format.atomic import atomic_write, write_text
from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.levels import name_of
from tvmfuse.limits import Limits
from tvmfuse.measure.inputs import write_arrays
from tvmfuse.measure.reduce import Part, grown, part_of
from tvmfuse.measure.reference import Reference
from tvmfuse.measure.results.bisection import Culprit, Reproducer
from tvmfuse.measure.trials import Trials
from tvmfuse.passes.plugged import import_path
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.source import import_model
from tvmfuse.target.resolve import VECTOR_SETS, resolve

DEFAULT_TARGET: Final = "llvm"
"""That of `bisect`."""


def reproduce(
    graph: SourceGraph,
    culprit: Culprit,
    trials: Trials,
    selection: Selection,
    reference: Reference,
    folder: str | os.PathLike[str],
    progress: Callable[[str, float], None],
) -> Reproducer:
    """Write a small part around a rewrite that shows the difference, or the whole model.

    Tried are the rewrite's nodes, then those around it: 1 edge away, 2, 4, 8, ..., until the part
    is the model. Each takes a compilation of the part to see if it shows it.

    Args:
        graph: Its nodes have the names that the culprit's nodes have.
        culprit: The rewrite.
        trials: Of the model; what is tried here is counted there.
        selection: Which passes run.
        reference: What computes the arrays that flow into the part.
        folder: Is made where it is not there.
        progress: Called with each part before it is compiled, and which share of those that there
            may be has been.

    Raises:
        ConfigurationError: The folder cannot be made.
        ArtifactError: A file cannot be written.
    """
    before = trials.compiles
    part = _reduced(graph, culprit, trials, selection, reference, progress)
    whole = Part(graph, dict(trials.feeds), dict(trials.expected))
    shown, place = part or whole, Path(folder)
    command = _command(place, trials, selection, reference)
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"cannot make the folder {str(place)!r}: {error}") from error
    with atomic_write(place / "model.onnx", durable=False) as file:
        file.write(shown.graph.serialized())
    write_arrays(place / "inputs.npz", shown.feeds)
    write_arrays(place / "expected.npz", shown.expected)
    write_text(place / "command.txt", f"{command}\n")
    tried, nodes = trials.compiles - before, len(shown.graph.nodes)
    return Reproducer(str(place), nodes, part is None, tried, command)


def _reduced(
    graph: SourceGraph,
    culprit: Culprit,
    trials: Trials,
    selection: Selection,
    reference: Reference,
    progress: Callable[[str, float], None],
) -> Part | None:
    """Return the smallest part that shows it; None where none but the whole model does."""
    most = len(graph.nodes).bit_length() + 1
    for place, nodes in enumerate(_around(graph, culprit.nodes)):
        progress(f"reduce: {len(nodes)} of {len(graph.nodes)} nodes", place / most)
        # A part may ask for what cannot be compiled alone: then a larger one is tried.
        with suppress(ValueError, TvmfuseError):
            part = part_of(graph, nodes, trials.feeds, reference)
            if _shows(part, culprit, trials, selection):
                return part
    return None


def _around(graph: SourceGraph, nodes: Collection[str]) -> Iterator[set[str]]:
    """Yield nodes with ever more of those around them, but never all, nor the same twice."""
    steps, found, last = 0, grown(graph, nodes, 0), set[str]()
    while len(last) < len(found) < len(graph.nodes):
        yield found
        steps, last = max(1, 2 * steps), found
        found = grown(graph, nodes, steps)


def _shows(part: Part, culprit: Culprit, trials: Trials, selection: Selection) -> bool:
    imported = import_model(part.graph.original, limits=trials.compiled_with.limits)
    alone = replace(trials, imported=imported, feeds=part.feeds, expected=part.expected, compiles=0)
    trials.compiles += 1
    trial = alone(selection)
    if culprit.place is None:
        return isinstance(trial.error, PassError) and trial.error.name == culprit.name
    fired = any(rewrite.name == culprit.name for rewrite in trial.rewrites)
    return fired and not trial.agrees


def _command(folder: Path, trials: Trials, selection: Selection, reference: Reference) -> str:
    words = ["tvmfuse", "bisect", str(folder / "model.onnx")]
    words += ["--inputs", str(folder / "inputs.npz"), "--level", name_of(selection.level)]
    words += ["--against", reference.name, "--tolerance", f"{trials.settings.tolerance:g}"]
    for option, names in (("--disable", selection.disabled), ("--enable", selection.enabled)):
        words += [option, ",".join(map(import_path, sorted(names)))] if names else []
    admitted = asdict(trials.compiled_with.limits)
    for name, usual in asdict(Limits()).items():
        words += [] if admitted[name] == usual else ["--limit", f"{name}={admitted[name]}"]
    target = _named(trials.compiled_with.target)
    words += ["--target", target] if target != DEFAULT_TARGET else []
    words += (
        ["--threads", str(trials.settings.threads)] if trials.settings.threads is not None else []
    )
    return shlex.join(words)


def _named(target: Target) -> str:
    """Return a target's short name, or the JSON that means it."""
    short = {str(resolve(name)): name for name in (*VECTOR_SETS, "cuda", DEFAULT_TARGET)}
    return short.get(str(target), str(target))
