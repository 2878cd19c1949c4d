"""ai.onnx.ml: features, linear models and support vector machines, against onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import numpy_helper
from reference import assert_agrees, reference
from together import Part, agree, together

import tvmfuse
from tvmfuse.errors import InputError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model

pytestmark = pytest.mark.sampled(5)

DOMAIN = "ai.onnx.ml"
RNG = np.random.default_rng(5)
NAN = np.nan


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, dtype="float32")


def case(
    op: str, *operands: np.ndarray, to: str = "float32", fixed: bool = False, **attributes: Any
) -> Part:
    return Part(op, operands, tuple(to.split()), attributes, symbolic=not fixed)


X, HOLED = floats(7, 4), np.array([[1, NAN, -3.0], [NAN, 0, 2]], "float32")
INTEGERS = np.array([[3, -1, 2**40], [7, 3, 5]])
EACH: dict[str, Any] = {"offset": [1.0, 2, 3, 4], "scale": [0.5, 2, -1, 3]}
TENSORS = {
    "keys_tensor": numpy_helper.from_array(np.array([1, 2**40, -5])),
    "values_tensor": numpy_helper.from_array(np.array([10, 20, 30], "int64")),
    "default_tensor": numpy_helper.from_array(np.array([-7], "int64")),
}

FEATURES = [
    case("Scaler", X, **EACH),
    case("Scaler", X.astype("float64"), offset=[0.1], scale=[3.0]),
    case("Scaler", INTEGERS % 100, **{k: v[:3] for k, v in EACH.items()}),
    *[case("Normalizer", np.vstack([X, 0 * X[:1]]), norm=norm) for norm in ("MAX", "L1", "L2")],
    case("Binarizer", X, threshold=0.25),
    case("ArrayFeatureExtractor", X, np.array([[3, 0, 0]]), fixed=True),
    case("Imputer", HOLED, imputed_value_floats=[5.0, 6, 7], replaced_value_float=NAN),
    case("Imputer", HOLED, imputed_value_floats=[5.0], replaced_value_float=2.0),
    case("Imputer", INTEGERS, to="int64", imputed_value_int64s=[9], replaced_value_int64=3),
    case("OneHotEncoder", INTEGERS, cats_int64s=[2**40, 3, 5]),
    case("OneHotEncoder", np.array([1.0, 2.7, -1], "float32"), cats_int64s=[2, 1]),
    case("FeatureVectorizer", X, X[:, :2].astype("int64").astype("float32"), inputdimensions=[3, 4], fixed=True),
    case("LabelEncoder", INTEGERS, to="float32", keys_int64s=[5, 3, 2**40, 3], values_floats=[1.5, 2, 3, 4]),
    case("LabelEncoder", HOLED, to="int64", keys_floats=[NAN, 2, 1], values_int64s=[4, 5, 2**40], default_int64=8),
    case("LabelEncoder", HOLED, to="int64", keys_floats=[NAN], values_int64s=[4]),
]  # fmt: skip
NEWER = [
    case("LabelEncoder", HOLED, to="int64", keys_floats=[NAN], values_int64s=[4]),
    case("LabelEncoder", HOLED, to="int64", keys_floats=[NAN, 2, 1], values_int64s=[4, 5, 2**40]),
    case("LabelEncoder", INTEGERS, to="int64", **TENSORS),
]  # fmt: skip

WEIGHTS = floats(12).tolist()
THREE: dict[str, Any] = {
    "coefficients": WEIGHTS,
    "intercepts": [0.1, -0.2, 0.3],
    "classlabels_ints": [7, -2, 9],
}
TWO: dict[str, Any] = {
    "coefficients": WEIGHTS[:4],
    "intercepts": [0.1],
    "classlabels_ints": [-1, 5],
}
TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")
RADIAL = [0.3, 0.0, 3.0]
VECTORS = floats(5, 4).reshape(-1).tolist()
MACHINE: dict[str, Any] = {
    "coefficients": floats(10).tolist(), "rho": [0.1, -0.2, 0.3], "support_vectors": VECTORS,
    "vectors_per_class": [2, 1, 2], "classlabels_ints": [4, 5, 6], "kernel_params": RADIAL,
}  # fmt: skip
PAIR = {
    **MACHINE,
    "coefficients": WEIGHTS[:5],
    "rho": [0.05],
    "vectors_per_class": [2, 3],
    "classlabels_ints": [1, 2],
}
FLAT: dict[str, Any] = {
    "kernel_params": RADIAL,
    "coefficients": WEIGHTS,
    "rho": [0.3],
    "classlabels_ints": [1, 2, 3],
}
BOTH = "int64 float32"

MODELS = [
    case("LinearRegressor", X, coefficients=WEIGHTS[:4], intercepts=[0.5]),
    case("LinearRegressor", X, coefficients=WEIGHTS, targets=3, post_transform="SOFTMAX"),
    *[case("LinearClassifier", X, to=BOTH, **THREE, post_transform=t) for t in TRANSFORMS[:4]],
    case("LinearClassifier", X.astype("float64"), to=BOTH, **TWO),
    case("LinearClassifier", X, to=BOTH, **TWO, post_transform="LOGISTIC"),
    *[
        case("SVMRegressor", X, coefficients=WEIGHTS[:5], rho=[0.4], n_supports=5, support_vectors=VECTORS,
             kernel_type=kernel, kernel_params=[0.4, 0.5, 3.0])
        for kernel in ("LINEAR", "POLY", "RBF", "SIGMOID")
    ],
    case("SVMRegressor", X, coefficients=WEIGHTS[:4], rho=[0.4], one_class=1, kernel_params=RADIAL),
    case("SVMClassifier", X, to=BOTH, **MACHINE, kernel_type="RBF"),
    case("SVMClassifier", X, to=BOTH, **PAIR, post_transform="LOGISTIC"),
    case("SVMClassifier", X, to=BOTH, **PAIR),
    case("SVMClassifier", X, to=BOTH, **FLAT, post_transform="SOFTMAX"),
    case("SVMClassifier", X, to=BOTH, **MACHINE, prob_a=[-1.5, 0.7, -3.0], prob_b=[0.1, -0.2, 0.0]),
    case("SVMClassifier", X, to=BOTH, **MACHINE, prob_a=[-1.5, 0.7, -3.0], prob_b=[0.1, -0.2, 0.0], kernel_type="RBF",
         post_transform="SOFTMAX"),
    case("SVMClassifier", X, to=BOTH, **PAIR, prob_a=[-2.0], prob_b=[0.2], kernel_type="RBF"),
    case("SVMClassifier", X, to=BOTH, **PAIR, prob_a=[0.0], prob_b=[0.002]),
    case("SVMClassifier", 40 * X, to=BOTH, **PAIR, prob_a=[-90.0], prob_b=[0.2]),
]  # fmt: skip


@pytest.mark.parametrize(("parts", "version"), [([*FEATURES, *MODELS], 3), (NEWER, 4)])
def test_the_numbers_are_onnxruntimes(parts: list[Part], version: int) -> None:
    agree(*together(parts, domain=DOMAIN, version=version))


def test_the_whole_compiler() -> None:
    model, feeds = together([FEATURES[0], MODELS[5]], domain=DOMAIN, version=3)
    loaded = tvmfuse.compile(model, strict=True).load()
    for rows in (1, 5):
        some = {name: array[:rows] for name, array in feeds.items()}
        assert_agrees(loaded(some), reference(model, some))
    empty = loaded({name: array[:0] for name, array in feeds.items()})
    assert all(len(found) == 0 for found in empty.values())


def test_probits() -> None:
    """onnxruntime's are of 2x - 1, by an approximation: good to two digits."""
    statistics = pytest.importorskip("statistics")
    scores = np.array([[0.1, 0.4, 0.9], [0.5, 0.75, 0.999]], "float32")
    said: dict[str, Any] = {
        "coefficients": np.eye(3).reshape(-1).tolist(),
        "targets": 3,
        "post_transform": "PROBIT",
    }
    model, feeds = together([case("LinearRegressor", scores, **said)], domain=DOMAIN, version=1)
    agree(model, feeds)
    [found] = reference(model, feeds).values()
    exact = np.vectorize(statistics.NormalDist().inv_cdf)(scores.astype("float64"))
    np.testing.assert_allclose(found, exact, atol=1e-2)


def test_a_category_that_has_to_be_one() -> None:
    part = case("OneHotEncoder", INTEGERS, cats_int64s=[3, -1, 7, 5, 2**40], zeros=0)
    model, feeds = together([part], domain=DOMAIN, version=1)
    loaded = tvmfuse.compile(model).load()
    assert_agrees(loaded(feeds), reference(model, feeds))
    with pytest.raises(InputError, match="asks for a shape that it cannot have"):
        loaded(x0_0=INTEGERS + 1)


@pytest.mark.parametrize(
    ("part", "why"),
    [
        (case("LabelEncoder", INTEGERS, to="object", keys_int64s=[1], values_strings=["a"]), "values are strings"),
        (case("OneHotEncoder", INTEGERS, cats_strings=["a"]), "categories are strings"),
        (case("Scaler", X, offset=[1.0, 2], scale=[1.0, 2]), "have to be equal"),
        (case("LinearClassifier", X, to="object float32", coefficients=WEIGHTS[:8], classlabels_strings=["a", "b"]),
         "classes are strings"),
        (case("LinearRegressor", X, coefficients=WEIGHTS[:5], targets=2), "make no 2 rows"),
        (case("SVMClassifier", X, to=BOTH, **PAIR, prob_a=[0.1]), "1 prob_a and 0 prob_b; expected 1"),
        (case("SVMClassifier", X, to=BOTH, **FLAT, prob_a=[0.1], prob_b=[0.2]), "no support vectors"),
        (case("SVMRegressor", X, coefficients=[1.0], rho=[0.0], n_supports=3, support_vectors=VECTORS[:4]), "rows"),
        (case("Normalizer", X, norm="L3"), "its norm is 'L3'; expected MAX, L1, L2"),
        (case("Imputer", INTEGERS, to="int64", imputed_value_floats=[1.0]), "imputed_value_int64s is empty"),
        (case("FeatureVectorizer", X, inputdimensions=[4, 4]), "inputdimensions has 2 entries"),
    ],
)  # fmt: skip
def test_what_is_refused_in_words(part: Part, why: str) -> None:
    with pytest.raises(UnsupportedModelError, match=why):
        import_model(together([part], domain=DOMAIN, version=3)[0])
