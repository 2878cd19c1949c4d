"""What tells one kept model from another: all that a compilation follows from, without TVM.

Sources and packages are told apart by what the file system says of them, which takes 5 ms where
their contents take 100.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec
from typing import Any, Final

from tvmfuse.plugins import GROUP
from tvmfuse.target import caches, host_cpu

#: Raised where the same key would name something else.
VERSION: Final = 1

#: What compiles, by the names of its packages and of their distributions.
COMPILERS: Final[Mapping[str, str]] = {
    "tvm": "apache_tvm", "tvm_ffi": "apache_tvm_ffi", "onnx": "onnx", "numpy": "numpy",
    "ml_dtypes": "ml_dtypes", "onnxruntime": "onnxruntime",
}  # fmt: skip

#: Our own packages, and the files that count.
PACKAGES: Final = ("tvmfuse", "tvmfuse.passes", "tvmfuse.schedules")
SUFFIXES: Final = (".py", ".c", ".ll")


def key_of(model: str, settings: str) -> str:
    """Return the name of what is compiled of a model.

    Args:
        model: Its digest.
        settings: As JSON.
    """
    code = compilers(), sources(), plugins()
    said = [VERSION, model, settings, *code, machine(), tuned(settings)]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


@cache
def compilers() -> tuple[Any, ...]:
    """Return what is installed of what compiles: where it lies, and which version it is."""
    return tuple(_installed(*names) for names in COMPILERS.items())


@cache
def sources() -> str:
    """Return a digest of the names, sizes and times of tvmfuse's own files."""
    digest = hashlib.sha256()
    for package in PACKAGES:
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            digest.update(repr(sorted(_files(folder))).encode())
    return digest.hexdigest()


@cache
def plugins() -> tuple[Any, ...]:
    """Return the installed packages that add something to tvmfuse, each with its files.

    Python's own way to ask for entry points takes longer than a small model takes to begin.
    """
    found = []
    for folder in filter(os.path.isdir, dict.fromkeys(sys.path)):
        for name in _names(folder):
            points = os.path.join(folder, name, "entry_points.txt")
            if name.endswith(".dist-info") and os.path.isfile(points):
                with open(points, encoding="utf-8") as file:
                    _, _, section = file.read().partition(f"[{GROUP}]")
                packages = [
                    line.partition("=")[2] for line in section.partition("[")[0].split("\n")
                ]
                found += [[name, _all_of(re.split("[.:]", p.strip())[0])] for p in packages if p]
    return tuple(found)


@cache
def machine() -> tuple[Any, ...]:
    """Return which processor this is, what it offers and which caches it has."""
    found = caches.find(sysconf=os.sysconf)
    return platform.machine(), sorted(host_cpu.identity()), repr(found)


def tuned(settings: str) -> list[Any]:
    """Return the names, sizes and times of the files of the database whose plans count."""
    folder = json.loads(settings).get("database", os.environ.get("TVMFUSE_DATABASE"))
    if not folder or not os.path.isdir(folder):
        return []
    with os.scandir(folder) as entries:
        found = ((e.path, e.stat().st_size, e.stat().st_mtime_ns) for e in entries)
        return sorted(found)


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIXES):
                status = entry.stat()
                if stat.S_ISREG(status.st_mode):
                    yield entry.path, status.st_size, status.st_mtime_ns
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _files(entry.path)


def _all_of(package: str) -> list[tuple[str, int, int]]:
    spec = PathFinder.find_spec(package)
    folders = (spec and spec.submodule_search_locations) or ()
    return sorted(file for folder in folders for file in _files(folder))


def _installed(package: str, distribution: str) -> list[Any]:
    spec = PathFinder.find_spec(package)
    if spec is None or spec.origin is None:
        return []
    status = os.stat(spec.origin)
    beside = _names(os.path.dirname(os.path.dirname(spec.origin)))
    said = [name for name in beside if name.startswith(f"{distribution}-")]
    return [spec.origin, status.st_size, status.st_mtime_ns, said]


@cache
def _names(folder: str) -> tuple[str, ...]:
    return tuple(sorted(os.listdir(folder)))
