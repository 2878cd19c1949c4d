"""A compiled model, called as ONNX Runtime's session is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tvmfuse.errors import InputError
from tvmfuse.onnxruntime_api.compiled_session import Callback, CompiledSession
from tvmfuse.onnxruntime_api.devices import OrtDevice, OrtEpDevice, OrtMemoryInfo
from tvmfuse.onnxruntime_api.exceptions import ProviderError, raise_as
from tvmfuse.onnxruntime_api.io_binding import IOBinding
from tvmfuse.onnxruntime_api.logs import warn_caller, warn_of_no_effect
from tvmfuse.onnxruntime_api.node_arg import ModelMetadata, NodeArg, OrtEpAssignedSubgraph
from tvmfuse.onnxruntime_api.ort_value import OrtValue, OrtValueVector
from tvmfuse.onnxruntime_api.providers import (
    CPU,
    Providers,
    check_and_normalize_provider_args,
    get_available_providers,
)
from tvmfuse.onnxruntime_api.run_options import RunOptions
from tvmfuse.onnxruntime_api.session_options import SessionOptions

READ_CONFIG = "ORT_LOAD_CONFIG_FROM_MODEL"


class Session:
    """What onnxruntime's sessions have; `InferenceSession` is one that can be made."""

    _sess: CompiledSession

    def run(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        run_options: RunOptions | None = None,
    ) -> list[Any]:
        """Run the model.

        Args:
            output_names: Which outputs, in which order; None or an empty list for all.
            input_feed: For each input an array of just its dtype, a list of numbers, an
                `OrtValue`, or what else `Executable.run` takes.
            run_options: How.

        Returns:
            An array for each output; a list for a sequence.

        Raises:
            InputError: An input is missing, unknown or of the wrong type or shape, or an output
                is unknown. It is onnxruntime's `InvalidArgument`, too.
        """
        return self._sess.run(output_names, input_feed, run_options)

    def run_async(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        callback: Callback,
        user_data: Any,
        run_options: RunOptions | None = None,
    ) -> None:
        """Run the model in another thread.

        Args:
            output_names: Which outputs; None for all.
            input_feed: The inputs.
            callback: Called there with the outputs, `user_data`, and an empty text or the error's.
            user_data: Handed to it.
            run_options: How.
        """
        self._sess.run_async(output_names, input_feed, callback, user_data, run_options)

    def run_with_ort_values(
        self,
        output_names: Sequence[str] | None,
        input_dict_ort_values: Mapping[str, OrtValue],
        run_options: RunOptions | None = None,
    ) -> list[OrtValue]:
        """Run the model on values, and return values."""
        for name, value in input_dict_ort_values.items():
            if not hasattr(value, "_get_c_value"):
                words = f"input {name!r}: expected an OrtValue, found {type(value).__name__}"
                raise_as(InputError(words), TypeError)
        return list(
            self._sess.run_with_ort_values(input_dict_ort_values, output_names, run_options)
        )

    def run_with_ortvaluevector(
        self,
        run_options: RunOptions | None,
        feed_names: Sequence[str],
        feeds: Sequence[OrtValue],
        fetch_names: Sequence[str],
        fetches: OrtValueVector,
        fetch_devices: Sequence[OrtDevice] = (),
    ) -> None:
        """Run the model on values, and put its outputs into a vector."""
        self._sess.run_with_ortvaluevector(
            run_options, feed_names, feeds, fetch_names, fetches, fetch_devices
        )

    def io_binding(self) -> IOBinding:
        """Return what binds this session's inputs and outputs to memory."""
        return IOBinding(self)

    def run_with_iobinding(
        self, iobinding: IOBinding, run_options: RunOptions | None = None
    ) -> None:
        """Run the model on what is bound.

        Raises:
            ValueError: It binds another session's inputs.
            InputError: It does not fit the model.
        """
        if iobinding.bound_session is not self._sess:
            raise ValueError("IOBinding must be used with the session that created it.")
        self._sess.run_with_iobinding(iobinding, run_options)

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

    def get_inputs(self) -> list[NodeArg]:
        """Return the inputs, in the model's order."""
        return self._sess.inputs_meta

    def get_outputs(self) -> list[NodeArg]:
        """Return the outputs, in the model's order."""
        return self._sess.outputs_meta

    def get_overridable_initializers(self) -> list[NodeArg]:
        """Return the inputs that have a default: initializers that are graph inputs, too.

        Not among them, as in ONNX Runtime they would be, are those that kernels are made for:
        from which shapes, axes or counts follow.
        """
        return self._sess.overridable_initializers

    def get_modelmeta(self) -> ModelMetadata:
        """Return what the model says of itself."""
        return self._sess.model_meta

    def get_input_memory_infos(self) -> list[OrtMemoryInfo]:
        """Return the memory of each input: the CPU's."""
        return self._sess.input_meminfos

    def get_output_memory_infos(self) -> list[OrtMemoryInfo]:
        """Return the memory of each output: the CPU's."""
        return self._sess.output_meminfos

    def get_input_epdevices(self) -> list[OrtEpDevice | None]:
        """Return the device of each input: None, none is chosen."""
        return self._sess.input_epdevices

    def get_providers(self) -> list[str]:
        """Return the providers that serve this session, the deciding one first."""
        return self._sess.get_providers()

    def get_provider_options(self) -> dict[str, dict[str, str]]:
        """Return the options of each provider."""
        return self._sess.get_provider_options()

    def get_provider_graph_assignment_info(self) -> list[OrtEpAssignedSubgraph]:
        """Return the model's nodes, each with the provider that computes it."""
        return self._sess.get_provider_graph_assignment_info()

    def get_session_options(self) -> SessionOptions:
        """Return the options that the session was made with."""
        return self._sess.session_options

    def end_profiling(self) -> str:
        """Write the trace of all runs, and return the file's name; empty where none was asked."""
        return self._sess.end_profiling()

    def get_profiling_start_time_ns(self) -> int:
        """Return when profiling began, in `time.monotonic_ns`; 0 where it did not."""
        return self._sess.get_profiling_start_time_ns

    def create_ortvalue_from_shape_and_type(
        self,
        shape: Sequence[int],
        element_type: Any,
        device_type: str,
        device_id: int = 0,
        vendor_id: int = -1,
    ) -> OrtValue:
        """Return a value in new memory."""
        return OrtValue.ortvalue_from_shape_and_type(
            shape, element_type, device_type, device_id, vendor_id
        )

    def release_captured_graph(self, graph_annotation_id: int = 0) -> None:
        """Do nothing: no graph is captured."""

    def set_ep_dynamic_options(self, options: Mapping[str, str]) -> None:
        """Warn that no option changes how a session runs that is there."""
        self._sess.set_ep_dynamic_options(options)

    def get_tuning_results(self) -> list[Any]:
        """Return no results: nothing is tuned while it runs."""
        return self._sess.get_tuning_results()

    def set_tuning_results(self, results: list[Any], *, error_on_invalid: bool = False) -> None:
        """Refuse results where there are any, and that was asked for."""
        self._sess.set_tuning_results(results, error_on_invalid)

    @property
    def _inputs_meta(self) -> list[NodeArg]:
        return self._sess.inputs_meta

    @property
    def _outputs_meta(self) -> list[NodeArg]:
        return self._sess.outputs_meta

    @property
    def _overridable_initializers(self) -> list[NodeArg]:
        return self._sess.overridable_initializers

    @property
    def _model_meta(self) -> ModelMetadata:
        return self._sess.model_meta

    @property
    def _providers(self) -> list[str]:
        return self._sess.get_providers()

    @property
    def _provider_options(self) -> dict[str, dict[str, str]]:
        return self._sess.get_provider_options()

    @property
    def _executable(self) -> Any:
        return self._sess.executable


class InferenceSession(Session):
    """A compiled model, called as ONNX Runtime's session is.

    What goes wrong is a `TvmfuseError`, and onnxruntime's exception for the same mistake, too.

    Args:
        path_or_bytes: An ONNX model, or a file that `optimized_model_filepath` or `Artifact.save`
            wrote.
        sess_options: How to compile; by default everything.
        providers: The first one that this machine has decides the target. Pairs of a name and
            options are taken, too. One that is not here is warned of, and so is a name that is
            none, where the fallback to the CPU is not switched off.
        provider_options: Options for each, where `providers` has names alone.
        kwargs: ``disabled_optimizers``, names of passes that do not run, beside the
            configuration's; ``enable_fallback=0``; ``read_config_from_model=1``.

    Raises:
        TvmfuseError: The model, the options or a name is wrong.
    """

    def __init__(
        self,
        path_or_bytes: str | os.PathLike[str] | bytes,
        sess_options: SessionOptions | None = None,
        providers: Providers | None = None,
        provider_options: Sequence[Mapping[Any, Any]] | None = None,
        **kwargs: Any,
    ) -> None:
        self._model_path: str | None = None
        self._model_bytes: bytes | None = None
        if isinstance(path_or_bytes, str | os.PathLike):
            self._model_path = os.fspath(path_or_bytes)
        elif isinstance(path_or_bytes, bytes):
            self._model_bytes = path_or_bytes
        else:
            found = type(path_or_bytes)
            raise_as(InputError(f"Unable to load from type '{found}'"), TypeError)
        self._sess_options_initial = sess_options
        self._enable_fallback = int(kwargs.pop("enable_fallback", 1)) == 1
        self._fallback_providers = [CPU]
        asked = kwargs.pop("read_config_from_model", os.environ.get(READ_CONFIG) or 0)
        self._read_config_from_model = int(asked) == 1
        disabled = kwargs.pop("disabled_optimizers", None) or ()
        self._disabled = [disabled] if isinstance(disabled, str) else [*disabled]
        warn_of_no_effect([*kwargs], -1)
        try:
            self._create_inference_session(providers, provider_options, self._disabled)
        except ProviderError as error:
            if not self._enable_fallback:
                raise
            warn_caller(f"{error}; falling back to {self._fallback_providers}", UserWarning)
            self._create_inference_session(self._fallback_providers, None, self._disabled)
            self.disable_fallback()  # once, as onnxruntime's

    def set_providers(
        self,
        providers: Providers | None = None,
        provider_options: Sequence[Mapping[Any, Any]] | None = None,
    ) -> None:
        """Have other providers serve the session: it is made anew.

        Raises:
            ProviderError: There is no such provider.
            TvmfuseError: The model cannot be compiled for it.
        """
        self._create_inference_session(providers, provider_options, self._disabled)

    def disable_fallback(self) -> None:
        """Have wrong providers raise an error."""
        self._enable_fallback = False

    def enable_fallback(self) -> None:
        """Have wrong providers be warned of, and the CPU serve."""
        self._enable_fallback = True

    def _create_inference_session(
        self,
        providers: Providers | None,
        provider_options: Sequence[Mapping[Any, Any]] | None,
        disabled_optimizers: Iterable[str] | None = None,
    ) -> None:
        names, options = check_and_normalize_provider_args(
            providers, provider_options, get_available_providers() if providers else ()
        )
        source = self._model_path if self._model_bytes is None else self._model_bytes
        assert source is not None
        made = CompiledSession(
            self._sess_options_initial or SessionOptions(),
            source,
            self._model_bytes is None,
            self._read_config_from_model,
        )
        made.initialize_session(names, options, [*(disabled_optimizers or ())])
        self._sess = made

    @property
    def _sess_options(self) -> SessionOptions:
        return self._sess.session_options
