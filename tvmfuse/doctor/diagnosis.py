"""What was looked at, what was found, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tvmfuse.result import Result


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes:
        section: What it belongs to: versions, hardware, tools or canaries.
        name: Of the thing.
        found: What it is; empty where nothing was found.
        problem: What is wrong with it, and what to do; empty where all is well.
    """

    section: str
    name: str
    found: str
    problem: str = ""


@dataclass(frozen=True)
class Diagnosis(Result):
    """Everything that was looked at, in order."""

    checks: Sequence[Check]

    @property
    def findings(self) -> Sequence[Check]:
        """The checks that have a problem."""
        return tuple(check for check in self.checks if check.problem)

    @property
    def sentence(self) -> str:
        """The verdict.

        >>> Diagnosis([Check("tools", "linker", "", "none is in the PATH")]).sentence
        '1 of 1 checks found a problem: linker'
        """
        looked = len(self.checks)
        if not self.findings:
            return f"{looked} checks, and no problem was found"
        names = ", ".join(check.name for check in self.findings)
        return f"{len(self.findings)} of {looked} checks found a problem: {names}"
