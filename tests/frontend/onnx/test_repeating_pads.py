"""Pad in the modes that repeat elements, of any size: numpy's numbers, and how much is asked for."""

from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.errors import InputError, UnsupportedModelError
from tvmfuse.frontend.onnx import import_model
from tvmfuse.ir.kernels import kernel_calls
from tvmfuse.ops.lowering.lower import lower
from tvmfuse.target.machine import AVX2, AVX512

NEEDED = {"edge": 1, "wrap": 3, "reflect": 4}
MODES = pytest.mark.parametrize("mode", list(NEEDED))


def padded(
    mode: str, shape: list[Any], pads: tuple[int, ...], dtype: str = "float32", opset: int = 19
) -> Any:
    """Return a model that pads."""
    node = helper.make_node("Pad", ["x", "p"], ["y"], "p", mode=mode)
    return onnx_model(
        [node], {"x": (dtype, shape)}, {"y": dtype}, {"p": np.array(pads)}, opset=opset
    )


@MODES
@pytest.mark.parametrize("level", ["none", "all"])
@pytest.mark.parametrize("dtype", ["float32", "int8"])
@pytest.mark.sampled(4)
def test_images_of_any_size(mode: str, level: str, dtype: str) -> None:
    """One artifact for all of them; lines of one vector and of several, and what is short."""
    model = padded(mode, ["n", 2, "h", "w"], (0, 0, 2, 1, 0, 0, 0, 3), dtype)
    artifact = tvmfuse.compile(model, level=level)
    assert artifact.manifest.outputs[0].shape == ("n", 2, "h + 2", "w + 4")
    run, rng = artifact.load(num_threads=1), np.random.default_rng(0)
    for n, h, w in ((1, 3, 4), (2, 5, 17), (1, 40, 33), (0, 3, 4), (3, 4, 8)):
        x = (100 * rng.standard_normal((n, 2, h, w))).astype(dtype)
        expected = np.pad(x, ((0, 0), (0, 0), (2, 0), (1, 3)), mode)  # type: ignore[call-overload]
        np.testing.assert_array_equal(run({"x": x})["y"], expected)


@pytest.mark.parametrize("size", [3, "n"])
def test_many_axes(size: Any) -> None:
    """Each would read in three times as many places: of six axes 729, which took minutes."""
    names = [size if isinstance(size, int) else f"{size}{axis}" for axis in range(6)]
    model = padded("reflect", names, (1,) * 6 + (2,) * 6)
    assert len(kernel_calls(lower(import_model(model).module).module)) == 2
    x = np.random.default_rng(0).standard_normal((3,) * 6, "float32")
    found = tvmfuse.compile(model).load(num_threads=1)({"x": x})["y"]
    np.testing.assert_array_equal(found, np.pad(x, [(1, 2)] * 6, "reflect"))


@MODES
def test_sizes_that_are_computed(mode: str) -> None:
    """Of twice as many rows, half as many are asked for."""
    nodes = [
        helper.make_node("Concat", ["x", "x"], ["both"], axis=0),
        helper.make_node("Pad", ["both", "p"], ["y"], mode=mode),
    ]
    pads = {"p": np.array([3, 0, 0, 0])}
    model = onnx_model(nodes, {"x": ("float32", ["n", 2])}, {"y": "float32"}, pads, opset=19)
    run = tvmfuse.compile(model).load(num_threads=1)
    x = np.arange(10, dtype="float32").reshape(5, 2)
    twice = np.concatenate([x, x])
    expected = np.pad(twice, ((3, 0), (0, 0)), mode)  # type: ignore[call-overload]
    np.testing.assert_array_equal(run({"x": x})["y"], expected)
    least = -(-NEEDED[mode] // 2)
    with pytest.raises(InputError, match=f"the model takes at least {least} for 'n'"):
        run({"x": x[: least - 1]})


@MODES
def test_products_of_two_sizes(mode: str) -> None:
    """No one size has to be so large: it is looked at as the model runs."""
    nodes = [
        helper.make_node("Reshape", ["x", "flat"], ["line"]),
        helper.make_node("Pad", ["line", "p"], ["y"], mode=mode),
    ]
    constants = {"flat": np.array([-1]), "p": np.array([2, 3])}
    model = onnx_model(nodes, {"x": ("float32", ["h", "w"])}, {"y": "float32"}, constants, opset=19)
    run = tvmfuse.compile(model).load(num_threads=1)
    for shape in ((2, 3), (1, 9), (4, 1)):
        x = np.random.default_rng(0).standard_normal(shape, "float32")
        expected = np.pad(x.ravel(), (2, 3), mode)  # type: ignore[call-overload]
        np.testing.assert_array_equal(run({"x": x})["y"], expected)
    with pytest.raises(tvmfuse.TvmfuseError):
        run({"x": np.zeros((0, 3), "float32")})


@MODES
def test_too_few_elements_are_told(mode: str) -> None:
    needed = NEEDED[mode]
    run = tvmfuse.compile(padded(mode, [2, "w"], (0, 0, 0, 3))).load(num_threads=1)
    with pytest.raises(InputError, match=f"the model takes at least {needed} for 'w'"):
        run({"x": np.zeros((2, needed - 1), "float32")})
    assert run({"x": np.zeros((2, needed), "float32")})["y"].shape == (2, needed + 3)
    words = f"{mode} padding by 3 of {needed - 1} elements"
    with pytest.raises(UnsupportedModelError, match=words):
        tvmfuse.compile(padded(mode, [2, needed - 1], (0, 0, 0, 3)))


@MODES
@pytest.mark.parametrize("machine", [AVX2, AVX512], ids=["avx2", "avx512"])
@pytest.mark.parametrize("shape", [["n", 2, "h", "w"], [1, 2, 40, 50]], ids=["any size", "known"])
@pytest.mark.sampled(4)
def test_lines_are_cut_where_a_branch_changes(mode: str, machine: Any, shape: list[Any]) -> None:
    """TVM's choices within an address took 2.5 to 6 times as long where sizes are symbolic."""
    model = padded(mode, shape, (0, 0, 1, 1, 0, 0, 1, 1))
    artifact = tvmfuse.compile(model, target=machine.target)
    (kernel,) = artifact.manifest.kernels
    lanes = [nest["lanes"] for nest in kernel.plan["nests"]]
    assert len(lanes) >= 3, "both ends, and all between"
    assert max(lanes) == machine.isa.float_lanes
