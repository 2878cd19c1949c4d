"""What is known of one operator."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    """A class of operators that one rule of a pass can handle.

    Attributes:
        ELEMENTWISE: Computes each element from the operands' elements in its place. Operands
            broadcast as in numpy; attributes and scalar operands name no axis.
        RESHAPE: Gives its operand another shape and leaves the elements in order.
        REDUCTION: Combines the elements along the axes that ``attrs.axis`` lists, or all of them
            where it is None; ``attrs.keepdims`` keeps these axes with extent 1.
        ARG_REDUCTION: Finds an index along the one axis ``attrs.axis``; ``attrs.keepdims``.
        ALONG_AXIS: Works within each line of its first operand along ``attrs.axis``, and treats
            all lines alike. The other operands are vectors along that axis, or scalars; results
            of the first operand's rank are made of the same lines, others are such vectors.
        LINES: Like ALONG_AXIS, but all operands have the result's rank and are divided into
            lines together.
        AVERAGE_POOL: Averages windows of an image; ``attrs.layout`` names the axes.
        MAX_POOL: Takes the maximum of windows of an image; ``attrs.layout`` names the axes.
        MATRIX_PRODUCT: Multiplies two matrices, or batches of them.
        OTHER: None of these. The record says why.
    """

    ELEMENTWISE = auto()
    RESHAPE = auto()
    REDUCTION = auto()
    ARG_REDUCTION = auto()
    ALONG_AXIS = auto()
    LINES = auto()
    AVERAGE_POOL = auto()
    MAX_POOL = auto()
    MATRIX_PRODUCT = auto()
    OTHER = auto()


@dataclass(frozen=True, kw_only=True)
class Traits:
    """Facts about an operator. Where one is not stated, passes do not rely on it.

    Attributes:
        kind: The class that it belongs to.
        why: Why it belongs to none; empty for all others.
        keeps_dtype: The result has the operands' dtype, and no attribute names a dtype.
        nonlinear: An activation function contains one such operator at least. What is made of
            sums, products and powers only is no activation.
        reads_memory: Its kernel reads plain tensors from memory: FuseOps fuses no kernel to it
            that computes an operand. A reshape has no kernel and reads memory in place.
        reads_type: It reads the type of its operand, not its elements.
        random: It draws random numbers: equal calls are not merged, and none is evaluated at
            compile time.
        unchecked: Its kernel reads or writes where indices point, inside the tensor or not.
        epilogue: Its kernel may add a tensor to its results and activate them.

    Raises:
        ValueError: An operator of no class without a reason, or a reason with a class.
    """

    kind: Kind
    why: str = ""
    keeps_dtype: bool = False
    nonlinear: bool = False
    reads_memory: bool = False
    reads_type: bool = False
    random: bool = False
    unchecked: bool = False
    epilogue: bool = False

    def __post_init__(self) -> None:
        if (self.kind is Kind.OTHER) != bool(self.why):
            raise ValueError("an operator says why it is of no class, or belongs to one")
