"""A variant's settings: what words mean, and which are refused."""

from __future__ import annotations

import json

import pytest

from tvmfuse.errors import ConfigurationError, UnknownPassError, UnknownTargetError
from tvmfuse.measure.variants import VariantSettings, pools_of_their_own, read_variant


def test_every_key_is_read() -> None:
    variant = read_variant("level=extended, target=avx2,threads=2,disable=FuseOps+Conv BN Fusion,"
                   "enable=GeluApproximation,engine=tvmfuse")  # fmt: skip
    assert variant == VariantSettings(
        "extended", "avx2", 2, ("FuseOps", "Conv BN Fusion"), ("GeluApproximation",)
    )
    assert read_variant("only=FuseOps+FuseTIR").only == ("FuseOps", "FuseTIR")


def test_what_is_not_said_is_the_defaults() -> None:
    base = VariantSettings("basic", "avx2", 3, ("ConvBNFusion",))
    assert read_variant("", base) == base
    assert read_variant("threads=1", base) == VariantSettings("basic", "avx2", 1, ("ConvBNFusion",))


def test_only_some_passes_leave_no_room_for_the_defaults() -> None:
    base = VariantSettings("basic", "avx2", 3, ("ConvBNFusion",))
    assert read_variant("only=FuseTIR", base) == VariantSettings(
        "all", "avx2", 3, only=("FuseTIR",)
    )


def test_another_engine_takes_the_defaults_that_mean_something_to_it() -> None:
    base = VariantSettings("basic", "avx2", 3, ("ConvBNFusion",))
    assert read_variant("engine=onnxruntime", base) == VariantSettings(
        "basic", threads=3, engine="onnxruntime"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("levle=all", "a variant has no 'levle'; did you mean level?"),
        ("level", "expected KEY=VALUE as in level=basic, found 'level'"),
        ("level=", "expected KEY=VALUE"),
        ("level=al", "no level is called 'al'; did you mean all?"),
        ("level=all,level=none", "expected level once, found it again"),
        ("threads=two", "threads: expected a number as in threads=2, found 'two'"),
        ("threads=-1", "threads: expected a number"),
        ("threads=0", "threads: expected 1 or more, found 0"),
        ("engine=onnxruntim", "no engine is called 'onnxruntim'; did you mean onnxruntime?"),
        ("engine=onnxruntime,target=avx2", "takes level and threads; found target"),
        ("engine=onnxruntime,only=FuseOps", "takes level and threads; found only"),
        ("disable=NhwcTransformer", "does not have NhwcTransformer, so that there is nothing"),
        ("level=none,only=FuseOps,disable=FuseTIR", "only_pass= names all passes that run"),
        ("level=none,enable=GeluApproximation", "level none leaves it out"),
        ("precision=f8", "precision: expected one of f32, bf16, f16, found 'f8'"),
        ("precision=bf16,level=basic", "level basic leaves it out"),
        ("engine=onnxruntime,precision=bf16", "takes level and threads; found precision"),
    ],
)
def test_what_means_nothing_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words.replace("?", r"\?")):
        read_variant(text)


def test_names_of_passes_and_targets_are_checked() -> None:
    with pytest.raises(UnknownPassError, match="did you mean ConvBNFusion"):
        read_variant("disable=ConvBNFusoin")
    with pytest.raises(UnknownTargetError):
        read_variant("target=avx3")


def test_a_precision_enables_its_passes_where_a_level_has_them() -> None:
    variant = read_variant("precision=bf16,enable=GeluApproximation")
    assert variant.selection.enabled == {"AutoMixedPrecision", "GeluApproximation"}
    assert read_variant("precision=bf16,only=FuseOps").selection.only == {
        "AutoMixedPrecision", "FuseOps",
    }  # fmt: skip
    assert variant.title == "level all with GeluApproximation in bf16"
    assert variant.at("layout").selection.enabled == variant.selection.enabled
    assert read_variant("precision=bf16").at("extended") == VariantSettings("extended")
    assert read_variant("engine=onnxruntime", variant).precision == "f32"


def test_settings_are_json() -> None:
    variant = read_variant("disable=FuseOps,threads=2")
    assert json.loads(json.dumps(variant.to_json())) == {
        "level": "all", "target": "llvm", "threads": 2, "disable": ["FuseOps"], "enable": [],
        "only": [], "engine": "tvmfuse", "disable_step": [], "precision": "f32",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("variants", "own"),
    [
        (("", ""), False),  # both compute on the caller's threads
        (("threads=1", "threads=1"), False),  # nothing spins
        (("threads=2", ""), True),
        (("engine=onnxruntime", ""), True),
        (("engine=onnxruntime,threads=1", "threads=1"), False),
    ],
)
def test_only_pools_of_several_threads_spin(variants: tuple[str, ...], own: bool) -> None:
    assert pools_of_their_own(map(read_variant, variants)) is own
