"""Range and Split of symbolic sizes: as many numbers, and as long parts, as the sizes say."""

from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError


def fed(rows: int) -> dict[str, np.ndarray]:
    return {"x": np.arange(4 * rows, dtype="float32").reshape(rows, 4)}


def counting(start: float, step: float) -> onnx.ModelProto:
    """Count in floats from a number up to the number of rows, or down from there."""
    ends = ["size", "start"] if step < 0 else ["start", "size"]
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"], start=0, end=1),
        helper.make_node("Squeeze", ["shape"], ["rows"]),
        helper.make_node("Cast", ["rows"], ["size"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Range", [*ends, "step"], ["y"]),
    ]
    numbers = {"start": np.array(start, "float32"), "step": np.array(step, "float32")}
    return onnx_model(nodes, {"x": ("float32", ["n", 4])}, {"y": "float32"}, numbers, opset=17)


@pytest.mark.parametrize(
    ("start", "step", "count"),
    [
        (0, 1, "n"),
        (0, 2, "(n + 1)//2"),
        (2, -1, "max(n - 2, 0)"),
        (0.5, 1, None),  # found as it runs
        (1, 0.5, None),
        (1, -0.25, None),
    ],
)
def test_floats(start: float, step: float, count: str | None) -> None:
    model = counting(start, step)
    artifact = tvmfuse.compile(model)
    if count is not None:
        assert artifact.manifest.outputs[0].shape == (count,)
    run = artifact.load(num_threads=1)
    for rows in (0, 1, 2, 7, 40):
        assert_agrees(run(fed(rows)), reference(model, fed(rows)))


@pytest.mark.parametrize(
    ("bounds", "step", "count"),
    [
        (["zero", "rows"], "columns", "(n - 1)//c + 1"),
        (["rows", "zero"], "back", "(n - 1)//c + 1"),
        (["zero", "rows"], "either", None),  # counts up or down: found as it runs
    ],
)
def test_steps_of_a_symbolic_size(bounds: list[str], step: str, count: str | None) -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Gather", ["shape", "zero"], ["rows"]),
        helper.make_node("Gather", ["shape", "one"], ["columns"]),
        helper.make_node("Neg", ["columns"], ["back"]),
        helper.make_node("Sub", ["columns", "four"], ["either"]),
        helper.make_node("Range", [*bounds, step], ["y"]),
    ]
    numbers = {"zero": np.array(0), "one": np.array(1), "four": np.array(4)}
    model = onnx_model(nodes, {"x": ("float32", ["n", "c"])}, {"y": "int64"}, numbers)
    artifact = tvmfuse.compile(model)
    if count is not None:
        assert artifact.manifest.outputs[0].shape == (count,)
    run = artifact.load(num_threads=1)
    for shape in ((0, 1), (1, 1), (7, 2), (7, 3), (3, 5), (40, 7)):
        feeds = {"x": np.zeros(shape, "float32")}
        assert_agrees(run(feeds), reference(model, feeds))
    with pytest.raises(InputError):
        run({"x": np.zeros((3, 4 if step == "either" else 0), "float32")})


def splitting(parts: int, opset: int) -> onnx.ModelProto:
    names = [f"y{nth}" for nth in range(parts)]
    said: dict[str, Any] = {"num_outputs": parts} if opset >= 18 else {}
    node = helper.make_node("Split", ["x"], names, axis=0, **said)
    return onnx_model(
        [node], {"x": ("float32", ["n", 4])}, dict.fromkeys(names, "float32"), opset=opset
    )


@pytest.mark.parametrize("parts", [1, 2, 3, 5])
def test_equal_parts(parts: int) -> None:
    """Of what is no multiple, there are none."""
    model = splitting(parts, 13)
    artifact = tvmfuse.compile(model)
    each = f"n//{parts}" if parts > 1 else "n"
    assert {output.shape for output in artifact.manifest.outputs} == {(each, 4)}
    run = artifact.load(num_threads=1)
    for rows in (0, parts, 4 * parts):
        assert_agrees(run(fed(rows)), reference(model, fed(rows)))
    if parts > 1:
        with pytest.raises(InputError, match="asks for a shape that it cannot have"):
            run(fed(parts + 1))


@pytest.mark.parametrize("parts", [1, 2, 3, 5])
def test_parts_of_which_the_last_is_smaller(parts: int) -> None:
    """Of few rows the last parts have none, which onnxruntime refuses."""
    model = splitting(parts, 18)
    run = tvmfuse.compile(model).load(num_threads=1)
    for rows in (parts, 3 * parts - 1, 3 * parts, 20):
        assert_agrees(run(fed(rows)), reference(model, fed(rows)))
    for rows in range(parts):
        found = list(run(fed(rows)).values())
        np.testing.assert_array_equal(np.concatenate(found), fed(rows)["x"])
        assert [len(part) for part in found] == [1] * rows + [0] * (parts - rows)
