"""build.jitted: where no linker is installed, TVM links the same code in memory."""

from __future__ import annotations

from typing import Any

import libraries
import numpy as np
import pytest
import torch
from onnx import parser

import tvmfuse
from tvmfuse.errors import IndexOutOfRangeError, InputError
from tvmfuse.runtime.executable import Executable

RNG = np.random.default_rng(0)


@pytest.fixture
def jitted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what compiles a graph without a linker."""
    monkeypatch.setattr(libraries, "folder", None)
    monkeypatch.setenv("PATH", "")

    def compiled(text: str) -> Executable:
        model = parser.parse_model(f'<ir_version: 8, opset_import: ["": 17]> g {text}')
        artifact = tvmfuse.compile(model)
        assert artifact.nbytes is None  # nothing was linked
        return artifact.load()

    return compiled


def test_numbers_of_any_sizes(jitted: Any) -> None:
    run = jitted("(float[n, 8] x) => (float[n, 8] y) { a = Softmax(x) y = Exp(a) }")
    for rows in (1, 0, 5, 300):
        x = RNG.standard_normal((rows, 8)).astype("float32")
        exp = np.exp(x)
        np.testing.assert_allclose(
            run(x=x)["y"], np.exp(exp / exp.sum(1, keepdims=True)), rtol=1e-5
        )
        (y,) = run.call([torch.from_numpy(x)])
        assert torch.equal(y, torch.from_numpy(run(x=x)["y"]))


def test_sizes_that_data_decide_and_kernels_that_are_watched(jitted: Any) -> None:
    run = jitted("(float[n] x) => (int64[1, k] y) { a = Relu(x) y = NonZero(a) }")
    x = np.array([1, -1, 0, 2], "float32")
    assert run(x=x)["y"].tolist() == [[0, 3]]
    launches = run.timed({"x": x}).launches
    assert [kernel.symbol for kernel, *_ in launches] == [k.symbol for k in run.manifest.kernels]


def test_errors_have_their_words(jitted: Any) -> None:
    run = jitted("(float[3] x, int64[n] i) => (float[n] y) { j = Abs(i) y = Gather(x, j) }")
    x = np.array([1, 2, 3], "float32")
    assert run(x=x, i=np.array([-2]))["y"].tolist() == [3]
    with pytest.raises(IndexOutOfRangeError, match="of 'Gather_1'; found 7"):
        run(x=x, i=np.array([7]))
    other = jitted("(float[n] x, float[m] y) => (float[k] z) { z = Add(x, y) }")
    with pytest.raises(InputError, match="the model takes only sizes with"):
        other(x=x, y=x[:2])
