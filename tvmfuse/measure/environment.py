"""Looking at the machine and the versions that something is measured with."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from datetime import datetime
from typing import Final

from tvm.target import codegen

from tvmfuse.measure.results.environment import Environment
from tvmfuse.target.host_cpu import cpu_name
from tvmfuse.target.resolve import this_machine

PACKAGES: Final = ("tvmfuse", "apache-tvm", "onnxruntime", "onnx", "numpy")


def environment(command: str = "") -> Environment:
    """Look around.

    Args:
        command: What was typed; empty where Python asked.
    """
    return Environment(
        date=datetime.now().astimezone().isoformat(timespec="minutes"),
        command=command,
        cpu=cpu_name(),
        instructions=this_machine().isa.name,
        cores=len(os.sched_getaffinity(0)),
        system=f"{platform.system()} {platform.release()}",
        versions=dict(_versions()),
    )


def _versions() -> list[tuple[str, str]]:
    found = [("Python", platform.python_version()), ("LLVM", str(codegen.llvm_version_major()))]
    for package in PACKAGES:
        try:
            found.append((package, importlib.metadata.version(package)))
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
