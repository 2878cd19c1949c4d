"""Having a process's ``import onnxruntime`` mean this package.

Ours are the package and its native code (`onnxruntime.capi`). What else lies in onnxruntime's
folder is its own: `quantization`, `tools`, `transformers` and so on are imported from there, and
what these import is onnxruntime itself, since they lean on what only that has. Ours, which needs it
as a fallback and to compare with, finds it by `tvmfuse.real_onnxruntime`.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.abc
import importlib.metadata
import importlib.util
import os
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from tvmfuse.onnxruntime_api import session_options
from tvmfuse.onnxruntime_api.machine import API_VERSION
from tvmfuse.onnxruntime_api.namespace import (
    NATIVE_OF_ITS_OWN,
    collection_names,
    native_names,
    package_names,
)
from tvmfuse.real_onnxruntime import NAME, replaced, set_aside
from tvmfuse.starting import check_way

CAPI: Final = f"{NAME}.capi"
OURS_TOO: Final = frozenset({f"{NAME}.backend"})
"""What of onnxruntime's folder runs models as its user asked, and so with ours."""

LOCK: Final = threading.Lock()


def replace_onnxruntime(
    *, fallback: str | None = "onnxruntime", start: str | None = None
) -> ModuleType:
    """Have ``import onnxruntime`` mean tvmfuse in this process from now on.

    What was imported from onnxruntime before stays what it is, so call this first. A process that
    is started anew (`multiprocessing` by "spawn") has to call it, too.

    Args:
        fallback: What `SessionOptions.fallback` is for new options: "onnxruntime" has onnxruntime
            compute nodes that cannot be compiled, where it is installed, and a `FallbackWarning`
            says which; None refuses such models.
        start: What `SessionOptions.start` is for new options; None is ``at once`` where onnxruntime
            is installed.

    Returns:
        The module ``onnxruntime``.

    Example:
        >>> import tvmfuse
        >>> tvmfuse.replace_onnxruntime()  # doctest: +SKIP
        >>> import onnxruntime  # doctest: +SKIP
    """
    with LOCK:
        if not replaced:
            _put_aside()
            modules = _modules(replaced[0])
            sys.modules.update(modules)
            sys.meta_path.insert(0, _Finder(modules))
        installed = NAME in set_aside
        session_options.defaults["fallback"] = fallback if installed else None
        check_way(start)
        session_options.defaults["start"] = start
        return sys.modules[NAME]


def _put_aside() -> None:
    """Import onnxruntime, if it is there, and take its name away."""
    try:
        importlib.import_module(NAME)
    except ImportError:
        spec = None
    else:
        spec = sys.modules[NAME].__spec__
        set_aside.update(
            (name, module)
            for name, module in sys.modules.items()
            if name in (NAME, CAPI) or name.startswith(f"{CAPI}.")
        )
    replaced.append(spec)


def _modules(spec: ModuleSpec | None) -> dict[str, ModuleType]:
    """Make ours."""
    where = [*(spec.submodule_search_locations or ())] if spec is not None else []
    file = spec.origin if spec is not None else None
    package = _module(NAME, package_names(), where, file or __file__)
    capi = _module(CAPI, {}, [os.path.join(folder, "capi") for folder in where], package.__file__)
    package.capi = capi  # type: ignore[attr-defined]
    modules = {NAME: package, CAPI: capi}
    contents: Mapping[str, Mapping[str, Any]] = {
        "_pybind_state": native_names(),
        "onnxruntime_pybind11_state": native_names(),
        "onnxruntime_inference_collection": collection_names() | {"C": None},
        "onnxruntime_validation": {
            "check_distro_info": lambda: None,
            "get_package_name_and_version_info": lambda: (NAME, package.__version__, ""),
            "check_training_module": lambda: (False, NAME, package.__version__, ""),
        },
        "build_and_package_info": {"package_name": NAME, "__version__": package.__version__},
    }
    for name, names in contents.items():
        module = _module(f"{CAPI}.{name}", names, None, package.__file__)
        modules[module.__name__] = module
        setattr(capi, name, module)
    for name in ("_pybind_state", "onnxruntime_pybind11_state"):
        modules[f"{CAPI}.{name}"].__getattr__ = _native  # type: ignore[method-assign]
    collection = modules[f"{CAPI}.onnxruntime_inference_collection"]
    collection.C = modules[f"{CAPI}._pybind_state"]  # type: ignore[attr-defined]
    package.onnxruntime_validation = modules[  # type: ignore[attr-defined]
        f"{CAPI}.onnxruntime_validation"
    ]
    for name, module in sys.modules.items():  # what was imported before
        if name.rpartition(".")[0] == NAME and name not in modules:
            setattr(package, name.rpartition(".")[2], module)
    return modules


def _module(
    name: str, names: Mapping[str, Any], where: Sequence[str] | None, file: str | None
) -> ModuleType:
    module = ModuleType(name, "tvmfuse, under onnxruntime's name.")
    spec = ModuleSpec(name, _Made(module), origin=file, is_package=where is not None)
    if where is not None:
        module.__path__ = [*where]
        spec.submodule_search_locations = [*where]
    module.__dict__.update(names)
    module.__spec__, module.__loader__, module.__file__ = spec, spec.loader, file
    module.__package__ = name if where is not None else name.rpartition(".")[0]
    return module


def _native(name: str) -> Any:
    """Return what of onnxruntime's native code is no session's."""
    native = set_aside.get(f"{CAPI}.onnxruntime_pybind11_state")
    if name in NATIVE_OF_ITS_OWN.split() and native is not None:
        return getattr(native, name)
    raise AttributeError(f"module 'onnxruntime.capi._pybind_state' has no attribute {name!r}")


class _Made(importlib.abc.Loader):
    """Loads a module that is there: also after somebody took it out of `sys.modules`."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: it has its names."""


class _Finder(importlib.metadata.DistributionFinder):
    """Finds ours, and onnxruntime's own others."""

    def __init__(self, modules: Mapping[str, ModuleType]) -> None:
        self._modules = dict(modules)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module comes from; None for modules of others."""
        if fullname in self._modules:
            return self._modules[fullname].__spec__
        if not fullname.startswith(f"{NAME}."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        family = ".".join(fullname.split(".")[:2])
        if spec is not None and spec.loader is not None and family not in OURS_TOO:
            spec.loader = _OfTheirs(spec.loader)
        return spec

    def find_distributions(
        self, context: importlib.metadata.DistributionFinder.Context | None = None
    ) -> Iterable[importlib.metadata.Distribution]:
        """Yield what says which version is installed, where none is."""
        asked = None if context is None else context.name
        if NAME not in set_aside and asked in (None, NAME):
            yield _Distribution()


class _OfTheirs(importlib.abc.Loader):
    """Loads a module of onnxruntime's, for which ``import onnxruntime`` means onnxruntime."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        # An import statement asks the builtins of the module that it stands in.
        module.__dict__["__builtins__"] = vars(builtins) | {"__import__": _import_theirs}
        self._loader.exec_module(module)
        parent, _, name = module.__name__.rpartition(".")
        if parent in set_aside:
            setattr(set_aside[parent], name, module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


def _import_theirs(
    name: str,
    globals: Mapping[str, Any] | None = None,  # noqa: A002
    locals: Mapping[str, Any] | None = None,  # noqa: A002
    fromlist: Sequence[str] = (),
    level: int = 0,
) -> ModuleType:
    """Import as the statement does, but onnxruntime itself."""
    whole = name
    if level and globals is not None:
        whole = importlib.util.resolve_name("." * level + name, globals["__package__"])
    if whole not in set_aside:
        module = builtins.__import__(name, globals, locals, fromlist, level)
        is_theirs = module is sys.modules.get(NAME)
        return set_aside[NAME] if is_theirs else module
    theirs = set_aside[whole]
    for item in fromlist or ():
        if item != "*" and not hasattr(theirs, item):
            setattr(theirs, item, importlib.import_module(f"{whole}.{item}"))
    return theirs if fromlist or level else set_aside[NAME]


class _Distribution(importlib.metadata.Distribution):
    """Says that there is an onnxruntime."""

    def read_text(self, filename: str) -> str | None:
        texts = {
            "METADATA": f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {API_VERSION}\n",
            "top_level.txt": f"{NAME}\n",
        }
        return texts.get(filename)

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        return Path(__file__).parent.joinpath(path)
