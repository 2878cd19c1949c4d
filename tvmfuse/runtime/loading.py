"""Loading what was saved: a compiled model, or a bundle of one in parts."""

from __future__ import annotations

import os

from tvmfuse.format.bundle import begins_as_bundle
from tvmfuse.format.file import open_artifact
from tvmfuse.format.signature import check_open
from tvmfuse.runtime.executable import Executable, load as load_library


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
        # Not before: few models are in parts.
        from tvmfuse.runtime.bundles import load_bundle

        return load_bundle(file, name, num_threads=num_threads, spin=spin)
