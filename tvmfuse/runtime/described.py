"""What a refusal says of an input, and of the value that was given for it."""

from __future__ import annotations

from tvmfuse.errors import InputError, first_line
from tvmfuse.tensor_spec import TensorSpec


def expected(spec: TensorSpec) -> str:
    """Return the first words of a refusal: the input, and what it takes."""
    return f"input {spec.name!r}: expected {spec.type_words}"


def type_name(value: object) -> str:
    """Return the name of a value's type, for an error."""
    return "None" if value is None else f"a {type(value).__module__}.{type(value).__qualname__}"


def offers(spec: TensorSpec, value: object, name: str) -> bool:
    """Whether a value has a method, which a class of the user's may say as it likes."""
    try:
        return hasattr(value, name)
    except Exception as error:  # a __getattr__ of the user's
        raise InputError(
            f"{expected(spec)}, found {type_name(value)} that cannot be asked for {name} "
            f"({type(error).__name__}: {first_line(error)})"
        ) from error
