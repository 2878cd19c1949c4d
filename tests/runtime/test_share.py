"""Executable.call(share=True): a cache that is an input and an output stays where it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
import tvm_ffi
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import ConfigurationError, InputError
from tvmfuse.runtime.executable import Executable
from tvmfuse.tensor_spec import computed
from tvmfuse.tensors import as_array, as_tensor
from tvmfuse.views.terminal.manifest import manifest_tables

node = helper.make_node
RNG = np.random.default_rng(0)
WEIGHT = RNG.standard_normal((8, 8)).astype("float32")


def step(write: str, *, symbolic: bool) -> onnx.ModelProto:
    """Return a step of attention without a softmax, whose rows are written into a cache.

    Args:
        write: As which operator; "index_put" is what torch's exporter makes of that.
        symbolic: Whether batch, rows and capacity are.
    """
    batch, rows, capacity = ("batch", "rows", "capacity") if symbolic else (2, 3, 16)
    inputs: dict[str, Any] = {
        "x": ("float32", [batch, rows, 8]),
        "at": ("int64", [rows]),
        "past": ("float32", [batch, capacity, 8]),
    }
    nodes = [node("MatMul", ["x", "weight"], ["new"])]
    opset = 18
    if write == "ScatterND":
        nodes += [
            node("Transpose", ["past"], ["turned"], perm=[1, 0, 2]),
            node("Transpose", ["new"], ["updates"], perm=[1, 0, 2]),
            node("Unsqueeze", ["at", "last"], ["places"]),
            node("ScatterND", ["turned", "places", "updates"], ["written"]),
            node("Transpose", ["written"], ["present"], perm=[1, 0, 2]),
        ]
    elif write == "ScatterElements":
        nodes += [
            node("Unsqueeze", ["at", "around"], ["wide"]),
            node("Shape", ["new"], ["shape"]),
            node("Expand", ["wide", "shape"], ["places"]),
            node("ScatterElements", ["past", "places", "new"], ["present"], axis=1),
        ]
    else:
        opset = 24
        inputs["starts"] = ("int64", [batch])
        nodes += [node("TensorScatter", ["past", "new", "starts"], ["present"], axis=1)]
    nodes += [
        node("Transpose", ["present"], ["keys"], perm=[0, 2, 1]),
        node("MatMul", ["x", "keys"], ["scores"]),
        node("MatMul", ["scores", "present"], ["y"]),
    ]
    constants = {"weight": WEIGHT, "last": np.array([-1]), "around": np.array([0, 2])}
    return onnx_model(nodes, inputs, {"y": "float32", "present": "float32"}, constants, opset=opset)


def feeds(
    place: int, *, batch: int = 2, rows: int = 3, capacity: int = 16
) -> dict[str, np.ndarray]:
    return {
        "x": RNG.standard_normal((batch, rows, 8)).astype("float32"),
        "at": np.arange(place, place + rows),
        "past": RNG.standard_normal((batch, capacity, 8)).astype("float32"),
        "starts": np.full(batch, place),
    }


def fed(run: Executable, arrays: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Return aligned copies, in the order of the inputs."""
    return [as_array(as_tensor(arrays[spec.name].copy())) for spec in run.inputs]


WRITES = ("ScatterND", "ScatterElements", "TensorScatter")


@pytest.fixture(scope="module")
def run() -> Executable:
    return tvmfuse.compile(step("ScatterND", symbolic=True)).load()


@pytest.mark.parametrize("symbolic", [False, True])
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.sampled(3)
def test_a_loop_keeps_the_cache_where_it_is(write: str, *, symbolic: bool) -> None:
    model = step(write, symbolic=symbolic)
    network = tvmfuse.compile(model).load()
    assert network.manifest.shared == {"present": "past"}
    first = feeds(0)
    past, theirs = fed(network, first)[2], first["past"]
    address = past.ctypes.data
    for place in range(4):
        given = feeds(3 * place) | {"past": theirs}
        names = [spec.name for spec in network.inputs]
        expected = reference(model, {n: given[n] for n in names})
        tensors = {**dict(zip(names, fed(network, given), strict=True)), "past": past}
        y, present = network.call(tensors, share=True)
        assert_agrees({"y": y, "present": present}, expected)
        assert present.ctypes.data == past.ctypes.data == address
        np.testing.assert_array_equal(present, past)
        past, theirs = present, expected["present"]


def test_at_level_none_too() -> None:
    model = step("ScatterElements", symbolic=False)
    network = tvmfuse.compile(model, level="none").load()
    assert network.manifest.shared == {"present": "past"}
    given = feeds(5)
    del given["starts"]
    tensors = fed(network, given)
    outputs = network.call(tensors, share=True)
    assert_agrees(dict(zip(("y", "present"), outputs, strict=True)), reference(model, given))
    assert outputs[1].ctypes.data == tensors[2].ctypes.data


@pytest.mark.parametrize(
    "sizes", [{"batch": 1, "rows": 1}, {"rows": 0}, {"rows": 16}, {"batch": 5}]
)
def test_whatever_the_sizes(run: Executable, sizes: dict[str, int]) -> None:
    given = feeds(0, **sizes)
    expected = run(**{spec.name: given[spec.name] for spec in run.inputs})
    tensors = fed(run, given)
    y, present = run.call(tensors, share=True)
    np.testing.assert_array_equal(y, expected["y"])
    np.testing.assert_array_equal(present, expected["present"])
    assert present.ctypes.data == tensors[2].ctypes.data


def test_nothing_is_written_to_unless_it_is_asked_for(run: Executable) -> None:
    tensors = fed(run, feeds(2))
    before = tensors[2].copy()
    _, present = run.call(tensors)
    np.testing.assert_array_equal(tensors[2], before)
    assert not np.shares_memory(present, tensors[2])


def test_tensors_of_torch_and_of_tvm_stay_where_they_are(run: Executable) -> None:
    arrays = fed(run, feeds(2))
    _, expected = run.call(arrays)
    theirs = [torch.utils.dlpack.from_dlpack(as_tensor(array.copy())) for array in arrays]
    _, present = run.call(theirs, share=True)
    assert isinstance(present, torch.Tensor)
    assert present.data_ptr() == theirs[2].data_ptr()
    np.testing.assert_array_equal(present.numpy(), expected)
    ours = [as_tensor(array.copy()) for array in arrays]
    _, present = run.call(ours, share=True)
    assert isinstance(present, tvm_ffi.Tensor)
    assert present.data_ptr() == ours[2].data_ptr()
    np.testing.assert_array_equal(as_array(present), expected)


def test_what_is_copied_first_stays_as_it_is(run: Executable) -> None:
    tensors = fed(run, feeds(2))
    _, expected = run.call(tensors)
    memory = np.zeros(tensors[2].size + 1, "float32")[1:]
    tensors[2] = memory.reshape(tensors[2].shape)
    tensors[2][...] = 0
    tensors[2].flags.writeable = False
    _, present = run.call(tensors, share=True)
    assert not tensors[2].any()
    np.testing.assert_array_equal(present[:, 2:5], expected[:, 2:5])
    tensors[2] = present
    assert run.call(tensors, share=True)[1].ctypes.data == present.ctypes.data


def test_inputs_that_overlap_are_refused(run: Executable) -> None:
    given = feeds(0, rows=16)
    x, at, past = fed(run, given)
    words = "'x' and 'past' lie in the same memory, and with share=True one of them is written to"
    with pytest.raises(InputError, match=words):
        run.call([past, at, past], share=True)
    assert len(run.call([past, at, past])) == 2
    assert len(run.call([x, at, past], share=True)) == 2


def test_a_model_that_shares_nothing_says_so() -> None:
    model = onnx_model([node("Exp", ["x"], ["y"])], {"x": ("float32", [3])}, {"y": "float32"})
    network = tvmfuse.compile(model, level="none").load()
    assert network.manifest.shared == {}
    with pytest.raises(ConfigurationError, match="share: no output of graph can take the memory"):
        network.call([np.ones(3, "float32")], share=True)


def test_a_cache_that_grows_is_copied_once() -> None:
    nodes = [
        node("MatMul", ["x", "weight"], ["new"]),
        node("Concat", ["past", "new"], ["present"], axis=1, name="grow"),
        node("Transpose", ["present"], ["keys"], perm=[0, 2, 1]),
        node("MatMul", ["x", "keys"], ["scores"]),
        node("Softmax", ["scores"], ["shares"]),
        node("MatMul", ["shares", "present"], ["y"]),
    ]
    inputs = {"x": ("float32", ["batch", 1, 8]), "past": ("float32", ["batch", "length", 8])}
    results = {"y": "float32", "present": "float32"}
    manifest = tvmfuse.compile(onnx_model(nodes, inputs, results, {"weight": WEIGHT})).manifest
    assert manifest.shared == {}
    sizes = {"batch": 2, "length": 4096}
    cache = 2 * 4096 * 8 * 4  # bytes
    touched = {k.nodes: computed(k.work.nbytes, sizes) for k in manifest.kernels if k.work}
    assert len(touched) == len(manifest.kernels)
    assert [nodes for nodes, nbytes in touched.items() if nbytes > 1.9 * cache] == [("grow",)]


def test_a_file_says_and_does_it(run: Executable, tmp_path: Path) -> None:
    tvmfuse.compile(step("ScatterND", symbolic=True)).save(tmp_path / "m.so")
    said = tvmfuse.inspect(tmp_path / "m.so")
    assert said.shared == {"present": "past"}
    facts = manifest_tables(said)[0]
    cells = [str(cell) for column in facts.columns for cell in column.cells]  # type: ignore[union-attr]
    assert "present may take the memory of past" in cells
    network, tensors = tvmfuse.load(tmp_path / "m.so"), fed(run, feeds(2))
    expected = run.call(tensors)
    found = network.call(tensors, share=True)
    assert found[1].ctypes.data == tensors[2].ctypes.data
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
