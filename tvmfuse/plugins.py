"""What installed packages add to tvmfuse: passes, and converters of operators.

A package says so by an entry point of the group ``tvmfuse.plugins``, which names a `Plugin`::

    [project.entry-points."tvmfuse.plugins"]
    my_package = "my_package:PLUGIN"
"""

from __future__ import annotations

import functools
import hashlib
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tvmfuse.errors import ConfigurationError, PluginWarning, first_line

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "tvmfuse.plugins"


@dataclass(frozen=True)
class Plugin:
    """What an installed package adds to tvmfuse.

    Attributes:
        passes: Of `tvmfuse.passes.GraphPass`. They run at the levels of their phases, unless their
            `default` is False.
        converters: ``my.domain::MyOp`` -> what makes Relax of such a node of an ONNX model: it is
            given a `tvmfuse.frontend.onnx.operation.Operation`, and returns an expression, or one
            for each output.
    """

    passes: Sequence[Any] = ()
    converters: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)


@functools.cache
def installed() -> tuple[tuple[str, Plugin], ...]:
    """Return what packages add, each with its package's name; a warning names those that fail."""
    found = list[tuple[str, Plugin]]()
    for point in _points():
        try:
            plugin = point.load()
            if not isinstance(plugin, Plugin):
                plugin = Plugin(passes=[plugin])  # a pass alone
            found.append((_package(point), plugin))
        except Exception as error:  # it is somebody else's code
            left_out(_package(point), error)
    return tuple(found)


def left_out(package: str, error: Exception) -> None:
    """Warn that something of a package is left out."""
    why = "" if isinstance(error, ConfigurationError) else f"{type(error).__name__}: "
    words = f"what {package} adds to tvmfuse is left out: {why}{first_line(error)}"
    warnings.warn(words, PluginWarning, stacklevel=2)


def versions() -> list[list[str]]:
    """Return the packages that add something, with their versions."""
    dists = (point.dist for point in _points())
    return [[dist.name, dist.version] for dist in dists if dist is not None]


@functools.cache
def digest_of(code: Any) -> str | None:
    """Return the digest of the file that a class or a function was imported from.

    It is that of the file as it was when first asked for this one: a module that is imported anew
    has others. None where there is no file, as of what was typed in.
    """
    file = getattr(sys.modules.get(code.__module__), "__file__", None)
    try:
        return None if file is None else hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return None


@functools.cache
def _points() -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # not before: a session may never ask

    return tuple(sorted(entry_points(group=GROUP), key=lambda point: point.name))


def _package(point: EntryPoint) -> str:
    return point.name if point.dist is None else point.dist.name
