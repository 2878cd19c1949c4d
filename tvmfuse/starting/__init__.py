"""How a session begins: from what was kept, from a compilation, or at once with onnxruntime.

What is imported here before it is needed delays every session, so that is neither TVM nor numpy.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from tvmfuse.errors import ConfigurationError
from tvmfuse.starting.kept_models import KeptModels
from tvmfuse.starting.order import Order

COMPILED: Final = "compiled"
AT_ONCE: Final = "at once"
WAYS: Final = (COMPILED, AT_ONCE)


def start(
    model: str | os.PathLike[str] | bytes,
    settings: Mapping[str, Any],
    *,
    how: str | None = COMPILED,
    cache: bool | str | os.PathLike[str] = True,
    num_threads: int | None = None,
    spin: bool = True,
) -> Any:
    """Return what runs a model: an `Executable`, or what becomes one between two runs.

    Args:
        model: A path, or a file's bytes.
        settings: Further arguments of `tvmfuse.compile`, by name; not `cache`.
        how: ``compiled`` waits for the compilation. ``at once`` returns as soon as onnxruntime
            has the model, which runs it until a process beside this one has compiled it. None
            chooses, see `default_way`.
        cache: Whether models are kept for the next session: in the user's cache folder, or in the
            folder named. What is kept is taken in either way of starting.
        num_threads: See `runtime.load`.
        spin: The same.

    Raises:
        ConfigurationError: There is no such way of starting, or onnxruntime is not installed.
        TvmfuseError: What `tvmfuse.compile` and `Artifact.load` raise.
    """
    way = _way(how)
    order = Order.of(model, settings, cache)
    kept = KeptModels.of(cache) if order.can_be_kept else None
    key = None
    if kept is not None:
        key = kept.key_of(order, quick=way == AT_ONCE)
        if key and (found := kept.load(key, num_threads, spin=spin)) is not None:
            return found
    if way == AT_ONCE and order.can_begin_elsewhere:
        from tvmfuse.starting.interim import Interim, RefusedError
        from tvmfuse.starting.switching import Switching

        try:
            first = Interim(order, num_threads, spin=spin)
        except RefusedError as error:
            _log(f"{order.name}: waits for the compilation, because {error}")
        else:
            return Switching(first, order, num_threads, spin=spin)
    from tvmfuse.starting.compiling import compiled

    if kept is not None and key is None:
        key = kept.key_of(order)
    artifact, _ = compiled(order, kept, key)
    return artifact.load(num_threads=num_threads, spin=spin)


def default_way() -> str:
    """Return how sessions start where nobody says it: ``at once`` where tvmfuse is onnxruntime.

    That is where it has onnxruntime's name in this process, and the real one is installed.
    """
    from tvmfuse.starting.native_onnxruntime import is_installed, is_replaced

    return AT_ONCE if is_replaced() and is_installed() else COMPILED


def check_way(how: str | None) -> None:
    """Refuse a way of starting that does not exist.

    Raises:
        ConfigurationError: It does not.
    """
    if how is not None and how not in WAYS:
        raise ConfigurationError(f"start: expected {' or '.join(map(repr, WAYS))}, found {how!r}")


def _way(how: str | None) -> str:
    check_way(how)
    if how is None:
        return default_way()
    if how == AT_ONCE:
        from tvmfuse.starting.native_onnxruntime import is_installed

        if not is_installed():
            raise ConfigurationError(
                "start='at once' runs a model in onnxruntime until it is compiled, and that is not "
                "installed: python -m pip install 'tvmfuse[ort]', or set start='compiled'"
            )
    return how


def _log(words: str) -> None:
    import logging

    logging.getLogger("tvmfuse").info(words)
