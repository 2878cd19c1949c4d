"""Initializers that are no tensors are refused in words."""

from typing import Any

import onnx
import pytest
from graphs import onnx_model
from malformed import X, Y, node, refused
from onnx import TensorProto

from tvmfuse.errors import ModelError


def weights(**fields: Any) -> onnx.ModelProto:
    model = onnx_model([node("Add", ["x", "w"], ["y"], name="n")], X, Y)
    given: dict[str, Any] = {"name": "w", "dims": [3], "data_type": 1, "raw_data": bytes(12)}
    model.graph.initializer.append(TensorProto(**given | fields))
    return model


@pytest.mark.parametrize(
    "fields",
    [
        {"raw_data": bytes(8)}, {"raw_data": bytes(11)}, {"raw_data": bytes(16)}, {"dims": [-3]},
        {"dims": [2**40, 2**40]},
        {"dims": [4]}, {"dims": [2, 4]}, {"data_type": 0}, {"data_type": 99}, {"data_type": 7},
        {"float_data": [1, 2, 3]},
        {"raw_data": b"", "float_data": [1, 2]}, {"raw_data": b""},
    ],
    ids=str,
)  # fmt: skip
def test_weights_that_are_no_tensor(fields: Any) -> None:
    refused(weights(**fields), kind=ModelError)


def test_large_weights_that_are_no_tensor() -> None:
    refused(weights(dims=[1000, 2, 3], raw_data=bytes(4000)), "'w'")
