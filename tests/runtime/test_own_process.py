"""runtime.own_process: models are copied as functions are, and not pickled."""

import copy
import pickle

import numpy as np
import onnx
import pytest

import tvmfuse


def test_copies_and_pickles() -> None:
    model = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 17]> g (float[4] x) => (float[4] y) { y = Relu(x) }'
    )
    artifact = tvmfuse.compile(model)
    executable = artifact.load()
    for held in (artifact, executable):
        assert copy.copy(held) is held
        assert copy.deepcopy([held])[0] is held
        name = type(held).__name__
        with pytest.raises(TypeError, match=rf"pickle an {name}.*save the artifact, and load its"):
            pickle.dumps(held)
    found = copy.deepcopy(executable)({"x": np.array([-1, 0, 1, np.nan], "float32")})
    np.testing.assert_array_equal(found["y"], np.array([0, 0, 1, np.nan], "float32"))
