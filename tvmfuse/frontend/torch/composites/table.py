"""The function that each operator is taken apart by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import torch
from torch._decomp import decomposition_table

from tvmfuse.frontend.torch.composites import (
    attention,
    bessel,
    distances,
    encoders,
    errors,
    gamma,
    joins,
    norms,
    ordering,
    places,
    ranges,
    windows,
)
from tvmfuse.frontend.torch.composites.chebyshev import polynomial
from tvmfuse.frontend.torch.overloads import named

#: Operators, one or several, -> the function.
_OURS: Final[Mapping[str, Callable[..., Any]]] = {
    "_adaptive_avg_pool2d _adaptive_avg_pool3d": windows.adaptive_average,
    "_cdist_forward": distances.cdist,
    "_native_batch_norm_legit_functional": norms.batch_norm_in_training,
    "_native_batch_norm_legit.no_stats": norms.norm_of_batch,
    "_native_batch_norm_legit_no_training": norms.batch_norm,
    "_native_multi_head_attention": encoders.multi_head_attention,
    "_pdist_forward": distances.pdist,
    "_scaled_dot_product_flash_attention_for_cpu": attention.grouped,
    "_scaled_dot_product_flash_attention_for_cpu_backward": attention.grouped_backward,
    "_transformer_encoder_layer_fwd": encoders.encoder_layer,
    "adaptive_max_pool2d adaptive_max_pool3d": windows.adaptive_maximum,
    "_trilinear": distances.trilinear,
    "_weight_norm_interface_backward": norms.weight_norm_backward,
    "angle": distances.angle,
    "as_strided_scatter": places.as_strided_scatter,
    "bucketize.Tensor": ordering.bucketize,
    "cat": joins.concatenate,
    "cummax": ordering.running_maximum,
    "cummin": ordering.running_minimum,
    "diagonal_scatter": places.diagonal_scatter,
    "digamma": gamma.digamma,
    "erfc": errors.complement,
    "erfinv": errors.inverse,
    "histc": distances.histogram,
    "hypot": distances.hypot,
    "i0": bessel.i0,
    "index_fill.int_Scalar index_fill.int_Tensor": places.index_fill,
    "index_put": places.index_put,
    "index_reduce": places.index_reduce,
    "kthvalue": ordering.kth_value,
    "lgamma": gamma.log_gamma,
    "linspace linspace.Tensor_Tensor linspace.Tensor_Scalar linspace.Scalar_Tensor": (
        ranges.linspace
    ),
    "logcumsumexp": ordering.running_log_sum_exp,
    "masked_scatter": places.masked_scatter,
    "max_unpool2d max_unpool3d": places.max_unpool,
    "median": ordering.median_of_all,
    "median.dim": ordering.median,
    "mode": ordering.mode,
    "nanmedian": ordering.nan_median_of_all,
    "nanmedian.dim": ordering.nan_median,
    "native_batch_norm_backward": norms.batch_norm_backward,
    "native_group_norm": norms.group_norm,
    "native_layer_norm": norms.layer_norm,
    "nonzero_static": places.nonzero_static,
    "polygamma": gamma.polygamma,
    "put": places.put,
    "scatter.reduce scatter.value_reduce": places.scatter_combined,
    "scatter.value": places.scatter_number,
    "scatter_reduce.two": places.scatter_reduce,
    "searchsorted.Scalar": ordering.search_number,
    "searchsorted.Tensor": ordering.search_sorted,
    "special_bessel_j0": bessel.j0,
    "special_bessel_j1": bessel.j1,
    "special_bessel_y0": bessel.y0,
    "special_bessel_y1": bessel.y1,
    "special_chebyshev_polynomial_t": polynomial("t"),
    "special_chebyshev_polynomial_u": polynomial("u"),
    "special_chebyshev_polynomial_v": polynomial("v"),
    "special_chebyshev_polynomial_w": polynomial("w"),
    "special_erfcx": errors.scaled_complement,
    "special_i0e": bessel.scaled_i0,
    "special_i1": bessel.i1,
    "special_i1e": bessel.scaled_i1,
    "special_log_ndtr": errors.log_normal,
    "special_modified_bessel_i0": bessel.i0,
    "special_modified_bessel_i1": bessel.i1,
    "special_modified_bessel_k0": bessel.k0,
    "special_modified_bessel_k1": bessel.k1,
    "special_ndtri": errors.normal_quantile,
    "special_scaled_modified_bessel_k0": bessel.scaled_k0,
    "special_scaled_modified_bessel_k1": bessel.scaled_k1,
    "special_shifted_chebyshev_polynomial_t": polynomial("t", shifted=True),
    "special_shifted_chebyshev_polynomial_u": polynomial("u", shifted=True),
    "special_shifted_chebyshev_polynomial_v": polynomial("v", shifted=True),
    "special_shifted_chebyshev_polynomial_w": polynomial("w", shifted=True),
    "special_spherical_bessel_j0": bessel.spherical_j0,
    "special_zeta special_zeta.other_scalar special_zeta.self_scalar": gamma.zeta,
    "take": places.take,
}

#: What torch takes apart by functions that are no part of its core.
_TORCHS: Final = (
    "as_strided_copy dist narrow_copy permute_copy tril_indices triu_indices "
    "remainder.Scalar_Tensor bitwise_and.Scalar_Tensor bitwise_or.Scalar_Tensor "
    "bitwise_xor.Scalar_Tensor bitwise_left_shift.Scalar_Tensor unbind_copy.int view_copy"
)

COMPOSITES: Final[Mapping[torch._ops.OperatorBase, Callable[..., Any]]] = {
    **{target: decomposition_table[target] for target in named(torch.ops.aten, _TORCHS)},
    **{
        target: function
        for names, function in _OURS.items()
        for target in named(torch.ops.aten, names)
    },
}
