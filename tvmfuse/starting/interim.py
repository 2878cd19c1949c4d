"""A model in onnxruntime, as long as there is no compiled one."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tvmfuse.errors import InputError, first_line
from tvmfuse.levels import level_of
from tvmfuse.starting.native_onnxruntime import state
from tvmfuse.starting.order import Order

FATAL: Final = 4
"""What onnxruntime logs: an error of its own becomes an exception, and is not printed too."""

SPINS: Final = "session.intra_op.allow_spinning"
PROVIDER: Final = "CPUExecutionProvider"

#: onnxruntime's names of element types that numpy calls otherwise.
DTYPES: Final[Mapping[str, str]] = {"float": "float32", "double": "float64"}

#: Of what it gives no array.
NO_ARRAYS: Final = re.compile(r"bfloat16|float8|float4|u?int[24]\b|sparse|optional")


class RefusedError(Exception):
    """onnxruntime does not take a model; the message says why."""


class Value(NamedTuple):
    """An input or output, as `TensorSpec` has it.

    Attributes:
        name: In the model.
        dtype: numpy's name; of a sequence or a map, ONNX's words.
        shape: Numbers and names; None for a size without a name.
    """

    name: str
    dtype: str
    shape: tuple[int | str | None, ...]

    @classmethod
    def of(cls, value: Any) -> Value:
        """Return a value of onnxruntime's."""
        kind = value.type
        if tensor := re.fullmatch(r"tensor\((\w+)\)", kind):
            return cls(value.name, DTYPES.get(tensor[1], tensor[1]), tuple(value.shape))
        return cls(value.name, re.sub(r"\b(float|double)\b", lambda n: DTYPES[n[0]], kind), ())


class Interim:
    """A session of onnxruntime, optimized as it is by default; any number of threads may run it.

    A child of `os.fork` has none of a session's threads, and so opens one of its own.

    Args:
        order: The model, and what onnxruntime is told of its settings: level, sizes.
        num_threads: That compute one run; by default one for each physical core.
        spin: Whether they may wait actively.

    Raises:
        RefusedError: onnxruntime is not there, or does not take the model.
    """

    def __init__(self, order: Order, num_threads: int | None, *, spin: bool) -> None:
        self._order, self._threads, self._spin = order, num_threads, spin
        self._sessions: dict[int, Any] = {}
        session = self._session()
        self.inputs = [*map(Value.of, session.inputs_meta)]
        self.overridable = [*map(Value.of, session.overridable_initializers)]
        self.outputs = [*map(Value.of, session.outputs_meta)]
        for value in (*session.inputs_meta, *session.outputs_meta):
            if NO_ARRAYS.search(value.type):
                raise RefusedError(f"onnxruntime's Python interface has no arrays of {value.type}")
        self._names = [value.name for value in self.outputs]
        self._required = {value.name for value in self.inputs}
        self._taken = self._required | {value.name for value in self.overridable}

    @property
    def metadata(self) -> dict[str, Any]:
        """What the model says of itself, by `Manifest.metadata`'s keys."""
        said = self._session().model_meta
        return {
            "producer_name": said.producer_name,
            "domain": said.domain,
            "description": said.description,
            "graph_name": said.graph_name,
            "graph_description": said.graph_description,
            "model_version": str(said.version),
            "custom": dict(said.custom_metadata_map),
        }

    def run(self, output_names: Sequence[str] | None, feeds: Mapping[str, Any]) -> list[Any]:
        """Run the model; see `Executable.run`.

        Raises:
            InputError: The inputs do not fit the model, or it has no such output.
        """
        session = self._session()
        wanted = self._names if output_names is None else output_names
        if isinstance(feeds, dict) and self._required <= feeds.keys() <= self._taken:
            try:
                found: list[Any] = session.run(wanted, feeds, None)
            except Exception:  # its own classes share no base
                pass  # a list of numbers, a tensor of torch's, or what is wrong is looked at now
            else:
                return found
        checked = self._checked(wanted, feeds)
        try:
            return list(session.run(list(wanted), checked, None))
        except Exception as error:  # its own classes share no base
            raise InputError(
                f"{self._order.name} fails on what it is fed: {first_line(error)}"
            ) from error

    def _checked(self, wanted: Sequence[str], feeds: Mapping[str, Any]) -> dict[str, Any]:
        """Return the inputs as arrays, or say what is wrong with them as a compiled model does."""
        from tvmfuse.without_torch import import_ffi

        import_ffi()
        from tvmfuse.runtime.any_feeds import check_any_feeds
        from tvmfuse.runtime.feeds import check_output_names
        from tvmfuse.tensor_spec import TensorSpec

        def spec(value: Value) -> TensorSpec:
            sizes = enumerate(value.shape)
            shape = tuple(f"{value.name}_{i}" if n is None else n for i, n in sizes)
            return TensorSpec(value.name, value.dtype, shape)

        check_output_names([spec(value) for value in self.outputs], wanted)
        given = feeds if isinstance(feeds, Mapping) else {}
        optional = [value for value in self.overridable if value.name in given]
        specs = [spec(value) for value in (*self.inputs, *optional)]
        arrays = check_any_feeds(specs, feeds)
        return {s.name: array for s, array in zip(specs, arrays, strict=True)}

    def _session(self) -> Any:
        process = os.getpid()
        if process not in self._sessions:
            # The parent's stays: to end it here would wait for threads that are not here.
            self._sessions[process] = self._open()
        return self._sessions[process]

    def _open(self) -> Any:
        order = self._order
        try:
            ort = state()
        except ImportError as error:
            raise RefusedError(f"onnxruntime cannot be imported: {first_line(error)}") from error
        options = ort.SessionOptions()
        options.intra_op_num_threads = int(self._threads or 0)
        options.log_severity_level = FATAL
        options.graph_optimization_level = ort.GraphOptimizationLevel(
            int(level_of(order.settings.get("level", "all")))
        )
        if not self._spin:
            options.add_session_config_entry(SPINS, "0")
        for name, size in dict(order.settings.get("dims", {})).items():
            if isinstance(size, int):
                options.add_free_dimension_override_by_name(name, size)
        try:
            is_path, reads_configuration = isinstance(order.model, str), False
            session = ort.InferenceSession(options, order.model, is_path, reads_configuration)
            session.initialize_session([PROVIDER], [{}], set())
        except Exception as error:  # its own classes share no base
            raise RefusedError(f"onnxruntime does not take it: {first_line(error)}") from error
        return session
