"""Loading what was saved: a compiled model, or a bundle of one in parts."""

from __future__ import annotations

import os
from functools import partial
from typing import BinaryIO

from tvmfuse.format.bundle import begins_as_bundle
from tvmfuse.format.file import open_artifact
from tvmfuse.format.signature import Proof, proof_of
from tvmfuse.runtime.executable import Executable, load_library
from tvmfuse.runtime.mapping import in_memory


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
        proof = proof_of(path, sha256=sha256, key=key)
        return _load(file, str(path), num_threads, proof, spin=spin)


def load_bytes(
    content: bytes,
    name: str,
    *,
    num_threads: int | None = None,
    spin: bool = True,
    proof: Proof | None = None,
) -> Executable:
    """Load a model from the bytes of its file, as `load` does.

    Args:
        content: The file's bytes.
        name: For errors.
        num_threads: See `load`.
        spin: The same.
        proof: What shows that these bytes are those that were meant.
    """
    with in_memory(content) as file:
        return _load(file, name, num_threads, proof, spin=spin)


def _load(
    file: BinaryIO, name: str, num_threads: int | None, proof: Proof | None, *, spin: bool
) -> Executable:
    if proof is not None:
        proof.check(file, name)
    if begins_as_bundle(file):
        # Not before: few models are in parts.
        from tvmfuse.runtime.bundles import load_bundle as load_any
    else:
        load_any = load_library
    executable = load_any(file, name, num_threads=num_threads, spin=spin)
    executable.reopen = partial(
        load_bytes, name=name, num_threads=num_threads, spin=spin, proof=proof
    )
    return executable
