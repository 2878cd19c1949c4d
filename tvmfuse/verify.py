"""Compiling with a check: passes that change a model's numbers are found and left out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from tvmfuse.errors import CompilationError, ConfigurationError, WrongPassWarning
from tvmfuse.format.graph_file import is_graph_file
from tvmfuse.measure.bisect import bisect_model
from tvmfuse.measure.settings import MeasureSettings
from tvmfuse.pipeline.compile import Model
from tvmfuse.pipeline.settings import CompileSettings
from tvmfuse.progress import Progress
from tvmfuse.report import OptimizationReport

Noted = Callable[[OptimizationReport], OptimizationReport]


def verified(
    model: Model, settings: CompileSettings, progress: Progress
) -> tuple[CompileSettings, Noted]:
    """Compare every level with `none` on seeded random inputs, until no pass is wrong.

    A PyTorch module is compared on its example inputs. Passes that are off by default are not
    compared: some change the numbers, and say so. A symbolic dimension is 1. For each pass that is
    wrong there is a `WrongPassWarning`.

    Returns:
        The settings without the passes that are wrong, and what notes them in a report.

    Raises:
        ConfigurationError: The model is optimized already.
        CompilationError: The numbers differ, and no pass is found that is to blame.
        InputError: The random inputs do not fit the model: its dimensions have to be fixed.
    """
    if is_graph_file(model):
        raise ConfigurationError("verify: this graph was optimized already; compile the ONNX model")
    wrong, selection = dict[str, str](), settings.selection
    exact = {entry.name for _, entry in selection.entries() if entry.default}
    while True:
        off, only = selection.disabled | wrong.keys(), selection.only - wrong.keys()
        on = selection.enabled & exact - off
        compared = replace(selection, enabled=on, disabled=off, only=only & exact)
        found = bisect_model(
            model,
            replace(settings, selection=compared, strict=True),
            MeasureSettings(progress=progress),
            against="none",
        )
        if found.interrupted:
            raise KeyboardInterrupt
        if found.culprit is None:
            break
        wrong[found.culprit.name] = found.sentence
        warnings.warn(f"{found.sentence}; it is left out", WrongPassWarning, stacklevel=3)
    if found.verdict != "agrees":
        raise CompilationError(f"verify: {found.sentence}")
    right = replace(selection, disabled=off, only=only)
    return replace(settings, selection=right), partial(_noted, wrong)


def _noted(wrong: Mapping[str, str], report: OptimizationReport) -> OptimizationReport:
    return report.noting({name: f"left out: {why}" for name, why in wrong.items()})
