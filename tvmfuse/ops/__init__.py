"""Relax operators of our own, `tvmfuse.*`.

They are ONNX operators that stock Relax takes apart, and what stands for them in other layouts.

Each file defines one: how to build a call, what type it has, how it is lowered. Importing this
package registers them with TVM.
"""

from tvmfuse.ops.append_rows import append_rows
from tvmfuse.ops.attention import attention
from tvmfuse.ops.batch_matmul import batch_matmul
from tvmfuse.ops.bias_gelu import bias_gelu
from tvmfuse.ops.bias_softmax import bias_softmax
from tvmfuse.ops.bit_cast import bit_cast
from tvmfuse.ops.blocked import from_blocked, to_blocked
from tvmfuse.ops.checked_indices import checked_indices
from tvmfuse.ops.conv import conv
from tvmfuse.ops.conv_blocked import conv_blocked
from tvmfuse.ops.conv_transpose import conv_transpose
from tvmfuse.ops.conv_weight_gradient import conv_weight_gradient
from tvmfuse.ops.coupled_shares import coupled_shares
from tvmfuse.ops.dequantize_blocks import dequantize_blocks
from tvmfuse.ops.determinant import determinant
from tvmfuse.ops.embed_layer_norm import embed_layer_norm
from tvmfuse.ops.filter_transform import filter_transform
from tvmfuse.ops.gemm import gemm
from tvmfuse.ops.grid_sample import grid_sample
from tvmfuse.ops.group_norm import group_norm
from tvmfuse.ops.integer_matmul_nbits import integer_matmul_nbits
from tvmfuse.ops.integer_power import integer_power
from tvmfuse.ops.lookup import lookup
from tvmfuse.ops.loop import loop
from tvmfuse.ops.markers import barrier, dropout, identity
from tvmfuse.ops.matmul_nbits import matmul_nbits
from tvmfuse.ops.max_pool_gradient import max_pool_gradient
from tvmfuse.ops.max_pool_places import max_pool_places
from tvmfuse.ops.minifloats import decode_minifloat, encode_minifloat
from tvmfuse.ops.new_rows import new_rows
from tvmfuse.ops.put_row import put_row
from tvmfuse.ops.quantize_blocks import quantize_blocks
from tvmfuse.ops.quick_gelu import quick_gelu
from tvmfuse.ops.random_bits import random_bits
from tvmfuse.ops.recurrence import recurrence
from tvmfuse.ops.requantize import requantize
from tvmfuse.ops.resample import resample
from tvmfuse.ops.roi_align import roi_align
from tvmfuse.ops.roll import roll
from tvmfuse.ops.skip_layer_norm import skip_layer_norm
from tvmfuse.ops.tree_scores import tree_scores
from tvmfuse.ops.winograd import (
    bfloat16_winograd_weights,
    integer_winograd_most,
    integer_winograd_weights,
    winograd,
    winograd_weights,
)
from tvmfuse.ops.write_rows import write_rows

__all__ = [
    "append_rows",
    "attention",
    "barrier",
    "batch_matmul",
    "bfloat16_winograd_weights",
    "bias_gelu",
    "bias_softmax",
    "bit_cast",
    "checked_indices",
    "conv",
    "conv_blocked",
    "conv_transpose",
    "conv_weight_gradient",
    "coupled_shares",
    "decode_minifloat",
    "dequantize_blocks",
    "determinant",
    "dropout",
    "embed_layer_norm",
    "encode_minifloat",
    "filter_transform",
    "from_blocked",
    "gemm",
    "grid_sample",
    "group_norm",
    "identity",
    "integer_matmul_nbits",
    "integer_power",
    "integer_winograd_most",
    "integer_winograd_weights",
    "lookup",
    "loop",
    "matmul_nbits",
    "max_pool_gradient",
    "max_pool_places",
    "new_rows",
    "put_row",
    "quantize_blocks",
    "quick_gelu",
    "random_bits",
    "recurrence",
    "requantize",
    "resample",
    "roi_align",
    "roll",
    "skip_layer_norm",
    "to_blocked",
    "tree_scores",
    "winograd",
    "winograd_weights",
    "write_rows",
]
