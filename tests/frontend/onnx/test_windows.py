"""Windows and the sizes they take: what does not fit is refused, at import or before it runs."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError, ModelError
from tvmfuse.frontend.onnx import import_model

node = helper.make_node
Y = {"y": "float32"}
POOLS = ["MaxPool", "AveragePool", "LpPool"]


def image(
    *nodes: onnx.NodeProto, shape: Any = (1, 1, "h", "w"), constants: Any = None
) -> onnx.ModelProto:
    return onnx_model(list(nodes), {"x": ("float32", shape)}, Y, constants)


def pool(op: str = "MaxPool", size: int = 3, **attributes: Any) -> onnx.NodeProto:
    return node(op, ["x"], ["y"], name="the pool", kernel_shape=[size, size], **attributes)


def min_sizes(model: onnx.ModelProto) -> tuple[int, ...]:
    return import_model(model).inputs[0].min_sizes


@pytest.mark.parametrize("op", POOLS)
def test_a_window_that_is_one_too_large_gives_nothing(agrees: Any, op: str) -> None:
    agrees(image(pool(op, 5), shape=(1, 1, 4, 4)), {"x": np.ones((1, 1, 4, 4), "float32")})


@pytest.mark.parametrize("op", POOLS)
def test_a_larger_window_is_refused(op: str) -> None:
    with pytest.raises(ModelError, match="the pool.*its windows of 6 taps do not fit"):
        import_model(image(pool(op, 6), shape=(1, 1, 4, 4)))


def test_padding_and_dilation_count() -> None:
    padded = pool(size=7, pads=[2, 2, 2, 2])
    assert import_model(image(padded, shape=(1, 1, 4, 4))).outputs[0].shape == (1, 1, 2, 2)
    with pytest.raises(ModelError, match="the pool"):
        import_model(image(pool(size=3, dilations=[3, 3]), shape=(1, 1, 4, 4)))


@pytest.mark.parametrize("size", [5, 9])
def test_a_kernel_that_does_not_fit_is_refused(size: int) -> None:
    conv = node("Conv", ["x", "w"], ["y"], name="the conv")
    with pytest.raises(ModelError, match=f"the conv.*spans {size} of 4 elements"):
        import_model(
            image(conv, shape=(1, 1, 4, 4), constants={"w": np.ones((1, 1, size, size), "float32")})
        )


@pytest.mark.parametrize(
    ("attributes", "smallest"),
    [
        ({}, (0, 0, 2, 2)),
        ({"strides": [2, 1]}, (0, 0, 1, 2)),
        ({"pads": [1, 0, 1, 0]}, (0, 0, 0, 2)),
        ({"pads": [1, 1, 1, 1]}, ()),
        ({"auto_pad": "SAME_UPPER"}, ()),
        ({"dilations": [1, 3]}, (0, 0, 2, 6)),
    ],
    ids=str,
)
def test_the_smallest_size_of_a_symbol(attributes: Any, smallest: Any) -> None:
    assert min_sizes(image(pool(**attributes))) == smallest


def test_the_smallest_size_of_windows_in_a_row() -> None:
    nodes = [node("MaxPool", ["xab"[i]], ["aby"[i]], kernel_shape=[3, 3]) for i in range(3)]
    assert min_sizes(image(*nodes)) == (0, 0, 6, 6)


def test_what_is_cut_off_has_to_be_there() -> None:
    model = image(
        node("Pad", ["x", "p"], ["y"]), shape=("n", 2), constants={"p": np.array([-1, 0, -2, 0])}
    )
    assert min_sizes(model) == (3, 0)


def test_a_window_in_a_branch_asks_for_nothing() -> None:
    def branch(op: str, **attributes: Any) -> onnx.GraphProto:
        value = helper.make_tensor_value_info("r", 1, None)
        return helper.make_graph([node(op, ["x"], ["r"], **attributes)], "branch", [], [value])

    choice = node(
        "If",
        ["c"],
        ["y"],
        then_branch=branch("MaxPool", kernel_shape=[3, 3]),
        else_branch=branch("Exp"),
    )
    model = image(choice)
    model.graph.input.append(helper.make_tensor_value_info("c", onnx.TensorProto.BOOL, []))
    assert min_sizes(model) == ()


@pytest.mark.parametrize("level", ["none", "all"])
def test_too_small_a_size_is_an_error_before_anything_runs(level: str, tmp_path: Path) -> None:
    nodes = [node("MaxPool", ["x"], ["p"], kernel_shape=[4, 4]), node("ReduceSum", ["p"], ["y"])]
    model = image(*nodes)
    tvmfuse.compile(model, level=level, save_optimized=tmp_path / "m.graph").save(tmp_path / "m.so")
    for run in (tvmfuse.load(tmp_path / "m.so"), tvmfuse.compile(tmp_path / "m.graph").load()):
        for rows in (0, 1, 2):
            with pytest.raises(
                InputError, match=f"'x'.*dimension 2 is {rows}, and the model takes at least 3"
            ):
                run(x=np.ones((1, 1, rows, 5), "float32"))
        for rows in (3, 4, 7):
            feeds = {"x": np.ones((1, 1, rows, 5), "float32")}
            assert_agrees(run(feeds), reference(model, feeds))
