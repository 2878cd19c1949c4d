"""What a model would take on more cores than there are, from the time of its loops' pieces."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import parser

import tvmfuse
from tvmfuse.errors import ConfigurationError
from tvmfuse.measure import cores, many_cores
from tvmfuse.measure.results.cores import KernelOnCores

LAUNCHER = Path(tvmfuse.__file__).parent / "build" / "native" / "launcher.c"


@pytest.fixture(scope="module")
def model() -> onnx.ModelProto:
    """A product that runs in threads, and a sum of eight numbers that does not."""
    return parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 20]> '
        "net (float[256,256] x, float[256,256] w, float[8] s) => (float[256,256] y, float[1] t) "
        "{y = MatMul(x, w) t = ReduceSum<keepdims=1>(s)}"
    )


@pytest.mark.parametrize("threads", [1, 2, 3, 16, 64, 100])
def test_no_loop_ends_before_its_longest_piece_or_its_share_of_the_work(threads: int) -> None:
    pieces = np.random.default_rng(threads).uniform(1, 3, 64).tolist()
    found = cores.makespan(pieces, threads)
    assert found >= max(*pieces, sum(pieces) / threads) - 1e-9
    assert found <= sum(pieces) / threads + 2 * max(pieces)


def test_even_pieces_fill_the_threads_that_they_divide_among() -> None:
    assert cores.makespan([1.0] * 64, 16) == 4
    assert cores.makespan([1.0] * 64, 24) == 3
    assert cores.makespan([], 16) == 0


def test_a_thread_takes_what_is_left_of_the_others_pieces() -> None:
    assert cores.makespan([4.0, 1, 1, 1, 1, 1, 1, 1], 2) == 6


def test_loops_are_cut_as_the_launcher_cuts_them() -> None:
    said = LAUNCHER.read_text()
    for name in ("PIECES", "MOST_PIECES", "SHARES"):
        assert re.search(rf"\b{name} = {getattr(cores, name)},", said)


def test_each_kernel_says_how_it_fills_the_threads(model: onnx.ModelProto) -> None:
    found = many_cores(model, (1, 4), runs=3)
    assert found.threads == (1, 4)
    for kernel in found.kernels:
        assert kernel.on_threads[1] == pytest.approx(kernel.microseconds)
        assert kernel.on_threads[4] >= kernel.microseconds / 4 - 1e-6
    product, total = found.kernels
    assert product.pieces > 4
    assert product.efficiency(4) > total.efficiency(4)
    assert (total.pieces, total.why(4)) == (0, "no parallel loop")
    assert found.efficiency(1) == pytest.approx(1)


def test_a_model_runs_as_before_afterwards(model: onnx.ModelProto, tmp_path: Path) -> None:
    tvmfuse.compile(model).save(tmp_path / "m.so")
    executable, rng = tvmfuse.load(tmp_path / "m.so", num_threads=2), np.random.default_rng(0)
    shapes = {"x": (256, 256), "w": (256, 256), "s": (8,)}
    feeds = {name: rng.standard_normal(shape).astype("float32") for name, shape in shapes.items()}
    before = executable(feeds)
    assert many_cores(tmp_path / "m.so", (4,), inputs=feeds, runs=2).kernels
    after = executable(feeds)
    assert all(np.array_equal(before[name], after[name]) for name in before)


@pytest.mark.parametrize(
    ("serial", "pieces", "on_threads", "words"),
    [
        (0, 64, 100 / 16, ""),
        (100, 0, 100, "no parallel loop"),
        (50, 64, 53, "mostly outside of its loops"),
        (0, 8, 100 / 8, "too few pieces"),
        (0, 18, 100 / 9, "uneven pieces"),
    ],
)
def test_what_keeps_threads_idle_is_said(
    serial: float, pieces: int, on_threads: float, words: str
) -> None:
    kernel = KernelOnCores("k", ("n",), 1, 100.0, serial, pieces, 0.1, {16: on_threads})
    assert kernel.why(16) == words


@pytest.mark.parametrize("threads", [(), (0,), (4, -1)])
def test_numbers_of_threads_are_1_or_more(model: onnx.ModelProto, threads: Any) -> None:
    with pytest.raises(ConfigurationError, match="threads: expected numbers of 1 or more"):
        many_cores(model, threads)


def test_a_compiled_file_is_taken_as_it_is(model: onnx.ModelProto, tmp_path: Path) -> None:
    tvmfuse.compile(model).save(tmp_path / "m.so")
    with pytest.raises(ConfigurationError, match="asked for is another disabled_pass"):
        many_cores(tmp_path / "m.so", disabled_pass="FuseOps")
