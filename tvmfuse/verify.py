"""Compiling with a check: passes that change a model's numbers are found and left out."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from tvm.target import Target

from tvmfuse.errors import CompilationError, ConfigurationError, WrongPassWarning
from tvmfuse.frontend.onnx.read import Source, read_model
from tvmfuse.measure.bisect import bisect_selection
from tvmfuse.passes.selection import Selection, entries
from tvmfuse.pipeline import container
from tvmfuse.progress import Progress
from tvmfuse.report import OptimizationReport

Noted = Callable[[OptimizationReport], OptimizationReport]


def verified(
    model: Source,
    selection: Selection,
    target: Target,
    shapes: Mapping[str, Sequence[int]] | None,
    dims: Mapping[str, int] | None,
    *,
    cache: bool | str | os.PathLike[str],
    progress: Progress,
) -> tuple[Selection, Noted]:
    """Compare every level with `none` on seeded random inputs, until no pass is wrong.

    Passes that are off by default are not compared: some change the numbers, and say so. A
    symbolic dimension is 1. For each pass that is wrong there is a `WrongPassWarning`.

    Returns:
        The selection without the passes that are wrong, and what notes them in a report.

    Raises:
        ConfigurationError: The model is optimized already.
        CompilationError: The numbers differ, and no pass is found that is to blame.
        InputError: The random inputs do not fit the model: its dimensions have to be fixed.
    """
    if container.is_container(model):
        raise ConfigurationError("verify: this graph was optimized already; compile the ONNX model")
    proto, wrong = read_model(model), dict[str, str]()
    exact = {entry.name for _, entry in entries() if entry.default}
    while True:
        off, only = selection.disabled | wrong.keys(), selection.only - wrong.keys()
        found = bisect_selection(
            proto,
            replace(selection, enabled=frozenset(), disabled=off, only=only & exact),
            target,
            against="none",
            shapes=shapes,
            dims=dims,
            cache=cache,
            progress=progress,
        )
        if found.interrupted:
            raise KeyboardInterrupt
        if found.culprit is None:
            break
        wrong[found.culprit.name] = found.sentence
        warnings.warn(f"{found.sentence}; it is left out", WrongPassWarning, stacklevel=3)
    if found.verdict != "agrees":
        raise CompilationError(f"verify: {found.sentence}")
    return replace(selection, disabled=off, only=only), partial(_noted, wrong)


def _noted(wrong: Mapping[str, str], report: OptimizationReport) -> OptimizationReport:
    passes = (
        replace(p, note=f"left out: {wrong[p.name]}") if p.name in wrong else p
        for p in report.passes
    )
    return replace(report, passes=tuple(passes))
