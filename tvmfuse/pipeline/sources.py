"""What a compilation follows from beside the model and the settings: the code that compiles."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tvmfuse.build.artifact import RECORDED

#: The packages whose sources are the compiler, and the files that count.
PACKAGES: Final = ("tvmfuse", "tvmfuse.passes", "tvmfuse.schedules")
SUFFIXES: Final = (".py", ".c", ".ll")


@cache
def versions() -> tuple[str, ...]:
    """Return the versions of all that compiles, and the digest of our own sources.

    An edited checkout has the version of the one before.
    """
    return (*map(metadata.version, RECORDED), SOURCES)


def _sources() -> Iterator[Path]:
    for package in PACKAGES:
        spec = find_spec(package)
        for folder in spec.submodule_search_locations or () if spec else ():
            yield from (f for f in Path(folder).rglob("*") if f.suffix in SUFFIXES)


def _digest_of(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


#: Taken while they are imported: a process whose sources are edited still runs these.
SOURCES: Final = _digest_of(sorted({*_sources()}))
