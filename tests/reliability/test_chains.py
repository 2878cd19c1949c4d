"""Chains of nodes and operators of many tensors: compile time grows with them, and no faster."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.passes.extended.fuse_ops import LARGEST

FUNCTIONS = (
    "Acos Acosh Asin Asinh Atan Atanh Cos Cosh Erf Exp Log Sigmoid Sin Sinh Softplus Tan Tanh"
).split()
CHAINS = ["Add", "Relu", "Conv", "MatMul", *FUNCTIONS]
WIDE = ["Concat", "Split", "Sum"]

#: Of 1,000 nodes, how often as long 10,000 may take: each node as long, and a fifth for caches.
LIMIT = 12


def chain(op: str, length: int) -> onnx.ModelProto:
    """Return one operator applied to its own result so many times; some have a second operand."""
    rng = np.random.default_rng(0)
    shape = (1, 4, 6, 6) if op == "Conv" else (4, 16)
    seconds = {"Conv": (4, 4, 1, 1), "MatMul": (16, 16), "Add": (16,)}
    second = ["w"] if op in seconds else []
    weights = {"w": (0.3 * rng.standard_normal(seconds[op])).astype("float32")} if second else {}
    names = ["x", *(f"v{place}" for place in range(length - 1)), "y"]
    nodes = [
        helper.make_node(op, [read, *second], [made], name=f"{op}{place}")
        for place, (read, made) in enumerate(itertools.pairwise(names))
    ]
    return onnx_model(nodes, {"x": ("float32", shape)}, {"y": "float32"}, weights)


def wide(op: str, count: int) -> onnx.ModelProto:
    """Return one operator of so many operands, or results."""
    names = [f"a{place}" for place in range(count)]
    if op == "Split":
        node = helper.make_node(op, ["x"], names, name="split", axis=0)
        inputs: Any = {"x": ("float32", (2 * count, 3))}
        return onnx_model([node], inputs, dict.fromkeys(names, "float32"), opset=13)
    axis: dict[str, Any] = {"axis": 0} if op == "Concat" else {}
    node = helper.make_node(op, names, ["y"], name=op, **axis)
    return onnx_model([node], dict.fromkeys(names, ("float32", (2, 3))), {"y": "float32"})


def feeds_of(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """Return numbers for each input, with infinities and a NaN among them."""
    rng, feeds = np.random.default_rng(1), {}
    for value in model.graph.input:
        shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
        array = rng.uniform(-1.5, 1.5, shape).astype("float32")
        array.flat[:4] = np.inf, -np.inf, np.nan, -0.0
        feeds[value.name] = array
    return feeds


def seconds(model: onnx.ModelProto) -> float:
    """Return the CPU time that compiling takes, LLVM's threads included."""
    start = time.process_time()
    tvmfuse.compile(model, cache=False)
    return time.process_time() - start


def assert_compiles_within(limit: float, model: onnx.ModelProto) -> None:
    """Assert that compiling takes so many seconds at most, in the best of three tries.

    The processor's caches hold a model of 1,000 nodes, so that neighbours slow down larger ones.
    """
    taken = [seconds(model)]
    while taken[-1] > limit and len(taken) < 3:
        taken.append(seconds(model))
    assert min(taken) <= limit


@pytest.mark.parametrize("op", CHAINS)
@pytest.mark.sampled(4)
def test_a_chain_computes_the_same(op: str, tmp_path: Path) -> None:
    model = chain(op, 2 if op == "Tan" else 6)  # whose errors grow a hundredfold each time
    feeds = feeds_of(model)
    found = tvmfuse.compile(model, cache=tmp_path).load()(feeds)
    # Functions of functions, and so the errors of their arguments, grow where they are steep.
    assert_agrees(found, reference(model, feeds), tolerance=1e-4)


@pytest.mark.parametrize("op", WIDE)
@pytest.mark.sampled(4)
def test_many_tensors_compute_the_same(op: str, tmp_path: Path) -> None:
    model = wide(op, 70)
    feeds = feeds_of(model)
    assert_agrees(tvmfuse.compile(model, cache=tmp_path).load()(feeds), reference(model, feeds))


def test_a_longer_chain_has_no_larger_kernel() -> None:
    kernels = tvmfuse.compile(chain("Erf", 200)).manifest.kernels
    assert sorted(len(k.nodes) for k in kernels) == [200 % LARGEST, *[LARGEST] * (200 // LARGEST)]


@pytest.mark.reliability
@pytest.mark.parametrize("op", CHAINS)
def test_time_is_linear(op: str) -> None:
    seconds(chain(op, 10))  # what is imported at the first compilation
    once = min(seconds(chain(op, 1_000)) for _ in range(2))
    assert_compiles_within(LIMIT / 2 * once, chain(op, 5_000))
    assert_compiles_within(LIMIT * once, chain(op, 10_000))


@pytest.mark.reliability
@pytest.mark.parametrize("op", WIDE)
def test_thousands_of_tensors_are_linear(op: str) -> None:
    seconds(wide(op, 10))
    once = min(seconds(wide(op, 1_000)) for _ in range(2))
    assert_compiles_within(LIMIT / 2 * once, wide(op, 5_000))


@pytest.mark.reliability
def test_nodes_of_one_name_are_linear() -> None:
    def of_one_name(length: int) -> onnx.ModelProto:
        model = chain("Relu", length)
        for node in model.graph.node:
            node.name = "relu"
        return model

    once = min(seconds(of_one_name(1_000)) for _ in range(2))
    assert_compiles_within(LIMIT * once, of_one_name(10_000))
