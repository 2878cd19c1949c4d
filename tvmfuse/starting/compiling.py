"""Compiling what a session asks for, and keeping it for the next one."""

from __future__ import annotations

from typing import Any

from tvmfuse.errors import CompilationError, OutOfMemoryError
from tvmfuse.starting.kept_models import KeptModels
from tvmfuse.starting.order import Order
from tvmfuse.without_torch import import_ffi


def compiled(order: Order, kept: KeptModels | None, key: str | None) -> tuple[Any, bool]:
    """Compile what an order says, and keep it where a key says under which name.

    Only what was compiled without a failure is kept, so that each process warns of those.

    Returns:
        The artifact, and whether it is kept.

    Raises:
        TvmfuseError: What `tvmfuse.compile` raises.
    """
    import_ffi()
    from tvmfuse.api import compile  # noqa: A004

    if kept is None or key is None:
        return compile(order.model, cache=order.cache, **order.settings), False
    try:
        artifact = compile(order.model, cache=order.cache, strict=True, **order.settings)
    except OutOfMemoryError:
        raise
    except CompilationError:
        return compile(order.model, cache=order.cache, **order.settings), False
    # A model that changed while it was compiled is of no key.
    is_it = isinstance(order.model, bytes) or kept.key_of(order) == key
    return artifact, is_it and _keep(artifact, kept, key)


def _keep(artifact: Any, kept: KeptModels, key: str) -> bool:
    from tvmfuse.build import linker

    # Without one a model runs, too; that it takes one to save it, `tvmfuse doctor` says.
    return linker.installed() and kept.keep(key, artifact.save)
