"""One model to compile for one target, as plain data."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tvmfuse.api import compile as compile_model
from tvmfuse.build.artifact import working_folder
from tvmfuse.errors import ConfigurationError, TvmfuseError, first_line
from tvmfuse.fleet.executor import Outcome
from tvmfuse.fleet.models import fetch, unpack
from tvmfuse.format.file_systems import is_url
from tvmfuse.pipeline.sources import versions


class _RefusedError(Exception):
    """A model is refused, for a reason that calls it what the caller does."""


@dataclass(frozen=True)
class CompileTask:
    """Compiles a model to the bytes of its file.

    Attributes:
        model: What messages call it.
        place: Its path, which the worker sees, or its URL.
        target: What it is compiled for.
        settings: Arguments of `tvmfuse.compile`.
        compiler: What `versions` says where the task is made: it is no other one's.
        files: Of a model that the worker does not see: its files' bytes by their names, its own
            first.
    """

    model: str
    place: str
    target: str
    settings: Mapping[str, Any]
    compiler: tuple[str, ...]
    files: Mapping[str, bytes] | None = None

    def run(self) -> Outcome:
        """Compile it; what is refused has its reason."""
        begin, content, reason = time.monotonic(), b"", ""
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("default", UserWarning)
            try:
                content = self._compiled()
            except (TvmfuseError, OSError, _RefusedError) as error:
                reason = str(error)
            except Exception as error:
                reason = f"unexpected {type(error).__name__}: {first_line(error)}; please report"
        words = (str(w.message) for w in said if issubclass(w.category, UserWarning))
        return Outcome(content, reason, time.monotonic() - begin, tuple(dict.fromkeys(words)))

    def _compiled(self) -> bytes:
        if self.compiler != versions():
            raise ConfigurationError(
                "the worker has another tvmfuse, TVM or numpy than the caller: expected "
                f"{_short(self.compiler)}, found {_short(versions())}; install the same"
            )
        with working_folder() as folder:
            model = self._found(folder)
            try:
                artifact = compile_model(model, self.target, **self.settings)
            except TvmfuseError as error:
                raise _RefusedError(str(error).replace(str(model), self.model)) from error
            artifact.save(folder / "compiled")
            return (folder / "compiled").read_bytes()

    def _found(self, folder: Path) -> Path:
        (folder := folder / "model").mkdir()
        if self.files is not None:
            return unpack(self.files, folder)
        return fetch(self.place, folder) if is_url(self.place) else Path(self.place)


def _short(compiler: tuple[str, ...]) -> str:
    *numbers, sources = compiler
    return f"{' '.join(numbers)}, sources {sources[:8]}"
