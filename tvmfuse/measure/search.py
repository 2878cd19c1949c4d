"""The search of `measure.bisect`: first the level, then the rewrite, then the tensor."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tvmfuse.errors import PassError
from tvmfuse.ir.source_graph import SourceGraph
from tvmfuse.levels import LEVELS, Level, name_of
from tvmfuse.measure.reference import Reference
from tvmfuse.measure.reproduce import reproduce
from tvmfuse.measure.results.bisection import (
    ONLY,
    Bisection,
    Culprit,
    LevelOutcome,
    Reproducer,
    Verdict,
    WrongTensor,
    named_level,
)
from tvmfuse.measure.trials import Rewrite, Trial, Trials
from tvmfuse.measure.wrong_tensor import first_wrong_tensor
from tvmfuse.passes.selection import Selection
from tvmfuse.progress import Step

TRIED: Final = ("none", "basic", "extended", "layout")
AFTER: Final = 4
"""Steps after the search: two to verify what it found, the tensors, the reduced model."""


@dataclass(frozen=True)
class Source:
    """What a wrong rewrite is narrowed down in, once it is known.

    Attributes:
        graph: Of the model; its nodes have the names of the reports.
        reference: What is expected of its tensors.
        folder: Where to write what shows the difference; None for nowhere.
    """

    graph: SourceGraph
    reference: Reference
    folder: str | os.PathLike[str] | None


class Search:
    """One search; what it knows is kept where it is interrupted.

    The steps that it reports say the share of the levels; then that of the search itself, which has
    `_budget` steps at most.

    Args:
        trials: Of the model.
        against: What they are compared with, in a word.
        source: Where to look for the tensor and a reduced model; None for neither.
    """

    def __init__(self, trials: Trials, against: str, source: Source | None = None) -> None:
        self._trials = trials
        self._selection = trials.compiled_with.selection
        self._against = against
        self._source = source
        self._progress = trials.settings.progress
        self._levels: list[LevelOutcome] = []
        self._culprit: Culprit | None = None
        self._tensor: WrongTensor | None = None
        self._reproducer: Reproducer | None = None
        self._between: tuple[int, int] | None = None
        self._known_after: int | None = None
        self._found_after: int | None = None
        self._budget = 1

    def run(self) -> Bisection:
        """Search; Ctrl-C ends it early."""
        try:
            verdict = self._search()
        except KeyboardInterrupt:
            verdict = "interrupted"
        known, compiles = self._known_after, self._trials.compiles
        return Bisection(
            verdict=verdict,
            against=self._against,
            tolerance=self._trials.settings.tolerance,
            levels=tuple(self._levels),
            culprit=self._culprit,
            tensor=self._tensor,
            reproducer=self._reproducer,
            between=self._between if self._culprit is None else None,
            compiles=compiles,
            search=0 if known is None else (self._found_after or compiles) - known,
            seed=self._trials.settings.seed,
        )

    def _search(self) -> Verdict:
        tried = self._tried()
        for place, (name, selection) in enumerate(tried):
            self._progress(Step(named_level(name), place / len(tried)))
            trial = self._trials(selection)
            error = None if trial.error is not None else trial.largest
            self._levels.append(LevelOutcome(name, error, trial.problem))
            if not trial.agrees:
                self._known_after = self._trials.compiles
                return "before passes" if name == "none" else self._of_level(selection, trial)
        return "agrees"

    def _tried(self) -> list[tuple[str, Selection]]:
        """Name what is compared, in order; passes that run alone have one place above none."""
        if self._selection.only:
            return [("none", self._at(LEVELS["none"])), (ONLY, self._selection)]
        highest = self._selection.level
        return [(name, self._at(LEVELS[name])) for name in TRIED if LEVELS[name] <= highest]

    def _at(self, level: Level) -> Selection:
        """Return the selection up to a level, which leaves out what is enabled above it."""
        enabled = self._selection.enabled - self._selection.above(level)
        return replace(self._selection, level=level, enabled=enabled, only=frozenset())

    def _of_level(self, selection: Selection, trial: Trial) -> Verdict:
        if isinstance(trial.error, PassError):
            self._culprit = _failed(trial.error, self._selection)
        else:
            self._find(trial, selection)
        self._found_after = self._trials.compiles
        if self._culprit is None:
            return "unexplained"
        source = self._source
        if source is not None and source.folder is not None:
            last = self._budget - 1
            self._reproducer = reproduce(
                source.graph, self._culprit, self._trials, selection, source.reference,
                source.folder, progress=lambda step, share: self._tell(step, last + share),
            )  # fmt: skip
        return "pass"

    def _tell(self, step: str, done: float) -> None:
        self._progress(Step(step, done / self._budget))

    def _find(self, trial: Trial, selection: Selection) -> None:
        """Find the rewrite without which the numbers agree, and with which they do not."""
        rewrites = trial.rewrites
        basic = Level.ORT_ENABLE_BASIC
        low = sum(r.tier == basic for r in rewrites) if selection.level > basic else 0
        if low == len(rewrites):
            return
        self._budget = (len(rewrites) - low - 1).bit_length() + AFTER
        place = self._first_wrong(rewrites, low, selection)
        rewrite = rewrites[place - 1]
        self._tell(f"verify: without {rewrite.name}", self._budget - AFTER)
        before = self._trials(selection, rewrite.before, keep=True)
        self._tell(f"verify: with {rewrite.name}", self._budget - AFTER + 1)
        after = self._trials(selection, rewrite.stop, keep=True)
        if not before.agrees or after.problem is None:
            return
        self._culprit = Culprit(
            name=rewrite.name,
            tier=name_of(rewrite.tier),
            nodes=rewrite.nodes,
            place=place,
            rewrites=len(rewrites),
            problem=after.problem,
            error=None if after.error is not None else after.largest,
            error_before=before.largest,
        )
        source, found = self._source, (before.executable, after.executable)
        if source is not None and found[0] is not None and found[1] is not None:
            self._tell("compare tensors", self._budget - 2)
            self._tensor = first_wrong_tensor(
                source.graph, source.reference, self._trials, found[0], found[1]
            )

    def _first_wrong(self, rewrites: Sequence[Rewrite], low: int, selection: Selection) -> int:
        """Return a place, from 1 and above `low`, where agreeing numbers become differing ones."""
        first, last, done = low + 1, len(rewrites), 0

        def differs(place: int) -> bool:
            nonlocal first, last, done
            self._between = first, last
            self._tell(f"rewrites {first} to {last} of {len(rewrites)}", done)
            wrong = not self._trials(selection, rewrites[place - 1].stop).agrees
            first, last = (first, place) if wrong else (place + 1, last)
            done += 1
            self._between = first, last
            return wrong

        start, places = first, range(first, last)
        return start + bisect_left(places, 1, key=differs)


def _failed(error: PassError, selection: Selection) -> Culprit:
    tier = next(name_of(tier) for tier, entry in selection.entries() if entry.name == error.name)
    return Culprit(error.name, tier, error.nodes, None, None, error.why, None, None)
