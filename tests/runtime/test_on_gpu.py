"""`OnGpu`: TVM's virtual machines, which run here on the CPU in a GPU's place."""

from __future__ import annotations

import threading
from typing import Any, Never

import numpy as np
import pytest
import torch
import tvm
import tvm_ffi
from tvm import relax

from tvmfuse.arrays import ALIGNMENT
from tvmfuse.errors import ConfigurationError, InputError
from tvmfuse.manifest import Manifest
from tvmfuse.runtime.on_gpu import OnGpu, Program
from tvmfuse.tensor_spec import TensorSpec
from tvmfuse.tensors import CPU, as_array, as_tensor

W = np.arange(4, dtype=np.float32)
#: As TVM names them; its own functions, of memory and of sizes, run beside them.
KERNELS = ["add", "tir_exp"]

X = np.random.default_rng(0).standard_normal((3, 4), dtype=np.float32)


@pytest.fixture(scope="module")
def model() -> OnGpu:
    """Return y = exp(x + w) and x itself, with w a weight and the rows of x symbolic."""
    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorType((tvm.tirx.Var("n", "int64"), 4), "float32"))
    w = relax.Var("w", relax.TensorType((4,), "float32"))
    with builder.function("main", [x, w], attrs={"num_input": 1}):
        total = builder.emit(relax.op.add(x, w))
        y = builder.emit(relax.op.exp(total))
        builder.emit_func_output(relax.Tuple([y, x]))
    executable = relax.build(builder.get(), tvm.target.Target("llvm"))
    manifest = Manifest(
        name="in its place",
        target="cuda",
        inputs=(TensorSpec("x", "float32", ("n", 4)),),
        outputs=tuple(TensorSpec(name, "float32", ("n", 4)) for name in ("y", "same")),
    )
    return OnGpu(manifest, Program(executable.mod, [as_tensor(W)], CPU, frozenset({1})))


def wanted(x: np.ndarray) -> np.ndarray:
    return np.exp(x + W)


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_arrays_give_arrays_in_the_order_that_is_asked_for(model: OnGpu, rows: int) -> None:
    x = X[:rows]
    same, y = model.run([x], [1, 0])
    np.testing.assert_array_equal(same, x)
    np.testing.assert_allclose(y, wanted(x), rtol=1e-6)
    assert not np.shares_memory(same, x), "an output belongs to the caller"


@pytest.mark.parametrize("kind", ["tvm", "torch", "numpy"])
def test_tensors_give_tensors(model: OnGpu, kind: Any) -> None:
    y, same = model.call([torch.from_numpy(X.copy())], kind, share=False)
    kinds = {"tvm": tvm_ffi.Tensor, "torch": torch.Tensor, "numpy": np.ndarray}
    assert isinstance(y, kinds[kind])
    np.testing.assert_allclose(as_array(y), wanted(X), rtol=1e-6)
    np.testing.assert_array_equal(as_array(same), X)


def test_a_tensor_at_another_address_is_copied(model: OnGpu) -> None:
    """Kernels read with aligned vector loads."""
    memory = torch.zeros(12 + ALIGNMENT // 4)
    start = next(n for n in range(1, 16) if memory[n:].data_ptr() % ALIGNMENT)
    x = memory[start : start + 12].view(3, 4)
    y, _ = model.call({"x": x}, "numpy", share=False)
    np.testing.assert_allclose(y, wanted(x.numpy()), rtol=1e-6)


def test_what_does_not_fit_is_refused(model: OnGpu) -> None:
    with pytest.raises(InputError, match="dimension 1 is 5 instead of 4"):
        model.call([torch.zeros(3, 5)], "torch", share=False)
    with pytest.raises(InputError, match="that does not hand out its memory"):
        model.call([torch.zeros(3, 4, device="meta")], "torch", share=False)
    with pytest.raises(ConfigurationError, match="can take the memory of an input"):
        model.call([torch.zeros(3, 4)], "torch", share=True)


def test_bound_inputs_run_again_and_again(model: OnGpu) -> None:
    once: Any = model.bound([X])
    for _ in range(3):
        np.testing.assert_allclose(as_array(once()[0]), wanted(X), rtol=1e-6)


def test_kernels_are_timed_and_shown_in_order(model: OnGpu) -> None:
    found = model.timed([X])
    kernels = [launch for launch in found.launches if launch.symbol in KERNELS]
    assert [launch.symbol for launch in kernels] == KERNELS
    ends = [launch.begin + launch.milliseconds for launch in kernels]
    assert 0 <= kernels[0].begin <= ends[0] <= kernels[1].begin <= ends[1] <= found.milliseconds
    seen: list[np.ndarray] = []
    model.watch([X], lambda _, written: seen.extend(array.copy() for array in written()))
    for array, right in zip(seen, (X + W, wanted(X)), strict=True):
        np.testing.assert_allclose(array, right, rtol=1e-6)


def test_what_the_watcher_raises_ends_the_watching(model: OnGpu) -> None:
    calls = []

    def seen(name: str, _written: object) -> Never:
        calls.append(name)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.watch([X], seen)
    assert len(calls) == 1


def test_threads_run_at_once(model: OnGpu) -> None:
    wrong: list[int] = []

    def run(n: int) -> None:
        x = X[:1] + n
        wrong.extend(n for _ in range(20) if not np.allclose(model.run([x], [0])[0], wanted(x)))

    threads = [threading.Thread(target=run, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
