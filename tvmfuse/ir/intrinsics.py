"""Registering a TIR intrinsic from Python: no pass looks into it, each target lowers it at last."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tvm.ir import Call, Expr, register_op_attr
from tvm.tirx.op import register_intrin_lowering

from tvmfuse._tvm import register_operator

#: TVM's `CallEffectKind` of what depends on its operands alone.
_PURE: Final = 1


def register_intrinsic(
    name: str, doc: str, lowerings: Mapping[str, Callable[[Call], Expr]]
) -> None:
    """Register ``tirx.<name>``, a pure function of numbers, or of vectors of them.

    Args:
        name: Without the dialect.
        doc: What it is, in a sentence.
        lowerings: A target's kind -> what takes the place of a call there, in
            `tirx.transform.LowerIntrin`.
    """
    intrinsic = f"tirx.{name}"
    register_operator(intrinsic, doc)
    register_op_attr(intrinsic, "TCallEffectKind", _PURE)
    register_op_attr(intrinsic, "TVectorizable", True)  # noqa: FBT003
    register_op_attr(intrinsic, "TScriptPrinterName", name)
    for kind, lowering in lowerings.items():
        register_intrin_lowering(intrinsic, kind, f=lowering)
