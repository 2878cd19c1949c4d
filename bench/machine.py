"""What has to be written down beside a figure: where and with what it was measured."""

from __future__ import annotations

import importlib.metadata
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

from tvm.target import codegen

from tvmfuse.target.host_cpu import cpu_name
from tvmfuse.target.resolve import this_machine

PACKAGES: Final = ("tvmfuse", "apache-tvm", "onnxruntime", "openvino", "torch", "numpy")
ROOT: Final = Path(__file__).parent.parent


def record() -> dict[str, object]:
    """Return the command, the commit, the machine and the versions, as JSON's types."""
    machine = this_machine()
    return {
        "command": shlex.join(["python", *sys.orig_argv[1:]]),
        "commit": commit(),
        "cpu": cpu_name(),
        "machine": machine.to_json(),
        "instructions": machine.isa.name,
        "cores": len(os.sched_getaffinity(0)),
        "versions": {"llvm": str(codegen.llvm_version_major()), **dict(_versions())},
    }


def commit() -> str:
    """Return the commit that is checked out, with a plus where files differ from it."""
    try:
        words = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=7", "--dirty=+"]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _versions() -> list[tuple[str, str]]:
    found = []
    for package in PACKAGES:
        try:
            found.append((package, importlib.metadata.version(package)))
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
