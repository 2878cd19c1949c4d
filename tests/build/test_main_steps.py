"""The steps of `main` that can be left out by name: memory between kernels, and caches in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import tvmfuse
from tvmfuse.errors import ConfigurationError
from tvmfuse.runtime.frame import Frame

ROWS = np.arange(12, dtype=np.float32).reshape(3, 4)


def summed() -> onnx.ModelProto:
    """Four sums in a row, each a kernel; three lie between kernels."""
    nodes = [helper.make_node("CumSum", [f"x{n}", "axis"], [f"x{n + 1}"]) for n in range(4)]
    given, result = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", 4]) for name in ("x0", "x4")
    )
    axis = helper.make_tensor("axis", TensorProto.INT64, [], [0])
    graph = helper.make_graph(nodes, "summed", [given], [result], [axis])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])


def cache() -> onnx.ModelProto:
    """A cache of 8 rows, of which a call writes one."""
    types = {"cache": ("float32", [8, 4]), "at": ("int64", [1, 1]), "row": ("float32", [1, 4])}
    given = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(d)), sizes)
        for name, (d, sizes) in types.items()
    ]
    result = helper.make_tensor_value_info("new", TensorProto.FLOAT, [8, 4])
    node = helper.make_node("ScatterND", [*types], ["new"])
    graph = helper.make_graph([node], "cache", given, [result])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])


def bytes_between(executable: Any) -> int:
    on_cpu = executable.on_cpu
    frame = Frame(on_cpu.functions, executable.manifest, on_cpu.weights, share=False)
    return frame.bytes_between([ROWS.shape]) or 0


@pytest.mark.parametrize(("off", "tensors"), [((), 2), ("MemoryReuse", 3), ("arena", 3)])
def test_without_reuse_each_tensor_has_memory_of_its_own(off: Any, tensors: int) -> None:
    artifact = tvmfuse.compile(summed(), "avx2", disabled_step=off)
    executable = artifact.load(num_threads=1)
    assert bytes_between(executable) == tensors * 64
    expected = ROWS
    for _ in range(4):
        expected = expected.cumsum(axis=0, dtype=np.float32)
    assert np.array_equal(executable({"x0": ROWS})["x4"], expected)


def test_no_kernel_changes_without_them() -> None:
    artifacts = [
        tvmfuse.compile(summed(), "avx2", disabled_step=off)
        for off in ((), ("MemoryReuse", "CachesInPlace"))
    ]
    assert artifacts[0].launches == artifacts[1].launches
    assert artifacts[1].manifest.steps_disabled == ("MemoryReuse", "CachesInPlace")


def test_without_caches_in_place_there_is_no_second_form() -> None:
    feeds = {
        "cache": np.zeros((8, 4), np.float32),
        "at": np.array([[2]]),
        "row": np.ones((1, 4), np.float32),
    }
    whole, without = (
        tvmfuse.compile(cache(), "avx2", disabled_step=off).load(num_threads=1)
        for off in ((), "CachesInPlace")
    )
    assert whole.manifest.shared == {"new": "cache"}
    assert without.manifest.shared == {}
    with pytest.raises(ConfigurationError, match="share: no output of cache can take the memory"):
        without.call(feeds, share=True)
    (new,) = without.call(feeds)
    assert new[2].tolist() == [1, 1, 1, 1]
    assert not feeds["cache"].any()
