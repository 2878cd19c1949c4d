"""The converter of each ATen operator."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

import torch
from tvm import relax

from tvmfuse.frontend.torch.convert import (
    attention,
    bits,
    convolution_backward,
    creation,
    elementwise,
    functions,
    indexing,
    matrix,
    mixing_backward,
    movement,
    normalization,
    pooling,
    pooling_backward,
    recurrent,
    reduction,
    resizing,
    sorting,
)
from tvmfuse.frontend.torch.convert.elementwise import (
    binary,
    bitwise,
    clamp,
    comparison,
    logical,
    of_floats,
    relax_unary,
    unary,
)
from tvmfuse.frontend.torch.operation import TorchOperation
from tvmfuse.frontend.torch.overloads import named

Converter = Callable[[TorchOperation], Any]

#: ATen operator -> converter, for all of its overloads that stand after it, or the default one.
_ATEN: Final[Mapping[str, Converter]] = {
    "__lshift__.Tensor __lshift__.Scalar": functions.shift("LEFT"),
    "__rshift__.Tensor __rshift__.Scalar": functions.shift("RIGHT"),
    "_adaptive_avg_pool2d _adaptive_avg_pool3d": pooling.adaptive_average_pool,
    "_adaptive_avg_pool2d_backward": mixing_backward.adaptive_average_pool_backward,
    "_adaptive_avg_pool3d_backward": mixing_backward.adaptive_average_pool_backward,
    "_log_softmax": reduction.softmax("LogSoftmax"),
    "_native_batch_norm_legit.no_stats": normalization.norm_of_batch,
    "_native_batch_norm_legit_no_training": normalization.batch_norm,
    "_prelu_kernel": elementwise.prelu,
    "_scaled_dot_product_flash_attention_for_cpu": attention.attention,
    "_scaled_dot_product_flash_attention_for_cpu_backward": attention.attention_backward,
    "_softmax": reduction.softmax("Softmax"),
    "_to_copy": elementwise.cast,
    "_unsafe_index.Tensor": indexing.index,
    "_unsafe_index_put": indexing.index_put,
    "_unsafe_view": movement.reshape,
    "_upsample_nearest_exact1d _upsample_nearest_exact1d.vec": resizing.upsample(
        "nearest", exact=True
    ),
    "_upsample_nearest_exact2d _upsample_nearest_exact2d.vec": resizing.upsample(
        "nearest", exact=True
    ),
    "_upsample_nearest_exact3d _upsample_nearest_exact3d.vec": resizing.upsample(
        "nearest", exact=True
    ),
    "abs": unary("Abs"),
    "acos": unary("Acos"),
    "acosh": unary("Acosh"),
    "add.Tensor add.Scalar": elementwise.add,
    "addbmm": matrix.add_sum_of_products,
    "addmm": matrix.add_product,
    "addmv": matrix.add_vector_product,
    "alias": elementwise.same,
    "all all.dim all.dims": reduction.truth("ReduceMin"),
    "amax max": reduction.reduce("ReduceMax"),
    "amin min": reduction.reduce("ReduceMin"),
    "any any.dim any.dims": reduction.truth("ReduceMax"),
    "arange arange.start arange.start_step": creation.arange,
    "argmax": reduction.place("ArgMax"),
    "argmin": reduction.place("ArgMin"),
    "as_strided": movement.as_strided,
    "asin": unary("Asin"),
    "asinh": unary("Asinh"),
    "atan": unary("Atan"),
    "atan2": functions.atan2,
    "atanh": unary("Atanh"),
    "avg_pool1d avg_pool2d avg_pool3d": pooling.average_pool,
    "avg_pool2d_backward avg_pool3d_backward": mixing_backward.average_pool_backward,
    "baddbmm": matrix.add_batched_product,
    "bitwise_and.Tensor bitwise_and.Scalar": bitwise("BitwiseAnd"),
    "bitwise_left_shift.Tensor bitwise_left_shift.Tensor_Scalar": functions.shift("LEFT"),
    "bitwise_not": elementwise.bitwise_not,
    "bitwise_or.Tensor bitwise_or.Scalar": bitwise("BitwiseOr"),
    "bitwise_right_shift.Tensor bitwise_right_shift.Tensor_Scalar": functions.shift("RIGHT"),
    "bitwise_xor.Tensor bitwise_xor.Scalar": bitwise("BitwiseXor"),
    "bmm": matrix.product(),
    "cat": movement.concatenate,
    "ceil": of_floats("Ceil", elementwise.itself),
    "clamp clamp.Tensor": clamp(),
    "clamp_max clamp_max.Tensor": clamp(low="none"),
    "clamp_min clamp_min.Tensor": clamp(high="none"),
    "clone lift_fresh_copy": elementwise.same,
    "constant_pad_nd": movement.pad,
    "convolution": matrix.convolution,
    "convolution_backward": convolution_backward.convolution_backward,
    "copy": movement.copy,
    "copysign.Tensor copysign.Scalar": functions.copy_sign,
    "cos": unary("Cos"),
    "cosh": unary("Cosh"),
    "cumprod": reduction.cumulative(relax.op.cumprod),
    "cumsum": reduction.cumulative(relax.op.cumsum),
    "detach": elementwise.same,
    "diagonal": movement.diagonal,
    "div.Tensor div.Scalar div.Tensor_mode div.Scalar_mode": elementwise.divide,
    "dot": matrix.product("self", "tensor"),
    "elu": elementwise.elu,
    "embedding": indexing.embedding,
    "empty.memory_format empty_permuted empty_strided new_empty_strided": creation.filled(0),
    "eq.Tensor eq.Scalar": comparison("Equal"),
    "erf": unary("Erf"),
    "exp": unary("Exp"),
    "exp2": functions.exp2,
    "expand": movement.expand,
    "expm1": functions.expm1,
    "flip": movement.flip,
    "floor": of_floats("Floor", elementwise.itself),
    "floor_divide": elementwise.floor_divide,
    "fmax": functions.extreme("Max"),
    "fmin": functions.extreme("Min"),
    "fmod.Tensor fmod.Scalar": elementwise.fmod,
    "frexp.Tensor": bits.fraction_and_exponent,
    "full full_like new_full": creation.filled("fill_value"),
    "gather": indexing.gather,
    "ge.Tensor ge.Scalar": comparison("GreaterOrEqual"),
    "gelu": elementwise.gelu,
    "gru.input": recurrent.recurrent(recurrent.GRU),
    "grid_sampler_2d grid_sampler_3d": resizing.grid_sample,
    "gt.Tensor gt.Scalar": comparison("Greater"),
    "hardsigmoid": elementwise.hard_sigmoid,
    "hardtanh": clamp("min_val", "max_val"),
    "index.Tensor": indexing.index,
    "index_add": indexing.index_add,
    "index_copy": indexing.index_copy,
    "index_put": indexing.index_put,
    "index_select": indexing.index_select,
    "isinf": of_floats("IsInf", elementwise.never),
    "isnan": of_floats("IsNaN", elementwise.never),
    "ldexp.Tensor": functions.load_exponent,
    "le.Tensor le.Scalar": comparison("LessOrEqual"),
    "leaky_relu": elementwise.leaky_relu,
    "linalg_vector_norm": reduction.vector_norm,
    "linspace linspace.Tensor_Tensor linspace.Tensor_Scalar linspace.Scalar_Tensor": (
        creation.linspace
    ),
    "log": unary("Log"),
    "log1p": functions.log1p,
    "log10": elementwise.scaled_log(elementwise.LN10),
    "log2": elementwise.scaled_log(elementwise.LN2),
    "logical_and": logical("And"),
    "logical_not": elementwise.logical_not,
    "logical_or": logical("Or"),
    "logical_xor": logical("Xor"),
    "lstm.input": recurrent.recurrent(recurrent.LSTM),
    "lt.Tensor lt.Scalar": comparison("Less"),
    "masked_fill.Scalar masked_fill.Tensor": elementwise.masked_fill,
    "masked_select": indexing.masked_select,
    "max.dim": reduction.extreme("ReduceMax", "ArgMax"),
    "max_pool2d_with_indices max_pool3d_with_indices": pooling.max_pool,
    "max_pool2d_with_indices_backward": pooling_backward.max_pool_backward,
    "max_pool3d_with_indices_backward": pooling_backward.max_pool_backward,
    "maximum": binary("Max"),
    "mean mean.dim": reduction.reduce("ReduceMean"),
    "min.dim": reduction.extreme("ReduceMin", "ArgMin"),
    "minimum": binary("Min"),
    "mm": matrix.product(),
    "mul.Tensor mul.Scalar": elementwise.multiply,
    "mv": matrix.product("self", "vec"),
    "native_group_norm": normalization.group_norm,
    "native_layer_norm": normalization.layer_norm,
    "ne.Tensor ne.Scalar": comparison("Equal", opposite=True),
    "neg": unary("Neg"),
    "nextafter": bits.next_after,
    "nonzero": indexing.nonzero,
    "permute": movement.permute,
    "pow.Scalar pow.Tensor_Scalar pow.Tensor_Tensor": elementwise.power,
    "prod prod.dim_int": reduction.reduce("ReduceProd"),
    "reciprocal": unary("Reciprocal"),
    "relu": unary("Relu"),
    "remainder.Tensor remainder.Scalar": elementwise.remainder,
    "reflection_pad1d reflection_pad2d reflection_pad3d": movement.repeating_pad("reflect"),
    "repeat": movement.repeat,
    "replication_pad1d replication_pad2d replication_pad3d": movement.repeating_pad("edge"),
    "reshape view": movement.reshape,
    "resize": movement.resize,
    "roll": movement.roll,
    "rnn_relu.input": recurrent.recurrent(recurrent.RNN_RELU),
    "rnn_tanh.input": recurrent.recurrent(recurrent.RNN_TANH),
    "round": of_floats("Round", elementwise.itself),
    "round.decimals": functions.rounded,
    "rsqrt": relax_unary(relax.op.rsqrt),
    "rsub.Scalar rsub.Tensor": elementwise.reverse_subtract,
    "scalar_tensor": creation.filled("s"),
    "scatter.src scatter.value": indexing.scatter(),
    "scatter_add": indexing.scatter("add"),
    "scatter_reduce.two": indexing.scatter_reduce,
    "select.int": movement.select,
    "select_scatter": indexing.select_scatter,
    "sigmoid": unary("Sigmoid"),
    "sgn sign": functions.sign,
    "signbit": functions.sign_bit,
    "sin": unary("Sin"),
    "sinh": unary("Sinh"),
    "slice.Tensor": movement.cut,
    "slice_scatter": indexing.slice_scatter,
    "softplus": elementwise.softplus,
    "sort sort.stable": sorting.sort,
    "split.Tensor split_with_sizes": movement.split,
    "sqrt": unary("Sqrt"),
    "squeeze squeeze.dim squeeze.dims unsqueeze": movement.reshape,
    "stack": movement.stack,
    "sub.Tensor sub.Scalar": elementwise.subtract,
    "sum sum.dim_IntList": reduction.reduce("ReduceSum"),
    "t": movement.matrix_transpose,
    "tan": unary("Tan"),
    "tanh": unary("Tanh"),
    "topk": sorting.top_k,
    "transpose.int": movement.transpose,
    "tril": movement.triangle(upper=False),
    "triu": movement.triangle(upper=True),
    "trunc": relax_unary(relax.op.trunc),
    "unbind.int": movement.unbind,
    "unfold": movement.unfold,
    **dict.fromkeys(
        (f"_upsample_nearest_exact{n}d_backward" for n in (1, 2, 3)),
        mixing_backward.upsample_backward(mixing_backward.nearest, exact=True),
    ),
    **dict.fromkeys(
        (f"upsample_nearest{n}d_backward" for n in (1, 2, 3)),
        mixing_backward.upsample_backward(mixing_backward.nearest),
    ),
    "upsample_linear1d_backward upsample_bilinear2d_backward upsample_trilinear3d_backward": (
        mixing_backward.upsample_backward(mixing_backward.linear)
    ),
    "upsample_bicubic2d upsample_bicubic2d.vec": resizing.upsample("cubic"),
    "upsample_bilinear2d upsample_bilinear2d.vec": resizing.upsample("linear"),
    "upsample_linear1d upsample_linear1d.vec": resizing.upsample("linear"),
    "upsample_nearest1d upsample_nearest1d.vec": resizing.upsample("nearest"),
    "upsample_nearest2d upsample_nearest2d.vec": resizing.upsample("nearest"),
    "upsample_nearest3d upsample_nearest3d.vec": resizing.upsample("nearest"),
    "upsample_trilinear3d upsample_trilinear3d.vec": resizing.upsample("linear"),
    "var.correction": reduction.only_variance,
    "var_mean.correction": reduction.variance,
    "where.self": elementwise.where,
    "zeros zeros_like new_zeros": creation.filled(0),
    "ones ones_like new_ones": creation.filled(1),
}


def size(node: TorchOperation) -> Any:
    """Convert arithmetic of sizes, which torch has done; a fraction on the way is nothing."""
    found = node.node.meta["val"]
    if isinstance(found, torch.SymFloat):
        return None
    node.require(isinstance(found, (int, torch.SymInt)), "it is no arithmetic of whole numbers")
    return node.torch_sizes.dim(found)


CONVERTERS: Final[Mapping[object, Converter]] = {
    **{
        target: converter
        for names, converter in _ATEN.items()
        for target in named(torch.ops.aten, names)
    },
    torch.ops.prims.convert_element_type.default: elementwise.cast,
    torch.ops.prims.iota.default: creation.iota,
    torch.ops.aten.sym_size.int: size,
    torch.ops.aten.sym_numel.default: size,
    **dict.fromkeys(
        (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.neg,
         operator.truediv, math.trunc, math.floor, math.ceil, round, torch.sym_max, torch.sym_min,
         torch.sym_sum, torch.sym_float, torch.sym_int), size
    ),
}  # fmt: skip

#: The names of these operators.
CONVERTED: Final = frozenset(map(str, CONVERTERS))
