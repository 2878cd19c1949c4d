"""What a kernel does in one launch, counted from its stages before they are scheduled.

A floating-point addition, multiplication, division, comparison, maximum or function (`exp`, `erf`)
is one operation, so that a multiply-add is two, as the field counts them; so it is of bytes that
are summed in integers. What an expression holds
twice is computed once, and of a choice both alternatives are computed, unless the loop's own
variable chooses. Bytes are those of each operand and of the result once, as if nothing was read
again; where fewer elements are read than an operand has (`Gather`), it is those.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

import tvm_ffi
from tvm import DataType, IRModule, tirx
from tvm.ir import Call, Expr, TensorLoad, Tuple, Var
from tvm.relax import TensorType
from tvm.tirx import Buffer, PrimFunc
from tvm_ffi import StructuralKey

from tvmfuse.ir.kernels import launches
from tvmfuse.ir.sizes import size_of
from tvmfuse.manifest import Work
from tvmfuse.schedules.expressions import IF_THEN_ELSE, callee, static, substitute
from tvmfuse.schedules.kernels import Axis, Stage, UnreadableError, read, tensors
from tvmfuse.schedules.repetition import read_repeating
from tvmfuse.tensor_spec import Size

Amount: TypeAlias = Counter[tuple[Size, ...]]
"""A sum of products: some symbolic sizes -> how often their product is taken; () has the number."""

_COMPARISONS: Final = (tirx.LT, tirx.LE, tirx.GT, tirx.GE, tirx.EQ, tirx.NE)
_ARITHMETIC: Final = (
    *(tirx.Add, tirx.Sub, tirx.Mul, tirx.Div, tirx.Mod),
    *(tirx.FloorDiv, tirx.FloorMod, tirx.Max, tirx.Min),
)
#: What sums of products may multiply besides float32, by the type that is stored.
_NARROW: Final = {"bfloat16": "bfloat16", "int8": "int8", "uint8": "int8"}
#: Calls that compute no number.
_FREE: Final = frozenset({IF_THEN_ELSE, "reinterpret", "likely"})


class _UncountableError(Exception):
    """A size that the manifest cannot write."""


def work_of_launches(module: IRModule) -> list[Work | None]:
    """Count the work of each launch of a module, in the order of `passes.kernels.kernel_calls`.

    None stands for a kernel whose sizes the manifest has no way to write.

    Args:
        module: `main` calls PrimFuncs, which are not scheduled yet.
    """
    known: dict[object, Work | None] = {}
    works: list[Work | None] = []
    for call, symbol, where in launches(module):
        function = module[symbol]
        sizes = _sizes(function, call)
        if sizes and not where.same_as(module["main"]):
            works.append(None)  # A group has sizes of its own.
            continue
        key = (symbol, *map(str, sizes.values()))
        if key not in known:
            known[key] = work_of(function, sizes)
        works.append(known[key])
    return works


def work_of(function: PrimFunc, sizes: Mapping[Var, Expr]) -> Work | None:
    """Count the work of a kernel that is not scheduled yet.

    Args:
        function: Its symbolic sizes are its own.
        sizes: What they are where it is called.

    Returns:
        None where a size cannot be written down; without operations where the kernel is no list of
        stages (a sort, say).
    """
    try:
        return _counted(function, sizes)
    except UnreadableError:
        try:
            buffers = [_nbytes(buffer, sizes) for buffer in tensors(function)]
        except _UncountableError:
            return None
        return Work(None, _written(sum(buffers, Amount())))
    except _UncountableError:
        return None


def _shapes(call: Call) -> list[Sequence[Expr]]:
    (out,) = call.ty_args
    operands = call.args[1].fields if isinstance(call.args[1], Tuple) else [call.args[1]]
    types = [operand.ty for operand in operands] + list(getattr(out, "fields", [out]))
    tensor_types = [ty for ty in types if isinstance(ty, TensorType)]
    return [() if ty.shape is None else ty.shape.values for ty in tensor_types]


def _sizes(function: PrimFunc, call: Call) -> dict[Var, Expr]:
    """Return what each of the kernel's own sizes is where it is called."""
    sizes: dict[Var, Expr] = {}
    buffers = tensors(function)
    if not any(isinstance(dim, Var) for buffer in buffers for dim in buffer.shape):
        return sizes
    for buffer, shape in zip(buffers, _shapes(call), strict=True):
        for own, given in zip(buffer.shape, shape, strict=False):
            if isinstance(own, Var):
                sizes.setdefault(own, given)
    return sizes


def _counted(function: PrimFunc, sizes: Mapping[Var, Expr]) -> Work:
    stages = _stages(function)
    flop, reads, operands = Amount(), dict[Buffer, Amount](), "float32"
    for stage in stages:
        times = _product((axis.extent for axis in stage.axes), sizes)
        flop += _scaled_flop(stage, sizes)
        if (narrow := _multiplied(stage)) is not None:
            operands = narrow
            flop += _times(times, 0 if _is_float(stage.store.value) else 2)
        for load in {_key(found): found for found in stage.loads}.values():
            reads[load.source] = reads.get(load.source, Amount()) + times
    written = {buffer for stage in stages for buffer in stage.buffers}
    nbytes: Size = 0
    for buffer in tensors(function):
        whole, itemsize = _nbytes(buffer, sizes), _itemsize(buffer)
        touched = _times(reads.get(buffer, Amount()), itemsize)
        nbytes = _sum(nbytes, _written(whole) if buffer in written else _less(whole, touched))
    return Work(_written(flop), nbytes, operands)


def _multiplied(stage: Stage) -> str | None:
    """Return what a sum of products multiplies, where both are narrower than float32."""
    types = [_NARROW.get(str(buffer.dtype)) for buffer in {load.source for load in stage.loads}]
    narrow = [dtype for dtype in types if dtype]
    return narrow[0] if stage.reduces and len(narrow) > 1 else None


def _stages(function: PrimFunc) -> tuple[Stage, ...]:
    """Return a kernel's stages; those that repeat have their steps for an axis."""
    try:
        return read(function).stages
    except UnreadableError:
        return read_repeating(function).with_steps


def _scaled_flop(stage: Stage, sizes: Mapping[Var, Expr]) -> Amount:
    """Count a stage's operations: at each value of the axes that choose what is computed."""
    choosing = _choosing(stage)
    rest = _product((axis.extent for axis in stage.axes if axis not in choosing), sizes)
    each = 0
    for values in itertools.product(*(range(static(axis.extent) or 0) for axis in choosing)):
        point = {a.var: value for a, value in zip(choosing, values, strict=True)}
        each += sum(operations(store.value, point) for store in stage.stores)
    return _times(rest, each)


def _choosing(stage: Stage) -> list[Axis]:
    """Return the axes that a choice compares with numbers."""
    found: set[Var] = set()

    def visit(node: tirx.EQ) -> None:
        if isinstance(node.a, Var) and static(node.b) is not None:
            found.add(node.a)

    for store in stage.stores:
        tvm_ffi.structural_walk(store.value, (tirx.EQ, visit))
    return [axis for axis in stage.axes if axis.var in found and static(axis.extent)]


def operations(value: Expr, point: Mapping[Var, int] = MappingProxyType({})) -> int:
    """Count the distinct floating-point operations of an expression.

    Args:
        value: Is computed once; a vector counts as one of its numbers.
        point: What loops that choose are at.
    """
    seen: set[StructuralKey] = set()
    waiting, count = [value], 0
    while waiting:
        node = waiting.pop()
        if isinstance(node, TensorLoad) or (key := _key(node)) in seen:
            continue
        seen.add(key)
        count += _is_operation(node)
        waiting += _operands(node, point)
    return count


def _key(expr: Expr) -> StructuralKey:
    """Return what is equal for expressions that are written alike."""
    return StructuralKey(expr)  # type: ignore[call-arg]  # its fields are not its arguments


def _operands(node: Expr, point: Mapping[Var, int]) -> Iterator[Expr]:
    if isinstance(node, tirx.Select):
        taken = _taken(node.condition, point)
        if taken is not None:
            yield node.true_value if taken else node.false_value
            return
        yield node.condition
        yield node.true_value
        if not _is_for_nan(node.condition, node.false_value):
            yield node.false_value
    elif isinstance(node, Call):
        yield from (arg for arg in node.args if isinstance(arg, Expr))
    else:
        parts = (getattr(node, name, None) for name in ("a", "b", "value", "body"))
        yield from (part for part in parts if isinstance(part, Expr))


def _taken(condition: Expr, point: Mapping[Var, int]) -> bool | None:
    """Whether a choice is made by the loops alone, and how."""
    if not isinstance(condition, tirx.EQ) or condition.a not in point:
        return None
    return point[condition.a] == static(condition.b)


def _is_for_nan(condition: Expr, other: Expr) -> bool:
    """Whether an alternative is the second choice of a maximum, made for NaN."""
    if not (isinstance(other, tirx.Select) and isinstance(condition, _COMPARISONS)):
        return False
    again = other.condition
    if not isinstance(again, _COMPARISONS):
        return False
    return {_key(condition.a), _key(condition.b)} == {_key(again.a), _key(again.b)}


def _asks_for_nan(node: Expr) -> bool:
    """Whether a comparison is one of `lowering.extrema.larger`, which all numbers pass."""
    return isinstance(node.b, tirx.FloatImm) and math.isinf(node.b.value)


def _is_operation(node: Expr) -> bool:
    if isinstance(node, _COMPARISONS):
        return _is_float(node.a) and not _asks_for_nan(node)
    if isinstance(node, Call):
        return _is_float(node) and callee(node) not in _FREE
    return isinstance(node, _ARITHMETIC) and _is_float(node)


def _is_float(expr: Expr) -> bool:
    return "float" in str(getattr(expr.ty, "dtype", ""))


def _nbytes(buffer: Buffer, sizes: Mapping[Var, Expr]) -> Amount:
    return _times(_product(buffer.shape, sizes), _itemsize(buffer))


def _itemsize(buffer: Buffer) -> int:
    return (int(DataType(buffer.dtype).bits) + 7) // 8


def _product(extents: Iterable[Expr], sizes: Mapping[Var, Expr]) -> Amount:
    number, symbols = 1, list[Size]()
    for extent in extents:
        size = size_of(substitute(extent, sizes))
        if size is None:
            raise _UncountableError
        if isinstance(size, int):
            number *= size
        else:
            symbols.append(size)
    return Amount({tuple(sorted(symbols, key=str)): number})


def _times(amount: Amount, factor: int) -> Amount:
    return Amount({symbols: factor * count for symbols, count in amount.items()})


def _less(whole: Amount, touched: Amount) -> Size:
    """Return the smaller of two amounts, for sizes of 1 or more."""
    ((symbols, count),) = whole.items()
    if any(Counter(symbols) <= Counter(s) and count <= c for s, c in touched.items()):
        return _written(whole)
    sides = _written(whole), _written(touched)
    return min(sides) if all(isinstance(side, int) for side in sides) else ("min", *sides)


def _written(amount: Amount) -> Size:
    """Return an amount as the manifest writes it."""
    total: Size = 0
    for symbols, count in amount.items():
        term: Size = count
        for symbol in symbols if count else ():
            term = symbol if term == 1 else ("*", term, symbol)
        total = _sum(total, term)
    return total


def _sum(left: Size, right: Size) -> Size:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if 0 in (left, right):
        return right if left == 0 else left
    return ("+", left, right)
