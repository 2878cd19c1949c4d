"""What a compiled file says about itself. Imports neither TVM nor numpy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from tvmfuse.tensor_spec import Size, TensorSpec, as_size

OURS: Final = "tvmfuse"
"""The engine of parts that are compiled."""
TEXT: Final = "text"
"""The engine of parts of strings and maps, `tvmfuse.text`, which is ours, too."""
OTHERS: Final = ("onnxruntime",)
"""The engines that parts may be handed to."""


@dataclass(frozen=True)
class Work:
    """What one launch does, as `kernels.work` counts it.

    Attributes:
        flop: Floating-point operations, and those of products of bytes; a multiply-add is two.
            None where they are not known.
        nbytes: Bytes of its operands and results, each once.
        operands: What its products multiply: ``float32``, ``bfloat16`` or ``int8``, any bytes.
    """

    flop: Size | None
    nbytes: Size
    operands: str = "float32"

    def __post_init__(self) -> None:
        object.__setattr__(self, "flop", as_size(self.flop))
        object.__setattr__(self, "nbytes", as_size(self.nbytes))


@dataclass(frozen=True)
class StoredValue:
    """A value of the ONNX graph, and how one result of a kernel holds it.

    What was done to it is undone in the order of the fields: channels in blocks, a part, the axes.

    Attributes:
        name: In the ONNX graph.
        result: The place of the kernel's result that holds it.
        blocked: Whether its channels are in blocks: ``NCHW[x]c``.
        part: Axis, begin and end of the part that holds it; None where it is the whole.
        axes: The axes of what is left, in the value's order; empty where they are in order.
        reshaped: Whether what is left has another shape, and the same numbers in order.
    """

    name: str
    result: int = 0
    blocked: bool = False
    part: tuple[int, int, int] | None = None
    axes: tuple[int, ...] = ()
    reshaped: bool = False


@dataclass(frozen=True)
class Kernel:
    """One launch: the function's symbol, the ONNX nodes it computes, the schedule it took.

    `work` is None where it cannot be counted, and in files that were written before it was.
    `plan` is how its loops run, as `schedules.plan_json` writes it, and `key` what a plan may be
    for, beside its symbol; both are empty in files that were written before they were. `values` are
    those of the ONNX graph that its results are proven to be: the passes say so, nobody guesses.
    """

    symbol: str
    nodes: tuple[str, ...]
    schedule: str
    work: Work | None = None
    plan: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""
    values: tuple[StoredValue, ...] = ()


@dataclass(frozen=True)
class PartNode:
    """One node of the ONNX graph, and why it is not compiled; `why` is empty where it is."""

    name: str
    operator: str
    why: str = ""


@dataclass(frozen=True)
class Part:
    """Nodes that one engine computes as a whole.

    Attributes:
        engine: ``tvmfuse``, ``text`` or ``onnxruntime``.
        nodes: The nodes. Sizes and what follows from constants are computed wherever they are
            read, and the nodes that do are in no part's list.
        inputs: The values of the ONNX graph that it reads, in order.
        outputs: The values that others read from it, in order.
    """

    engine: str
    nodes: tuple[PartNode, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Manifest:
    """Everything a reader may want to know before, or instead of, running the file.

    The compiler's stages state `name` to `steps_disabled`, `kernels`, `specialized`, `shared`,
    `opset`, `metadata` and `calibration`; `build` states `target`, `machine`, `cpu_features` and
    `versions`; `Artifact.save` states `sha256`.
    """

    name: str
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]
    #: Inputs that have a default: initializers which the model lets a caller replace.
    overridable: tuple[TensorSpec, ...] = ()
    #: The level's name: none, basic, extended, layout or all.
    level: str = "all"
    passes_ran: tuple[str, ...] = ()
    passes_disabled: tuple[str, ...] = ()
    #: Names of steps that no kernel takes, of `schedules.steps`.
    steps_disabled: tuple[str, ...] = ()
    kernels: tuple[Kernel, ...] = ()
    #: Sizes of symbolic dimensions that kernels have code of their own for.
    specialized: tuple[Mapping[str, int], ...] = ()
    #: Outputs that may take the memory of an input, each with the input: `Executable.call(share=)`.
    shared: Mapping[str, str] = field(default_factory=dict)
    #: The model's opset of the default ONNX domain.
    opset: int | None = None
    #: The model's producer, graph name, description, domain, version and custom properties.
    metadata: Mapping[str, Any] = field(default_factory=dict)
    #: The TVM target, as JSON.
    target: str = "{}"
    #: Where a file has kernels for several targets, all of them, the most demanding first.
    targets: tuple[str, ...] = ()
    #: What the kernels are made for: `Machine.to_json`; empty for CUDA.
    machine: Mapping[str, Any] = field(default_factory=dict)
    #: What was measured of the CPU, where the kernels depend on it: `Calibration.to_json`.
    calibration: Mapping[str, float] = field(default_factory=dict)
    #: LLVM's names of the CPU features that the code may use; empty for CUDA.
    cpu_features: tuple[str, ...] = ()
    #: Distribution name -> version, at compile time.
    versions: Mapping[str, str] = field(default_factory=dict)
    #: Of the machine code and the weights, in hexadecimal; empty until saved. Opening a file does
    #: not compare it: `inspect(check=True)` does.
    sha256: str = ""
    #: Where other engines compute some of the nodes, all parts in the order of a run; else empty.
    parts: tuple[Part, ...] = ()

    @property
    def handed_over(self) -> tuple[PartNode, ...]:
        """The nodes that an engine computes which is not ours."""
        return tuple(n for part in self.parts if part.engine in OTHERS for n in part.nodes)

    @property
    def handed_words(self) -> str:
        """The operators of these nodes, with their numbers, the most frequent first.

        >>> nodes = [PartNode("a", "Det"), PartNode("b", "Sin"), PartNode("c", "Sin")]
        >>> Manifest("m", (), (), parts=(Part("onnxruntime", tuple(nodes), (), ()),)).handed_words
        '2 Sin, 1 Det'
        """
        operators = Counter(node.operator for node in self.handed_over)
        return ", ".join(f"{count} {operator}" for operator, count in operators.most_common())

    @property
    def fallback_words(self) -> str:
        """What a `FallbackWarning` says of them."""
        count = sum(len(part.nodes) for part in self.parts)
        engines = ", ".join(dict.fromkeys(p.engine for p in self.parts if p.engine in OTHERS))
        return (
            f"{engines} computes {len(self.handed_over)} of {count} nodes, which are not compiled: "
            f"{self.handed_words}; report.handed_over of the artifact, and `tvmfuse inspect`, say "
            "why"
        )

    def to_json(self) -> dict[str, Any]:
        """Return the manifest as JSON's types."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Manifest:
        """Return the manifest that `to_json` took apart.

        Raises:
            ValueError: These are no manifest's fields.
        """
        import msgspec  # which no session needs that begins with another engine

        try:
            return msgspec.convert(fields, cls)
        except (msgspec.ValidationError, RecursionError) as error:
            raise ValueError(f"not a manifest: {error}") from error
