"""Functions that TVM cannot copy are known before it is asked to."""

from __future__ import annotations

from typing import Any

import pytest
import tvm
from tvm import relax, tirx
from tvm.ir import Expr
from tvm.relax.utils import copy_with_new_vars

from tvmfuse.ir.copies import can_be_copied


def padded(chosen: Any) -> relax.Function:
    """Return a function that makes as many zeros as is chosen by the size of its operand."""
    n = tirx.Var("n", "int64")
    x = relax.Var("x", relax.TensorType([n], "float32"))
    builder = relax.BlockBuilder()
    with builder.function("main", [x]):
        with builder.dataflow():
            zeros: Expr = builder.emit(relax.op.zeros([chosen(n)], "float32"))
            result = builder.emit_output(relax.op.add(zeros, zeros))
        builder.emit_func_output(result)
    return builder.get()["main"]


def test_arithmetic_of_sizes() -> None:
    function = padded(lambda n: tirx.max(n, 4) + 1)
    assert can_be_copied(function)
    copy_with_new_vars(function)


def test_a_choice_between_sizes() -> None:
    """Once TVM copies this, nobody has to ask any more."""
    function = padded(lambda n: tirx.if_then_else(n > 4, n, 4))
    assert not can_be_copied(function)
    with pytest.raises(tvm.error.InternalError, match="FInferType"):
        copy_with_new_vars(function)
