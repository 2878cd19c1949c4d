"""build.large_pages: memory of megabytes in pages of megabytes, asked for once in each run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from bytecode_calls import calls
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.build.native import SIZED_TENSOR, TENSOR

MB = 1 << 20
FLOATS = MB // 4

#: Linux says whether it has large pages, and of each piece of memory whether they were asked for.
HUGE = Path("/sys/kernel/mm/transparent_hugepage/enabled")
ASKED = "hg"


def chain(*shape: int | str, length: int = 1) -> onnx.ModelProto:
    """Add up again and again, so that no two are fused."""
    nodes = [
        helper.make_node("CumSum", [f"v{i}", "axis"], [f"v{i + 1}"], reverse=i % 2)
        for i in range(length)
    ]
    constants = {"axis": np.array(0)}
    return onnx_model(nodes, {"v0": ("float32", shape)}, {f"v{length}": "float32"}, constants)


def flags(address: int) -> Sequence[str]:
    """Return the kernel's flags of the memory at an address."""
    found, inside = list[str](), False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if bounds := re.match(r"([0-9a-f]+)-([0-9a-f]+) ", line):
            begin, end = (int(bound, 16) for bound in bounds.groups())
            inside = begin <= address < end
        elif inside and line.startswith("VmFlags:"):
            found = line.split()[1:]
    return found


@pytest.mark.parametrize(
    ("shape", "asked"),
    [
        ((4 * FLOATS // 64, 64), 1),
        ((4 * FLOATS // 64 - 1, 64), 0),
        ((2, 3), 0),
    ],
)
def test_a_large_tensor(shape: tuple[Any, ...], asked: int) -> None:
    found = calls(tvmfuse.compile(chain(*shape), target="avx2"))
    assert (found[TENSOR], found["alloc_tensor"]) == (asked, 1 - asked)


@pytest.mark.parametrize(("length", "by"), [(1, SIZED_TENSOR), (2, TENSOR)])
def test_tensors_of_unknown_size(length: int, by: str) -> None:
    found = calls(tvmfuse.compile(chain("n", 64, length=length), target="avx2"))
    assert found[by] >= length


def test_memory_that_several_tensors_share_is_asked_for_once() -> None:
    found = calls(tvmfuse.compile(chain(8 * FLOATS, length=9), target="avx2"))
    assert found[TENSOR] == found["alloc_storage"] < 9
    assert found["alloc_tensor"] > 0


@pytest.mark.skipif(not HUGE.exists(), reason="this kernel has no large pages")
@pytest.mark.parametrize("shape", [(8 * FLOATS // 64, 64), ("n", 64)])
def test_the_pages_are_large(shape: tuple[Any, ...]) -> None:
    model = chain(*shape)
    x = np.random.default_rng(0).standard_normal((8 * FLOATS // 64, 64), "float32")
    run = tvmfuse.compile(model).load()
    y = run(v0=x)["v1"]
    assert_agrees({"v1": y}, reference(model, {"v0": x}))
    assert ASKED in flags(y.ctypes.data + 4 * MB)
    small = tvmfuse.compile(chain("n", 64)).load()(v0=x[:16])["v1"]
    assert ASKED not in flags(small.ctypes.data)


def test_what_kernels_write_is_shown_where_tensors_are_large() -> None:
    model = chain(4 * FLOATS, length=2)
    artifact = tvmfuse.compile(model)
    x, seen = np.ones(4 * FLOATS, "float32"), dict[int, np.ndarray]()

    def show(place: int, written: Sequence[np.ndarray]) -> None:
        seen[place] = written[0].copy()

    run = artifact.load()
    run.watch({"v0": x}, show)
    assert len(seen) == len(artifact.manifest.kernels)
    np.testing.assert_array_equal(seen[len(seen) - 1], run(v0=x)["v2"])
