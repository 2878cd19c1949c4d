"""onnxruntime's exceptions, and ours as them: who catches either catches what is raised here.

onnxruntime's classes share no base but Exception. What a session raises is a `TvmfuseError`, and
the class of onnxruntime's that it has for the same mistake, too.
"""

from __future__ import annotations

import functools
from typing import Any, Final, NoReturn

from tvmfuse.errors import (
    ArtifactError,
    CompilationError,
    ConfigurationError,
    InputError,
    MalformedModelError,
    ModelError,
    OutOfMemoryError,
    TvmfuseError,
    UnsupportedModelError,
)


class Fail(Exception):  # noqa: N818
    """What has no class of its own."""


class InvalidArgument(Exception):  # noqa: N818
    """An input, an output's name or a value is wrong."""


class NoSuchFile(Exception):  # noqa: N818
    """There is no such file."""


class NoModel(Exception):  # noqa: N818
    """There is no model."""


class EngineError(Exception):
    """The engine failed."""


class RuntimeException(Exception):  # noqa: N818
    """A run failed: memory ran out, say."""


class InvalidProtobuf(Exception):  # noqa: N818
    """The bytes are no ONNX model."""


class ModelLoaded(Exception):  # noqa: N818
    """A model is loaded already."""


class NotImplemented(Exception):  # noqa: A001, N818
    """Valid, and beyond what there is."""


class InvalidGraph(Exception):  # noqa: N818
    """The model breaks the ONNX specification."""


class EPFail(Exception):  # noqa: N818
    """An execution provider failed."""


class ModelLoadCanceled(Exception):  # noqa: N818
    """Loading was cancelled, as asked."""


class ModelRequiresCompilation(Exception):  # noqa: N818
    """The model has to be compiled first."""


class NotFound(Exception):  # noqa: N818
    """It was not found."""


class DeviceReset(Exception):  # noqa: N818
    """The device was reset."""


NUMBERS: Final[dict[type[Exception], tuple[int, str]]] = {
    Fail: (1, "FAIL"),
    InvalidArgument: (2, "INVALID_ARGUMENT"),
    NoSuchFile: (3, "NO_SUCHFILE"),
    NoModel: (4, "NO_MODEL"),
    EngineError: (5, "ENGINE_ERROR"),
    RuntimeException: (6, "RUNTIME_EXCEPTION"),
    InvalidProtobuf: (7, "INVALID_PROTOBUF"),
    ModelLoaded: (8, "MODEL_LOADED"),
    NotImplemented: (9, "NOT_IMPLEMENTED"),
    InvalidGraph: (10, "INVALID_GRAPH"),
    EPFail: (11, "EP_FAIL"),
    ModelLoadCanceled: (12, "MODEL_LOAD_CANCELED"),
    ModelRequiresCompilation: (13, "MODEL_REQUIRES_COMPILATION"),
    NotFound: (14, "NOT_FOUND"),
    DeviceReset: (15, "DEVICE_RESET"),
}
"""Each with the number and the name that its message begins with."""

KINDS: Final[tuple[tuple[type[TvmfuseError], type[Exception]], ...]] = (
    (InputError, InvalidArgument),
    (MalformedModelError, InvalidGraph),
    (UnsupportedModelError, NotImplemented),
    (OutOfMemoryError, RuntimeException),
    (ConfigurationError, InvalidArgument),
    (CompilationError, Fail),
    (ArtifactError, Fail),
    (ModelError, Fail),
    (TvmfuseError, Fail),
)
"""Ours, and what onnxruntime raises for it; the first that fits."""


class RefusedOptionError(ConfigurationError, RuntimeError):
    """An option that there is not, or whose promise is not kept here."""


class ProviderError(ConfigurationError, RuntimeError):
    """No execution provider is called so, or what is said of them has another form."""


class UnknownOptionError(ConfigurationError, AttributeError):
    """An options object has no such attribute."""


def raise_as(error: TvmfuseError, kind: type[Exception] | None = None, words: str = "") -> NoReturn:
    """Raise an error as onnxruntime's, too, with all that it holds.

    Args:
        error: Ours.
        kind: Which of onnxruntime's, or of Python's, it is; by default what ours means there.
        words: What comes before its own, such as what onnxruntime says of the same mistake.

    Raises:
        TvmfuseError: That error.
    """
    if kind is None and isinstance(error, tuple(NUMBERS)):
        raise error  # it was said before
    kind = kind or next(theirs for ours, theirs in KINDS if isinstance(error, ours))
    if not isinstance(error, kind):
        number = NUMBERS.get(kind)
        code = f"[ONNXRuntimeError] : {number[0]} : {number[1]} : " if number else ""
        error.args = (f"{code}{words}{error}", *error.args[1:])
        error.__class__ = _both(type(error), kind)  # type: ignore[arg-type]
    raise error


@functools.cache
def _both(ours: type[TvmfuseError], theirs: type[Exception]) -> type[TvmfuseError]:
    def reduced(self: TvmfuseError) -> tuple[Any, ...]:
        return _again, (ours, theirs, self.args, dict(self.__dict__))

    both: type[TvmfuseError] = type(
        ours.__name__,
        (ours, theirs),
        {"__module__": ours.__module__, "__doc__": ours.__doc__, "__reduce__": reduced},
    )
    return both


def _again(
    ours: type[TvmfuseError], theirs: type[Exception], args: tuple[Any, ...], held: dict[str, Any]
) -> TvmfuseError:
    """Make a pickled error again."""
    both = _both(ours, theirs)  # type: ignore[arg-type]
    error = both.__new__(both, *args)
    error.args = args
    error.__dict__.update(held)
    return error
