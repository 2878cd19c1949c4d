"""Loading what was saved: a compiled model, or a bundle of one in parts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import BinaryIO

import numpy as np

from tvmfuse.arrays import numpy_dtype
from tvmfuse.errors import DamagedArtifactError, IncompatibleArtifactError
from tvmfuse.format.bundle import BundleIndex, begins_as_bundle, check_bundle, read_bundle
from tvmfuse.format.file import check_contents, open_artifact, read_builds
from tvmfuse.format.record import Section
from tvmfuse.format.signature import check_open
from tvmfuse.manifest import OURS
from tvmfuse.runtime.compatibility import first_that_runs
from tvmfuse.runtime.executable import Executable, load as load_library
from tvmfuse.runtime.foreign import RefusedError, package
from tvmfuse.runtime.library import mapped, open_part
from tvmfuse.runtime.other_parts import open_other
from tvmfuse.runtime.partitioned import PartitionedExecutable, Runnable


def load(
    path: str | os.PathLike[str],
    *,
    num_threads: int | None = None,
    spin: bool = True,
    sha256: str | None = None,
    key: str | os.PathLike[str] | None = None,
) -> Executable:
    """Load a model that `Artifact.save` wrote; of several targets, the first that runs here.

    The file is checked as a whole before any of its code is touched. Its weights are mapped, so
    that processes which load the same file share them in memory. `Executable.manifest` says what
    was taken: its `target` is one of its `targets`.

    Args:
        path: The file; its name does not matter.
        num_threads: How many threads compute one call, at most one for each CPU: the thread that
            makes it, and workers that all calls with that number share. By default one for each
            physical core. onnxruntime has as many of its own for each of its parts.
        spin: Whether a worker may wait actively for its next piece of work, for at most 1 ms, as
            long as it finds that nobody else wants its core.
        sha256: What the file's SHA-256 has to be, in hexadecimal; see `signature.verify`.
        key: The public key that has to have signed it, an ed25519 one in PEM; the signature lies
            beside the file. Takes the extra `sign`.

    Raises:
        ArtifactError: The file cannot be read.
        UnverifiedArtifactError: It has another SHA-256, or is not signed by this key.
        DamagedArtifactError: It is truncated, altered or no tvmfuse file.
        IncompatibleArtifactError: It needs another TVM, CPU features, a GPU or an engine that is
            not there.
    """
    with open_artifact(path) as file:
        if not begins_as_bundle(file):
            return load_library(path, num_threads=num_threads, spin=spin, sha256=sha256, key=key)
        name = str(path)
        if not (sha256 is None and key is None):
            check_open(file, name, sha256=sha256, key=key)
        index = read_bundle(file, name)
        _check_engines(index, name)
        check_bundle(file, index, name)
        return _opened(file, index, name, num_threads, spin=spin)


def _check_engines(index: BundleIndex, name: str) -> None:
    try:
        if index.manifest.handed_over:
            package()
    except RefusedError as error:
        count = len(index.manifest.handed_over)
        raise IncompatibleArtifactError(
            f"{name} leaves {count} of its nodes to onnxruntime, and {error}"
        ) from error


def _opened(
    file: BinaryIO, index: BundleIndex, name: str, num_threads: int | None, *, spin: bool
) -> Executable:
    memory = mapped(file)
    weights = _weights(memory, index)
    runs: list[Runnable] = []
    for number, part in enumerate(index.manifest.parts):
        said = f"part {number} of {name}"
        if part.engine == OURS:
            place = index.parts[number]
            runs.append(_library(file, place, memory, said, num_threads, spin=spin))
            continue
        offset, size = index.parts[number]
        file.seek(offset)
        own = {weight: weights[weight] for weight in index.reads[number]}
        try:
            model = open_other(
                part.engine, file.read(size), own, said, num_threads=num_threads, spin=spin
            )
        except RefusedError as error:
            raise DamagedArtifactError(f"{said}: {error}; compile the model again") from error
        runs.append(model)
    return PartitionedExecutable(index.manifest, runs)


def _library(
    file: BinaryIO,
    place: tuple[int, int],
    memory: np.ndarray,
    said: str,
    num_threads: int | None,
    *,
    spin: bool,
) -> Executable:
    """Load a part of ours from where it lies in the bundle."""
    section = Section(file, *place)
    builds = read_builds(section, said)
    build = builds[first_that_runs([build.manifest for build in builds], said)]
    check_contents(section, build, said)
    program = open_part(file, place[0], memory, build, said)
    return Executable(build.manifest, program, num_threads=num_threads, spin=spin)


def _weights(memory: np.ndarray, index: BundleIndex) -> Mapping[str, np.ndarray]:
    """Return the weights that lie in the file, by name; processes share them."""
    return {
        said.name: memory[offset : offset + size].view(numpy_dtype(said.dtype)).reshape(said.shape)
        for said, offset, size in index.weights
    }
