"""`tvmfuse.coupled_shares`: shares of classes, from what each two of them have of one another.

Source: Wu, Lin and Weng, "Probability estimates for multi-class classification by pairwise
coupling", JMLR 5, 2004, algorithm 2. As in libsvm and onnxruntime it ends after 100 rounds, or
where no equation is off by more than 0.005 over the number of classes; to end where they do, each
row goes on for itself, and in float32.
"""

from __future__ import annotations

from typing import Final

from tvm import relax, te, tirx
from tvm.ir import Call, Expr, Type
from tvm.script.ir_builder import IRBuilder, tirx as write
from tvm.tirx import Buffer, Stmt

from tvmfuse.ops.definition import OPAQUE, call, define
from tvmfuse.ops.lowering.written import variable
from tvmfuse.ops.traits import Kind, Traits

ROUNDS: Final = 100
EXACT_ENOUGH: Final = 0.005
"""Over the number of classes: how far an equation may be off."""


def _infer(node: Call) -> Type:
    x = node.args[0].ty
    return relax.TensorType([*x.shape.values][:2], x.dtype)


def _legalize(bb: relax.BlockBuilder, node: Call) -> Expr:
    def compute(x: te.Tensor) -> list[te.Tensor]:
        rows, classes, _ = x.shape
        found = te.extern(
            [(rows, classes), (rows, classes, classes), (rows, classes)],
            [x],
            lambda ins, outs: _kernel(*ins, *outs),
            dtype=[x.dtype] * 3,
            name="coupled_shares",
        )
        return list(found)

    made = bb.emit(
        bb.call_te(
            compute,
            *node.args,
            primfunc_name_hint="coupled_shares",
            primfunc_attrs={"op_pattern": OPAQUE},
        )
    )
    return relax.TupleGetItem(made, 0)


def _kernel(x: Buffer, shares: Buffer, form: Buffer, products: Buffer) -> Stmt:
    """Return a loop over rows: ``p @ Q @ p`` becomes as small as it can for shares p.

    Args:
        x: Shape (N, C, C).
        shares: Shape (N, C): p.
        form: Like `x`: Q.
        products: Shape (N, C): ``Q @ p``.
    """
    rows, classes, _ = x.shape
    zero, one, two = (tirx.const(n, x.dtype) for n in (0, 1, 2))
    limit = tirx.const(EXACT_ENOUGH, x.dtype) / tirx.Cast(str(x.dtype), classes)
    with IRBuilder() as builder:
        given, p, q, qp = (write.buffer_proxy(b) for b in (x, shares, form, products))
        with write.parallel(0, rows) as row:
            with write.serial(0, classes) as i:
                p[row, i] = one / tirx.Cast(str(x.dtype), classes)
                q[row, i, i] = zero
                with write.serial(0, classes) as j:
                    other = given[row, j, i]
                    with write.If(i != j), write.Then():
                        q[row, i, i] = q[row, i, i] + other * other
                        q[row, i, j] = -other * given[row, i, j]
            off, total, diff = variable(one), variable(zero), variable(zero)
            with write.serial(0, ROUNDS), write.If(off[0] >= limit), write.Then():
                total[0] = zero
                with write.serial(0, classes) as i:
                    qp[row, i] = zero
                    with write.serial(0, classes) as j:
                        qp[row, i] = qp[row, i] + q[row, i, j] * p[row, j]
                    total[0] = total[0] + p[row, i] * qp[row, i]
                off[0] = zero
                with write.serial(0, classes) as i:
                    off[0] = tirx.max(off[0], tirx.abs(qp[row, i] - total[0]))
                with write.If(off[0] >= limit), write.Then(), write.serial(0, classes) as i:
                    diff[0] = (total[0] - qp[row, i]) / q[row, i, i]
                    p[row, i] = p[row, i] + diff[0]
                    grown = diff[0] * (diff[0] * q[row, i, i] + two * qp[row, i])
                    total[0] = (total[0] + grown) / (one + diff[0]) / (one + diff[0])
                    with write.serial(0, classes) as j:
                        qp[row, j] = (qp[row, j] + diff[0] * q[row, i, j]) / (one + diff[0])
                        p[row, j] = p[row, j] / (one + diff[0])
        return builder.get()


COUPLED_SHARES: Final = define(
    "tvmfuse.coupled_shares",
    traits=Traits(kind=Kind.OTHER, why="each share depends on those of all classes"),
    infer=_infer,
    legalize=_legalize,
    doc="Probabilities of ONNX's SVMClassifier.",
)


def coupled_shares(x: Expr) -> Call:
    """Compute the shares of classes, whose sum is 1.

    Args:
        x: Shape (N, C, C), of a floating-point dtype: at ``[n, i, j]`` how probable class i is
            where it is either i or j; the diagonal is not looked at.

    Returns:
        Shape (N, C).
    """
    return call(COUPLED_SHARES, [x])
