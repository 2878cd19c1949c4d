"""Every operator that models are made of computes the same after scheduling as before."""

import pytest
from tvm import relax, te, tirx, topi
from tvm.relax import op as R

from kernels_of import assert_same_numbers, lowered

N, M = tirx.Var("n", "int64"), tirx.Var("m", "int64")


def f32(*shape):
    return shape, "float32"


def of(dtype, *shape):
    return shape, dtype


def const(value, dtype="float32"):
    return relax.const(value, dtype)


UNARY = {
    name: (getattr(R, name), f32(3, 5, 37))
    for name in (
        "abs acos asin atan ceil cos erf exp floor isfinite isinf isnan log negative round rsqrt"
        " sigmoid sign sin sinh sqrt square tan tanh"
    ).split()
}

BINARY = {
    name: (getattr(R, name), f32(4, 1, 37), f32(6, 37))
    for name in "add divide equal greater less maximum minimum multiply not_equal power subtract".split()
}

ELEMENTWISE = {
    "scalar": (lambda a: R.add(a, const(1.0)), f32()),
    "one element": (lambda a: R.exp(a), f32(1, 1)),
    "chain": (lambda a, b: R.nn.relu(R.tanh(a + b) * a), f32(7, 129), f32(129)),
    "channel bias": (lambda a, b: R.nn.relu(a + b), f32(2, 6, 7, 9), f32(6, 1, 1)),
    "gelu": (lambda a, b: R.nn.gelu(a + b), f32(32, 197), f32(197)),
    "hard swish": (lambda a: a * R.clip(a + const(3.0), 0, 6) / const(6.0), f32(2, 24, 7, 7)),
    "where": (R.where, of("bool", 4, 37), f32(4, 37), f32(4, 37)),
    "cast to int": (lambda a: R.astype(a, "int32"), f32(3, 50)),
    "cast to half": (lambda a: R.astype(a, "float16"), f32(3, 50)),
    "half": (lambda a, b: R.nn.relu(a * b), of("float16", 3, 50), of("float16", 50)),
    "double": (lambda a, b: R.exp(a) + b, of("float64", 3, 50), of("float64", 3, 50)),
    "int8": (lambda a, b: a * b + a, of("int8", 3, 70), of("int8", 3, 70)),
    "int64": (lambda a, b: a * b + a, of("int64", 3, 70), of("int64", 3, 70)),
    "floor divide": (R.floor_divide, of("int32", 70), of("int32", 70)),
    "uint8": (lambda a: R.astype(a, "float32"), of("uint8", 3, 70)),
    "logical": (R.logical_and, of("bool", 3, 70), of("bool", 3, 70)),
    "bitwise": (R.bitwise_xor, of("int32", 3, 70), of("int32", 3, 70)),
    "batch norm": (
        lambda x, g, b, m, v: R.nn.batch_norm(x, g, b, m, R.abs(v), axis=1, training=False)[0],
        f32(2, 6, 7, 9),
        *[f32(6)] * 4,
    ),
    "deep chain": (lambda a: _squared(a, 9), f32(5, 33)),
    "dynamic": (lambda a, b: R.nn.relu(a + b), f32(N, M), f32(M)),
    "dynamic batch": (lambda a, b: R.nn.relu(a + b), f32(N, 6, 35), f32(6, 1)),
}


def _squared(a, times):
    # Each value is read twice, so inlining everything would double the kernel at every step.
    for _ in range(times):
        a = a * R.sigmoid(a)
    return a


MOVEMENT = {
    "transpose": (lambda a: R.permute_dims(a, [0, 2, 1]), f32(3, 21, 37)),
    "heads": (lambda a: R.permute_dims(R.reshape(a, (1, 21, 4, 16)), [0, 2, 1, 3]), f32(1, 21, 64)),
    "reshape": (lambda a: R.reshape(a, (4, 3, 35)), f32(3, 4, 5, 7)),
    "flatten dynamic": (lambda a: R.reshape(a, (N, 35)), f32(N, 5, 7)),
    "concat channels": (lambda a, b, c: R.concat([a, b, c], 1), f32(2, 3, 9), f32(2, 4, 9), f32(2, 1, 9)),
    "concat inner": (lambda a, b: R.concat([a, b], 1), f32(5, 13), f32(5, 30)),
    "concat dynamic": (lambda a, b: R.concat([a, b], 1), f32(2, N, 9), f32(2, M, 9)),
    "split": (lambda a: R.split(a, [3, 10], 1), f32(2, 17, 5)),
    "slice": (lambda a: R.strided_slice(a, [1], [1], [30], [3]), f32(4, 37)),
    "flip": (lambda a: R.flip(a, 1), f32(4, 37)),
    "pad": (lambda a: R.nn.pad(a, [0, 0, 1, 2, 3, 1]), f32(2, 9, 14)),
    "pad dynamic": (lambda a: R.nn.pad(a, [0, 0, 2, 2]), f32(3, N)),
    "tile": (lambda a: R.tile(a, (2, 3)), f32(5, 7)),
    "repeat": (lambda a: R.repeat(a, 3, 1), f32(5, 7)),
    "broadcast": (lambda a: R.broadcast_to(a, (4, 5, 33)), f32(5, 1)),
    "expand": (lambda a: R.expand_dims(a, [0, 2]), f32(5, 33)),
    "embedding": (lambda a, i: R.take(a, i, 0, mode="clip"), f32(30, 20), of("int64", 2, 7)),
    "take inner": (lambda a, i: R.take(a, i, 1, mode="clip"), f32(6, 9), of("int64", 7)),
    "gather elements": (lambda a, i: R.gather_elements(a, i, 0), f32(30, 20), of("int64", 7, 20)),
    "gather nd": (lambda a, i: R.gather_nd(a, i), f32(8, 9, 20), of("int64", 7, 2)),
    "one hot": (lambda i: R.one_hot(i, relax.prim_value(1.0), relax.prim_value(0.0), 9, -1), of("int64", 7)),
    "tril": (lambda a: R.tril(a, 1), f32(3, 20, 20)),
    "arange": (lambda: R.arange(0, 50, 1, "float32"),),
    "full": (lambda: R.full((3, 50), const(2.5), "float32"),),
    "nearest": (lambda a: R.image.resize2d(a, (14, 14), method="nearest_neighbor"), f32(1, 3, 7, 7)),
    "bilinear": (lambda a: R.image.resize2d(a, (11, 13)), f32(1, 3, 7, 7)),
    "depth to space": (lambda a: R.permute_dims(R.reshape(a, (1, 2, 2, 2, 5, 5)), [0, 3, 4, 1, 5, 2]), f32(1, 8, 5, 5)),
}

REDUCTIONS = {
    "sum": (lambda a: R.sum(a, -1), f32(7, 197)),
    "sum short": (lambda a: R.sum(a, -1), f32(7, 5)),
    "sum all": (lambda a: R.sum(a), f32(7, 19)),
    "sum outer": (lambda a: R.sum(a, 0), f32(19, 37)),
    "sum middle": (lambda a: R.sum(a, 1), f32(3, 19, 37)),
    "sum two": (lambda a: R.sum(a, [0, 2]), f32(3, 19, 37)),
    "sum squares": (lambda a: R.sum(a * a, -1), f32(7, 197)),
    "sum empty": (lambda a: R.sum(a, -1), f32(7, 0)),
    "sum int": (lambda a: R.sum(a, -1), of("int64", 7, 197)),
    "sum double": (lambda a: R.sum(a, -1), of("float64", 7, 197)),
    "sum half": (lambda a: R.sum(R.astype(a, "float32"), -1), of("float16", 7, 50)),
    "sum dynamic": (lambda a: R.sum(a, -1), f32(N, M)),
    "mean": (lambda a: R.mean(a, [2, 3]), f32(2, 6, 7, 7)),
    "mean keep": (lambda a: R.mean(a, -1, keepdims=True), f32(3, 40)),
    "variance": (lambda a: R.variance(a, -1), f32(3, 40)),
    "max": (lambda a: R.max(a, -1), f32(7, 197)),
    "max int": (lambda a: R.max(a, -1), of("int32", 7, 197)),
    "min": (lambda a: R.min(a, 1), f32(3, 19, 37)),
    "product": (lambda a: R.prod(a, -1), f32(7, 40)),
    "argmax": (lambda a: R.argmax(a, -1), f32(7, 40)),
    "argmin": (lambda a: R.argmin(a, 1), f32(3, 19, 37)),
    "softmax": (lambda a: R.nn.softmax(a, -1), f32(4, 5, 197)),
    "softmax channels": (lambda a: R.nn.softmax(a, 1), f32(2, 19, 5, 5)),
    "softmax dynamic": (lambda a: R.nn.softmax(a, -1), f32(N, 3, M)),
    "softmax row": (lambda a: R.nn.softmax(a, -1), f32(1, 1000)),
    "log softmax": (lambda a: R.nn.log_softmax(a, -1), f32(4, 50)),
    "layer norm": (lambda a, g, b: R.nn.layer_norm(a, g, b, [-1]), f32(5, 197), f32(197), f32(197)),
    "layer norm dynamic": (lambda a, g, b: R.nn.layer_norm(a, g, b, [-1]), f32(N, M, 48), f32(48), f32(48)),
    "rms norm": (lambda a, g: R.nn.rms_norm(a, g, [-1]), f32(5, 100), f32(100)),
    "group norm": (
        lambda a, g, b: R.nn.group_norm(a, g, b, 3, 1, [2, 3]), f32(2, 6, 5, 5), f32(6), f32(6)
    ),
    "instance norm": (
        lambda a, g, b: R.nn.instance_norm(a, g, b, 1, [2, 3]), f32(2, 6, 5, 5), f32(6), f32(6)
    ),
    "max pool": (lambda a: R.nn.max_pool2d(a, (3, 3), (2, 2), (1, 1)), f32(2, 6, 15, 15)),
    "max pool 1d": (lambda a: R.nn.max_pool1d(a, 3, 1, 1), f32(2, 6, 33)),
    "max pool 3d": (lambda a: R.nn.max_pool3d(a, (2, 2, 2), (2, 2, 2)), f32(1, 3, 6, 6, 6)),
    "avg pool": (lambda a: R.nn.avg_pool2d(a, (3, 3), (1, 1), (1, 1)), f32(2, 6, 15, 15)),
    "global pool": (lambda a: R.nn.adaptive_avg_pool2d(a, (1, 1)), f32(2, 6, 7, 7)),
    "cumulative sum": (lambda a: R.cumsum(a, 1), f32(4, 37)),
}

PRODUCTS = {
    "matmul": (R.matmul, f32(37, 29), f32(29, 53)),
    "matmul bias": (lambda a, b, c: R.nn.relu(R.matmul(a, b) + c), f32(37, 29), f32(29, 53), f32(53)),
    "matmul gelu": (lambda a, b, c: R.nn.gelu(R.matmul(a, b) + c), f32(1, 12, 24), f32(24, 64), f32(64)),
    "matmul residual": (
        lambda a, b, c, d: R.matmul(a, b) + c + d, f32(2, 9, 24), f32(24, 33), f32(33), f32(2, 9, 33)
    ),
    "vector matrix": (R.matmul, f32(1, 64), f32(64, 100)),
    "matrix vector": (R.matmul, f32(100, 64), f32(64)),
    "dot": (R.matmul, f32(100), f32(100)),
    "one column": (R.matmul, f32(100, 64), f32(64, 1)),
    "batched": (R.matmul, f32(3, 2, 17, 16), f32(3, 2, 16, 19)),
    "broadcast batch": (R.matmul, f32(3, 1, 17, 16), f32(4, 16, 19)),
    "attention scores": (
        lambda q, k: R.matmul(q, R.permute_dims(k, [0, 1, 3, 2])) * const(0.125),
        f32(1, 4, 33, 16),
        f32(1, 4, 33, 16),
    ),
    "matmul dynamic": (lambda a, b, c: R.matmul(a, b) + c, f32(N, M, 29), f32(29, 53), f32(53)),
    "matmul all dynamic": (R.matmul, f32(N, M), f32(M, N)),
    "matmul double": (R.matmul, of("float64", 17, 29), of("float64", 29, 21)),
    "matmul half": (R.matmul, of("float16", 9, 16), of("float16", 16, 21)),
    "matmul int": (R.matmul, of("int32", 17, 29), of("int32", 29, 21)),
    "matmul empty": (R.matmul, f32(7, 0), f32(0, 9)),
    "einsum": (lambda a, b: R.einsum((a, b), "ijk,jkl->il"), f32(9, 5, 7), f32(5, 7, 18)),
    "conv 1x1": (R.nn.conv2d, f32(1, 16, 7, 9), f32(12, 16, 1, 1)),
    "conv 3x3": (lambda x, w: R.nn.conv2d(x, w, padding=1), f32(1, 5, 14, 14), f32(10, 5, 3, 3)),
    "conv bias relu": (
        lambda x, w, b: R.nn.relu(R.nn.conv2d(x, w, padding=1) + b), f32(2, 6, 9, 13), f32(8, 6, 3, 3), f32(1, 8, 1, 1)
    ),
    "conv residual": (
        lambda x, w, b, r: R.nn.relu(R.nn.conv2d(x, w, padding=1) + b + r),
        f32(1, 6, 9, 13), f32(8, 6, 3, 3), f32(1, 8, 1, 1), f32(1, 8, 9, 13),
    ),
    "conv stride": (lambda x, w: R.nn.conv2d(x, w, strides=2, padding=3), f32(1, 3, 33, 33), f32(8, 3, 7, 7)),
    "conv 1x1 stride": (lambda x, w: R.nn.conv2d(x, w, strides=2), f32(1, 16, 13, 13), f32(12, 16, 1, 1)),
    "conv dilated": (
        lambda x, w: R.nn.conv2d(x, w, dilation=2, padding=2), f32(1, 4, 13, 13), f32(6, 4, 3, 3)
    ),
    "conv groups": (
        lambda x, w: R.nn.conv2d(x, w, strides=2, padding=1, groups=4), f32(1, 8, 15, 15), f32(12, 2, 3, 3)
    ),
    "depthwise": (
        lambda x, w, b: R.clip(R.nn.conv2d(x, w, padding=1, groups=8) + b, 0, 6),
        f32(1, 8, 14, 14), f32(8, 1, 3, 3), f32(1, 8, 1, 1),
    ),
    "depthwise stride": (
        lambda x, w: R.nn.conv2d(x, w, strides=2, padding=1, groups=8), f32(1, 8, 15, 15), f32(8, 1, 3, 3)
    ),
    "conv 1d": (lambda x, w: R.nn.conv1d(x, w, padding=2), f32(2, 6, 41), f32(8, 6, 5)),
    "conv 3d": (lambda x, w: R.nn.conv3d(x, w, padding=1), f32(1, 3, 6, 7, 8), f32(5, 3, 3, 3, 3)),
    "conv one pixel": (R.nn.conv2d, f32(1, 24, 1, 1), f32(10, 24, 1, 1)),
    "conv patches": (lambda x, w: R.nn.conv2d(x, w, strides=4), f32(1, 3, 16, 16), f32(24, 3, 4, 4)),
    "conv channels last": (
        lambda x, w: R.nn.conv2d(x, w, padding=1, data_layout="NHWC", kernel_layout="HWIO"),
        f32(1, 9, 9, 6), f32(3, 3, 6, 20),
    ),
    "conv dynamic": (lambda x, w: R.nn.conv2d(x, w, padding=1), f32(N, 5, 14, 14), f32(10, 5, 3, 3)),
    "conv dynamic image": (
        lambda x, w: R.nn.conv2d(x, w, strides=2, padding=1), f32(1, 3, N, M), f32(6, 3, 3, 3)
    ),
    "conv transpose": (
        lambda x, w: R.nn.conv2d_transpose(x, w, strides=2, padding=1), f32(1, 6, 7, 7), f32(6, 4, 3, 3)
    ),
}

OTHERS = {
    "sort": (lambda a: R.sort(a, -1), f32(4, 37)),
    "top k": (lambda a: R.topk(a, 3, ret_type="values"), f32(4, 37)),
    "scatter": (lambda a, i, u: R.scatter_elements(a, i, u, 0), f32(9, 4), of("int64", 3, 4), f32(3, 4)),
    "nonzero": (lambda a: R.nonzero(a), f32(9, 4)),
}

CASES = UNARY | BINARY | ELEMENTWISE | MOVEMENT | REDUCTIONS | PRODUCTS | OTHERS


@pytest.mark.parametrize("name", CASES)
def test_computes_the_same(name) -> None:
    operator, *inputs = CASES[name]
    assert_same_numbers(lowered(operator, *inputs), n=3, m=37)
