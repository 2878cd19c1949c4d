"""How one run is done."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tvmfuse.errors import InputError, TvmfuseError, closest
from tvmfuse.onnxruntime_api.adapters import LoraAdapter
from tvmfuse.onnxruntime_api.exceptions import (
    Fail,
    RefusedOptionError,
    UnknownOptionError,
    raise_as,
)
from tvmfuse.onnxruntime_api.logs import warn_of_unknown_key
from tvmfuse.onnxruntime_api.option_table import RUN_KEYS, Fate, Option, declare
from tvmfuse.onnxruntime_api.session_options import taken

ATTRIBUTES: Final = {
    "log_severity_level": Option(-1, Fate.HOLDS, "a run says nothing"),
    "log_verbosity_level": Option(0, Fate.HOLDS, "a run says nothing"),
    "logid": Option("", Fate.HOLDS, "a run says nothing"),
    "only_execute_path_to_fetches": Option(
        default=False, fate=Fate.HOLDS, why="all outputs are computed, and those asked for returned"
    ),
    "terminate": Option(
        default=False, fate=Fate.HONOURED, why="a run fails before it begins, or when it is done"
    ),
}
"""The attributes of onnxruntime's RunOptions."""


class RunOptions:
    """How one run is done.

    Attributes:
        terminate: Whether runs with these options shall fail: before they begin or, set by another
            thread meanwhile, when they are done. Kernels are not interrupted.
    """

    terminate: bool
    _config: dict[str, str]
    _adapters: list[LoraAdapter]

    def __init__(self) -> None:
        self.__dict__.update({name: option.default for name, option in ATTRIBUTES.items()})
        self.__dict__.update(_config={}, _adapters=[])

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ATTRIBUTES:
            raise UnknownOptionError(
                f"RunOptions has no attribute {name!r}; {closest(name, ATTRIBUTES)}"
            )
        self.__dict__[name] = taken(name, ATTRIBUTES[name], value)

    def add_run_config_entry(self, key: str, value: str) -> None:
        """Set a configuration entry; an unknown one is kept, and a warning names a close one."""
        if not isinstance(key, str) or not isinstance(value, str):
            raise TypeError(f"expected two texts, found {key!r} and {value!r}")
        if key not in RUN_KEYS:
            warn_of_unknown_key(key, RUN_KEYS)
        self._config[key] = value

    def get_run_config_entry(self, key: str) -> str:
        """Return a configuration entry.

        Raises:
            RefusedOptionError: It was not set.
        """
        if key not in self._config:
            raise RefusedOptionError(f"RunOptions does not have configuration with key: {key}")
        return self._config[key]

    def add_active_adapter(self, adapter: LoraAdapter) -> None:
        """Have runs take an adapter's tensors for the initializers of their names."""
        self._adapters.append(adapter)

    def adapted(self) -> dict[str, np.ndarray]:
        """Return the tensors of the adapters by name."""
        found: dict[str, np.ndarray] = {}
        for adapter in self._adapters:
            found |= adapter.tensors
        return found

    def check(self) -> None:
        """Fail if the run is to be ended.

        Raises:
            TvmfuseError: It is; it is onnxruntime's `Fail`.
        """
        if self.terminate:
            raise_as(TvmfuseError("Exiting due to terminate flag being set to true."), Fail)


declare(RunOptions, ATTRIBUTES)


def checked(options: object) -> RunOptions | None:
    """Return the options of a run; None for the usual ones.

    Raises:
        InputError: It is something else.
    """
    if options is not None and not isinstance(options, RunOptions):
        raise_as(InputError(f"expected RunOptions, found {type(options).__name__}"), TypeError)
    return options
