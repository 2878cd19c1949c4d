"""The converter of each operator of ai.onnx.ml."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tvm.ir import Expr

from tvmfuse.frontend.onnx.convert.ml import features, labels, linear, trees
from tvmfuse.frontend.onnx.operation import Operation

_ML: Final[Mapping[str, Callable[[Operation], Expr | Sequence[Expr]]]] = {
    "ArrayFeatureExtractor": features.array_feature_extractor,
    "Binarizer": features.binarizer,
    "FeatureVectorizer": features.feature_vectorizer,
    "Imputer": features.imputer,
    "LabelEncoder": labels.label_encoder,
    "LinearClassifier": linear.linear_classifier,
    "LinearRegressor": linear.linear_regressor,
    "Normalizer": features.normalizer,
    "OneHotEncoder": features.one_hot_encoder,
    "SVMClassifier": linear.svm_classifier,
    "SVMRegressor": linear.svm_regressor,
    "Scaler": features.scaler,
    "TreeEnsemble": trees.ensemble,
    "TreeEnsembleClassifier": trees.classifier,
    "TreeEnsembleRegressor": trees.regressor,
}

ML: Final = {f"ai.onnx.ml::{operator}": convert for operator, convert in _ML.items()}
