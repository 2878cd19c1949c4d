"""Builds onnxruntime's plug-in, an execution provider that runs compiled files: `build_plugin`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

from tvmfuse.build.scratch import temporary_folder
from tvmfuse.c.library import LIBRARIES, SOURCES, c_compiler, compile_objects, run
from tvmfuse.c.plugin_headers import onnxruntime_headers
from tvmfuse.errors import ArtifactError
from tvmfuse.format.atomic import atomic_write

PLUGIN: Final = SOURCES / "onnxruntime_plugin"
"""The folder of its own sources; the C library's are compiled into it."""


def build_plugin(
    output: str | os.PathLike[str],
    headers: str | os.PathLike[str] | None = None,
    flags: Sequence[str] = (),
) -> None:
    """Compile the plug-in, which needs libc alone.

    Args:
        output: The shared library to write.
        headers: The folder of onnxruntime_c_api.h, of onnxruntime 1.24 or later. None: they are
            fetched, once; see `plugin_headers.onnxruntime_headers`.
        flags: Further ones, of the compiler.

    Raises:
        LinkerNotFoundError: No C compiler is in the PATH.
        ArtifactError: It cannot compile the plug-in, `output` cannot be written, or there are no
            headers.
    """
    compiler = c_compiler()
    include = onnxruntime_headers() if headers is None else Path(headers)
    if not (include / "onnxruntime_c_api.h").is_file():
        raise ArtifactError(f"{include}: expected a folder that has onnxruntime_c_api.h")
    options = [*flags, f"-isystem{include}", f'-DTVMFUSE_VERSION="{version("tvmfuse")}"']
    try:
        with temporary_folder() as scratch:
            sources = [*SOURCES.glob("*.c"), *PLUGIN.glob("*.c")]
            objects = compile_objects(sources, scratch, options)
            library = scratch / "plugin.so"
            exports = f"-Wl,--version-script={PLUGIN / 'exports.map'}"
            # It is never unloaded: compiled code keeps addresses of its functions.
            linking = ["-shared", exports, "-Wl,-z,defs,-z,now,-z,nodelete"]
            run([compiler, *flags, *linking, "-o", str(library), *objects, *LIBRARIES], scratch)
            data = library.read_bytes()
    except OSError as error:
        raise ArtifactError(f"cannot build {output}: {error}") from error
    with atomic_write(output) as file:
        file.write(data)
