"""onnxruntime's headers in C, which its wheel does not have: `onnxruntime_headers`.

``python -m tvmfuse.c.plugin_headers FOLDER`` fetches them into a folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tvmfuse.build.scratch import temporary_folder
from tvmfuse.build.tools import run_tool
from tvmfuse.errors import ArtifactError
from tvmfuse.format.atomic import atomic_write
from tvmfuse.format.kept_files import user_folder

PACKAGE: Final = "com.github.asus4.onnxruntime@0.4.9"
"""Of npm's registry: onnxruntime for Unity. No smaller package was found that has all of them."""
FOLDER: Final = (
    "package/Plugins/iOS~/onnxruntime.xcframework/ios-arm64/onnxruntime.framework/Headers"
)
DIGESTS: Final[Mapping[str, str]] = {
    "onnxruntime_c_api.h": "acc0cf4b3f28d39339c76770d76164bb7a0637dc89f5fde764b4017b632f6743",
    "onnxruntime_ep_c_api.h": "e6c986c9e98583f8113b2c6bc3864814883b806d501cf24da4d239c45753e235",
    "onnxruntime_error_code.h": "5ce3b054e798eced8d14f5b86e98692fd33470463f96194ce0700a2d53dd8721",
}
"""Of onnxruntime 1.29, and the SHA-256 of each."""


def onnxruntime_headers(folder: Path | None = None) -> Path:
    """Return a folder of the headers, which npm fetches where they are not kept yet: 150 MB.

    Args:
        folder: Where they are kept; by default in a folder of the user's.

    Raises:
        ArtifactError: They cannot be had, and what to do.
    """
    folder = folder or user_folder(os.environ, "onnxruntime-headers")
    if folder is not None and are_kept(folder):
        return folder
    try:
        if folder is None:
            raise ArtifactError("this user has no home for what is kept: set XDG_CACHE_HOME")
        headers = _headers()
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in headers.items():
            with atomic_write(folder / name, durable=False) as file:
                file.write(data)
    except (OSError, tarfile.TarError, KeyError) as error:
        raise ArtifactError(
            f"cannot fetch onnxruntime's headers, {PACKAGE} of npm: {error}; or name a folder that "
            "has onnxruntime_c_api.h, as the archives of onnxruntime's releases do"
        ) from error
    return folder


def are_kept(folder: Path) -> bool:
    """Whether a folder has the headers, and they are what they were."""
    try:
        return all(_digest((folder / n).read_bytes()) == d for n, d in DIGESTS.items())
    except OSError:
        return False


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _headers() -> dict[str, bytes]:
    """Return the contents of the headers, which npm fetches."""
    npm = shutil.which("npm")
    if npm is None:
        raise ArtifactError("npm is not in the PATH: install it, as in 'apt-get install npm'")
    with temporary_folder() as scratch:
        done = run_tool([npm, "pack", PACKAGE, "--pack-destination", str(scratch)], scratch)
        if done.returncode:
            raise ArtifactError(done.stderr.strip())
        (archive,) = scratch.glob("*.tgz")
        return _unpacked(archive)


def _unpacked(archive: Path) -> dict[str, bytes]:
    headers = dict[str, bytes]()
    with tarfile.open(archive) as files:
        for name, expected in DIGESTS.items():
            member = files.extractfile(f"{FOLDER}/{name}")
            headers[name] = member.read() if member else b""
            if (found := _digest(headers[name])) != expected:
                raise ArtifactError(f"{name}: expected SHA-256 {expected}, found {found}")
    return headers


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python -m tvmfuse.c.plugin_headers FOLDER")
    try:
        print(onnxruntime_headers(Path(sys.argv[1])))  # noqa: T201
    except ArtifactError as error:
        sys.exit(str(error))
