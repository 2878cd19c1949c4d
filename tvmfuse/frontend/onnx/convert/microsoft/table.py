"""The converter of each operator of ONNX Runtime's own domains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tvmfuse.frontend.onnx.convert import (
    activation,
    movement,
    normalization,
    padding,
    scatter,
)
from tvmfuse.frontend.onnx.convert.microsoft import (
    activations,
    attention,
    channels_last,
    decoding,
    few_bits,
    grouped_query,
    linear,
    linear_systems,
    normal_float,
    norms,
    others,
    products,
    quantized_products,
    rotary,
    stored_weights,
)
from tvmfuse.frontend.onnx.convert.microsoft.signature import known, refusal
from tvmfuse.frontend.onnx.convert.stand_in import Converter, same_as

BLOCKS: Final = (
    "Conv", "MaxPool", "AveragePool", "GlobalMaxPool", "GlobalAveragePool", "ReorderInput",
    "ReorderOutput", "Upsample",
)  # fmt: skip

OF_ONE_MACHINE: Final = (
    "it is laid out in blocks for the machine that saved the model: save it with "
    "ORT_ENABLE_EXTENDED, which is for every machine"
)

WINDOWS: Final = ("auto_pad", "dilations", "group", "kernel_shape", "pads", "strides")
_NORM: Final = ("epsilon",)
_ATTENTION: Final = ("mask_filter_value", "num_heads", "scale", "unidirectional")
_GROUPED: Final = (
    "causal", "do_rotary", "k_quant_type", "kv_cache_bit_width", "kv_num_heads",
    "local_window_size", "num_heads", "qk_norm_epsilon", "qk_output", "rotary_interleaved",
    "scale", "sliding_window_cache", "smooth_softmax", "softcap", "v_quant_type",
)  # fmt: skip
_ROTARY: Final = (
    "interleaved", "is_packed_batching", "num_heads", "rotary_embedding_dim", "scale",
)  # fmt: skip
_TRANSPOSED: Final = ("alpha", "transA", "transB", "transBatchA", "transBatchB")

_MICROSOFT: Final[Mapping[str, Converter]] = {
    "Attention": known(
        attention.attention,
        *_ATTENTION,
        "do_rotary",
        "past_present_share_buffer",
        "qkv_hidden_sizes",
        "rotary_embedding_dim",
        operands=7,
        required=2,
        floats=(0, 1, 2, 4, 5),
    ),
    "BiasGelu": known(activations.bias_gelu, operands=2, required=2, floats=(0, 1)),
    "BifurcationDetector": refusal(
        "it searches text for repetitions, and how much it finds is not known before it runs"
    ),
    "DecoderMaskedMultiHeadAttention": known(
        decoding.decoder_masked_multi_head_attention,
        *_ATTENTION,
        "output_qk",
        "past_present_share_buffer",
        operands=11,
        required=3,
        floats=(0, 1, 2, 4, 5, 6, 10),
    ),
    "DynamicQuantizeLSTM": known(
        stored_weights.dynamic_quantize_lstm,
        *stored_weights.LSTM,
        operands=12,
        required=3,
        floats=(0, 3, 5, 6, 7, 8, 10),
    ),
    "DynamicQuantizeMatMul": known(
        quantized_products.dynamic_quantize_matmul, operands=5, required=3, floats=(0, 2, 4)
    ),
    "EmbedLayerNormalization": known(
        norms.embed_layer_normalization,
        *_NORM,
        "mask_index_type",
        operands=9,
        floats=(2, 3, 4, 5, 6),
    ),
    "FastGelu": known(activations.fast_gelu, operands=2, floats=(0, 1)),
    "FusedConv": known(
        products.fused_conv,
        *WINDOWS,
        "activation",
        "activation_params",
        operands=4,
        required=2,
        floats=(0, 1, 2, 3),
    ),
    "FusedGemm": known(
        products.fused_gemm,
        "alpha",
        "beta",
        "transA",
        "transB",
        "activation",
        "activation_alpha",
        "activation_beta",
        "activation_gamma",
        operands=3,
        required=2,
        floats=(0, 1, 2),
    ),
    "FusedMatMul": known(
        products.fused_matmul, *_TRANSPOSED, operands=2, required=2, floats=(0, 1)
    ),
    "GatherBlockQuantized": known(
        few_bits.gather_block_quantized,
        "bits",
        "block_size",
        "gather_axis",
        "quantize_axis",
        operands=4,
        required=3,
        floats=(2,),
    ),
    "GatherND": known(same_as(scatter.gather_nd), operands=2, required=2),
    "Gelu": known(activation.gelu, operands=1, floats=(0,)),
    "GroupQueryAttention": known(
        grouped_query.group_query_attention,
        *_GROUPED,
        operands=16,
        floats=(0, 1, 2, 3, 4, 7, 8, 10, 11),
    ),
    "LayerNormalization": known(
        same_as(normalization.layer_normalization),
        *_NORM,
        "axis",
        "stash_type",
        operands=3,
        required=2,
        floats=(0, 1, 2),
    ),
    "MatMulBnb4": known(
        normal_float.matmul_bnb4,
        "K",
        "N",
        "block_size",
        "quant_type",
        "training_mode",
        "transB",
        operands=3,
        required=3,
        floats=(0, 2),
    ),
    "MatMulIntegerToFloat": known(
        quantized_products.matmul_integer_to_float, operands=7, required=4, floats=(2, 3, 6)
    ),
    "MatMulNBits": known(
        few_bits.matmul_nbits,
        "K",
        "N",
        "accuracy_level",
        "bits",
        "block_size",
        "weight_prepacked",
        operands=6,
        required=3,
        floats=(0, 2, 5),
    ),
    "MultiHeadAttention": known(
        attention.multi_head_attention, *_ATTENTION, operands=10, floats=(0, 1, 2, 3, 5, 6, 7)
    ),
    "NhwcMaxPool": known(
        channels_last.nhwc_max_pool,
        "auto_pad",
        "ceil_mode",
        "dilations",
        "kernel_shape",
        "pads",
        "storage_order",
        "strides",
        operands=1,
    ),
    "Pad": known(same_as(padding.pad), "mode", operands=3, required=2),
    "QAttention": known(
        attention.quantized_attention,
        *_ATTENTION,
        "do_rotary",
        "past_present_share_buffer",
        operands=9,
        required=5,
        floats=(2, 3, 4, 8),
    ),
    "QEmbedLayerNormalization": known(
        norms.quantized_embed_layer_normalization,
        *_NORM,
        operands=18,
        floats=(8, 9, 10, 11, 12),
    ),
    "QGemm": known(
        quantized_products.q_gemm,
        "alpha",
        "transA",
        "transB",
        operands=9,
        required=5,
        floats=(1, 4, 7),
    ),
    "QLinearAdd": known(linear.add, operands=8, required=2, floats=(1, 4, 6)),
    "QLinearAveragePool": known(
        linear.average_pool, *linear.WINDOWS, "channels_last", operands=5, required=2, floats=(1, 3)
    ),
    "QLinearConcat": known(linear.concat, "axis", operands=10**6, required=2),
    "QLinearConv": known(
        channels_last.quantized_convolution, *WINDOWS, "channels_last", operands=9, required=8
    ),
    "QLinearGlobalAveragePool": known(
        linear.global_average_pool, "channels_last", operands=5, required=2, floats=(1, 3)
    ),
    "QLinearLeakyRelu": known(linear.leaky_relu, "alpha", operands=5, required=2, floats=(1, 3)),
    "QLinearMul": known(linear.multiply, operands=8, required=2, floats=(1, 4, 6)),
    "QLinearSigmoid": known(linear.sigmoid, operands=5, required=2, floats=(1, 3)),
    "QLinearSoftmax": known(linear.softmax, "axis", "opset", operands=5, required=2, floats=(1, 3)),
    "QLinearWhere": known(linear.where, operands=9, required=3, floats=(2, 5, 7)),
    "QuickGelu": known(activations.quick_gelu, "alpha", operands=1, floats=(0,)),
    "Range": known(others.range_, operands=3, required=2),
    "RotaryEmbedding": known(
        rotary.rotary_embedding, *_ROTARY, operands=4, required=4, floats=(0, 2, 3)
    ),
    "SimplifiedLayerNormalization": known(
        norms.simplified_layer_normalization,
        *_NORM,
        "axis",
        "stash_type",
        operands=2,
        required=2,
        floats=(0, 1),
    ),
    "SkipLayerNormalization": known(
        norms.skip_layer_normalization, *_NORM, operands=5, required=3, floats=(0, 1, 2, 3, 4)
    ),
    "SkipSimplifiedLayerNormalization": known(
        norms.skip_simplified_layer_normalization,
        *_NORM,
        operands=4,
        required=3,
        floats=(0, 1, 2, 3),
    ),
    "Solve": known(
        linear_systems.solve, "lower", "transposed", operands=2, required=2, floats=(0, 1)
    ),
    "TransposeMatMul": known(
        products.fused_matmul, "alpha", "transA", "transB", operands=2, required=2, floats=(0, 1)
    ),
    "Trilu": known(same_as(movement.trilu), "upper", operands=2),
    "Unique": known(others.unique, operands=1),
}

MICROSOFT: Final[Mapping[str, Converter]] = {
    **{f"com.microsoft::{operator}": convert for operator, convert in _MICROSOFT.items()},
    **{f"com.microsoft.nchwc::{operator}": refusal(OF_ONE_MACHINE) for operator in BLOCKS},
}
