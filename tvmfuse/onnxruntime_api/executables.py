"""What a session runs: compiled, kept from before, loaded from a file, or begun elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmfuse.errors import MalformedModelError
from tvmfuse.format.kinds import is_compiled
from tvmfuse.levels import level_of
from tvmfuse.onnxruntime_api.exceptions import InvalidProtobuf, raise_as
from tvmfuse.onnxruntime_api.model_source import changed
from tvmfuse.onnxruntime_api.session_options import SessionOptions


def open_executable(
    source: str | bytes, options: SessionOptions, target: str, disabled: Sequence[str]
) -> Any:
    """Return an `Executable`, or what runs as one until it becomes one; see `starting.start`.

    Args:
        source: A path or a file's bytes.
        options: How.
        target: What for, where it is compiled.
        disabled: Names of passes that do not run, beside the options'.

    Raises:
        TvmfuseError: The model, the options or a name is wrong.
    """
    # Not before: both take long to import, and who imports onnxruntime may never make a session.
    threads, spin = options.num_threads, options.allow_spinning
    if isinstance(source, str) and is_compiled(source):
        from tvmfuse.runtime.loading import load

        return load(source, num_threads=threads, spin=spin)
    from tvmfuse.starting import start

    settings = {
        "target": target,
        "level": level_of(options.graph_optimization_level),
        "disabled_pass": [*options.disabled_optimizers, *disabled],
        "enabled_pass": options.enabled_optimizers,
        "dims": options.free_dimension_overrides or None,
        "limits": options.limits,
        "fallback": options.fallback,
        "save_optimized": options.optimized_model_filepath or None,
    }
    try:
        return start(
            changed(source, options),
            settings,
            how=options.start,
            cache=options.cache,
            num_threads=threads,
            spin=spin,
        )
    except MalformedModelError as error:
        raise_as(error, InvalidProtobuf if "protobuf cannot parse" in str(error) else None)


def open_fallback(source: str | bytes, options: SessionOptions) -> Any:
    """Return what runs a model in onnxruntime, for sizes that the compiled one does not take.

    Returns:
        None where the options ask for no fallback, or change the model, or onnxruntime has none
        of it.
    """
    from tvmfuse.starting.interim import Interim, RefusedError
    from tvmfuse.starting.order import Order

    if options.fallback is None or options.limits is not None:
        return None
    model = changed(source, options)
    if (isinstance(model, str) and is_compiled(model)) or not isinstance(model, str | bytes):
        return None
    settings = {
        "level": level_of(options.graph_optimization_level),
        "dims": options.free_dimension_overrides,
    }
    try:
        order = Order.of(model, settings, cache=False)
        return Interim(order, options.num_threads, spin=options.allow_spinning)
    except RefusedError:
        return None
