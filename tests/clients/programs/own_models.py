"""Write what a package runs, with seeded random weights: `own_models.py PACKAGE FOLDER`."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from samples import SQUARE, found, scene

WORDS = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]"),
    *"the cat dog sat on mat ran fast sky is very good hello world how are you".split(),
]


def export(
    model: torch.nn.Module, inputs: dict[str, torch.Tensor], file: Path, **kinds: Any
) -> None:
    """Write a model as torch does by default."""
    torch.onnx.export(
        model.eval(), kwargs=inputs, f=file, input_names=[*inputs], verbose=False,
        external_data=False, **kinds,
    )  # fmt: skip


def detectors(folder: Path) -> None:
    """Write YOLO's networks for boxes, boxes without NMS, and masks, as ultralytics does.

    Their norms get the statistics of the picture that they are shown: else all scores are alike.
    """
    import torchvision_stub  # noqa: F401
    from ultralytics import YOLO

    pixels = np.asarray(scene(SQUARE).resize((160, 160)), np.float32).transpose(2, 0, 1) / 255
    shown = torch.from_numpy(np.stack([pixels, pixels[:, ::-1]]))
    for name, spread, options in (
        ("yolov8n", 0.04, {}),
        ("yolo26n", 0.01, {"nms": False}),
        ("yolov8n-seg", 0.04, {"dynamic": True}),
    ):
        torch.manual_seed(0)
        made = YOLO(f"{name}.yaml")
        for part in made.model.modules():
            if isinstance(part, torch.nn.BatchNorm2d):
                part.momentum = 1.0
            elif isinstance(part, torch.nn.Conv2d) and part.bias is not None:  # the last ones
                torch.nn.init.normal_(part.weight, std=spread)
                torch.nn.init.normal_(part.bias, std=spread)
        with torch.no_grad():
            made.model.train()(shown)
        written = Path(made.export(format="onnx", imgsz=160, simplify=False, **options))
        written.rename(folder / f"{name}.onnx")


def encoder(folder: Path) -> None:
    """Write a tiny BERT and a tokenizer, as fastembed finds them in a folder."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    tokens = Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]"))
    tokens.pre_tokenizer = pre_tokenizers.Whitespace()
    tokens.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokens.save(str(folder / "tokenizer.json"))
    about = {"model_max_length": 64, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(about))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=64,
    )  # fmt: skip
    names = ("input_ids", "attention_mask", "token_type_ids")
    sizes = {0: torch.export.Dim("batch"), 1: torch.export.Dim("words")}
    export(
        BertModel(config, add_pooling_layer=False),
        {name: torch.ones(2, 8, dtype=torch.long) for name in names},
        folder / "model.onnx",
        output_names=["last_hidden_state"],
        dynamic_shapes=dict.fromkeys(names, sizes),
    )


def classifier(folder: Path) -> None:
    """Write a small convolutional network for any number of pictures."""
    torch.manual_seed(0)
    layers = torch.nn.Sequential(
        torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.BatchNorm2d(16), torch.nn.ReLU(),
        torch.nn.MaxPool2d(2), torch.nn.Conv2d(16, 32, 3), torch.nn.SiLU(),
        torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(32, 10),
        torch.nn.Softmax(-1),
    )  # fmt: skip
    export(
        layers, {"input": torch.zeros(2, 3, 32, 32)}, folder / "model.onnx",
        output_names=["scores"], dynamic_shapes={"input": {0: torch.export.Dim("batch")}},
    )  # fmt: skip


def estimators(folder: Path) -> None:
    """Write two classifiers of scikit-learn: of numbers, and of numbers and words."""
    import pandas
    from skl2onnx import convert_sklearn
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    random = np.random.default_rng(0)
    table = pandas.DataFrame({
        "size": random.normal(size=200),
        "age": random.normal(size=200),
        "town": random.choice(["Bern", "Oslo", "Rome"], 200),
    })  # fmt: skip
    labels = np.where(table["size"] + (table["town"] == "Oslo") > 0.3, "yes", "no")
    split = make_column_transformer(
        (StandardScaler(), ["size", "age"]), (OneHotEncoder(), ["town"])
    )
    number = FloatTensorType([None, 1])
    inputs = [("size", number), ("age", number), ("town", StringTensorType([None, 1]))]
    for name, first, columns, kinds in (
        ("numbers", StandardScaler(), ["size", "age"], [("X", FloatTensorType([None, 2]))]),
        ("words", split, [*table], inputs),
    ):
        fitted = make_pipeline(first, LogisticRegression()).fit(table[columns], labels)
        model = convert_sklearn(fitted, initial_types=kinds)
        (folder / f"{name}.onnx").write_bytes(model.SerializeToString())


MAKE: dict[str, list[Callable[[Path], None]]] = {
    "ultralytics": [detectors],
    "fastembed": [encoder],
    "mlflow": [classifier, estimators],
    "polygraphy": [classifier],
}
"""For each package, what writes its models."""

if __name__ == "__main__":
    folder = Path(sys.argv[2])
    for make in MAKE[sys.argv[1]]:
        make(folder)
    found(files=[file.name for file in folder.iterdir()])
