"""Feeds as people hand them over: what a model takes it takes for its numbers, or refuses in words.

Each is fed by name, by `run` and through `InferenceSession`, where it gives onnxruntime's result on
the same numbers or an InputError, as stated here, and to `call`, which may refuse more of them.
"""

import array
import collections
import decimal
import fractions
import types
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch
import tvm_ffi
from graphs import onnx_model
from onnx import helper
from reference import assert_agrees, reference

import tvmfuse
from tvmfuse.errors import InputError
from tvmfuse.tensors import as_tensor

node = helper.make_node
X = np.arange(16, dtype="float32").reshape(2, 8) - 5
IDS = np.array([[0, 4, 1], [2, 2, 3]])
GOOD: dict[str, Any] = {"x": X, "ids": IDS, "scale": np.array(0.5, "float32"), "on": np.array(True)}
MODEL = onnx_model(
    [
        node("Mul", ["x", "scale"], ["scaled"]),
        node("Where", ["on", "scaled", "x"], ["y"]),
        node("Gather", ["table", "ids"], ["z"]),
    ],
    {
        "x": ("float32", ("batch", 8)),
        "ids": ("int64", ("batch", "seq")),
        "scale": ("float32", ()),
        "on": ("bool", ()),
    },
    {"y": "float32", "z": "float32"},
    {"table": np.arange(15, dtype="float32").reshape(5, 3)},
)


class Shouting(np.ndarray):
    """An array that says other things of itself than are so."""

    @property
    def nbytes(self) -> int:
        return 1000


class OnlyArray:
    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return X


class OnlyDlpack:
    def __dlpack_device__(self) -> Any:
        return X.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        return X.__dlpack__(**options)


def at(offset: int) -> np.ndarray:
    """Return X, so many bytes behind a cache line."""
    memory = np.zeros(X.nbytes + 128, np.uint8)
    start = -memory.ctypes.data % 64 + offset
    view = memory[start : start + X.nbytes].view("float32").reshape(X.shape)
    view[...] = X
    return view


def frozen() -> np.ndarray:
    copy = X.copy()
    copy.flags.writeable = False
    return copy


def strided() -> np.ndarray:
    wide = np.full((4, 16), np.nan, "float32")
    wide[::2, ::2] = X
    return wide[::2, ::2]


T = torch.from_numpy
TAKEN: dict[str, Callable[[], Any]] = {
    "as it is": lambda: X,
    "column by column": lambda: np.asfortranarray(X),
    "strided": strided,
    "backwards": lambda: X[::-1, ::-1].copy()[::-1, ::-1],
    "transposed": lambda: X.T.copy().T,
    "read-only": frozen,
    "with the native order named": lambda: X.astype("<f4"),
    **{f"{n} bytes behind a line": lambda n=n: at(n) for n in (1, 2, 4, 8, 16, 32, 60)},  # type: ignore[misc]
    "a matrix": lambda: np.matrix(X),
    "nothing masked": lambda: np.ma.masked_array(X, mask=np.zeros(X.shape, bool)),
    "a shouting subclass": lambda: X.copy().view(Shouting),
    "a record of no fields": lambda: X.view(np.recarray),
    "lists": X.tolist,
    "a tuple of lists": lambda: tuple(X.tolist()),
    "a list of arrays": lambda: list(X),
    "lists of whole numbers": lambda: X.astype(int).tolist(),
    "lists of numpy's numbers": lambda: [list(row) for row in X],
    "a list of torch tensors": lambda: list(T(X.copy())),
    "only __array__": OnlyArray,
    "only __dlpack__": OnlyDlpack,
    "torch": lambda: T(X.copy()),
    "torch, transposed": lambda: T(X.T.copy()).T,
    "torch, strided": lambda: T(np.repeat(X, 2, 1))[:, ::2],
    "torch, misaligned": lambda: T(at(4)),
    "torch, negated": lambda: torch.complex(T(X), T(-X)).conj().imag,
    "torch, with gradients": lambda: T(X.copy()).requires_grad_(),
    "torch, a parameter": lambda: torch.nn.Parameter(T(X.copy())),
    "torch, of inference": torch.inference_mode()(lambda: T(X) + 0),
    "TVM's": lambda: as_tensor(X.copy()),
    "TVM's, misaligned": lambda: tvm_ffi.from_dlpack(at(4)),
    "TVM's, transposed": lambda: tvm_ffi.from_dlpack(T(X.T.copy()).T),
}

ragged: list[Any] = [[1.0] * 8, [2.0] * 7]
endless: list[Any] = []
endless.append(endless)
deep: Any = 1.0
for _ in range(100):
    deep = [deep]

DTYPES = [
    "float64", "float16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "bool", "complex64", "complex128", "object", "S4", "U4", "datetime64[s]", "timedelta64[s]",
    "longdouble", ">f4", ">f8", ">i4", "bfloat16", "float8_e4m3fn", "int4",
]  # fmt: skip
REFUSED: dict[str, Any] = {
    **{f"of {d}": np.ones((2, 8)).astype(getattr(ml_dtypes, d, d)) for d in DTYPES},
    "structured": np.zeros((2, 8), [("a", "f4")]),
    "void": np.zeros((2, 8), "V4"),
    **{
        f"of shape {shape}": np.ones(shape, "float32")
        for shape in (
            (), (8,), (16,), (2,), (1, 2, 8), (2, 8, 1), (8, 2), (2, 7), (2, 9), (2, 0), (0,), (3, 8),
            (0, 8), (2, 1), (1, 8), (1,) * 32,
        )
    },
    "three masked": np.ma.masked_array(X, mask=X < -2),
    "ragged": ragged,
    "endless": endless,
    "deep": deep,
    "no list": [],
    "lists of nothing": [[], []],
    "a list of None": [[None] * 8] * 2,
    "a list of texts": [["1"] * 8] * 2,
    "a list of objects": [[object()] * 8] * 2,
    "a list of complex numbers": [[1j] * 8] * 2,
    "a list of too large numbers": [[1e39] * 8] * 2,
    "a list of huge numbers": [[10**400] * 8] * 2,
    "None": None,
    "a text": "x",
    "bytes": X.tobytes(),
    "a bytearray": bytearray(X.tobytes()),
    "a memoryview": memoryview(X.tobytes()),
    "an array.array": array.array("f", X.ravel()),
    "a dict": {"x": X},
    "a set": {1.0, 2.0},
    "a range": range(16),
    "a generator": (row for row in X),
    "an object": object(),
    "a class": np.ndarray,
    "a function": np.ones,
    "a module": types.ModuleType("x"),
    "a number": 1.5,
    "a numpy number": np.float32(1),
    "a decimal": decimal.Decimal(1),
    "a fraction": fractions.Fraction(1, 2),
    "a dlpack capsule": X.__dlpack__(),
    "torch of float64": T(X).double(),
    "torch of float16": T(X).half(),
    "torch of bfloat16": T(X).bfloat16(),
    "torch of int64": T(X).long(),
    "torch of bool": T(X) > 0,
    "torch of complex64": torch.complex(T(X), T(X)),
    "torch, conjugated": torch.complex(T(X), T(X)).conj(),
    "torch of 7 columns": T(X)[:, :7],
    "torch, sparse": T(X).to_sparse(),
    "torch, sparse rows": T(X).to_sparse_csr(),
    "torch, mkldnn": T(X).to_mkldnn(),
    "torch, quantized": torch.quantize_per_tensor(T(X), 0.1, 0, torch.qint8),
    "torch, nowhere": T(X).to("meta"),
    "torch, zeros nowhere": torch._efficientzerotensor((2, 8)),
    "TVM's of float64": as_tensor(X.astype("float64")),
}  # fmt: skip


@pytest.fixture(scope="module")
def session() -> tvmfuse.InferenceSession:
    return tvmfuse.InferenceSession(MODEL.SerializeToString())


@pytest.fixture(scope="module")
def run() -> Any:
    return tvmfuse.compile(MODEL).load()


@pytest.fixture(scope="module")
def expected() -> dict[str, np.ndarray]:
    return reference(MODEL, GOOD)


@pytest.mark.parametrize("kind", TAKEN)
def test_what_is_taken(run: Any, session: Any, expected: Any, kind: str) -> None:
    x = TAKEN[kind]()
    names = list(expected)
    feeds = {**GOOD, "x": x}
    assert_agrees(run(feeds), expected)
    for way in (run.run, session.run):
        assert_agrees(dict(zip(names, way(None, feeds), strict=True)), expected)
    with suppress(InputError):  # it takes contiguous tensors alone
        assert_agrees(dict(zip(names, run.call(feeds, like="numpy"), strict=True)), expected)


#: What a session takes as onnxruntime's does: lists as numpy converts them, and any byte order.
BY_SESSIONS = ("of >f4", "a list of None", "a list of texts", "a list of too large numbers")


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_refused(run: Any, session: Any, expected: Any, kind: str) -> None:
    feeds = {**GOOD, "x": REFUSED[kind]}
    ways: list[Callable[[], Any]] = [
        lambda: run(feeds),
        lambda: run.run(None, feeds),
        lambda: run.call(feeds),
        lambda: run.bound(feeds),
        lambda: run.timed(feeds),
    ]
    if kind not in BY_SESSIONS:
        ways.append(lambda: session.run(None, feeds))
    for way in ways:
        with pytest.raises(InputError, match=r"\binputs? 'x'"):
            way()
    assert_agrees(run(GOOD), expected)


NAMES: dict[str, Any] = {
    "none": {},
    "one missing": {n: v for n, v in GOOD.items() if n != "on"},
    "one more": {**GOOD, "more": X},
    "another's": {**GOOD, "X": X},
    "a number": {**GOOD, 1: X},
    "None": {**GOOD, None: X},
    "bytes": {**GOOD, b"x": X},
    "a tuple": {**GOOD, ("x",): X},
    "an empty one": {**GOOD, "": X},
    "with a NUL": {**GOOD, "x\0": X},
    "pairs": list(GOOD.items()),
    "values": list(GOOD.values()),
    "keys": list(GOOD),
    "a text": "x",
    "an array": X,
    "a number alone": 3,
}


@pytest.mark.parametrize("kind", NAMES)
def test_names_that_are_not_the_models(run: Any, session: Any, expected: Any, kind: str) -> None:
    feeds = NAMES[kind]
    for way in (run, lambda f: run.run(None, f), lambda f: session.run(None, f), run.bound):
        with pytest.raises(InputError, match="input"):
            way(feeds)
    assert_agrees(run(GOOD), expected)


@pytest.mark.parametrize(
    "mapping",
    [
        collections.OrderedDict(reversed(GOOD.items())), types.MappingProxyType(GOOD),
        collections.UserDict(GOOD), collections.ChainMap({"x": X}, GOOD),
    ],
    ids=lambda m: type(m).__name__,
)  # fmt: skip
def test_mappings_of_all_kinds(run: Any, session: Any, expected: Any, mapping: Any) -> None:
    assert_agrees(run(mapping), expected)
    names = list(expected)
    for outputs in (run.run(None, mapping), session.run(None, mapping), run.call(mapping)):
        assert_agrees(dict(zip(names, outputs, strict=True)), expected)


@pytest.mark.parametrize(("batch", "seq"), [(0, 3), (2, 0), (0, 0), (1, 1), (64, 65)])
def test_sizes_of_all_kinds(run: Any, batch: int, seq: int) -> None:
    feeds = {**GOOD, "x": np.ones((batch, 8), "float32"), "ids": np.ones((batch, seq), "int64")}
    assert_agrees(run(feeds), reference(MODEL, feeds))
    torches = [T(np.array(v)) for v in feeds.values()]
    assert_agrees(
        dict(zip("yz", run.call(torches, like="numpy"), strict=True)), reference(MODEL, feeds)
    )
