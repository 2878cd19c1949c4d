"""How a session compiles and runs its model."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

import numpy as np

from tvmfuse.errors import ConfigurationError, closest
from tvmfuse.levels import GraphOptimizationLevel, level_of
from tvmfuse.limits import Limits
from tvmfuse.onnxruntime_api.devices import OrtEpDevice
from tvmfuse.onnxruntime_api.enums import (
    ExecutionMode,
    ExecutionOrder,
    OrtExecutionProviderDevicePolicy,
)
from tvmfuse.onnxruntime_api.exceptions import RefusedOptionError, UnknownOptionError
from tvmfuse.onnxruntime_api.logs import warn_of_no_effect, warn_of_unknown_key
from tvmfuse.onnxruntime_api.option_table import (
    ATTRIBUTES,
    KEYS,
    Fate,
    Option,
    declare,
    is_default,
)
from tvmfuse.onnxruntime_api.ort_value import OrtValue
from tvmfuse.starting import check_way

DISABLE: Final = "optimization.disable_specified_optimizers"
GELU: Final = "optimization.enable_gelu_approximation"
CASTS: Final = "optimization.enable_cast_chain_elimination"
SPIN: Final = "session.intra_op.allow_spinning"
NO_QDQ: Final = "session.disable_quant_qdq"
OPT_IN: Final = {GELU: "GeluApproximation", CASTS: "CastChainElimination"}
OF_QDQ: Final = ("QDQSelectorActionTransformer", "QDQPropagationTransformer", "LookupTableFusion")
"""The passes that compute between quantized tensors in integers."""

OURS: Final[dict[str, Any]] = {"cache": True, "fallback": None, "limits": None, "start": None}
"""The attributes that onnxruntime has not."""

defaults: Final[dict[str, Any]] = {}
"""What new options have where that is not what `OURS` says; `replace_onnxruntime` sets it."""

global_threads: Final[list[int]] = [0]
"""What `set_global_thread_pool_sizes` was told."""

LONGEST_KEY: Final = 1024


@dataclass
class Given:
    """What a caller gave beside numbers and texts.

    Attributes:
        denotations: Sizes by the denotation of dimensions.
        initializers: Arrays that take an initializer's place, by its name.
        external: Arrays of initializers that lie beside the model, by name.
        files: Contents of files beside the model, by name.
        providers: Options of execution providers, by name.
        cancelled: Whether sessions shall fail.
    """

    denotations: dict[str, int] = field(default_factory=dict)
    initializers: dict[str, np.ndarray] = field(default_factory=dict)
    external: dict[str, np.ndarray] = field(default_factory=dict)
    files: dict[str, memoryview] = field(default_factory=dict)
    providers: dict[str, dict[str, str]] = field(default_factory=dict)
    cancelled: bool = False


class SessionOptions:
    """How a session compiles and runs its model: onnxruntime's attributes, and four of ours.

    Which attributes and keys are honoured stands in `docs/onnxruntime-api.md`. One that has no
    effect here is accepted, and a session warns of it once.

    Attributes:
        graph_optimization_level: How far to optimize.
        optimized_model_filepath: Where to write the optimized graph; empty for nowhere.
        intra_op_num_threads: Threads for one kernel; 0 lets the runtime choose.
        enable_profiling: Whether runs are traced; `InferenceSession.end_profiling` writes it.
        profile_file_prefix: What the trace's name begins with.
        log_severity_level: From which severity on the session speaks; -1 for the default.
        logid: What it calls itself then.
        limits: How much the model may ask for; None for `tvmfuse.Limits()`.
        fallback: "onnxruntime" where it shall compute what cannot be compiled; see `compile`.
        cache: Whether whole models and kernels are kept for the next session, in the user's cache
            folder, or in the folder named; False for neither.
        start: ``compiled`` waits for the compilation. ``at once`` has onnxruntime run the model
            until a process beside this one has compiled it; takes the extra `ort`. None is the
            latter where tvmfuse has onnxruntime's name in this process, else the former.
    """

    graph_optimization_level: GraphOptimizationLevel
    optimized_model_filepath: str
    intra_op_num_threads: int
    inter_op_num_threads: int
    enable_profiling: bool
    profile_file_prefix: str
    log_severity_level: int
    log_verbosity_level: int
    logid: str
    enable_cpu_mem_arena: bool
    enable_mem_pattern: bool
    enable_mem_reuse: bool
    execution_mode: ExecutionMode
    execution_order: ExecutionOrder
    use_deterministic_compute: bool
    use_per_session_threads: bool
    limits: Limits | None
    fallback: str | None
    cache: bool | str | os.PathLike[str]
    start: str | None
    given: Given
    _dims: dict[str, int]
    _config: dict[str, str]

    def __init__(self) -> None:
        started = {name: option.default for name, option in ATTRIBUTES.items()}
        self.__dict__.update(started | OURS | defaults)
        self.__dict__.update(_dims={}, _config={}, given=Given())

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ATTRIBUTES and name not in OURS:
            raise UnknownOptionError(
                f"SessionOptions has no attribute {name!r}; {closest(name, {*ATTRIBUTES, *OURS})}"
            )
        if name == "start":
            check_way(value)
        self.__dict__[name] = value if name in OURS else taken(name, ATTRIBUTES[name], value)

    def add_free_dimension_override_by_name(self, name: str, value: int) -> None:
        """Fix a symbolic dimension.

        Args:
            name: As the model names it.
            value: Its size.
        """
        self._dims[name] = int(value)

    def add_free_dimension_override_by_denotation(self, denotation: str, value: int) -> None:
        """Fix the dimensions of inputs that have a denotation.

        Args:
            denotation: As the model says it, ``DATA_BATCH``.
            value: Their size.
        """
        self.given.denotations[denotation] = int(value)

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Set a configuration entry.

        Args:
            key: One of onnxruntime's; an unknown one is kept, and a warning names a close one.
            value: Its value, a text.

        Raises:
            ConfigurationError: The key is empty or too long, or the value is no text or none that
                a key that is honoured takes.
            RefusedOptionError: What it promises is not kept here.
        """
        if not isinstance(key, str) or not isinstance(value, str):
            raise TypeError(f"expected two texts, found {key!r} and {value!r}")
        if not 0 < len(key) <= LONGEST_KEY:
            raise RefusedOptionError(
                f"Config key is empty or longer than maximum length {LONGEST_KEY}"
            )
        option = KEYS.get(key)
        if option is None and key.removeprefix("session.") not in ATTRIBUTES:
            warn_of_unknown_key(key, KEYS)
        if option is not None:
            _check_entry(key, option, value)
        self._config[key] = value

    def get_session_config_entry(self, key: str) -> str:
        """Return a configuration entry.

        Raises:
            RefusedOptionError: It was not set.
        """
        if key not in self._config:
            raise RefusedOptionError(
                f"SessionOptions does not have configuration with key: {key}; it was not set"
            )
        return self._config[key]

    def add_initializer(self, name: str, ort_value: Any) -> None:
        """Have the model take other numbers for an initializer.

        Args:
            name: The initializer's.
            ort_value: An `OrtValue` with its shape and dtype.
        """
        self.given.initializers[name] = _array(ort_value)

    def add_external_initializers(self, names: Sequence[str], ort_values: Sequence[Any]) -> None:
        """Give initializers that the model says lie in other files.

        Args:
            names: Theirs.
            ort_values: An `OrtValue` for each.
        """
        if len(names) != len(ort_values):
            raise RefusedOptionError(f"{len(names)} names, and {len(ort_values)} values")
        self.given.external.update(zip(names, map(_array, ort_values), strict=True))

    def add_external_initializers_from_files_in_memory(
        self, names: Sequence[str], buffers: Sequence[Any], lengths: Sequence[int]
    ) -> None:
        """Give the contents of files in which the model's initializers lie.

        Args:
            names: The files', as the model names them.
            buffers: Their bytes.
            lengths: How many these are.
        """
        for name, buffer, length in zip(names, buffers, lengths, strict=True):
            self.given.files[name] = memoryview(buffer)[: int(length)]

    def add_provider(self, name: str, options: Mapping[str, str]) -> None:
        """Add an execution provider, as a session's argument `providers` would."""
        self.given.providers[name] = {str(key): str(value) for key, value in options.items()}

    def add_provider_for_devices(
        self, devices: Sequence[OrtEpDevice], options: Mapping[str, str]
    ) -> None:
        """Add the execution provider of some devices."""
        for device in devices:
            self.add_provider(device.ep_name, options)

    def has_providers(self) -> bool:
        """Whether execution providers were added."""
        return bool(self.given.providers)

    def set_provider_selection_policy(self, policy: OrtExecutionProviderDevicePolicy) -> None:
        """Prefer a kind of device; where it is not there, the CPU."""
        gpu = OrtExecutionProviderDevicePolicy.PREFER_GPU
        if policy in (gpu, OrtExecutionProviderDevicePolicy.MAX_PERFORMANCE):
            self.add_provider("CUDAExecutionProvider", {})
        self.add_provider("CPUExecutionProvider", {})

    def set_provider_selection_policy_delegate(self, delegate: Any) -> None:
        """Refuse to let a function choose devices.

        Raises:
            RefusedOptionError: Always.
        """
        raise RefusedOptionError("no function chooses devices here: name providers")

    def register_custom_ops_library(self, path: str) -> None:
        """Refuse operators of somebody else's library: they are not compiled.

        Raises:
            RefusedOptionError: Always.
        """
        raise RefusedOptionError(f"operators of {path!r} cannot be compiled: write them in ONNX's")

    def set_load_cancellation_flag(self, value: bool) -> None:  # noqa: FBT001
        """Have sessions that are made with these options from now on fail."""
        self.given.cancelled = bool(value)

    def set_ep_context_data_read_func(self, read_func: Any, max_data_size: int) -> None:
        """Refuse: EPContext models are not read.

        Raises:
            RefusedOptionError: Always.
        """
        raise RefusedOptionError("EPContext models are not read here")

    def clear_ep_context_data_read_func(self) -> None:
        """Do nothing: there is none."""

    def warn(self) -> None:
        """Warn of what was set and has no effect."""
        found = {
            name: option
            for name, option in ATTRIBUTES.items()
            if not is_default(option, getattr(self, name))
        }
        if self.inter_op_num_threads in (-1, 1):
            found.pop("inter_op_num_threads", None)  # just what is done
        found |= {
            key: KEYS[key]
            for key, value in self._config.items()
            if key in KEYS and not is_default(KEYS[key], value)
        }
        words = [f"{n} ({o.why})" for n, o in found.items() if o.fate is Fate.NO_EFFECT]
        warn_of_no_effect(words, self.log_severity_level)

    def entry(self, key: str, default: str = "") -> str:
        """Return a configuration entry, or another text where it was not set."""
        return self._config.get(key, default)

    @property
    def free_dimension_overrides(self) -> Mapping[str, int]:
        """The symbolic dimensions that were fixed."""
        return dict(self._dims)

    @property
    def disabled_optimizers(self) -> list[str]:
        """The passes that the configuration switches off."""
        of_qdq = OF_QDQ if self.entry(NO_QDQ) == "1" else ()
        return [self.entry(DISABLE), *of_qdq]

    @property
    def enabled_optimizers(self) -> list[str]:
        """The passes that the configuration switches on."""
        return [name for key, name in OPT_IN.items() if self.entry(key) == "1"]

    @property
    def allow_spinning(self) -> bool:
        """Whether worker threads may wait actively; see `runtime.load`."""
        return self.entry(SPIN) != "0"

    @property
    def num_threads(self) -> int | None:
        """Threads for one kernel, None where the runtime chooses."""
        own = self.intra_op_num_threads if self.use_per_session_threads else global_threads[0]
        return own if own > 0 else None


declare(SessionOptions, ATTRIBUTES)


def taken(name: str, option: Option, value: Any) -> Any:
    """Return a value as an attribute holds it.

    Raises:
        TypeError: It is of another type.
        ConfigurationError: There is no such optimization level.
    """
    default = option.default
    if isinstance(default, GraphOptimizationLevel):
        return level_of(value)
    if isinstance(default, IntEnum):
        if type(value) is type(default):
            return value
    elif isinstance(default, bool):
        if value is None or isinstance(value, int | float):
            return bool(value)
    elif isinstance(default, int):
        if hasattr(value, "__index__"):
            return int(value)
    elif isinstance(value, str | os.PathLike):
        return os.fspath(value)
    raise TypeError(
        f"{name}: expected {type(default).__name__}, found {value!r} of {type(value).__name__}"
    )


def _check_entry(key: str, option: Option, value: str) -> None:
    is_switch = option.fate is Fate.HONOURED and option.default in ("0", "1")
    if is_switch and value not in ("0", "1"):
        raise ConfigurationError(f"{key}: expected '0' or '1', found {value!r}")
    if option.fate is Fate.REFUSED and not is_default(option, value):
        raise RefusedOptionError(f"{key}={value!r} is refused: {option.why}")


def _array(value: Any) -> Any:
    if not isinstance(value, OrtValue):
        raise RefusedOptionError(f"expected an OrtValue, found {type(value).__name__}")
    return value.numpy()
