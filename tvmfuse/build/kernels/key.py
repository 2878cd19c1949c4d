"""What tells one kernel's machine code from another's: a digest of all that it is made from."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

import tvm
from tvm.target import Target, codegen
from tvm.tirx import PrimFunc

#: Distributions that make code out of a kernel.
COMPILERS: Final = ("tvmfuse", "apache-tvm", "apache-tvm-ffi")

#: Where tvmfuse's own sources lie; an edited checkout has the version of the one before.
PACKAGES: Final = ("tvmfuse", "tvmfuse.passes", "tvmfuse.schedules")

#: The number in the name of a Relax variable, as TVM writes it. A kernel's parameters are called
#: after what they are given, so that the same kernel at another place of the graph differs by it.
NUMBER: Final = re.compile(r'("type":"ffi\.String","data":"v)\d+')


def kernel_key(stem: str, function: PrimFunc, context: str) -> str:
    """Return the digest of a kernel, in hexadecimal digits.

    Args:
        stem: What its symbol begins with, which is part of its code.
        function: Before it is scheduled.
        context: See `compiling_for`.
    """
    content = NUMBER.sub(r"\1", tvm.ir.save_json(function))
    return hashlib.sha256("\0".join((context, stem, content)).encode()).hexdigest()


def compiling_for(target: Target) -> str:
    """Return what machine code depends on beside the kernel: the target and the compilers."""
    versions = {name: version(name) for name in COMPILERS}
    features = sorted(codegen.llvm_get_cpu_features(target))
    return json.dumps([str(target), features, versions, SOURCES])


def digest_of(packages: Sequence[str]) -> str:
    """Return the digest of what Python files stand in these packages now."""
    folders = [Path(p) for name in packages for p in importlib.import_module(name).__path__]
    files = sorted({file for folder in folders for file in folder.resolve().rglob("*.py")})
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


#: Taken while they are imported: a process whose sources are edited still runs these.
SOURCES: Final = digest_of(PACKAGES)
