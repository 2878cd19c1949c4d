"""Kernels around one sum of products: what matrix products and convolutions have in common."""

from __future__ import annotations

from typing import Any

from tvm_ffi import structural_equal

from tvmfuse.schedules.contraction import contraction
from tvmfuse.schedules.cpu.conv.depthwise_nest import depthwise_nest
from tvmfuse.schedules.cpu.conv.fused_padding import fused_padding
from tvmfuse.schedules.cpu.conv.pack_strided import pack_strided
from tvmfuse.schedules.cpu.gemm.blocks_nest import tiled
from tvmfuse.schedules.cpu.gemm.pack import pack
from tvmfuse.schedules.cpu.group_nest import group_nests
from tvmfuse.schedules.cpu.nest import Nest, Scope
from tvmfuse.schedules.cpu.work import Prepared, Work, prepared, scope_of
from tvmfuse.schedules.groups import groups
from tvmfuse.schedules.inline import inline
from tvmfuse.schedules.kernels import Kernel
from tvmfuse.schedules.protocol import Declined, Subject
from tvmfuse.schedules.split_axis import whole_and_rest


def contraction_schedule(subject: Subject, *, window: bool) -> Work | Declined:
    """Tile the one sum of products of a kernel; the nests of its other stages stand around it.

    What its vectors would have to gather is packed before, as are pixels that lie apart.

    Args:
        subject: The kernel.
        window: Whether an operand has to be, or must not be, read through a window that slides.
    """
    found = prepared(subject)
    if isinstance(found, Declined):
        return found
    reason = _unsuitable(found.kernel, window=window)
    return Declined(reason) if reason else _tiled(found, scope_of(subject))


def _unsuitable(kernel: Kernel, *, window: bool) -> str | None:
    """Say why a kernel is not around one sum of products; None where it is."""
    reductions = [stage for stage in kernel.stages if stage.reduces]
    if len(reductions) != 1:
        return f"it has {len(reductions) or 'no'} reductions, not one"
    product = contraction(reductions[0])
    if product is None:
        return "its reduction is no sum of products"
    if structural_equal(*(operand.factor for operand in product.operands)):
        return "its reduction is a sum of squares"
    if window != bool(product.windows):
        found = "an" if product.windows else "no"
        return f"{found} operand is read through a window that slides"
    return None


def _tiled(found: Prepared, scope: Scope) -> Work | Declined:
    unpacked = inline(found.kernel)
    if padding := depthwise_nest(groups(unpacked), scope):
        return Work(unpacked, (padding,), found.steps)
    kernel, steps = packed(found.kernel, scope)
    steps |= found.steps
    parts, nests = groups(kernel), list[Nest[Any]]()
    for group in parts:
        if group.head.reduces:
            whole, *rest = whole_and_rest(group)
            nest = tiled(whole, scope)
            if isinstance(nest, str):
                return Declined(nest)
            nests += [nest, *(n for part in rest for n in group_nests(part, scope))]
        else:
            nests += group_nests(group, scope)
    if scope.takes("FusedPadding") and (fused := fused_padding(kernel, parts, scope)):
        return Work(kernel, (fused,), steps)
    return Work(kernel, tuple(nests), steps)


def packed(kernel: Kernel, scope: Scope) -> tuple[Kernel, frozenset[str]]:
    """Pack the operands of a kernel's sums of products; return the steps that this took."""
    steps: set[str] = set()
    if scope.takes("PackOperand"):
        changed = pack(kernel, scope.machine)
        steps |= {"PackOperand"} if changed is not kernel else set()
        kernel = changed
    kernel = inline(kernel)
    if scope.takes("PackStrided"):
        changed = pack_strided(kernel, scope.machine)
        steps |= {"PackStrided"} if changed is not kernel else set()
        kernel = changed
    return kernel, frozenset(steps)
