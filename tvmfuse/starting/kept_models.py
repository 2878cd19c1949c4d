"""Compiled models of earlier sessions, in the user's cache folder."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from tvmfuse.errors import FallbackWarning
from tvmfuse.format.file_systems import is_url
from tvmfuse.format.kept_files import KeptFiles, user_folder
from tvmfuse.runtime.forking import IMPORTS
from tvmfuse.starting.order import Cache, Order

SUFFIX: Final = ".model"
LIMIT: Final = 1 << 32  # bytes: 40 models like ResNet-50

DIGESTS: Final = ".digest"
DIGESTS_LIMIT: Final = 1 << 22  # bytes: some ten thousand files


def loader() -> Callable[..., Any]:
    """Return `runtime.load`, imported when a session first needs it."""
    with IMPORTS:
        from tvmfuse.runtime.loading import load
    return load


class KeptModels:
    """A folder of compiled models; several processes may use it at once.

    Args:
        folder: Made when the first one is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._files = KeptFiles(folder, SUFFIX, LIMIT, "compiled models")

    @classmethod
    def of(cls, cache: Cache) -> Self | None:
        """Return the user's for True or a URL, none for False, or those in the folder named.

        A user who has no home has none.
        """
        if isinstance(cache, bool) or is_url(cache):
            folder = user_folder(os.environ, "models") if cache else None
            return None if folder is None else cls(folder)
        return cls(Path(cache))

    @property
    def folder(self) -> Path:
        """Where they lie."""
        return self._files.folder

    def key_of(self, order: Order, *, quick: bool = False) -> str | None:
        """Return under which name an order's model is kept, None where that cannot be said.

        Args:
            order: What is asked for.
            quick: Whether to return None where a large file would have to be read.
        """
        if order.written is None or (quick and not self.folder.is_dir()):
            return None
        # Not before: a first session has no use for them.
        from tvmfuse.starting.key import key_of
        from tvmfuse.starting.model_digest import ModelDigests

        digests = ModelDigests(KeptFiles(self.folder, DIGESTS, DIGESTS_LIMIT, ""))
        digest = digests.of(order.place, quick=quick)
        return None if digest is None else key_of(digest, order.written)

    def load(self, key: str, num_threads: int | None, *, spin: bool) -> Any:
        """Return the model of a key, ready to run; None where there is none that can be used."""
        if not self._files.path(key).exists():
            return None
        load = loader()

        def opened(file: BinaryIO) -> Any:
            # By what is open, and was looked at: another process may put another in its place.
            return load(f"/proc/self/fd/{file.fileno()}", num_threads=num_threads, spin=spin)

        found = self._files.read(key, opened)
        if found is not None and found.manifest.handed_over:
            warnings.warn(found.manifest.fallback_words, FallbackWarning, stacklevel=5)
        return found

    def has(self, key: str) -> bool:
        """Whether a model is kept, and whole; what is not whole is said."""
        from tvmfuse.format.bundle import begins_as_bundle, check_bundle, read_bundle
        from tvmfuse.format.file import check_contents, read_builds

        def check(file: BinaryIO) -> bool:
            if begins_as_bundle(file):
                check_bundle(file, read_bundle(file, key), key)
            else:
                for build in read_builds(file, key):
                    check_contents(file, build, key)
            return True

        return bool(self._files.read(key, check))

    def keep(self, key: str, save: Callable[[Path], object]) -> bool:
        """Have a model saved; where that fails, say so and leave it.

        Returns:
            Whether it is there now.
        """
        return self._files.save(key, save)

    def path(self, key: str) -> Path:
        """Return the name of a model's file."""
        return self._files.path(key)
