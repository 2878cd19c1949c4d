"""Everything that was found out about a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tvmfuse.measure.results.environment import Environment
from tvmfuse.measure.results.verdicts import banner, cautions, verdicts
from tvmfuse.result import Result, view

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True)
class Section:
    """One part of a report.

    Attributes:
        name: As the verb that prints it alone, but for ``accuracy``, which is `compare`'s.
        part: What was found; None where nothing was.
        problem: Then, why.
    """

    name: str
    part: Result | None
    problem: str = ""


@dataclass(frozen=True)
class Report(Result):
    """What was found out about a model.

    Attributes:
        model: Its file's name, or ``the model``.
        environment: Where, when and with what.
        sections: In the order in which they are read.
        interrupted: Whether Ctrl-C cut it short.
    """

    model: str
    environment: Environment
    sections: tuple[Section, ...]
    interrupted: bool

    def __getitem__(self, name: str) -> Section:
        return next(section for section in self.sections if section.name == name)

    @property
    def summary(self) -> tuple[str, ...]:
        """At most three sentences, without full stops, each of which begins with a number."""
        return verdicts(self._parts)

    @property
    def banner(self) -> str:
        """Why parts of it give no verdict, in sentences; nothing where the machine was quiet."""
        return banner(self._parts)

    @property
    def cautions(self) -> tuple[str, ...]:
        """What else to know of the times, in sentences without full stops."""
        return cautions(self._parts)

    @property
    def _parts(self) -> dict[str, Result | None]:
        return {section.name: section.part for section in self.sections}

    @property
    def missing(self) -> tuple[str, ...]:
        """What is not in the report and why, in sentences without full stops."""
        return tuple(f"{s.name}: not here: {s.problem}" for s in self.sections if s.part is None)

    def to_html(self) -> Markup:
        """Return a whole page, which loads nothing from elsewhere.

        Raises:
            ConfigurationError: The extra ``report`` is not installed.
        """
        drawn: Markup = view("html").page(self)
        return drawn
