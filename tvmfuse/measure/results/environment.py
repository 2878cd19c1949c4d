"""Where, when and with what something was measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tvmfuse.result import Result


@dataclass(frozen=True)
class Environment(Result):
    """What has to stand beside a figure.

    Attributes:
        date: ISO 8601, with the offset from UTC.
        command: What was typed; empty where Python asked.
        cpu: The CPU's name as Linux has it.
        instructions: The vectors that kernels for this machine use.
        cores: That this process may run on.
        system: The kernel's name and release.
        versions: By package.
    """

    date: str
    command: str
    cpu: str
    instructions: str
    cores: int
    system: str
    versions: Mapping[str, str]
