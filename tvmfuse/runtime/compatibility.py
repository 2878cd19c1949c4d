"""Whether this machine can run a compiled file, decided before any of its code is touched."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from tvmfuse.errors import IncompatibleArtifactError
from tvmfuse.manifest import Manifest
from tvmfuse.target import host_cpu, host_gpu, tile_permission

MISSING: Final = "missing"
"""The version of TVM where there is none."""


@dataclass(frozen=True)
class Host:
    """A machine to run on.

    Attributes:
        cpu_features: By LLVM's names, of those in `host_cpu.LINUX_FLAGS`.
        compute_capability: Its GPU's, (8, 0) for ``sm_80``; None without one.
        gives_tiles: Whether Linux lets this process use the registers of the CPU's matrix unit.
    """

    cpu_features: frozenset[str]
    compute_capability: tuple[int, int] | None
    gives_tiles: bool = True

    @classmethod
    def here(cls, manifest: Manifest) -> Host:
        """Return this machine; its GPU, or tiles, are asked for only where the code needs them."""
        wanted = _target(manifest)["kind"] == "cuda"
        capability = host_gpu.compute_capability() if wanted else None
        features = host_cpu.cpu_features()
        asked = tile_permission.TILES in features.intersection(manifest.cpu_features)
        tiles = tile_permission.granted() if asked else False
        return cls(features, capability, tiles)


def tvm_here() -> str:
    """Return the version of apache-tvm, `MISSING` where that is not installed."""
    try:
        return version("apache-tvm")
    except PackageNotFoundError:
        return MISSING


def first_that_runs(manifests: Sequence[Manifest], name: str) -> int:
    """Return which of several builds of a model this machine is to take: the first that it runs.

    Args:
        manifests: Of each build, the most demanding first.
        name: For the error: the file's path.

    Raises:
        IncompatibleArtifactError: It runs none, and what each would take.
    """
    refused = []
    for place, manifest in enumerate(manifests):
        try:
            check_runs_on(Host.here(manifest), manifest, name)
        except IncompatibleArtifactError as error:
            refused.append(error)
        else:
            return place
    lacks = []
    for manifest, refusal in zip(manifests, refused, strict=True):
        lacking = _lacking(Host.here(manifest), manifest)
        if len(manifests) == 1 or not lacking:  # then what is wrong is something else
            raise refusal
        lacks.append(f"{', '.join(lacking)} for {_cpu(manifest)}")
    raise IncompatibleArtifactError(
        f"{name} was compiled for {len(manifests)} targets, and this machine's CPU lacks "
        f"{'; '.join(lacks)}: compile the model with target='llvm' on this machine, or for an "
        "older CPU, too"
    )


def check_runs_on(host: Host, manifest: Manifest, name: str) -> None:
    """Refuse what this machine cannot run.

    Args:
        host: The machine.
        manifest: Of the compiled model.
        name: The model's, for the error: the file's path.

    Raises:
        IncompatibleArtifactError: It needs CPU features that are not there or not given, or a GPU
            that is not there or too old.
    """
    _check_cpu(host, manifest, name)
    target = _target(manifest)
    if target["kind"] == "cuda":
        _check_gpu(host, str(target["arch"]), name)


def check_tvm(tvm: str, manifest: Manifest, name: str) -> None:
    """Refuse what a version of TVM, as `tvm_here` says it, cannot run on a GPU.

    Raises:
        IncompatibleArtifactError: It is of another version of TVM, or there is none.
    """
    made = manifest.versions.get("apache-tvm", "an unknown version")
    if tvm == MISSING:
        raise IncompatibleArtifactError(
            f"{name} is for a GPU, which takes TVM's runtime, and apache-tvm is not installed: "
            f"pip install apache-tvm=={made}"
        )
    # What follows the third number repackages the same sources.
    if made.split(".")[:3] != tvm.split(".")[:3]:
        raise IncompatibleArtifactError(
            f"{name} was compiled with apache-tvm {made}, and here is apache-tvm {tvm}: "
            f"compile the model again, or pip install apache-tvm=={made}"
        )


def _check_cpu(host: Host, manifest: Manifest, name: str) -> None:
    if lacking := _lacking(host, manifest):
        raise IncompatibleArtifactError(
            f"{name} was compiled for {_cpu(manifest)}, and this machine's CPU lacks "
            f"{', '.join(lacking)}: compile the model with target='llvm' on this machine, or for "
            "an older CPU"
        )
    if tile_permission.TILES in manifest.cpu_features and not host.gives_tiles:
        raise IncompatibleArtifactError(
            f"{name} may use the CPU's matrix unit (AMX), and Linux does not let this process use "
            "its registers (arch_prctl ARCH_REQ_XCOMP_PERM), as in some sandboxes: compile the "
            "model with target='llvm' in this place, or with -mattr=-amx-tile"
        )


def _lacking(host: Host, manifest: Manifest) -> list[str]:
    return [f for f in manifest.cpu_features if f not in host.cpu_features]


def _cpu(manifest: Manifest) -> str:
    return str(_target(manifest).get("mcpu", "the CPU of a GPU's host"))


def _check_gpu(host: Host, arch: str, name: str) -> None:
    if host.compute_capability is None:
        raise IncompatibleArtifactError(
            f"{name} was compiled for CUDA ({arch}), and this machine has no NVIDIA GPU that its "
            f"driver ({host_gpu.DRIVER}) shows: run it where one is, or compile with target='llvm'"
        )
    major, minor = host.compute_capability
    needed = int(re.sub(r"\D", "", arch))
    here = 10 * major + minor
    # A letter at the end (sm_90a) ties the code to just that architecture.
    if here < needed or (arch[-1].isalpha() and here != needed):
        raise IncompatibleArtifactError(
            f"{name} was compiled for {arch}, and this machine's GPU is sm_{here}: "
            f"compile the model with target='cuda -arch=sm_{here}'"
        )


def _target(manifest: Manifest) -> Mapping[str, Any]:
    target: Mapping[str, Any] = json.loads(manifest.target)
    return target
