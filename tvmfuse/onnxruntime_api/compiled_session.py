"""A model that runs, under the names that onnxruntime's native session has.

`InferenceSession._sess` is one; `onnxruntime.capi` calls it ``InferenceSession``.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tvmfuse.errors import FallbackWarning, InputError, SizesError, TvmfuseError
from tvmfuse.onnxruntime_api import logs
from tvmfuse.onnxruntime_api.devices import CPU_MEMORY, OrtDevice, OrtEpDevice, OrtMemoryInfo
from tvmfuse.onnxruntime_api.exceptions import (
    Fail,
    ModelLoadCanceled,
    ProviderError,
    RefusedOptionError,
    raise_as,
)
from tvmfuse.onnxruntime_api.executables import open_executable, open_fallback
from tvmfuse.onnxruntime_api.feeds import Feeds
from tvmfuse.onnxruntime_api.model_source import check_source, configure, nodes_of
from tvmfuse.onnxruntime_api.node_arg import ModelMetadata, NodeArg, OrtEpAssignedSubgraph
from tvmfuse.onnxruntime_api.ort_value import OrtValue, OrtValueVector
from tvmfuse.onnxruntime_api.outputs import Outputs
from tvmfuse.onnxruntime_api.profiling import Profiler
from tvmfuse.onnxruntime_api.providers import CPU, CUDA, TARGETS, serving
from tvmfuse.onnxruntime_api.run_options import RunOptions, checked
from tvmfuse.onnxruntime_api.session_options import SessionOptions
from tvmfuse.tensor_spec import TensorSpec

if TYPE_CHECKING:
    from tvmfuse.runtime.executable import Executable

RECORD = "session.record_ep_graph_assignment_info"
NO_CPU = "session.disable_cpu_ep_fallback"

UNKNOWN: Any = object()
"""What stands for a fallback that nothing was asked of."""

Callback = Callable[[Sequence[Any], Any, str], Any]


class CompiledSession:
    """A model, and after `initialize_session` the executable of it.

    Args:
        session_options: How to compile it.
        path_or_bytes: Where it is, or its bytes.
        is_path: Which of both; not looked at, since the type says it.
        read_config_from_model: Whether the model may state options.

    Attributes:
        executable: What runs.
    """

    executable: Executable

    def __init__(
        self,
        session_options: SessionOptions,
        path_or_bytes: str | bytes,
        is_path: bool = True,  # noqa: FBT001, FBT002
        read_config_from_model: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        del is_path
        if not isinstance(session_options, SessionOptions):
            found = type(session_options).__name__
            raise_as(InputError(f"expected SessionOptions, found {found}"), TypeError)
        check_source(path_or_bytes)
        if read_config_from_model:
            configure(path_or_bytes, session_options)
        self.session_options = session_options
        self._source = path_or_bytes
        self._lock, self._fallback = threading.Lock(), UNKNOWN
        self._profiler: Profiler | None = None
        if session_options.enable_profiling:
            self._profiler = Profiler(session_options.profile_file_prefix)
            # What nobody ends is written when the session goes, or the process.
            weakref.finalize(self, self._profiler.end)

    def initialize_session(
        self,
        providers: Sequence[str],
        provider_options: Sequence[Mapping[str, str]],
        disabled_optimizers: Collection[str],
    ) -> None:
        """Make the executable.

        Args:
            providers: The first that this machine has decides the target.
            provider_options: For each.
            disabled_optimizers: Names of passes that do not run.

        Raises:
            ProviderError: There is no such provider.
            TvmfuseError: The model, the options or a name is wrong.
        """
        options = self.session_options
        given = dict(zip(providers, provider_options, strict=True)) or options.given.providers
        self._providers = serving([*given])
        self._provider_options = {
            name: {} if name == CPU else dict(given.get(name, {})) for name in self._providers
        }
        self._check(self._providers[0])
        options.warn()
        start = time.perf_counter()
        try:
            self.executable = self._noted("session_initialization", lambda: open_executable(
                self._source, options, TARGETS[self._providers[0]], [*disabled_optimizers]
            ))  # fmt: skip
        except TvmfuseError as error:
            raise_as(error)
        took = time.perf_counter() - start
        self._say(logs.INFO, f"{self._providers[0]} serves the model after {took:.2f} s")
        self._feeds = Feeds(self.executable.inputs, self.executable.overridable)
        self._outputs = Outputs(self.executable.outputs, self.executable.manifest.metadata)

    def run(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        run_options: object = None,
    ) -> list[Any]:
        """Run the model; see `InferenceSession.run`."""
        options = checked(run_options)
        if options is not None:
            options.check()
            input_feed = {**options.adapted(), **input_feed}
        if not isinstance(input_feed, Mapping):
            found = type(input_feed).__name__
            words = f"expected a mapping from names to inputs, a dict, found {found}"
            raise_as(InputError(words), TypeError)
        names, feeds = self._outputs.asked(output_names), self._feeds.taken(input_feed)
        tensors = self._outputs.tensors(names)
        try:
            if self._profiler is None:
                results: list[Any] = self.executable.run(tensors, feeds)
            else:
                results = self._profiler.run(self.executable, tensors, feeds)
        except InputError as error:
            if (elsewhere := self._by_onnxruntime(tensors, feeds, error)) is None:
                self._feeds.raise_refused(error, feeds)
            else:
                results = elsewhere
        except TvmfuseError as error:
            raise_as(error)
        if options is not None:
            options.check()  # another thread may have asked for the end
        return self._outputs.joined(names, results)

    def _by_onnxruntime(
        self, names: Sequence[str] | None, feeds: Mapping[str, Any], error: InputError
    ) -> list[Any] | None:
        """Return what onnxruntime makes of sizes that the compiled model does not take.

        Returns:
            None where it is no fallback here, or refuses these inputs, too.
        """
        if not isinstance(error, SizesError):
            return None
        with self._lock:
            is_first = self._fallback is UNKNOWN
            if is_first:
                self._fallback = open_fallback(self._source, self.session_options)
        try:
            found = None if self._fallback is None else list(self._fallback.run(names, feeds))
        except InputError:
            return None
        if is_first and found is not None:
            words = f"onnxruntime runs inputs of sizes that are not compiled: {error}"
            logs.warn_caller(words, FallbackWarning)
        return found

    def run_with_ort_values(
        self,
        input_dict: Mapping[str, OrtValue],
        output_names: Sequence[str] | None,
        run_options: RunOptions | None = None,
    ) -> OrtValueVector:
        """Run the model on values, and return values."""
        results = self.run(output_names, input_dict, run_options)
        names = self._outputs.asked(output_names)
        return OrtValueVector(
            OrtValue.holding(result, self._outputs.type_of(name))
            for name, result in zip(names, results, strict=True)
        )

    def run_with_ortvaluevector(
        self,
        run_options: RunOptions | None,
        feed_names: Sequence[str],
        feeds: Sequence[OrtValue],
        fetch_names: Sequence[str],
        fetches: OrtValueVector,
        fetch_devices: Sequence[OrtDevice],
    ) -> None:
        """Run the model on values, and put its outputs into a vector."""
        del fetch_devices
        given = dict(zip(feed_names, feeds, strict=True))
        fetches[:] = self.run_with_ort_values(given, fetch_names, run_options)

    def run_async(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        callback: Callback,
        user_data: Any,
        run_options: RunOptions | None = None,
    ) -> None:
        """Run the model in another thread; see `InferenceSession.run_async`."""

        def work() -> None:
            try:
                results = self.run(output_names, input_feed, run_options)
            except Exception as error:  # the caller has to hear of whatever it is
                callback([], user_data, str(error) or type(error).__name__)
            else:
                callback(results, user_data, "")

        threading.Thread(target=work, name="tvmfuse.run_async", daemon=True).start()

    def run_with_iobinding(self, io_binding: Any, run_options: RunOptions | None = None) -> None:
        """Run the model on what is bound.

        Raises:
            InputError: It does not fit the model.
        """
        io_binding.run_bound(run_options)

    @property
    def inputs_meta(self) -> list[NodeArg]:
        """The inputs, in the model's order."""
        return [NodeArg.of(spec) for spec in self.executable.inputs]

    @property
    def outputs_meta(self) -> list[NodeArg]:
        """The outputs, in the model's order."""
        return list(self._outputs.args)

    @property
    def overridable_initializers(self) -> list[NodeArg]:
        """The inputs that have a default."""
        return [NodeArg.of(spec) for spec in self.executable.overridable]

    @property
    def model_meta(self) -> ModelMetadata:
        """What the model says of itself."""
        return ModelMetadata.of(self.executable.manifest.metadata)

    @property
    def input_meminfos(self) -> list[OrtMemoryInfo]:
        """The memory of each input."""
        return [CPU_MEMORY] * len(self.executable.inputs)

    @property
    def output_meminfos(self) -> list[OrtMemoryInfo]:
        """The memory of each output."""
        return [CPU_MEMORY] * len(self._outputs.args)

    @property
    def input_epdevices(self) -> list[OrtEpDevice | None]:
        """The device of each input: none is chosen."""
        return [None] * len(self.executable.inputs)

    @property
    def get_profiling_start_time_ns(self) -> int:
        """When profiling began, in `time.monotonic_ns`; 0 where it did not."""
        return 0 if self._profiler is None else self._profiler.started

    def get_providers(self) -> list[str]:
        """Return the providers that serve it, the deciding one first."""
        return list(self._providers)

    def get_provider_options(self) -> dict[str, dict[str, str]]:
        """Return the options of each provider."""
        return {name: dict(options) for name, options in self._provider_options.items()}

    def end_profiling(self) -> str:
        """Write the trace, and return the file's name; empty where nothing was traced."""
        return "" if self._profiler is None else self._profiler.end()

    def get_provider_graph_assignment_info(self) -> list[OrtEpAssignedSubgraph]:
        """Return the model's nodes, each with the provider that computes it.

        Raises:
            TvmfuseError: The options did not ask for that.
        """
        if self.session_options.entry(RECORD) != "1":
            raise_as(
                TvmfuseError(
                    f"Session configuration entry '{RECORD}' must be set to \"1\" to retrieve EP "
                    "graph assignment information."
                ),
                Fail,
            )
        nodes = nodes_of(self._source)
        return [OrtEpAssignedSubgraph(self._providers[0], (node,)) for node in nodes]

    def get_tuning_results(self) -> list[Any]:
        """Return no results: nothing is tuned while it runs."""
        return []

    def set_tuning_results(self, results: list[Any], error_on_invalid: bool = False) -> None:  # noqa: FBT001, FBT002
        """Refuse results where there are any, and that was asked for."""
        if results and error_on_invalid:
            raise RefusedOptionError("no tuning results are taken: nothing is tuned in a run")

    def set_ep_dynamic_options(self, options: Mapping[str, str]) -> None:
        """Warn that no option changes how a session runs that is there."""
        logs.warn_of_no_effect([*options], self.session_options.log_severity_level)

    def is_webgpu_graph_capture_enabled(self) -> bool:
        """Return False: no graph is captured."""
        return False

    def webgpu_context_id(self) -> int:
        """Return -1: there is no WebGPU."""
        return -1

    def release_captured_graph(self, graph_annotation_id: int) -> None:
        """Do nothing: no graph is captured."""

    def create_ortvalue_from_shape_and_type(
        self, shape: Sequence[int], element_type: Any, device: OrtDevice
    ) -> OrtValue:
        """Return a value in new memory."""
        return OrtValue.ortvalue_from_shape_and_type(shape, element_type, device)

    create_ortvalue_from_shape_and_onnx_type = create_ortvalue_from_shape_and_type

    def spec_of_input(self, name: str) -> TensorSpec | None:
        """Return what an input takes; None where there is none of this name."""
        return self._feeds.specs.get(name)

    def _check(self, provider: str) -> None:
        options = self.session_options
        if options.given.cancelled:
            words = "Session initialization canceled due to user request."
            raise_as(TvmfuseError(words), ModelLoadCanceled)
        if options.entry(NO_CPU) == "1" and provider != CUDA:
            raise_as(
                TvmfuseError(f"{NO_CPU} is set, and no other provider than the CPU's is here"), Fail
            )
        if self._provider_options.get(CUDA, {}).get("device_id", "0") != "0":
            raise ProviderError("device_id: expected 0, the GPU that models are compiled for")

    def _noted(self, name: str, work: Callable[[], Any]) -> Any:
        return work() if self._profiler is None else self._profiler.noted(name, work)

    def _say(self, severity: int, words: str) -> None:
        options = self.session_options
        logs.say(severity, words, own=options.log_severity_level, logid=options.logid)
