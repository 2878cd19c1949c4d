"""What compiled code checks of its inputs: sizes, how they fit each other, and indices.

Ranks, types and fixed sizes are checked by whoever calls, as are sizes that have one name: the
manifest has them. The words are those of the manifest, too (`tvmfuse.tensor_spec`).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tvm import tirx
from tvm.ir import Expr, StringImm, Var
from tvm.tirx import (
    AssertStmt,
    BufferLoad,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    SeqStmt,
    Stmt,
)

from tvmfuse.build.kernel_calls import data_of, elements
from tvmfuse.build.kernels.lowering import OF_FEEDS
from tvmfuse.conditions import meaning
from tvmfuse.runtime.failures import ASKED
from tvmfuse.schedules.expressions import number, variables
from tvmfuse.tensor_spec import IndexConstraint, Size, TensorSpec
from tvmfuse.tvm_runtime import WRONG_SIZE

#: How a size is matched that was defined before, see `frontend/onnx/convert/broadcast.py`.
SELECTED: Final = re.compile(r"T\.Select\((\w+) != [^,]+, \1, [^)]*0\)?\)")


SIGNS: Final[Mapping[str, Callable[[Expr, Expr], Expr]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": tirx.floordiv,
    "%": tirx.floormod,
    "min": tirx.min,
    "max": tirx.max,
}
"""As `tensor_spec.SIGNS` computes sizes; `size_divisions` sees to it that none divides by 0."""


def size_checks(specs: Sequence[TensorSpec], sizes: Mapping[str, Expr]) -> list[Stmt]:
    """Return the statements that fail where sizes do not fit.

    Args:
        specs: Of the inputs.
        sizes: Those that have a name.
    """
    found = list[Stmt]()
    for spec in specs:
        limits = (spec.min_sizes, spec.max_sizes)
        for words, limit in zip(("at least", "at most"), limits, strict=True):
            for name, most in zip(spec.shape, limit, strict=False):
                if isinstance(name, str) and most is not None and (words, most) != ("at least", 0):
                    size = sizes[name]
                    fits = size <= most if words == "at most" else size >= most
                    found.append(check(fits, f"{spec}: expected {name} to be {words} {most}"))
        for constraint in spec.shape_constraints:
            left, right = (value_of(side, sizes) for side in (constraint.left, constraint.right))
            words = f"the model takes only sizes with {constraint.words}"
            found.append(check(tirx.EQ(left, right), words))
    return found


def index_checks(
    specs: Sequence[TensorSpec], inputs: Sequence[Var], sizes: Mapping[str, Expr]
) -> list[Stmt]:
    """Return the statements that fail where an input's numbers are indices of nothing.

    Args:
        specs: Of the inputs.
        inputs: The addresses of their `DLTensor`.
        sizes: Those that have a name.
    """
    return [
        _indices(spec, constraint, given, sizes)
        for spec, given in zip(specs, inputs, strict=True)
        for constraint in spec.index_constraints
    ]


def value_of(size: Size, sizes: Mapping[str, Expr]) -> Expr:
    """Return the expression of a size, given those that have a name."""
    if isinstance(size, tuple):
        sign, left, right = size
        return SIGNS[sign](value_of(left, sizes), value_of(right, sizes))
    return sizes[size] if isinstance(size, str) else number(size)


def check(condition: Expr, words: str, kind: str = OF_FEEDS) -> Stmt:
    """Return the statement that fails where a condition does not hold.

    Args:
        condition: What has to hold.
        words: What is said where it does not.
        kind: The name of Python's exception.
    """
    # The constructor has these names the other way round (TVM 0.27).
    return AssertStmt(condition, StringImm(kind), [StringImm(words)])


def size_check(found: Expr, wanted: Expr) -> Stmt:
    """Return the statement that fails where a size is not what it has to be, and says both."""
    named = SELECTED.sub(r"\1", str(wanted))
    if (condition := meaning(named)) is not None:
        node, what = condition
        return check(tirx.EQ(found, wanted), f"{ASKED}: for {node!r} it has to hold that {what}")
    words = f" ({named})" if variables(wanted) else ""
    refuse = tirx.call_packed(WRONG_SIZE, found, wanted, StringImm(words))
    return IfThenElse(tirx.NE(found, wanted), Evaluate(refuse), None)


def _indices(
    spec: TensorSpec, constraint: IndexConstraint, given: Var, sizes: Mapping[str, Expr]
) -> Stmt:
    count: Expr = number(1)
    for size in spec.shape:
        count = count * value_of(size, sizes)
    buffer, found = elements(f"{given.name}_indices", spec.dtype, data_of(given), count)
    place, size = Var("i", "int64"), value_of(constraint.size, sizes)
    index = BufferLoad(buffer, [place]).astype("int64")
    least = -size if constraint.from_back else number(0)
    words = f"{spec}: expected indices of elements that there are, {constraint.words}"
    each = check(tirx.all(index >= least, index < size), words)
    return SeqStmt([*found, For(place, number(0), count, ForKind.SERIAL, each)])
