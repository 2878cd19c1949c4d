"""A compiled model in memory, which runs or is saved without TVM's compiler."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np

from tvmfuse.arrays import aligned
from tvmfuse.build.scratch import temporary_folder
from tvmfuse.errors import ArtifactError, TvmfuseError
from tvmfuse.format import file as artifact_file
from tvmfuse.format.atomic import atomic_write
from tvmfuse.manifest import Manifest
from tvmfuse.recipes import Recipe
from tvmfuse.runtime.compatibility import Host, check_runs_on
from tvmfuse.runtime.compiled_main import FixedWeights
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.functions import Functions, LibraryFunctions
from tvmfuse.runtime.live_weights import LiveWeights
from tvmfuse.runtime.loading import load, load_bytes
from tvmfuse.runtime.on_cpu import OnCpu
from tvmfuse.runtime.own_process import OfThisProcess
from tvmfuse.runtime.threads import Workers

#: Distributions whose version a manifest states.
RECORDED: Final = ("tvmfuse", "apache-tvm", "apache-tvm-ffi", "onnx", "numpy")


class Code(Protocol):
    """What the compiler made of a model: one library, several parts, or several libraries."""

    @property
    def nbytes(self) -> int | None:
        """Bytes of libraries and weights; None where they are linked when they are saved."""

    @property
    def weights_nbytes(self) -> int:
        """Bytes of the weights."""

    def save(self, path: str | os.PathLike[str], manifest: Manifest) -> Manifest:
        """Write it as one file; see `Artifact.save`."""

    def load(self, manifest: Manifest, *, num_threads: int | None, spin: bool) -> Executable:
        """Make it callable; see `Artifact.load`."""


class Unlinked(Protocol):
    """What TVM's compiler made, before it is linked."""

    def linked(self) -> bytes:
        """Link it to a library."""


class Linkable(Unlinked, Protocol):
    """The same for the CPU, which TVM can link in memory."""

    def jitted(self) -> Functions:
        """Link it in memory, without a linker."""


@dataclass(frozen=True, eq=False, repr=False)
class Artifact(OfThisProcess):
    """A compiled model, in memory.

    It is pickled by the bytes of its file, so that another process saves the same file. Weights
    that follow a module's are as they are then.

    Attributes:
        manifest: What it says of itself.
        report: What the compiler's stages did.
        launches: What one run launches, in order: of two launches, whether they are the same code.
        code: What runs: one library, several parts, or a library for each of several targets.
        key: Under which the kernel cache keeps it; None where it does not.
    """

    manifest: Manifest
    report: Any
    launches: tuple[str, ...]
    code: Code
    key: str | None = None

    @property
    def nbytes(self) -> int | None:
        """Bytes of its library and its weights; None where it is linked when it is saved."""
        return self.code.nbytes

    @property
    def weights_nbytes(self) -> int:
        """Bytes of its weights."""
        return self.code.weights_nbytes

    @property
    def live_weights(self) -> LiveWeights | None:
        """The weights that follow a module's, in all that is loaded; None if they are fixed."""
        code = self.code
        return code.live if isinstance(code, LibraryCode) else None

    def save(self, path: str | os.PathLike[str]) -> Manifest:
        """Write the model as one file, with its weights; return what the file says of itself.

        The file takes its name when it is whole: a failure leaves what stood there.

        Raises:
            ArtifactError: It cannot be written there.
            LinkerNotFoundError: No compiler and no linker is installed.
        """
        return self.code.save(path, self.manifest)

    def load(self, *, num_threads: int | None = None, spin: bool = True) -> Executable:
        """Make the model callable in this process; on the CPU this needs no linker.

        Args:
            num_threads: See `runtime.load`.
            spin: The same.

        Raises:
            IncompatibleArtifactError: It was compiled for a CPU or GPU that is not here.
        """
        executable = self.code.load(self.manifest, num_threads=num_threads, spin=spin)
        executable.content = lambda: self._as_file().content
        executable.reopen = functools.partial(
            load_bytes, name=self.manifest.name, num_threads=num_threads, spin=spin
        )
        return executable

    def __reduce__(self) -> tuple[type[Artifact], tuple[object, ...]]:
        """Return what makes it again in another process.

        Raises:
            TvmfuseError: What `save` raises.
        """
        code = self._as_file()
        return type(self), (self.manifest, self.report, self.launches, code, self.key)

    def _as_file(self) -> FileCode:
        if isinstance(self.code, FileCode):
            return self.code
        with working_folder() as folder:
            said = self.save(folder / "model.so")
            content = (folder / "model.so").read_bytes()
        return FileCode(content, said.sha256, self.weights_nbytes)

    def __repr__(self) -> str:
        said = self.manifest
        takes, gives = (", ".join(map(str, specs)) for specs in (said.inputs, said.outputs))
        others = f", in onnxruntime {said.handed_words}" if said.handed_over else ""
        return (
            f"Artifact({said.name!r}, ({takes}) -> ({gives}), level {said.level}, "
            f"{len(said.kernels)} kernels{others}, "
            f"{self.weights_nbytes / 1e6:.1f} MB of weights, target {said.target})"
        )


@dataclass(frozen=True, eq=False)
class FileCode:
    """What another process compiled: the bytes of its file.

    Attributes:
        content: The file's bytes.
        sha256: What the file says of its contents.
        weights_nbytes: Bytes of the weights in it.
    """

    content: bytes
    sha256: str
    weights_nbytes: int

    @property
    def nbytes(self) -> int:
        """Bytes of the file."""
        return len(self.content)

    def save(self, path: str | os.PathLike[str], manifest: Manifest) -> Manifest:
        """Write the file; see `Artifact.save`."""
        with atomic_write(path) as file:
            file.write(self.content)
        return replace(manifest, sha256=self.sha256)

    def load(self, manifest: Manifest, *, num_threads: int | None, spin: bool) -> Executable:
        """Load it from memory; see `Artifact.load`."""
        return load_bytes(self.content, manifest.name, num_threads=num_threads, spin=spin)


@dataclass(frozen=True, eq=False)
class LibraryCode:
    """One library and its weights.

    Attributes:
        unlinked: What the compiler made; None where the library was kept by another process.
        library: What it is linked to, with the kernels that were compiled before it; or None,
            where it holds all of them and TVM can link it in memory.
        weights: Those that are no part of either; `main` takes the inputs, then these.
        defaults: Of the manifest's overridable inputs, in order.
        device_code: A GPU's kernels, as TVM's CUDA runtime reads them.
        aliased_outputs: See `on_gpu.Program`.
        recipes: Place of a weight -> how it follows from parameters, for those that do.
    """

    unlinked: Unlinked | None
    library: bytes | None
    weights: Sequence[np.ndarray]
    defaults: Sequence[np.ndarray]
    device_code: bytes | None
    aliased_outputs: tuple[int, ...]
    recipes: Mapping[int, Recipe]

    @property
    def nbytes(self) -> int | None:
        """Bytes of the library and the weights; None where it is linked when it is saved."""
        return None if self.library is None else len(self.library) + self.weights_nbytes

    @property
    def weights_nbytes(self) -> int:
        """Bytes of the weights."""
        return sum(weight.nbytes for weight in self.weights)

    def save(self, path: str | os.PathLike[str], manifest: Manifest) -> Manifest:
        """Write it as one file; see `Artifact.save`."""
        return artifact_file.write(path, [self.content(manifest)])

    def content(self, manifest: Manifest) -> artifact_file.Content:
        """Return what a file has of it."""
        weights = (*self._weights_now(), *self.defaults)
        return artifact_file.Content(
            manifest,
            self._whole(),
            [(weight.dtype.name, weight.shape, _bytes(weight)) for weight in weights],
            self.device_code,
            self.aliased_outputs,
        )

    def load(self, manifest: Manifest, *, num_threads: int | None, spin: bool) -> Executable:
        """Make it callable; see `Artifact.load`."""
        check_runs_on(Host.here(manifest), manifest, manifest.name)
        if self.device_code is None:
            return Executable(
                manifest,
                functools.partial(self._on_cpu, manifest),
                num_threads=num_threads,
                spin=spin,
            )
        with working_folder() as folder:
            self.save(folder / "model.so", manifest)
            return load(folder / "model.so", num_threads=num_threads, spin=spin)

    @functools.cached_property
    def live(self) -> LiveWeights | None:
        """The weights that follow from parameters, with the others; None if none do."""
        return LiveWeights([*map(aligned, self.weights)], self.recipes) if self.recipes else None

    @functools.cached_property
    def functions(self) -> Functions:
        """The CPU's code, made runnable as it is."""
        if self.library is not None:
            return LibraryFunctions(self.library, "the compiled model")
        return cast("Linkable", self.unlinked).jitted()

    @functools.cached_property
    def _fixed(self) -> FixedWeights:
        return FixedWeights([*map(aligned, self.weights)])

    def _on_cpu(self, manifest: Manifest, workers: Workers) -> OnCpu:
        defaults = [*map(aligned, self.defaults)]
        return OnCpu(manifest, self.functions, self.live or self._fixed, defaults, workers)

    def _weights_now(self) -> Sequence[np.ndarray]:
        return self.live.arrays if self.live else self.weights

    def _whole(self) -> bytes:
        """Return the library of a file."""
        return self.library or cast("Unlinked", self.unlinked).linked()


@contextmanager
def working_folder() -> Iterator[Path]:
    """Make a folder for what is put together, and remove it.

    Raises:
        ArtifactError: There is no room for it, or for what is written there.
    """
    try:
        with temporary_folder() as folder:
            yield folder
    except TvmfuseError:
        raise
    except OSError as error:
        raise ArtifactError(f"cannot link the model in a temporary folder: {error}") from error


def _bytes(array: np.ndarray) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
