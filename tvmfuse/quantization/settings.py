"""How a model is quantized."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmfuse.errors import ConfigurationError, closest

MODES: Final = ("static", "dynamic")
TYPES: Final = ("uint8", "int8")
OPERATORS: Final = ("Conv", "MatMul", "Gather")
"""What is quantized dynamically by default: what stays within ONNX's own operators. A Gemm becomes
a MatMul and an Add first."""


@dataclass(frozen=True)
class QuantizeSettings:
    """How a model is quantized; `quantize` says what each word means."""

    mode: str = "static"
    per_channel: bool = True
    activation: str = "uint8"
    weight: str = "int8"
    symmetric: bool = False
    reduce_range: bool = False
    operators: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what there is not, and what does not go together.

        Raises:
            ConfigurationError: There is such a word.
        """
        for what, found, known in (
            ("mode", self.mode, MODES),
            ("activation", self.activation, TYPES),
            ("weight", self.weight, TYPES),
        ):
            if found not in known:
                raise ConfigurationError(
                    f"no {what} is called {found!r}; {closest(str(found), known)}"
                )
        if self.mode == "dynamic" and (self.activation != "uint8" or self.symmetric):
            raise ConfigurationError(
                "dynamic activations are uint8 with a zero point, as DynamicQuantizeLinear makes "
                "them: leave out activation and symmetric, or take mode='static'"
            )
        if (self.activation, self.weight) == ("int8", "uint8"):
            raise ConfigurationError(
                "onnxruntime has no int8 activations with uint8 weights: take weight='int8'"
            )

    @property
    def words(self) -> str:
        """What it is, in a few words.

        >>> QuantizeSettings(exclude=("fc",)).words
        'static, uint8 activations, int8 weights per channel'
        """
        channels = " per channel" if self.per_channel else ""
        return f"{self.mode}, {self.activation} activations, {self.weight} weights{channels}"
