"""The files that a verb reads and writes: it writes over none that it reads, nor over another.

Which they are, the types of its options say. They are compared when all options are read, so that
their order does not matter, and before anything is done.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

import click

Place: TypeAlias = tuple[click.Parameter | None, Path]
"""An option or argument, and a file or folder that it names."""

READ: Final = "tvmfuse.read"
WRITTEN: Final = "tvmfuse.written"
NOT_ONNX: Final = (b"\x7fELF", b"PK\x03\x04")
"""How compiled files begin, and torch's programs: their weights are inside."""


class ReadPath(click.Path):
    """A file or folder that is read."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, and take note of it."""
        path = super().convert(value, param, ctx)
        _note(READ, ctx, param, Path(os.fsdecode(path)))
        return path


class WrittenPath(click.Path):
    """A file or folder that is written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, and take note of it."""
        path = super().convert(value, param, ctx)
        _note(WRITTEN, ctx, param, Path(os.fsdecode(path)))
        return path


class NamedArray(click.ParamType[Any]):
    """An array that is read: ``file`` or ``NAME=file``."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the words, and take note of what may be a file."""
        for words in (value, value.partition("=")[2], value.rpartition("=")[2]):
            _note(READ, ctx, param, Path(words))
        return value


def _note(what: str, ctx: click.Context | None, param: click.Parameter | None, path: Path) -> None:
    if ctx is not None:
        ctx.meta.setdefault(what, []).append((param, path))


class Verb(click.Command):
    """A command that writes over none of the files that it reads."""

    def invoke(self, ctx: click.Context) -> Any:
        """Compare the files, and do the work.

        Raises:
            click.UsageError: One would be written over.
        """
        check_apart(ctx.meta.get(READ, []), ctx.meta.get(WRITTEN, []))
        return super().invoke(ctx)


def check_apart(read: list[Place], written: list[Place]) -> None:
    """Refuse what would be written over what is read, or over what else is written.

    Links of both kinds are followed, and the files beside an ONNX model that have its weights, and
    those in a folder, are read, too.

    Raises:
        click.UsageError: It names both.
    """
    for number, (param, place) in enumerate(written):
        for other, found in written[:number]:
            if os.path.realpath(found) == os.path.realpath(place) or _is_one(found, place):
                _refuse(param, place, _named(other))
        if not _is_file(place):
            continue
        for other, found in read:
            if _is_one(found, place):
                _refuse(param, place, _named(other))
            for one in _files_of(found):
                if _is_one(one, place):
                    _refuse(param, place, f"a file of {_named(other)}")


def _refuse(param: click.Parameter | None, place: Path, other: str) -> None:
    words = f"{_named(param)} would overwrite {other}: both are {place}"
    raise click.UsageError(words)


def _named(param: click.Parameter | None) -> str:
    if isinstance(param, click.Option):
        return param.opts[-1]
    return param.human_readable_name if param else "a file"


def _is_file(place: Path) -> bool:
    try:
        return stat.S_ISREG(place.stat().st_mode)
    except (OSError, ValueError):
        return False


def _is_one(place: Path, other: Path) -> bool:
    return _is_file(place) and _is_file(other) and place.samefile(other)


def _files_of(place: Path) -> Iterator[Path]:
    """Yield what is read besides: what is in a folder, or the weights beside a model."""
    if place.is_dir():
        yield from place.iterdir()
    elif _is_file(place):
        with place.open("rb") as file:
            if file.read(4).startswith(NOT_ONNX):
                return
        yield from (place.parent / name for name in _weights_beside(place))


def _weights_beside(model: Path) -> set[str]:
    """Return the names of the files that have a model's weights; none where it is no model."""
    import onnx
    from google.protobuf.message import DecodeError

    from tvmfuse.frontend.onnx.external_data import locations_of

    try:
        return locations_of(onnx.load(model, load_external_data=False))
    except (OSError, DecodeError, ValueError):
        return set()
