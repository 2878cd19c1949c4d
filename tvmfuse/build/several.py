"""The code of a model for several targets, in one file: `for_several_targets`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tvmfuse.build.artifact import Artifact, LibraryCode
from tvmfuse.errors import ConfigurationError
from tvmfuse.format import file as artifact_file
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.compatibility import first_that_runs
from tvmfuse.runtime.executable import Executable


@dataclass(frozen=True, eq=False)
class SeveralCode:
    """A library for each target, the most demanding first.

    Attributes:
        libraries: Each one's code.
        others: The manifests of all but the first, which is the artifact's.
    """

    libraries: Sequence[LibraryCode]
    others: Sequence[Manifest]

    @property
    def nbytes(self) -> int | None:
        """Bytes of all libraries and weights; None where one is linked when it is saved."""
        known = [library.nbytes for library in self.libraries if library.nbytes is not None]
        return sum(known) if len(known) == len(self.libraries) else None

    @property
    def weights_nbytes(self) -> int:
        """Bytes of the weights; a file has those once that are the same for several targets."""
        return sum(library.weights_nbytes for library in self.libraries)

    def save(self, path: str | os.PathLike[str], manifest: Manifest) -> Manifest:
        """Write all as one file; see `Artifact.save`."""
        built = zip(self.libraries, (manifest, *self.others), strict=True)
        return artifact_file.write(path, [library.content(said) for library, said in built])

    def load(self, manifest: Manifest, *, num_threads: int | None, spin: bool) -> Executable:
        """Make the first callable that this machine runs; see `Artifact.load`."""
        manifests = (manifest, *self.others)
        place = first_that_runs(manifests, manifest.name)
        return self.libraries[place].load(manifests[place], num_threads=num_threads, spin=spin)


def for_several_targets(artifacts: Iterable[Artifact]) -> Artifact:
    """Return one artifact of those of one model for several targets.

    Args:
        artifacts: The most demanding first, whose report and launches are the artifact's.

    Raises:
        ConfigurationError: One of them is in parts.
    """
    made: list[Artifact] = []
    libraries: list[LibraryCode] = []
    for artifact in artifacts:
        if not isinstance(artifact.code, LibraryCode):
            raise ConfigurationError(
                "this model is compiled in parts, which a file has for one target only: name one"
            )
        made.append(artifact)
        libraries.append(artifact.code)
    targets = tuple(artifact.manifest.target for artifact in made)
    first, *others = (replace(artifact.manifest, targets=targets) for artifact in made)
    return replace(made[0], manifest=first, code=SeveralCode(libraries, others), key=None)
