"""Loading a bundle: a model in parts, some of which other engines compute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO

import numpy as np

from tvmfuse.arrays import numpy_dtype
from tvmfuse.errors import DamagedArtifactError, IncompatibleArtifactError
from tvmfuse.format.bundle import BundleIndex, check_bundle, read_bundle
from tvmfuse.format.file import check_contents, read_builds
from tvmfuse.format.record import Section
from tvmfuse.manifest import OURS
from tvmfuse.runtime.compatibility import first_that_runs
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.foreign import RefusedError, package
from tvmfuse.runtime.mapping import mapped
from tvmfuse.runtime.other_parts import open_other
from tvmfuse.runtime.partitioned import PartitionedExecutable, Runnable
from tvmfuse.runtime.whole_file import opened


def load_bundle(file: BinaryIO, name: str, *, num_threads: int | None, spin: bool) -> Executable:
    """Load a bundle; see `loading.load`.

    Args:
        file: It.
        name: For errors.
        num_threads: How many threads compute one call.
        spin: Whether they may wait actively.
    """
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
    executable = PartitionedExecutable(index.manifest, runs)
    executable.content = memory.tobytes
    return executable


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
    runs = opened(memory[place[0] :], build, said)
    return Executable(build.manifest, runs, num_threads=num_threads, spin=spin)


def _weights(memory: np.ndarray, index: BundleIndex) -> Mapping[str, np.ndarray]:
    """Return the weights that lie in the file, by name; processes share them."""
    return {
        said.name: memory[offset : offset + size].view(numpy_dtype(said.dtype)).reshape(said.shape)
        for said, offset, size in index.weights
    }
