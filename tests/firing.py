"""A small model for each pass of the catalogue, on which it fires at level `all`.

Of `PreShapeNodeElimination` and `DeadCodeElimination` there is none: the importer does their work.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from tier_cases import Case

ONE, TWO, HALF = (np.float32(number) for number in (1, 2, 0.5))
HEADS = """
    i = MatMul(x, wq) j = MatMul(x, wk) l = MatMul(x, wv)
    a = Reshape(i, heads) q = Transpose<perm=[0,2,1,3]>(a)
    b = Reshape(j, heads) k = Transpose<perm=[0,2,3,1]>(b)
    c = Reshape(l, heads) v = Transpose<perm=[0,2,1,3]>(c)
    s = MatMul(q, k) p = Softmax<axis=-1>(s) o = MatMul(p, v)
    t = Transpose<perm=[0,2,1,3]>(o) r = Reshape(t, joined)
"""
NORM = (
    "m = ReduceMean(x, a) d = Sub(x, m) q = Pow(d, two) v = ReduceMean(q, a) e = Add(v, eps) r = Sqrt(e) n = Div(d, r) "
    "s = Mul(n, g) y = Add(s, b)"
)
TANH = (
    "q = Pow(x, three) m = Mul(q, k) a = Add(x, m) i = Mul(a, c) t = Tanh(i) s = Add(t, one) h = Div(x, two) "
    "y = Mul(h, s)"
)
SLICES = (
    "a = Slice(x, oo, ee, hw, ss) b = Slice(x, lo, ee, hw, ss) c = Slice(x, ol, ee, hw, ss) "
    "d = Slice(x, ll, ee, hw, ss) f = Concat<axis=1>(a, b, c, d) y = Relu(f)"
)
BN: dict[str, Any] = dict.fromkeys(("s", "o", "m"), (5,)) | {"v": np.ones(5, "float32")}


def ints(*numbers: int) -> np.ndarray:
    return np.array(numbers, "int64")


def of(
    rule: str,
    body: str,
    inputs: str = "float[3,4] x",
    *,
    opset: int = 20,
    disabled: tuple[str, ...] = (),
    enabled: bool = False,
    **constants: Any,
) -> Case:
    """Return a case whose graph has the output `y`, unless the body names the outputs, too."""
    outputs, arrow, rest = body.partition("=>")
    graph = f"({inputs}) => ({outputs if arrow else 'float[] y'}) {{{rest if arrow else body}}}"
    return Case(
        "", rule, graph, None, constants=constants, disabled=disabled, enabled=enabled, opset=opset
    )


CASES = (
    of("EliminateIdentity", "a = Exp(x) b = Identity(a) y = Neg(b)"),
    of("EliminateDropout", "a = Exp(x) b = Dropout(a) y = Neg(b)"),
    of("UnsqueezeElimination", "b = Unsqueeze(w, zero) y = Add(x, b)", w=(4,), zero=ints(0)),
    of("ConstantFolding", "k = Exp(w) y = Add(x, k)", w=(4,)),
    of("ConstantSharing", "a = Add(x, k) b = Exp(a) y = Add(b, l)", k=ONE, l=ONE),
    of("CommonSubexpressionElimination", "a = Exp(x) b = Exp(x) c = Neg(a) y = Mul(b, c)"),
    of("EliminateSlice", "a = Exp(x) b = Slice(a, o, l) y = Neg(b)", o=ints(0), l=ints(9)),
    of("ExpandElimination", "a = Exp(x) b = Expand(a, w) y = Neg(b)", w=ints(3, 4)),
    of("CastElimination", "a = Exp(x) b = Cast<to=1>(a) y = Neg(b)"),
    of("CastChainElimination", "a = Exp(x) b = Cast<to=11>(a) c = Cast<to=1>(b) y = Neg(c)", enabled=True),
    of("NoopElimination", "a = Exp(x) b = Mul(a, k) y = Neg(b)", k=ONE),
    of("ConcatAddFusion", "a = Concat<axis=1>(x, k) b = Concat<axis=1>(k, x) y = Add(a, b)",
        k=np.zeros((3, 4), "float32")),
    of("NotWhereFusion", "c = Greater(x, k) n = Not(c) y = Where(n, x, k)", k=HALF),
    of("DivMulFusion", "a = Exp(x) b = Div(k, a) y = Mul(b, x)", k=ONE),
    of("GatherToSliceFusion", "a = Exp(x) b = Gather<axis=1>(a, k) y = Neg(b)", k=ints(1, 2)),
    of("SliceConcatToSpaceToDepthFusion", SLICES, "float[1,3,8,8] x", oo=ints(0, 0), lo=ints(1, 0), ol=ints(0, 1),
        ll=ints(1, 1), ee=ints(8, 8), hw=ints(2, 3), ss=ints(2, 2)),
    of("Pad_Fusion", "p = Pad(x, by) y = Conv(p, w)", "float[1,3,8,8] x", by=ints(0, 0, 1, 1, 0, 0, 1, 1),
        w=(5, 3, 3, 3)),
    of("ConvMulFusion", "c = Conv(x, w) y = Mul(c, k)", "float[1,3,8,8] x", w=(5, 3, 3, 3), k=(5, 1, 1)),
    of("ConvAddFusion", "c = Conv(x, w) y = Add(c, k)", "float[1,3,8,8] x", w=(5, 3, 3, 3), k=(5, 1, 1)),
    of("ConvBNFusion", "c = Conv(x, w) y = BatchNormalization(c, s, o, m, v)", "float[1,3,8,8] x", w=(5, 3, 3, 3),
        **BN),
    of("FuseReluClip", "a = Relu(x) y = Clip(a, l, h)", l=np.float32(-1), h=TWO),
    of("ReshapeFusion", "a = Exp(x) b = Reshape(a, k) c = Reshape(b, l) y = Neg(c)", k=ints(2, 6), l=ints(4, 3)),
    of("TransposeOptimizer", "a = Transpose(x) b = Exp(a) y = Transpose(b)"),
    of("GemmTransposeFusion", "t = Transpose(x) y = Gemm(t, w, k)", w=(3, 5), k=(5,)),
    of("MatMul_BatchNormalization_Fusion", "a = MatMul(x, w) y = BatchNormalization(a, s, o, m, v)", w=(4, 5), **BN),
    of("MatMulAddFusion", "a = MatMul(x, w) y = Add(a, k)", w=(4, 5), k=(5,)),
    of("GemmSumFusion", "a = Gemm(x, w) y = Add(a, k)", w=(4, 5), k=(3, 5)),
    of("GemmReshapeFusion", "f = Reshape(x, flat) y = Gemm(f, w, k)", "float[2,5,8] x", flat=ints(10, 8), w=(8, 16),
        k=(16,)),
    of("ConvTransposeToConv", "y = ConvTranspose(x, w)", "float[1,3,8,8] x", w=(3, 5, 3, 3)),
    of("ConvBeforeResize", "u = Resize(x, , f) y = Conv(u, w)", "float[1,24,5,8] x",
        f=np.array([1, 1, 2, 2], "float32"), w=(24, 24, 1, 1)),
    of("GeluFusion", "a = Div(x, k) e = Erf(a) s = Add(e, one) p = Mul(x, s) y = Div(p, two)", k=np.float32(np.sqrt(2)),
        one=ONE, two=TWO),
    of("FastGeluFusion", TANH, three=np.float32(3), k=np.float32(0.044715), c=np.float32(np.sqrt(2 / np.pi)), one=ONE,
        two=TWO),
    of("QuickGeluFusion", "s = Sigmoid(x) y = Mul(x, s)"),
    of("BiasGeluFusion", "s = Add(x, b) y = Gelu(s)", b=(4,)),
    of("GeluApproximation", "y = Gelu(x)", "float[n,400] x", enabled=True),
    of("LayerNormFusion", NORM, a=ints(-1), two=TWO, eps=np.float32(1e-5), g=(4,), b=(4,)),
    of("SimplifiedLayerNormFusion", "y = RMSNormalization(x, g)", opset=23, g=(4,)),
    of("EmbedLayerNormFusion", "w = Gather(words, ids) s = Add(w, rows) y = LayerNormalization(s, g, b)",
        "int64[2,5] ids", words=(7, 8), rows=(1, 5, 8), g=(8,), b=(8,)),
    of("SkipLayerNormFusion", "s = Add(x, k) y = LayerNormalization(s, g, b)", "float[3,4] x, float[3,4] k", g=(4,),
        b=(4,)),
    of("AttentionFusion", "y = Attention(q, k, v)", "float[2,3,5,8] q, float[2,3,7,8] k, float[2,3,7,8] v", opset=23),
    of("QkvMatMulFusion", f"float[] r => {HEADS}", "float[2,5,8] x", wq=(8, 12), wk=(8, 12),
        wv=(8, 12), heads=ints(0, 0, 3, 4), joined=ints(0, 0, 12)),
    of("MatmulTransposeFusion", "t = Transpose(x) y = MatMul(t, t)", "float[5,5] x",
        disabled=("TransposeOptimizer", "GemmTransposeFusion")),
    of("MatMulScaleFusion", "p = Mul(a, c) y = MatMul(p, b)", "float[8] a, float[8,7] b", c=HALF),
    of("BiasSoftmaxFusion", "s = Add(x, b) y = Softmax<axis=-1>(s)", "float[5,7] x, float b"),
    of("GatherSliceToSplitFusion", "float[] y, float[] z => y = Gather<axis=1>(x, k) z = Gather<axis=1>(x, l)",
        "float[6,6] x", k=ints(0, 1, 2), l=ints(3, 4, 5)),
    of("GemmActivationFusion", "p = Gemm(a, b, c) y = Relu(p)", "float[5,8] a, float[8,7] b, float[7] c"),
    of("ConvActivationFusion", "p = Conv(x, w, k) y = Relu(p)", "float[2,3,15] x", w=(5, 3, 3), k=(5,)),
    of("FuseOps", "a = Exp(x) y = Neg(a)"),
    of("LateWidening", "p = MatMul(x, w) h = Cast<to=10>(p) a = Cast<to=1>(h) q = MatMul(x, v) i = Cast<to=10>(q) "
        "b = Cast<to=1>(i) y = Add(a, b)", w=(4, 8), v=(4, 8)),
    of("FuseTIR", "a = Exp(x) y = Neg(a)"),
    of("CanonicalizeSymbolicSizes", "p = MaxPool<kernel_shape=[2],pads=[0,1],strides=[2]>(x) y = Softmax<axis=2>(p)",
        "float[2,3,n] x"),
    of("NchwcTransformer", "y = Conv<pads=[1,1]>(x, w)", "float[2,64,15] x", disabled=("WinogradConv",), w=(64, 64, 3)),
    of("WinogradConv", "y = Conv(x, w)", "float[1,16,12,12] x", w=(32, 16, 3, 3)),
    of("ConvAddActivationFusion", "c = Conv<pads=[1,1,1,1]>(x, w) s = Add(c, x) y = Relu(s)", "float[1,16,12,12] x",
        w=(16, 16, 3, 3)),
    of("PrepackWeights", "y = MatMul(x, w)", w=(4, 48)),
)  # fmt: skip
