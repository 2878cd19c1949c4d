"""What a compiled file says about itself. Imports neither TVM nor numpy."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, TypeAlias

Size: TypeAlias = int | str | tuple[Any, ...]
"""A number, a symbolic dimension's name, or a sign and two sizes: ``("*", "n", 2)``."""

OURS: Final = "tvmfuse"
"""The engine of parts that are compiled."""
TEXT: Final = "text"
"""The engine of parts of strings and maps, `tvmfuse.text`, which is ours, too."""
OTHERS: Final = ("onnxruntime",)
"""The engines that parts may be handed to."""

SIGNS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": lambda a, b: a // b if b else 0,
    "%": lambda a, b: a % b if b else 0,
    "min": min,
    "max": max,
}


GRANTED: Final = ", as torch.export took for granted"
"""Behind a condition in Python, which the program supposes of its sizes."""

CONDITIONS: Final = (GRANTED, " cannot follow", ": compile with dims= for that)")
"""Behind the words of conditions that may be no equations."""


@dataclass(frozen=True)
class ShapeConstraint:
    """Two sizes that have to be equal; `words` states the equation and who asks for it."""

    left: Size
    right: Size
    words: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "left", _size(self.left))
        object.__setattr__(self, "right", _size(self.right))

    @property
    def is_equation(self) -> bool:
        """Whether its words state one; another condition is 1 where it holds, and else 0."""
        return not self.words.endswith(CONDITIONS) or " == " in self.words

    def __hash__(self) -> int:
        """Return the words' hash: theirs is kept, and that of large sizes is not."""
        return hash(self.words)


@dataclass(frozen=True)
class IndexConstraint:
    """Of how many elements a tensor's numbers are indices; `words` states who picks them.

    Those below zero count from the back, as ONNX has it; without `from_back` there are none.
    """

    size: Size
    words: str
    from_back: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", _size(self.size))


def _size(size: Any) -> Any:
    """Return a size with tuples where JSON has lists."""
    if isinstance(size, tuple) and not any(isinstance(part, list) for part in size):
        return size
    return tuple(map(_size, size)) if isinstance(size, list | tuple) else size


def computed(size: Size, sizes: Mapping[str, int]) -> int:
    """Return what a size is, given those of the symbolic dimensions.

    Raises:
        KeyError: One of them is not given.

    >>> computed(("*", "n", ("+", "m", 2)), {"n": 3, "m": 5})
    21
    """
    if isinstance(size, tuple):
        sign, left, right = size
        return SIGNS[sign](computed(left, sizes), computed(right, sizes))
    return sizes[size] if isinstance(size, str) else size


def symbols_in(*sizes: Size) -> set[str]:
    """Return the names of the symbolic dimensions in some sizes.

    >>> sorted(symbols_in(("*", "n", ("+", "m", 2))))
    ['m', 'n']
    """
    found = {size for size in sizes if isinstance(size, str)}
    return found.union(*(symbols_in(*size[1:]) for size in sizes if isinstance(size, tuple)))


@dataclass(frozen=True)
class TensorSpec:
    """One graph input or output; a dimension is a size, or the name of one known at run time.

    `min_sizes` has the smallest size of each dimension that the model takes, and `max_sizes` the
    largest, None for a dimension that has none; empty, it takes any.
    `shape_constraints` are equations between the sizes of this input and of those before it, and
    `index_constraints` say what its numbers pick.

    >>> str(TensorSpec("image", "float32", ("batch", 3, 224, 224)))
    'image: float32[batch, 3, 224, 224]'
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...]
    min_sizes: tuple[int, ...] = ()
    shape_constraints: tuple[ShapeConstraint, ...] = ()
    max_sizes: tuple[int | None, ...] = ()
    index_constraints: tuple[IndexConstraint, ...] = ()

    @property
    def type_words(self) -> str:
        """The dtype with the shape, ``float32[n, 4]``; a type in ONNX's words stands alone."""
        shape = ", ".join(map(str, self.shape))
        return self.dtype if "(" in self.dtype else f"{self.dtype}[{shape}]"

    def __str__(self) -> str:
        return f"{self.name}: {self.type_words}"


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
        object.__setattr__(self, "flop", _size(self.flop))
        object.__setattr__(self, "nbytes", _size(self.nbytes))


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
    `opset` and `metadata`; `build` states `target`, `machine`, `cpu_features` and `versions`;
    `Artifact.save` states `sha256`.
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
    #: What the kernels are made for: `Machine.to_json`; empty for CUDA.
    machine: Mapping[str, Any] = field(default_factory=dict)
    #: LLVM's names of the CPU features that the code may use; empty for CUDA.
    cpu_features: tuple[str, ...] = ()
    #: Distribution name -> version, at compile time.
    versions: Mapping[str, str] = field(default_factory=dict)
    #: Of the machine code and the weights, in hexadecimal; empty until saved.
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
