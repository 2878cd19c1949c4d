"""Runs models in onnxruntime by the plug-in, as a program of its users does; see `tests/c`."""

import os
import sys
from typing import Any

import numpy as np
import onnxruntime

__all__ = ["arrays_in", "bits", "devices", "np", "onnxruntime", "os", "refused", "session", "sys"]

onnxruntime.set_default_logger_severity(4)
onnxruntime.register_execution_provider_library("tvmfuse", os.environ["TVMFUSE_PLUGIN"])


def devices() -> list[Any]:
    """Return the devices of the plug-in."""
    found = onnxruntime.get_ep_devices()
    return [d for d in found if d.ep_name == "TvmfuseExecutionProvider"]


def session(model: str | bytes, entries: dict[str, str] | None = None, **options: str) -> Any:
    """Make a session; `entries` are those of its configuration, `options` the provider's."""
    made = onnxruntime.SessionOptions()
    made.add_provider_for_devices(devices(), options)
    for key, value in (entries or {}).items():
        made.add_session_config_entry(key, value)
    return onnxruntime.InferenceSession(model, made, enable_fallback=0)


def refused(model: str | bytes, **options: str) -> str:
    """Return why there is no session."""
    try:
        session(model, None, **options)
    except Exception as failed:
        return " ".join(str(failed).split())
    raise AssertionError(f"{model!r} is taken")


def arrays_in(file: str, model: Any) -> tuple[dict[str, np.ndarray], list[np.ndarray]]:
    """Return the inputs and outputs that a file of numpy's keeps of a run in Python."""
    kept = np.load(file)
    arrays = [kept[f"arr_{place}"] for place in range(len(kept))]
    names = [value.name for value in model.get_inputs()]
    return dict(zip(names, arrays, strict=False)), arrays[len(names) :]


def bits(arrays: list[np.ndarray]) -> list[tuple[str, tuple[int, ...], bytes]]:
    """Return what has to be equal where arrays have the same bits."""
    return [(array.dtype.name, array.shape, array.tobytes()) for array in arrays]
