"""WeeNet is a valid model on which the three passes of `tvmfuse ab` have something to do."""

from __future__ import annotations

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

from tvmfuse.demo import wee_net


def test_it_is_one_valid_block() -> None:
    model = wee_net()
    onnx.checker.check_model(model, full_check=True)
    assert [node.op_type for node in model.graph.node] == ["Conv", "BatchNormalization", "Relu"]
    assert all(node.name for node in model.graph.node)


def test_it_is_seeded() -> None:
    assert wee_net().SerializeToString() == wee_net().SerializeToString()
    assert wee_net(seed=1) != wee_net()


def test_each_of_its_nodes_matters() -> None:
    """A pass that lost the batch norm or the ReLU would change the numbers far beyond 1e-4."""
    model = wee_net()
    del model.graph.output[:]
    model.graph.output.extend(
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None)
        for name in ("conv.y", "norm.y", "y")
    )
    x = np.random.default_rng(0).standard_normal((1, 3, 128, 128)).astype(np.float32)
    conv, norm, y = (np.asarray(a) for a in ReferenceEvaluator(model).run(None, {"x": x}))
    assert y.shape == (1, 64, 128, 128)
    assert np.abs(conv - norm).max() > 0.1 * np.abs(norm).max()
    assert 0.2 < np.mean(norm < 0) < 0.8
    assert np.array_equal(y, np.maximum(norm, 0))
