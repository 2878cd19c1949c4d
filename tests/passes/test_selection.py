"""passes.selection: names, aliases, levels."""

from typing import Any

import pytest

from tvmfuse.errors import ConfigurationError, UnknownPassError
from tvmfuse.levels import LEVELS, Level
from tvmfuse.passes.catalogue import ABSENT, PIPELINE
from tvmfuse.passes.selection import (
    LEVEL1_RULES,
    RULES,
    Selection,
    absent,
    disabled_pass_for,
    entries,
    list_passes,
    resolve,
)

# The section titles of ONNX Runtime's page on graph optimizations.
DOCUMENTED = {
    "Constant Folding": "ConstantFolding",
    "Identity Elimination": "EliminateIdentity",
    "Slice Elimination": "EliminateSlice",
    "Unsqueeze Elimination": "UnsqueezeElimination",
    "Dropout Elimination": "EliminateDropout",
    "Conv Add Fusion": "ConvAddFusion",
    "Conv Mul Fusion": "ConvMulFusion",
    "Conv BatchNorm Fusion": "ConvBNFusion",
    "Relu Clip Fusion": "FuseReluClip",
    "Reshape Fusion": "ReshapeFusion",
    "GEMM Activation Fusion": "GemmActivationFusion",
    "Matmul Add Fusion": "MatMulAddFusion",
    "Conv Activation Fusion": "ConvActivationFusion",
    "GELU Fusion": "GeluFusion",
    "Layer Normalization Fusion": "LayerNormFusion",
    "BERT Embedding Layer Fusion": "EmbedLayerNormFusion",
    "Attention Fusion": "AttentionFusion",
    "Skip Layer Normalization Fusion": "SkipLayerNormFusion",
    "Bias GELU Fusion": "BiasGeluFusion",
    "GELU Approximation": "GeluApproximation",
    "NCHWc Optimizer": "NchwcTransformer",
}
REGISTERED = [
    "EliminateIdentity", "EliminateSlice", "UnsqueezeElimination", "EliminateDropout", "ExpandElimination",
    "CastElimination", "CastChainElimination", "PreShapeNodeElimination", "NoopElimination", "DivMulFusion",
    "FuseReluClip", "GemmSumFusion", "GemmTransposeFusion", "NotWhereFusion", "ConvAddFusion", "ConvMulFusion",
    "ConvBNFusion", "Pad_Fusion", "MatMul_BatchNormalization_Fusion", "ConstantSharing",
    "CommonSubexpressionElimination", "ConstantFolding", "MatMulAddFusion", "ReshapeFusion",
    "SliceConcatToSpaceToDepthFusion", "TransposeOptimizer", "GatherToSliceFusion",
]  # fmt: skip
# Of its second level.
EXTENDED = {
    "AttentionFusion": "AttentionFusion",
    "BiasGeluFusion": "BiasGeluFusion",
    "BiasSkipLayerNormFusion": "SkipLayerNormFusion",
    "BiasSoftmaxFusion": "BiasSoftmaxFusion",
    "ConvActivationFusion": "ConvActivationFusion",
    "EmbedLayerNormFusion": "EmbedLayerNormFusion",
    "FastGeluFusion": "FastGeluFusion",
    "GatherSliceToSplitFusion": "GatherSliceToSplitFusion",
    "GeluApproximation": "GeluApproximation",
    "GeluFusionL1": "GeluFusion",
    "GeluFusionL2": "GeluFusion",
    "GemmActivationFusion": "GemmActivationFusion",
    "LayerNormFusionL1": "LayerNormFusion",
    "LayerNormFusionL2": "LayerNormFusion",
    "MatMulScaleFusion": "MatMulScaleFusion",
    "MatmulTransposeFusion": "MatmulTransposeFusion",
    "QuickGeluFusion": "QuickGeluFusion",
    "SimplifiedLayerNormFusion": "SimplifiedLayerNormFusion",
    "CastFloat16Transformer": "CastFloat16Transformer",
    "SkipLayerNormFusion": "SkipLayerNormFusion",
}
# What ONNX Runtime registers beside them: no pass of ours.
FOREIGN = [
    "LabelEncoderFusion", "DoubleQDQPairsRemover", "FreeDimensionOverrideTransformer",
    "WeightBiasQuantization", "EnsureUniqueDQForNodeUnit", "WhereDummyDq",
    "Level2_RuleBasedTransformer", "ClipQuantRewrite", "ReluQuantRewrite", "TransposeOptimizer_CPUExecutionProvider",
    "QDQS8ToU8Transformer", "QDQFinalCleanupTransformer", "Avx2WeightS8ToU8Transformer",
    "MatMulIntegerToFloatFusion", "DynamicQuantizeMatMulFusion", "MatMulNBitsFusion",
    "GroupQueryAttentionFusion", "GroupQueryAttentionPreNormFusion", "BiasDropoutFusion",
    "MatMulActivationFusion", "MatMulNBitsMlpFusion", "MatMulNBitsQkvFusion", "BitmaskDropoutReplacement",
    "BiasSoftmaxDropoutFusion", "SceLossGradBiasFusion", "TritonFusion", "NhwcTransformer",
    "FuseFp16InitializerToFp32NodeTransformer", "RemoveDuplicateCastTransformer", "MemcpyTransformer",
]  # fmt: skip


@pytest.mark.parametrize(("title", "name"), DOCUMENTED.items())
def test_every_title_of_the_documentation_is_an_alias(title: Any, name: Any) -> None:
    assert resolve(title) == name


@pytest.mark.parametrize("name", REGISTERED)
def test_onnx_runtimes_names_are_ours(name: str) -> None:
    assert resolve(name) == name
    assert name not in ABSENT


@pytest.mark.parametrize(("name", "ours"), EXTENDED.items())
def test_names_of_the_second_level_mean_ours(name: Any, ours: Any) -> None:
    assert resolve(name) == ours
    assert ours not in ABSENT


@pytest.mark.parametrize("name", [*FOREIGN, *ABSENT])
def test_what_else_onnx_runtime_registers_may_be_switched_off(name: Any) -> None:
    assert Selection.of("all", [name]).disabled == frozenset()
    assert absent(name) == (resolve(name),)


def test_a_list_of_absent_passes_leaves_out_ours() -> None:
    assert absent(["FuseOps;Triton Fusion", "TritonFusion,ConvBNFusion"]) == ("TritonFusion",)
    assert absent(RULES) == ()


@pytest.mark.parametrize("name", [RULES, "level1 rulebased transformer"])
def test_one_name_means_all_rules_of_level_1(name: Any) -> None:
    """Those of the registered names that ONNX Runtime runs as rules, and no transformer of it."""
    transformers = {
        "ConstantSharing", "CommonSubexpressionElimination", "ConstantFolding", "MatMulAddFusion", "ReshapeFusion",
        "SliceConcatToSpaceToDepthFusion", "TransposeOptimizer", "GatherToSliceFusion",
    }  # fmt: skip
    assert Selection.of("all", name).disabled == set(REGISTERED) - transformers == LEVEL1_RULES
    assert Selection.of("all", [name, "FuseOps"]).disabled == LEVEL1_RULES | {"FuseOps"}
    with pytest.raises(UnknownPassError):
        Selection.of("all", (), name)


@pytest.mark.parametrize("names", [None, 7, [1], ["FuseOps", None], [b"FuseOps"]], ids=repr)
@pytest.mark.parametrize("side", ["disabled", "enabled"])
def test_names_are_texts(names: Any, side: str) -> None:
    with pytest.raises(ConfigurationError, match=f"{side}_pass: expected names of passes, found "):
        Selection.of("all", **{side: names})


def test_what_the_level_leaves_out_cannot_be_switched_on() -> None:
    assert Selection.of("basic", (), "CastChainElimination").enabled == {"CastChainElimination"}
    with pytest.raises(ConfigurationError, match="cannot enable CastChainElimination: level none"):
        Selection.of("none", (), "CastChainElimination")
    with pytest.raises(ConfigurationError, match="cannot enable FuseOps: level basic"):
        Selection.of("basic", (), "FuseOps")


@pytest.mark.parametrize(
    ("alias", "name"),
    [("FoldConstant", "ConstantFolding"), ("OpFusion", "FuseOps"), ("conv_bn_fusion", "ConvBNFusion"),
     ("matmul batchnormalization fusion", "MatMul_BatchNormalization_Fusion"), ("fuseops", "FuseOps")],
)  # fmt: skip
def test_case_space_and_underscore_do_not_count(alias: str, name: str) -> None:
    assert resolve(alias) == name


def test_aliases_are_unambiguous() -> None:
    def folded(text: Any) -> Any:
        return text.casefold().replace(" ", "").replace("_", "")

    owners: dict[str, str] = {}
    for name, aliases in [*((p.name, p.aliases) for p in list_passes()), *ABSENT.items()]:
        for alias in {folded(a) for a in (name, *aliases)}:
            assert owners.setdefault(alias, name) == name


def test_an_unknown_name_lists_the_close_ones() -> None:
    with pytest.raises(UnknownPassError, match="'ConvBnFusoin'; did you mean .*ConvBNFusion"):
        Selection.of("all", ["ConvBnFusoin"])


@pytest.mark.parametrize(
    "names",
    ["ConvBNFusion;FuseOps", "ConvBNFusion, FuseOps", ["ConvBNFusion", "Op Fusion"], {"ConvBNFusion;", "FuseOps"},
     "ConvBNFusion; FuseOps;"],
    ids=["semicolon", "comma", "list", "set", "both"],
)  # fmt: skip
def test_both_separators_work(names: Any) -> None:
    assert Selection.of("all", names).disabled == {"ConvBNFusion", "FuseOps"}


def test_what_tvmfuse_does_not_have_can_be_switched_off_and_not_on() -> None:
    assert Selection.of("all", ["NHWC Transformer"]).disabled == frozenset()
    with pytest.raises(ConfigurationError, match="cannot enable NhwcTransformer"):
        Selection.of("all", (), ["NhwcTransformer"])


def test_a_pass_is_not_both_on_and_off() -> None:
    with pytest.raises(ConfigurationError, match="both enabled and disabled: CastChainElimination"):
        Selection.of("all", "CastChainElimination", "Cast Chain Elimination")


@pytest.mark.parametrize(
    ("level", "expected"),
    [*LEVELS.items(), (1, Level.ORT_ENABLE_BASIC), (99, Level.ORT_ENABLE_ALL)],
)
def test_levels_are_names_or_numbers(level: Any, expected: Any) -> None:
    assert Selection.of(level).level == expected


def test_an_unknown_level_lists_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="'extendet'; did you mean extended"):
        Selection.of("extendet")
    with pytest.raises(ConfigurationError, match=r"number 7; known: 0 \(none\)"):
        Selection.of(7)


def test_the_list_of_passes_is_in_running_order_with_words() -> None:
    listed = list_passes()
    assert [p.name for p in listed] == [p.name for phase in PIPELINE for p in phase.passes]
    assert [p.name for p in listed if not p.required] == [p.name for _, p in entries()]
    required = [(p.name, p.phase, p.tier) for p in listed if p.required]
    assert required == [
        ("RoundOnce", "semantics", "none"),
        ("ClampIndices", "semantics", "none"),
        ("KeepDisabledApart", "barriers", "none"),
        ("Lower", "lower", "none"),
    ]
    kernels = [(p.name, p.tier) for p in listed if p.phase == "kernels"]
    names = ("FuseOps", "LateWidening", "FuseTIR", "CanonicalizeSymbolicSizes")
    assert kernels == [(name, "extended") for name in names]
    assert listed[-1].name == "CanonicalizeSymbolicSizes"
    assert all(p.summary.endswith(".") for p in listed)
    assert {p.name for p in listed if not p.default} == {
        "AutoMixedPrecision",
        "CastChainElimination",
        "Float16Weights",
        "GeluApproximation",
    }


def test_what_a_level_leaves_out() -> None:
    assert disabled_pass_for("all") == ()
    layout = (
        *("CastFloat16Transformer", "AutoMixedPrecision", "Float16Weights", "NchwcTransformer"),
        *("WinogradConv", "ConvAddActivationFusion", "QuantizeActivations", "PrepackWeights"),
    )
    assert disabled_pass_for("extended") == layout
    extended = next(phase for phase in PIPELINE if phase.name == "extended").passes
    kernels = ("FuseOps", "LateWidening", "FuseTIR", "CanonicalizeSymbolicSizes")
    assert disabled_pass_for("basic") == (*(p.name for p in extended), *layout, *kernels)
    assert set(disabled_pass_for("none")) == {p.name for _, p in entries()}


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"disabled": "lower"}, "cannot disable Lower: every level needs it, and always runs it"),
        ({"enabled": "Round Once"}, "cannot enable RoundOnce"),
        ({"only": "FuseOps, KeepDisabledApart"}, "cannot run KeepDisabledApart"),
    ],
)
def test_what_every_level_needs_is_not_chosen(choice: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        Selection.of("all", **choice)


def test_only_some_passes_run_of_whatever_tier() -> None:
    selection = Selection.of("all", only="FuseOps, Conv BatchNorm Fusion")
    ran = {entry.name for tier, entry in entries() if selection.runs(tier, entry)}
    assert all(
        selection.runs(phase.tier, p) for phase in PIPELINE for p in phase.passes if p.required
    )
    assert ran == {"FuseOps", "ConvBNFusion"}
    assert selection.disabled == frozenset()  # a disabled fusion would be kept undone


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ({"level": "basic"}, "names all passes that run"),
        ({"level": "all", "disabled": "FuseTIR"}, "names all passes that run"),
        ({"level": "all", "enabled": "GeluApproximation"}, "names all passes that run"),
        ({"level": "all", "only": "NhwcTransformer"}, "cannot run NhwcTransformer: this version"),
    ],
)
def test_only_these_passes_is_said_once(others: Any, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        Selection.of(**{"only": "FuseOps", **others})


def test_passes_are_listed_without_docstrings(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with `python -OO`, which leaves them out."""
    for kind in {type(entry) for phase in PIPELINE for entry in phase.passes}:
        monkeypatch.setattr(kind, "__doc__", None)
    listed = list_passes()
    assert listed
    assert {p.summary for p in listed} == {""}
