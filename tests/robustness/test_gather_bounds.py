"""Indices that are only known at run time: negative ones count from the back, wrong ones never crash."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference
from relax_models import python, succeeds

import tvmfuse
from tvmfuse.errors import ModelError
from tvmfuse.frontend.onnx import import_model

node = helper.make_node
DATA = np.arange(60, dtype="float32").reshape(3, 4, 5)
CUBE = ("float32", (3, 4, 5))
ROWS = ("float32", ("n", 4, 5))

# Operator, attributes, the index operands, other operands (initializers), by shape of the index.
READS: dict[str, tuple[str, dict[str, Any], tuple[int, ...], tuple[tuple[int, ...], ...]]] = {
    "Gather": ("Gather", {}, (6,), ()),
    "Gather axis 2": ("Gather", {"axis": 2}, (2, 3), ()),
    "GatherElements": ("GatherElements", {"axis": 1}, (3, 6, 5), ()),
    "GatherND": ("GatherND", {}, (6, 1), ()),
    "GatherND batched": ("GatherND", {"batch_dims": 1}, (3, 2, 1), ()),
    "ScatterElements": ("ScatterElements", {"axis": 1}, (3, 2, 5), ((3, 2, 5),)),
    "ScatterND": ("ScatterND", {}, (2, 1), ((2, 4, 5),)),
}
SIZES = {
    "Gather": 3,
    "Gather axis 2": 5,
    "GatherElements": 4,
    "GatherND": 3,
    "GatherND batched": 4,
    "ScatterElements": 4,
    "ScatterND": 3,
}


def model_of(name: str, data: Any = CUBE, dtype: str = "int64") -> Any:
    op, attributes, shape, updates = READS[name]
    constants = {f"u{i}": -np.ones(s, "float32") for i, s in enumerate(updates)}
    nodes = [node(op, ["x", "i", *constants], ["y"], name="the gather", **attributes)]
    return onnx_model(nodes, {"x": data, "i": (dtype, shape)}, {"y": "float32"}, constants)


def indices(name: str, dtype: str = "int64") -> np.ndarray:
    """Distinct, so that scattering is defined, some of them negative."""
    size, shape = SIZES[name], READS[name][2]
    if name == "ScatterElements":
        return np.broadcast_to(np.array([[[1], [-1]]]), shape).astype(dtype)
    if name == "ScatterND":
        return np.array([[0], [-1]], dtype)
    return np.random.default_rng(0).integers(-size, size, shape).astype(dtype)


@pytest.mark.parametrize("data", [CUBE, ROWS], ids=["fixed", "symbolic"])
@pytest.mark.parametrize("name", READS)
def test_negative_indices_count_from_the_back(name: str, data: Any) -> None:
    model = model_of(name, data)
    feeds = {"x": DATA, "i": indices(name)}
    for level in ("none", "all"):
        assert_agrees(tvmfuse.compile(model, level=level).load()(feeds), reference(model, feeds))


def test_narrow_indices() -> None:
    for name in ("Gather", "GatherElements", "ScatterElements"):
        model = model_of(name, dtype="int32")
        feeds = {"x": DATA, "i": indices(name, "int32")}
        assert_agrees(tvmfuse.compile(model).load()(feeds), reference(model, feeds))


@pytest.mark.parametrize("name", READS)
def test_constant_indices_out_of_range_are_refused(name: str) -> None:
    model = model_of(name)
    wrong = indices(name)
    wrong.flat[0] = SIZES[name]
    del model.graph.input[1]
    model.graph.initializer.append(onnx_constant("i", wrong))
    with pytest.raises(ModelError, match="the gather"):
        import_model(model)


def onnx_constant(name: str, array: np.ndarray) -> Any:
    from onnx import numpy_helper

    return numpy_helper.from_array(array, name)


CRASH = """
import numpy as np, tvmfuse
from pathlib import Path
x = np.arange(60, dtype="float32").reshape(3, 4, 5)
for path in sorted(Path(sys.argv[1]).glob("*.so")):
    run = tvmfuse.load(path)
    spec = run.inputs[1]
    for wrong in (3, 5, -6, 100, 2**20, -(2**20), 2**31, 2**40, -(2**40), 2**62, 2**63 - 1, -(2**63)):
        print(path.name, wrong, flush=True)
        for array in (np.full(spec.shape, wrong), np.resize([0, wrong, 1], spec.shape)):
            try:
                y = run({run.inputs[0].name: x, spec.name: array.astype("int64")})["y"]
            except tvmfuse.TvmfuseError:
                continue
            # An element of x, one that was scattered, or nothing: not the neighbour's memory.
            assert np.isin(y, np.append(x, [-1, 0])).all(), (path.name, wrong, y)
print("alive")
"""


def test_wrong_indices_never_read_or_write_elsewhere(tmp_path: Path) -> None:
    for number, (name, data) in enumerate((n, d) for n in READS for d in (CUBE, ROWS)):
        tvmfuse.compile(model_of(name, data)).save(tmp_path / f"{number:02} {name}.so")
    process = python(CRASH, tmp_path)
    assert succeeds(process).endswith("alive\n"), process.stdout[-300:]


SLICE = """
import numpy as np, tvmfuse
x = np.arange(60, dtype="float32").reshape(3, 4, 5)
run = tvmfuse.load(sys.argv[1])
edges = [0, 1, 2, 3, 4, 9, -1, -3, -4, -9, 2**31, -(2**31), 2**40, 2**63 - 1, -(2**63)]
for start in edges:
    for stop in edges:
        y = run(x=x, start=np.array([start]), stop=np.array([stop]))["y"]
        np.testing.assert_array_equal(y, x[start:stop], err_msg=f"{start}:{stop}")
print("alive")
"""


def test_slices_by_any_runtime_bounds(tmp_path: Path) -> None:
    inputs = {"x": CUBE, "start": ("int64", (1,)), "stop": ("int64", (1,))}
    model = onnx_model([node("Slice", ["x", "start", "stop"], ["y"])], inputs, {"y": "float32"})
    tvmfuse.compile(model).save(tmp_path / "m.so")
    process = python(SLICE, tmp_path / "m.so")
    assert succeeds(process).endswith("alive\n"), process.stdout[-300:]


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize(
    ("start", "stop", "step"),
    [
        (-9, 9, 1),
        (9, -9, -1),
        (-1, -(2**63), -1),
        (2**63 - 1, -(2**63), -2),
        (1, 1, 1),
        (2, 1, 1),
        (-2, 2**31, 2),
    ],
)
def test_slices_by_constant_bounds(start: Any, stop: Any, step: int, axis: int) -> None:
    constants = {
        k: np.array([v])
        for k, v in {"start": start, "stop": stop, "axis": axis, "step": step}.items()
    }
    model = onnx_model(
        [node("Slice", ["x", *constants], ["y"])], {"x": ROWS}, {"y": "float32"}, constants
    )
    feeds = {"x": DATA}
    assert_agrees(tvmfuse.compile(model, level="none").load()(feeds), reference(model, feeds))
