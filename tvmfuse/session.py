"""ONNX Runtime's Python API, the part of it that inference uses.

Source: https://onnxruntime.ai/docs/api/python/api_summary.html. Where ONNX Runtime accepts a
mistake without a word (an unknown optimizer or configuration key), this says so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tvmfuse.errors import ConfigurationError, closest
from tvmfuse.levels import GraphOptimizationLevel, level_of
from tvmfuse.limits import Limits
from tvmfuse.starting import check_way, start
from tvmfuse.target import host_gpu

if TYPE_CHECKING:
    from tvmfuse.manifest import TensorSpec

DISABLE: Final = "optimization.disable_specified_optimizers"
GELU: Final = "optimization.enable_gelu_approximation"
SPIN: Final = "session.intra_op.allow_spinning"
SWITCHES: Final = (GELU, SPIN)
CONFIG_KEYS: Final = (DISABLE, *SWITCHES)
PROVIDERS: Final[Mapping[str, str]] = {
    "CPUExecutionProvider": "llvm",
    "CUDAExecutionProvider": "cuda",
}
TYPES: Final[Mapping[str, str]] = {
    "float32": "float",
    "float64": "double",
    "float16": "float16",
    "bfloat16": "bfloat16",
    "float8_e4m3fn": "float8e4m3fn",
    "float8_e4m3fnuz": "float8e4m3fnuz",
    "float8_e5m2": "float8e5m2",
    "float8_e5m2fnuz": "float8e5m2fnuz",
    "float8_e8m0fnu": "float8e8m0",
    "float4_e2m1fn": "float4e2m1",
}
UNSET_VERSION: Final = 2**63 - 1  # what ONNX Runtime answers for a model without a version


class SessionOptions:
    """How a session compiles its model.

    Attributes:
        graph_optimization_level: How far to optimize.
        optimized_model_filepath: Where to write the optimized graph; empty for nowhere.
        intra_op_num_threads: Threads for one kernel; 0 lets the runtime choose.
        limits: How much the model may ask for; None for `tvmfuse.Limits()`.
        fallback: "onnxruntime" where it shall compute what cannot be compiled; see `compile`.
        cache: Whether whole models and kernels are kept for the next session, in the user's cache
            folder, or in the folder named; False for neither.
        start: ``compiled`` waits for the compilation. ``at once`` has onnxruntime run the model
            until a process beside this one has compiled it; takes the extra `ort`. None is the
            latter where tvmfuse has onnxruntime's name in this process, else the former.
    """

    def __init__(self) -> None:
        self.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_ALL
        self.optimized_model_filepath = ""
        self.intra_op_num_threads = 0
        self.limits: Limits | None = None
        self.fallback: str | None = None
        self.cache: bool | str | os.PathLike[str] = True
        self._start: str | None = None
        self._dims: dict[str, int] = {}
        self._config: dict[str, str] = {}

    @property
    def start(self) -> str | None:
        """How a session begins.

        Raises:
            ConfigurationError: There is no such way.
        """
        return self._start

    @start.setter
    def start(self, how: str | None) -> None:
        check_way(how)
        self._start = how

    def add_free_dimension_override_by_name(self, name: str, value: int) -> None:
        """Fix a symbolic dimension.

        Args:
            name: As the model names it.
            value: Its size.
        """
        self._dims[name] = value

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Set a configuration entry.

        Args:
            key: ``optimization.disable_specified_optimizers``,
                ``optimization.enable_gelu_approximation`` or ``session.intra_op.allow_spinning``.
            value: Names of passes, separated by semicolons or commas; of the others ``1`` or ``0``.

        Raises:
            ConfigurationError: There is no such key, or it does not take this value.
        """
        if key not in CONFIG_KEYS:
            raise ConfigurationError(f"no configuration key {key!r}; {closest(key, CONFIG_KEYS)}")
        if key in SWITCHES and value not in ("0", "1"):
            raise ConfigurationError(f"{key}: expected '0' or '1', found {value!r}")
        self._config[key] = value

    def get_session_config_entry(self, key: str) -> str:
        """Return a configuration entry.

        Raises:
            ConfigurationError: It was not set.
        """
        if key not in self._config:
            raise ConfigurationError(f"configuration key {key!r} was not set")
        return self._config[key]

    @property
    def free_dimension_overrides(self) -> Mapping[str, int]:
        """The symbolic dimensions that were fixed."""
        return dict(self._dims)

    @property
    def disabled_optimizers(self) -> str:
        """The passes that the configuration switches off."""
        return self._config.get(DISABLE, "")

    @property
    def enabled_optimizers(self) -> str:
        """The passes that the configuration switches on."""
        return "GeluApproximation" if self._config.get(GELU) == "1" else ""

    @property
    def allow_spinning(self) -> bool:
        """Whether worker threads may wait actively; see `runtime.load`."""
        return self._config.get(SPIN) != "0"


@dataclass(frozen=True)
class NodeArg:
    """An input or an output.

    Attributes:
        name: As in the model.
        type: As ONNX Runtime writes it, ``tensor(float)``.
        shape: Integers, and names where a dimension is symbolic.
    """

    name: str
    type: str
    shape: list[int | str]

    @classmethod
    def of(cls, spec: TensorSpec) -> NodeArg:
        """Describe a tensor in ONNX Runtime's words."""
        if "(" in spec.dtype:  # a sequence, an optional value
            return cls(spec.name, re.sub(r"\w+", lambda n: TYPES.get(n[0], n[0]), spec.dtype), [])
        element = TYPES.get(spec.dtype, spec.dtype)
        return cls(spec.name, f"tensor({element})", list(spec.shape))


@dataclass(frozen=True)
class ModelMetadata:
    """What the model says of itself."""

    producer_name: str
    graph_name: str
    domain: str
    description: str
    version: int
    custom_metadata_map: Mapping[str, str]


class InferenceSession:
    """A compiled model, called as ONNX Runtime's session is.

    Args:
        path_or_bytes: An ONNX model, or a file that `optimized_model_filepath` wrote.
        sess_options: How to compile; by default everything.
        providers: The first one that this machine has decides the target. Pairs of a name and
            options are taken, too; the options are not looked at.
        provider_options: Not looked at.
        disabled_optimizers: Names of passes that do not run, beside the configuration's.

    Raises:
        TvmfuseError: The model, the options or a name is wrong.
    """

    def __init__(
        self,
        path_or_bytes: str | os.PathLike[str] | bytes,
        sess_options: SessionOptions | None = None,
        providers: Sequence[str | tuple[str, Mapping[str, Any]]] | None = None,
        provider_options: Sequence[Mapping[str, Any]] | None = None,
        *,
        disabled_optimizers: str | Iterable[str] = (),
    ) -> None:
        del provider_options
        options = sess_options or SessionOptions()
        self._options = options
        self._providers = _available(providers)
        names = disabled_optimizers
        more = [names] if isinstance(names, str) else names
        settings = {
            "target": PROVIDERS[self._providers[0]],
            "level": level_of(options.graph_optimization_level),
            "disabled_pass": [options.disabled_optimizers, *(more or ())],
            "enabled_pass": options.enabled_optimizers,
            "dims": options.free_dimension_overrides or None,
            "limits": options.limits,
            "fallback": options.fallback,
            "save_optimized": options.optimized_model_filepath or None,
        }
        self._executable = start(
            path_or_bytes,
            settings,
            how=options.start,
            cache=options.cache,
            num_threads=options.intra_op_num_threads or None,
            spin=options.allow_spinning,
        )

    @property
    def engine(self) -> str:
        """Which engine takes the next run: ``tvmfuse``, or ``onnxruntime`` at a start at once."""
        return str(getattr(self._executable, "engine", "tvmfuse"))

    def wait_until_compiled(self, timeout: float | None = None) -> bool:
        """Wait until tvmfuse runs the model, which it does from then on.

        Args:
            timeout: For how many seconds at most; None for as long as it takes.

        Returns:
            Whether it does. False after the compilation has failed, too, which is logged.
        """
        wait = getattr(self._executable, "wait", None)
        return True if wait is None else bool(wait(timeout))

    def run(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        run_options: object = None,
    ) -> list[np.ndarray]:
        """Run the model.

        Args:
            output_names: Which outputs, in which order; None or an empty list for all.
            input_feed: An array for each input.
            run_options: Not looked at.

        Raises:
            InputError: An input is missing, unknown or of the wrong type or shape, or an output
                is unknown.
        """
        del run_options
        found: list[np.ndarray] = self._executable.run(output_names or None, input_feed)
        return found

    def get_inputs(self) -> list[NodeArg]:
        """Return the inputs, in the model's order."""
        return [NodeArg.of(spec) for spec in self._executable.inputs]

    def get_overridable_initializers(self) -> list[NodeArg]:
        """Return the inputs that have a default: initializers that are graph inputs, too.

        Not among them, as in ONNX Runtime they would be, are those that kernels are made for:
        from which shapes, axes or counts follow.
        """
        return [NodeArg.of(spec) for spec in self._executable.overridable]

    def get_outputs(self) -> list[NodeArg]:
        """Return the outputs, in the model's order."""
        return [NodeArg.of(spec) for spec in self._executable.outputs]

    def get_modelmeta(self) -> ModelMetadata:
        """Return what the model says of itself."""
        words = self._executable.manifest.metadata
        return ModelMetadata(
            producer_name=words.get("producer_name", ""),
            graph_name=words.get("graph_name", ""),
            domain=words.get("domain", ""),
            description=words.get("description", ""),
            version=int(words.get("model_version", "0")) or UNSET_VERSION,
            custom_metadata_map=words.get("custom", {}),
        )

    def get_providers(self) -> list[str]:
        """Return the providers that serve this session, the deciding one first."""
        return list(self._providers)

    def get_session_options(self) -> SessionOptions:
        """Return the options that the session was made with."""
        return self._options


def _available(
    providers: Sequence[str | tuple[str, Mapping[str, Any]]] | None,
) -> tuple[str, ...]:
    names = [p if isinstance(p, str) else p[0] for p in providers or ("CPUExecutionProvider",)]
    for name in names:
        if name not in PROVIDERS:
            raise ConfigurationError(f"no provider is called {name!r}; {closest(name, PROVIDERS)}")
    here = [n for n in names if n in get_available_providers()]
    return tuple(dict.fromkeys([*here, "CPUExecutionProvider"]))


def get_available_providers() -> list[str]:
    """Return the providers that this machine has, the fastest first."""
    found = [] if host_gpu.compute_capability() is None else ["CUDAExecutionProvider"]
    return [*found, "CPUExecutionProvider"]
