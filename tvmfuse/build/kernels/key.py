"""What tells one kernel's machine code from another's: a digest of all that it is made from."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tvm.target import Target, codegen

from tvmfuse.target.machine import Machine

#: Distributions that make code out of a kernel.
COMPILERS: Final = ("tvmfuse", "apache-tvm", "apache-tvm-ffi")

#: A distribution's version, read once: that parses its metadata, which takes 2 ms.
version: Final = cache(metadata.version)

#: What schedules and compiles a kernel. Together with what it imports it makes the code, and an
#: edited checkout has the version of the one before.
ROOT: Final = "tvmfuse.build.kernels.compile"

#: An import of ours, wherever in a file it stands. A regular expression, because to parse these
#: files would take longer than to import them.
IMPORT: Final = re.compile(
    r"^ *(?:from (tvmfuse[\w.]*) import (\([^)]*\)|.*)|import (tvmfuse[\w.]*))", re.MULTILINE
)
FOR_TYPE_CHECKERS: Final = re.compile(r"^if TYPE_CHECKING:\n(?: .*\n|\n)+", re.MULTILINE)

#: The file that makes a folder a package.
PACKAGE: Final = "__init__.py"


def kernel_key(stem: str, content: str, context: str) -> str:
    """Return the digest of a kernel, in hexadecimal digits.

    Args:
        stem: What its symbol begins with, which is part of its code.
        content: See `plan_keys.content_of`, before it is scheduled.
        context: See `compiling_for`.
    """
    return hashlib.sha256("\0".join((context, stem, content)).encode()).hexdigest()


def compiling_for(target: Target) -> str:
    """Return what machine code depends on beside the kernel: the target and the compilers.

    The target says which machine it is, and two of one name may differ in their caches.
    """
    versions = {name: version(name) for name in COMPILERS}
    features = sorted(codegen.llvm_get_cpu_features(target))
    return json.dumps([str(target), repr(Machine.of(target)), features, versions, SOURCES])


def sources_of(root: str) -> dict[str, Path]:
    """Return the files of a module and of all that it imports of tvmfuse, by the modules' names.

    Imports inside functions count, those for type checkers do not. With a module come the packages
    that it lies in.
    """
    found: dict[str, Path] = {}
    left = [root]
    while left:
        name = left.pop()
        file = None if name in found else _file(name)
        if file is not None:
            found[name] = file
            left += [name.rpartition(".")[0] or name, *_imports(file.read_text())]
    return found


def digest_of(sources: Mapping[str, Path]) -> str:
    """Return the digest of what modules contain now."""
    digest = hashlib.sha256()
    for name, file in sorted(sources.items()):
        digest.update(name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _imports(source: str) -> Iterator[str]:
    """Yield the names that a source imports, of which each may be a module's."""
    for module, names, plain in IMPORT.findall(FOR_TYPE_CHECKERS.sub("", source)):
        yield module or plain
        yield from (f"{module}.{name}" for name in re.findall(r"\w+", names))


@cache
def _file(name: str) -> Path | None:
    """Return a module's file, None where there is no such module; nothing is imported for it."""
    top, inner = name.split(".")[:2], name.split(".")[2:]
    origin = _origin(".".join(top))
    if origin is None:
        return None
    if not inner:
        return Path(origin)
    # Strings, because some thousand paths would take longer than the files' contents.
    path = os.path.join(os.path.dirname(origin), *inner)
    path = os.path.join(path, PACKAGE) if os.path.isdir(path) else f"{path}.py"
    return Path(path) if os.path.basename(origin) == PACKAGE and os.path.isfile(path) else None


@cache
def _origin(name: str) -> str | None:
    spec = find_spec(name)
    return None if spec is None else spec.origin


#: Taken while they are imported: a process whose sources are edited still runs these.
SOURCES: Final = digest_of(sources_of(ROOT))
