"""Executable.call: tensors of any kind, checked and handed over without a copy."""

import gc
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
import torch
import tvm
import tvm_ffi
from relax_models import affine, const, model, python, succeeds
from tvm import relax, tirx

from tvmfuse.errors import ConfigurationError, InputError
from tvmfuse.runtime.executable import Executable
from tvmfuse.runtime.shared_tensors import checked_tensor
from tvmfuse.tensors import as_array, as_tensor

X = np.random.default_rng(0).standard_normal((3, 16), dtype="float32")
KINDS = {"numpy": np.ndarray, "torch": torch.Tensor, "tvm": tvm_ffi.Tensor}


@pytest.fixture(scope="module")
def run() -> Executable:
    return affine().build().load()


def identity(*shape: Any, dtype: str = "float32") -> Executable:
    """Return the model that gives its input, and the same again, and its negative or itself."""
    ty = relax.TensorType(shape, dtype)
    return model(lambda _, x: [x, x], outputs=("y", "z"), x=ty).build().load()


def doubled(*shape: Any, dtype: str = "float32") -> Executable:
    """Return a model with a kernel that reads its input with vector loads: no product."""
    ty = relax.TensorType(shape, dtype)
    return model(lambda emit, x: [emit(relax.op.add(x, x))], x=ty).build().load()


def of_kind(array: np.ndarray, kind: str) -> Any:
    """Return an aligned copy of an array as a tensor."""
    tensor = as_tensor(array.copy())
    kinds: dict[str, Callable[[Any], Any]] = {
        "numpy": as_array,
        "torch": torch.utils.dlpack.from_dlpack,
        "tvm": lambda t: t,
    }
    return kinds[kind](tensor)


def numbers(tensor: Any) -> np.ndarray:
    return tensor if isinstance(tensor, np.ndarray) else as_array(tensor)


def unaligned(size: int, kind: str) -> Any:
    """Return the numbers 0, 1, ... at an address that no 64 divide."""
    memory = np.zeros(size + 32, "float32")
    start = (4 - memory.ctypes.data // 4) % 16 + 1
    view = memory[start : start + size]
    view[:] = np.arange(size)
    assert view.ctypes.data % 64
    return view if kind == "numpy" else torch.from_numpy(view)


@pytest.mark.parametrize("like", [None, *KINDS])
@pytest.mark.parametrize("kind", KINDS)
def test_outputs_are_of_the_first_inputs_kind_or_the_one_asked_for(
    run: Executable, kind: str, like: Any
) -> None:
    x = of_kind(X, kind)
    for given in ([x], (x,), {"x": x}):
        (y,) = run.call(given, like=like)
        assert isinstance(y, KINDS[like or kind])
        np.testing.assert_array_equal(numbers(y), run(x=X)["y"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_memory_is_shared(kind: str) -> None:
    run, x = doubled(4), of_kind(np.arange(4, dtype="float32"), kind)
    _held, [(given, shape)] = run.on_cpu._arguments.on_cpu([x])
    assert given == (x.ctypes.data if kind == "numpy" else x.data_ptr())
    assert tuple(shape) == (4,)


@pytest.mark.parametrize("kind", ["numpy", "torch"])
def test_what_is_not_aligned_is_copied(kind: str) -> None:
    # Without the copy this kernel ends the process with SIGSEGV: it reads whole cache lines.
    x = unaligned(1024, kind)
    (y,) = doubled(1024).call([x])
    np.testing.assert_array_equal(numbers(y), 2 * np.arange(1024))
    (y,) = doubled(1024).call([tvm_ffi.from_dlpack(x)])
    np.testing.assert_array_equal(numbers(y), 2 * np.arange(1024))


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (np.asfortranarray(X),
            "one contiguous piece, found strides of (4, 12) bytes of the shape (3, 16): take np.asc"),
        (np.repeat(X, 2, axis=0)[::2], "in one contiguous piece"),
        (torch.from_numpy(X.T.copy()).T, "found strides (1, 3) of the shape (3, 16): call .contiguous()"),
        (torch.zeros(1, 16).expand(3, 16), "found strides (0, 1)"),
        (tvm_ffi.from_dlpack(torch.zeros(16, 3).T), "in one contiguous piece"),
        (X.astype("float64"), "expected float32[n, 16], found dtype float64: convert it"),
        (X.astype(">f4"), "in the other byte order (>f4): convert it with .astype('float32')"),
        (torch.zeros(3, 16, dtype=torch.float64), "found dtype float64"),
        (torch.zeros(3, 16, dtype=torch.bool), "found dtype bool"),
        (torch.zeros(3, 16, dtype=torch.bfloat16), "found dtype bfloat16"),
        (X.astype(ml_dtypes.bfloat16), "found dtype bfloat16"),
        (as_tensor(X.astype("int32")), "found dtype int32"),
        (np.zeros((3, 15), "float32"), "found (3, 15): dimension 1 is 15 instead of 16"),
        (torch.zeros(3, 15), "found (3, 15): dimension 1 is 15 instead of 16"),
        (as_tensor(np.zeros(3, "float32")), "2 dimensions, found 1: (3,)"),
        (torch.zeros(3, 16, device="meta"), "that does not hand out its memory"),
        (torch.zeros(3, 16).to_sparse(), "that does not hand out its memory"),
        (torch.nested.nested_tensor([X[0], X[1]]), "that does not hand out its memory"),
        ([[1.0] * 16], "found a builtins.list, which is no DLPack tensor"),
        (None, "found None, which is no DLPack tensor"),
    ],
    ids=lambda v: v[:30] if isinstance(v, str) else type(v).__module__.split(".")[0],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_words(run: Executable, x: Any, words: str) -> None:
    with pytest.raises(InputError) as error:
        run.call([x])
    assert str(error.value).startswith("input 'x': expected float32[n, 16]")
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("tensors", "words"),
    [
        ([], r"expected 1 tensors \('x'\), found 0"),
        ([X, X], "found 2"),
        (X, "expected a list of tensors in the order of the inputs.*found a numpy.ndarray"),
        (3, "found a builtins.int"),
        ({"y": X}, "the model has no input 'y'; known: x"),
    ],
)
def test_calls_that_do_not_fit(run: Executable, tensors: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        run.call(tensors)


@pytest.mark.parametrize("offset", [4, 64])
def test_a_tensor_that_begins_behind_its_memory_is_read_from_there(offset: int) -> None:
    """DLPack has an offset beside the address."""
    whole = tvm.runtime.tensor(np.arange(64, dtype="float32"))
    (y,) = doubled(16).call([whole._create_view((16,), "float32", offset)])
    np.testing.assert_array_equal(as_array(y), 2 * (np.arange(16) + offset // 4))


def test_an_unknown_kind_is_refused(run: Executable) -> None:
    with pytest.raises(ConfigurationError, match="like: expected numpy, torch, tvm, found 'jax'"):
        run.call([X], like=cast("Any", "jax"))


def test_read_only_arrays_are_copied(run: Executable) -> None:
    x = X.copy()
    x.flags.writeable = False
    np.testing.assert_array_equal(run.call([x])[0], run(x=X)["y"])


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_without_elements(run: Executable, kind: str) -> None:
    (y,) = run.call([of_kind(np.zeros((0, 16), "float32"), kind)])
    assert tuple(y.shape) == (0, 8)
    (y,) = run.call([np.zeros((0, 16), "float32")])
    assert y.shape == (0, 8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["bool", "bfloat16", "float16", "int64", "uint8"])
def test_dtypes_come_back_as_they_went_in(kind: str, dtype: str) -> None:
    array = np.array([0, 1, 1, 0]).astype(getattr(ml_dtypes, dtype, dtype))
    for y in identity(4, dtype=dtype).call([of_kind(array, kind)]):
        assert isinstance(y, KINDS[kind])
        assert numbers(y).dtype == array.dtype
        np.testing.assert_array_equal(numbers(y), array)


@pytest.mark.parametrize("kind", KINDS)
def test_outputs_own_their_memory(kind: str) -> None:
    x = of_kind(np.arange(4, dtype="float32"), kind)
    weight = np.ones(4, "float32")
    ty = relax.TensorType((4,), "float32")
    run = model(lambda _, x: [x, x, const(weight)], outputs=("y", "z", "w"), x=ty).build().load()
    first = [numbers(output) for output in run.call([x])]
    numbers(x)[:] = 7
    first[2][:] = 9
    second = [numbers(output) for output in run.call([x])]
    np.testing.assert_array_equal(first[0], np.arange(4))
    np.testing.assert_array_equal(first[1], np.arange(4))
    np.testing.assert_array_equal(second[2], weight)
    second[0][:] = 3
    np.testing.assert_array_equal(second[1], np.full(4, 7))


@pytest.mark.parametrize("kind", KINDS)
def test_outputs_survive_further_calls_and_the_model(kind: str) -> None:
    run = doubled(1024)
    one, two = (of_kind(np.full(1024, i, "float32"), kind) for i in (1, 2))
    (y,) = run.call([one])
    for _ in range(10):
        run.call([two])
    del run
    gc.collect()
    np.testing.assert_array_equal(numbers(y), np.full(1024, 2))


def test_torch_parameters_and_views_with_the_other_sign() -> None:
    run = doubled(1)
    assert run.call([torch.nn.Parameter(torch.ones(1))])[0].item() == 2
    negated = torch.tensor([1 + 3j]).conj().imag
    assert negated.is_neg()
    assert negated.is_contiguous()
    assert run.call([negated])[0].item() == -6


def test_symbolic_dimensions_must_agree_at_each_call() -> None:
    n = tirx.Var("n", "int64")
    ty = relax.TensorType((n,), "float32")
    add = model(lambda emit, a, b: [emit(relax.op.add(a, b))], a=ty, b=ty).build().load()
    for size in (2, 3, 2):
        assert add.call([torch.ones(size), torch.ones(size)])[0].tolist() == [2] * size
    for _ in range(2):
        with pytest.raises(InputError, match="'a' and 'b' disagree on the dimension 'n'"):
            add.call([torch.ones(2), torch.ones(3)])


def test_any_number_of_threads(run: Executable) -> None:
    inputs = [torch.from_numpy(X + i).clone() for i in range(8)]
    expected = [run.call([x])[0].clone() for x in inputs]
    wrong = []

    def work(i: int) -> None:
        if not all(torch.equal(run.call([inputs[i]])[0], expected[i]) for _ in range(500)):
            wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_model_for_another_device_takes_tensors_there(run: Executable) -> None:
    for x in (X, torch.from_numpy(X), as_tensor(X)):
        with pytest.raises(
            InputError, match="on cuda:0, where the model was compiled for, found .* on cpu:0"
        ):
            checked_tensor(run.inputs[0], x, tvm_ffi.device("cuda", 0))


def test_a_model_without_inputs() -> None:
    run = model(lambda emit: [emit(relax.op.exp(const(np.zeros(2, "float32"))))]).build().load()
    empty: tuple[Any, ...] = ([], (), {})
    for nothing in empty:
        np.testing.assert_array_equal(run.call(nothing)[0], [1, 1])
    assert isinstance(run.call([], like="torch")[0], torch.Tensor)


WITHOUT_TORCH = """
import numpy as np
from tvmfuse.errors import ConfigurationError
from tvmfuse.runtime.loading import load
run, x = load(sys.argv[1]), np.ones((3, 16), "float32")
print(type(run.call([x])[0]).__name__)
try:
    run.call([x], like="torch")
except ConfigurationError as error:
    print(error)
"""


def test_torch_need_not_be_installed(tmp_path: Path) -> None:
    affine().build().save(tmp_path / "m.so")
    output = succeeds(python(WITHOUT_TORCH, tmp_path / "m.so"))
    assert output.startswith("ndarray\nlike='torch' requires torch: ")


def test_sizes_that_alternate_are_remembered(run: Executable) -> None:
    """More than are remembered, again and again; and a wrong one among them is still refused."""
    for _ in range(3):
        for rows in range(1, 20):
            x = torch.full((rows, 16), float(rows))
            expected = run(x=x.numpy())["y"]
            np.testing.assert_array_equal(run.call([x])[0].numpy(), expected)
            with pytest.raises(InputError):
                run.call([x[:, :15].contiguous()])
