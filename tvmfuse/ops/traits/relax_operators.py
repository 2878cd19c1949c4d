"""The traits of Relax's own operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tvmfuse.ops.traits.record import Kind, Traits


def _each(names: str, kind: Kind, **facts: Any) -> dict[str, Traits]:
    """Return one record for each of some operators of one kind."""
    return {f"relax.{name}": Traits(kind=kind, **facts) for name in names.split()}


def _other(why: str, names: str, **facts: Any) -> dict[str, Traits]:
    """Return one record for each of some operators that are of no class, for one reason."""
    return _each(names, Kind.OTHER, why=why, **facts)


_ALONE: Final = "it is alone in its class: the passes that know it name it"
_SUMS: Final = "each result is a sum over axes that the operands' layout says"
_POSITIONS: Final = "its result depends on the positions of elements along several axes"
_WINDOWS: Final = "it reads windows or samples of an image"
_CREATES: Final = "it makes a tensor of sizes and scalars"
_SHAPES: Final = "its operand or its result is a shape and no tensor"
_CALLS: Final = "it calls code that no pass sees into"
_TRAINING: Final = "it belongs to training, and the importer refuses it"
_RUNTIME: Final = "TVM's own passes make it after ours have run"
NOT_EMITTED: Final = "no converter and no pass emits it"
"""A reason that stops being one when a converter emits the operator; a test watches it."""

RELAX: Final[Mapping[str, Traits]] = {
    # Element by element.
    **_each(
        "acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_not bitwise_or bitwise_xor "
        "ceil cos cosh divide ewise_fma exp floor floor_divide floor_mod left_shift log "
        "log_add_exp logical_and logical_not logical_or logical_xor mod multiply negative power "
        "right_shift round rsqrt sign sin sinh sqrt square subtract tan trunc",
        Kind.ELEMENTWISE,
        keeps_dtype=True,
    ),
    **_each(
        "abs clip erf maximum minimum nn.gelu nn.gelu_tanh nn.leakyrelu nn.relu nn.selu nn.silu "
        "nn.softplus sigmoid tanh where",
        Kind.ELEMENTWISE,
        keeps_dtype=True,
        nonlinear=True,
    ),
    **_each(
        "astype equal greater greater_equal isfinite isinf isnan less less_equal not_equal",
        Kind.ELEMENTWISE,
    ),
    # The same elements in the same order.
    **_each("expand_dims flatten nn.batch_flatten squeeze", Kind.RESHAPE, keeps_dtype=True),
    **_each("reshape", Kind.RESHAPE, keeps_dtype=True, reads_memory=True),
    # Along axes.
    **_each("max mean min prod std sum variance", Kind.REDUCTION, keeps_dtype=True),
    **_each("argmax argmin", Kind.ARG_REDUCTION, reads_memory=True),
    **_each("argsort dequantize flip nn.batch_norm quantize repeat sort", Kind.ALONG_AXIS),
    **_each("cumprod cumsum nn.log_softmax nn.softmax topk", Kind.ALONG_AXIS, reads_memory=True),
    **_each("gather_elements scatter_elements", Kind.LINES),
    # Windows.
    **_each("nn.avg_pool1d nn.avg_pool2d nn.avg_pool3d", Kind.AVERAGE_POOL),
    **_each("nn.max_pool1d nn.max_pool2d nn.max_pool3d", Kind.MAX_POOL),
    **_each("matmul", Kind.MATRIX_PRODUCT, reads_memory=True),
    # Operators that passes know by name.
    **_other(_ALONE, "broadcast_to", keeps_dtype=True),
    **_other(_ALONE, "nn.layer_norm nn.rms_norm", reads_memory=True),
    **_other(_ALONE, "concat nn.pad permute_dims split strided_slice"),
    **_other(_ALONE, "take tile"),
    # No passes rewrite these.
    **_other(
        _SUMS,
        "nn.attention nn.attention_bias nn.attention_var_len nn.conv1d nn.conv1d_transpose "
        "nn.conv2d nn.conv2d_transpose nn.conv3d nn.conv3d_transpose nn.group_norm "
        "nn.instance_norm outer",
    ),
    **_other(_SUMS, "einsum", reads_memory=True),
    **_other(
        _POSITIONS,
        "bucketize gather_nd layout_transform meshgrid nn.pixel_shuffle nonzero one_hot "
        "reverse_sequence scatter_nd stack tril triu unique",
    ),
    **_other(
        _POSITIONS, "dynamic_strided_slice index_put index_tensor slice_scatter", unchecked=True
    ),
    **_other(
        _WINDOWS,
        "image.affine_grid image.grid_sample image.resize2d image.resize3d nn.adaptive_avg_pool1d "
        "nn.adaptive_avg_pool2d nn.adaptive_avg_pool3d vision.all_class_non_max_suppression "
        "vision.get_valid_counts vision.multibox_transform_loc vision.non_max_suppression "
        "vision.roi_align vision.roi_pool",
    ),
    **_other(_CREATES, "arange eye eye_like full full_like hamming_window ones zeros"),
    **_other(_CREATES, "ones_like zeros_like", reads_type=True),
    **_other(_SHAPES, "shape_of size", reads_type=True),
    **_other(_SHAPES, "shape_to_tensor tensor_to_shape"),
    **_other(_CALLS, "assert_op call_builtin_with_ctx call_tir call_tir_with_grad print"),
    **_other(
        _CALLS,
        "call_dps_packed call_inplace_packed call_pure_packed call_py_func call_tir_inplace "
        "invoke_pure_closure",
        random=True,
    ),
    **_other(
        _TRAINING, "nn.cross_entropy_with_logits nn.nll_loss collapse_sum_like collapse_sum_to"
    ),
    **_other(_TRAINING, "nn.dropout", random=True),
    **_other("it draws random numbers", "multinomial_from_uniform", random=True),
    **_other(NOT_EMITTED, "median nn.prelu"),
    **_other(
        _RUNTIME,
        "hint_on_device invoke_closure make_closure null_value to_vdevice wrap_param",
    ),
}

RUNTIME_PREFIXES: Final = (
    "relax.builtin.", "relax.ccl.", "relax.dist.", "relax.grad.", "relax.inspect.",
    "relax.memory.", "relax.vm.",
)  # fmt: skip
"""Families of operators of training, of several devices and of TVM's virtual machine.

None of them is in a module that our passes see.
"""
