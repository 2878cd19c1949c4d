"""What an operator has to do, by its definition: no loop, plan or layout is asked.

Counted as `counted_work` counts: a multiply-add is two operations, an element that is moved is one,
and what stands outside the image is none. A function such as exp is taken for a polynomial of ten
terms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from tvm import relax
from tvm.ir import Call, Expr

from tvmfuse.ir.dataflow import op_name
from tvmfuse.ir.types import static_shape_of
from tvmfuse.ops.attention import dimension

#: Operations of one exp, log, sine or erf.
FUNCTION = 20

Formula = Callable[[Call], int]


def useful_work(call: Call) -> int:
    """Count the operations that an operator has to do.

    Raises:
        KeyError: No formula is known for it.
    """
    return FORMULAS[op_name(call) or ""](call)


def elements(expr: Expr) -> int:
    """Return how many numbers a tensor has, or all tensors of a tuple."""
    if isinstance(expr.ty, relax.TupleType):
        return sum(math.prod(int(d) for d in ty.shape.values) for ty in expr.ty.fields)
    return math.prod(_shape(expr))


def _shape(expr: Expr) -> tuple[int, ...]:
    shape = static_shape_of(expr)
    if shape is None:
        raise ValueError(f"work is counted for sizes that are known, and {expr.ty} is not")
    return shape


def inside(size: int, taps: int, stride: int, dilation: int, begin: int, count: int) -> int:
    """Return how many taps of all windows along an axis meet the image.

    >>> inside(7, 1280, 1280, 1, 0, 1), inside(4, 3, 1, 1, 1, 4)
    (7, 10)
    """
    starts = (window * stride - begin for window in range(count))
    return sum(0 <= start + tap * dilation < size for start in starts for tap in range(taps))


def _results(cost: int) -> Formula:
    return lambda call: cost * elements(call)


def _operand(cost: int) -> Formula:
    return lambda call: cost * elements(call.args[0])


def _windows(call: Call, image: Sequence[int], taps: Sequence[int], results: Sequence[int]) -> int:
    """Return the taps inside the image of all windows, over all its axes."""
    attrs, rank = call.attrs, len(taps)
    pads = [int(p) for p in attrs["padding"]]
    sides = zip(image, taps, attrs["strides"], attrs["dilation"], pads[:rank], results, strict=True)
    return math.prod(inside(*map(int, side)) for side in sides)


def _pool(call: Call) -> int:
    n, c, *image = _shape(call.args[0])
    rank, blocks = len(call.attrs.pool_size), 1
    if len(image) > rank:
        *image, blocks = image
    results = _shape(call)[2 : 2 + rank]
    taps = [int(k) for k in call.attrs.pool_size]
    return n * c * blocks * _windows(call, image, taps, results) + elements(call)


def _conv(call: Call) -> int:
    n, _, *image = _shape(call.args[0])
    outs, ins, *taps = _shape(call.args[1])
    results = _shape(call)[2:]
    return 2 * n * outs * ins * _windows(call, image, taps, results) + _behind(call)


def _conv_blocked(call: Call) -> int:
    blocks, chunks, *taps, inner, block = _shape(call.args[1])
    n, _, *image = _shape(call.args[0])
    rank = len(taps)
    results = _shape(call)[2 : 2 + rank]
    each = _windows(call, image[:rank], taps, results)
    return 2 * n * blocks * block * chunks * inner * each + _behind(call)


def _winograd(call: Call) -> int:
    """Count the direct convolution: who multiplies less does less."""
    n, _, *image, _ = _shape(call.args[0])
    blocks, _, _, chunks, inner, block = _shape(call.args[1])
    results, pads = _shape(call)[2:4], [int(p) for p in call.attrs["padding"]]
    axes = zip(image, pads[:2], results, strict=True)
    each = math.prod(inside(size, 3, 1, 1, begin, count) for size, begin, count in axes)
    return 2 * n * blocks * block * chunks * inner * each + _behind(call)


def _conv_transpose(call: Call) -> int:
    """Each pixel is multiplied with each weight, but for what the padding cuts off."""
    n, ins, *image = _shape(call.args[0])
    _, outs, *taps = _shape(call.args[1])
    attrs, rank = call.attrs, len(taps)
    axes = zip(
        _shape(call)[2:],
        taps,
        attrs["strides"],
        attrs["dilation"],
        list(attrs["padding"])[:rank],
        image,
        strict=True,
    )
    each = math.prod(inside(*map(int, axis)) for axis in axes)
    return 2 * n * ins * outs * each + _behind(call)


def _behind(call: Call) -> int:
    """Count the bias, the addend and the activation of a convolution."""
    return (len(call.args) - 1) * elements(call)


def _gemm(call: Call) -> int:
    k = _shape(call.args[0])[0 if call.attrs["trans_a"] else -1]
    return (2 * k + len(call.args) - 1) * elements(call)


def _batch_matmul(call: Call) -> int:
    k = _shape(call.args[0])[-2 if call.attrs["trans_a"] else -1]
    return (2 * k + 1) * elements(call)


def _matmul(call: Call) -> int:
    return max(2 * _shape(call.args[0])[-1], 1) * elements(call)


def _einsum(call: Call) -> int:
    """Count a product and a sum at each value of all letters."""
    reads = str(call.attrs.subscripts).replace(" ", "").partition("->")[0].split(",")
    sizes = {
        letter: size
        for letters, operand in zip(reads, call.args[0].fields, strict=True)
        for letter, size in zip(letters, _shape(operand), strict=True)
    }
    return len(reads) * math.prod(sizes.values())


def _topk(call: Call) -> int:
    """Count the comparisons of a sort."""
    rows = _shape(call.args[0])
    return elements(call.args[0]) * max(1, math.ceil(math.log2(max(rows[call.attrs.axis], 1))))


def _attention(call: Call) -> int:
    q, k, v = (_shape(a) for a in call.args[:3])
    of_q, of_k, of_v = (call.attrs[f"{name}_axes"] for name in "qkv")
    batch, heads, queries, width = (q[dimension(of_q, name)] for name in "bhsd")
    keys, out = k[dimension(of_k, "s")], v[dimension(of_v, "d")]
    return batch * heads * queries * keys * (2 * width + 2 * out + FUNCTION + 6)


def _resize(call: Call) -> int:
    taps = {"nearest_neighbor": 1, "linear": 4, "cubic": 16}[call.attrs.method]
    return (2 * taps + FUNCTION) * elements(call)


def _resample(call: Call) -> int:
    """Count a product and a sum for each tap of the result, as if there were no other axis."""
    taps = (_shape(table)[0] for table in call.args[1::2])
    return sum(2 * count for count in taps) * elements(call)


def _roi_align(call: Call) -> int:
    samples = max(int(call.attrs["samples"]), 1)
    return (8 * samples**2 + FUNCTION) * elements(call)


def _all(names: str, formula: Formula) -> Iterable[tuple[str, Formula]]:
    return ((f"relax.{name}", formula) for name in names.split())


FORMULAS: Mapping[str, Formula] = dict(
    [
        *_all(
            "abs add subtract multiply divide maximum minimum negative sqrt rsqrt square ceil "
            "floor round trunc sign clip where astype equal not_equal less less_equal greater "
            "greater_equal logical_and logical_or logical_not logical_xor bitwise_and bitwise_or "
            "bitwise_xor bitwise_not left_shift right_shift floor_divide floor_mod mod isnan "
            "isinf isfinite nn.relu nn.leakyrelu",
            _results(1),
        ),
        *_all(
            "exp log erf tanh sigmoid sin cos atan nn.silu nn.gelu nn.gelu_tanh nn.softplus",
            _results(FUNCTION),
        ),
        *_all("power tan asin acos sinh cosh asinh acosh atanh nn.selu", _results(2 * FUNCTION)),
        *_all(
            "reshape expand_dims squeeze flatten nn.batch_flatten permute_dims concat split "
            "strided_slice dynamic_strided_slice take gather_elements gather_nd broadcast_to tile "
            "repeat flip nn.pad one_hot full full_like zeros ones zeros_like ones_like arange tril "
            "triu eye eye_like layout_transform stack nn.pixel_shuffle meshgrid",
            _results(1),
        ),
        *_all("scatter_elements scatter_nd", _results(2)),
        *_all("max min sum prod mean", _operand(1)),
        *_all("argmax argmin", _operand(2)),
        *_all("variance std", _operand(3)),
        *_all("cumsum cumprod", _results(1)),
        *_all("nn.softmax nn.log_softmax", _results(FUNCTION + 4)),
        *_all("nn.batch_norm", _operand(5)),
        *_all("nn.layer_norm nn.rms_norm nn.group_norm nn.instance_norm", _results(8)),
        *_all("quantize dequantize", _results(4)),
        *_all("matmul", _matmul),
        *_all("einsum", _einsum),
        *_all("topk", _topk),
        *_all("image.grid_sample", _results(2 * 4 + FUNCTION)),
        *_all("image.resize2d image.resize3d", _resize),
        *_all("nn.max_pool1d nn.max_pool2d nn.max_pool3d", _pool),
        *_all("nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d", _pool),
        ("tvmfuse.attention", _attention),
        ("tvmfuse.batch_matmul", _batch_matmul),
        ("tvmfuse.bias_gelu", _results(FUNCTION + 1)),
        ("tvmfuse.bias_softmax", _results(FUNCTION + 5)),
        ("tvmfuse.conv", _conv),
        ("tvmfuse.conv_blocked", _conv_blocked),
        ("tvmfuse.conv_transpose", _conv_transpose),
        ("tvmfuse.embed_layer_norm", _results(8)),
        ("tvmfuse.from_blocked", _results(1)),
        ("tvmfuse.gemm", _gemm),
        ("tvmfuse.identity", _results(1)),
        ("tvmfuse.dropout", _results(1)),
        ("tvmfuse.quick_gelu", _results(FUNCTION)),
        ("tvmfuse.requantize", _results(6)),
        ("tvmfuse.grid_sample", _results(2 * 4 + FUNCTION)),
        ("tvmfuse.group_norm", _results(8)),
        ("tvmfuse.resample", _resample),
        ("tvmfuse.roi_align", _roi_align),
        ("tvmfuse.skip_layer_norm", _results(8)),
        ("tvmfuse.to_blocked", _results(1)),
        ("tvmfuse.winograd", _winograd),
    ]
)
