"""The code of a model in parts: compiled ones, and ONNX models that are not compiled."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tvmfuse.build.artifact import Artifact, working_folder
from tvmfuse.errors import IncompatibleArtifactError
from tvmfuse.format.bundle import PooledWeight, write_bundle
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.foreign import RefusedError
from tvmfuse.runtime.other_parts import open_other
from tvmfuse.runtime.partitioned import PartitionedExecutable, Runnable


@dataclass(frozen=True, eq=False)
class ForeignModel:
    """An ONNX model that is not compiled: for another engine, or `tvmfuse.text`.

    Attributes:
        content: The model, serialized.
        weights: The names of those that are not in it.
    """

    content: bytes
    weights: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class PartsCode:
    """The parts of a model, in the order of a run.

    Attributes:
        parts: The parts.
        weights: What the models of the other engine share, by name.
    """

    parts: Sequence[Artifact | ForeignModel]
    weights: Mapping[str, np.ndarray]

    @property
    def nbytes(self) -> int | None:
        """Bytes of all parts and weights; None where one is linked when it is saved."""
        sizes = [len(p.content) if isinstance(p, ForeignModel) else p.nbytes for p in self.parts]
        known = [size for size in sizes if size is not None]
        own = sum(weight.nbytes for weight in self.weights.values())
        return sum(known) + own if len(known) == len(sizes) else None

    @property
    def weights_nbytes(self) -> int:
        """Bytes of the weights, but for small ones in the other engine's models."""
        ours = [p.weights_nbytes for p in self.parts if isinstance(p, Artifact)]
        return sum(ours) + sum(weight.nbytes for weight in self.weights.values())

    def save(self, path: str | os.PathLike[str], manifest: Manifest) -> Manifest:
        """Write all as one bundle; see `Artifact.save`."""
        with working_folder() as folder:
            contents = []
            for part in self.parts:
                if isinstance(part, ForeignModel):
                    contents.append(part.content)
                else:
                    part.save(folder / "part.so")
                    contents.append((folder / "part.so").read_bytes())
        reads = [p.weights if isinstance(p, ForeignModel) else () for p in self.parts]
        weights = [
            (PooledWeight(name, w.dtype.name, w.shape), _bytes(w))
            for name, w in self.weights.items()
        ]
        return write_bundle(path, manifest, contents, weights, reads)

    def load(self, manifest: Manifest, *, num_threads: int | None, spin: bool) -> Executable:
        """Make all parts callable; see `Artifact.load`."""
        runs: list[Runnable] = []
        for number, part in enumerate(self.parts):
            said = f"part {number} of {manifest.name}"
            if isinstance(part, Artifact):
                runs.append(part.load(num_threads=num_threads, spin=spin))
                continue
            own = {name: self.weights[name] for name in part.weights}
            try:
                model = open_other(
                    manifest.parts[number].engine, part.content, own, said,
                    num_threads=num_threads, spin=spin,
                )  # fmt: skip
            except RefusedError as error:
                raise IncompatibleArtifactError(f"{said}: {error}") from error
            runs.append(model)
        return PartitionedExecutable(manifest, runs)


def _bytes(array: np.ndarray) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
