"""Tensors of others: their sign, their gradients, memory that is gone, and code that raises."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import tvm_ffi
from graphs import onnx_model
from onnx import helper

import tvmfuse
from tvmfuse.errors import InputError
from tvmfuse.runtime.executable import Executable
from tvmfuse.tensors import as_tensor
from tvmfuse.tvm_runtime import runtime_function

NUMBERS = torch.arange(8.0).reshape(2, 4)


@pytest.fixture(scope="module")
def run() -> Executable:
    """Twice the input, float32[n, 4]."""
    nodes = [helper.make_node("Add", ["x", "x"], ["y"])]
    shapes = {"x": ("float32", ("n", 4))}
    return tvmfuse.compile(onnx_model(nodes, shapes, {"y": "float32"}, {}), level="none").load()


@pytest.fixture(params=["call", "by name", "run", "bound", "timed", "watch"])
def entry(request: pytest.FixtureRequest, run: Executable) -> Callable[[Any], np.ndarray | None]:
    """Each way in: what it computes, None where that is not shown."""

    def watched(x: Any) -> np.ndarray:
        written: list[np.ndarray] = []
        run.watch({"x": x}, lambda _, arrays: written.extend(a.copy() for a in arrays))
        return written[-1]

    def nothing(_: object) -> None:
        return None

    ways: dict[str, Callable[[Any], np.ndarray | None]] = {
        "call": lambda x: np.asarray(run.call([x], like="numpy")[0]),
        "by name": lambda x: run(x=x)["y"],
        "run": lambda x: run.run(None, {"x": x})[0],
        "bound": lambda x: nothing(run.bound({"x": x})()),
        "timed": lambda x: nothing(run.timed({"x": x})),
        "watch": watched,
    }
    return ways[request.param]


def imaginary(numbers: torch.Tensor) -> torch.Tensor:
    """Return the negated numbers as a view of theirs: torch sets its negative bit."""
    view = torch.complex(torch.zeros_like(numbers), numbers).conj().imag
    assert view.is_neg()
    return view


def interleaved() -> torch.Tensor:
    view = imaginary(NUMBERS[:, :2].clone()).as_strided((1, 4), (4, 1))
    assert view.is_neg()
    assert view.is_contiguous()
    return view


def misaligned(kind: Callable[[np.ndarray], Any]) -> Any:
    memory = np.zeros(8 + 32, "float32")
    start = (4 - memory.ctypes.data // 4) % 16 + 1
    view = memory[start : start + 8].reshape(2, 4)
    view[...] = NUMBERS
    assert view.ctypes.data % 64
    return kind(view)


TAKEN: dict[str, Callable[[], Any]] = {
    "an imaginary part of a conjugate": lambda: imaginary(NUMBERS),
    "the same, one number": lambda: imaginary(NUMBERS[:1].expand(1, 4).clone()),
    "the same, contiguous": interleaved,
    "requires gradients": lambda: NUMBERS.clone().requires_grad_(),
    "has a gradient function": lambda: NUMBERS.clone().requires_grad_() * 1,
    "a parameter": lambda: torch.nn.Parameter(NUMBERS.clone()),
    "misaligned, requires gradients": lambda: misaligned(torch.from_numpy).requires_grad_(),
    "a misaligned array": lambda: misaligned(lambda x: x),
    "a misaligned torch tensor": lambda: misaligned(torch.from_numpy),
    "a misaligned TVM tensor": lambda: misaligned(tvm_ffi.from_dlpack),
    "one row with far strides": lambda: torch.arange(32.0).reshape(8, 4)[1::8],
    "an inference tensor": torch.inference_mode()(lambda: NUMBERS + 1),
    "empty, negated": lambda: imaginary(torch.zeros(0, 4)),
    "nothing masked": lambda: np.ma.masked_array(NUMBERS.numpy(), mask=False),
}


@pytest.mark.parametrize("kind", TAKEN)
def test_what_is_taken_is_taken_for_its_numbers(entry: Any, kind: str) -> None:
    x = TAKEN[kind]()
    plain = x.detach().resolve_neg() if isinstance(x, torch.Tensor) else x
    expected, y = 2 * np.from_dlpack(plain), entry(x)
    if y is not None:
        np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("x", [np.asfortranarray(NUMBERS), torch.arange(8.0).reshape(4, 2).T])
def test_strides_are_refused_or_undone(run: Executable, x: Any) -> None:
    with pytest.raises(InputError, match="in one contiguous piece"):
        run.call([x])
    for tensor in (x, tvm_ffi.from_dlpack(x)):
        np.testing.assert_array_equal(run(x=tensor)["y"], 2 * np.asarray(x))


def freed() -> torch.Tensor:
    tensor = torch.ones(2, 4)
    tensor.untyped_storage().resize_(0)
    return tensor


class Raises:
    """What raises, whatever it is asked for."""

    def __init__(self, error: type[Exception]) -> None:
        self.error = error

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, **_: object) -> Any:
        raise self.error("no such luck")


class Unasked:
    def __getattr__(self, name: str) -> Any:
        raise LookupError(f"nothing is known of {name}")


class NoCapsule(Raises):
    def __dlpack__(self, **_: object) -> Any:
        return 3


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a freed storage": (freed, "without memory: was its storage freed"),
    "zeros that are nowhere": (lambda: torch._efficientzerotensor((2, 4)), "without memory"),
    "mkldnn's": (NUMBERS.to_mkldnn, "does not hand out its memory"),
    "sparse": (NUMBERS.to_sparse, "does not hand out its memory"),
    "complex": (lambda: torch.complex(NUMBERS, NUMBERS).conj(), "found dtype torch.complex64"),
    "complex, numpy's": (lambda: NUMBERS.numpy() * 1j, "found dtype complex64"),
    "a raised KeyError": (lambda: Raises(KeyError), "KeyError: 'no such luck'"),
    "a raised ZeroDivisionError": (lambda: Raises(ZeroDivisionError), "ZeroDivisionError: no such"),
    "a raised MemoryError": (lambda: Raises(MemoryError), "MemoryError: no such luck"),
    "a __getattr__ that raises": (Unasked, "nothing is known of __dlpack__"),
    "no capsule": (lambda: NoCapsule(OSError), "does not hand out its memory"),
    "masked": (lambda: np.ma.masked_array(NUMBERS.numpy(), NUMBERS.numpy() > 3), "4 masked elem"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_has_no_numbers_is_refused_in_words(entry: Any, kind: str) -> None:
    made, words = REFUSED[kind]
    with pytest.raises(InputError, match=r"^input 'x': expected float32\[n, 4\], found ") as error:
        entry(made())
    assert words in str(error.value)


def test_an_array_method_that_raises(run: Executable) -> None:
    class Broken:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            raise KeyError("gone")

    with pytest.raises(InputError, match=r"makes no array of itself \(KeyError: 'gone'\)"):
        run(x=Broken())


def test_an_interrupt_is_no_input_error(run: Executable) -> None:
    class Interrupted(Raises):
        def __dlpack__(self, **_: object) -> Any:
            raise KeyboardInterrupt

    for way in (lambda x: run.call([x]), lambda x: run(x=x)):
        with pytest.raises(KeyboardInterrupt):
            way(Interrupted(OSError))


def test_a_tensor_inside_vmap_has_no_memory(run: Executable) -> None:
    def through(x: torch.Tensor) -> torch.Tensor:
        with pytest.raises(InputError, match="does not hand out its memory"):
            run.call([x])
        with pytest.raises(InputError, match="does not hand out its memory"):
            run(x=x)
        return x

    torch.func.vmap(through)(torch.ones(3, 2, 4))


def test_a_tensor_that_begins_within_its_memory_never_reads_beside_it(run: Executable) -> None:
    rows = as_tensor(np.arange(32, dtype="float32").reshape(8, 4))
    create = runtime_function("runtime.TVMTensorCreateView")
    for offset in (4, 64):
        view = create(rows, tvm_ffi.Shape((2, 4)), tvm_ffi.dtype("float32"), offset)
        expected = 2 * (np.arange(8).reshape(2, 4) + offset // 4)
        np.testing.assert_array_equal(run(x=view)["y"], expected)
