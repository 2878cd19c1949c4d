"""Models of scikit-learn and of what is like it, as their converters write them by default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import onnx
import pandas
from skl2onnx import to_onnx
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType
from sklearn import (
    calibration,
    cluster,
    compose,
    decomposition,
    discriminant_analysis,
    ensemble,
    feature_extraction,
    feature_selection,
    gaussian_process,
    impute,
    linear_model,
    naive_bayes,
    neighbors,
    neural_network,
    preprocessing,
    svm,
    tree,
)
from sklearn.pipeline import make_pipeline

RNG: Final = np.random.default_rng(7)
X: Final = RNG.standard_normal((120, 4)).astype("float32")
CLASSES: Final = np.digitize(X[:, 0] + 0.5 * X[:, 1] + 0.2 * RNG.standard_normal(120), [-0.6, 0.6])
BOTH: Final = (CLASSES > 0).astype("int64")
NAMES: Final = np.array(["spam", "ham", "eggs"])[CLASSES]
Y: Final = (X @ [1.0, -2.0, 0.5, 0.0] + 0.1 * RNG.standard_normal(120)).astype("float32")
HOLED: Final = np.where(RNG.random(X.shape) < 0.1, np.float32(np.nan), X)
COLOURS: Final = np.array([["red", "S"], ["green", "M"], ["blue", "L"], ["red", "L"]] * 30, object)
TEXTS: Final = np.array(
    ["the cat sat on the mat", "a dog chased the cat", "Birds sing at dawn!", "no cats, no dogs"]
    * 30
)
LABELS: Final = np.array(["indoors", "outdoors", "outdoors", "neither"] * 30)

Made = tuple[onnx.ModelProto, dict[str, Any]] | tuple[onnx.ModelProto, dict[str, Any], list[Any]]
"""A model, what it is fed, and scikit-learn's results where onnxruntime does not run it."""
Case = Callable[[], Made]


def numeric(
    estimator: Any, y: np.ndarray | None = None, x: np.ndarray = X, opset: Any = None
) -> Case:
    """Return a model of float32 features, and 20 rows."""

    def made() -> Made:
        fitted = estimator.fit(x) if y is None else estimator.fit(x, y)
        return to_onnx(fitted, x[:1], target_opset=opset), {"X": x[:20]}

    return made


def gaussian(dtype: str) -> Case:
    """Return a Gaussian process's classifier: onnxruntime has no Solve, nor Erf of float64."""

    def made() -> Made:
        x = X[:20].astype(dtype)
        fitted = gaussian_process.GaussianProcessClassifier().fit(X, BOTH)
        zipped = dtype == "float32"  # all that a ZipMap takes
        model = to_onnx(fitted, x[:1], options={"zipmap": zipped})
        scores = fitted.predict_proba(x)
        rows = [dict(enumerate(row)) for row in scores.tolist()]
        return model, {"X": x}, [fitted.predict(x).reshape(-1, 1), rows if zipped else scores]

    return made


def strings(estimator: Any, x: np.ndarray, y: np.ndarray | None = None) -> Case:
    """Return a model of columns of strings."""

    def made() -> Made:
        fitted = estimator.fit(x) if y is None else estimator.fit(x, y)
        kind = StringTensorType([None, x.shape[1]])
        return to_onnx(fitted, initial_types=[("X", kind)]), {"X": x[:20]}

    return made


def labels(estimator: Any, y: np.ndarray) -> Case:
    """Return a model of one vector of labels."""

    def made() -> Made:
        kind = StringTensorType([None]) if y.dtype.kind in "UO" else Int64TensorType([None])
        model = to_onnx(estimator.fit(y), initial_types=[("X", kind)])
        return model, {"X": y[:20].astype(object) if y.dtype.kind == "U" else y[:20]}

    return made


def texts(estimator: Any, y: np.ndarray | None = None) -> Case:
    """Return a model of sentences."""

    def made() -> Made:
        fitted = estimator.fit(TEXTS) if y is None else estimator.fit(TEXTS, y)
        model = to_onnx(fitted, initial_types=[("X", StringTensorType([None, 1]))])
        for node in model.graph.node:
            if node.op_type == "StringNormalizer":  # en_US is not on every machine
                node.attribute.append(onnx.helper.make_attribute("locale", "C"))
        return model, {"X": TEXTS[:20].astype(object).reshape(-1, 1)}

    return made


def columns(final: Any, y: np.ndarray) -> Case:
    """Return a table's model: numbers imputed and scaled, strings as one of many."""

    def made() -> Made:
        frame = pandas.DataFrame(
            {
                "age": HOLED[:, 0],
                "fare": HOLED[:, 1],
                "colour": COLOURS[:, 0],
                "size": COLOURS[:, 1],
            }
        )
        numbers = make_pipeline(impute.SimpleImputer(), preprocessing.StandardScaler())
        one_hot = preprocessing.OneHotEncoder(handle_unknown="ignore")
        prepared = compose.ColumnTransformer(
            [("numbers", numbers, ["age", "fare"]), ("words", one_hot, ["colour", "size"])]
        )
        fitted = make_pipeline(prepared, final).fit(frame, y)
        kinds = [
            (
                name,
                FloatTensorType([None, 1])
                if name in ("age", "fare")
                else StringTensorType([None, 1]),
            )
            for name in frame
        ]
        feeds = {name: frame[name].to_numpy()[:20].reshape(-1, 1) for name in frame}
        numbers_fed = {name: feeds[name].astype("float32") for name in ("age", "fare")}
        words_fed = {name: feeds[name].astype(object) for name in ("colour", "size")}
        return to_onnx(fitted, initial_types=kinds), numbers_fed | words_fed

    return made


def boosted(name: str) -> Case:
    """Return a model of another library's trees."""

    def made() -> Made:
        import onnxmltools
        from onnxmltools.convert.common.data_types import FloatTensorType as Floats

        kinds = [("X", Floats([None, 4]))]
        if name == "xgboost":
            import xgboost

            fitted = xgboost.XGBClassifier(n_estimators=8).fit(X, CLASSES)
            return onnxmltools.convert_xgboost(fitted, initial_types=kinds), {"X": X[:20]}
        import lightgbm

        fitted = lightgbm.LGBMClassifier(n_estimators=8, verbose=-1).fit(X, CLASSES)
        return onnxmltools.convert_lightgbm(fitted, initial_types=kinds), {"X": X[:20]}

    return made


CASES: Final[dict[str, Case]] = {
    "LogisticRegression": numeric(linear_model.LogisticRegression(), CLASSES),
    "LogisticRegression, two": numeric(linear_model.LogisticRegression(), BOTH),
    "LogisticRegression, strings": numeric(linear_model.LogisticRegression(), NAMES),
    "SGDClassifier": numeric(linear_model.SGDClassifier(), CLASSES),
    "Perceptron": numeric(linear_model.Perceptron(), NAMES),
    "RidgeClassifier": numeric(linear_model.RidgeClassifier(), CLASSES),
    "LinearRegression": numeric(linear_model.LinearRegression(), Y),
    "Lasso": numeric(linear_model.Lasso(0.1), Y),
    "DecisionTree, strings": numeric(tree.DecisionTreeClassifier(max_depth=4), NAMES),
    "RandomForest": numeric(ensemble.RandomForestClassifier(8), CLASSES),
    "RandomForest, two": numeric(ensemble.RandomForestClassifier(8), BOTH),
    "RandomForest, strings": numeric(ensemble.RandomForestClassifier(8), NAMES),
    "RandomForestRegressor": numeric(ensemble.RandomForestRegressor(8), Y),
    "ExtraTrees": numeric(ensemble.ExtraTreesClassifier(8), CLASSES),
    "GradientBoosting": numeric(ensemble.GradientBoostingClassifier(n_estimators=8), CLASSES),
    "GradientBoosting, two": numeric(ensemble.GradientBoostingClassifier(n_estimators=8), BOTH),
    "GradientBoostingRegressor": numeric(ensemble.GradientBoostingRegressor(n_estimators=8), Y),
    "AdaBoost": numeric(ensemble.AdaBoostClassifier(n_estimators=5), CLASSES),
    "Bagging": numeric(ensemble.BaggingClassifier(n_estimators=4), CLASSES),
    "Stacking": numeric(
        ensemble.StackingClassifier(
            [("a", linear_model.LogisticRegression()), ("b", tree.DecisionTreeClassifier(max_depth=3))]
        ),
        CLASSES,
    ),
    "SVC": numeric(svm.SVC(), CLASSES),
    "SVC, probability": numeric(svm.SVC(probability=True, random_state=0), CLASSES),
    "SVC, probability, two": numeric(svm.SVC(probability=True, random_state=0), BOTH),
    "SVC, probability, strings": numeric(svm.SVC(probability=True, random_state=0), NAMES),
    "NuSVC": numeric(svm.NuSVC(probability=True, nu=0.3, random_state=0), CLASSES),
    "LinearSVC": numeric(svm.LinearSVC(), CLASSES),
    "SVR": numeric(svm.SVR(), Y),
    "OneClassSVM": numeric(svm.OneClassSVM()),
    "KNeighbors": numeric(neighbors.KNeighborsClassifier(), CLASSES),
    "KNeighbors, strings": numeric(neighbors.KNeighborsClassifier(), NAMES),
    "KNeighborsRegressor": numeric(neighbors.KNeighborsRegressor(), Y),
    "GaussianNB": numeric(naive_bayes.GaussianNB(), CLASSES),
    "GaussianNB, strings": numeric(naive_bayes.GaussianNB(), NAMES),
    "MultinomialNB": numeric(naive_bayes.MultinomialNB(), CLASSES, np.abs(X)),
    "BernoulliNB": numeric(naive_bayes.BernoulliNB(), CLASSES),
    "MLP": numeric(neural_network.MLPClassifier((8,), max_iter=30), CLASSES),
    "MLP, strings": numeric(neural_network.MLPClassifier((8,), max_iter=30), NAMES),
    "MLPRegressor": numeric(neural_network.MLPRegressor(hidden_layer_sizes=(8,), max_iter=30), Y),
    "LinearDiscriminant": numeric(discriminant_analysis.LinearDiscriminantAnalysis(), CLASSES),
    "QuadraticDiscriminant": numeric(discriminant_analysis.QuadraticDiscriminantAnalysis(), CLASSES),
    "CalibratedClassifier": numeric(
        calibration.CalibratedClassifierCV(linear_model.LogisticRegression(), cv=2), CLASSES
    ),
    "GaussianProcessRegressor": numeric(gaussian_process.GaussianProcessRegressor(), Y),
    "GaussianProcessClassifier": gaussian("float32"),
    "GaussianProcessClassifier, float64": gaussian("float64"),
    "IsolationForest": numeric(ensemble.IsolationForest(n_estimators=5), opset={"": 18, "ai.onnx.ml": 3}),
    "LocalOutlierFactor": numeric(neighbors.LocalOutlierFactor(novelty=True)),
    "KMeans": numeric(cluster.KMeans(3, n_init=1)),
    "PCA": numeric(decomposition.PCA(2)),
    "TruncatedSVD": numeric(decomposition.TruncatedSVD(2)),
    "StandardScaler": numeric(preprocessing.StandardScaler()),
    "MinMaxScaler": numeric(preprocessing.MinMaxScaler()),
    "RobustScaler": numeric(preprocessing.RobustScaler()),
    "Normalizer": numeric(preprocessing.Normalizer()),
    "Binarizer": numeric(preprocessing.Binarizer()),
    "KBinsDiscretizer": numeric(preprocessing.KBinsDiscretizer(3, encode="ordinal")),
    "PolynomialFeatures": numeric(preprocessing.PolynomialFeatures()),
    "PowerTransformer": numeric(preprocessing.PowerTransformer()),
    "QuantileTransformer": numeric(preprocessing.QuantileTransformer(n_quantiles=10)),
    "SelectKBest": numeric(feature_selection.SelectKBest(k=2), CLASSES),
    "SimpleImputer": numeric(impute.SimpleImputer(), x=HOLED),
    "SimpleImputer, strings": strings(impute.SimpleImputer(strategy="most_frequent", missing_values=""), COLOURS),
    "KNNImputer": numeric(impute.KNNImputer(), x=HOLED),
    "OneHotEncoder": strings(preprocessing.OneHotEncoder(), COLOURS),
    "OrdinalEncoder": strings(preprocessing.OrdinalEncoder(), COLOURS),
    "TargetEncoder": strings(preprocessing.TargetEncoder(cv=2), COLOURS, BOTH),
    "LabelEncoder": labels(preprocessing.LabelEncoder(), NAMES),
    "LabelEncoder, integers": labels(preprocessing.LabelEncoder(), CLASSES * 3),
    "LabelBinarizer": labels(preprocessing.LabelBinarizer(), CLASSES),
    "CountVectorizer": texts(feature_extraction.text.CountVectorizer()),
    "CountVectorizer, pairs": texts(feature_extraction.text.CountVectorizer(ngram_range=(1, 2))),
    "TfidfVectorizer": texts(feature_extraction.text.TfidfVectorizer()),
    "TfidfVectorizer, classified": texts(
        make_pipeline(feature_extraction.text.TfidfVectorizer(), linear_model.LogisticRegression()), LABELS
    ),
    "ColumnTransformer": columns(linear_model.LogisticRegression(), BOTH),
    "ColumnTransformer, forest": columns(ensemble.RandomForestClassifier(8), NAMES),
    "XGBoost": boosted("xgboost"),
    "LightGBM": boosted("lightgbm"),
}  # fmt: skip
