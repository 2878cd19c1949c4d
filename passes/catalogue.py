"""Which passes run, in which order: the one place that says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tvmfuse.levels import Level
from tvmfuse.passes.basic.cast_chain_elimination import CastChainElimination
from tvmfuse.passes.basic.cast_elimination import CastElimination
from tvmfuse.passes.basic.common_subexpression_elimination import CommonSubexpressionElimination
from tvmfuse.passes.basic.concat_add_fusion import ConcatAddFusion
from tvmfuse.passes.basic.constant_folding import ConstantFolding
from tvmfuse.passes.basic.constant_sharing import ConstantSharing
from tvmfuse.passes.basic.conv_add_fusion import ConvAddFusion
from tvmfuse.passes.basic.conv_bn_fusion import ConvBNFusion
from tvmfuse.passes.basic.conv_mul_fusion import ConvMulFusion
from tvmfuse.passes.basic.dead_code_elimination import DeadCodeElimination
from tvmfuse.passes.basic.div_mul_fusion import DivMulFusion
from tvmfuse.passes.basic.dq_mat_mul_n_bits_fusion import DQMatMulNBitsFusion
from tvmfuse.passes.basic.eliminate_dropout import EliminateDropout
from tvmfuse.passes.basic.eliminate_identity import EliminateIdentity
from tvmfuse.passes.basic.eliminate_slice import EliminateSlice
from tvmfuse.passes.basic.expand_elimination import ExpandElimination
from tvmfuse.passes.basic.fuse_relu_clip import FuseReluClip
from tvmfuse.passes.basic.gather_to_slice_fusion import GatherToSliceFusion
from tvmfuse.passes.basic.gemm_reshape_fusion import GemmReshapeFusion
from tvmfuse.passes.basic.gemm_sum_fusion import GemmSumFusion
from tvmfuse.passes.basic.gemm_transpose_fusion import GemmTransposeFusion
from tvmfuse.passes.basic.mat_mul_add_fusion import MatMulAddFusion
from tvmfuse.passes.basic.mat_mul_batch_normalization_fusion import MatMulBatchNormalizationFusion
from tvmfuse.passes.basic.noop_elimination import NoopElimination
from tvmfuse.passes.basic.not_where_fusion import NotWhereFusion
from tvmfuse.passes.basic.pad_fusion import PadFusion
from tvmfuse.passes.basic.pre_shape_node_elimination import PreShapeNodeElimination
from tvmfuse.passes.basic.reshape_fusion import ReshapeFusion
from tvmfuse.passes.basic.slice_concat_to_space_to_depth_fusion import (
    SliceConcatToSpaceToDepthFusion,
)
from tvmfuse.passes.basic.transpose_optimizer import TransposeOptimizer
from tvmfuse.passes.basic.unsqueeze_elimination import UnsqueezeElimination
from tvmfuse.passes.extended.attention_fusion import AttentionFusion
from tvmfuse.passes.extended.bias_gelu_fusion import BiasGeluFusion
from tvmfuse.passes.extended.bias_softmax_fusion import BiasSoftmaxFusion
from tvmfuse.passes.extended.canonicalize_symbolic_sizes import CanonicalizeSymbolicSizes
from tvmfuse.passes.extended.conv_activation_fusion import ConvActivationFusion
from tvmfuse.passes.extended.conv_before_resize import ConvBeforeResize
from tvmfuse.passes.extended.conv_transpose_to_conv import ConvTransposeToConv
from tvmfuse.passes.extended.embed_layer_norm_fusion import EmbedLayerNormFusion
from tvmfuse.passes.extended.fast_gelu_fusion import FastGeluFusion
from tvmfuse.passes.extended.fuse_ops import FuseOps
from tvmfuse.passes.extended.fuse_tir import FuseTIR
from tvmfuse.passes.extended.gather_slice_to_split_fusion import GatherSliceToSplitFusion
from tvmfuse.passes.extended.gelu_approximation import GeluApproximation
from tvmfuse.passes.extended.gelu_fusion import GeluFusion
from tvmfuse.passes.extended.gemm_activation_fusion import GemmActivationFusion
from tvmfuse.passes.extended.late_widening import LateWidening
from tvmfuse.passes.extended.layer_norm_fusion import LayerNormFusion
from tvmfuse.passes.extended.lookup_table_fusion import LookupTableFusion
from tvmfuse.passes.extended.mat_mul_scale_fusion import MatMulScaleFusion
from tvmfuse.passes.extended.matmul_transpose_fusion import MatmulTransposeFusion
from tvmfuse.passes.extended.qdq_propagation_transformer import QDQPropagationTransformer
from tvmfuse.passes.extended.qdq_selector_action_transformer import QDQSelectorActionTransformer
from tvmfuse.passes.extended.qkv_mat_mul_fusion import QkvMatMulFusion
from tvmfuse.passes.extended.quick_gelu_fusion import QuickGeluFusion
from tvmfuse.passes.extended.simplified_layer_norm_fusion import SimplifiedLayerNormFusion
from tvmfuse.passes.extended.skip_layer_norm_fusion import SkipLayerNormFusion
from tvmfuse.passes.extended.zero_point_folding import ZeroPointFolding
from tvmfuse.passes.layout.auto_mixed_precision import AutoMixedPrecision
from tvmfuse.passes.layout.cast_float16_transformer import CastFloat16Transformer
from tvmfuse.passes.layout.conv_add_activation_fusion import ConvAddActivationFusion
from tvmfuse.passes.layout.float16_weights import Float16Weights
from tvmfuse.passes.layout.nchwc_transformer import NchwcTransformer
from tvmfuse.passes.layout.prepack_weights import PrepackWeights
from tvmfuse.passes.layout.quantize_activations import QuantizeActivations
from tvmfuse.passes.layout.winograd_conv import WinogradConv
from tvmfuse.passes.phase import FIXPOINT, ONCE, Phase
from tvmfuse.passes.required.clamp_indices import ClampIndices
from tvmfuse.passes.required.keep_disabled_apart import KeepDisabledApart
from tvmfuse.passes.required.lower import Lower
from tvmfuse.passes.required.round_once import RoundOnce

#: The table is the order. Within a tier: what disappears, then what is computed here, then what is
#: merged, and last what nobody reads any more.
PIPELINE: Final[tuple[Phase, ...]] = (
    Phase("semantics", ONCE, (RoundOnce(), ClampIndices())),
    Phase(
        "basic",
        FIXPOINT,
        (
            EliminateIdentity(),
            EliminateDropout(),
            UnsqueezeElimination(),  # before ConstantFolding, which would do the same
            DQMatMulNBitsFusion(),
            ConstantFolding(),
            ConstantSharing(),
            CommonSubexpressionElimination(),
            EliminateSlice(),
            ExpandElimination(),
            CastElimination(),
            CastChainElimination(),
            NoopElimination(),
            ConcatAddFusion(),
            PreShapeNodeElimination(),
            NotWhereFusion(),
            DivMulFusion(),
            GatherToSliceFusion(),
            SliceConcatToSpaceToDepthFusion(),
            PadFusion(),
            ConvMulFusion(),
            ConvAddFusion(),
            ConvBNFusion(),
            FuseReluClip(),
            ReshapeFusion(),
            TransposeOptimizer(),
            GemmTransposeFusion(),
            MatMulBatchNormalizationFusion(),
            MatMulAddFusion(),
            GemmSumFusion(),
            GemmReshapeFusion(),
            DeadCodeElimination(),
        ),
        tier=Level.ORT_ENABLE_BASIC,
    ),
    Phase(
        "extended",
        FIXPOINT,
        (
            QDQSelectorActionTransformer(),  # before what a product is fused with in float32
            QDQPropagationTransformer(),
            ZeroPointFolding(),
            LookupTableFusion(),  # before what is made of activations in float32
            ConvTransposeToConv(),
            ConvBeforeResize(),
            GeluFusion(),
            FastGeluFusion(),
            QuickGeluFusion(),
            BiasGeluFusion(),
            GeluApproximation(),
            LayerNormFusion(),
            SimplifiedLayerNormFusion(),
            EmbedLayerNormFusion(),  # before SkipLayerNormFusion, which would take its sum
            SkipLayerNormFusion(),
            AttentionFusion(),
            QkvMatMulFusion(),
            MatmulTransposeFusion(),
            MatMulScaleFusion(),
            BiasSoftmaxFusion(),
            GatherSliceToSplitFusion(),
            GemmActivationFusion(),
            ConvActivationFusion(),
        ),
        tier=Level.ORT_ENABLE_EXTENDED,
    ),
    Phase("barriers", ONCE, (KeepDisabledApart(),)),
    Phase(
        "precision",
        ONCE,
        (CastFloat16Transformer(), AutoMixedPrecision(), Float16Weights()),
        tier=Level.ORT_ENABLE_LAYOUT,
    ),
    Phase(
        "layout",
        FIXPOINT,
        (
            NchwcTransformer(),
            WinogradConv(),
            ConvAddActivationFusion(),
            QuantizeActivations(),  # before PrepackWeights, whose panels are for floats
            PrepackWeights(),
        ),
        tier=Level.ORT_ENABLE_LAYOUT,
    ),
    Phase("lower", ONCE, (Lower(),)),
    Phase(
        "kernels",
        ONCE,
        (FuseOps(), LateWidening(), FuseTIR(), CanonicalizeSymbolicSizes()),
        tier=Level.ORT_ENABLE_EXTENDED,
    ),
)

# What ONNX Runtime registers or documents and tvmfuse does not have: switching it off asks for
# nothing, so it is no error.
ABSENT: Final[Mapping[str, tuple[str, ...]]] = {
    "AttentionFusionHelper": (),
    "Avx2WeightS8ToU8Transformer": (),
    "BiasDropoutFusion": ("Bias Dropout Fusion",),
    "BiasSoftmaxDropoutFusion": (),
    "BitmaskDropoutReplacement": (),
    "ClipQuantRewrite": (),
    "DoubleQDQPairsRemover": (),
    "DynamicQuantizeMatMulFusion": ("Dynamic Quantize MatMul Fusion",),
    "EnsureUniqueDQForNodeUnit": (),
    "FreeDimensionOverrideTransformer": ("Free Dimension Override",),
    "FuseFp16InitializerToFp32NodeTransformer": (),
    "GroupQueryAttentionFusion": (),
    "GroupQueryAttentionPreNormFusion": (),
    "LabelEncoderFusion": (),
    "Level2_RuleBasedTransformer": (),
    "MatMulActivationFusion": (),
    "MatMulIntegerToFloatFusion": ("MatMul Integer To Float Fusion",),
    "MatMulNBitsFusion": (),
    "MatMulNBitsMlpFusion": (),
    "MatMulNBitsQkvFusion": (),
    "MemcpyTransformer": (),
    "NhwcTransformer": ("NHWC Transformer",),
    "QDQFinalCleanupTransformer": (),
    "QDQS8ToU8Transformer": (),
    "ReluQuantRewrite": (),
    "RemoveDuplicateCastTransformer": (),
    "SceLossGradBiasFusion": (),
    "TransposeOptimizer_CPUExecutionProvider": (),
    "TritonFusion": (),
    "WeightBiasQuantization": (),
    "WhereDummyDq": (),
}  # fmt: skip
