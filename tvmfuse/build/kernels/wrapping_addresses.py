"""Loops that LLVM 22 would make vectors of with wrong addresses.

What a power of two leaves of a loop's variable is a sawtooth: 0, 1, ... 7, 0, 1, ... LLVM takes it
for a variable of three bits that counts up, and its loop vectorizer reads across the edge as if it
went on: ``a[i * 8 + j % 8] * b[j // 8 * 72 + j % 8]`` has wrong numbers, with AVX2 and AVX-512.
Loops that hold vectors already are none of its business. A kernel with such a loop of single
numbers is compiled as LLVM's ``-O1`` does, which is without that vectorizer.
"""

from __future__ import annotations

from typing import Final

import tvm_ffi
from tvm import tirx
from tvm.ir import Expr, TensorLoad, Var
from tvm.target import Target
from tvm.tirx import For, ForKind, PrimFunc, Stmt
from tvm_ffi import WalkResult

from tvmfuse.schedules.expressions import variables
from tvmfuse.schedules.kernels import tensors

WITHOUT_VECTORIZER: Final = 1
"""LLVM's level of optimization."""


def without_vectorizer(target: Target) -> Target:
    """Return a target for which LLVM makes no vectors of loops."""
    config = dict(target.export())
    level = min(int(config.get("opt-level", WITHOUT_VECTORIZER)), WITHOUT_VECTORIZER)
    return Target(config | {"opt-level": level})


def has_wrapping_addresses(function: PrimFunc) -> bool:
    """Whether a loop of single numbers computes a sawtooth of what is counted."""
    if not _sawteeth(function.body, function):
        return False
    loops: list[For] = []
    tvm_ffi.structural_walk(function.body, (For, loops.append))
    return any(
        loop.kind != ForKind.VECTORIZED
        and not _holds_vectors(loop.body)
        and _sawteeth(loop.body, function)
        for loop in loops
    )


def _sawteeth(body: Stmt, function: PrimFunc) -> bool:
    """Whether some remainder by a power of two is of more than parameters and tensors' sizes."""
    params = {*function.params}
    params |= variables(*(e for tensor in tensors(function) for e in tensor.shape))
    found: list[Expr] = []

    def seen(node: tirx.FloorMod | tirx.Mod) -> None:
        if _is_power_of_two(node.b) and not params.issuperset(_counted(node.a)):
            found.append(node)

    tvm_ffi.structural_walk(body, ((tirx.FloorMod, tirx.Mod), seen))
    return bool(found)


def _is_power_of_two(divisor: Expr) -> bool:
    if not isinstance(divisor, tirx.IntImm):
        return False
    value = int(divisor)
    return value > 1 and value & (value - 1) == 0


def _counted(expr: Expr) -> set[Var]:
    """Return the variables that an expression computes with; what it loads does not count."""
    found: set[Var] = {expr} if isinstance(expr, Var) else set()
    loaded = (TensorLoad, lambda _: WalkResult.SKIP)
    tvm_ffi.structural_walk(expr, [loaded, (Var, found.add)], order="pre")
    return found


def _holds_vectors(body: Stmt) -> bool:
    found: list[For | tirx.Ramp] = []

    def seen(node: For | tirx.Ramp) -> None:
        if isinstance(node, tirx.Ramp) or node.kind == ForKind.VECTORIZED:
            found.append(node)

    tvm_ffi.structural_walk(body, ((For, tirx.Ramp), seen))
    return bool(found)
