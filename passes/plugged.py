"""Passes from outside: those of installed packages, and a caller's own.

What a package offers (`tvmfuse.plugins`) runs as the catalogue's passes do, at the levels of their
phases. A caller's own pass runs where it is enabled, by an instance, its class, or the name of
that, ``my_package.module:MyRule``. Which phase a pass runs in, and before or behind which other
one, it says itself: `GraphPass.phase`.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, TypeAlias

from tvmfuse import plugins
from tvmfuse.errors import ConfigurationError, closest, first_line
from tvmfuse.levels import Level
from tvmfuse.names import folded
from tvmfuse.passes.catalogue import ABSENT, PIPELINE
from tvmfuse.passes.contract import KERNELS, OPERATORS, GraphPass
from tvmfuse.passes.phase import Phase

Given: TypeAlias = str | GraphPass | type[GraphPass]
"""A pass by its name, the pass itself, its class, or that as ``my_package.module:MyRule``."""


_own: Final[dict[str, GraphPass]] = {}


def phases(own: Collection[GraphPass] = ()) -> tuple[Phase, ...]:
    """Return the phases of the catalogue with all passes of installed packages, and some others."""
    return functools.reduce(_with, own, _installed())


def known(name: str) -> GraphPass | None:
    """Return the caller's own pass of a name, if there is one."""
    return _own.get(name)


def all_own() -> tuple[GraphPass, ...]:
    """Return all passes of the caller's own that were given so far."""
    return tuple(_own.values())


def is_import_path(name: str) -> bool:
    """Whether a name says where a class is imported from: ``my_package.module:MyRule``."""
    return ":" in name


def is_pass(given: object) -> bool:
    """Whether this is a pass, or the class of one, and no name."""
    return isinstance(given, GraphPass) or inspect.isclass(given)


def own_name(given: Given) -> str:
    """Return the name of a caller's own pass, by which it is known from now on.

    Raises:
        ConfigurationError: It is none, or has another one's name, or says a place that there is
            not.
    """
    made = _made(given)
    name = getattr(made, "name", None)
    if not isinstance(name, str) or not name:
        raise ConfigurationError(
            f"{_import_path(made)}: expected a name, `name = ...`, found {name!r}"
        )
    same = _import_path(made)
    if any(_import_path(entry) == same for entry in _catalogued()):
        return name  # an installed package has it
    _check_names(made, [*_catalogued(), *(p for p in _own.values() if _import_path(p) != same)])
    _with(_installed(), made)
    _own[name] = made
    return name


def forget() -> None:
    """Forget the caller's own passes."""
    _own.clear()


def import_path(name: str) -> str:
    """Return the name by which another process finds a pass: of an own one, its import path."""
    return _import_path(_own[name]) if name in _own else name


def sources(own: Iterable[GraphPass]) -> list[list[str]] | None:
    """Return what tells passes of a caller and of installed packages from others.

    None where the source of one cannot be read, as of a class that was typed in.
    """
    offered = [entry for entry, _ in _offered()]
    converters = [c for _, plugin in plugins.installed() for c in plugin.converters.values()]
    found = list[list[str]]()
    made: tuple[Any, ...] = (*map(type, (*own, *offered)), *converters)
    for one in made:
        if (digest := plugins.digest_of(one)) is None:
            return None
        found.append([one.__module__, one.__qualname__, digest])
    return [*found, *plugins.versions()]


def _made(given: Given) -> GraphPass:
    found = _imported(given) if isinstance(given, str) else given
    if inspect.isclass(found) and issubclass(found, GraphPass) and not inspect.isabstract(found):
        try:
            return found()
        except Exception as error:  # it is the user's code that runs
            raise ConfigurationError(
                f"{found.__name__} cannot be made without arguments ({type(error).__name__}: "
                f"{first_line(error)}): give an instance of it"
            ) from error
    if not isinstance(found, GraphPass):
        raise ConfigurationError(
            f"expected a pass of yours, a class with all that tvmfuse.passes.GraphPass or "
            f"RewriteRule asks for, found {found!r:.80}"
        )
    return found


def _imported(path: str) -> Any:
    module, _, name = path.partition(":")
    try:
        return functools.reduce(getattr, name.split("."), importlib.import_module(module))
    except Exception as error:  # it is the user's code that runs
        raise ConfigurationError(
            f"cannot import the pass {path!r} ({type(error).__name__}: {first_line(error)}): "
            "expected module:Class, of a module that Python finds (PYTHONPATH, or the folder that "
            "the command runs in)"
        ) from error


@functools.cache
def _installed() -> tuple[Phase, ...]:
    """Return the catalogue's phases with all that packages add; what is wrong is left out."""
    found = PIPELINE
    for entry, package in _offered():
        try:
            _check_names(entry, [p for phase in found for p in phase.passes])
            found = _with(found, entry)
        except ConfigurationError as error:
            plugins.left_out(package, error)
    return found


@functools.cache
def _offered() -> tuple[tuple[GraphPass, str], ...]:
    """Return the passes of installed packages, each with its package's name."""
    found = list[tuple[GraphPass, str]]()
    for package, plugin in plugins.installed():
        for given in plugin.passes:
            try:
                found.append((_made(given), package))
            except ConfigurationError as error:
                plugins.left_out(package, error)
    return tuple(found)


def _catalogued() -> Iterator[GraphPass]:
    return (entry for phase in _installed() for entry in phase.passes)


def _check_names(entry: GraphPass, others: Iterable[GraphPass]) -> None:
    taken = {folded(n): (p.name, _import_path(p)) for p in others for n in (p.name, *p.aliases)}
    taken |= {folded(n): (n, "ONNX Runtime") for n in ABSENT}
    for name in (entry.name, *entry.aliases):
        if (other := taken.get(folded(name))) is not None:
            raise ConfigurationError(
                f"{_import_path(entry)} calls itself {name!r}, as {other[0]} of {other[1]} does: "
                "expected another name"
            )
    if entry.required:
        raise ConfigurationError(f"{_import_path(entry)}: expected a pass that can be switched off")


def _with(found: tuple[Phase, ...], entry: GraphPass) -> tuple[Phase, ...]:
    """Return phases with a pass in its place."""
    open_ones = {p.name: n for n, p in enumerate(found) if p.tier > Level.ORT_DISABLE_ALL}
    if entry.phase not in open_ones:
        raise ConfigurationError(
            f"{_import_path(entry)}: expected one of the phases {', '.join(open_ones)}, found "
            f"{entry.phase!r}"
        )
    place = open_ones[entry.phase]
    phase = found[place]
    if entry.works_on is not phase.passes[0].works_on:
        forms = {OPERATORS: "operators", KERNELS: "kernels"}
        raise ConfigurationError(
            f"{_import_path(entry)} works on {forms[entry.works_on]}, and the phase {phase.name} "
            f"on {forms[phase.passes[0].works_on]}: set `works_on`, or another `phase`"
        )
    names = [p.name for p in phase.passes]
    for other in filter(None, (entry.before, entry.after)):
        if other not in names:
            raise ConfigurationError(
                f"{_import_path(entry)}: no pass of the phase {phase.name} is called {other!r}; "
                f"{closest(other, names)}"
            )
    at = names.index(entry.before) if entry.before else 0
    at = names.index(entry.after) + 1 if entry.after else at
    changed = replace(phase, passes=(*phase.passes[:at], entry, *phase.passes[at:]))
    return (*found[:place], changed, *found[place + 1 :])


def _import_path(entry: GraphPass) -> str:
    return f"{type(entry).__module__}:{type(entry).__qualname__}"
