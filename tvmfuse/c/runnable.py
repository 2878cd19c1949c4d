"""Compiled files that C can run: `read_runnable`."""

from __future__ import annotations

import os

from tvmfuse.errors import IncompatibleArtifactError
from tvmfuse.format.bundle import begins_as_bundle
from tvmfuse.format.file import check_contents, open_artifact, read_builds
from tvmfuse.manifest import Manifest


def read_runnable(model: str | os.PathLike[str]) -> tuple[bytes, Manifest]:
    """Return a compiled file's bytes, and what it says of its model, if C can run it.

    Raises:
        ArtifactError: The file cannot be read.
        DamagedArtifactError: It is truncated, altered or no compiled file.
        IncompatibleArtifactError: C cannot run it, and why.
    """
    with open_artifact(model) as file:
        if begins_as_bundle(file):
            raise IncompatibleArtifactError(
                f"{model} leaves some of its nodes to another engine, which C has not"
            )
        builds = read_builds(file, str(model))
        for build in builds:
            check_contents(file, build, str(model))
        file.seek(0)
        data = file.read()
    if any(build.device_code is not None for build in builds):
        raise IncompatibleArtifactError(
            f"{model} is for a GPU, which C does not run: load it with Python"
        )
    return data, builds[0].manifest
