"""What a compiled file says about itself. Imports neither TVM nor numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class TensorSpec:
    """One graph input or output; a dimension is a size, or the name of one known at run time.

    `least` has the smallest size of each dimension that the model takes; empty, it takes any.

    >>> str(TensorSpec("image", "float32", ("batch", 3, 224, 224)))
    'image: float32[batch, 3, 224, 224]'
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...]
    least: tuple[int, ...] = ()

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> TensorSpec:
        """Return the tensor that `dataclasses.asdict` took apart."""
        return cls(fields["name"], fields["dtype"], tuple(fields["shape"]), tuple(fields["least"]))

    def __str__(self) -> str:
        return f"{self.name}: {self.dtype}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class Kernel:
    """One launch: the function's symbol, the ONNX nodes it computes, the schedule it took."""

    symbol: str
    nodes: tuple[str, ...]
    schedule: str


@dataclass(frozen=True)
class Manifest:
    """Everything a reader may want to know before, or instead of, running the file.

    The compiler's stages state `name` to `passes_disabled`, `kernels`, `opset` and `metadata`;
    `build` states `target`, `cpu_features` and `versions`; `Artifact.save` states `sha256`.
    """

    name: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    #: The level's name: none, basic, extended, layout or all.
    level: str = "all"
    passes_ran: tuple[str, ...] = ()
    passes_disabled: tuple[str, ...] = ()
    kernels: tuple[Kernel, ...] = ()
    #: The model's opset of the default ONNX domain.
    opset: int | None = None
    #: The model's producer, graph name, description, domain, version and custom properties.
    metadata: Mapping[str, Any] = field(default_factory=dict)
    #: The TVM target, as JSON.
    target: str = "{}"
    #: LLVM's names of the CPU features that the code may use; empty for CUDA.
    cpu_features: tuple[str, ...] = ()
    #: Distribution name -> version, at compile time.
    versions: Mapping[str, str] = field(default_factory=dict)
    #: Of the machine code and the weights, in hexadecimal; empty until saved.
    sha256: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the manifest as JSON's types."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Manifest:
        """Return the manifest that `to_json` took apart.

        Raises:
            ValueError: These are no manifest's fields.
        """
        try:
            fields = dict(fields)
            for key in ("inputs", "outputs"):
                fields[key] = tuple(map(TensorSpec.from_json, fields[key]))
            fields["kernels"] = tuple(
                Kernel(k["symbol"], tuple(k["nodes"]), k["schedule"]) for k in fields["kernels"]
            )
            for key in ("passes_ran", "passes_disabled", "cpu_features"):
                fields[key] = tuple(fields[key])
            return cls(**fields)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not a manifest: {type(error).__name__}: {error}") from error
