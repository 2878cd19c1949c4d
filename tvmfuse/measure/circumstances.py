"""Where, when and with what something was measured."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from rich.table import Table
from rich.text import Text
from tvm.target import codegen

from tvmfuse.json_safe import finite
from tvmfuse.target.host_cpu import cpu_name
from tvmfuse.target.resolve import this_machine

PACKAGES: Final = ("tvmfuse", "apache-tvm", "onnxruntime", "onnx", "numpy")


@dataclass(frozen=True)
class Circumstances:
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

    @classmethod
    def now(cls, command: str = "") -> Circumstances:
        """Look around."""
        return cls(
            date=datetime.now().astimezone().isoformat(timespec="minutes"),
            command=command,
            cpu=cpu_name(),
            instructions=this_machine().isa.name,
            cores=len(os.sched_getaffinity(0)),
            system=f"{platform.system()} {platform.release()}",
            versions=dict(_versions()),
        )

    def table(self) -> Table:
        """Return a row for each."""
        table = Table(title="machine", title_justify="left", show_header=False)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        for name, value in {**asdict(self), "versions": versions}.items():
            if value:
                table.add_row(name, Text(str(value)))
        return table

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON's types."""
        return finite(asdict(self))


def _versions() -> list[tuple[str, str]]:
    found = [("Python", platform.python_version()), ("LLVM", str(codegen.llvm_version_major()))]
    for package in PACKAGES:
        try:
            found.append((package, importlib.metadata.version(package)))
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
