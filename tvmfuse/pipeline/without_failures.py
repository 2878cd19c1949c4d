"""Optimizing without the passes that fail on a model.

A pass fails that raises an error, does not come to an end, or leaves a module that is not
well-formed. The last takes a fifth of the passes' time to see after each of them, so it is looked
for at their end; where anything fails there, they run again, and each is looked after, so that the
one to blame is named. Without it they run once more.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tvm import IRModule
from tvm.target import Target

from tvmfuse.errors import CompilationError, LeftOutWarning, PassError
from tvmfuse.ir.well_formed import why_ill_formed
from tvmfuse.out_of_memory import is_out_of_memory
from tvmfuse.passes.selection import Selection
from tvmfuse.pipeline.instruments import Instrument, WellFormed
from tvmfuse.pipeline.optimize import Optimized, optimize
from tvmfuse.progress import Progress, silent


def optimize_without_failures(
    module: IRModule,
    selection: Selection,
    progress: Progress = silent,
    *,
    target: Target | None = None,
    instruments: Sequence[Instrument] = (),
    strict: bool,
) -> tuple[Optimized, Selection]:
    """Optimize as `optimize` does; return the passes, too, that were chosen in the end.

    Args:
        module: The imported operators.
        selection: Which passes run.
        progress: As `optimize` takes it.
        target: As `optimize` takes it.
        instruments: As `optimize` takes them, where nothing fails.
        strict: Whether a pass that fails is an error. Else it is left out; the report's note and a
            `LeftOutWarning` name it.

    Raises:
        PassError: A pass failed, and `strict` is set.
        CompilationError: A pass failed that cannot be left out, or memory ran out.
    """
    failed: dict[str, str] = {}
    while True:
        chosen = without(selection, failed)
        try:
            optimized = optimize(module, chosen, progress, target=target, instruments=instruments)
            _check(optimized, module)
        except CompilationError as error:
            culprit = _to_blame(error, module, chosen, target)
            if strict or not isinstance(culprit, PassError) or is_out_of_memory(culprit):
                raise culprit from error
            failed[culprit.name] = culprit.why
            said = f"pass {culprit.name} failed, and is left out: {culprit.why}; please report it"
            warnings.warn(said, LeftOutWarning, stacklevel=2)
            instruments = ()
        else:
            report = optimized.report.noting({n: f"left out: {why}" for n, why in failed.items()})
            return replace(optimized, report=report), chosen


def without(selection: Selection, names: Mapping[str, str]) -> Selection:
    """Return a selection with some passes disabled."""
    return replace(
        selection,
        disabled=selection.disabled | names.keys(),
        enabled=selection.enabled - names.keys(),
        only=selection.only - names.keys(),
    )


def _check(optimized: Optimized, imported: IRModule) -> None:
    for found in (optimized.operators, optimized.kernels):
        why = why_ill_formed(found, imported)
        if why and not why_ill_formed(imported, imported):
            raise CompilationError(f"the optimized module is not well-formed: {why}")


def _to_blame(
    error: CompilationError, module: IRModule, selection: Selection, target: Target | None
) -> CompilationError:
    """Return the failure of the pass that is to blame: one may fail on what another left."""
    if why_ill_formed(module, module):
        return error
    try:
        optimize(module, selection, target=target, instruments=[WellFormed()])
    except CompilationError as first:
        return first
    return error
