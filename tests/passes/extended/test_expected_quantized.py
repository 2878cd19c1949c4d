"""What rules of quantized tensors look for, and what they make of it, printed."""

# TVMScript finds out what a function returns.
# mypy: disable-error-code="no-untyped-def"

import numpy as np
import pytest
from tvm import IRModule, relax
from tvm.script import ir as I, relax as R

from tvmfuse.ops import conv, gemm, lookup, requantize
from tvmfuse.passes.catalogue import PIPELINE
from tvmfuse.testing import assert_rewrites

F32 = "float32"
RULES = {
    entry.name: entry for phase in PIPELINE for entry in phase.passes if phase.name == "extended"
}
BYTES, LEFT = np.array([[[3, -2], [5, 7]]], "int8"), np.array([[[2, -3], [4, 6]]], "int8")
STORED, CENTERED = relax.const(BYTES), relax.const(LEFT)
QUARTER, HALF, EIGHTH = (relax.const(np.float32(scale)) for scale in (0.25, 0.5, 0.125))
FOUR, ONE, NINE = relax.const(np.uint8(4)), relax.const(np.int8(1)), relax.const(np.uint8(9))
ADDEND, RATIO = (
    relax.const(np.array([[number]], dtype)) for number, dtype in ((-36, "int32"), (1, F32))
)

MATRIX = np.array([[3, -2, 127], [5, 7, -128]])
WIDE, NARROW, SUMS = (
    relax.const(array.astype(dtype))
    for array, dtype in ((MATRIX, "int32"), (MATRIX, "int8"), (MATRIX.sum(0), "int32"))
)


@I.ir_module
class QDQSelectorActionTransformer:
    @R.function
    def before(q: R.Tensor((1, 2, 5), "uint8")):
        with R.dataflow():
            x = R.dequantize(q, QUARTER, FOUR, axis=1, out_dtype=F32)
            w = R.dequantize(STORED, HALF, ONE, axis=0, out_dtype=F32)
            y = conv(x, w, strides=[1], padding=[1, 0], dilation=[1])
            r = R.nn.relu(y)
            p = R.quantize(r, EIGHTH, NINE, axis=1, out_dtype="uint8")
            R.output(p)
        return (p,)

    @R.function
    def after(q: R.Tensor((1, 2, 5), "uint8")):
        with R.dataflow():
            n = conv(q, CENTERED, strides=[1], padding=[1, 0], dilation=[1], pad_value=4)
            p = requantize(n, ADDEND, RATIO, zero_point=9, low=9, high=255, dtype="uint8")
            R.output(p)
        return (p,)


@I.ir_module
class QDQPropagationTransformer:
    @R.function
    def before(q: R.Tensor((2, 5), "uint8")):
        with R.dataflow():
            x = R.dequantize(q, QUARTER, FOUR, axis=1, out_dtype=F32)
            y = R.permute_dims(x, axes=[1, 0])
            p = R.quantize(y, QUARTER, FOUR, axis=1, out_dtype="uint8")
            R.output(p)
        return (p,)

    @R.function
    def after(q: R.Tensor((2, 5), "uint8")):
        with R.dataflow():
            p = R.permute_dims(q, axes=[1, 0])
            R.output(p)
        return (p,)


@I.ir_module
class ZeroPointFolding:
    @R.function
    def before(q: R.Tensor((5, 2), "uint8"), z: R.Tensor((), "int32")):
        with R.dataflow():
            x = R.astype(q, "int32")
            y = R.subtract(x, z)
            n = R.matmul(y, WIDE)
            R.output(n)
        return (n,)

    @R.function
    def after(q: R.Tensor((5, 2), "uint8"), z: R.Tensor((), "int32")):
        with R.dataflow():
            m = gemm(q, NARROW)
            c = R.multiply(z, SUMS)
            n = R.subtract(m, c)
            R.output(n)
        return (n,)


RELUS = np.array([4] * 4 + [*range(4, 256)], "uint8")


@I.ir_module
class LookupTableFusion:
    @R.function
    def before(q: R.Tensor((2, 5), "uint8")):
        with R.dataflow():
            x = R.dequantize(q, QUARTER, FOUR, axis=1, out_dtype=F32)
            y = R.nn.relu(x)
            p = R.quantize(y, QUARTER, FOUR, axis=1, out_dtype="uint8")
            R.output(p)
        return (p,)

    @R.function
    def after(q: R.Tensor((2, 5), "uint8")):
        with R.dataflow():
            p = lookup(q, RELUS)
            R.output(p)
        return (p,)


MODULES = {name: globals()[name] for name in RULES if name in globals()}


def test_every_rule_of_quantized_tensors_is_here() -> None:
    quantized = {name for name in RULES if name.startswith("QDQ")} | {
        *("LookupTableFusion", "ZeroPointFolding")
    }
    assert quantized == MODULES.keys()


@pytest.mark.parametrize("name", MODULES)
def test_the_module_after_it(name: str) -> None:
    printed = MODULES[name]
    before, after = (
        IRModule({"main": printed[place].with_attr("global_symbol", "main")})
        for place in ("before", "after")
    )
    assert_rewrites(RULES[name], before, after)
