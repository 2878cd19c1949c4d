"""What each model brings along beside its kernels, for each processor: see ``native.c``."""

from __future__ import annotations

import hashlib
from itertools import islice
from pathlib import Path
from typing import Any, Final

from tvm.target import Target

from tvmfuse import _tvm
from tvmfuse.build.kernels.cache import Entry, KernelCache
from tvmfuse.build.kernels.key import version
from tvmfuse.build.kernels.machine_code import object_file
from tvmfuse.target.resolve import processor


def native_module(target: Target) -> Any:
    """Return TVM's LLVM module of that code, for the processor of a target."""
    return _llvm_module(processor(target))


def native_object(target: Target, cache: KernelCache | None = None) -> bytes:
    """Return its object file, which LLVM makes once for each processor.

    Args:
        target: For whose processor.
        cache: Where it is looked for and kept: LLVM takes as long for it as to link a model.
    """
    name = processor(target)
    if name not in _objects:
        _objects[name] = _object_file(name) if cache is None else _kept(name, cache)
    return _objects[name]


def _llvm_module(name: str) -> Any:
    return _tvm.llvm_from_ir(_text(name))


def layout(target: Target) -> str:
    """Return the lines in which that text states its processor: how data lies, and the triple."""
    with _text(processor(target)).open() as lines:
        return "".join(islice((line for line in lines if line.startswith("target ")), 2))


def _text(name: str) -> Path:
    return Path(__file__).with_name(f"{name}.ll")


#: By processor.
_objects: Final[dict[str, bytes]] = {}


def _kept(name: str, cache: KernelCache) -> bytes:
    said = ("native code", version("apache-tvm"), _text(name).read_text())
    key = hashlib.sha256("\0".join(said).encode()).hexdigest()
    if (entry := cache.get(key)) is None:
        entry = Entry({}, _object_file(name))
        cache.put({key: entry})
    return entry.code


def _object_file(name: str) -> bytes:
    return object_file(_llvm_module(name))
