"""Questions about TIR expressions, and substitution into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeGuard, TypeVar

from tvm import sym, tirx
from tvm.ir import Call, Expr, PrimType, TensorLoad, Var
from tvm_ffi.structural import WalkResult

from tvmfuse._tvm import BEFORE, mapped, walk
from tvmfuse.ir.wrapping import NAMES as WRAPPING

Node = TypeVar("Node")

#: Calls that TVM's vectorizer keeps in vectors; every other one makes a loop scalar.
VECTOR_CALLS = frozenset(
    {
        *("ceil", "fabs", "floor", "popcount", "reinterpret", "round", "sqrt", "trunc"),
        *("cos", "exp", "exp10", "exp2", "log", "log10", "log2", "pow", "sigmoid", "sin"),
        *("tan", "tanh"),
        *(*WRAPPING, "call_llvm_pure_intrin", "round_to_bfloat16"),
    }
)

IF_THEN_ELSE = "if_then_else"

# What an operation costs, in additions; libm calls take about this many cycles for one element.
_CALL_COST = 20
_DIVISION_COST = 4
_DIVISIONS = (tirx.Div, tirx.Mod, tirx.FloorDiv, tirx.FloorMod)
_CHEAP_CALLS = WRAPPING | {"fabs", IF_THEN_ELSE, "isnan", "likely", "reinterpret"}
_CONSTANTS = (tirx.IntImm, tirx.FloatImm)
_ARITHMETIC = (tirx.Add, tirx.Sub, tirx.Mul, tirx.Max, tirx.Min, tirx.Select, tirx.Cast)


def substitute(node: Node, mapping: Mapping[Var, Expr]) -> Node:
    """Replace variables in an expression or statement."""
    if not mapping or isinstance(node, _CONSTANTS):
        return node
    at = mapping.get
    result: Node = at(node, node) if _is_scalar(node) else mapped(node, (Var, lambda v: at(v, v)))
    return result


def map_loads(expr: Expr, change: Callable[[TensorLoad], Expr]) -> Expr:
    """Replace every load in an expression, those inside other loads' indices first."""
    return mapped(expr, (TensorLoad, change)) if has_parts(expr) else expr


def loads(*exprs: Expr) -> list[TensorLoad]:
    """Return the loads in some expressions, each as often as it stands there."""
    found: list[TensorLoad] = []
    for expr in _inner(exprs):
        walk(expr, (TensorLoad, found.append))
    return found


def callee(call: Call) -> str:
    """Return the name of a called operator without its dialect, '?' where it has none.

    >>> callee(tirx.exp(Var("x", "float32")))
    'exp'
    """
    return getattr(call.op, "name", "?").rpartition(".")[2]


def calls(expr: Expr) -> list[Call]:
    """Return the calls in an expression; not those in the shapes of what it reads."""
    found: list[Call] = []

    def read(load: TensorLoad) -> WalkResult:
        for index in load.indices:
            found.extend(calls(index))
        return WalkResult.SKIP

    for inner in _inner((expr,)):
        walk(inner, (TensorLoad, read), (Call, found.append), order=BEFORE)
    return found


def branches(*exprs: Expr) -> list[tuple[Expr, Expr, Expr]]:
    """Return condition, value if it holds and value if not, of each branch and selection."""
    found: list[tuple[Expr, Expr, Expr]] = []

    def select(node: tirx.Select) -> None:
        found.append((node.condition, node.true_value, node.false_value))

    for expr in _inner(exprs):
        walk(expr, (tirx.Select, select))
        found += [tuple(call.args) for call in calls(expr) if callee(call) == IF_THEN_ELSE]
    return found


def contains(expr: Expr, kinds: tuple[type, ...]) -> bool:
    """Return whether a node of some kinds is in an expression, addresses aside."""
    found: list[Expr] = []
    skip = (TensorLoad, lambda _: WalkResult.SKIP)
    walk(expr, skip, *((kind, found.append) for kind in kinds), order=BEFORE)
    return bool(found)


def divides_integers(expr: Expr) -> bool:
    """Return whether an expression of integers divides, addresses aside."""
    return contains(expr, _DIVISIONS) and not str(expr.ty.dtype).startswith("float")


def variables(*exprs: Expr) -> set[Var]:
    """Return the variables in some expressions; buffers are variables, too."""
    found = {expr for expr in exprs if _is_scalar(expr)}
    for expr in _inner(exprs):
        walk(expr, (Var, found.add))
    return found


def variables_outside_loads(*exprs: Expr) -> set[Var]:
    """Return the variables that expressions compute with, beside finding addresses."""
    found: set[Var] = set()
    skip = (TensorLoad, lambda _: WalkResult.SKIP)
    for expr in exprs:
        walk(expr, skip, (Var, found.add), order=BEFORE)
    return found


def _inner(exprs: Sequence[Expr]) -> Iterator[Expr]:
    """Yield what has parts: most indices are leaves, through which to walk takes longer."""
    return filter(has_parts, exprs)


def has_parts(expr: Expr) -> bool:
    """Return whether an expression is more than a variable or a constant."""
    return not isinstance(expr, _CONSTANTS) and not _is_scalar(expr)


def _is_scalar(expr: object) -> TypeGuard[Var]:
    return isinstance(expr, Var) and isinstance(expr.ty, PrimType)


def size(expr: Expr) -> int:
    """Count the nodes of an expression."""
    count = 0

    def visit(_: Expr) -> None:
        nonlocal count
        count += 1

    walk(expr, (Expr, visit))
    return count


def cost(expr: Expr) -> int:
    """Estimate what computing an expression once costs, in additions; addresses are free.

    >>> x = tirx.Var("x", "float32")
    >>> cost(x + 1.0), cost(tirx.exp(x) / x)
    (1, 24)
    """
    total = 0

    def visit(node: Expr) -> WalkResult:
        nonlocal total
        if isinstance(node, TensorLoad):
            return WalkResult.SKIP
        if isinstance(node, Call):
            total += 1 if callee(node) in _CHEAP_CALLS else _CALL_COST
        elif isinstance(node, _DIVISIONS):
            total += _DIVISION_COST
        elif isinstance(node, _ARITHMETIC):
            total += 1
        return WalkResult.ADVANCE

    walk(expr, (Expr, visit), order=BEFORE)
    return total


def number(value: int) -> Expr:
    """Return a constant address, count or size."""
    return tirx.const(value, "int64")


def static(expr: Expr) -> int | None:
    """Return the value of an integer constant, None for anything else."""
    return int(expr) if isinstance(expr, tirx.IntImm) else None


def coefficient(expr: Expr, var: Var) -> Expr | None:
    """Return the factor of a variable in a linear expression, None where it is not linear in it."""
    if var not in variables(expr):
        return tirx.const(0, var.ty.dtype)
    found = sym.detect_linear_equation(expr, [var])
    return found[0] if len(found) and var not in variables(found[0]) else None


def flat(shape: Sequence[Expr], indices: Sequence[Expr]) -> Expr:
    """Return the row-major offset of an element, in elements."""
    offset: Expr | None = None
    for extent, index in zip(shape, indices, strict=True):
        offset = index if offset is None else offset * extent + index
    return number(0) if offset is None else offset


def product(extents: Sequence[Expr]) -> Expr:
    """Multiply extents; 1 for none."""
    result: Expr | None = None
    for extent in extents:
        result = extent if result is None else result * extent
    return number(1) if result is None else result
