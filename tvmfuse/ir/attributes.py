"""Attributes of calls: one record changed, the others as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvm.ir import Attrs, Call, DictAttrs, Expr, make_node


def with_attributes(call: Call, args: Sequence[Expr], **changed: Any) -> Call:
    """Return a call of the same operator on other operands, with some attributes changed.

    >>> from tvm import relax
    >>> x = relax.Var("x", relax.TensorType((2, 3), "float32"))
    >>> with_attributes(relax.op.nn.softmax(x, 1), [x], axis=0).attrs.axis
    0
    """
    return Call(call.op, args, attrs=_changed(call.attrs, changed), ty_args=call.ty_args)


def _changed(attrs: Attrs, changed: dict[str, Any]) -> Attrs | dict[str, Any]:
    if isinstance(attrs, DictAttrs):
        return {**attrs, **changed}
    info = type(attrs).__tvm_ffi_type_info__
    fields = {field.name: getattr(attrs, field.name) for field in info.fields}
    return make_node(info.type_key, **{**fields, **changed})
