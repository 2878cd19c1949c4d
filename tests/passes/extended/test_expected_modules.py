"""Each rule's plainest place, printed: what it looks like before, and what the rule makes of it."""

# TVMScript finds out what a function returns.
# mypy: disable-error-code="no-untyped-def"

import numpy as np
import pytest
from tvm import IRModule, relax
from tvm.script import ir as I, relax as R

from tvmfuse.ops import (
    attention,
    bias_gelu,
    bias_softmax,
    conv,
    conv_transpose,
    embed_layer_norm,
    gemm,
    quick_gelu,
    skip_layer_norm,
)
from tvmfuse.passes.catalogue import PIPELINE
from tvmfuse.testing import assert_rewrites

F32 = "float32"
RULES = {
    entry.name: entry for phase in PIPELINE for entry in phase.passes if phase.name == "extended"
}
RNG = np.random.default_rng(0)
WORDS, ROWS, GAMMA = (
    relax.const(RNG.random(shape, "float32")) for shape in [(7, 8), (1, 5, 8), (8,)]
)
WEIGHTS = RNG.random((3, 8, 12), "float32")
WQ, WK, WV, TOGETHER = map(relax.const, [*WEIGHTS, np.concatenate(WEIGHTS, axis=1)])

TAPS = RNG.random((3, 4, 2), "float32")
ONE_WAY, OTHER_WAY = map(relax.const, [TAPS, TAPS[:, :, ::-1].swapaxes(0, 1).copy()])


@I.ir_module
class ConvTransposeToConv:
    @R.function
    def before(x: R.Tensor((1, 3, 5), F32)):
        with R.dataflow():
            y = conv_transpose(
                x, ONE_WAY, strides=[1], padding=[1, 0], output_padding=[0], dilation=[2]
            )
            R.output(y)
        return (y,)

    @R.function
    def after(x: R.Tensor((1, 3, 5), F32)):
        with R.dataflow():
            y = conv(x, OTHER_WAY, strides=[1], padding=[1, 2], dilation=[2])
            R.output(y)
        return (y,)


@I.ir_module
class GeluFusion:
    @R.function
    def before(x: R.Tensor((3, 4), F32)):
        with R.dataflow():
            a = R.divide(x, R.const(1.4142135381698608, F32))
            b = R.erf(a)
            c = R.add(b, R.const(1.0, F32))
            d = R.multiply(x, c)
            y = R.divide(d, R.const(2.0, F32))
            R.output(y)
        return (y,)

    @R.function
    def after(x: R.Tensor((3, 4), F32)):
        with R.dataflow():
            y = R.nn.gelu(x)
            R.output(y)
        return (y,)


@I.ir_module
class FastGeluFusion:
    @R.function
    def before(x: R.Tensor((3, 4), F32)):
        with R.dataflow():
            a = R.power(x, R.const(3.0, F32))
            b = R.multiply(a, R.const(0.044714998453855515, F32))
            c = R.add(x, b)
            d = R.multiply(c, R.const(0.79788458347320557, F32))
            e = R.tanh(d)
            f = R.add(e, R.const(1.0, F32))
            g = R.divide(x, R.const(2.0, F32))
            y = R.multiply(g, f)
            R.output(y)
        return (y,)

    @R.function
    def after(x: R.Tensor((3, 4), F32)):
        with R.dataflow():
            y = R.nn.gelu_tanh(x)
            R.output(y)
        return (y,)


@I.ir_module
class QuickGeluFusion:
    @R.function
    def before(x: R.Tensor((3, 4), F32)):
        with R.dataflow():
            a = R.multiply(x, R.const(1.5, F32))
            b = R.sigmoid(a)
            y = R.multiply(x, b)
            R.output(y)
        return (y,)

    @R.function
    def after(x: R.Tensor((3, 4), F32)):
        with R.dataflow():
            y = quick_gelu(x, alpha=1.5)
            R.output(y)
        return (y,)


@I.ir_module
class BiasGeluFusion:
    @R.function
    def before(x: R.Tensor((3, 4), F32), b: R.Tensor((4,), F32)):
        with R.dataflow():
            a = R.add(x, b)
            y = R.nn.gelu(a)
            R.output(y)
        return (y,)

    @R.function
    def after(x: R.Tensor((3, 4), F32), b: R.Tensor((4,), F32)):
        with R.dataflow():
            y = bias_gelu(x, b)
            R.output(y)
        return (y,)


@I.ir_module
class GeluApproximation:
    @R.function
    def before(x: R.Tensor((3, 400), F32)):
        with R.dataflow():
            y = R.nn.gelu(x)
            R.output(y)
        return (y,)

    @R.function
    def after(x: R.Tensor((3, 400), F32)):
        with R.dataflow():
            y = R.nn.gelu_tanh(x)
            R.output(y)
        return (y,)


@I.ir_module
class LayerNormFusion:
    @R.function
    def before(x: R.Tensor((3, 4), F32), g: R.Tensor((4,), F32), b: R.Tensor((4,), F32)):
        with R.dataflow():
            mean = R.mean(x, axis=[1], keepdims=True)
            d = R.subtract(x, mean)
            square = R.multiply(d, d)
            variance = R.mean(square, axis=[1], keepdims=True)
            e = R.add(variance, R.const(0.5, F32))
            deviation = R.sqrt(e)
            n = R.divide(d, deviation)
            s = R.multiply(n, g)
            y = R.add(s, b)
            R.output(y)
        return (y,)

    @R.function
    def after(x: R.Tensor((3, 4), F32), g: R.Tensor((4,), F32), b: R.Tensor((4,), F32)):
        with R.dataflow():
            y = R.nn.layer_norm(x, g, b, axes=[1], epsilon=0.5)
            R.output(y)
        return (y,)


@I.ir_module
class SimplifiedLayerNormFusion:
    @R.function
    def before(x: R.Tensor((3, 4), F32), g: R.Tensor((4,), F32)):
        with R.dataflow():
            square = R.multiply(x, x)
            mean = R.mean(square, axis=[1], keepdims=True)
            e = R.add(mean, R.const(0.5, F32))
            root = R.sqrt(e)
            n = R.divide(x, root)
            y = R.multiply(n, g)
            R.output(y)
        return (y,)

    @R.function
    def after(x: R.Tensor((3, 4), F32), g: R.Tensor((4,), F32)):
        with R.dataflow():
            y = R.nn.rms_norm(x, g, axes=[1], epsilon=0.5)
            R.output(y)
        return (y,)


@I.ir_module
class EmbedLayerNormFusion:
    @R.function
    def before(ids: R.Tensor((2, 5), "int64")):
        with R.dataflow():
            negative = R.less(ids, R.const(0, "int64"))
            counted = R.add(ids, R.const(7, "int64"))
            i = R.where(negative, counted, ids)
            w = R.take(WORDS, i, axis=0, mode="wrap")
            s = R.add(w, ROWS)
            y = R.nn.layer_norm(s, GAMMA, GAMMA, axes=[2], epsilon=0.5)
            R.output(y)
        return (y,)

    @R.function
    def after(ids: R.Tensor((2, 5), "int64")):
        with R.dataflow():
            y = embed_layer_norm([(WORDS, ids)], [ROWS], GAMMA, GAMMA, epsilon=0.5, sums=False)
            R.output(y)
        return (y,)


@I.ir_module
class SkipLayerNormFusion:
    @R.function
    def before(
        x: R.Tensor((3, 4), F32), k: R.Tensor((3, 4), F32), g: R.Tensor((4,), F32), b: R.Tensor((4,), F32)
    ):  # fmt: skip
        with R.dataflow():
            s = R.add(x, k)
            y = R.nn.layer_norm(s, g, b, axes=[-1], epsilon=0.5)
            R.output(y)
        return (y,)

    @R.function
    def after(
        x: R.Tensor((3, 4), F32), k: R.Tensor((3, 4), F32), g: R.Tensor((4,), F32), b: R.Tensor((4,), F32)
    ):  # fmt: skip
        with R.dataflow():
            y = skip_layer_norm(x, k, g, b, epsilon=0.5, sums=False)
            R.output(y)
        return (y,)


@I.ir_module
class AttentionFusion:
    @R.function
    def before(
        q: R.Tensor((2, 3, 5, 8), F32),
        k: R.Tensor((2, 3, 8, 7), F32),
        v: R.Tensor((2, 3, 7, 4), F32),
    ):
        with R.dataflow():
            s = R.matmul(q, k)
            p = R.nn.softmax(s, axis=-1)
            o = R.matmul(p, v)
            y = R.permute_dims(o, axes=[0, 2, 1, 3])
            R.output(y)
        return (y,)

    @R.function
    def after(
        q: R.Tensor((2, 3, 5, 8), F32),
        k: R.Tensor((2, 3, 8, 7), F32),
        v: R.Tensor((2, 3, 7, 4), F32),
    ):
        with R.dataflow():
            y = attention(q, k, v, scale=1.0, q_axes="bhsd", k_axes="bhds", v_axes="bhsd")
            R.output(y)
        return (y,)


@I.ir_module
class QkvMatMulFusion:
    @R.function
    def before(x: R.Tensor((2, 5, 8), F32)):
        with R.dataflow():
            i = R.matmul(x, WQ)
            j = R.matmul(x, WK)
            m = R.matmul(x, WV)
            q = R.reshape(i, (2, 5, 3, 4))
            k = R.reshape(j, (2, 5, 3, 4))
            v = R.reshape(m, (2, 5, 3, 4))
            y = attention(q, k, v, scale=0.5)
            R.output(y)
        return (y,)

    @R.function
    def after(x: R.Tensor((2, 5, 8), F32)):
        with R.dataflow():
            a = gemm(x, TOGETHER)
            p = R.reshape(a, (2, 5, 3, 3, 4))
            y = attention(p, p, p, scale=0.5, q_axes="bs0hd", k_axes="bs1hd", v_axes="bs2hd")
            R.output(y)
        return (y,)


@I.ir_module
class MatmulTransposeFusion:
    @R.function
    def before(a: R.Tensor((5, 8), F32), b: R.Tensor((7, 8), F32)):
        with R.dataflow():
            t = R.permute_dims(b, axes=[1, 0])
            y = R.matmul(a, t)
            R.output(y)
        return (y,)

    @R.function
    def after(a: R.Tensor((5, 8), F32), b: R.Tensor((7, 8), F32)):
        with R.dataflow():
            y = gemm(a, b, trans_b=True)
            R.output(y)
        return (y,)


@I.ir_module
class MatMulScaleFusion:
    @R.function
    def before(a: R.Tensor((5, 8), F32), b: R.Tensor((8, 7), F32)):
        with R.dataflow():
            s = R.multiply(a, R.const(0.5, F32))
            y = R.matmul(s, b)
            R.output(y)
        return (y,)

    @R.function
    def after(a: R.Tensor((5, 8), F32), b: R.Tensor((8, 7), F32)):
        with R.dataflow():
            y = gemm(a, b, alpha=0.5)
            R.output(y)
        return (y,)


@I.ir_module
class BiasSoftmaxFusion:
    @R.function
    def before(x: R.Tensor((5, 7), F32), b: R.Tensor((7,), F32)):
        with R.dataflow():
            s = R.add(x, b)
            y = R.nn.softmax(s, axis=1)
            R.output(y)
        return (y,)

    @R.function
    def after(x: R.Tensor((5, 7), F32), b: R.Tensor((7,), F32)):
        with R.dataflow():
            y = bias_softmax(x, b, axis=1)
            R.output(y)
        return (y,)


@I.ir_module
class GatherSliceToSplitFusion:
    @R.function
    def before(x: R.Tensor((6, 10), F32)):
        with R.dataflow():
            a = R.strided_slice(x, axes=[1], begin=[0], end=[4])
            b = R.strided_slice(x, axes=[1], begin=[4], end=[10])
            R.output(a, b)
        return (a, b)

    @R.function
    def after(x: R.Tensor((6, 10), F32)):
        with R.dataflow():
            s = R.split(x, [4], axis=1)
            a = s[0]
            b = s[1]
            R.output(a, b)
        return (a, b)


MODULES = {name: globals()[name] for name in RULES if name in globals()}


def test_every_rule_of_the_tier_is_here() -> None:
    # In files of their own.
    elsewhere = {
        *("ConvActivationFusion", "ConvBeforeResize", "GemmActivationFusion"),
        *("LookupTableFusion", "ZeroPointFolding"),
    }
    assert {r for r in RULES if not r.startswith("QDQ")} - elsewhere == MODULES.keys()


@pytest.mark.parametrize("name", MODULES)
def test_the_module_after_it(name: str) -> None:
    """Numbers stay, too; those of an approximation nearly."""
    printed, rtol = MODULES[name], 1e-3 if name == "GeluApproximation" else 1e-5
    before, after = (
        IRModule({"main": printed[place].with_attr("global_symbol", "main")})
        for place in ("before", "after")
    )
    assert_rewrites(RULES[name], before, after, rtol=rtol)
