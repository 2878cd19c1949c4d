"""What a bisection found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from tvmfuse.measure import words
from tvmfuse.measure.results.conditions import Conditions
from tvmfuse.result import Result

Verdict = Literal["agrees", "pass", "before passes", "unexplained", "interrupted"]

NODES_SHOWN: Final = 8
ONLY: Final = "only_pass"
"""What stands where a level's name does, if passes are chosen by their names alone."""


@dataclass(frozen=True)
class LevelOutcome:
    """How far one level's outputs are from the reference's.

    Attributes:
        level: Its name, or `ONLY`.
        error: The largest error of an output, normalized by the largest magnitude of the
            reference's; None where it fails.
        problem: Why the numbers are not those expected, in words; None where they are.
    """

    level: str
    error: float | None
    problem: str | None


@dataclass(frozen=True)
class Culprit:
    """The rewrite that makes the difference.

    Attributes:
        name: The pass.
        tier: Its level.
        nodes: The ONNX nodes of the place; none where the pass failed and did not say where.
        place: Which of all rewrites it is, from 1; None where the pass failed.
        rewrites: How many there are at the level; None where the pass failed.
        problem: What is wrong with it, in words.
        error: The largest error with it, normalized likewise; None if it fails.
        error_before: The same just before it.
    """

    name: str
    tier: str
    nodes: tuple[str, ...]
    place: int | None
    rewrites: int | None
    problem: str
    error: float | None
    error_before: float | None


@dataclass(frozen=True)
class WrongTensor:
    """The first tensor, in the order in which the model computes, that is not the reference's.

    Attributes:
        name: In the ONNX model.
        nodes: The ONNX nodes that the kernel computes.
        problem: Why it is not, in words.
    """

    name: str
    nodes: tuple[str, ...]
    problem: str


@dataclass(frozen=True)
class Reproducer:
    """Files that show the difference.

    Attributes:
        folder: Where they are: `model.onnx`, `inputs.npz`, `expected.npz`, `command.txt`.
        nodes: The ONNX nodes of its model.
        whole: Whether that is the whole model, because no part of it that was tried shows it.
        tried: How many parts were compiled to see whether they show it.
        command: What shows it.
    """

    folder: str
    nodes: int
    whole: bool
    tried: int
    command: str


@dataclass(frozen=True)
class Bisection(Result):
    """Which level, which pass, which of its rewrites, which tensor: or that all agrees.

    Attributes:
        verdict: `agrees`; `pass`, with a culprit; `before passes`, where level `none` differs;
            `unexplained`, where no single rewrite makes the difference; `interrupted`.
        against: What was compared with.
        tolerance: Of the largest error, by the largest magnitude of the reference's output.
        levels: Those that were compared, in order.
        culprit: The rewrite that makes the difference.
        tensor: The first tensor that differs; None where it is not known.
        reproducer: The files; None where no folder was asked for.
        between: Where the search stood: the rewrites (from 1) among which the wrong one is.
        compiles: How often the model was compiled.
        search: How often of them after the level was known, to find the rewrite and to verify it.
        seed: Of the random inputs.
        conditions: On how many threads, and at which sizes.
    """

    verdict: Verdict
    against: str
    tolerance: float
    levels: tuple[LevelOutcome, ...]
    culprit: Culprit | None = None
    tensor: WrongTensor | None = None
    reproducer: Reproducer | None = None
    between: tuple[int, int] | None = None
    compiles: int = 0
    search: int = 0
    seed: int = 0
    conditions: Conditions = field(default_factory=Conditions)

    @property
    def interrupted(self) -> bool:
        """Whether this is what was known when it was interrupted."""
        return self.verdict == "interrupted"

    @property
    def sentence(self) -> str:
        """What was found, as a clause without a full stop."""
        last = named_level(self.levels[-1].level if self.levels else "none")
        if self.verdict == "agrees":
            largest = max((x.error or 0.0 for x in self.levels), default=0.0)
            error = words.largest_error(largest, self.tolerance)
            return f"every level agrees with {self.against}: {error}"
        if self.verdict == "before passes":
            return (
                f"level none differs from {self.against} already: no pass is to blame, but the "
                "import of a node, or a kernel"
            )
        if self.verdict == "unexplained":
            return (
                f"{last} differs, and no single rewrite makes the difference: a pass "
                "changes what it does not report"
            )
        if self.verdict == "interrupted":
            where = "; the wrong rewrite is one of {} to {}".format(*self.between or (0, 0))
            return f"interrupted at {last}{where if self.between else ''}"
        return self._of_culprit()

    @property
    def notes(self) -> tuple[str, ...]:
        """What else a reader wants to know."""
        notes = []
        if self.culprit is not None and self.culprit.place is not None:
            notes.append(
                "verified: just before this rewrite the numbers agree, and with it they differ; "
                "a wrong rewrite that a later one had undone would not be found"
            )
        if self.tensor is not None:
            notes.append(f"the first wrong tensor is {self.tensor.name!r}: {self.tensor.problem}")
        if self.reproducer is not None:
            part = "the whole model" if self.reproducer.whole else "a part of the model"
            nodes = words.counted(self.reproducer.nodes, "node")
            tried = words.counted(self.reproducer.tried, "part")
            notes.append(
                f"{self.reproducer.folder} has {part}, {nodes}, and the inputs; {tried} of the "
                "model had to be compiled to see what shows it"
            )
        return (*notes, *self.conditions.notes)

    def _of_culprit(self) -> str:
        culprit = self.culprit
        assert culprit is not None
        shown = ", ".join(culprit.nodes[:NODES_SHOWN]) or "a place that it does not name"
        more = len(culprit.nodes) - NODES_SHOWN
        nodes = f"{shown} and {more} more" if more > 0 else shown
        if culprit.place is None:
            return f"pass {culprit.name} ({culprit.tier}) fails at {nodes}: {culprit.problem}"
        return (
            f"pass {culprit.name} ({culprit.tier}) is wrong at {nodes}, rewrite {culprit.place} "
            f"of {culprit.rewrites}: {culprit.problem}"
        )


def named_level(name: str) -> str:
    """Return what is compared in words.

    >>> named_level("basic"), named_level(ONLY)
    ('level basic', 'only_pass')
    """
    return name if name == ONLY else f"level {name}"
