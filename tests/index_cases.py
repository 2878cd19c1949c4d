"""Operators whose indices are only known at run time, and indices that reach out of their data.

onnxruntime, its optimizations off, says what is right. Where it refuses an index, tvmfuse computes
with elements of the operands and zero, or refuses it too: no other memory is read or written. That
is seen since data are whole numbers below 1,000, which what lies beside them hardly is, since
earlier results are looked at again, and since the process goes on.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import onnx
import onnxruntime
from graphs import onnx_model
from onnx import helper

import tvmfuse

Feeds = dict[str, np.ndarray]
node = helper.make_node

DATA: Final = np.arange(1, 61, dtype="float32").reshape(3, 4, 5)
ROWS: Final = ("n", 4, 5)
"""The same with a first dimension that is not known to the kernel."""

FAR: Final = (8, 16, 20, 31, 32, 33, 40, 62)
LARGEST: Final = 1000
"""No sum and no product of these cases is larger."""

KEPT: Final = 32
"""How many earlier results are looked at again."""


@dataclass(frozen=True)
class IndexCase:
    """One operator.

    Attributes:
        model: It takes the index `i` and `others`, and gives `y`.
        shape: Of the index.
        sizes: How many elements it points into; one for each number of the last axis, or for all.
        distinct: Whether those in range come in order, from the front: what is written twice is
            not defined, and some operators do not count from the back.
    """

    model: onnx.ModelProto
    shape: tuple[int, ...]
    dtype: str
    sizes: tuple[int, ...]
    others: Feeds = field(default_factory=dict)
    distinct: bool = False

    def indices(self, count: int) -> Iterator[np.ndarray]:
        """Yield indices in range and from the back; one wrong, by little and by much; all wrong."""
        rng, sizes = np.random.default_rng(count), np.array(self.sizes)
        limits = np.iinfo(self.dtype)
        far = [sign * 2**k + by for k in FAR for sign in (1, -1) for by in (-1, 0, 1)]
        near = [by for s in self.sizes for by in (s, s + 1, -s - 1, -s - 2)]
        wrong = [w for w in (*near, *far) if limits.min <= w <= limits.max]
        wrong += [limits.min, limits.max]
        for number in range(count):
            drawn = self._in_range(rng, sizes)
            if number % 4 > 1:
                drawn.reshape(-1)[rng.integers(drawn.size)] = wrong[number // 4 % len(wrong)]
            elif number % 8 == 5:
                drawn = rng.choice(wrong, self.shape)
            yield drawn.astype(self.dtype)

    def _in_range(self, rng: np.random.Generator, sizes: np.ndarray) -> np.ndarray:
        if self.distinct:
            return np.asarray(np.arange(np.prod(self.shape)).reshape(self.shape) % sizes)
        return np.asarray(rng.integers(-sizes, sizes, self.shape))


def case(
    op: str,
    shape: Sequence[int],
    sizes: Sequence[int],
    *operands: np.ndarray,
    dtype: str = "int64",
    data: Sequence[object] = DATA.shape,
    opset: int = 18,
    distinct: bool = False,
    **attributes: Any,
) -> IndexCase:
    """Return a case of `op(x, i, *operands)`, whose further operands are fed, too."""
    others = {"x": DATA, **{f"u{n}": array for n, array in enumerate(operands)}}
    inputs = {"x": ("float32", data), "i": (dtype, shape)}
    inputs |= {name: (a.dtype.name, a.shape) for name, a in others.items() if name != "x"}
    nodes = [node(op, ["x", "i", *list(others)[1:]], ["y"], **attributes)]
    model = onnx_model(nodes, inputs, {"y": "float32"}, opset=opset)
    return IndexCase(model, tuple(shape), dtype, tuple(sizes), others, distinct)


def updates(*shape: int) -> np.ndarray:
    return np.full(shape, -1, "float32")


def gathers() -> dict[str, IndexCase]:
    """Gather, GatherElements and GatherND, of fixed and of symbolic size, by both dtypes."""
    found = {}
    for data, dtype in itertools.product((DATA.shape, ROWS), ("int64", "int32")):
        own: dict[str, Any] = {"data": data, "dtype": dtype}
        of = f"{data[0]} rows, {dtype}"
        for axis, size in ((0, 3), (1, 4), (-1, 5)):
            for shape in ((), (6,), (2, 3)):
                name = f"Gather {shape} by axis {axis} of {of}"
                found[name] = case("Gather", shape, (size,), axis=axis, **own)
            if isinstance(data[0], int):
                wide = (3, 4, 7) if axis == -1 else (3, 6, 5) if axis == 1 else (6, 4, 5)
                name = f"GatherElements by axis {axis} of {of}"
                found[name] = case("GatherElements", wide, (size,), axis=axis, **own)
        if dtype == "int64":
            for depth in (1, 2, 3):
                sizes = DATA.shape[:depth]
                found[f"GatherND {depth} of {of}"] = case("GatherND", (6, depth), sizes, **own)
            if isinstance(data[0], int):
                batched = case("GatherND", (3, 2, 2), (4, 5), batch_dims=1, **own)
                found[f"GatherND in a batch of {of}"] = batched
    return found


def scatters() -> dict[str, IndexCase]:
    """ScatterElements and ScatterND, with each reduction; MaxUnpool."""
    found = {}
    for reduction in ("none", "add", "mul", "max", "min"):
        own: dict[str, Any] = {"reduction": reduction, "distinct": True}
        for axis, shape in ((0, (3, 1, 1)), (1, (1, 4, 1)), (2, (1, 1, 5))):
            found[f"ScatterElements, {reduction}, by axis {axis}"] = case(
                "ScatterElements", shape, (DATA.shape[axis],), updates(*shape), axis=axis, **own
            )
        for data in (DATA.shape, ROWS):
            found[f"ScatterND, {reduction}, of {data[0]} rows"] = case(
                "ScatterND", (3, 1), (3,), updates(3, 4, 5), data=data, **own
            )
    image = np.arange(1, 9, dtype="float32").reshape(1, 2, 2, 2)
    nodes = [node("MaxUnpool", ["x", "i"], ["y"], kernel_shape=[2, 2], strides=[2, 2])]
    inputs = {"x": ("float32", image.shape), "i": ("int64", image.shape)}
    model = onnx_model(nodes, inputs, {"y": "float32"})
    found["MaxUnpool"] = IndexCase(model, image.shape, "int64", (32,), {"x": image}, distinct=True)
    return found


def others() -> dict[str, IndexCase]:
    """OneHot, Slice, RoiAlign, a loss, and what the embedding of a transformer is fused to."""
    found = {}
    for axis, dtype in itertools.product((-1, 0), ("int64", "int32")):
        constants = {"depth": np.array(5, dtype), "values": np.array([0, 1], "float32")}
        nodes = [node("OneHot", ["i", "depth", "values"], ["y"], axis=axis)]
        model = onnx_model(nodes, {"i": (dtype, (6,))}, {"y": "float32"}, constants)
        found[f"OneHot by axis {axis} of {dtype}"] = IndexCase(model, (6,), dtype, (5,))
    for place, dtype in itertools.product((0, 1), ("int64", "int32")):
        bounds = ["i", "u"] if place == 0 else ["u", "i"]
        constants = {"u": np.array([2, 3], dtype), "axes": np.array([0, 2], dtype)}
        inputs = {"x": ("float32", DATA.shape), "i": (dtype, (2,))}
        nodes = [node("Slice", ["x", *bounds, "axes"], ["y"])]
        model = onnx_model(nodes, inputs, {"y": "float32"}, constants)
        name = f"Slice {'to' if place else 'from'} {dtype}"
        found[name] = IndexCase(model, (2,), dtype, (3, 5), {"x": DATA})
    image = np.tile(np.arange(1, 3, dtype="float32").reshape(2, 1, 1, 1), (1, 1, 4, 4))
    inputs = {"x": ("float32", image.shape), "r": ("float32", (3, 4)), "i": ("int64", (3,))}
    nodes = [node("RoiAlign", ["x", "r", "i"], ["y"], output_height=1, output_width=1)]
    regions = np.tile(np.array([1, 1, 2, 2], "float32"), (3, 1))
    model = onnx_model(nodes, inputs, {"y": "float32"})
    fed = {"x": image, "r": regions}
    found["RoiAlign"] = IndexCase(model, (3,), "int64", (2,), fed, distinct=True)
    scores = -np.arange(12, dtype="float32").reshape(3, 4)
    inputs = {"x": ("float32", (3, 4)), "i": ("int64", (3,))}
    nodes = [node("NegativeLogLikelihoodLoss", ["x", "i"], ["y"], reduction="none")]
    model = onnx_model(nodes, inputs, {"y": "float32"})
    found["NegativeLogLikelihoodLoss"] = IndexCase(model, (3,), "int64", (4,), {"x": scores})
    return found | embeddings()


def embeddings() -> dict[str, IndexCase]:
    """The sum of a word's and a type's row, whole numbers: fused where that pays."""
    words = np.arange(1, 57, dtype="float32").reshape(7, 8)
    constants = {"words": words, "types": np.arange(100, 116, dtype="float32").reshape(2, 8)}
    found = {}
    for dtype, batch in itertools.product(("int64", "int32"), ("batch", 2)):
        inputs = {"i": (dtype, (batch, 5)), "t": (dtype, (batch, 5))}
        nodes = [
            node("Gather", ["words", "i"], ["a"]),
            node("Gather", ["types", "t"], ["b"]),
            node("Add", ["a", "b"], ["y"]),
        ]
        model = onnx_model(nodes, inputs, {"y": "float32"}, constants)
        types = {"t": np.tile(np.array([0, 1, 0, 1, 1]), (2, 1)).astype(dtype)}
        found[f"embedding of {batch} by {dtype}"] = IndexCase(model, (2, 5), dtype, (7,), types)
    return found


CASES: Final = {**gathers(), **scatters(), **others()}


def check(name: str, count: int, level: str = "all") -> int:
    """Run a case with `count` indices; return how many onnxruntime computes."""
    chosen = CASES[name]
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    content = chosen.model.SerializeToString()
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    run, computed = tvmfuse.compile(chosen.model, level=level).load(), 0
    kept: deque[tuple[np.ndarray, np.ndarray]] = deque(maxlen=KEPT)
    for index in chosen.indices(count):
        feeds, expected = {**chosen.others, "i": index}, None
        with suppress(Exception):  # pybind's, of no one class: it refuses the index
            expected = session.run(None, feeds)[0]
        computed += expected is not None
        try:
            (y,) = run(feeds).values()
        except tvmfuse.TvmfuseError:
            assert expected is None, f"{name}: {index} is refused"
            continue
        if expected is not None:
            np.testing.assert_allclose(y, expected, rtol=1e-6, err_msg=f"{name}: {index}")
        else:
            own = (y == np.round(y)) & (np.abs(y) <= LARGEST)
            assert own.all(), f"{name}: {index} gave {y[~own]}"
        for array, copy in kept:
            np.testing.assert_array_equal(array, copy, err_msg=f"{name}: {index} wrote elsewhere")
        kept.append((y, y.copy()))
    return computed
