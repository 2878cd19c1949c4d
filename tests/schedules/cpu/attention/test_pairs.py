"""schedules.cpu.attention.pairs: products of bfloat16, as close to float64 as their operands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tvm
from ml_dtypes import bfloat16
from tvm import tirx
from tvm.target import Target

from tvmfuse.ops import attention
from tvmfuse.schedules.schedule import schedule
from tvmfuse.target.machine import AVX2, AVX512, ZEN4, Machine
from tvmfuse.target.resolve import resolve

pytestmark = pytest.mark.sampled(5)

HERE = Machine.of(resolve("llvm"))
HALF = "bfloat16"
S, T = (tirx.Var(name, "int64") for name in "ST")

#: Of the largest result: weights and results are rounded to 8 bits.
TOLERANCE = 1e-2


def attend(*operands: Any, **options: Any) -> Any:
    return attention(*operands, scale=0.25, **options)


def function(lab: Any, *inputs: Any, machine: Machine = HERE, **options: Any) -> Any:
    module = lab.lowered(lambda *a: attend(*a, **options), *inputs)
    (scheduled,) = lab.kernels(schedule(module, machine.target).module).values()
    return scheduled


def drawn(s: int, t: int, h: int = 2, kv: int = 2, c: int = 32, e: int = 32, b: int = 1) -> Any:
    rng = np.random.default_rng(s + t)
    shapes = (b, s, h, c), (b, t, kv, c), (b, t, kv, e)
    return [rng.standard_normal(shape).astype(bfloat16) for shape in shapes]


def expected(
    q: Any, k: Any, v: Any, mask: Any = 0, zero_where: Any = None, *, zero_masked_rows: bool = False
) -> Any:
    """Compute in float64, with numpy."""
    q, k, v = (x.astype("float64") for x in (q, k, v))
    k, v = (np.repeat(x, q.shape[2] // x.shape[2], axis=2) for x in (k, v))
    with np.errstate(invalid="ignore"):
        scores = np.einsum("bihc,bjhc->bhij", q, k) * 0.25 + mask
        exps = np.exp(scores - scores.max(-1, keepdims=True))
        weights = exps / exps.sum(-1, keepdims=True)
        if zero_where is not None:
            weights = np.where(zero_where, 0, weights)
        if zero_masked_rows:
            weights = np.where(np.isnan(weights), 0, weights)
        return np.einsum("bhij,bjhd->bihd", weights, v)


def computed(
    lab: Any, kernel: Any, *arrays: Any, machine: Machine = HERE, wide: bool = False
) -> Any:
    (b, s, h, _), (*_, e) = arrays[0].shape, arrays[2].shape
    out = tvm.runtime.tensor(np.full((b, s, h, e), 7, "float32" if wide else HALF))
    lab.runnable(kernel, machine)(*map(tvm.runtime.tensor, arrays), out)
    return out.numpy().astype("float32")


def agrees(lab: Any, *arrays: Any, machine: Machine = HERE, **options: Any) -> None:
    inputs = [(a.shape, str(a.dtype)) for a in arrays]
    kernel = function(lab, *inputs, machine=machine, **options)
    found = computed(lab, kernel, *arrays, machine=machine, wide=options.pop("wide", False))
    close(found, expected(*arrays, **options))


def close(found: Any, numbers: Any) -> None:
    largest = np.abs(numbers[np.isfinite(numbers)]).max(initial=0)
    np.testing.assert_allclose(found, numbers, rtol=TOLERANCE, atol=TOLERANCE * largest)


@pytest.mark.parametrize("wide", [False, True], ids=["rounded", "wide"])
@pytest.mark.parametrize("machine", [HERE, AVX2], ids=["here", "avx2"])
@pytest.mark.parametrize("size", [32, 64, 80, 128, 24, 8, 20, 5])
@pytest.mark.sampled(4)
def test_head_sizes(lab: Any, size: int, machine: Machine, wide: bool) -> None:
    agrees(lab, *drawn(19, 37, c=size, e=size), machine=machine, wide=wide)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("s", "t"),
    [(1, 1), (1, 2), (2, 1), (3, 17), (48, 48), (49, 97), (101, 33), (128, 128), (5, 700)],
)
def test_lengths(lab: Any, s: int, t: int) -> None:
    agrees(lab, *drawn(s, t, b=2))


@pytest.mark.parametrize("keys", [21, 600], ids=["one block", "several"])
@pytest.mark.parametrize("kv", [2, 1], ids=["each", "shared"])
@pytest.mark.parametrize("wide", [False, True], ids=["rounded", "wide"])
@pytest.mark.sampled(3)
def test_blocks_of_keys(
    lab: Any, monkeypatch: pytest.MonkeyPatch, keys: int, kv: int, wide: bool
) -> None:
    """Sums so far are float32, whatever they are rounded to in the end."""
    lab.tune(monkeypatch, l2_budget=32 << 10)
    mask = np.where(np.random.default_rng(0).random((1, 1, 50, keys)) < 0.3, -np.inf, 0)
    mask[..., 7, :] = -np.inf
    arrays = *drawn(50, keys, kv=kv), mask.astype(bfloat16)
    agrees(lab, *arrays, zero_masked_rows=True, wide=wide)


def test_one_kernel_serves_every_length(lab: Any) -> None:
    shapes = (1, S, 2, 32), (1, T, 2, 32), (1, T, 2, 32), (1, 1, S, T)
    kernel = function(lab, *((shape, HALF) for shape in shapes))
    for s, t in [(1, 1), (1, 40), (2, 2), (31, 31), (64, 65), (65, 700)]:
        mask = np.random.default_rng(t).standard_normal((1, 1, s, t)).astype(bfloat16)
        arrays = *drawn(s, t), mask
        close(computed(lab, kernel, *arrays), expected(*arrays))


@pytest.mark.parametrize("s", [1, 33])
def test_causal(lab: Any, s: int) -> None:
    above = np.triu(np.ones((s, 40), bool), 40 - s + 1)
    mask = np.where(above, -np.inf, 0).astype("float32")
    agrees(lab, *drawn(s, 40), mask)


@pytest.mark.parametrize("axes", ["bhsd", "bs0hd", "bhds"])
def test_orders(lab: Any, axes: str) -> None:
    """Elements of a head that lie apart are no pairs."""
    sizes = {"b": 1, "h": 2, "d": 32, "0": 3}
    rng = np.random.default_rng(0)
    arrays = [
        rng.standard_normal([{**sizes, "s": n}[a] for a in axes]).astype(bfloat16)
        for n in (9, 21, 21)
    ]
    kernel = function(
        lab, *((a.shape, HALF) for a in arrays), q_axes=axes, k_axes=axes, v_axes=axes
    )
    spelled = axes.replace("0", "")
    plain = [a.take(0, axes.index("0")) if "0" in axes else a for a in arrays]
    plain = [a.transpose([spelled.index(letter) for letter in "bshd"]) for a in plain]
    out = tvm.runtime.tensor(np.empty(plain[0].shape, bfloat16))
    lab.runnable(kernel, HERE)(*map(tvm.runtime.tensor, arrays), out)
    close(out.numpy().astype("float32"), expected(*plain))


PLACES: dict[str, Callable[..., None]] = {
    "none": lambda q, k, v, mask: None,
    "query": lambda q, k, v, mask: q.put(5, np.nan),
    "key": lambda q, k, v, mask: k.put(130, np.nan),
    "value": lambda q, k, v, mask: v.put(130, np.nan),
    "last value": lambda q, k, v, mask: v.put(-1, np.nan),
    "empty row": lambda q, k, v, mask: mask.put(range(21, 42), -np.inf),
    "infinite value": lambda q, k, v, mask: v.put(-1, np.inf),
    "infinite query": lambda q, k, v, mask: q.put(-1, np.inf),
}


@pytest.mark.parametrize("budget", [1 << 20, 2 << 10], ids=["one block", "several"])
@pytest.mark.parametrize("zero_masked_rows", [False, True])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_nan_and_infinities(
    lab: Any, monkeypatch: pytest.MonkeyPatch, place: str, zero_masked_rows: bool, budget: int
) -> None:
    lab.tune(monkeypatch, l2_budget=budget)
    q, k, v = drawn(9, 21, c=16, e=16)
    mask = np.where(np.random.default_rng(0).random((1, 1, 9, 21)) < 0.3, -np.inf, 0)
    mask[..., 0] = 0
    PLACES[place](q, k, v, mask)
    agrees(lab, q, k, v, mask.astype("float32"), zero_masked_rows=zero_masked_rows)


def test_zeros_in_place_of_weights(lab: Any) -> None:
    q, k, v = drawn(7, 9)
    where = np.random.default_rng(0).random((1, 2, 7, 9)) < 0.5
    shapes = [*((a.shape, HALF) for a in (q, k, v)), (where.shape, "bool")]
    module = lab.lowered(lambda q, k, v, w: attend(q, k, v, zero_where=w), *shapes)
    (kernel,) = lab.kernels(schedule(module, HERE.target).module).values()
    close(computed(lab, kernel, q, k, v, where), expected(q, k, v, 0, where))


@pytest.mark.parametrize(
    ("machine", "c", "axes", "pairs"),
    [
        (ZEN4, 64, "bshd", True),
        (ZEN4, 80, "bs0hd", True),
        (ZEN4, 20, "bshd", False),
        (ZEN4, 64, "bhds", False),
        (AVX512, 64, "bshd", False),
        (AVX2, 64, "bshd", False),
        (Machine.of(Target({"kind": "llvm", "mcpu": "haswell"})), 64, "bshd", False),
        (Machine.of(Target({"kind": "llvm", "mcpu": "sapphirerapids"})), 64, "bshd", True),
    ],
)
def test_both_products_are_of_pairs(
    lab: Any, machine: Machine, c: int, axes: str, pairs: bool
) -> None:
    sizes = {"b": 1, "s": 96, "h": 2, "d": c, "0": 3}
    shape = [sizes[a] for a in axes]
    kernel = function(
        lab, *[(shape, HALF)] * 3, machine=machine, q_axes=axes, k_axes=axes, v_axes=axes
    )
    code = lab.assembly(kernel, machine)
    blocks = re.split(r"^[.\w]+:|^\tj\w+.*$", code, flags=re.MULTILINE)
    products = [b for b in blocks if b.count("vdpbf16ps") >= 10]
    assert (len(products) >= 2) == pairs
    assert ("vdpbf16ps" in code) == pairs
    assert not any("rsp" in block for block in products), "a spill"
    assert "expf" not in code


@pytest.mark.parametrize("zero_masked_rows", [False, True])
def test_sums_are_divided_and_no_weights(lab: Any, zero_masked_rows: bool) -> None:
    """A row that has a sum is divided as a row of results: 64 of them for 128 weights."""
    shapes = [((1, 48, 1, 64), HALF), *[((1, 128, 1, 64), HALF)] * 2]
    kernel = function(lab, *shapes, machine=ZEN4, zero_masked_rows=zero_masked_rows)
    stores = re.findall(r"weights\[.*", kernel.script())
    assert stores
    assert sum("/" in line for line in stores) == 1, "of a row without a sum"


def test_results_are_rounded_once(lab: Any) -> None:
    """Sums are kept in float32 until they are written."""
    arrays = drawn(9, 21)
    shapes = [(a.shape, HALF) for a in arrays]
    wide = computed(lab, function(lab, *shapes, wide=True), *arrays, wide=True)
    rounded = computed(lab, function(lab, *shapes), *arrays)
    np.testing.assert_array_equal(rounded, wide.astype(bfloat16).astype("float32"))
