"""Cases in a process of their own: one that ends it or hangs has that as its outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import workers
from onnx_backend.cases import cases, operator_of
from onnx_backend.outcomes import outcome_of
from outcome import Outcome

Run: TypeAlias = Callable[[str, str], Outcome]
"""Runs the case of a name for an arm."""

#: Seconds that a case may take, on two busy cores; and one that is a whole published model.
CASE_S: Final = 60.0
MODEL_S: Final = 400.0


class Worker:
    """Runs cases in another process.

    Args:
        run: What it does with a case.
        limit_s: Seconds that each case may take; by default `CASE_S`, and `MODEL_S` where it is a
            published model.
    """

    def __init__(self, run: Run = outcome_of, limit_s: float | None = None) -> None:
        self._worker = workers.Worker(run, "onnx_backend.preloaded")
        self._limit_s = limit_s

    def outcome(self, name: str, arm: str) -> Outcome:
        """Run a case; where its process dies or takes too long, that is its outcome."""
        limit_s = self._limit_s or (MODEL_S if cases()[name].kind == "real" else CASE_S)
        try:
            found: Outcome = self._worker.result(name, arm, limit_s=limit_s)
        except workers.LostError as lost:
            return Outcome(lost.kind, operator_of(name), lost.why)
        return found

    def stop(self) -> None:
        """End the process."""
        self._worker.stop()
